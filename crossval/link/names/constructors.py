"""The constructors that dataclasses, classes of `attrs` and named tuples get from their fields, and `__new__` in place
of `__init__`."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from crossval.compare.discrepancies import Comparison, Discrepancy
from crossval.compare.parameters import KEYWORD_ONLY, POSITIONAL_OR_KEYWORD
from crossval.compare.signatures import compare_functions
from crossval.link.names.class_fields import Field, fields, is_named_tuple
from crossval.link.names.class_options import Options, options
from crossval.link.names.found import Found, Presence
from crossval.link.names.functional import UNKNOWN_DEFAULT
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Module
from crossval.pairs import Stricter
from graph.facts import Fact, Json, Kind

# Bases that neither have fields nor make anything.
_WITHOUT_FIELDS = frozenset({("abc", "ABC"), ("typing", "Generic"), ("typing", "Protocol")})
_OTHER = {"__init__": "__new__", "__new__": "__init__"}
_ORDERED = frozenset({"order", "default", "kind"})


class Constructor(msgspec.Struct, frozen=True):
    """A constructor as a function's fact, whether a class's fields make it, and the names that the class itself has."""

    fact: Fact
    module: Module
    generated: bool
    names: frozenset[str] = frozenset()


def constructor(lookup: Lookup, found: Found) -> Constructor | None:
    """The `__init__` of a class: written out in it or a class of the project, or made of fields; else None."""
    module, local = found.module, found.local
    if module is None or len(found.facts) != 1:
        return None
    made = None
    if f"{local}.__init__" not in module.definitions:
        made = _made(lookup, module, found.facts[0], local)
    if made is None:
        inner = lookup.find(module, f"{local}.__init__")
        if inner.presence is Presence.PRESENT and inner.module is not None and len(inner.facts) == 1:
            return Constructor(inner.facts[0], inner.module, generated=False)
        made = _inherited_constructor(lookup, module, local)
    names = frozenset(module.members.get(local, ()))
    return msgspec.structs.replace(made, names=names) if made is not None else None


def _made(lookup: Lookup, module: Module, class_: Fact, local: str) -> Constructor | None:
    """The constructor that the fields of a class make, if they do."""
    rows = _generated(lookup, module, class_, local)
    if rows is None:
        return None
    fact = msgspec.structs.replace(
        class_,
        kind=Kind.FUNCTION,
        key=f"{class_.key}.__init__",
        name="__init__",
        aspects={"kind": "method", "parameters": rows, "returns": "None", "decorators": []},
    )
    return Constructor(fact, module, generated=True)


def _inherited_constructor(lookup: Lookup, module: Module, local: str) -> Constructor | None:
    """The constructor that fields make of the nearest ancestor that has one, where the class itself makes none."""
    lineage = lookup.lineage(module, local)
    if lineage.unknown_special or lineage.metaclass:
        return None
    for owner, name in lineage.classes:
        facts = owner.definitions.get(name, ())
        if len(facts) != 1 or f"{name}.__init__" in owner.definitions:
            return None
        if options(lookup, owner, facts[0]) is not None or is_named_tuple(owner, facts[0]):
            return _made(lookup, owner, facts[0], name) if owner is not module or name != local else None
    return None


def compare_constructors(spec: Constructor, code: Constructor) -> Comparison:
    """How two constructors differ of which one at least is generated; what the fields tell themselves is left out."""
    compared = compare_functions(spec.fact, code.fact, spec.module.scope, code.module.scope)
    both = spec.generated and code.generated
    shared = spec.names & code.names

    def tells_more(found: Discrepancy) -> bool:
        change = found.difference.change
        if change in ("missing", "extra"):
            return found.place.rpartition(".")[2] in shared
        return _is_about_order(change, found.difference.stricter)

    kept = (
        found
        for found in compared.discrepancies
        if found.place and found.difference.change != "type" and (not both or tells_more(found))
    )
    return Comparison(tuple(kept))


def is_generated(lookup: Lookup, module: Module, local: str) -> bool:
    """Whether a class's own decorator or base makes its constructor, even if the fields are not known."""
    return any(
        options(lookup, owner, fact) is not None or is_named_tuple(owner, fact)
        for owner, name in lookup.lineage(module, local).classes
        for fact in owner.definitions.get(name, ())
    )


