"""What the facts that a test cites say of its failure: they did not change, so the code is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from graph.facts import Fact, Kind
from healer.analysis import Analysis, Category
from healer.evidence import Judgement
from healer.judging.known import Known
from healer.judging.rulings import code_wrong
from healer.judging.statement import Side, Statement
from healer.judging.uses import Uses


def backed(analysis: Analysis, used: Uses, known: Known) -> Judgement | None:
    """That the code is wrong, where a test cites facts, and these are as they were; None where nothing is said.

    What a test only infers, no fact backs; nor does one say anything of what fails before the test comes to it.
    """
    if analysis.is_inferred:
        return None
    moved = {identifier for each in known.movements if each.side == "spec" for identifier in each.facts}
    cited = known.witnesses.cited(analysis.node)
    if not cited or any(fact.id in moved for fact in cited) or _fails_before(analysis, used, cited):
        return None
    fact = cited[0]
    statement = Statement(Side.TEST, fact.id, "the test cites it, and it did not change")
    return code_wrong(statement, (each.id for each in cited[1:]), f"{fact.id} is what the test checks")


def _fails_before(analysis: Analysis, used: Uses, cited: Sequence[Fact]) -> bool:
    """Whether the test raises something, as it makes an object, before it calls any function that it cites."""
    if analysis.category is Category.ASSERTION_FAILURE or any(
        fact.kind is not Kind.FUNCTION for fact in cited
    ):
        return False
    names = {fact.unnumbered.rpartition(".")[2] for fact in cited}
    lines = [call.lineno for name, call in (*used.ran, *used.untold) if name.rpartition(".")[2] in names]
    return bool(lines) and 0 < analysis.line < min(lines)
