"""The rule about exceptions that a stub's docstring does not list."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, listing
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.FUNCTION, changes=("raises",))
def exception_undocumented(pair: Pair) -> Iterator[Finding]:
    """The code raises an exception that the stub's docstring, which lists exceptions, leaves out.

    ## Why it matters
    Callers catch what is documented; the other exception goes through.

    ## How to fix
    Raise what the docstring says, or add the exception to it.
    """
    for difference in pair.changed("raises"):
        yield pair.differs(
            difference,
            f"{capital(pair.subject)} documents {listing(difference.spec)} in the {pair.promise}, "
            f"but the code raises {listing(difference.code)}",
            hint="Raise what the docstring says, or add the exception to it.",
        )
