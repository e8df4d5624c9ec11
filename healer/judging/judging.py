"""Who is wrong: the rule of evidence, applied to one cluster of failures.

A test is stale only by a movement that explains its very failure and that no spec forbids: a change of name or form
whose body is proven to be equal, or a change that the specs made too. What the specs still say as the test does makes
the code wrong. All else is for a person to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from crossval.findings import Finding
from graph.facts import Kind
from graph.store.store import Store
from healer.analysis import Analysis, Category
from healer.evidence import Judgement, Ruling
from healer.healer import Lookup
from healer.judging.explaining import explanations, is_warning
from healer.judging.forbidding import forbidding
from healer.judging.known import Known, nothing
from healer.judging.otherwise import does_otherwise
from healer.judging.rulings import code_wrong, distinct, facts, told, undecided
from healer.judging.showing import Shown, nothing_shown
from healer.judging.statement import Side, Statement
from healer.judging.uses import Uses, uses
from healer.judging.values import judge_value
from healer.judging.witnesses import plain
from healer.movements import SHAPES, Cause, Movement
from healer.reading.suite import Suite, is_of_tests
from healer.reading.world import World

_HANDING_ON = ("__getattr__", "__getattribute__")
_LOOKED_AT = 20
"""How many tests of one cluster are looked at: they share their cause."""
_FORMS = frozenset(
    {Category.IMPORT_ERROR, Category.ATTRIBUTE_ERROR, Category.MOCK_ERROR, Category.SIGNATURE_ERROR}
    | {Category.FIXTURE_ERROR, Category.NAME_ERROR}
)


def judge(
    cluster: Sequence[Analysis],
    movements: Sequence[Movement],
    *,
    store: Store,
    read: Callable[[str], str | None],
    then: Lookup = nothing,
    findings: Sequence[Finding] = (),
    shown: Shown = nothing_shown,
) -> Judgement:
    """The judgement about a cluster of failures that share a root cause.

    `movements` are what changed since its tests last passed, `store` has the facts of now, `read` gives the text of a
    file of the project, `then` the facts as of when the tests last passed, `findings` are those of today, `shown` tells
    which documented examples do not hold any more.
    """
    known = Known(movements, store, findings, shown, then, read)
    world = World(then if then is not nothing else known.witnesses.named)
    judging = _Judging(known, Suite(read, world))
    found = [judging.of(each) for each in cluster[:_LOOKED_AT]]
    rulings = {each.ruling for each in found}
    if len(rulings) == 1:
        return max(found, key=lambda each: each.confidence)
    if rulings == {Ruling.CODE_WRONG, Ruling.UNDECIDED}:
        return next(each for each in found if each.ruling is Ruling.CODE_WRONG)
    return undecided(
        "The tests of this cluster do not agree about who is wrong.",
        (name for each in found for name in each.evidence),
    )


class _Judging:
    """Judges the tests of one cluster, one by one."""

    def __init__(self, known: Known, suite: Suite) -> None:
        self._known = known
        self._suite = suite
        self._witnesses = known.witnesses

    def of(self, analysis: Analysis) -> Judgement:
        """The judgement about one test."""
        if analysis.category is Category.TIMEOUT:
            return undecided("It did not end in time, which says nothing about who is wrong.")
        if analysis.category is Category.SYNTAX_ERROR:
            return undecided("A file cannot be parsed.")
        if analysis.category is Category.ENVIRONMENT or self._is_foreign(analysis):
            return self._environment(analysis)
        used = uses(analysis, self._suite)
        if _is_at_test(analysis) or _is_handed_on(analysis, used) or is_warning(analysis):
            explained = list(explanations(analysis, self._known.movements, used, self._witnesses))
            if explained:
                return self._of_form(analysis, [self._narrowed(each, used) for each in explained])
            if (missing := self._missing(analysis, used)) is not None:
                return missing
        return judge_value(analysis, used, self._known)

    def _is_foreign(self, analysis: Analysis) -> bool:
        """Whether a module is missing that neither is nor was one of the project."""
        if analysis.exception != "ModuleNotFoundError" or not analysis.symbol:
            return False
        top = analysis.symbol.partition(".")[0]
        moved = {each.subject.partition(".")[0] for each in self._known.code}
        moved |= {
            part for each in self._known.movements if each.side == "test" for part in each.subject.split(".")
        }
        return top not in moved and not self._witnesses.facts(top)

    def _environment(self, analysis: Analysis) -> Judgement:
        root = analysis.root
        words = analysis.message.partition("\n")[0] or "the sandbox or the environment got in the way"
        is_in_code = root is not None and root.owner == "project" and not is_of_tests(root.path)
        if self._known.code and (is_in_code or not self._is_foreign(analysis)):
            where = f" in {root.path}" if root is not None else ""
            return undecided(
                f"The environment may lack something ({words}){where}, but the code changed too.",
                (name for each in self._known.code[:_LOOKED_AT] for name in each.facts),
            )
        return Judgement(
            ruling=Ruling.ENVIRONMENT, reason=f"The environment lacks something: {words}", confidence=0.9
        )

    def _narrowed(self, movement: Movement, used: Uses) -> Movement:
        """A module that has another name is the same for a test where all is equal that the test uses of it."""
        if movement.cause is not Cause.MODULE_RENAMED or movement.whole or movement.side != "code":
            return movement
        before, after = movement.subject, str(movement.after)
        names = {name for name in used.test | used.line if name.startswith(f"{before}.")}
        kept = [self._witnesses.code(f"{after}{name[len(before) :]}") for name in names]
        if not names or any(fact is None or fact.kind is Kind.MODULE for fact in kept):
            return movement
        is_same = not any(
            does_otherwise(each) and f"{plain(each.subject.partition('#')[0])}.".startswith(f"{plain(name)}.")
            for each in self._known.code
            for name in names
        )
        return msgspec.structs.replace(movement, whole=is_same)

    def _of_form(self, analysis: Analysis, explained: list[Movement]) -> Judgement:
        """What changed explains the failure by itself: may it?"""
        backed = {id(each): self._known.supporting(each, analysis) for each in explained}
        for each in explained:
            if backed[id(each)]:
                continue
            for statement in forbidding(each, self._witnesses):
                return code_wrong(
                    statement, each.facts, f"The code changed ({told(each)}), but {statement.words}"
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
            return undecided(f"This would explain it: {told(each)}; but {why}.", each.facts)
        first = explained[0]
        specs = [other for each in explained for other in backed[id(each)]]
        return Judgement(
            ruling=Ruling.TEST_STALE,
            reason=f"The {'tests' if first.side == 'test' else 'code'} changed ({told(first)}) and "
            f"{'have' if first.side == 'test' else 'does'} the same as before."
            if not specs
            else f"Code and specs changed alike ({told(first)}).",
            evidence=facts((*explained, *specs)),
            explained_by=tuple(distinct((*explained, *specs))),
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
                    return code_wrong(statement, (), f"The code has no `{name}`, but {statement.words}")
        return None


def _is_handed_on(analysis: Analysis, used: Uses) -> bool:
    """Whether a keyword that the test gives is what a function of the code hands on to another one, which lacks it."""
    is_unexpected = analysis.category is Category.SIGNATURE_ERROR and bool(analysis.symbol)
    return is_unexpected and any(
        keyword.arg == analysis.symbol for _, call in used.calls for keyword in call.keywords
    )


def _is_at_test(analysis: Analysis) -> bool:
    """Whether it was the test that failed in its use of the code, and not the code within."""
    root = analysis.root
    if root is None or root.owner == "test" or is_of_tests(root.path):
        return True
    return root.function in _HANDING_ON and analysis.category is Category.ATTRIBUTE_ERROR
