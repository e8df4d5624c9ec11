"""Compares the responses of one operation: statuses, media types, headers and what the answers hold."""

from __future__ import annotations

from crossval.compare.http import Match, Operation, told
from crossval.compare.keywords import Setting
from crossval.compare.media_types import bare, covers, request_covers
from crossval.findings import witness
from crossval.pairs import Difference, Direction, Stricter
from graph.facts import Fact, Json, Kind

FROM_ELSEWHERE = frozenset({"401", "403", "405", "406", "408", "411", "413", "414", "415", "421", "422"}) | {
    *("304", "307", "308", "425", "426", "428", "429", "431", "494", "497", "499")
}
"""Statuses that a server, proxy, router or middleware may answer where the handler does not."""
_AUTHENTICATION = frozenset({"401", "403"})
_ADDED_ON_THE_WAY = (
    "access-control-",
    "content-",
    "x-ratelimit-",
    "ratelimit-",
    "x-request-",
    "x-correlation-",
)
_ADDED_BY_SERVERS = frozenset(
    {"date", "server", "connection", "transfer-encoding", "vary", "age", "via", "retry-after", "set-cookie"}
) | {
    *("cache-control", "expires", "strict-transport-security", "x-frame-options", "x-content-type-options"),
    *("referrer-policy", "x-powered-by", "x-xss-protection", "traceparent"),
}


def compare_answers(match: Match) -> None:
    """Adds the pairs of all responses of one operation to the match."""
    promised = match.spec.responses
    given = {status: fact for status, fact in match.code.responses.items() if _counts(match, status, fact)}
    complete = match.code.fact.aspects.get("statuses_complete") is True
    lists = (sorted(promised), sorted(given))
    successes = _only_success(promised), _only_success(given)
    # What the framework's own schema promises by itself, whatever the handler answers, is no other success.
    assumed = successes[0] in match.code.responses
    if None not in successes and successes[0] != successes[1] and complete and not assumed:
        _other_success(match, promised, given, lists)
        promised = {status: fact for status, fact in promised.items() if status != successes[0]}
        given = {status: fact for status, fact in given.items() if status != successes[1]}
    for status, fact in given.items():
        documented = _covering(status, promised)
        if documented is not None and _is_failure_beside_success(status, documented, promised):
            continue
        if documented == "default" and _is_the_frameworks(match):
            # The project's own failures may look otherwise, and what succeeds is not meant.
            if status.startswith("2") and _by_media_type(fact):
                _undeclared(match, status, fact, lists)
            continue
        if documented is not None:
            _compare(match, documented, promised[documented], fact)
        elif _origin(fact) == "success" and not complete and fact.aspects.get("certain") is not True:
            match.unsettled(
                f"responses.{status}", "the code may answer with statuses that could not be seen", fact
            )
        else:
            _undeclared(match, status, fact, lists)
    for status, fact in match.code.responses.items():
        if _origin(fact) == "framework" and status in promised:
            _content(match, f"responses.{status}", promised[status], fact)
    if complete:
        for status, fact in promised.items():
            if status not in match.code.responses and _is_the_handlers(status, match):
                _never(match, status, fact, lists)


def _counts(match: Match, status: str, fact: Fact) -> bool:
    """Whether the code is to be held to an answer: to all but what the framework gives of itself.

    What the project itself raises as the framework would counts where the contract declares such answers elsewhere.
    """
    by_hand = bool(fact.aspects.get("exception")) and status in match.habits.declares
    return _origin(fact) != "framework" or by_hand


def _undeclared(match: Match, status: str, fact: Fact, lists: tuple[Json, Json]) -> None:
    match.add(
        Kind.RESPONSE,
        f"responses.{status}",
        spec=match.spec_silent(lists[0]),
        code=(fact, witness(match.code.fact, lists[1], fact.source.line, fact.source.path)),
        name=status,
        direction=Direction.RESPONSE,
    )


def _never(match: Match, status: str, fact: Fact, lists: tuple[Json, Json]) -> None:
    match.add(
        Kind.RESPONSE,
        f"responses.{status}",
        spec=(fact, witness(match.spec.fact, lists[0], fact.source.line, fact.source.path)),
        code=match.code_silent(lists[1]),
        name=status,
        direction=Direction.RESPONSE,
    )


def _other_success(
    match: Match, promised: dict[str, Fact], given: dict[str, Fact], lists: tuple[Json, Json]
) -> None:
    ours, theirs = _only_success(promised), _only_success(given)
    assert ours is not None and theirs is not None, "each side has one success status"
    spec, code = promised[ours], given[theirs]
    match.add(
        Kind.RESPONSE,
        f"responses.{ours}",
        spec=(spec, witness(match.spec.fact, lists[0], spec.source.line, spec.source.path)),
        code=(code, witness(match.code.fact, lists[1], code.source.line, code.source.path)),
        name=ours,
        direction=Direction.RESPONSE,
        differences=[Difference(change="status", spec=ours, code=theirs)],
    )
    if "204" not in (ours, theirs):
        _content(match, f"responses.{ours}", spec, code)


