"""What methods and properties give according to their annotations, as drf-spectacular takes these."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graph.schema_algebra import Schema, implied, unknown
from ingest.web.program.shapes import Shape
from ingest.web.program.targets import ClassTarget, External, ValueTarget, unsubscripted
from ingest.web.schemas.model_fields import Family
from ingest.web.serializers.reading import SerializerReading
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import parsed, shape_of

_DEPTH: Final = 10
_OWN_FORM: Final = unknown("the framework gives the value a form of its own")
_TOLD: Final = frozenset({Family.ENUM, Family.TYPED_DICT})
"""The families of classes that annotations may name so that contracts tell of them."""
_SCALARS: Final = frozenset(
    {
        *("str", "float", "bool", "int", "dict", "list", "UUID", "Decimal", "datetime", "date", "time"),
        *(
            "IPv4Address",
            "IPv6Address",
            "Any",
            "None",
            "NoneType",
            "List",
            "Dict",
            "ReturnDict",
            "ReturnList",
        ),
    }
)
_GENERICS: Final = frozenset(
    {
        *("list", "List", "dict", "Dict", "DefaultDict", "defaultdict", "OrderedDict", "set", "Set"),
        *("frozenset", "FrozenSet", "tuple", "Tuple", "Iterable", "Literal", "Union", "Optional"),
        *("Annotated", "Required", "NotRequired"),
    }
)
"""The types that contracts tell of; what has another one is called a text there, whatever it is."""


def hinted(models: SerializerReading, node: ast.expr, scope: Scope) -> Schema:
    """The schema of what an annotation promises; unknown where the framework or what writes contracts makes something
    else of it."""
    shape = shape_of(models.program, node, scope)
    schema = models.schema(shape)
    if not _is_told(models, node, scope) or not all(_is_read(models, part) for part in _parts(shape)):
        return _OWN_FORM
    if "prefixItems" in schema:
        items = schema["prefixItems"]
        if not isinstance(items, list) or any(each != items[0] for each in items):
            return _OWN_FORM
        # How many there are is not stated by what writes contracts for serializers.
        schema = {**schema, "x-implied": ["maxItems", "minItems"]}
    if schema.get("type") == "null":
        return unknown("the annotation says that nothing is given")
    if "uniqueItems" in schema:
        # A set is written as a list, of which contracts seldom say that nothing stands in it twice.
        schema = implied(schema, "uniqueItems")
    return _OWN_FORM if schema.get("format") in ("binary", "duration") else schema


def _parts(shape: Shape, depth: int = 0) -> Iterator[Shape]:
    yield shape
    for each in shape.arguments if depth < _DEPTH else ():
        yield from _parts(each, depth + 1)


def _is_read(models: SerializerReading, shape: Shape) -> bool:
    target = shape.target
    return not isinstance(target, ClassTarget) or models.family(target) in _TOLD


def _is_told(models: SerializerReading, node: ast.expr, scope: Scope, depth: int = 0) -> bool:
    """Whether what writes contracts knows each type that an annotation names."""
    inner = parsed(node)
    if inner is None or depth > _DEPTH:
        return False
    match inner:
        case ast.Constant():
            return inner.value is None
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_told(models, left, scope, depth + 1) and _is_told(models, right, scope, depth + 1)
        case ast.Subscript(slice=index):
            target = models.program.resolve(unsubscripted(inner), scope)
            if not isinstance(target, External):
                return isinstance(target, ValueTarget | ClassTarget)
            if target.name not in _GENERICS:
                return False
            given = index.elts if isinstance(index, ast.Tuple) else [index]
            if target.name in ("Literal", "Annotated"):
                given = given[:1] if target.name == "Annotated" else []
            kept = [each for each in given if not (isinstance(each, ast.Constant) and each.value is ...)]
            return all(_is_told(models, each, scope, depth + 1) for each in kept)
        case ast.Name() | ast.Attribute():
            target = models.program.resolve(inner, scope)
            if isinstance(target, ValueTarget) and target.node is not None and target.node is not inner:
                return _is_told(models, target.node, target.scope, depth + 1)
            return target.name in _SCALARS if isinstance(target, External) else True
    return True
