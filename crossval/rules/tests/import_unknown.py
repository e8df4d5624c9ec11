"""The rule about names that tests import from the project, and that are not there."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.TEST, kind=FindingKind.DEFECT, changes=("imports",))
def import_unknown(pair: Pair) -> Iterator[Finding]:
    """A test file imports a name from a module of the project that has none such, and no spec promises it.

    ## Why it matters
    None of the tests in the file can run.

    ## How to fix
    Import the name that the module has, or write what the tests are waiting for.
    """
    for difference in pair.changed("imports"):
        owner = difference.spec
        name = pair.name.removeprefix(f"{owner}.")
        yield pair.missing(
            f"{pair.subject.removeprefix('file ')} imports {name} from {owner}, which has no such name",
            hint=f"Import a name that {owner} has.",
            aspect=f"imports.{pair.name}",
        )
