"""Compares what decorators say of a definition without changing it: final, abstract, deprecated."""

from __future__ import annotations

from crossval.compare.annotations import Scope
from crossval.compare.decorators import decorator_names
from crossval.compare.discrepancies import Comparison, Discrepancy
from crossval.pairs import Difference, Stricter
from graph.facts import Fact

_MARKERS = {
    "typing.final": "final",
    "abc.abstractmethod": "abstract",
    "abc.abstractproperty": "abstract",
    "abc.abstractclassmethod": "abstract",
    "abc.abstractstaticmethod": "abstract",
    "warnings.deprecated": "deprecated",
    "typing.deprecated": "deprecated",
}


def markers(fact: Fact, scope: Scope) -> list[str]:
    """What the decorators of a definition say of it: `abstract`, `deprecated`, `final`."""
    names = decorator_names(fact, scope)
    return sorted({_MARKERS[name] for name in names if name in _MARKERS}) if names else []


def compare_markers(spec: Fact, code: Fact, spec_scope: Scope, code_scope: Scope) -> Comparison:
    """The markers that the code has and the stub lacks. A stub may say more than the code enforces."""
    theirs = markers(code, code_scope)
    if not theirs:
        return Comparison()
    ours = markers(spec, spec_scope)
    if set(theirs) <= set(ours):
        return Comparison()
    difference = Difference(change="marker", spec=ours, code=theirs, stricter=Stricter.CODE)
    return Comparison((Discrepancy("", difference),))
