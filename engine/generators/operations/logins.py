"""What lets a caller in is asked with an account that is made before, where the contract says how anybody gets one."""

from __future__ import annotations

import re
from collections.abc import Collection

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.requests import Sent, answered, asked
from engine.generators.operations.scenes import Scene
from engine.generators.source import literal
from engine.generators.values.named_texts import named_text
from graph.facts import Json
from planner.contracts.entrances import TOKENS, Entrance, asked_of, is_registration, let_in_by, shown_at
from planner.contracts.operations import Operation
from planner.contracts.resolving import EXAMPLE
from planner.contracts.unknowable import is_login, lets_in, names_account, unknown_token
from planner.contracts.violations import keeps

_SECRET = frozenset({"password"})
_RENEWING = re.compile(r"(?i)refresh")
_VERIFYING = re.compile(r"(?i)/token[/_-]?(?:verify|verification|introspect)/?$")
_CONFIRMING = re.compile(r"(?i)verif(?:y|ication)|activat|confirm|otp\b")


def way_to_account(operation: Operation, operations: Collection[Operation]) -> Entrance | None:
    """How somebody whom a login is to let in gets an account; None for what is no login, or where nobody can.

    An example of a whole body tells of an account that is there, unless the registration has the same one; those of
    single fields tell how such values look.
    """
    found = let_in_by(operation, operations) if lets_in(operation) else None
    if found is not None and _has_example(operation) and not _is_shown_alike(found):
        return None
    if found is None or is_login(found.register):
        return None
    is_flat = found.name.location == "body" and len(found.name.path) == len(found.password.path) == 2
    return found if is_flat else None


def _has_example(operation: Operation) -> bool:
    body = operation.body
    return body is not None and (EXAMPLE in body.schema or bool(body.examples))


def _is_shown_alike(found: Entrance) -> bool:
    """Whether a contract shows the same account for the login as for the registration."""
    shown = [_shown(each) for each in (found.register, found.login)]
    return shown[1] != {} and shown[1].items() <= shown[0].items()


def _shown(operation: Operation) -> dict[str, Json]:
    """The values that examples give the fields of a body."""
    schema = operation.body.schema if operation.body is not None else {}
    fields = split_null(schema)[0].get("properties", {})
    whole = schema.get(EXAMPLE)
    return (
        dict(whole)
        if isinstance(whole, dict)
        else {name: each[EXAMPLE] for name, each in fields.items() if EXAMPLE in each}
    )


def let_in(found: Entrance, before: Scene, sent: Sent) -> Scene:
    """The scene with an account that this request makes, by which a login is asked then; empty where it makes none."""
    name = next((each for each in found.names if isinstance(sent.body, dict) and each in sent.body), None)
    secret = next((each for each in found.secrets if isinstance(sent.body, dict) and each in sent.body), None)
    if name is None or secret is None:
        return Scene()
    success, body = found.register.success, {**sent.body, **_passwords(found, sent.body)}
    making = msgspec.structs.replace(sent, body=body)
    known = ((found.name, name), (found.password, secret))
    return msgspec.structs.replace(
        before,
        lines=(*before.lines, *asked("account", making), f"assert {_made(found.register)}"),
        cites=(*before.cites, success.fact if success is not None else found.register.fact.id),
        references={member.path[-1]: literal(body[field]) for member, field in known},
    )


def _made(register: Operation) -> str:
    """The condition that an account was made, where the contract need not tell how that is answered."""
    if register.success is None:
        return "account.status_code in (200, 201)"
    return answered("account", register.success.status)


def remembered(operation: Operation, operations: Collection[Operation]) -> Operation | None:
    """Which operation makes the account that a request names: one that forgot its password; None where none does."""
    if not names_account(operation) or operation.method != "POST":
        return None
    wanted = {each.path[-1] for each in operation.members() if each.required and each.location == "body"}
    for each in operations:
        sent = {
            member.path[-1]: member for member in each.members() if len(member.path) == 2 and member.required
        }
        if is_registration(each) and each.success is not None and wanted <= {*sent} - _SECRET:
            return each
    return None


def with_remembered(register: Operation, operation: Operation, before: Scene, sent: Sent) -> Scene:
    """The scene with the account that a request names, made by this one."""
    assert register.success is not None and isinstance(sent.body, dict), "it would make nobody"
    named = {each.path[-1] for each in operation.members() if each.location == "body" and len(each.path) == 2}
    return msgspec.structs.replace(
        before,
        lines=(
            *before.lines,
            *asked("account", sent),
            f"assert {answered('account', register.success.status)}",
        ),
        cites=(*before.cites, register.success.fact),
        references={name: literal(sent.body[name]) for name in sorted(named & {*sent.body})},
    )


def with_account(login: Operation) -> Scene | None:
    """The scene in which the fixture `account` has somebody whom a login lets in; None for what asks otherwise."""
    asked = asked_of(login) if is_login(login) else None
    if asked is None or not all(each.location == "body" and len(each.path) == 2 for each in asked):
        return None
    name, password = (each.path[-1] for each in asked)
    return Scene(references={name: 'account["name"]', password: 'account["password"]'})


class Renewal(msgspec.Struct, frozen=True):
    """What a body asks for that a login gives out besides its token: its name, the login, and where that shows it."""

    name: str
    login: Operation
    place: tuple[str, ...]


def renewal(operation: Operation, operations: Collection[Operation], *, has_account: bool) -> Renewal | None:
    """Which login gives out what an operation renews a token by, or the token that it verifies.

    None where none does, or nobody can log in.
    """
    name = unknown_token(operation)
    if name is None or operation.method != "POST":
        return None
    names = (name,) if _RENEWING.search(name) else TOKENS if _VERIFYING.search(operation.path) else ()
    for login in operations:
        place = shown_at(names, login.success.schema if login.success is not None else None)
        if place is None or login.key == operation.key:
            continue
        if way_to_account(login, operations) is not None or (has_account and with_account(login) is not None):
            return Renewal(name, login, place)
    return None


def renewing(found: Renewal, before: Scene, sent: Sent) -> Scene:
    """The scene in which somebody has logged in by this request, and knows what to renew."""
    success = found.login.success
    assert success is not None, "it would show nothing"
    shown = "".join(f"[{literal(each)}]" for each in found.place)
    return Scene(
        lines=(*before.lines, *asked("login", sent), f"assert {answered('login', success.status)}"),
        cites=(*before.cites, success.fact),
        references={found.name: f"login.json(){shown}"},
    )


def is_let_in_surely(found: Entrance, operations: Collection[Operation]) -> bool:
    """Whether a service says nothing by which an account may have to be confirmed first, or be known otherwise."""
    return len(found.names) == 1 and not any(_CONFIRMING.search(each.path) for each in operations)


def _passwords(found: Entrance, body: dict[str, Json]) -> dict[str, Json]:
    """A good password for an account, where its contract takes that."""
    schema = found.register.body.schema if found.register.body is not None else {}
    fields = split_null(schema)[0].get("properties", {})
    good = named_text("password")
    told = [{key: each for key, each in fields[name].items() if key != EXAMPLE} for name in found.secrets]
    if good is None or not all(keeps(each, good) for each in told):
        return {}
    return {name: good for name in found.secrets if name in body}
