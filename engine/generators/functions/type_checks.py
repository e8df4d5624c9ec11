"""What an annotated type asks of a value, as assertions: `isinstance` where the type can be told at run time."""

from __future__ import annotations

import ast

import msgspec

from crossval.compare.annotations import parse_expression
from engine.generators.functions.facts import NoTestError, Surface
from graph.facts import Kind, Tag

_PLAIN = {
    "int": "int", "str": "str", "bytes": "bytes", "bool": "bool", "complex": "complex", "bytearray": "bytearray",
    # PEP 484: an int is taken where a float is annotated.
    "float": "(int, float)",
}  # fmt: skip
_TYPING = frozenset({"typing", "typing_extensions", "collections.abc", ""})
_BUILT_IN = {
    "list": "list", "List": "list", "dict": "dict", "Dict": "dict", "tuple": "tuple", "Tuple": "tuple",
    "frozenset": "frozenset", "FrozenSet": "frozenset", "type": "type", "Type": "type",
}  # fmt: skip
_ABSTRACT = frozenset(
    {
        *("Iterable", "Iterator", "Generator", "Sequence", "Mapping", "MutableMapping", "MutableSequence"),
        *("Collection", "Container", "Callable", "Hashable", "Sized", "KeysView", "ValuesView", "ItemsView"),
    }
)
_READ_ONCE = frozenset({"Iterator", "Iterable", "Generator"})
_OF_ITEMS = _READ_ONCE | frozenset(
    {"list", "List", "tuple", "Tuple", "set", "frozenset", "FrozenSet", "Sequence"}
)


# Modules of the standard library whose classes are told at run time, by whatever name a module calls them.
_STANDARD = frozenset({"datetime", "decimal", "fractions", "uuid", "pathlib", "collections", "re"})
_DEPTH = 5
TAKING_ANY = frozenset({"Any", "typing.Any", "t.Any", "object"})
"""The types that say nothing of what is taken."""


class TypeCheck(msgspec.Struct, frozen=True):
    """What to give to `isinstance`, and the imports that it needs; `items` is the same of what a container holds."""

    types: tuple[str, ...]
    imports: tuple[str, ...] = ()
    items: TypeCheck | None = None

    def lines(self, expression: str) -> list[str]:
        """The assertions about the value of an expression."""
        found = [f"assert isinstance({expression}, {self._written()})"]
        if self.types == ("type(None)",):
            found = [f"assert {expression} is None"]
        if self.items is not None:
            items = f"islice({expression}, 3)" if self._is_read_once else expression
            found.append(f"assert all(isinstance(each, {self.items._written()}) for each in {items})")
        return found

    def imported(self) -> tuple[str, ...]:
        """All imports that the assertions need."""
        if self.items is None:
            return self.imports
        sliced = ("from itertools import islice",) if self._is_read_once else ()
        return (*self.imports, *sliced, *self.items.imports)

    @property
    def _is_read_once(self) -> bool:
        """Whether it may have no end, so that only its first items are looked at."""
        return bool(_READ_ONCE.intersection(self.types))

    def _written(self) -> str:
        flat = list(dict.fromkeys(one for each in self.types for one in each.strip("()").split(", ")))
        words = ["type(None)" if each == "type(None" else each for each in flat]
        return words[0] if len(words) == 1 else f"({', '.join(words)})"


def type_check(annotation: str, module: str, surface: Surface, depth: int = _DEPTH) -> TypeCheck:
    """What a returned value must be an instance of. Raises NoTestError where that cannot be told at run time."""
    tree = parse_expression(annotation)
    if tree is None:
        raise NoTestError(f"the meaning of the type {annotation}")
    return _test(tree, module, surface, depth)


def types_of(annotation: str) -> set[str]:
    """The types that an annotation allows, as text."""
    return set(types_in(parse_expression(annotation)))


def types_in(tree: ast.expr | None) -> list[str]:
    """The types of a union, as text."""
    match tree:
        case None:
            return []
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*types_in(left), *types_in(right)]
        case ast.Subscript(
            value=ast.Name(id="Union") | ast.Attribute(attr="Union"), slice=ast.Tuple(elts=listed)
        ):
            return [name for each in listed for name in types_in(each)]
        case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional"), slice=inner):
            return [*types_in(inner), "None"]
        case ast.Constant(value=str() as text):
            return types_in(parse_expression(text))
    return [ast.unparse(tree)]


def takes(annotation: str | None, given: str) -> bool:
    """Whether a parameter of this type surely takes a value of that."""
    if annotation in TAKING_ANY or annotation == given:
        return True
    tree = parse_expression(annotation or "")
    wanted = set(types_in(parse_expression(given)))
    return tree is not None and bool(wanted) and wanted <= set(types_in(tree))


