"""Cross-validates: runs the rules over the pairs of all aligners and gathers what they find."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

import msgspec

from crossval.alignment import Aligner, Alignment, Later, promises_nothing
from crossval.claim_findings import joined
from crossval.findings import Finding, FindingKind, Outcome, Witness
from crossval.link.definitions.definitions import align_definitions
from crossval.link.definitions.docstrings import align_docstrings
from crossval.link.definitions.interfaces import align_interfaces
from crossval.link.names.targets import Target
from crossval.link.traces.records import Decisions
from crossval.pairs import Pair
from crossval.rules.late import Checking
from crossval.rules.rule import Rule
from graph.facts import ROUTES_BELOW, ROUTES_ENDING, Defect, Fact, Kind, Tag, Unknown
from graph.faults import Attempt
from graph.source import FactSource

_TOLD = frozenset({Kind.STORY, Kind.CRITERION})
_DESCRIBED = frozenset({Kind.FIELD, Kind.PARAMETER})
_SERVED = frozenset({Kind.OPERATION, Kind.CALLBACK})


def aligners_for(
    target: Target | None = None, decisions: Decisions | None = None, *, modules_asked: bool = False
) -> tuple[Aligner, ...]:
    """The aligners: of definitions for this Python version and platform, of stories with what people decided.

    With `modules_asked` also the one that looks for modules which nobody asks for: it has to infer links.
    """
    decided: dict[str, object] = {"decisions": decisions}
    return (
        Later("crossval.link.contracts.operations:align_operations", _SERVED),
        partial(align_definitions, target=target),
        partial(align_interfaces, target=target),
        Later("crossval.link.stories.tests:align_criteria", frozenset({Kind.CRITERION})),
        Later("crossval.link.claims.claims:align_claims", _TOLD | _DESCRIBED, options=decided),
        align_docstrings,
        Later("crossval.link.stories.criteria:align_stories", _TOLD, options=decided),
        Later(
            "crossval.link.stories.spoken_names:align_spoken_names",
            frozenset({Kind.CRITERION}),
            options={"target": target},
        ),
        Later("crossval.link.stories.steps:align_steps", frozenset({Kind.CRITERION})),
        Later(
            "crossval.link.testing.aligning:align_tests", frozenset({Kind.TEST}), Tag.TEST, {"target": target}
        ),
        *([_asked_modules(decided)] if modules_asked else []),
    )


def _asked_modules(decided: dict[str, object]) -> Aligner:
    return Later(
        "crossval.link.stories.asked_modules:align_asked_modules", frozenset({Kind.MODULE}), Tag.CODE, decided
    )


ALIGNERS = aligners_for()
_UNPROMISED = Later("crossval.link.contracts.operations:align_unpromised", _SERVED, Tag.CODE)

_DEFINITIONS = frozenset({Kind.MODULE, Kind.CLASS, Kind.FUNCTION, Kind.ATTRIBUTE})


def cross_validate(
    source: FactSource,
    *,
    aligners: Iterable[Aligner] = ALIGNERS,
    rules: Iterable[Checking] | None = None,
    defects: Iterable[Defect] = (),
    unread: Mapping[str, str] | None = None,
    unseen: Iterable[Unknown] = (),
) -> Outcome:
    """What the rules find in the facts of a source, and in the defects that readers saw.

    `unread` has the modules that exist but could not be read, and why: nothing is missing there. `unseen` is what
    the readers could not know: where that includes routes, no operation is missing; where it includes steps, no
    definition of one is unused; where it includes a contract without operations, all that the code has are
    undocumented. A defect whose rule is not among the rules is dropped. Equal findings that several operations
    reach become one. Without `rules` all built-in ones run.
    """
    rules, unseen = tuple(_built_in() if rules is None else rules), tuple(unseen)
    if any(map(promises_nothing, unseen)):
        aligners = (*aligners, _UNPROMISED)

    asked = _Asked(rules)
    findings = list(_from_defects(defects, rules))
    notes = sorted(unseen)
    routes = [note for note in notes if _is_a_route(note)]
    steps = next((note for note in notes if note.aspect == "steps"), None)
    unknown: set[Unknown] = set()
    for aligner in aligners:
        alignment = _aligned(aligner, source)
        if alignment.settled:
            routes = [note for note in routes if f"{note.path}:{note.line}" not in alignment.settled]
        unfound = _unfound(alignment.pairs, routes) if routes else []
        unknown.update(alignment.unknown, unfound)
        for pair in alignment.pairs:
            hidden = (
                _hidden(pair, unread or {})
                or (_perhaps_of_others(pair) if unfound else None)
                or (_perhaps_unseen(pair, routes) if routes else None)
                or (_perhaps_reached(pair, steps) if steps else None)
            )
            if hidden is not None:
                unknown.add(hidden)
                continue
            with Attempt() as attempt:
                findings += [found for rule in asked.about(pair) for found in rule.findings(pair)]
            if attempt.failure:
                unknown.add(_unsettled(pair, attempt.failure))
    return Outcome(sorted(_merged(joined(findings)), key=lambda finding: finding.order), sorted(unknown))


def _aligned(aligner: Aligner, source: FactSource) -> Alignment:
    with Attempt() as attempt:
        return aligner(source)
    return Alignment(unknown=[Unknown("comparison", "all", ".", 1, attempt.failure)])


def _unsettled(pair: Pair, reason: str) -> Unknown:
    seen = pair.spec or pair.code
    assert seen is not None, "a pair has a witness"
    return Unknown(pair.subject, pair.place or "exists", seen.path, seen.line, reason)


class _Asked:
    """Which rules are asked about a pair: those of its kind, but for those that look for other differences."""

    def __init__(self, rules: Iterable[Checking]) -> None:
        self._rules = tuple(rules)
        self._known: dict[tuple[Kind, frozenset[str]], tuple[Rule, ...]] = {}

    def about(self, pair: Pair) -> tuple[Rule, ...]:
        """The rules that may find something in this pair, in their order."""
        changes = frozenset(difference.change for difference in pair.differences)
        asked = self._known.get((pair.kind, changes))
        if asked is None:
            asked = self._known[pair.kind, changes] = tuple(
                rule.loaded()
                for rule in self._rules
                if pair.kind in rule.looks_at and not (rule.changes and changes.isdisjoint(rule.changes))
            )
        return asked


def _built_in() -> Iterable[Checking]:
    from crossval.rules.registry import RULES

    return RULES


def _from_defects(defects: Iterable[Defect], rules: Iterable[Checking]) -> Iterator[Finding]:
    by_name = {rule.name: rule for rule in rules}
    for defect in defects:
        rule = by_name.get(defect.rule)
        if rule is None:
            continue
        seen = Witness(fact="", path=defect.path, line=defect.line, value=defect.value)
        in_spec = defect.tag is Tag.SPEC
        yield Finding(
            subject=defect.subject,
            aspect=defect.aspect,
            message=defect.message,
            spec=seen if in_spec else None,
            code=None if in_spec else seen,
            rule=rule.name,
            kind=rule.kind,
            severity=rule.severity,
        )


def _hidden(pair: Pair, unread: Mapping[str, str]) -> Unknown | None:
    """What is unknown because the code's side may lie in a module that could not be read."""
    fact = pair.spec_fact
    if not unread or fact is None or pair.code_fact is not None:
        return None
    if fact.kind not in _DEFINITIONS and pair.place != "names":
        return None
    parts = (pair.name if pair.place == "names" else fact.key).split(".")
    for length in range(len(parts), 0, -1):
        reason = unread.get(".".join(parts[:length]))
        if reason is not None:
            aspect = pair.place or "exists"
            return Unknown(pair.subject, aspect, fact.source.path, fact.source.line, reason)
    return None


