"""Aligns the operations of contracts with those of the code: by method and path, nothing guessed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from crossval.alignment import Alignment
from crossval.compare.bodies import documents_that_demand_patches
from crossval.compare.components import KINDS
from crossval.compare.http import Habits, Operation, gather
from crossval.compare.operations import compare_operations
from crossval.compare.optional_answers import told_of_failures
from crossval.compare.request_parameters import documents_that_name_headers
from crossval.compare.schemas import SchemaComparison
from crossval.compare.security import documents_that_tell_offers
from crossval.compare.stated import document_of
from crossval.link.contracts.applications import application_of, covered_by
from crossval.link.contracts.bases import bases_of, is_beside
from crossval.link.contracts.callbacks import align_callbacks
from crossval.link.contracts.pages import is_page, speak_of_pages
from crossval.link.contracts.partly import told_together
from crossval.link.contracts.placing import Placed, Route, is_telling, own_route, place
from crossval.link.contracts.versions import standing_for, with_versions
from crossval.pairs import Pair, one_sided
from graph.facts import Kind, Tag, Unknown
from graph.faults import Attempt
from graph.source import FactSource

_PARTS = (Kind.OPERATION, Kind.PARAMETER, Kind.BODY, Kind.RESPONSE)
_ANSWERED_BY_SERVERS = frozenset({"OPTIONS", "TRACE"})
_PARAMETER = re.compile(r"\{[^}]*\}")


class Shift(msgspec.Struct, frozen=True):
    """How a contract's paths become the code's: segments taken from the front, others put there."""

    dropped: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    def apply(self, route: Route) -> Route | None:
        """The route as the code has it, or None where it does not begin with what is to be dropped."""
        method, segments = route
        count = len(self.dropped)
        return (method, self.added + segments[count:]) if segments[:count] == self.dropped else None


def align_operations(source: FactSource) -> Alignment:
    """Pairs of all operations of the contracts and the code, of their parts, and of the schemas they use.

    A project with code in which no reader knows a route gives one unknown per contract and no pairs; where there is
    no code yet, everything is still to be written.
    """
    promised = gather(source.facts(tag=Tag.SPEC, kinds=_PARTS))
    parameters = source.facts(tag=Tag.SPEC, kinds=(Kind.PARAMETER,))
    schemas = SchemaComparison(source.facts(kinds=(*KINDS, Kind.BODY)), parameters)
    if not promised:
        return _with_components(align_callbacks(source, schemas, {}), schemas)
    served = gather(source.facts(tag=Tag.CODE, kinds=_PARTS))
    if not served and any(source.facts(tag=Tag.CODE, kinds=(Kind.MODULE,))):
        return Alignment(unknown=[_no_routes(path) for path in sorted({_document(o) for o in promised})])
    outside = [operation for operation in served if operation.fact.aspects.get("open")]
    placed = placed_operations(promised, served)
    served = placed.operations
    declared, named = _declared(promised), documents_that_name_headers(promised)
    offering, demanding = documents_that_tell_offers(promised), documents_that_demand_patches(promised)
    alignment, matched, owners = Alignment(settled=placed.settled), set(), {}
    for spec, code in match_operations(promised, served):
        if code is None:
            if spec.method.upper() in _ANSWERED_BY_SERVERS:
                alignment.unknown.append(_perhaps_answered(spec))
            elif any(_answers_outside(operation, spec) for operation in outside):
                alignment.unknown.append(_outside(spec))
            else:
                alignment.pairs.append(one_sided(spec.fact))
            continue
        matched.add(own_route(code))
        owners[spec.fact.key] = code.fact.key
        document = document_of(spec.fact)
        habits = Habits(document in offering, document in demanding, declared[document], named[document])
        with Attempt() as attempt:
            _add(alignment, compare_operations(spec, code, schemas, habits))
        if attempt.failure:
            alignment.unknown.append(_unknown(spec, attempt.failure))
    _add(alignment, align_callbacks(source, schemas, owners))
    _with_components(alignment, schemas)
    covered = covered_by(served, matched)
    # Where nothing matches and not all of the code is seen, the contract may be that of an application which is not.
    unseen = bool(outside) and not matched
    bases, paged = bases_of(promised, matched), speak_of_pages(promised)
    alone = []
    for operation in _unmatched(served, matched):
        if is_page(operation) and not paged:
            alignment.unknown.append(_unknown(operation, "it is a page, and no contract speaks of pages"))
        elif unseen or (covered and application_of(operation) not in covered) or is_beside(operation, bases):
            alignment.unknown.append(_elsewhere(operation))
        else:
            alone.append(_undocumented(operation))
    alignment.pairs.extend(told_together(alone, len(matched), [_document(each) for each in promised]))
    return alignment


def _undocumented(operation: Operation) -> Pair:
    """The pair of an operation that only the code has, which is called by the path that is known of it."""
    called = f"{operation.method} {operation.path}"
    pair = one_sided(operation.fact)
    known = called if operation.fact.aspects.get("under") else pair.subject
    return msgspec.structs.replace(pair, subject=known, affects=(known,))


def _declared(promised: list[Operation]) -> dict[str, frozenset[str]]:
    """The statuses that each document declares for any of its operations."""
    found: dict[str, frozenset[str]] = {}
    for operation in promised:
        document = document_of(operation.fact)
        found[document] = found.get(document, frozenset()) | operation.responses.keys()
    return found


def _add(alignment: Alignment, more: Alignment) -> None:
    alignment.pairs.extend(more.pairs)
    alignment.unknown.extend(more.unknown)


def _with_components(alignment: Alignment, schemas: SchemaComparison) -> Alignment:
    """The alignment with what was found within the components that its pairs came to."""
    alignment.pairs[:] = told_of_failures(alignment.pairs)
    _add(alignment, Alignment(*schemas.components()))
    return alignment


def align_unpromised(source: FactSource) -> Alignment:
    """Pairs of all operations of the code, for a project whose contracts promise none at all."""
    if any(source.facts(tag=Tag.SPEC, kinds=(Kind.OPERATION,))):
        return Alignment()
    served = gather(source.facts(tag=Tag.CODE, kinds=_PARTS))
    return Alignment(pairs=[one_sided(operation.fact) for operation in _unmatched(_whole(served), set())])


def placed_operations(promised: list[Operation], served: list[Operation]) -> Placed:
    """The operations of the project itself whose whole path is known, by the code or by the contract."""
    hidden = [operation for operation in served if operation.fact.aspects.get("under")]
    whole = _whole(served)
    placed = place(hidden, map(own_route, promised), map(own_route, whole)) if hidden else Placed()
    return Placed([*whole, *placed.operations], placed.settled)


def _whole(served: list[Operation]) -> list[Operation]:
    """The operations of which the whole path is known, and that the project itself answers."""
    return [
        each for each in served if not each.fact.aspects.get("open") and not each.fact.aspects.get("under")
    ]


def match_operations(
    promised: list[Operation], served: list[Operation]
) -> Iterator[tuple[Operation, Operation | None]]:
    """Each operation of the contracts with the code's operation for the same requests, or with None.

    Where at least half of a document's operations match only after one common prefix is dropped or added, that
    prefix holds for the whole document. Where several of the code's operations answer one request, that of the
    application is meant which answers most of the document.
    """
    routes: dict[Route, list[Operation]] = {}
    for operation in served:
        routes.setdefault(own_route(operation), []).append(operation)
    versioned = with_versions(served)
    documents: dict[str, list[Operation]] = {}
    for operation in promised:
        documents.setdefault(_document(operation), []).append(operation)
    for operations in documents.values():
        shift = _shift([own_route(operation) for operation in operations], routes)
        answering: list[tuple[Operation, list[Operation]]] = []
        for operation in operations:
            route = own_route(operation)
            shifted = shift.apply(route)
            found = _answering(shifted, routes) if shifted else []
            answering.append((operation, found or _answering(route, routes)))
        answered = Counter(name for _, found in answering for name in set().union(*map(_belonging, found)))
        named = {(own_route(operation), _names(operation)) for operation in operations}
        for operation, found in answering:
            others = (
                {names for route, names in named if route == own_route(operation)}
                if len(found) > 1
                else set()
            )
            chosen = _meant(operation, found, answered, others)
            yield operation, chosen or standing_for(*own_route(operation), versioned)


def _answering(route: Route, routes: Mapping[Route, list[Operation]]) -> list[Operation]:
    """The operations at a route; but for FastAPI, frameworks answer HEAD wherever there is a GET."""
    found = routes.get(route, [])
    if not found and route[0] == "HEAD":
        others = routes.get(("GET", route[1]), [])
        return [each for each in others if each.fact.aspects.get("framework") != "fastapi"]
    return found


def _belonging(operation: Operation) -> set[object]:
    """The application of an operation of the code, and the files that say so."""
    fact = operation.fact
    return {application_of(operation), fact.document, fact.source.path, *fact.sources}


def _meant(
    operation: Operation,
    found: list[Operation],
    answered: Mapping[object, int],
    others: set[tuple[str, ...]],
) -> Operation | None:
    """Of several operations of the code for one request the one that a contract speaks of: of the application that
    answers most of it, with parameters of the same names, or else of no names that the contract has elsewhere for the
    same requests (`others`)."""
    weights = [(answered[application_of(each)], answered[each.fact.document]) for each in found]
    most = max(weights, default=(0, 0))
    likely = [each for each, weight in zip(found, weights, strict=True) if weight == most]
    same = [each for each in likely if _names(each) == _names(operation)]
    free = [each for each in likely if _names(each) not in others]
    return next(iter([*same, *free, *likely]), None)


def _names(operation: Operation) -> tuple[str, ...]:
    return tuple(_PARAMETER.findall(operation.path))


def _shift(promised: list[Route], served: Iterable[Route]) -> Shift:
    """The common prefix by which most routes match, where that is at least half of them and more than match as
    they stand."""
    known = set(served)
    by_end: dict[Route, set[tuple[str, ...]]] = {}
    for method, segments in known:
        for start in range(1, len(segments)):
            by_end.setdefault((method, segments[start:]), set()).add(segments[:start])
    counts: Counter[Shift] = Counter()
    for method, segments in promised:
        if not is_telling(segments):
            continue
        counts.update(Shift(added=prefix) for prefix in by_end.get((method, segments), ()))
        for start in range(1, len(segments)):
            rest = segments[start:]
            if (method, rest) in known and is_telling(rest):
                counts[Shift(dropped=segments[:start])] += 1
    if not counts:
        return Shift()
    best = min(counts, key=lambda shift: (-counts[shift], len(shift.dropped + shift.added), repr(shift)))
    matches = sum(best.apply(route) in known for route in promised)
    unchanged = sum(route in known for route in promised)
    return best if 2 * matches >= len(promised) and matches > unchanged else Shift()


def _document(operation: Operation) -> str:
    """The contract that an operation belongs to; one written in a file of its own names the contract as its source."""
    fact = operation.fact
    return fact.document or next(iter(fact.sources), fact.source.path)


def _no_routes(path: str) -> Unknown:
    reason = "no routes of a known framework were found in the code, so the contract was not compared with it"
    return Unknown(f"file {path}", "exists", path, 1, reason)


def _answers_outside(open_route: Operation, spec: Operation) -> bool:
    """Whether code outside the project may answer what the contract promises, under whatever prefix."""
    here, there = own_route(open_route)[1], own_route(spec)[1]
    if open_route.fact.aspects.get("open") == "path":
        shorter = min(len(here), len(there))
        return here == there or (shorter > 0 and _alike(here[-shorter:], there[-shorter:]))
    if here and set(here) == {"{}"}:
        # Of an object's own path nothing is told by a parameter somewhere within another path.
        return there[: len(here)] == here
    inside = any(there[start : start + len(here)] == here for start in range(len(there) + 1))
    return inside or any(there[: len(here) - start] == here[start:] for start in range(1, len(here)))


def _alike(here: tuple[str, ...], there: tuple[str, ...]) -> bool:
    """Whether two pieces of paths are equal, where a parameter of the code may have any value in the contract."""
    telling = any("{}" not in ours for ours in here)
    return here == there or (
        telling and all(ours in ("{}", theirs) for ours, theirs in zip(here, there, strict=True))
    )


def _outside(spec: Operation) -> Unknown:
    return _unknown(spec, "code outside of the project may answer this path")


def _perhaps_answered(spec: Operation) -> Unknown:
    return _unknown(spec, f"servers and middleware may answer {spec.method} without a route")


def _unmatched(served: list[Operation], matched: set[Route]) -> Iterator[Operation]:
    for operation in served:
        if operation.fact.aspects.get("in_schema") is not False and own_route(operation) not in matched:
            yield operation


def _elsewhere(operation: Operation) -> Unknown:
    return _unknown(operation, "no contract speaks of the application that answers it, or of where it does")


def _unknown(operation: Operation, reason: str) -> Unknown:
    place = operation.fact.source
    return Unknown(operation.fact.key, "exists", place.path, place.line, reason)
