"""The rule about assertions that hold whatever the code does."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind

_WHY = {
    "constant": "is true by itself",
    "mock": "asks a mock for an attribute, of which a mock has any, and all are true",
}
_FIX = {
    "constant": "Take the parentheses away, or assert what was meant.",
    "mock": "Call the method that asserts (`assert_called_once_with`), or ask `called`, `call_count`, `mock_calls`.",
}


@rule(Severity.WARNING, looks_at=Kind.TEST, kind=FindingKind.DEFECT, changes=("constant", "mock"))
def assertion_cannot_fail(pair: Pair) -> Iterator[Finding]:
    """A test's assertion holds whatever the code does, by its form.

    ## Why it matters
    The test counts as one, and would not notice any fault.

    ## How to fix
    Assert what was meant: `assert (total == 3, "wrong")` is a tuple and always true, and
    `assert mock.called_once_with(1)` asks a mock for an attribute.
    """
    for difference in pair.changed("constant", "mock"):
        yield pair.missing(
            f"{pair.subject.removeprefix('test ')}: `{difference.code}` cannot fail: it {_WHY[difference.change]}",
            hint=_FIX[difference.change],
            aspect="asserts",
        )