def _is_a_route(note: Unknown) -> bool:
    """Whether readers say that there are routes which they could not place."""
    return note.aspect == "routes" or (note.subject, note.aspect) == ("route", "path")


def _perhaps_unseen(pair: Pair, routes: list[Unknown]) -> Unknown | None:
    """What is unknown because the operation that seems to be missing may be a route that could not be placed."""
    fact = pair.spec_fact
    if pair.kind is not Kind.OPERATION or fact is None or pair.code_fact is not None:
        return None
    route = next((note for note in routes if _may_be_of(fact, note)), None)
    if route is None:
        return None
    reason = f"it may be a route that could not be placed: {route.path}:{route.line}: {route.reason}"
    return Unknown(pair.subject, "exists", fact.source.path, fact.source.line, reason)


def _unfound(pairs: list[Pair], routes: list[Unknown]) -> list[Unknown]:
    """What is unknown of each contract where the code is known to answer nothing of any, as far as routes could be
    placed; nothing where something is answered, or surely missing."""
    missing: dict[str, list[Unknown]] = {}
    for pair in pairs:
        if pair.kind is Kind.OPERATION and pair.spec_fact is not None:
            hidden = _perhaps_unseen(pair, routes)
            if hidden is None:
                return []
            missing.setdefault(hidden.path, []).append(hidden)
    found = "none of its operations was found"
    return [
        Unknown(f"file {path}", "exists", path, 1, f"{found}: each {min(notes).reason.removeprefix('it ')}")
        for path, notes in missing.items()
    ]


