"""Who is wrong: the rule of evidence, applied to one cluster of failures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crossval.findings import Finding
from graph.facts import Fact
from graph.store.store import Store
from healer.analysis import Analysis
from healer.evidence import Judgement, Ruling
from healer.healer import Lookup
from healer.movements import Movement


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
    return Judgement(ruling=Ruling.UNDECIDED, reason="No evidence says who is wrong.")
