"""The rule about the defaults of arguments."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Pair, Stricter
from crossval.rules.rule import rule
from crossval.wording import say_python
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, changes=("default-type", "default"))
def argument_default_mismatch(pair: Pair) -> Iterator[Finding]:
    """An argument has a default on one side only, or another one.

    ## Why it matters
    A call that leaves the argument out type-checks and fails with a `TypeError`, or does something else than the
    stub says. Where only the code has a default, nobody who relies on the stub can leave it out: a warning. That a stub
    gives `None` to what it types otherwise is a note: who passes `None` is told that this is wrong.

    ## How to fix
    Give the argument the same default on both sides; `...` in the stub stands for any.
    """
    for difference in pair.changed("default-type"):
        message = (
            f"The default of argument {pair.name} of {pair.subject} is {say_python(difference.code)} in the code, "
            f"but the {pair.promise} gives the argument the type {difference.spec}"
        )
        finding = pair.differs(difference, message, hint=f"Let the type of {pair.name} admit its default.")
        if difference.stricter is not Stricter.SPEC:
            yield finding
        elif pair.spec_fact is not None and pair.spec_fact.source.path.endswith(".pyi"):
            yield judged(finding, Severity.NOTE)
    for difference in pair.changed("default"):
        argument = f"argument {pair.name} of {pair.subject}"
        match difference.stricter:
            case Stricter.CODE:
                message = f"The {pair.promise} gives {argument} a default, but the code requires it"
            case Stricter.SPEC:
                message = f"The {pair.promise} requires {argument}, but the code gives it a default"
            case _:
                spec, code = say_python(difference.spec), say_python(difference.code)
                values = f"{spec} in the {pair.promise}, but {code} in the code"
                message = f"The default of {argument} is {values}"
        finding = pair.differs(difference, message, hint=f"Give {pair.name} the same default on both sides.")
        yield judged(finding, severity(pair, difference))
