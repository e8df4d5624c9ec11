"""Compares the type of a stub's attribute with the class that the code calls to make its value."""

from __future__ import annotations

import ast

from crossval.compare.annotations import Annotation, Scope, parse_expression
from crossval.compare.discrepancies import Comparison, Discrepancy
from crossval.compare.forms import built_type
from crossval.compare.inclusion import can_hold
from crossval.compare.typenames import TRANSPARENT
from crossval.compare.verdicts import Verdict
from crossval.link.found import Found
from crossval.link.lookup import Lookup
from crossval.link.modules import Module
from crossval.pairs import Difference
from graph.facts import Fact, Kind

_CUT = 200
_MADE_BY = {"re.compile": "re.Pattern"}
_DATA = frozenset(
    {
        "bool",
        "bytearray",
        "bytes",
        "complex",
        "dict",
        "float",
        "frozenset",
        "int",
        "list",
        "set",
        "str",
        "tuple",
    }
)
_OWN_MEANING = ("__new__", "__get__", "__set__", "__set_name__", "__getattr__", "__getattribute__")


def compare_made(spec: Fact, found: Found, scope: Scope, in_code: Lookup) -> Comparison:
    """Whether the code surely gives an attribute that has one definition a value of another type than the stub says.

    Classes that decide themselves what a call gives, or what reading an attribute gives, tell nothing.
    """
    code, module = found.facts[0], found.module
    said, text = spec.aspects.get("annotation"), code.aspects.get("value")
    if module is None or {spec.kind, code.kind} != {Kind.ATTRIBUTE} or _is_uncertain(code):
        return Comparison()
    if not isinstance(said, str) or not isinstance(text, str):
        return Comparison()
    # A bare `ClassVar` or `Final` leaves the type to the value.
    own: str = code.aspects.get("annotation", "")
    if own and module.scope.resolve(own.strip("\"'")) not in TRANSPARENT:
        return Comparison()
    tree = parse_expression(text) if len(text) < _CUT else None
    form: str = code.aspects.get("form", "")
    promised = scope.annotation(said)
    if isinstance(tree, ast.Call) and not (built := built_type(tree)):
        called = ast.unparse(tree.func)
        verdict, shown = _holds(promised, called, module, in_code), f"{called}(…)"
    elif isinstance(tree, ast.Name | ast.Attribute):
        verdict, shown = _holds_class(promised, text, module, in_code), text
    else:
        built = form or built_type(tree)
        verdict, shown = can_hold(promised, Annotation(built)) if built else Verdict.UNKNOWN, text
    if verdict is not Verdict.DIFFER:
        return Comparison()
    return Comparison((Discrepancy("", Difference(change="type", spec=said, code=shown)),))


def _is_uncertain(code: Fact) -> bool:
    """Whether it is not this value that a class or module has: instances have it, or a condition decides."""
    return bool(code.aspects.get("instance") or code.aspects.get("guard"))


def _holds(promised: Annotation, called: str, module: Module, in_code: Lookup) -> Verdict:
    """Whether a type can hold what calling a name gives."""
    name = module.scope.resolve(called)
    if name == "object":
        # A marker is nothing but an object, no instance of whatever class.
        return _differs_from(promised, frozenset({name}))
    if name in _MADE_BY or name in _DATA:
        made = Annotation(_MADE_BY.get(name, name))
        if name in _MADE_BY and any(
            each.name.startswith("collections.abc.") for each in promised.alternatives
        ):
            return Verdict.UNKNOWN
        return can_hold(promised, made)
    class_ = in_code.base(module, called)
    if not isinstance(class_, tuple):
        return Verdict.UNKNOWN
    lineage = in_code.lineage(*class_)
    own = any(
        f"{local}.{name}" in owner.definitions for owner, local in lineage.classes for name in _OWN_MEANING
    )
    if lineage.outside or lineage.metaclass or own:
        return Verdict.UNKNOWN
    return _differs_from(promised, lineage.names)


def _holds_class(promised: Annotation, name: str, module: Module, in_code: Lookup) -> Verdict:
    """Whether a type can hold a class of the project itself, rather than an instance of it."""
    class_ = in_code.base(module, name)
    if (
        not isinstance(class_, tuple)
        or in_code.lineage(*class_).metaclass
        or in_code.lineage(*class_).outside
    ):
        return Verdict.UNKNOWN
    return can_hold(promised, Annotation("type"))


def _differs_from(promised: Annotation, names: frozenset[str]) -> Verdict:
    """Whether no alternative is among the names of a class and its ancestors, nor a protocol that it may fulfil."""
    for member in promised.alternatives:
        abstract = member.name.startswith(("collections.abc.", "contextlib.")) or member.name == "object"
        if not member.certain or abstract or member.name.rpartition(".")[2] in names:
            return Verdict.UNKNOWN
    return Verdict.DIFFER
