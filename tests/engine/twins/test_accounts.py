"""How twins let somebody in: with the password of the account, unless the twin is one that lets in everybody."""

from __future__ import annotations

import msgspec
import pytest

from engine.twins.http import Twin
from engine.twins.mutation import Mutation
from engine.twins.replies import VARIANTS, Variant
from graph.facts import Fact, Kind, Location, Tag
from planner.contracts.operations import Answer, Body, Operation

ACCOUNT = {"name": "Ada", "password": "secret"}


def operation(path: str, status: str, refused: str) -> Operation:
    key = f"POST {path}"
    fields = {"name": {"type": "string"}, "password": {"type": "string", "minLength": 3}}
    fact = Fact(tag=Tag.SPEC, kind=Kind.OPERATION, key=key, name=key, source=Location("openapi.json", 1, 1))
    schema = {"type": "object", "required": [*fields], "properties": fields}
    answers = (Answer(status=each, schema=None, description="", fact="") for each in (status, refused))
    return Operation(
        key=key,
        method="POST",
        path=path,
        fact=fact,
        parameters=(),
        body=Body(schema=schema, required=True, media_type="application/json", fact=""),
        answers=tuple(answers),
        secured=False,
    )


OPERATIONS = (operation("/register", "201", "409"), operation("/login", "200", "401"))


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda each: each.name)
def test_an_account_is_let_in_with_its_own_password_only(variant: Variant) -> None:
    client = Twin(OPERATIONS, variant)
    assert client.post("/login", json={**ACCOUNT, "password": "other"}).status_code == 200, "it knows nobody"
    assert client.post("/register", json=ACCOUNT).status_code == 201
    assert client.post("/login", json=ACCOUNT).status_code == 200
    assert client.post("/login", json={**ACCOUNT, "password": "other"}).status_code == 401
    assert client.post("/register", json={**ACCOUNT, "password": "other"}).status_code == 201


def test_a_twin_that_breaks_this_lets_in_everybody() -> None:
    broken = Mutation(kind="auth", operation="POST /login")
    loose = msgspec.structs.replace(broken, kind="unenforced", place="body.password", keyword="minLength")
    for mutation, password in ((broken, "other"), (loose, "ot")):
        client = Twin(OPERATIONS, VARIANTS[0], mutation)
        client.post("/register", json=ACCOUNT)
        assert client.post("/login", json={**ACCOUNT, "password": password}).status_code == 200
