"""The rule about what `from module import *` brings."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged
from crossval.findings import Finding, Severity
from crossval.pairs import Pair, Stricter
from crossval.rules.rule import rule
from crossval.wording import listing
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.MODULE, changes=("exports",))
def exports_mismatch(pair: Pair) -> Iterator[Finding]:
    """The lists `__all__` of the stub and of the code name different things.

    ## Why it matters
    `from module import *` brings other names than type checkers believe. A name that only the stub lists is an error,
    one that only the code lists a warning, a list that only one side has a note.

    ## How to fix
    Write the same names into both lists.
    """
    for difference in pair.changed("exports"):
        if difference.spec is None:
            message, level = f"The code of {pair.subject} has __all__, but its stub has none", Severity.NOTE
        elif difference.code is None:
            message, level = f"The stub of {pair.subject} has __all__, but its code has none", Severity.NOTE
        elif difference.stricter is Stricter.SPEC:
            message = (
                f"__all__ of {pair.subject} has {listing(difference.code)} in the code, but not in the stub"
            )
            level = Severity.WARNING
        else:
            message = (
                f"__all__ of {pair.subject} has {listing(difference.spec)} in the stub, but not in the code"
            )
            if difference.code:
                message += f", where it has {listing(difference.code)} instead"
            level = Severity.ERROR
        finding = pair.differs(difference, message, hint="Write the same names into both lists.")
        yield judged(finding, level)
