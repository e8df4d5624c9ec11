"""Compares the type of a stub's attribute with the class that the code calls to make its value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from crossval.compare.annotations import ELLIPSIS, Annotation, Scope, parse_expression
from crossval.compare.discrepancies import Comparison, Discrepancy
from crossval.compare.forms import built_type
from crossval.compare.inclusion import admits, can_hold
from crossval.compare.typenames import TRANSPARENT
from crossval.compare.values import FLAGS
from crossval.compare.verdicts import Verdict
from crossval.link.names.found import Found
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Module
from crossval.pairs import Difference, SourceText
from graph.facts import Fact, Json, Kind

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
_MAPPINGS = frozenset({"dict", "collections.abc.Mapping", "collections.abc.MutableMapping"})
_OF_ITEMS = frozenset({"list", "set", "frozenset"}) | {
    f"collections.abc.{name}"
    for name in (
        *("Collection", "Iterable", "MutableSequence", "MutableSet", "Reversible", "Sequence", "Set"),
        "Container",
    )
}
_DEEPEST = 4
_OWN_MEANING = ("__new__", "__get__", "__set__", "__set_name__", "__getattr__", "__getattribute__")


def compare_made(spec: Fact, found: Found, scope: Scope, in_code: Lookup) -> Comparison:
    """Whether the code surely gives an attribute that has one definition a value of another type than the stub says.

    Classes that decide themselves what a call gives, or what reading an attribute gives, tell nothing.
    """
    code, module = found.facts[0], found.module
    said, text = _promised(spec), code.aspects.get("value")
    if module is None or code.kind is not Kind.ATTRIBUTE or _is_uncertain(code):
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
    called = isinstance(tree, ast.Call) and not built_type(tree)
    if spec.kind is Kind.FUNCTION and (not called or code.aspects.get("of_instances")):
        # A plain value in the place of a property waits for another one.
        return Comparison()
    shown = f"{ast.unparse(tree.func)}(…)" if isinstance(tree, ast.Call) and called else text
    verdict = _Values(module, in_code).held(promised, tree) if tree is not None else Verdict.UNKNOWN
    if form and verdict is not Verdict.DIFFER and not isinstance(tree, ast.Call | ast.Name | ast.Attribute):
        verdict = can_hold(promised, Annotation(form))
    if verdict is not Verdict.DIFFER:
        return Comparison()
    return Comparison((Discrepancy("", Difference(change="type", spec=said, code=SourceText(shown))),))


def _promised(spec: Fact) -> Json:
    """The type that a stub promises of an attribute, or of what reading a property gives."""
    if spec.kind is Kind.ATTRIBUTE:
        return spec.aspects.get("annotation")
    return spec.aspects.get("returns") if spec.aspects.get("kind") == "property" else None


def _is_uncertain(code: Fact) -> bool:
    """Whether it is not this value that a class or module has: instances have it, or a condition decides."""
    return bool(code.aspects.get("instance") or code.aspects.get("guard"))


class _Values:
    """Tells whether types can hold what expressions of a module give."""

    def __init__(self, module: Module, in_code: Lookup) -> None:
        self._module = module
        self._in_code = in_code

    def held(self, promised: Annotation, tree: ast.expr, depth: int = 0) -> Verdict:
        """Whether a type can hold the value of an expression: what it is, and what a display has in it."""
        if isinstance(tree, ast.Name | ast.Attribute):
            return self._class(promised, ast.unparse(tree))
        if isinstance(tree, ast.Constant):
            return admits(promised, tree.value) if depth and tree.value not in FLAGS else Verdict.UNKNOWN
        if isinstance(tree, ast.Call) and not built_type(tree):
            return self._made(promised, ast.unparse(tree.func))
        built = built_type(tree)
        verdict = can_hold(promised, Annotation(built)) if built else Verdict.UNKNOWN
        if verdict is Verdict.DIFFER or depth > _DEEPEST or len(promised.alternatives) > 1:
            return verdict
        items = (self.held(*pair, depth + 1) for pair in _items(promised, tree))
        return Verdict.DIFFER if Verdict.DIFFER in items else verdict

    def _made(self, promised: Annotation, called: str) -> Verdict:
        """Whether a type can hold what calling a name gives."""
        name = self._module.scope.resolve(called)
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
        class_ = self._in_code.base(self._module, called)
        if not isinstance(class_, tuple):
            return Verdict.UNKNOWN
        lineage = self._in_code.lineage(*class_)
        own = any(
            f"{local}.{name}" in owner.definitions
            for owner, local in lineage.classes
            for name in _OWN_MEANING
        )
        if lineage.outside or lineage.metaclass or own:
            return Verdict.UNKNOWN
        return _differs_from(promised, lineage.names)

    def _class(self, promised: Annotation, name: str) -> Verdict:
        """Whether a type can hold a class itself, rather than an instance of it: any object, or `type[…]` of it."""
        class_ = self._in_code.base(self._module, name)
        if isinstance(class_, type):
            names, plain = frozenset(each.__name__ for each in class_.__mro__), type(class_) is type
        elif isinstance(class_, tuple):
            lineage = self._in_code.lineage(*class_)
            names, plain = lineage.names, not (lineage.metaclass or lineage.outside)
        else:
            return Verdict.UNKNOWN
        if not plain:
            return Verdict.UNKNOWN
        verdicts = {
            _differs_from(each.arguments[0], names)
            if each.name == "type" and each.arguments
            else can_hold(each, Annotation("type"))
            for each in promised.alternatives
        }
        return verdicts.pop() if len(verdicts) == 1 else Verdict.UNKNOWN


def _items(promised: Annotation, display: ast.expr) -> Iterator[tuple[Annotation, ast.expr]]:
    """What a display has in it, each with the type that is promised of it; an empty one has nothing."""
    wanted = promised.arguments
    if isinstance(display, ast.Dict) and promised.name in _MAPPINGS and len(wanted) == 2:
        for key, value in zip(display.keys, display.values, strict=True):
            if key is not None:
                yield wanted[0], key
                yield wanted[1], value
    elif isinstance(display, ast.List | ast.Set | ast.Tuple):
        plain = [each for each in display.elts if not isinstance(each, ast.Starred)]
        same = promised.name == "tuple" and len(wanted) == 2 and wanted[1] == ELLIPSIS
        if same or (promised.name in _OF_ITEMS and len(wanted) == 1):
            yield from ((wanted[0], each) for each in plain)
        elif promised.name == "tuple" and len(wanted) == len(plain) == len(display.elts):
            yield from zip(wanted, plain, strict=True)


def _differs_from(promised: Annotation, names: frozenset[str]) -> Verdict:
    """Whether no alternative is among the names of a class and its ancestors, nor a protocol that it may fulfil."""
    for member in promised.alternatives:
        abstract = member.name.startswith(("collections.abc.", "contextlib.")) or member.name == "object"
        if not member.certain or abstract or member.name.rpartition(".")[2] in names:
            return Verdict.UNKNOWN
    return Verdict.DIFFER
