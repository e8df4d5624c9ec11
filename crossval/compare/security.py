"""Compares what a caller must show to be let in: by the type of the schemes, not by their names."""

from __future__ import annotations

from collections.abc import Iterable

from crossval.compare.http import Match, Operation, is_seen_whole
from crossval.compare.stated import document_of
from crossval.pairs import Difference, Stricter
from graph.facts import Fact, Json, Tag

_TOKENS = frozenset({"oauth2", "openIdConnect"})
_CREDENTIAL_NAMES = ("auth", "token", "key", "session", "signature")
_GIVES_WHAT_IS_DECLARED = frozenset({"fastapi"})
_UNSEEN = "credentials of its own kind"
_THE_HEADER = "an API key in header authorization"
_WITHIN_THE_HEADER = ("a bearer token", "HTTP ")
_Alternatives = frozenset[frozenset[str]]


def security_difference(match: Match) -> Difference | None:
    """The difference in required authentication, or None where there is none or it cannot be known."""
    first, second = _alternatives(match.spec), _alternatives(match.code)
    if first is None or second is None:
        return None
    open_spec, open_code = _is_open(first), _is_open(second)
    if open_spec and open_code:
        unused: Json = match.spec.fact.aspects.get("unused_schemes") or {}
        told = match.habits.tells_offers or bool(
            {_kind(scheme) for scheme in unused.values()} & _ways(second)
        )
        return _other_offers(first, second, told)
    if open_code and _may_authenticate(match.code):
        match.unsettled("security", "the code may check credentials in a way that could not be seen")
        return None
    stricter = Stricter.SPEC if open_code else Stricter.CODE if open_spec else Stricter.NEITHER
    if stricter is Stricter.NEITHER and _agree(first - {frozenset()}, second - {frozenset()}):
        return None
    if stricter is Stricter.NEITHER and _UNSEEN in _ways(second):
        match.unsettled("security", "one of the ways in which the code knows its callers could not be seen")
        return None
    return Difference(change="security", spec=_listed(first), code=_listed(second), stricter=stricter)


def lets_everybody_in(operation: Operation) -> bool | None:
    """Whether everybody may call an operation as one witness tells it; None where that cannot be known."""
    alternatives = _alternatives(operation)
    if alternatives is None:
        return None
    if operation.fact.tag is Tag.CODE and _is_open(alternatives) and _may_authenticate(operation):
        return None
    return _is_open(alternatives)


def names_no_credentials(operation: Operation) -> bool:
    """Whether a witness says of an operation that it neither asks for credentials nor takes any."""
    alternatives = _alternatives(operation)
    return alternatives is not None and not alternatives - {frozenset()}


def _agree(first: _Alternatives, second: _Alternatives) -> bool:
    """Whether both name the same ways; of several ways in code it is not known whether one or all are needed.

    A contract that only names the header `Authorization`, as Swagger 2 tells of tokens, leaves open what stands in it.
    """
    within = sorted(way for way in _ways(second) if way.startswith(_WITHIN_THE_HEADER))
    if len(within) == 1 and _THE_HEADER not in _ways(second):
        first = frozenset(
            frozenset(within[0] if way == _THE_HEADER else way for way in each) for each in first
        )
    return first == second or (len(second) > 1 and first == {frozenset().union(*second)})


def scopes_difference(match: Match) -> Difference | None:
    """The difference in the scopes that callers need, where both sides ask for tokens that have scopes.

    What the code checks by hand is not known, so code that names no scopes counts only in declarative frameworks.
    """
    first, second = _scopes(match.spec), _scopes(match.code)
    if first is None or second is None or first == second or not (match.declared or any(second)):
        return None
    return Difference(change="security.scopes", spec=_listed(first), code=_listed(second))


