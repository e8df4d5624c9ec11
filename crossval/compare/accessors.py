"""Compares whether a property can be set and deleted with what its stub says."""

from __future__ import annotations

from collections.abc import Sequence

from crossval.compare.annotations import Scope
from crossval.compare.decorators import decorator_names
from crossval.compare.discrepancies import Comparison, Discrepancy
from crossval.pairs import Difference, Stricter
from graph.facts import Fact, Kind

_PLAIN = frozenset({"property", "abc.abstractproperty", "abc.abstractmethod"})
_READ_ONLY = frozenset({"Final", "ReadOnly"})


def compare_accessors(
    spec: Sequence[Fact], code: Sequence[Fact], spec_scope: Scope, code_scope: Scope
) -> Comparison:
    """Where one side can be set or deleted and the other cannot: two properties, or an attribute and a property."""
    theirs = _accessors(code, code_scope)
    if theirs is None:
        return Comparison()
    if all(fact.kind is Kind.ATTRIBUTE for fact in spec):
        if "setter" in theirs or any(_is_read_only(fact) for fact in spec):
            return Comparison()
        return Comparison((_difference("setter", spec=True),))
    ours = _accessors(spec, spec_scope)
    if ours is None:
        return Comparison()
    # A setter that does nothing but raise says why there is none.
    refused = {fact.aspects.get("kind", "") for fact in code if fact.aspects.get("always_raises")}
    differ = sorted((ours - theirs) | (theirs - ours - refused))
    return Comparison(tuple(_difference(name, spec=name in ours) for name in differ))


def _accessors(facts: Sequence[Fact], scope: Scope) -> frozenset[str] | None:
    """Which of `setter` and `deleter` a plain property has; None where it is none, or not known to be plain."""
    kinds: set[str] = {fact.aspects.get("kind", "") for fact in facts}
    if not kinds <= {"property", "setter", "deleter"} or "property" not in kinds:
        return None
    getters = [fact for fact in facts if fact.aspects.get("kind") == "property"]
    plain = all(name in _PLAIN for getter in getters for name in decorator_names(getter, scope))
    return frozenset(kinds & {"setter", "deleter"}) if plain else None


def _is_read_only(attribute: Fact) -> bool:
    annotation: str = attribute.aspects.get("annotation") or ""
    parts = (part.strip().partition("[")[0].rpartition(".")[2] for part in annotation.split("|"))
    return not annotation or not _READ_ONLY.isdisjoint(parts)


def _difference(accessor: str, *, spec: bool) -> Discrepancy:
    tighter = Stricter.CODE if spec else Stricter.SPEC
    return Discrepancy("", Difference(change=accessor, spec=spec, code=not spec, stricter=tighter))
