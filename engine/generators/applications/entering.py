"""Writes the fixture `auth` for a contract that says how anybody gets an account and is let in with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crossval.compare.components import split_null
from engine.generators.operations.requests import FORM, MULTIPART
from engine.generators.operations.stage import Stage
from engine.generators.source import Expression, literal
from engine.generators.values.distinct import name_in_path, tag_of
from engine.generators.values.named_texts import named_text, named_text_apart
from engine.generators.values.schema_values import NoValueError, valid
from graph.facts import Json
from planner.contracts.entrances import TOKENS, Entrance, entrance
from planner.contracts.operations import Operation
from planner.contracts.resolving import EXAMPLE
from planner.contracts.violations import keeps

_RIGHTS = re.compile(r"(?i)^is_?(?:admin|superuser|staff)$")
_ROLE = re.compile(r"(?i)^(?:user_?)?roles?$")
_HIGHEST = re.compile(r"(?i)^(?:super_?user|super_?admin|admin(?:istrator)?)$")
_TAG, _SECOND = "auth", "stranger"


def entering(stage: Stage) -> str | None:
    """The fixture, as source; None where the contract does not say how to come in, or an account cannot be made up."""
    found = entrance(stage.operations.values())
    if found is None:
        return None
    try:
        account, second = _accounts(found, stage)
    except NoValueError:
        return None
    return _fixture(found, account, second, _rights(found))


def made_accounts(stage: Stage) -> tuple[str, dict[str, Any], dict[str, Any]] | None:
    """The path of what makes accounts for anybody who asks, and what two callers are made with there.

    None where the contract does not say how to come in. Raises NoValueError where an account cannot be made up.
    """
    found = entrance(stage.operations.values())
    if found is None or _how(found.register) != "json":
        return None
    first, second = _accounts(found, stage)
    return found.register.path, {**first, **_rights(found)}, second


def _accounts(found: Entrance, stage: Stage) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the first and the second caller are made with. Raises NoValueError as `_account` does."""
    return _account(found, stage.of(_TAG), _TAG), _account(found, stage.of(_SECOND), _SECOND)


def _account(found: Entrance, stage: Stage, tag: str) -> dict[str, Any]:
    """What an account is made with: the smallest valid body, a good password, and what the login knows it by.

    Raises NoValueError where something of it names what has to be there before.
    """
    sent = stage.request(found.register, stage.scene(found.register))
    body, fields = sent.body, _fields(found)
    if not isinstance(body, dict) or any(isinstance(each, Expression) for each in body.values()):
        raise NoValueError("an account")
    for name in found.names:
        body[name] = _own(fields[name], name, tag_of(tag))
    for name in found.secrets:
        if name in body:
            body[name] = next(_passwords(fields[name], str(body[name])))
    return body


def _passwords(schema: dict[str, Json], value: str) -> Iterator[str]:
    """What may be the password of an account, a good one first, and not the one that an example shows."""
    told = {key: each for key, each in schema.items() if key != EXAMPLE}
    yield from (each for each in (named_text("password"),) if each is not None and keeps(told, each))
    yield value


def _rights(found: Entrance) -> dict[str, Json]:
    """What the account may be told to have so that it may do everything, where the contract lets anybody say so."""
    given: dict[str, Json] = {}
    for name, schema in _fields(found).items():
        plain = split_null(schema)[0]
        if _RIGHTS.search(name) and plain.get("type") == "boolean":
            given[name] = True
        highest = [each for each in plain.get("enum", ()) if isinstance(each, str) and _HIGHEST.search(each)]
        if _ROLE.search(name) and highest:
            given[name] = highest[0]
    return given


def _fields(found: Entrance) -> dict[str, dict[str, Json]]:
    schema = found.register.body.schema if found.register.body is not None else {}
    return dict(split_null(schema)[0].get("properties", {}))


def _own(schema: dict[str, Json], name: str, tag: str) -> Json:
    """A name that no other test sends for an account, and no example has."""
    value = valid({key: each for key, each in schema.items() if key != EXAMPLE}, name)
    if isinstance(value, str) and "@" in value:
        return f"caller-{tag}@example.org"
    own = named_text_apart(name, tag)
    if own is not None and keeps(schema, own):
        return own
    return name_in_path(schema, value, tag)


