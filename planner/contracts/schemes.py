"""In which of several ways operations ask for credentials, where one header can only have those of one way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import msgspec

from graph.facts import Fact, Json
from planner.contracts.confidential import is_credential
from planner.contracts.operations import Answer, Operation

_WRONG = re.compile(r"(?i)\b(?:invalid|wrong|bad|unknown|incorrect|expired)\b")
NOBODY = "of-nobody"
"""A token that no service has given to anybody."""
_BASIC, _BEARER, _RENEWING = "basic", "bearer", "refresh token"
_KINDS = {"basic": _BASIC, "digest": _BASIC, "bearer": _BEARER, "oauth2": _BEARER, "openidconnect": _BEARER}


def usual_scheme(operations: Iterable[Operation]) -> str:
    """The way in which most operations ask for the header `Authorization`; empty where none does."""
    counted = Counter(kind for each in operations if each.secured for kind in _kinds(each.fact))
    return counted.most_common(1)[0][0] if counted else ""


def other_scheme(operation: Operation, usual: str) -> str:
    """The way in which an operation asks for that header where it is not the usual one; else empty."""
    kinds = _kinds(operation.fact) if operation.secured else set()
    return min(kinds) if usual and kinds and usual not in kinds else ""


def word_before_token(operation: Operation) -> str:
    """What stands before a token in the header `Authorization` of an operation that lets in who shows one there.

    Empty where none does. Contracts that know no bearer tokens, and REST framework's, tell the word of a header.
    """
    schemes = operation.fact.aspects.get("security_schemes") or {}
    for alternative in operation.fact.aspects.get("security") or ():
        names = list(alternative)
        if len(names) == 1 and (word := _word(names[0], schemes.get(names[0]) or {})):
            return word
    return ""


def asks_for_cookie(operation: Operation) -> bool:
    """Whether an operation lets in who shows a cookie."""
    return "cookie" in {str(told.get("in")) for told in _told(operation)}


def ways_in(operation: Operation) -> set[str]:
    """The ways in which an operation alone lets a caller in: the word before a token, `basic`, or `sessionid`."""
    return ways_told(operation) if operation.secured else set()


def ways_told(operation: Operation) -> set[str]:
    """The ways in which an operation knows its caller, be it that whoever asks need not say who they are."""
    found = {"basic" for told in _told(operation) if str(told.get("scheme") or told.get("type")) == "basic"}
    found |= {str(told["name"]) for told in _told(operation) if told.get("in") == "cookie" and "name" in told}
    schemes = operation.fact.aspects.get("security_schemes") or {}
    return found | {
        word
        for alternative in operation.fact.aspects.get("security") or ()
        for name in alternative
        if len(alternative) == 1 and (word := _word(name, schemes.get(name) or {}))
    }


def _told(operation: Operation) -> list[dict[str, Json]]:
    """What a contract says of each scheme that alone lets a caller of an operation in."""
    schemes = operation.fact.aspects.get("security_schemes") or {}
    alternatives = operation.fact.aspects.get("security") or ()
    return [schemes.get(name) or {} for each in alternatives if len(each) == 1 for name in each]


def _word(name: str, told: dict[str, Json]) -> str:
    """What stands before the token of a scheme; empty for one that has no token in the header `Authorization`."""
    kind = str(told.get("scheme") if told.get("type") == "http" else told.get("type") or "").lower()
    if _KINDS.get(kind) == _BEARER:
        return "Bearer"
    is_header = (kind, told.get("in"), str(told.get("name")).lower()) == ("apikey", "header", "authorization")
    if not is_header:
        return ""
    return str(told.get("word") or ("Bearer" if "bearer" in name.lower() else ""))


def _kinds(fact: Fact) -> set[str]:
    """The ways that an operation lets a caller choose from; none where one of them needs another header."""
    schemes = fact.aspects.get("security_schemes") or {}
    found = set()
    for alternative in fact.aspects.get("security") or ():
        for name in alternative:
            told = schemes.get(name) or {}
            word = str(told.get("scheme") if told.get("type") == "http" else told.get("type") or "").lower()
            if word not in _KINDS:
                return set()
            found.add(_RENEWING if "refresh" in name.lower() else _KINDS[word])
    return found


def with_usual_headers(operations: Iterable[Operation]) -> list[Operation]:
    """The operations, of which those that take a header for credentials as others do are asked with it.

    Each may say that it can be left out: whether a request without it is taken, nobody knows then. One operation alone
    may be about such a header, and shows what it was sent.
    """
    every = list(operations)
    counted = Counter(name for each in every for name in _headers(each))
    return [
        msgspec.structs.replace(each, secured=True) if any(counted[n] > 1 for n in _headers(each)) else each
        for each in every
    ]


def _headers(operation: Operation) -> set[str]:
    return {
        each.name for each in operation.parameters if each.location == "header" and is_credential(each.name)
    }


def refuses_unknown(answer: Answer) -> bool:
    """Whether an answer says that it is for credentials which are there, and no good.

    One that only says that its caller is not known may be given where nobody asks whose they are.
    """
    return _WRONG.search(answer.words) is not None


def wrong_credentials(operation: Operation) -> dict[str, str]:
    """The header of a caller whom nobody knows, as an operation asks for it; empty where it asks otherwise."""
    word = word_before_token(operation)
    if word:
        return {"Authorization": f"{word} {NOBODY}"}
    named = [str(told.get("name")) for told in _told(operation) if told.get("in") == "header"]
    return {named[0]: NOBODY} if len(named) == 1 and named[0] else {}
