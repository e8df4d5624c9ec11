"""How a caller comes to credentials by a contract alone: one operation makes an account, another lets it in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

import msgspec

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.confidential import is_secret
from planner.contracts.operations import Member, Operation
from planner.contracts.resolving import EXAMPLE
from planner.contracts.schemes import asks_for_cookie, word_before_token

_REGISTERING = re.compile(
    r"(?i)(?:^|[/_-])(?:register|registration|sign[-_]?up|create[-_]?(?:account|user))/?$"
)
_SIGN_UP = re.compile(r"(?i)[/_-](?:register|registration|sign[-_]?up)/?$")
_ACCOUNTS = re.compile(r"(?i)/(?:accounts?|users?|members?)/?$")
LOGIN = re.compile(
    r"(?i)[/_-](?:log[-_]?in|sign[-_]?in|authenticate|auth|token|sessions?)"
    r"(?:[/_-](?:json|form|password|e-?mail|cookie|jwt))?/?$"
)
"""The paths of what lets somebody in, which may also tell how it is asked."""
# The likeliest first: a token that lets one in, and not one that only makes another.
TOKENS = ("access_token", "accessToken", "access", "token", "jwt", "auth_token", "authToken")
"""What an answer calls the token that lets its caller in."""
AROUND = ("data", "result", "tokens", "token")
"""The fields within which an answer may have what it is about."""
_ITSELF = re.compile(r"(?i)/(?:me|self|whoami|current[-_]?user)/?$")
_NAME = re.compile(r"(?i)^(?:user_?name|login|e_?mail|identifier|user|phone(?:_?number)?|account)$")
_MAIL = re.compile(r"(?i)^e_?mail(?:_?address)?$")
_PINNED = frozenset({"default", "enum", "const"})
# What tells the form of a value, which that of an account that was made by the contract has, too.
_SHOWN = frozenset({EXAMPLE, "pattern"})


class Entrance(msgspec.Struct, frozen=True):
    """Who lets a caller in: `login` takes `name` and `password`, and its answer has a token at the place `token`.

    That place is empty where the contract does not tell it. `word` stands before the token in the header
    `Authorization`; it is empty where the answer sets a cookie by which the service knows its caller.

    `register` makes the account, and `shown`, where there is one, tells any caller who it is. `names` are the fields of
    an account by which the login may know it, `secrets` those for a password.
    """

    register: Operation
    login: Operation
    shown: Operation | None
    word: str
    name: Member
    password: Member
    token: tuple[str, ...]
    names: tuple[str, ...]
    secrets: tuple[str, ...]


def is_registration(operation: Operation) -> bool:
    """Whether an operation is called as one that makes an account."""
    return operation.method == "POST" and _REGISTERING.search(operation.path) is not None


def entrance(operations: Collection[Operation]) -> Entrance | None:
    """How the contract lets anybody in who asks; None where it does not say so, or makes accounts in several ways."""
    secured = [each for each in operations if each.secured]
    words = Counter(word for each in secured if (word := word_before_token(each)))
    if not words and not any(map(asks_for_cookie, secured)):
        return None
    word = words.most_common(1)[0][0] if words else ""
    found = [each for operation in operations for each in _of_login(operation, operations, word)]
    found = [each for each in found if each.token] or found
    return found[0] if len({each.register.key for each in found}) == 1 else None


def let_in_by(login: Operation, operations: Collection[Operation]) -> Entrance | None:
    """How anybody gets an account that this operation lets in, whatever it answers; None where that is not clear."""
    found = list(_of_login(login, operations, ""))
    return found[0] if len({each.register.key for each in found}) == 1 else None


def shown_to_itself(operations: Collection[Operation]) -> Operation | None:
    """The operation that tells a caller who it is, and needs nothing but its credentials (`GET /users/me`)."""
    return next(
        (
            each
            for each in operations
            if each.method == "GET"
            and each.secured
            and _ITSELF.search(each.path)
            and not any(member.required for member in each.parameters)
        ),
        None,
    )


def _of_login(login: Operation, operations: Collection[Operation], word: str) -> Iterator[Entrance]:
    token = shown_at(TOKENS, login.success.schema if login.success is not None else None) if word else None
    is_one = token is not None or LOGIN.search(login.path) is not None
    if login.method != "POST" or "{" in login.path or not is_one or is_registration(login):
        return
    asked = asked_of(login)
    if asked is None:
        return
    name, password = asked
    for register in _registrations(operations):
        fields = _fields(register)
        secrets = tuple(each for each in fields if is_secret(each))
        known = tuple(_known_by(name.path[-1], fields))
        if secrets and known:
            yield Entrance(
                register,
                login,
                shown_to_itself(operations),
                word,
                name,
                password,
                token or (),
                known,
                secrets,
            )


def asked_of(login: Operation) -> tuple[Member, Member] | None:
    """The name and the password that a login takes; None for what takes anything else, or knows them already."""
    members = [each for each in login.members() if len(each.path) == 1 or each.location == "body"]
    taken = [each for each in members if each.required and not _PINNED & set(each.schema)]
    taken = [each for each in taken if not _SHOWN & set(each.schema) or _is_of_account(each)]
    names = [each for each in taken if _NAME.search(each.path[-1])]
    passwords = [each for each in taken if is_secret(each.path[-1])]
    is_one = len(taken) == 2 and len(names) == len(passwords) == 1
    return (names[0], passwords[0]) if is_one and names[0].location == passwords[0].location else None


def _is_of_account(member: Member) -> bool:
    """Whether a login takes a value from the account that it lets in."""
    return _NAME.search(member.path[-1]) is not None or is_secret(member.path[-1])


def _registrations(operations: Collection[Operation]) -> list[Operation]:
    """What makes an account without being told who asks: what is called so, else what makes users.

    What is called a registration may be said to need credentials, as all else is in a contract that says it once.
    """
    making = [each for each in operations if each.body is not None and "{" not in each.path]
    open_ones = [each for each in making if not each.secured]
    named = [each for each in open_ones if is_registration(each)]
    named = named or [each for each in making if each.method == "POST" and _SIGN_UP.search(each.path)]
    return named or [each for each in open_ones if each.method == "POST" and _ACCOUNTS.search(each.path)]


def _fields(operation: Operation) -> dict[str, Json]:
    schema = operation.body.schema if operation.body is not None else {}
    return dict(split_null(schema)[0].get("properties", {}))


def _known_by(name: str, fields: dict[str, Json]) -> Iterator[str]:
    """The fields of an account which a login may mean by a name: the one called so, and an address for all but it.

    Where there is neither, it is what an account is called by (`username` of one that has a `name`).
    """
    found = [name] if name in fields else []
    if not _MAIL.search(name) or name not in fields:
        found += [each for each in fields if each != name and _MAIL.search(each)]
    if not found and not _MAIL.search(name):
        found = [each for each in fields if each == "name"]
    yield from found


def shown_at(names: Iterable[str], schema: dict[str, Json] | None) -> tuple[str, ...] | None:
    """Where an answer shows a text of one of these names, the likeliest first: at its top, or in an object within."""
    fields = split_null(schema or {})[0].get("properties", {})
    for name in names:
        if split_null(fields.get(name, {}))[0].get("type") == "string":
            return (name,)
    for around in AROUND:
        inner = split_null(fields.get(around, {}))[0]
        found = shown_at(names, inner) if inner.get("properties") else None
        if found is not None:
            return (around, *found)
    return None
