"""Compares what docstrings say of parameters and exceptions with what the code takes and raises."""

from __future__ import annotations

from collections.abc import Callable, Collection

from crossval.compare.discrepancies import Comparison, Discrepancy
from crossval.compare.parameters import VAR_KEYWORD, VAR_POSITIONAL
from crossval.compare.typenames import standard_class
from crossval.findings import witness
from crossval.pairs import Difference, Pair, Stricter
from graph.facts import Fact, Json, Kind

Ancestors = Callable[[str], Collection[str] | None]
"""The last components of the names of an exception's ancestors, itself included; None where they are not known."""

_UNSPOKEN = frozenset({"NotImplementedError", "AssertionError", "StopIteration", "StopAsyncIteration"})


def compare_documented_parameters(spec: Fact, code: Fact) -> Comparison:
    """The parameters that a docstring of the stub, else of the code, describes and neither side takes.

    What a property describes may be those of what it gives.
    """
    described = _documented(spec) or [name for name, _ in code.aspects.get("described_unknown", ())]
    rows: list[Json] = code.aspects.get("parameters", [])
    if not described or code.aspects.get("kind") == "property":
        return Comparison()
    if any(row[1] in {VAR_POSITIONAL, VAR_KEYWORD} for row in rows):
        return Comparison()
    taken = [row[0] for row in rows]
    declared = [row[0] for row in spec.aspects.get("parameters", [])]
    unknown = [name for name in described if name not in taken and name not in declared]
    if not unknown:
        return Comparison()
    difference = Difference(change="documented", spec=unknown, code=taken, stricter=Stricter.CODE)
    return Comparison((Discrepancy("", difference),))


def description_pair(function: Fact) -> Pair:
    """The pair of a function and its own docstring, which describes parameters that it does not take."""
    unknown = function.aspects["described_unknown"]
    difference = Difference(
        change="documented",
        spec=[name for name, _ in unknown],
        code=[row[0] for row in function.aspects.get("parameters", ())],
        stricter=Stricter.CODE,
        spec_line=unknown[0][1],
    )
    return Pair(
        kind=Kind.FUNCTION,
        subject=f"function {function.unnumbered}",
        place="",
        name=function.name,
        spec=witness(function),
        code=witness(function),
        spec_fact=function,
        code_fact=function,
        differences=(difference,),
    )


def compare_documented_exceptions(spec: Fact, code: Fact, ancestors: Ancestors) -> Comparison:
    """The exceptions that the code raises itself although the stub's docstring lists others only."""
    doc: dict[str, Json] = spec.aspects.get("doc") or {}
    documented = {_last(name) for name, _ in doc.get("raises", [])}
    if not documented:
        return Comparison()
    undocumented: dict[str, int] = {}
    for text, line in code.aspects.get("raises", []):
        known = ancestors(text)
        if _last(text) in _UNSPOKEN | documented or known is None or not documented.isdisjoint(known):
            continue
        if not any(_is_kind_of(each, _last(text)) for each in documented):
            undocumented.setdefault(_last(text), line)
    if not undocumented:
        return Comparison()
    line = next(iter(undocumented.values()))
    difference = Difference(
        change="raises",
        spec=sorted(documented),
        code=sorted(undocumented),
        stricter=Stricter.SPEC,
        code_line=line,
    )
    return Comparison((Discrepancy("", difference),))


def _documented(function: Fact) -> list[str]:
    doc: dict[str, Json] = function.aspects.get("doc") or {}
    return list(doc.get("params", {}))


def _is_kind_of(name: str, wider: str) -> bool:
    """Whether one standard exception derives from another."""
    first, second = standard_class(name), standard_class(wider)
    return first is not None and second is not None and issubclass(first, second)


def _last(name: str) -> str:
    return name.rpartition(".")[2]
