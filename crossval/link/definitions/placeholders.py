"""Names that a class of the code sets to `None` where its stub has a method."""

from __future__ import annotations

from collections.abc import Sequence

from crossval.compare.discrepancies import Comparison, Discrepancy
from crossval.link.names.found import Found
from crossval.link.names.heirs import Heirs
from crossval.link.names.kinds import kind_name
from crossval.link.names.lookup import Lookup
from crossval.link.names.metaclasses import sets_names
from crossval.link.names.publicity import is_special
from crossval.pairs import Difference
from graph.facts import Fact, Kind


def compare_placeholder(spec: Sequence[Fact], found: Found, heirs: Heirs, lookup: Lookup) -> Comparison:
    """That the stub's method is `None` in the code; nothing where instances or classes that derive may have one."""
    fact = found.facts[0]
    if len(found.facts) != 1 or fact.kind is not Kind.ATTRIBUTE or fact.aspects.get("value") != "None":
        return Comparison()
    if any(each.kind is not Kind.FUNCTION or kind_name(each) == "property" for each in spec):
        return Comparison()
    open_ = ("annotation", "guard", "instance", "of_instances")
    if found.module is None or "." not in found.local or any(map(fact.aspects.get, open_)):
        return Comparison()
    parent, _, name = found.local.rpartition(".")
    # Special methods are looked for in the class alone, whatever its instances are given.
    filled = not is_special(name) and sets_names(lookup, found.module, parent)
    if filled or heirs.define(found.module, found.local):
        return Comparison()
    difference = Difference(change="kind", spec=kind_name(spec[0]), code="attribute")
    return Comparison((Discrepancy("", difference),))
