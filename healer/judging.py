"""Who is wrong: the rule of evidence, applied to one cluster of failures.

A test is stale only by a movement that explains its very failure and that no spec forbids: a change of name or form
whose body is proven to be equal, or a change that the specs made too. What the specs still say as the test does makes
the code wrong. All else is for a person to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from crossval.findings import Finding, FindingKind
from graph.facts import Fact, Kind, Tag
from graph.store.store import Store
from healer.analysis import Analysis, Category
from healer.evidence import Judgement, Ruling
from healer.explaining import explanations
from healer.forbidding import forbidding
from healer.healer import Lookup
from healer.healers.suite import Suite, is_of_tests
from healer.healers.world import World
from healer.movements import NAMES, SHAPES, Cause, Movement
from healer.stating import Side, Statement, kept_values, statements
from healer.supporting import supporting
from healer.uses import Uses, reached, uses
from healer.witnesses import Witnesses

_LOOKED_AT = 20
"""How many tests of one cluster are looked at: they share their cause."""
_STRONG = 0.85
_FORMS = frozenset(
    {Category.IMPORT_ERROR, Category.ATTRIBUTE_ERROR, Category.MOCK_ERROR, Category.SIGNATURE_ERROR}
    | {Category.FIXTURE_ERROR, Category.NAME_ERROR}
)


def _nothing(_: str) -> Fact | None:
    return None


def judge(
    cluster: Sequence[Analysis],
    movements: Sequence[Movement],
    *,
    store: Store,
    read: Callable[[str], str | None],
    then: Lookup = _nothing,
    findings: Sequence[Finding] = (),
) -> Judgement:
    """The judgement about a cluster of failures that share a root cause.

    `movements` are what changed since its tests last passed, `store` has the facts of now, `read` gives the text of a
    file of the project, `then` the facts as of when the tests last passed, `findings` are those of today.
    """
    judging = _Judging(movements, store, read, then, findings)
    found = [judging.of(each) for each in cluster[:_LOOKED_AT]]
    rulings = {each.ruling for each in found}
    if len(rulings) == 1:
        return max(found, key=lambda each: each.confidence)
    if rulings == {Ruling.CODE_WRONG, Ruling.UNDECIDED}:
        return next(each for each in found if each.ruling is Ruling.CODE_WRONG)
    return _undecided(
        "The tests of this cluster do not agree about who is wrong.",
        (name for each in found for name in each.evidence),
    )


class _Judging:
    """What is known to judge by, gathered once for all tests of a cluster."""

    def __init__(
        self,
        movements: Sequence[Movement],
        store: Store,
        read: Callable[[str], str | None],
        then: Lookup,
        findings: Sequence[Finding],
    ) -> None:
        self._movements = movements
        self._code = [each for each in movements if each.side == "code"]
        names = {each.subject: str(each.after) for each in self._code if each.cause in NAMES and each.after}
        self._then = {new: old for old, new in names.items()}
        self._store = store
        self._witnesses = Witnesses(store, names)
        self._suite = Suite(read, World(then if then is not _nothing else self._witnesses.named))
        self._findings = findings

    def of(self, analysis: Analysis) -> Judgement:
        """The judgement about one test."""
        if analysis.category is Category.TIMEOUT:
            return _undecided("It did not end in time, which says nothing about who is wrong.")
        if analysis.category is Category.SYNTAX_ERROR:
            return _undecided("A file cannot be parsed.")
        if analysis.category is Category.ENVIRONMENT or self._is_foreign(analysis):
            return self._environment(analysis)
        used = uses(analysis, self._suite)
        if _is_at_test(analysis):
            explained = list(explanations(analysis, self._movements, used, self._witnesses))
            if explained:
                return self._of_form(analysis, explained)
            if (missing := self._missing(analysis, used)) is not None:
                return missing
        return self._of_value(analysis, used)

    def _is_foreign(self, analysis: Analysis) -> bool:
        """Whether a module is missing that neither is nor was one of the project."""
        if analysis.exception != "ModuleNotFoundError" or not analysis.symbol:
            return False
        top = analysis.symbol.partition(".")[0]
        moved = {each.subject.partition(".")[0] for each in self._code}
        return top not in moved and not self._witnesses.facts(top)

    def _environment(self, analysis: Analysis) -> Judgement:
        root = analysis.root
        if root is not None and root.owner == "project" and not is_of_tests(root.path) and self._code:
            return _undecided(
                f"The code meets {analysis.exception} in {root.path}, and the code changed.",
                (name for each in self._code[:_LOOKED_AT] for name in each.facts),
            )
        words = analysis.message.partition("\n")[0] or "the sandbox or the environment got in the way"
        return Judgement(
            ruling=Ruling.ENVIRONMENT, reason=f"The environment lacks something: {words}", confidence=0.9
        )

    def _of_form(self, analysis: Analysis, explained: list[Movement]) -> Judgement:
        """What changed explains the failure by itself: may it?"""
        backed = {id(each): self._supporting(each, analysis) for each in explained}
        for each in explained:
            if backed[id(each)]:
                continue
            for statement in forbidding(each, self._witnesses):
                return _code_wrong(
                    statement, each.facts, f"The code changed ({_told(each)}), but {statement.words}"
                )
        doubtful = [
            each for each in explained if not backed[id(each)] and not (each.cause in SHAPES and each.whole)
        ]
        if doubtful:
            each = doubtful[0]
            why = (
                "no spec changed with it"
                if each.cause not in SHAPES
                else "its body is not proven to be equal"
            )
            return _undecided(f"This would explain it: {_told(each)}; but {why}.", each.facts)
        first = explained[0]
        specs = [other for each in explained for other in backed[id(each)]]
        return Judgement(
            ruling=Ruling.TEST_STALE,
            reason=f"The code changed ({_told(first)}) and does the same as before."
            if not specs
            else f"Code and specs changed alike ({_told(first)}).",
            evidence=_facts((*explained, *specs)),
            explained_by=tuple(_distinct((*explained, *specs))),
            confidence=0.97 if specs else 0.93,
        )

    def _missing(self, analysis: Analysis, used: Uses) -> Judgement | None:
        """A spec still names what is missing: the code is to have it."""
        if analysis.category not in _FORMS or not analysis.symbol:
            return None
        names = {each for each in used.line if each.rpartition(".")[2] == analysis.symbol}
        if analysis.category is Category.IMPORT_ERROR:
            names.add(analysis.symbol)
        for name in sorted(names):
            for fact in self._witnesses.specs(name):
                if self._witnesses.code(name) is None:
                    statement = Statement(Side.TEST, fact.id, f"{fact.id} says that there is `{name}`")
                    return _code_wrong(statement, (), f"The code has no `{name}`, but {statement.words}")
        return None

    def _of_value(self, analysis: Analysis, used: Uses) -> Judgement:
        """The code does something else than the test expects."""
        changed = self._relevant(analysis, used)
        for movement, statement in kept_values(changed, self._witnesses):
            if not self._supporting(movement, analysis):
                return _code_wrong(
                    statement, movement.facts, f"The code changed ({_told(movement)}), but {statement.words}"
                )
        if (stale := self._moved_along(analysis, used, changed)) is not None:
            return stale
        if (cited := self._cited(analysis)) is not None:
            return cited
        if (told := self._stated(analysis, used, changed)) is not None:
            return told
        for finding in self._findings:
            if (contradicted := _contradicted(finding, changed)) is not None:
                return contradicted
        if changed:
            return _undecided(
                f"The code changed ({_told(changed[0])}), and no spec says whether it may.", _facts(changed)
            )
        return _undecided("No change and no spec explains it.")

    def _relevant(self, analysis: Analysis, used: Uses) -> list[Movement]:
        """The changes of what code does, in what the test reaches."""
        names = reached(used.test | used.line, self._store, self._then)
        modules = {module for name in names if (module := self._module(name))}
        root = (
            analysis.root.function if analysis.root is not None and analysis.root.owner == "project" else ""
        )
        found = []
        for each in self._code:
            if each.cause in SHAPES and each.whole and each.cause is not Cause.PARAMETERS_REORDERED:
                continue
            name = each.subject.partition("#")[0]
            last = name.rpartition(".")[2]
            holder = name.rpartition(".")[0]
            is_value = each.cause in (Cause.CONSTANT_CHANGED, Cause.FIELD_CHANGED)
            if (
                name in names
                or last in used.members
                or last == root
                or (is_value and holder in (names | modules))
            ):
                found.append(each)
        return sorted(
            found,
            key=lambda each: (each.subject.partition("#")[0] not in used.line, each.cause == "body-changed"),
        )

    def _module(self, name: str) -> str:
        fact = next((f for f in self._witnesses.facts(self._witnesses.now(name)) if f.tag is Tag.CODE), None)
        if fact is None or fact.kind is Kind.MODULE:
            return name
        head = name
        while head and not any(
            f.kind is Kind.MODULE for f in self._witnesses.facts(self._witnesses.now(head))
        ):
            head = head.rpartition(".")[0]
        return head

    def _moved_along(self, analysis: Analysis, used: Uses, changed: list[Movement]) -> Judgement | None:
        """All that changed in what the test reaches, changed in the specs as well, or is but another order."""
        if not changed:
            return None
        explained: list[Movement] = []
        for each in changed:
            specs = self._supporting(each, analysis)
            if specs:
                explained += [each, *specs]
            elif each.cause is Cause.PARAMETERS_REORDERED and each.whole:
                if any(forbidding(each, self._witnesses)) or not _gives_by_place(each, used, self._witnesses):
                    return None
                explained.append(each)
            elif not _is_side_effect(each, changed, lambda other: bool(self._supporting(other, analysis))):
                return None
        specs_moved = any(each.side == "spec" for each in explained)
        return Judgement(
            ruling=Ruling.TEST_STALE,
            reason=f"Code and specs changed alike ({_told(explained[0])})."
            if specs_moved
            else f"Parameters have another order ({_told(explained[0])}), and the body is equal.",
            evidence=_facts(explained),
            explained_by=tuple(_distinct(explained)),
            confidence=0.9 if specs_moved else 0.85,
        )

    def _cited(self, analysis: Analysis) -> Judgement | None:
        """The test cites facts, and these are as they were."""
        moved = {identifier for each in self._movements if each.side == "spec" for identifier in each.facts}
        cited = self._witnesses.cited(analysis.node)
        if not cited or any(fact.id in moved for fact in cited):
            return None
        fact = cited[0]
        statement = Statement(Side.TEST, fact.id, "the test cites it, and it did not change")
        return _code_wrong(statement, (each.id for each in cited[1:]), f"{fact.id} is what the test checks")

    def _stated(self, analysis: Analysis, used: Uses, changed: list[Movement]) -> Judgement | None:
        called = [name for name, _ in used.calls]
        subjects = [*called, *(each.subject.partition("#")[0] for each in changed), *sorted(used.line)]
        found = list(statements(analysis, used, self._witnesses, list(dict.fromkeys(subjects))))
        sides = {each.side for each in found if each.weight >= _STRONG} or {each.side for each in found}
        if len(sides) != 1:
            return None
        best = max((each for each in found if each.side in sides), key=lambda each: each.weight)
        if best.weight < _STRONG and not changed:
            return None
        if best.side is Side.TEST:
            return _code_wrong(
                best, _facts(changed), f"The test expects what the spec of {best.fact} says: {best.words}"
            )
        return Judgement(
            ruling=Ruling.TEST_WRONG,
            reason=f"The test contradicts {best.fact}: {best.words}",
            evidence=(best.fact, *_facts(changed)),
            confidence=best.weight,
        )

    def _supporting(self, movement: Movement, analysis: Analysis) -> list[Movement]:
        return list(supporting(movement, self._movements, self._witnesses, analysis))


def _is_at_test(analysis: Analysis) -> bool:
    """Whether it was the test that failed in its use of the code, and not the code within."""
    return analysis.root is None or analysis.root.owner == "test" or is_of_tests(analysis.root.path)


def _gives_by_place(movement: Movement, used: Uses, witnesses: Witnesses) -> bool:
    """Whether the test gives several arguments by place to a function whose order changed."""
    owners = {movement.owner, movement.owner.removesuffix(".__init__")}
    return any(len(call.args) > 1 and witnesses.now(name) in owners for name, call in used.ran)


def _is_side_effect(
    movement: Movement, changed: Iterable[Movement], is_supported: Callable[[Movement], bool]
) -> bool:
    """Whether the change of a body or class is that of a value which a spec changed too, within it."""
    if movement.cause is not Cause.BODY_CHANGED or not movement.facts:
        return False
    is_holder = any(":class:" in each or ":module:" in each for each in movement.facts)
    return is_holder and any(
        other is not movement and other.subject.startswith(f"{movement.subject}.") and is_supported(other)
        for other in changed
    )


def _contradicted(finding: Finding, changed: Iterable[Movement]) -> Judgement | None:
    """A contradiction between a spec and what changed."""
    if finding.kind is not FindingKind.CONTRADICTION or finding.spec is None or finding.code is None:
        return None
    for each in changed:
        if finding.code.fact in each.facts:
            statement = Statement(Side.TEST, finding.spec.fact, finding.message, 0.85)
            return _code_wrong(statement, each.facts, f"The code changed ({_told(each)}): {finding.message}")
    return None


def _code_wrong(statement: Statement, facts: Iterable[str], reason: str) -> Judgement:
    return Judgement(
        ruling=Ruling.CODE_WRONG,
        reason=reason if reason.endswith(".") else f"{reason}.",
        evidence=tuple(dict.fromkeys((statement.fact, *facts))),
        confidence=statement.weight,
    )


def _undecided(reason: str, facts: Iterable[str] = ()) -> Judgement:
    return Judgement(ruling=Ruling.UNDECIDED, reason=reason, evidence=tuple(dict.fromkeys(facts)))


def _facts(movements: Iterable[Movement]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for each in movements for name in each.facts))


def _distinct(movements: Iterable[Movement]) -> list[Movement]:
    found: list[Movement] = []
    for each in movements:
        if each not in found:
            found.append(each)
    return found


def _told(movement: Movement) -> str:
    """A movement in words."""
    if (movement.before is None and movement.after is None) or movement.cause is Cause.BODY_CHANGED:
        return f"{movement.cause}: {movement.subject}"
    return f"{movement.cause}: {movement.subject}, {_shown(movement.before)} to {_shown(movement.after)}"


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
