"""Attributes of classes whose value is a property: `x = property(f, g)`, `x = made_by_a_function("x")`."""

from __future__ import annotations

import ast

import msgspec

from crossval.compare.annotations import parse_expression
from crossval.compare.making import Accessors
from crossval.link.names.found import Found
from graph.compiled import compiled
from graph.facts import Fact, Json, Kind

_CUT = 200
_QUOTE = compiled(r"[uUrRbB]*[\"']")
_MAKING = frozenset({"property", "abc.abstractproperty"})
_PLACES = ("fget", "fset", "fdel")


def as_property(found: Found) -> Found:
    """What was found, where its one attribute surely holds a property as that property; else as it is."""
    attribute = found.facts[0] if len(found.facts) == 1 else None
    if attribute is None or found.module is None:
        return found
    if not _may_hold(attribute, found.local):
        return _sibling(attribute, found)
    accessors = _accessors(attribute.aspects["value"], found)
    if accessors is None:
        return found
    return msgspec.structs.replace(found, facts=tuple(_facts(attribute, accessors)))


def _sibling(attribute: Fact, found: Found) -> Found:
    """What was found, where it is another name of a property of its class as that property: `size = length`."""
    value, parent = attribute.aspects.get("value"), found.local.rpartition(".")[0]
    if found.module is None or not parent or not isinstance(value, str) or not value.isidentifier():
        return found
    if attribute.kind is not Kind.ATTRIBUTE or attribute.aspects.get("instance"):
        # What a method gives an instance is not looked up in the class.
        return found
    facts = found.module.definitions.get(f"{parent}.{value}", ())
    if not facts or any(fact.aspects.get("kind") != "property" for fact in facts):
        return found
    return msgspec.structs.replace(found, facts=tuple(facts))


def _may_hold(attribute: Fact, local: str) -> bool:
    value = attribute.aspects.get("value")
    plain = isinstance(value, str) and (len(value) >= _CUT or value.endswith(")"))
    return (
        attribute.kind is Kind.ATTRIBUTE and "." in local and plain and not attribute.aspects.get("instance")
    )


def _accessors(text: str, found: Found) -> Accessors | None:
    tree = parse_expression(text if len(text) < _CUT else _without_words(text))
    if not isinstance(tree, ast.Call) or found.module is None:
        return None
    scope, called = found.module.scope, ast.unparse(tree.func)
    sibling = f"{found.local.rpartition('.')[0]}.{called}"
    name = f"{found.module.name}.{sibling}" if sibling in found.module.definitions else scope.resolve(called)
    if name not in _MAKING:
        return scope.makers.property_of(name)
    values = dict(zip(_PLACES, tree.args, strict=False))
    values |= {keyword.arg or "**": keyword.value for keyword in tree.keywords}
    if "**" in values or any(isinstance(value, ast.Starred) for value in tree.args):
        return Accessors(None, None)
    given = [value is not None and not _is_none(value) for value in map(values.get, _PLACES[1:])]
    return Accessors(*given)


def _without_words(text: str) -> str:
    """A call whose text was cut, up to its first string, which is its documentation where a property is made."""
    head = _QUOTE.split(text, maxsplit=1)[0].rstrip()
    before = head.removesuffix("=").rstrip().removesuffix("doc").rstrip()
    return f"{before.removesuffix(',')})"


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _facts(attribute: Fact, accessors: Accessors) -> list[Fact]:
    """A property as if it were written by decorators; with an unknown one where its accessors are not known."""
    known = accessors.setter is not None and accessors.deleter is not None
    kinds = ["property", *(kind for kind in ("setter", "deleter") if known and getattr(accessors, kind))]
    decorators = ["property"] if known else ["property", "?"]
    rows = [["self", "positional-or-keyword", None, None, attribute.source.line]]
    aspects: dict[str, Json] = {"async": False, "parameters": rows, "decorators": decorators}
    said = attribute.aspects.get("annotation")
    if said not in (None, "property"):
        # `size: int = made("size")` says what reading it gives, not what the class has.
        aspects["returns"] = said
    return [
        msgspec.structs.replace(attribute, kind=Kind.FUNCTION, aspects={"kind": kind, **aspects})
        for kind in kinds
    ]
