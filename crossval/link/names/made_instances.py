"""Names that are functions or classes in a stub and, in the code, instances of a class of the project."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import msgspec

from crossval.compare.annotations import Scope, parse_expression
from crossval.compare.decorators import unknown_decorator
from crossval.compare.discrepancies import Comparison, Discrepancy
from crossval.link.names.found import Found
from crossval.link.names.kinds import kind_name
from crossval.link.names.lookup import Lookup
from crossval.pairs import Difference, SourceText
from graph.compiled import compiled
from graph.facts import Fact, Kind

_CALL = compiled(r"[A-Za-z_][\w.]*\(.*\)")
# A class with one of these decides itself what calling it gives, or what is read where an instance stands.
_OWN_MEANING = ("__new__", "__get__", "__set_name__", "__class__", "__mro_entries__")


def compare_instances(
    spec: Sequence[Fact], found: Found, scope: Scope, lookup: Lookup
) -> tuple[Found, Comparison] | None:
    """What the code has as an attribute, with the difference of kinds, where the stub has a function or a class and the
    code an instance of a class of its own: `@Condition def f`, `f = Formatter()`; else None."""
    if len(found.facts) != 1 or any(fact.kind is Kind.ATTRIBUTE for fact in spec):
        return None
    if any(unknown_decorator(fact, scope) is not None for fact in spec if fact.kind is Kind.FUNCTION):
        return None
    if any(fact.aspects.get("kind") in ("property", "setter", "deleter") for fact in spec):
        return None
    class_ = _class_of(found, lookup)
    if not class_ or not _is_plain(class_, found, lookup):
        return None
    fact = found.facts[0]
    if fact.kind is not Kind.ATTRIBUTE:
        fact = msgspec.structs.replace(fact, kind=Kind.ATTRIBUTE, aspects={})
    said = SourceText(f"an instance of {class_.rpartition('.')[2]}")
    difference = Difference(change="kind", spec=kind_name(spec[0]), code=said)
    return msgspec.structs.replace(found, facts=(fact,)), Comparison((Discrepancy("", difference),))


def _class_of(found: Found, lookup: Lookup) -> str:
    """The name of the class of which what the code has is surely an instance; empty where it is of none."""
    fact, module = found.facts[0], found.module
    if module is None or fact.aspects.get("guard"):
        return ""
    if fact.kind is Kind.FUNCTION:
        texts: list[str] = fact.aspects.get("decorators", [])
        # The outermost decorator decides.
        name = module.scope.resolve(texts[0].partition("(")[0].strip()) if texts else ""
        return module.scope.makers.instance_of(name, called=texts[0].endswith(")")) if name else ""
    text = fact.aspects.get("value")
    if fact.kind is not Kind.ATTRIBUTE or not isinstance(text, str) or not _CALL.fullmatch(text):
        return ""
    if fact.aspects.get("instance") or any(
        found.local in each.aspects.get("set_anew", ()) for each in module.facts
    ):
        return ""
    tree = parse_expression(text)
    return ast.unparse(tree.func) if isinstance(tree, ast.Call) else ""


def _is_plain(name: str, found: Found, lookup: Lookup) -> bool:
    """Whether a name is one of a class whose instances are nothing but that: no functions, classes or descriptors."""
    assert found.module is not None, "what is compared lies in the project"
    class_ = lookup.base(found.module, name)
    if not isinstance(class_, tuple):
        return False
    lineage = lookup.lineage(*class_)
    special = any(
        f"{local}.{each}" in owner.definitions for owner, local in lineage.classes for each in _OWN_MEANING
    )
    abstract = all(each is object or each.__module__ in ("abc", "typing") for each in lineage.standard)
    return not (lineage.unknown_special or lineage.metaclass or special) and abstract
