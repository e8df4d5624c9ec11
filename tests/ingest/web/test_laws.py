"""What holds for every application: no text stops a reader, and order changes nothing."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.facts import Kind
from ingest.ingestor import Document, Role
from ingest.resolver import Resolver
from ingest.web.resolvers.fastapi import FastApiResolver
from ingest.web.resolvers.flask import FlaskResolver

FILE = re.compile(r"^```(?P<path>\S+\.py)\n(?P<text>.*?)^```$", re.M | re.S)
TEXTS = [
    match["text"]
    for page in sorted(Path(__file__).parent.glob("*/*.md"))
    for match in FILE.finditer(page.read_text())
]


class Files:
    """A project whose every module imports everything."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def document(self, module: str) -> Document | None:
        text = self.texts.get(module)
        return (
            None
            if text is None
            else Document(path=f"{module}.py", role=Role.PYTHON, text=text, module=module)
        )

    def importers(self, packages: Collection[str]) -> tuple[str, ...]:
        return tuple(sorted(self.texts))


@pytest.mark.parametrize("resolver", [FastApiResolver(), FlaskResolver()], ids=["fastapi", "flask"])
@given(data=st.data())
def test_a_damaged_application_never_stops_the_reader(resolver: Resolver, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    extract = resolver.resolve(Files({"app": text[:start] + text[end:]}))
    keys = [fact.id for fact in extract.facts]
    assert keys == sorted(set(keys))


@pytest.mark.parametrize("resolver", [FastApiResolver(), FlaskResolver()], ids=["fastapi", "flask"])
def test_reading_twice_and_in_another_order_gives_the_same(resolver: Resolver) -> None:
    texts = {f"m{number}": text for number, text in enumerate(TEXTS)}
    first = resolver.resolve(Files(texts))
    assert first.facts
    assert first == resolver.resolve(Files(dict(reversed(texts.items()))))


def test_a_project_without_the_framework_yields_nothing() -> None:
    class Empty(Files):
        def importers(self, packages: Collection[str]) -> tuple[str, ...]:
            return ()

    for resolver in (FastApiResolver(), FlaskResolver()):
        extract = resolver.resolve(Empty({"app": "x = 1"}))
        assert not extract.facts and not extract.unknown


def test_each_schema_says_the_line_of_each_property_and_the_file_where_it_is_another() -> None:
    texts = {
        "base": "from pydantic import BaseModel\nclass Base(BaseModel):\n    id: int\n",
        "app": "from fastapi import FastAPI\nfrom base import Base\napp = FastAPI()\nclass Item(Base):\n    name: str\n"
        "@app.get('/')\ndef get() -> Item: ...\n",
    }
    facts = {fact.id: fact for fact in FastApiResolver().resolve(Files(texts)).facts}
    schema = facts["code:schema:app.Item"].aspects["schema"]
    assert schema["properties"]["id"]["x-path"] == "base.py" and schema["properties"]["id"]["x-line"] == 3
    assert "x-path" not in schema["properties"]["name"] and schema["properties"]["name"]["x-line"] == 5
    assert facts["code:schema:app.Item"].sources == ("base.py",)
    assert facts["code:field:app.Item.id"].source.path == "base.py"
    operation = next(fact for fact in facts.values() if fact.kind is Kind.OPERATION)
    assert (operation.source.line, operation.source.end_line) == (6, 7)


def test_a_long_chain_of_calls_is_followed_in_linear_time() -> None:
    count = 300
    chain = "".join(f"def f{n}(x):\n    f{n + 1}(x)\n    return f{n + 1}(x)\n" for n in range(count))
    text = (
        f"from fastapi import FastAPI\napp = FastAPI()\n@app.get('/')\ndef get(x: int): return f0(x)\n{chain}"
    )
    extract = FastApiResolver().resolve(Files({"app": f"{text}def f{count}(x): raise ValueError\n"}))
    operation = next(fact for fact in extract.facts if fact.kind is Kind.OPERATION)
    assert operation.aspects["statuses_complete"] is False