def yielded(annotation: str) -> str:
    """The type that a generator function of this annotation yields. Raises NoTestError where nobody says."""
    match parse_expression(annotation):
        case ast.Subscript(slice=ast.Tuple(elts=[first, *_])) | ast.Subscript(slice=first):
            return ast.unparse(first)
    raise NoTestError(f"what {annotation} yields")


def _test(node: ast.expr, module: str, surface: Surface, depth: int) -> TypeCheck:
    match node:
        case ast.Constant(value=None):
            return TypeCheck(("type(None)",))
        case ast.Constant(value=str() as text):
            return type_check(text, module, surface, depth)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _either([_test(left, module, surface, depth), _test(right, module, surface, depth)])
        case ast.Name() | ast.Attribute():
            return _named(ast.unparse(node), module, surface, [], depth)
        case ast.Subscript(value=value, slice=inner):
            listed = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return _named(ast.unparse(value), module, surface, list(listed), depth)
    raise NoTestError(f"a type that can be told at run time: {ast.unparse(node)} cannot")


def _either(tests: list[TypeCheck]) -> TypeCheck:
    types = tuple(dict.fromkeys(each for test in tests for each in test.types))
    return TypeCheck(types, tuple(each for test in tests for each in test.imports))


def _named(name: str, module: str, surface: Surface, inner: list[ast.expr], depth: int) -> TypeCheck:
    key = surface.resolved(name, module)
    origin, _, last = key.rpartition(".")
    if not origin and key in _PLAIN:
        return TypeCheck((_PLAIN[key],))
    if origin in _TYPING and last in ("Optional", "Union") and inner:
        tests = [_test(each, module, surface, depth) for each in inner]
        return _either([*tests, TypeCheck(("type(None)",))] if last == "Optional" else tests)
    if origin in _TYPING and (last in _BUILT_IN or last in _ABSTRACT or (not origin and last == "set")):
        items = _items(last, module, surface, inner, depth)
        if last in _ABSTRACT:
            return TypeCheck((last,), (f"from collections.abc import {last}",), items)
        return TypeCheck((_BUILT_IN.get(last, last),), (), items)
    # What is given for a text of either type is a `str`.
    if last in ("TypeGuard", "TypeIs", "LiteralString", "Text", "AnyStr") and origin in _TYPING:
        return TypeCheck(("bool" if last.startswith("Type") else "str",))
    if last == "Literal" and origin in _TYPING and inner:
        return _literal(inner)
    fact = surface.at(key)
    if fact is not None and fact.kind is Kind.ATTRIBUTE and depth:
        alias = parse_expression(str(fact.aspects.get("value", "")))
        if isinstance(alias, ast.Name | ast.Attribute | ast.Subscript | ast.BinOp):
            return _test(alias, surface.module(fact), surface, depth - 1)
    if fact is not None and fact.kind is Kind.CLASS:
        bases = {
            surface.resolved(str(each).partition("[")[0], surface.module(fact))
            for each in fact.aspects["bases"]
        }
        if any(each.rpartition(".")[2] == "TypedDict" for each in bases):
            return TypeCheck(("dict",))
        if any(each.rpartition(".")[2] == "Protocol" for each in bases):
            if [each.name for each in surface.members(fact)] == ["__call__"]:
                return TypeCheck(("Callable",), ("from collections.abc import Callable",))
            raise NoTestError(f"a type that can be told at run time: {name} cannot")
        if fact.name.startswith("_") and all(each.tag is Tag.SPEC for each in surface.same(fact)):
            raise NoTestError(f"a type that can be told at run time: {name} may only be one of the stub")
        unit = surface.unit(fact)
        return TypeCheck((unit.expression,), (unit.imported,))
    if fact is None and origin in _STANDARD:
        return TypeCheck((last,), (f"from {origin} import {last}",))
    raise NoTestError(f"a type that can be told at run time: {name} cannot")


def _literal(inner: list[ast.expr]) -> TypeCheck:
    """The types of the values that are listed. Raises NoTestError where they are none of Python's own."""
    values = [each.value for each in inner if isinstance(each, ast.Constant)]
    if len(values) != len(inner):
        raise NoTestError("a type that can be told at run time: Literal cannot")
    types = ("type(None)" if value is None else type(value).__name__ for value in values)
    return TypeCheck(tuple(dict.fromkeys(types)))


def _items(last: str, module: str, surface: Surface, inner: list[ast.expr], depth: int) -> TypeCheck | None:
    """What the items of a container are, where looking at them changes nothing and all are of one type."""
    listed = [each for each in inner if not (isinstance(each, ast.Constant) and each.value is ...)]
    listed = listed[:1] if last == "Generator" else listed
    if last not in _OF_ITEMS or len(listed) != 1 or (last in ("tuple", "Tuple") and len(inner) != 2):
        return None
    try:
        found = _test(listed[0], module, surface, depth)
    except NoTestError:
        return None
    return msgspec.structs.replace(found, items=None)
