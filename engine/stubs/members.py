"""What the members of a class are to the stub that is written for it."""

from __future__ import annotations

import ast

from crossval.compare.annotations import Scope
from crossval.link.names.lineage import Lineage
from crossval.link.names.publicity import is_private
from engine.stubs.expressions import parse
from graph.facts import Fact, Kind


def is_set_anew(attribute: Fact, lineage: Lineage) -> bool:
    """Whether methods of a class set what an ancestor declares, which a stub says once; in a data class a second time
    would make another field."""
    return bool(attribute.aspects.get("instance")) and any(
        fact.kind is Kind.ATTRIBUTE and "annotation" in fact.aspects
        for owner, local in lineage.classes[1:]
        for fact in owner.definitions.get(f"{local}.{attribute.name}", ())
    )


def is_abstract(fact: Fact) -> bool:
    """Whether a decorator says that heirs have to define it."""
    return any(text.rpartition(".")[2].startswith("abstract") for text in fact.aspects.get("decorators", []))


def makes_fields(decorator: str) -> bool:
    """Whether a class decorator makes fields of annotated attributes, as `dataclass` and those of attrs do."""
    name = decorator.partition("(")[0]
    return name.rpartition(".")[2] in {"dataclass", "define", "frozen", "mutable"} or name in {
        "attr.s",
        "attr.attrs",
    }


def is_member_of_enumeration(fact: Fact) -> bool:
    """Whether an attribute of an enumeration is one of its members."""
    plain = (
        fact.kind is Kind.ATTRIBUTE and not fact.aspects.get("instance") and "annotation" not in fact.aspects
    )
    return plain and not is_private(fact.name)


def slots(fact: Fact) -> list[str]:
    """The line for `__slots__` where it is a literal."""
    value = parse(fact.aspects.get("value", ""))
    try:
        names = None if value is None else ast.literal_eval(value)
    except (ValueError, TypeError):
        return []
    return [] if names is None or value is None else [f"__slots__ = {ast.unparse(value)}"]


def field_maker(class_: Fact, scope: Scope) -> tuple[str, str] | None:
    """What makes a field that no constructor takes, where each annotation of a class is one: module and name."""
    for text in class_.aspects["decorators"]:
        name = scope.resolve(text.partition("(")[0])
        if name == "dataclasses.dataclass":
            return "dataclasses", "field"
        if makes_fields(text) and (name.startswith("attrs.") or "auto_attribs=True" in text):
            return "attrs", "field"
    return None
