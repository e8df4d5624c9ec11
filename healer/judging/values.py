"""Judges a failure in which the code does something else than the test expects.

What a spec still states makes the code wrong; what code and specs changed alike makes the test stale; what a spec
states otherwise than the test, and did not say differently before, makes the test wrong.
"""

from __future__ import annotations

from collections.abc import Iterable

from crossval.findings import Finding, FindingKind
from graph.facts import Kind, Tag
from healer.analysing.categories import called as called_in
from healer.analysis import Analysis, Category
from healer.evidence import Judgement, Ruling
from healer.judging.citing import backed
from healer.judging.crashing import crashed
from healer.judging.forbidding import forbidding
from healer.judging.known import Known
from healer.judging.otherwise import does_otherwise, gives_by_place, is_of_others, is_side_effect, word
from healer.judging.raising import unraised
from healer.judging.returning import returned
from healer.judging.rulings import all_told, code_wrong, distinct, facts, told, undecided
from healer.judging.served import is_of_operation, is_requested
from healer.judging.showing import documented
from healer.judging.statement import Side, Statement
from healer.judging.stating import kept_values, statements
from healer.judging.uses import Uses, reached
from healer.judging.witnesses import plain
from healer.judging.writing import kept_words, raised_in_words
from healer.movements import SHAPES, Cause, Movement

_STRONG = 0.85
_EXACT = 0.95
_MANY = 12
"""How many changes in what a test reaches are too many to say which of them a crash comes of."""
_OTHERWISE = frozenset({Category.ASSERTION_FAILURE, Category.OTHER_EXCEPTION})
_NOT_FORMAL = frozenset({*_OTHERWISE, Category.MOCK_ERROR})
_FORMS = ("signature", "documented", "kind", "exists", "bases", "exports", "deprecated")


def judge_value(analysis: Analysis, used: Uses, known: Known) -> Judgement:
    """The judgement about one test that got another value or exception than it expects."""
    return _Judging(analysis, used, known).judged()