def _scopes(operation: Operation) -> frozenset[frozenset[str]] | None:
    """The scopes of each alternative that asks for a token; None where there are none, or a scheme is not known."""
    schemes: Json = operation.fact.aspects.get("security_schemes") or {}
    found = set()
    for requirement in operation.fact.aspects.get("security") or ():
        if any(name not in schemes or "x-unknown" in schemes[name] for name in requirement):
            return None
        tokens = [scopes for name, scopes in requirement.items() if schemes[name].get("type") in _TOKENS]
        if tokens:
            found.add(frozenset(scope for scopes in tokens for scope in scopes))
    return frozenset(found) or None


def documents_that_tell_offers(operations: Iterable[Operation]) -> set[str]:
    """The contracts that name credentials which an operation takes, though nobody needs them."""
    return {
        document_of(operation.fact)
        for operation in operations
        if (found := _alternatives(operation)) is not None and _is_open(found) and found - {frozenset()}
    }


def _other_offers(first: _Alternatives, second: _Alternatives, told: bool) -> Difference | None:
    """The difference in the credentials that are offered, though nobody needs them: the contract's are not taken, or
    it names none here and does so elsewhere, or declares them for nothing (`told`)."""
    offered, taken = first - {frozenset()}, second - {frozenset()}
    if not taken or (offered and offered <= taken) or not (offered or told):
        return None
    return Difference(change="security", spec=_listed(first), code=_listed(second), stricter=Stricter.NEITHER)


def _ways(alternatives: _Alternatives) -> set[str]:
    return {way for alternative in alternatives for way in alternative}


def _alternatives(operation: Operation) -> _Alternatives | None:
    requirements = operation.fact.aspects.get("security")
    if not isinstance(requirements, list):
        return None
    schemes: Json = operation.fact.aspects.get("security_schemes") or {}
    found = set()
    for requirement in requirements:
        if any(name not in schemes for name in requirement):
            return None
        found.add(frozenset(_kind(schemes[name]) for name in requirement))
    return frozenset(found)


def _kind(scheme: dict[str, Json]) -> str:
    """OAuth 2, OpenID Connect and bearer tokens all come as `Authorization: Bearer …`."""
    if "x-unknown" in scheme:
        return _UNSEEN
    kind = str(scheme.get("type", ""))
    if kind in _TOKENS:
        return "a bearer token"
    if kind == "http":
        name = str(scheme.get("scheme", "")).lower()
        return "a bearer token" if name == "bearer" else f"HTTP {name}"
    if kind == "basic":
        return "HTTP basic"
    if kind == "apiKey":
        where, name = str(scheme.get("in", "")), str(scheme.get("name", ""))
        return f"an API key in {where} {name.lower() if where == 'header' else name}"
    return kind


def _is_open(alternatives: _Alternatives) -> bool:
    return not alternatives or frozenset() in alternatives


def _may_authenticate(operation: Operation) -> bool:
    """Whether the code refuses callers or reads what looks like credentials, and so is not provably open.

    Where a framework gives a handler nothing of the request but what the handler declares, refusing alone (of a wrong
    password, say) is no sign: there something of the request must be declared that could be credentials.
    """
    if not all(is_seen_whole(operation, place) for place in ("header", "cookie", "query")):
        return True
    refusals = [fact for status in ("401", "403") if (fact := operation.responses.get(status)) is not None]
    refuses = any(fact.aspects.get("origin") != "framework" for fact in refusals)
    if refuses and operation.fact.aspects.get("framework") not in _GIVES_WHAT_IS_DECLARED:
        return True
    return any(_may_be_credentials(fact, refuses) for fact in operation.parameters)


def _may_be_credentials(parameter: Fact, refuses: bool) -> bool:
    """Whether a parameter may tell who calls: by its name, or as any header or cookie of an operation that refuses."""
    place, name = parameter.aspects.get("in"), str(parameter.aspects.get("name", parameter.name)).lower()
    named = any(word in name for word in _CREDENTIAL_NAMES)
    if place in ("header", "cookie"):
        return refuses or named
    return place == "query" and refuses and named


def _listed(alternatives: Iterable[frozenset[str]]) -> Json:
    return sorted(sorted(alternative) for alternative in alternatives if alternative)
