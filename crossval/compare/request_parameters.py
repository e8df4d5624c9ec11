"""Compares the parameters of one operation: by place and name, those of the path by position."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from crossval.compare.differences import required_difference
from crossval.compare.http import Match, Operation, is_seen_whole, placed, told
from crossval.compare.keywords import Setting
from crossval.compare.security import names_no_credentials
from crossval.compare.stated import document_of
from crossval.compare.untyped import unchecked
from crossval.pairs import Difference, Direction
from graph.facts import Fact, Json, Kind
from graph.schema_algebra import Schema
from graph.schemas import unknown

_NOT_PARAMETERS = frozenset({"header.accept", "header.content-type", "header.authorization"})
_SIMPLE = frozenset({"integer", "number", "boolean", "array"})
_WSGI = frozenset({"django-ninja"})
"""Frameworks on WSGI that document headers with underscores."""
_WERKZEUG = frozenset({"flask", "apiflask", "flask-smorest", "flask-restx", "flask-openapi3", "quart-schema"})
_SENT_BY_CLIENTS = frozenset({"user-agent", "referer", "origin", "host", "cookie", "range", "if-range"}) | {
    *("if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "content-length", "upgrade"),
    *("accept-language", "accept-encoding", "accept-charset", "content-encoding", "connection", "te", "via"),
    *("forwarded", "x-real-ip", "x-requested-with", "x-request-id", "x-correlation-id", "traceparent"),
}
_SENT_ON_THE_WAY = ("x-forwarded-", "x-appengine-", "x-amzn-", "x-cloud-", "x-envoy-", "x-b3-", "sec-", "cf-")
"""Headers that browsers and proxies send by themselves: a handler that looks at them asks nothing of its callers."""
_Key = tuple[str, str]


def documents_that_name_headers(operations: Iterable[Operation]) -> dict[str, frozenset[str]]:
    """By document the keys of the headers that it names for any operation."""
    found: dict[str, set[str]] = {}
    for operation in operations:
        named = found.setdefault(document_of(operation.fact), set())
        for fact in operation.parameters:
            if fact.aspects.get("in") == "header":
                named.add(f"header.{str(fact.aspects.get('name', fact.name)).lower()}")
    return {document: frozenset(names) for document, names in found.items()}


def compare_parameters(match: Match) -> None:
    """Adds the pairs of all parameters of one operation to the match."""
    promised, taken = _by_key(match.spec), _by_key(match.code)
    if match.code.fact.aspects.get("framework") in _WSGI:
        taken = _spelled_alike(promised, taken)
    _rename_path_parameters(match, taken)
    ours = {key: fact for key, fact in promised.items() if key not in taken}
    theirs = {key: fact for key, fact in taken.items() if key not in promised}
    for key, fact in promised.items():
        if key in taken:
            _compare(match, key, fact, taken[key])
    for spec_key, code_key in _moved(ours, theirs):
        change, place = ("name", 1) if spec_key[0] == code_key[0] else ("in", 0)
        difference = Difference(change=change, spec=spec_key[place], code=code_key[place])
        spec, code = told(ours.pop(spec_key)), told(theirs.pop(code_key))
        match.add(
            Kind.PARAMETER,
            _place(spec_key),
            spec=spec,
            code=code,
            name=spec[0].name,
            direction=Direction.REQUEST,
            differences=[difference],
        )
    _only_in_spec(match, ours)
    _only_in_code(match, theirs)
    _compare_authorization(match)


def _compare_authorization(match: Match) -> None:
    """Compares a header `Authorization` that code declares as a parameter like others.

    OpenAPI 3 ignores such a header, since security schemes describe it; code that writes its own contract tells it. A
    contract that tells it neither way, at an operation that asks for no credentials and offers none, leaves it out.
    """
    if not match.declared:
        return
    taken, named = (_header_authorization(side) for side in (match.code, match.spec))
    stated = match.spec.fact.aspects.get("authorization")
    if taken is None or named is not None:
        return
    if isinstance(stated, dict):
        place = msgspec.structs.replace(match.spec.fact.source, line=stated["line"], end_line=stated["line"])
        spec = msgspec.structs.replace(match.spec.fact, name=stated["name"], source=place, aspects=stated)
        _compare(match, ("header", "authorization"), spec, taken)
    elif names_no_credentials(match.spec):
        _only_in_code(match, {("header", "authorization"): taken})


def _header_authorization(operation: Operation) -> Fact | None:
    headers = (fact for fact in operation.parameters if fact.aspects.get("in") == "header")
    return next((fact for fact in headers if fact.name.lower() == "authorization"), None)


def _by_key(operation: Operation) -> dict[_Key, Fact]:
    found: dict[_Key, Fact] = {}
    for fact in operation.parameters:
        where, name = str(fact.aspects.get("in", "")), str(fact.aspects.get("name", fact.name))
        key = (where, name.lower() if where == "header" else name)
        if ".".join(key) not in _NOT_PARAMETERS:
            found.setdefault(key, fact)
    return found


def _spelled_alike(promised: dict[_Key, Fact], taken: dict[_Key, Fact]) -> dict[_Key, Fact]:
    """The code's parameters, headers spelled as in the contract: WSGI hands on `X-Key` and `X_Key` under one name
    (PEP 3333)."""
    spelled = {name.replace("_", "-"): name for where, name in promised if where == "header"}
    return {
        (where, spelled.get(name.replace("_", "-"), name) if where == "header" else name): fact
        for (where, name), fact in taken.items()
    }


def _rename_path_parameters(match: Match, taken: dict[_Key, Fact]) -> None:
    """Gives the code's path parameters the contract's names; counted from the end, for prefixes may differ."""
    ours, theirs = _names(match.spec.path), _names(match.code.path)
    renamed = {
        ("path", spec): taken.pop(("path", code), None)
        for spec, code in zip(reversed(ours), reversed(theirs), strict=False)
    }
    taken.update({key: fact for key, fact in renamed.items() if fact is not None})


def _names(path: str) -> list[str]:
    return re.findall(r"\{([^}]*)\}", path)


def _compare(match: Match, key: _Key, spec: Fact, code: Fact) -> None:
    declared = match.declared or code.aspects.get("declared") is True
    setting = Setting(Direction.REQUEST, declared, textual=True)
    extra: list[Difference] = []
    needs, demands = spec.aspects.get("required"), code.aspects.get("required")
    if key[0] != "path" and isinstance(needs, bool) and isinstance(demands, bool):
        # The code says that it may be left out only where it has a default or never asks for it.
        judged = msgspec.structs.replace(setting, declared=True)
        extra.extend(
            placed(found, spec, code, "required") for found in required_difference(needs, demands, judged)
        )
    extra.extend(_deprecated(spec, code))
    promised, taken = spec.aspects.get("schema"), code.aspects.get("schema")
    if not isinstance(promised, dict) or not isinstance(taken, dict):
        taken = unknown("the code does not say which values it takes here")
        promised = promised if isinstance(promised, dict) else taken
    if key[0] == "path":
        promised = _beyond_the_router(promised, taken, str(match.code.fact.aspects.get("framework")))
    match.schemas(
        Kind.PARAMETER,
        _place(key),
        spec=(spec, promised),
        code=(code, _as_taken(promised, taken, declared)),
        setting=setting,
        extra=extra,
    )


def _beyond_the_router(promised: Schema, taken: Schema, framework: str) -> Schema:
    """What is promised of a part of the path beside what any router demands: it is not empty, for Werkzeug's
    converters also that a number is not negative."""
    implied = promised.get("minLength") == 1 and "minLength" not in taken
    matter_of_course = {"minLength"} if implied else set()
    if framework in _WERKZEUG and promised.get("minimum") == 0 and "minimum" not in taken:
        matter_of_course.add("minimum")
    return {name: value for name, value in promised.items() if name not in matter_of_course}


def _as_taken(promised: Schema, taken: Schema, declared: bool) -> Schema:
    """Text that the handler itself may turn into a number or split into a list is not known to stay text; what must
    be a UUID is neither a number nor a list."""
    if taken.get("type") != "string" or promised.get("type") == "string" or "$ref" in promised:
        return taken
    if unchecked(taken, "type") and promised.get("type") != "array":
        return taken
    formed = taken.get("format") == "uuid" and promised.get("type") in _SIMPLE
    if not formed and (not declared or promised.get("type") == "array"):
        return unknown("the code takes the text as it comes and may convert it")
    return taken


def _deprecated(spec: Fact, code: Fact) -> Iterator[Difference]:
    first, second = spec.aspects.get("deprecated"), code.aspects.get("deprecated")
    if isinstance(first, bool) and isinstance(second, bool) and first != second:
        yield placed(Difference(change="deprecated", spec=first, code=second), spec, code, "deprecated")


def _moved(ours: dict[_Key, Fact], theirs: dict[_Key, Fact]) -> list[tuple[_Key, _Key]]:
    """Parameters that both sides have, in another place, or in the same one under a name that is spelled otherwise."""
    found = []
    for spec_key in ours:
        alike = [key for key in theirs if _bare(key) == _bare(spec_key)]
        same = [key for key in ours if _bare(key) == _bare(spec_key)]
        if len(alike) == 1 and len(same) == 1:
            found.append((spec_key, alike[0]))
    return found


def _bare(key: _Key) -> str:
    return re.sub("[-_]", "", key[1].lower())


def _only_in_spec(match: Match, facts: dict[_Key, Fact]) -> None:
    credentials = _credentials(match.code.fact)
    taken = match.code.fact.aspects.get("taken") or ()
    for key, fact in facts.items():
        if key in credentials or key[0] == "path" or _is_among(taken, ".".join(key)):
            continue
        if not is_seen_whole(match.code, key[0]):
            match.unsettled(_place(key), "the code may read more parameters than could be seen")
            continue
        required = Difference(change="required", spec=bool(fact.aspects.get("required")), code=None)
        match.add(
            Kind.PARAMETER,
            _place(key),
            spec=told(fact, ".".join(key)),
            code=match.code_silent(),
            name=fact.name,
            direction=Direction.REQUEST,
            differences=[required],
        )


def _is_among(taken: Iterable[str], key: str) -> bool:
    """Whether a parameter may be taken; `query.fields[*]` stands for all names of that form."""
    return any(key == each or (each.endswith("[*]") and key.startswith(each[:-2])) for each in taken)


def _only_in_code(match: Match, facts: dict[_Key, Fact]) -> None:
    credentials = _credentials(match.spec.fact)
    told_some = any(fact.aspects.get("in") == "query" for fact in match.spec.parameters)
    for key, fact in facts.items():
        if fact.aspects.get("by_hand") is True and not told_some:
            # Contracts that are made of declarations tell nothing of what handlers read by themselves.
            match.unsettled(_place(key), "only the handler's own statements show that it is read", fact)
            continue
        if key in credentials or key[0] == "path" or (not match.declared and _comes_anyway(key, fact)):
            continue
        if fact.aspects.get("anyway") is True and ".".join(key) not in match.habits.names:
            continue
        required = Difference(change="required", spec=None, code=bool(fact.aspects.get("required")))
        match.add(
            Kind.PARAMETER,
            _place(key),
            spec=match.spec_silent(),
            code=told(fact, ".".join(key)),
            name=fact.name,
            direction=Direction.REQUEST,
            differences=[required],
        )


def _comes_anyway(key: _Key, fact: Fact) -> bool:
    known = key[1] in _SENT_BY_CLIENTS or key[1].startswith(_SENT_ON_THE_WAY)
    return key[0] == "header" and known and fact.aspects.get("required") is not True


def _credentials(operation: Fact) -> set[_Key]:
    """The parameters that carry an API key: a security scheme describes them."""
    schemes: Json = operation.aspects.get("security_schemes") or {}
    found = set()
    for scheme in schemes.values():
        if scheme.get("type") == "apiKey":
            name = str(scheme.get("name", ""))
            where = str(scheme.get("in", ""))
            found.add((where, name.lower() if where == "header" else name))
    return found


def _place(key: _Key) -> str:
    return f"parameters.{key[0]}.{key[1]}"