def _perhaps_of_others(pair: Pair) -> Unknown | None:
    """What is unknown where no contract is known to be that of the code: whether one should tell of this operation."""
    fact = pair.code_fact
    if pair.kind is not Kind.OPERATION or fact is None or pair.spec_fact is not None:
        return None
    reason = "no operation of a contract was found beside it, so it may be of another service"
    return Unknown(pair.subject, "exists", fact.source.path, fact.source.line, reason)


def _may_be_of(operation: Fact, note: Unknown) -> bool:
    """Whether an operation may be among routes that could not be placed, of which all may lie below one path, or end
    alike."""
    if note.subject.startswith(ROUTES_ENDING):
        method, _, ending = note.subject.removeprefix(ROUTES_ENDING).partition(" ")
        asked, _, path = operation.key.partition(" ")
        return asked == method and re.sub(r"\{[^}]*\}", "{}", path).rstrip("/").endswith(ending.rstrip("/"))
    below = note.subject.removeprefix(ROUTES_BELOW) if note.subject.startswith(ROUTES_BELOW) else ""
    return below in operation.key


def _perhaps_reached(pair: Pair, steps: Unknown) -> Unknown | None:
    """What is unknown because a step in the unread part of a feature may reach the definition."""
    fact = pair.code_fact
    if pair.place != "steps" or fact is None or pair.spec_fact is not None:
        return None
    reason = f"a step that could not be read may reach it: {steps.path}:{steps.line}: {steps.reason}"
    return Unknown(pair.subject, "steps", fact.source.path, fact.source.line, reason)


def _merged(findings: Iterable[Finding]) -> Iterator[Finding]:
    """One finding per fingerprint: the most severe, first in order; further witnesses become related ones.

    Of defects, whose fingerprints tell little, only those that say the same become one.
    """
    alike: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        said = finding.message if finding.kind is FindingKind.DEFECT else ""
        alike.setdefault((finding.fingerprint, said), []).append(finding)
    for group in alike.values():
        if len(group) == 1:
            yield group[0]
            continue
        group.sort(key=lambda finding: (-finding.severity.rank, finding.order, finding.message))
        first = group[0]
        main = {_place(witness) for witness in (first.spec, first.code) if witness}
        others = [w for finding in group for w in (*finding.related, finding.spec, finding.code) if w]
        related = {_place(witness): witness for witness in others if _place(witness) not in main}
        affects = first.affects
        if any(finding.affects != affects for finding in group):
            affects = tuple(sorted({operation for finding in group for operation in finding.affects}))
        places = tuple(related[place] for place in sorted(related))
        yield msgspec.structs.replace(first, related=places, affects=affects)


def _place(witness: Witness) -> tuple[str, str, int]:
    return (witness.path, witness.fact, witness.line)
