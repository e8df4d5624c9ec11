"""Whatever is wrong in an application, its reader gives facts or unknowns, and the same ones each time."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.facts import Fact
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.resolver import Resolver
from ingest.web.resolvers.aiohttp import AiohttpResolver
from ingest.web.resolvers.connexion import ConnexionResolver
from ingest.web.resolvers.fastapi import FastApiResolver
from ingest.web.resolvers.litestar import LitestarResolver

PAGES = Path(__file__).parent
BLOCK = re.compile(r"^```\S+\.py\n(.*?)^```$", re.M | re.S)
SERVED = """
import connexion

class Missing(Exception): ...

def search(limit: int, kind: str = "x"):
    if limit > 3:
        raise Missing()
    return {"kind": kind, "limit": limit}, 200

def create(body):
    if "name" not in body or len(body["name"]) > 3:
        return connexion.problem(400, "Bad", "no name")
    return connexion.NoContent, 201

app = connexion.FlaskApp(__name__)
app.add_api("openapi.yaml", resolver=connexion.RestyResolver("app"))
app.add_error_handler(Missing, lambda request, error: ({}, 404))
"""
CONTRACT = """
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /things:
    get: {operationId: app.search, parameters: [{name: limit, in: query}], responses: {'200': {description: ok}}}
    post: {operationId: create, x-openapi-router-controller: app, responses: {'201': {description: ok}}}
  /rest/{id}: {get: {responses: {'200': {description: ok}}}}
"""


ENUMS = """
from enum import Enum
from fastapi import FastAPI
from pydantic import BaseModel

class Mode(str, Enum):
{members}
    other = Kind.one

class Kind(str, Enum):
    one = Mode.m1
    mode: Mode = Mode.m2

class Setting(BaseModel):
    mode: Mode = Mode.m1
    kind: Kind

app = FastAPI()

@app.get("/modes")
def modes(mode: Mode = Mode.other) -> Setting: ...
"""


class Files:
    """A project whose every module imports everything, with one contract."""

    def __init__(self, text: str) -> None:
        self.text = text

    def document(self, module: str) -> Document | None:
        return (
            Document(path="app.py", role=Role.PYTHON, text=self.text, module="app")
            if module == "app"
            else None
        )

    def importers(self, packages: Collection[str]) -> tuple[str, ...]:
        return ("app",)

    def promised(self) -> tuple[Fact, ...]:
        contract = Document(path="openapi.yaml", role=Role.CONTRACT, text=CONTRACT)
        return tuple(OpenApiReader().read(contract).facts)


def texts(folder: str, page: str = "*") -> list[str]:
    return [
        text
        for path in sorted((PAGES / folder).glob(f"{page}.md"))
        for text in BLOCK.findall(path.read_text(encoding="utf-8"))
    ]


CASES: list[tuple[Resolver, list[str]]] = [
    (LitestarResolver(), texts("litestar")),
    (AiohttpResolver(), texts("aiohttp")),
    (FastApiResolver(), texts("fastapi", "starlette")),
    (ConnexionResolver(), [SERVED]),
]


@pytest.mark.parametrize(("resolver", "whole"), CASES, ids=["litestar", "aiohttp", "starlette", "connexion"])
@given(data=st.data())
def test_a_damaged_application_never_stops_the_reader(
    resolver: Resolver, whole: list[str], data: st.DataObject
) -> None:
    text = data.draw(st.sampled_from(whole))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    damaged = text[:start] + text[end:]
    extract = resolver.resolve(Files(damaged))
    keys = [fact.id for fact in extract.facts]
    assert keys == sorted(set(keys))
    assert extract == resolver.resolve(Files(damaged))


@pytest.mark.parametrize(("resolver", "whole"), CASES, ids=["litestar", "aiohttp", "starlette", "connexion"])
def test_the_whole_application_has_operations(resolver: Resolver, whole: list[str]) -> None:
    assert any(resolver.resolve(Files(text)).facts for text in whole)


def test_enums_that_name_themselves_and_one_another_have_no_values() -> None:
    members = "\n".join(f"    m{n} = Mode.m{(n + 1) % 9}" for n in range(9))
    extract = FastApiResolver().resolve(Files(ENUMS.format(members=members)))
    assert [fact.id for fact in extract.facts if fact.kind == "operation"] == ["code:operation:GET /modes"]