def _is_about_order(change: str, stricter: Stricter) -> bool:
    return change in _ORDERED and (change != "default" or stricter is not Stricter.NEITHER)


def _generated(lookup: Lookup, module: Module, class_: Fact, local: str) -> list[Json] | None:
    """The parameters that the fields of a class make; None where they make none, or not all are known."""
    if is_named_tuple(module, class_):
        made = None if f"{local}.__new__" in module.definitions else list(fields(module, local, Options()))
    else:
        said = options(lookup, module, class_)
        lineage = lookup.lineage(module, local)
        if said is None or not said.init or lineage.unknown_special or lineage.metaclass:
            return None
        if any(
            each is not object and (each.__module__, each.__name__) not in _WITHOUT_FIELDS
            for each in lineage.standard
        ):
            return None
        made = _inherited(lookup, module, lineage.classes, said)
    if made is None or any(field.default == UNKNOWN_DEFAULT for field in made):
        return None
    ordered = sorted(made, key=lambda field: field.keyword_only)
    rows: list[Json] = [["self", POSITIONAL_OR_KEYWORD, None, None, class_.source.line]]
    for field in ordered:
        kind = KEYWORD_ONLY if field.keyword_only else POSITIONAL_OR_KEYWORD
        rows.append([field.name, kind, field.annotation, field.default, field.line])
    return rows


def _inherited(
    lookup: Lookup, module: Module, classes: Sequence[tuple[Module, str]], own: Options
) -> list[Field] | None:
    """The fields of a class and its ancestors, those of ancestors first; None where that is not known.

    What a class defines again stays where a dataclass first has it, and comes last in a class of `attrs`.
    """
    found: dict[str, Field] = {}
    for owner, local in reversed(classes):
        for fact in owner.definitions.get(local, ()):
            said = options(lookup, owner, fact)
            if said is None:
                continue
            if said.attrs is not own.attrs or (own.attrs and own.keyword_only and found):
                return None
            for field in fields(owner, local, said):
                # What a class of another module writes is read in that module's scope, not in this one's.
                known = field if owner is module else msgspec.structs.replace(field, annotation=None)
                if own.attrs:
                    found.pop(field.name, None)
                found[field.name] = known
    return list(found.values())


def other_constructor(lookup: Lookup, module: Module, local: str) -> Found | None:
    """The `__new__` of a class that has no `__init__`, or the other way round, as the one that is asked for.

    Only a class that is made by nothing else has one that tells how it is called.
    """
    parent, _, name = local.rpartition(".")
    other = _OTHER.get(name)
    class_ = lookup.find(module, parent) if other is not None and parent else None
    if class_ is None or class_.module is None:
        return None
    lineage = lookup.lineage(class_.module, class_.local)
    plain = all(ancestor is object for ancestor in lineage.standard)
    if not plain or lineage.outside or lineage.metaclass or lineage.unknown_special:
        return None
    if any(f"{each}.{name}" in owner.definitions for owner, each in lineage.classes):
        return None
    found = lookup.find(class_.module, f"{class_.local}.{other}")
    if found.module is None or len(found.facts) != 1 or found.facts[0].kind is not Kind.FUNCTION:
        return None
    fact = found.facts[0]
    aspects = {
        key: value for key, value in fact.aspects.items() if key not in ("returns", "returned", "ends")
    }
    as_asked = msgspec.structs.replace(fact, name=name, aspects={**aspects, "kind": "method"})
    return msgspec.structs.replace(found, facts=(as_asked,))
