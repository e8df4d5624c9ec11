"""The statuses that tests expect of operations, held against those that the contract declares."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from crossval.compare.answers import FROM_ELSEWHERE
from crossval.compare.http import Operation, gather
from crossval.findings import Witness, witness
from crossval.link.contracts.operations import match_operations, placed_operations
from crossval.link.contracts.written_requests import Requests
from crossval.pairs import Difference, Pair
from graph.facts import Fact, Kind, Tag
from graph.source import FactSource

_PARTS = (Kind.OPERATION, Kind.PARAMETER, Kind.BODY, Kind.RESPONSE)
_HOLE = "{}"


def expected_answers(source: FactSource, expecting: Collection[Fact]) -> Iterator[Pair]:
    """A pair for each status of an operation that tests expect, and neither its contract nor its code tells.

    What the code itself is known to answer is held against the contract without any test. Only operations that both
    have count, so that the tests of a client are not taken for those of the service which it calls. What a framework,
    a server or what lies before the handlers may answer is left to them.
    """
    if not expecting:
        return
    promised = gather(source.facts(tag=Tag.SPEC, kinds=_PARTS))
    served = gather(source.facts(tag=Tag.CODE, kinds=_PARTS)) if promised else []
    answered = match_operations(promised, placed_operations(promised, served).operations)
    both = [(spec, code) for spec, code in answered if code is not None]
    by_key: dict[str, tuple[Operation, Operation]] = {}
    for spec, code in both:
        by_key.setdefault(code.fact.key, (spec, code))
        by_key.setdefault(spec.fact.key, (spec, code))
    asked = Requests([fact for spec, code in both for fact in (code.fact, spec.fact)])
    seen: dict[tuple[str, str], list[Witness]] = {}
    for fact in expecting:
        for method, path, status, line in fact.aspects["answers"]:
            found = None if path.startswith(_HOLE) else asked.find(f"{method} {path}")
            if found is None or asked.is_ambiguous(f"{method} {path}"):
                continue
            spec, code = by_key[found.key]
            if not _declares(spec, str(status)) and str(status) not in code.responses:
                seen.setdefault((spec.fact.key, str(status)), []).append(witness(fact, status, line))
    specs = {spec.fact.key: spec for spec, _ in both}
    for (key, status), witnesses in seen.items():
        yield _pair(specs[key], status, witnesses)


def _declares(spec: Operation, status: str) -> bool:
    if status in FROM_ELSEWHERE or status.startswith("5"):
        return True
    declared = {each.upper() for each in spec.responses}
    return not declared or not declared.isdisjoint({status, f"{status[0]}XX", "DEFAULT"})


def _pair(spec: Operation, status: str, witnesses: list[Witness]) -> Pair:
    first, *others = sorted(witnesses, key=lambda each: (each.path, each.line, each.fact))
    return Pair(
        kind=Kind.TEST,
        subject=spec.fact.key,
        place="answers",
        name=status,
        spec=witness(spec.fact, sorted(spec.responses)),
        code=first,
        spec_fact=spec.fact,
        differences=(Difference(change="status", spec=sorted(spec.responses), code=len(others)),),
        affects=(spec.fact.key,),
    )
