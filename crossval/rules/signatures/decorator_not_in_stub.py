"""The rule about what decorators of the code say and its stub leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, listing
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=(Kind.FUNCTION, Kind.CLASS), changes=("marker",))
def decorator_not_in_stub(pair: Pair) -> Iterator[Finding]:
    """The code marks a function or class as abstract, final or deprecated, and its stub does not.

    ## Why it matters
    Type checkers read the stub alone: they let pass what overrides a final method, calls a deprecated function or
    makes an instance of an abstract class, which fails when it runs.

    ## How to fix
    Write the decorator in the stub as well.
    """
    for difference in pair.changed("marker"):
        missing = [marker for marker in difference.code if marker not in difference.spec]
        yield pair.differs(
            difference,
            f"{capital(pair.subject)} is {listing(missing)} in the code, but not in the stub",
            hint="Write the decorator in the stub as well.",
        )