def _fixture(
    found: Entrance, account: dict[str, Any], second: dict[str, Any], rights: dict[str, Json]
) -> str:
    login, register = found.login, found.register
    secret = next(each for each in found.secrets if each in account)
    password = Expression(f"account[{literal(secret)}]")
    pinned = {
        each.path[-1]: valid(each.schema, each.path[-1])
        for each in login.members()
        if each.required and each not in (found.name, found.password) and len(each.path) < 3
    }
    sent = {**pinned, found.name.path[-1]: Expression("name"), found.password.path[-1]: password}
    how = "params" if found.name.location == "query" else _how(login)
    make = f"client.post({literal(register.path)}, {_how(register)}="
    with_rights = ", ".join(("**account", *(f"{literal(k)}: {literal(v)}" for k, v in rights.items())))
    made = [f"{make}{{{with_rights}}})"] if rights else []
    names = "".join(f"account[{literal(each)}], " for each in found.names).rstrip()
    lines = [
        "for is_made in (False, True):",
        "    if is_made:",
        *(f"        {line}" for line in [*made, f"made = {make}account)"]),
        f"    for name in ({names}):",
        f"        answer = client.post({literal(login.path)}, {how}={literal(sent)})",
        "        if answer.status_code // 100 == 2:",
        *(f"            {line}" for line in _headers(found)),
        *_is_known(found),
        "            return headers",
        "arranged(made, 200, 201)",
        "if answer.status_code in (400, 401, 403, 422, 429):",
        f'    pytest.skip("{login.key} does not let in whom {register.key} made: " + str(answer.content))',
        "arranged(answer, 200)",
    ]
    told = f"The headers of a caller whose account {register.key} makes and {login.key} lets in."
    more = "Where callers have to be others, remove the file's first line and fill them in."
    helper = "\n".join(f"    {line}" for line in lines)
    return f'''def let_in(client, arranged, account):
    """{told}"""
{helper}


@pytest.fixture
def auth(client, arranged):
    """The headers of a caller who has an account.

    {more}
    """
    return let_in(client, arranged, {_written(account)})


@pytest.fixture
def stranger(client, arranged):
    """The headers of a second caller, who has made nothing."""
    return let_in(client, arranged, {_written(second)})
'''


def _written(account: dict[str, Any]) -> str:
    """An account as a literal, one value in a line."""
    return "{\n" + "".join(f"        {literal(n)}: {literal(v)},\n" for n, v in account.items()) + "    }"


def _headers(found: Entrance) -> list[str]:
    """The lines that make headers of the answer: with the cookies that it sets, or with the token that it shows.

    Where the contract does not tell where that is, it is looked for in the answer's headers, and then by name.
    """
    if not found.word:
        return [
            "if not answer.cookies:",
            f'    pytest.skip("{found.login.key} sets no cookie: " + str(answer.content))',
            'headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in answer.cookies.items())}',
        ]
    if found.token:
        token = "".join(f"[{literal(each)}]" for each in found.token)
        return [f'headers = {{"Authorization": "{found.word} " + answer.json(){token}}}']
    return [
        'told = answer.headers.get("Authorization", "").rpartition(" ")[2]',
        "shown = answer.json() if answer.content else {}",
        f"tokens = [told, *(shown[name] for name in {literal(TOKENS)} if isinstance(shown, dict) and name in shown)]",
        "if not any(tokens) and answer.cookies:",
        '    return {"Cookie": "; ".join(f"{name}={value}" for name, value in answer.cookies.items())}',
        "if not any(tokens) and not is_made:",
        "    continue  # Whoever is not known yet may be answered so.",
        "if not any(tokens):",
        f'    pytest.skip("{found.login.key} shows no token: " + str(answer.content))',
        f'headers = {{"Authorization": "{found.word} " + next(filter(None, tokens))}}',
    ]


def _is_known(found: Entrance) -> list[str]:
    """The lines which show that the service knows its caller: what it refuses then is about the caller's rights."""
    if found.shown is None:
        return []
    return [
        f"            shown = client.get({literal(found.shown.path)}, headers=headers)",
        "            assert shown.status_code not in (401, 403)",
    ]


def _how(operation: Operation) -> str:
    """The argument of a client that sends the body."""
    media_type = operation.body.media_type if operation.body is not None else ""
    return "data" if media_type in (FORM, MULTIPART) else "json"
