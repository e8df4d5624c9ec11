"""What is known to judge by, gathered once for all tests of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crossval.findings import Finding
from graph.facts import Fact
from graph.store.store import Store
from healer.analysis import Analysis
from healer.healer import Lookup
from healer.judging.documenting import Documentation
from healer.judging.showing import Shown, nothing_shown
from healer.judging.supporting import supporting
from healer.judging.witnesses import Witnesses
from healer.movements import NAMES, Movement


def nothing(_: str) -> Fact | None:
    """What is known of facts where nobody has them."""
    return None


def unread(_: str) -> str | None:
    """What the files are where nobody reads them."""
    return None


class Known:
    """Movements, `code` those of the code, `then` from names now to names then, what witnesses say, findings,
    which documented examples are broken, `before`, the facts as they were, and what is written about definitions."""

    def __init__(
        self,
        movements: Sequence[Movement],
        store: Store,
        findings: Sequence[Finding],
        shown: Shown = nothing_shown,
        before: Lookup = nothing,
        read: Callable[[str], str | None] = unread,
    ) -> None:
        self.movements = tuple(movements)
        self.code = [each for each in movements if each.side == "code"]
        names = {each.subject: str(each.after) for each in self.code if each.cause in NAMES and each.after}
        self.then = {new: old for old, new in names.items()}
        self.store = store
        self.witnesses = Witnesses(store, names)
        self.findings = tuple(findings)
        self.shown = shown
        self.before = before
        self.documentation = Documentation(read, self.witnesses)

    def supporting(self, movement: Movement, analysis: Analysis) -> list[Movement]:
        """The movements of specs that say what a movement of the code did."""
        return list(supporting(movement, self.movements, self.witnesses, analysis))
