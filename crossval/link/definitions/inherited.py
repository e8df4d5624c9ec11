"""Compares a stub's method with what stands for it where the code's class does not define it: one that it inherits from
the standard library, or its other constructor."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from crossval.compare.discrepancies import Comparison
from crossval.compare.markers import compare_markers
from crossval.link.definitions.publications import is_about_calls
from crossval.link.names.constructors import other_constructor
from crossval.link.names.found import Found
from crossval.link.names.kinds import compare_variants
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Module
from crossval.link.names.publicity import is_special
from crossval.link.names.standard import inherited_method
from graph.facts import Fact, Kind

_OF_TYPES = frozenset({"returns", "returned", "ends", "type"})


def compare_inherited(
    stub: Module, spec: Sequence[Fact], in_code: Lookup, code: Module, local: str
) -> tuple[Fact, Comparison] | None:
    """What stands for a method of a stub (`Cart.get`) that the code does not define itself, and how it differs from it.

    None where that is not known.
    """
    if any(fact.kind is not Kind.FUNCTION or fact.aspects.get("kind") == "property" for fact in spec):
        return None
    other = other_constructor(in_code, code, local)
    if other is not None and other.module is not None:
        variants = compare_variants(spec, other.facts, stub.scope, other.module.scope)
        return other.facts[0], Comparison(tuple(filter(is_about_calls, variants.discrepancies)))
    inherited = inherited_method(in_code, code, local)
    if inherited is None:
        return None
    compared = compare_markers(spec[0], inherited, stub.scope, code.scope)
    if not is_special(spec[0].name):
        variants = compare_variants(spec, (inherited,), stub.scope, code.scope)
        compared += Comparison(tuple(filter(is_about_calls, variants.discrepancies)))
    return inherited, compared


def without_inherited_types(
    comparison: Comparison,
    in_stubs: Lookup,
    stub: Module,
    local: str,
    in_code: Lookup,
    code: Module,
    found: Found,
) -> Comparison:
    """A comparison without differing types, where a stub's class declares anew what the code's inherits.

    Both have the ancestor that defines it: the stub says so since what it gives is another thing in the heir, such as a
    result that has to be awaited. How it is called is the same.
    """
    parent = local.rpartition(".")[0]
    class_ = in_code.find(code, parent) if parent and comparison.discrepancies else None
    holder = found.local.rpartition(".")[0]
    if class_ is None or class_.module is None or not holder:
        return comparison
    if class_.module is found.module and class_.local == holder:
        return comparison
    lineage = in_stubs.lineage(stub, parent)
    if not lineage.outside and holder.rpartition(".")[2] not in lineage.ancestors:
        return comparison
    kept = (each for each in comparison.discrepancies if each.difference.change not in _OF_TYPES)
    return msgspec.structs.replace(comparison, discrepancies=tuple(kept))