def _compare(match: Match, status: str, spec: Fact, code: Fact) -> None:
    place = f"responses.{status}"
    match.add(
        Kind.RESPONSE, place, spec=told(spec), code=told(code), name=status, direction=Direction.RESPONSE
    )
    _headers(match, place, spec, code)
    _content(match, place, spec, code)


def _content(match: Match, place: str, spec: Fact, code: Fact) -> None:
    promised, given = _by_media_type(spec), _by_media_type(code)
    if not promised or not given:
        return
    # Connexion answers data as JSON under the name that the contract has for it.
    renamed = match.code.fact.aspects.get("framework") == "connexion"
    covering = request_covers if renamed else covers
    met = [(ours, theirs) for ours in promised for theirs in given if covering(ours, theirs)]
    added = sorted(set(given) - {theirs for _, theirs in met})
    if added:
        difference = Difference(
            change="content",
            spec=sorted(promised),
            code=sorted(given),
            stricter=Stricter.SPEC if met else Stricter.NEITHER,
        )
        match.add(
            Kind.RESPONSE,
            place,
            spec=told(spec),
            code=told(code),
            direction=Direction.RESPONSE,
            differences=[difference],
        )
    setting = Setting(Direction.RESPONSE, match.declared)
    for ours, theirs in met:
        if match.is_guessed(place, (spec, promised[ours]), setting, given[theirs], code):
            continue
        if isinstance(promised[ours], dict) and isinstance(given[theirs], dict):
            match.schemas(
                Kind.RESPONSE,
                place,
                spec=(spec, promised[ours]),
                code=(code, given[theirs]),
                setting=setting,
            )


def _headers(match: Match, place: str, spec: Fact, code: Fact) -> None:
    promised, given = spec.aspects.get("headers"), code.aspects.get("headers")
    if not isinstance(promised, dict) or not isinstance(given, dict):
        return
    for key, header in promised.items():
        name, at = str(header.get("name", key)), f"{place}.headers.{header.get('name', key)}"
        shown = witness(spec, name, header.get("line"), header.get("path"))
        if key in given:
            _header_schemas(match, at, (spec, header.get("schema")), (code, given[key].get("schema")))
        elif key not in _ADDED_BY_SERVERS and not key.startswith(_ADDED_ON_THE_WAY):
            required = Difference(change="required", spec=bool(header.get("required")), code=None)
            match.add(
                Kind.RESPONSE,
                at,
                spec=(spec, shown),
                code=(None, witness(code, sorted(given))),
                name=name,
                direction=Direction.RESPONSE,
                differences=[required],
            )


def _header_schemas(match: Match, place: str, spec: tuple[Fact, Json], code: tuple[Fact, Json]) -> None:
    if isinstance(spec[1], dict) and isinstance(code[1], dict) and code[1]:
        setting = Setting(Direction.RESPONSE, match.declared, textual=True)
        match.schemas(Kind.RESPONSE, place, spec=spec, code=code, setting=setting)


def _covering(status: str, promised: dict[str, Fact]) -> str | None:
    """What the contract says of a status; `default` beside successes tells of failures only."""
    succeeds = status.startswith("2") and any(each.startswith("2") for each in promised)
    keys = (status, f"{status[:1]}XX", *(() if succeeds else ("default",)))
    return next((key for key in keys if key in promised), None)


def _is_failure_beside_success(status: str, documented: str, promised: dict[str, Fact]) -> bool:
    """Whether `default` is all that is promised: it then tells, as OpenAPI says, of calls that succeed, and not of this
    status."""
    succeeds = any(each.startswith(("2", "3")) for each in promised)
    return documented == "default" and not succeeds and status.startswith(("4", "5"))


def _is_the_frameworks(match: Match) -> bool:
    """Whether `default` is how the framework documents failures of its own."""
    framework = match.code.responses.get("default")
    return framework is not None and _origin(framework) == "framework"


def _only_success(responses: dict[str, Fact]) -> str | None:
    """The one status of success, or None where there are several or none, or where a range or default covers it."""
    found = [status for status in responses if status.startswith("2")]
    open_ended = "default" in responses and not found
    return found[0] if len(found) == 1 and found[0].isdigit() and not open_ended else None


def _is_the_handlers(status: str, match: Match) -> bool:
    """Whether only the handler can answer this status, so that a complete list without it settles the matter."""
    if not status.isdigit() or status.startswith(("1", "5")):
        return False
    if status in _AUTHENTICATION:
        return match.spec.fact.aspects.get("security") == [] == match.code.fact.aspects.get("security")
    if status == "404" and not match.declared and _typed_path(match.code):
        return False
    return status not in FROM_ELSEWHERE


def _typed_path(code: Operation) -> bool:
    """Whether the router itself refuses paths whose parameters do not convert."""
    return any(
        fact.aspects.get("in") == "path" and (fact.aspects.get("schema") or {}).get("type") != "string"
        for fact in code.parameters
    )


def _by_media_type(fact: Fact) -> dict[str, Json]:
    content = fact.aspects.get("content")
    return {bare(name): schema for name, schema in content.items()} if isinstance(content, dict) else {}


def _origin(fact: Fact) -> str:
    return str(fact.aspects.get("origin", ""))
