"""Annotations taken apart: what kind of type an annotation names, whatever way it is spelled."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from msgspec.structs import replace

from graph.facts import Json
from ingest.web.constants.constants import Missing, called_enum_members, constant
from ingest.web.program.program import Program
from ingest.web.program.shapes import ANY, NONE, Shape, ShapeKind, unknown_shape
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    ParameterTarget,
    Target,
    ValueTarget,
    unsubscripted,
)
from ingest.web.syntax.scopes import Scope
from ingest.web.values.scalars import ARRAYS, CONSTRAINED, MAPPINGS, SCALARS, SETS

_DEPTH = 25
_CONTAINERS = frozenset({"list", "dict", "set", "frozenset", "tuple", "type"})
_TYPING = frozenset({"typing", "typing_extensions", "t"})
_HIDDEN = frozenset({"SkipJsonSchema"})
_TRANSPARENT = frozenset({"Required", "NotRequired", "ReadOnly", "Final", "Optional", "Annotated"})
_PASSING = frozenset(
    {"pydantic.SerializeAsAny", "pydantic.SkipValidation", "dataclasses.InitVar", "sqlalchemy.orm.Mapped"}
)
"""Generics of which schemas show the argument alone."""


def shape_of(
    program: Program,
    node: ast.expr | None,
    scope: Scope,
    variables: Mapping[str, Shape] | None = None,
    depth: int = 0,
) -> Shape:
    """The shape of an annotation that stands in a scope; `variables` give type variables their meaning."""
    reader = _Reader(program, variables or {})
    return reader.read(node, scope, depth) if node is not None else unknown_shape("there is no annotation")


def parsed(node: ast.expr) -> ast.expr | None:
    """The expression in an annotation that is written as a string; None where it is no expression."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return node
    try:
        inner = ast.parse(node.value.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for part in ast.walk(inner):
        if isinstance(part, ast.expr):
            part.lineno, part.end_lineno = node.lineno, node.end_lineno
    return inner


class _Reader:
    def __init__(self, program: Program, variables: Mapping[str, Shape]) -> None:
        self.program = program
        self.variables = variables

    def read(self, node: ast.expr, scope: Scope, depth: int) -> Shape:
        if depth > _DEPTH:
            return unknown_shape("the annotation refers to itself")
        inner = parsed(node)
        if inner is None:
            return unknown_shape("the annotation is not an expression")
        match inner:
            case ast.Constant(value=None):
                return NONE
            case ast.Name() | ast.Attribute():
                if isinstance(inner, ast.Name) and inner.id in self.variables:
                    return self.variables[inner.id]
                # Annotations are evaluated late, when the whole scope has been run; but of several classes of one
                # name each reader of annotations has met the one that was there before it.
                found = self.program.resolve(_late(inner), scope)
                before = self.program.resolve(inner, scope) if isinstance(found, ClassTarget) else None
                return self.named(before if isinstance(before, ClassTarget) else found, depth)
            case ast.BinOp(op=ast.BitOr()):
                return _union([self.read(part, scope, depth + 1) for part in (inner.left, inner.right)])
            case ast.Subscript():
                return self.subscripted(inner, scope, depth)
            case ast.Call():
                return self.called(inner, scope, depth)
        return unknown_shape("the annotation is computed")

    def named(self, target: Target | None, depth: int) -> Shape:
        match target:
            case ClassTarget():
                return Shape(ShapeKind.CLASS, target=target)
            case External():
                return external_shape(target)
            case ValueTarget(node=ast.Constant(value=str())):
                return unknown_shape("the annotation is a string that is bound to a name")
            case ValueTarget(node=node, scope=scope) if node is not None:
                return self.read(node, scope, depth + 1)
            case ParameterTarget():
                return unknown_shape("the annotation is a parameter")
        return unknown_shape("the annotation's name is not known")

    def subscripted(self, node: ast.Subscript, scope: Scope, depth: int) -> Shape:
        name = unsubscripted(node)
        target = self.program.resolve(name, scope)
        if isinstance(target, FunctionTarget) and isinstance(name, ast.Name) and name.id in _CONTAINERS:
            # No function has parameters of types: a method that is called `list` comes after its own annotation.
            target = External(f"builtins.{name.id}")
        arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if isinstance(target, ClassTarget):
            shapes = tuple(self.read(argument, scope, depth + 1) for argument in arguments)
            return Shape(ShapeKind.CLASS, shapes, target)
        if isinstance(target, ValueTarget) and target.node is not None:
            return self.alias(target.node, target.scope, arguments, scope, depth)
        if not isinstance(target, External):
            return unknown_shape("the generic type is not known")
        if target.dotted in _PASSING:
            return self.read(arguments[0], scope, depth + 1)
        if target.dotted.startswith("pydantic.") and target.name in _HIDDEN:
            return replace(self.read(arguments[0], scope, depth + 1), marks=frozenset({"hidden"}))
        if target.root in _TYPING:
            special = self.special(target.name, arguments, scope, depth)
            if special is not None:
                return special
        return self.generic(target, arguments, scope, depth)

    def alias(
        self, node: ast.expr, inner: Scope, arguments: list[ast.expr], scope: Scope, depth: int
    ) -> Shape:
        """An alias that has type variables, with what it is given for them."""
        names = dict.fromkeys(
            part.id for part in ast.walk(node) if isinstance(part, ast.Name) and self.is_variable(part, inner)
        )
        if len(names) != len(arguments) or isinstance(node, ast.Constant):
            return unknown_shape("the generic type is not known")
        shapes = [self.read(argument, scope, depth + 1) for argument in arguments]
        given = dict(zip(names, shapes, strict=True))
        return _Reader(self.program, {**self.variables, **given}).read(node, inner, depth + 1)

    def is_variable(self, node: ast.Name, scope: Scope) -> bool:
        """Whether a name is a type variable."""
        target = self.program.resolve(node, scope)
        made = target.node if isinstance(target, ValueTarget) else None
        if not isinstance(target, ValueTarget) or not isinstance(made, ast.Call):
            return False
        return self.program.is_a(self.program.resolve(made.func, target.scope), _TYPING, {"TypeVar"})

    def special(self, name: str, arguments: list[ast.expr], scope: Scope, depth: int) -> Shape | None:
        if name == "Literal":
            return self.literal(arguments, scope, depth)
        if name == "Union":
            return _union([self.read(argument, scope, depth + 1) for argument in arguments])
        if name == "ClassVar":
            return replace(ANY, marks=frozenset({"ClassVar"}))
        if name not in _TRANSPARENT:
            return None
        shape = self.read(arguments[0], scope, depth + 1)
        if name == "Optional":
            return _union([shape, NONE])
        if name == "Annotated":
            metadata = tuple((argument, scope) for argument in arguments[1:])
            return replace(shape, metadata=(*shape.metadata, *metadata))
        return replace(shape, marks=shape.marks | {name})

    def generic(self, target: External, arguments: list[ast.expr], scope: Scope, depth: int) -> Shape:
        if target.dotted in ("builtins.tuple", "typing.Tuple"):
            if len(arguments) == 2 and _is_ellipsis(arguments[1]):
                return Shape(ShapeKind.ARRAY, (self.read(arguments[0], scope, depth + 1),))
            return Shape(ShapeKind.TUPLE, tuple(self.read(a, scope, depth + 1) for a in arguments))
        shapes = tuple(self.read(argument, scope, depth + 1) for argument in arguments)
        kind = _container(target)
        if kind is None:
            return Shape(ShapeKind.EXTERNAL, shapes, target, reason=f"{target.dotted} is not known")
        return Shape(kind, shapes)

    def literal(self, arguments: list[ast.expr], scope: Scope, depth: int) -> Shape:
        found: list[Json] = []
        for argument in arguments:
            value = constant(self.program, _unstarred(argument), scope)
            if isinstance(value, Missing) and isinstance(argument, ast.Name | ast.Attribute | ast.Subscript):
                # A Literal among the values of another stands for its own.
                inner = self.read(argument, scope, depth + 1)
                value = list(inner.values) if inner.kind is ShapeKind.LITERAL else value
            values = value if isinstance(value, list) else [value]
            if any(isinstance(each, Missing | list | dict) for each in values):
                return unknown_shape("a value of the Literal is not constant")
            found.extend(each for each in values if (type(each), each) not in {(type(f), f) for f in found})
        return Shape(ShapeKind.LITERAL, values=tuple(found))

    def called(self, node: ast.Call, scope: Scope, depth: int) -> Shape:
        target = self.program.resolve(node.func, scope)
        if not isinstance(target, External):
            return unknown_shape("the annotation is computed")
        if target.root in _TYPING and target.name == "NewType" and len(node.args) == 2:
            return self.read(node.args[1], scope, depth + 1)
        if target.root == "pydantic" and target.name in CONSTRAINED:
            return self.constrained(target.name, node, scope, depth)
        if target.root in _TYPING and target.name == "TypeAliasType" and len(node.args) == 2:
            return self.read(node.args[1], scope, depth + 1)
        members = called_enum_members(self.program, node, scope)
        if members is not None:
            return Shape(ShapeKind.LITERAL, values=tuple(members.values()))
        if target.name == "TypeVar":
            return unknown_shape("a type variable stands for any type")
        return unknown_shape("the annotation is computed")

    def constrained(self, name: str, node: ast.Call, scope: Scope, depth: int) -> Shape:
        kind, schema = CONSTRAINED[name]
        if kind == "scalar":
            return Shape(ShapeKind.SCALAR, schema=schema, constraints=((node, scope),))
        items = [*node.args, *(k.value for k in node.keywords if k.arg == "item_type")]
        item = self.read(items[0], scope, depth + 1) if items else ANY
        return Shape(ShapeKind(kind), (item,), constraints=((node, scope),))


def external_shape(target: External) -> Shape:
    """The shape of a name that the project does not define."""
    if (target.root in _TYPING and target.name in ("Any",)) or target.dotted == "builtins.object":
        return ANY
    schema = SCALARS.get(target.dotted) or SCALARS.get(f"{target.root}.{target.name}")
    if schema is not None:
        return Shape(ShapeKind.SCALAR, target=target, schema=schema)
    kind = _container(target)
    if kind is not None:
        return Shape(kind)
    if target.dotted in ("builtins.tuple", "typing.Tuple"):
        return Shape(ShapeKind.ARRAY)
    if target.dotted == "types.NoneType":
        return NONE
    return Shape(ShapeKind.EXTERNAL, target=target, reason=f"{target.dotted} is not known")


def _container(target: External) -> ShapeKind | None:
    if target.root not in ("builtins", "typing", "typing_extensions", "collections"):
        return None
    if target.name in ARRAYS:
        return ShapeKind.ARRAY
    if target.name in SETS:
        return ShapeKind.SET
    return ShapeKind.MAPPING if target.name in MAPPINGS else None


def _union(parts: list[Shape]) -> Shape:
    flat: list[Shape] = []
    for part in parts:
        plain = part.kind is ShapeKind.UNION and not part.metadata
        flat.extend(part.arguments if plain else (part,))
    return flat[0] if len(flat) == 1 else Shape(ShapeKind.UNION, tuple(flat))


def _unstarred(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Starred) else node


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _late(node: ast.Name | ast.Attribute) -> ast.expr:
    copy: ast.expr
    if isinstance(node, ast.Name):
        copy = ast.Name(id=node.id, ctx=node.ctx)
    else:
        inner = _late(node.value) if isinstance(node.value, ast.Name | ast.Attribute) else node.value
        copy = ast.Attribute(value=inner, attr=node.attr, ctx=node.ctx)
    copy.lineno = copy.end_lineno = 1_000_000_000
    return copy