class _Judging:
    def __init__(self, analysis: Analysis, used: Uses, known: Known) -> None:
        self._analysis = analysis
        self._used = used
        self._known = known
        self._witnesses = known.witnesses

    def judged(self) -> Judgement:
        """Who is wrong where the code does something else than the test expects."""
        changed = self._relevant() or [each for each in self._known.code if self._may_matter(each)]
        for movement, statement in (
            *kept_values(changed, self._witnesses),
            *kept_words(changed, self._known.documentation),
            *returned(changed, self._known),
            *unraised(self._analysis, changed, self._witnesses),
        ):
            if not self._known.supporting(movement, self._analysis):
                return code_wrong(
                    statement, movement.facts, f"The code changed ({told(movement)}), but {statement.words}"
                )
        if (stale := self._moved_along(changed)) is not None:
            return stale
        if (cited := backed(self._analysis, self._used, self._known)) is not None:
            return cited
        if (stated := self._stated(changed)) is not None:
            return stated
        for finding in self._known.findings:
            about = self._about(finding, changed)
            if (contradicted := _contradicted(finding, about)) is not None:
                return contradicted
        if (shown := self._shown(changed)) is not None:
            return shown
        if (crash := crashed(self._analysis, changed, self._witnesses)) and not self._is_written_otherwise():
            return code_wrong(crash, facts(changed), f"The code fails by itself: {crash.words}")
        if not changed and (given_up := self._given_up()) is not None:
            return given_up
        if changed:
            return undecided(
                f"The code changed ({all_told(changed)}), and no spec says whether it may.", facts(changed)
            )
        return undecided("No change and no spec explains it.")

    def _relevant(self) -> list[Movement]:
        """The changes of what code does, in what the test reaches."""
        names = reached(self._used.test | self._used.line, self._known.store, self._known.then)
        places = names | {self._module(name) for name in names}
        root = self._analysis.root
        inside = root.function if root is not None and root.owner == "project" else ""
        found = []
        for each in filter(does_otherwise, self._known.code):
            if is_of_operation(each):
                if self._may_matter(each):
                    found.append(each)
                continue
            name = plain(each.subject.partition("#")[0])
            holder, _, last = name.rpartition(".")
            is_value = each.cause in (Cause.CONSTANT_CHANGED, Cause.FIELD_CHANGED) and holder in places
            if name in names or last in self._used.members or last == inside or is_value:
                found.append(each)
        return sorted(found, key=self._remoteness)

    def _may_matter(self, movement: Movement) -> bool:
        """Whether a change is of what code does, and of no operation that the test does not request."""
        is_other = is_of_operation(movement) and not is_requested(movement, self._analysis, self._witnesses)
        return does_otherwise(movement) and not is_other

    def _remoteness(self, movement: Movement) -> tuple[bool, bool, bool]:
        name = plain(movement.subject.partition("#")[0])
        is_about_itself = movement.cause is Cause.CONSTANT_CHANGED and name.endswith("__")  # its version, say
        return name not in self._used.line, is_about_itself, movement.cause is Cause.BODY_CHANGED

    def _module(self, name: str) -> str:
        """The module that a name lies in, as it was called."""
        head = name
        while head and not any(
            fact.kind is Kind.MODULE and fact.tag is Tag.CODE
            for fact in self._witnesses.facts(self._witnesses.now(head))
        ):
            head = head.rpartition(".")[0]
        return head or name

    def _moved_along(self, changed: list[Movement]) -> Judgement | None:
        """All that the code does otherwise is what the specs changed as well; what else moved are names and forms."""
        explained: list[Movement] = []
        for each in filter(does_otherwise, self._known.code):
            specs = self._known.supporting(each, self._analysis)
            if specs:
                explained += [each, *specs]
            elif each.cause is Cause.PARAMETERS_REORDERED and each.whole:
                if any(forbidding(each, self._witnesses)) or not gives_by_place(
                    each, self._used, self._witnesses
                ):
                    return None
                explained.append(each)
            elif not is_side_effect(each, self._known.code, self._is_supported):
                return None
        explained += [each for each in self._known.code if self._is_written(each)]
        if not explained or not (changed or all(each.cause in SHAPES for each in explained)):
            return None
        specs_moved = any(each.side == "spec" for each in explained)
        return Judgement(
            ruling=Ruling.TEST_STALE,
            reason=f"Code and specs changed alike ({told(explained[0])})."
            if specs_moved
            else f"Only names and forms changed ({told(explained[0])}), and the code does the same as before.",
            evidence=facts(explained),
            explained_by=tuple(distinct(explained)),
            confidence=0.9 if specs_moved else 0.85,
        )

    def _is_supported(self, movement: Movement) -> bool:
        return bool(self._known.supporting(movement, self._analysis))

    def _is_written(self, movement: Movement) -> bool:
        """Whether a test writes what has another name or form now, and no spec forbids that.

        What fails by a name or a form tells by itself which one, so that this explains only other failures.
        """
        if self._analysis.category not in _OTHERWISE:
            return False
        if does_otherwise(movement) or any(forbidding(movement, self._witnesses)):
            return False
        return word(movement) in self._used.words

    def _given_up(self) -> Judgement | None:
        """A spec still has a name or form that the test writes, which nothing of the code has any more."""
        for each in self._known.code if self._analysis.category in _OTHERWISE else ():
            if not does_otherwise(each) and word(each) in self._used.words:
                for statement in forbidding(each, self._witnesses):
                    reason = f"The code changed ({told(each)}), but {statement.words}"
                    return code_wrong(statement, each.facts, reason)
        return None

    def _is_written_otherwise(self) -> bool:
        """Whether the test names what has another name or form now: a crash may come of that."""
        moved = {
            plain(each.subject.partition("#")[0]).rpartition(".")[2]
            for each in self._known.code
            if each.cause in SHAPES
        }
        return bool(moved & self._used.words)

    def _may_be_used_otherwise(self, changed: list[Movement]) -> bool:
        """Whether a crash may come of how the test uses the code: names or forms are others, or so much is that nobody
        can tell what it comes of."""
        callee = (
            called_in(self._analysis.message) if self._analysis.category is Category.SIGNATURE_ERROR else ""
        )
        is_called_otherwise = bool(callee) and any(
            f".{each.owner}".endswith(f".{callee}") and each.cause is not Cause.BODY_CHANGED
            for each in self._known.code
        )
        is_foreign = is_of_others(self._analysis.message, self._witnesses)
        return is_called_otherwise or is_foreign or len(changed) > _MANY or self._is_written_otherwise()

    def _at_fault(self, changed: list[Movement]) -> list[Movement]:
        """The changes that an exception can come of: of what it was raised in, or the only one that there is."""
        names = [plain(each.subject.partition("#")[0]) for each in changed]
        if len(set(names)) == 1:
            return changed
        root = self._analysis.root
        is_inside = root is not None and root.owner == "project"
        fact = self._witnesses.around(root.path, root.line) if root is not None and is_inside else None
        inside = plain(fact.key) if fact is not None else ""
        pairs = zip(changed, names, strict=True)
        return [each for each, name in pairs if self._witnesses.now(name) == inside]

    def _about(self, finding: Finding, changed: list[Movement]) -> list[Movement]:
        """The changes that a finding may be about: one of a form is about what the test calls by itself, or where an
        exception was raised, and about values only where it is of a default."""
        if not finding.aspect.startswith(_FORMS):
            return changed
        if self._analysis.category in _NOT_FORMAL and not finding.aspect.endswith(".default"):
            return []
        near = {self._witnesses.now(plain(name)) for name, _ in self._used.calls}
        near |= {plain(each.subject.partition("#")[0]) for each in self._at_fault(changed)}
        return [each for each in changed if plain(each.subject.partition("#")[0]) in near]

    def _shown(self, changed: list[Movement]) -> Judgement | None:
        """An example of a docstring held before the change and does not now.

        Where names or forms moved, an example that was not moved along says nothing.
        """
        if not changed or any(each.cause in SHAPES for each in self._known.code):
            return None
        candidates = documented(self._used, changed, self._witnesses)
        broken = self._known.shown(candidates) if candidates else {}
        for fact in candidates:
            if fact.id in broken:
                words = broken[fact.id]
                statement = Statement(Side.TEST, fact.id, words, 0.9)
                return code_wrong(
                    statement,
                    facts(changed),
                    f"The code changed ({told(changed[0])}), and of {fact.id} {words}",
                )
        return None

    def _stated(self, changed: list[Movement]) -> Judgement | None:
        called = [name for name, _ in self._used.calls]
        subjects = [
            *called,
            *(plain(each.subject.partition("#")[0]) for each in changed),
            *sorted(self._used.line),
        ]
        found = list(statements(self._analysis, self._used, self._witnesses, list(dict.fromkeys(subjects))))
        if changed and not found:
            found += raised_in_words(
                self._analysis, called, self._at_fault(changed), self._known.documentation
            )
        sides = {each.side for each in found if each.weight >= _STRONG} or {each.side for each in found}
        if len(sides) != 1:
            return None
        best = max((each for each in found if each.side in sides), key=lambda each: each.weight)
        if best.weight < _STRONG and (not changed or self._may_be_used_otherwise(changed)):
            return None
        if best.side is Side.CODE and changed and best.weight < _EXACT:
            return None  # the test agreed with the code as it was: only a spec of this very call says more than that
        if best.side is Side.TEST:
            return code_wrong(
                best, facts(changed), f"The test expects what the spec of {best.fact} says: {best.words}"
            )
        return Judgement(
            ruling=Ruling.TEST_WRONG,
            reason=f"The test contradicts {best.fact}: {best.words}",
            evidence=(best.fact, *facts(changed)),
            confidence=best.weight,
        )


def _contradicted(finding: Finding, changed: Iterable[Movement]) -> Judgement | None:
    """A contradiction between a spec and what changed; one about a form was there before a body changed."""
    if finding.kind is not FindingKind.CONTRADICTION or finding.spec is None or finding.code is None:
        return None
    for each in changed:
        is_older = each.cause is Cause.BODY_CHANGED and finding.aspect.startswith(_FORMS)
        if finding.code.fact in each.facts and not is_older:
            statement = Statement(Side.TEST, finding.spec.fact, finding.message, 0.85)
            return code_wrong(statement, each.facts, f"The code changed ({told(each)}): {finding.message}")
    return None
