"""Models as OpenAPI Generator and Swagger Codegen write them: tables of types and names, and setters that check."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Final

from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import Missing, constant, elements
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape
from ingest.web.program.targets import ClassTarget
from ingest.web.schemas.facets import Facets
from ingest.web.schemas.model_fields import ModelField
from ingest.web.syntax.bindings import Function
from ingest.web.values.annotations import shape_of

_TYPES = frozenset({"openapi_types", "swagger_types"})
_NAMES = "attribute_map"
_LIMITS: Final[dict[type[ast.cmpop], tuple[str, str, str]]] = {
    ast.Gt: ("maximum", "maxLength", "maxItems"),
    ast.GtE: ("exclusiveMaximum", "", ""),
    ast.Lt: ("minimum", "minLength", "minItems"),
    ast.LtE: ("exclusiveMinimum", "", ""),
}
_UNWRITTEN = ("format", "multipleOf", "uniqueItems", "minProperties", "maxProperties")


def generated_fields(
    program: Program, target: ClassTarget, schema: Callable[[Shape], Schema]
) -> list[ModelField]:
    """The properties that the tables of a generated model name, with what their setters refuse."""
    types, names = _table(target, _TYPES), _table(target, {_NAMES})
    found: list[ModelField] = []
    for attribute, written in types.items():
        named = names.get(attribute)
        called = named.value if isinstance(named, ast.Constant) else None
        if not isinstance(called, str):
            continue
        shape = shape_of(program, _type(written), target.scope)
        made = schema(shape)
        setter = _setter(target, attribute)
        required = setter is not None and any(_refuses_null(test, attribute) for test in _tests(setter))
        if setter is not None:
            made = normalise({**made, **_limits(program, target, setter, attribute, made)})
        # The generator writes none of these, and its setters take null of what may be left out, may be null, or both.
        made = {**made, "x-implied": [*_UNWRITTEN, *([] if required else ["null", "required"])]}
        place = program.place(written, target.scope)
        found.append(ModelField(called, attribute, made, required, shape, Facets(), place))
    return found


def generated_values(target: ClassTarget) -> list[str]:
    """The values of a generated enumeration: a model without properties that names its values."""
    if _table(target, _TYPES):
        return []
    return [
        statement.value.value
        for statement in target.node.body
        if isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and statement.targets[0].id.isupper()
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    ]


def is_generated(target: ClassTarget) -> bool:
    """Whether a class tells its properties by such tables, or its values as such classes do."""
    return bool(_table(target, _TYPES) and _table(target, {_NAMES})) or (
        _init(target) is not None and _has_tables(target) and bool(generated_values(target))
    )


def _has_tables(target: ClassTarget) -> bool:
    return any(name in _TYPES for name, _ in _assigned(target))


def _table(target: ClassTarget, names: frozenset[str] | set[str]) -> dict[str, ast.expr]:
    """What a table of the class holds, by the attributes."""
    for name, value in _assigned(target):
        if name in names and isinstance(value, ast.Dict):
            return {
                key.value: held
                for key, held in zip(value.keys, value.values, strict=True)
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
            }
    return {}


def _assigned(target: ClassTarget) -> Iterator[tuple[str, ast.expr]]:
    """What the class and its `__init__` assign to the names of tables."""
    init = _init(target)
    for statement in (*target.node.body, *(init.body if init is not None else ())):
        places: list[ast.expr] = []
        if isinstance(statement, ast.AnnAssign):
            places = [statement.target]
        elif isinstance(statement, ast.Assign):
            places = list(statement.targets)
        value = statement.value if isinstance(statement, ast.AnnAssign | ast.Assign) else None
        for place in places:
            name = str(getattr(place, "id", getattr(place, "attr", "")))
            if value is not None and (name in _TYPES or name == _NAMES):
                yield name, value


def _init(target: ClassTarget) -> ast.FunctionDef | None:
    return next(
        (n for n in target.node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None
    )


def _type(node: ast.expr) -> ast.expr:
    """The annotation that a type stands for; older generators write it as a text."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return node
    try:
        return ast.copy_location(ast.parse(node.value.strip(), mode="eval").body, node)
    except SyntaxError:
        return node


def _setter(target: ClassTarget, attribute: str) -> ast.FunctionDef | None:
    for node in target.node.body:
        if isinstance(node, ast.FunctionDef) and node.name == attribute:
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Attribute) and decorator.attr == "setter":
                    return node
    return None


def _tests(setter: Function) -> Iterator[ast.expr]:
    """The tests at which a setter refuses a value, each part of a test that joins several by itself."""
    for statement in setter.body:
        if isinstance(statement, ast.If) and statement.body and isinstance(statement.body[-1], ast.Raise):
            joined = isinstance(statement.test, ast.BoolOp) and isinstance(statement.test.op, ast.And)
            parts = statement.test.values if isinstance(statement.test, ast.BoolOp) and joined else []
            yield from parts or [statement.test]


def _refuses_null(test: ast.expr, attribute: str) -> bool:
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[right]):
            return name == attribute and is_none(right)
    return False


def _limits(
    program: Program, target: ClassTarget, setter: Function, attribute: str, plain: Schema
) -> dict[str, object]:
    found: dict[str, object] = {}
    sized = 2 if plain.get("type") == "array" else 1
    for test in _tests(setter):
        match test:
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _LIMITS:
                value = constant(program, right, target.scope)
                measured = isinstance(left, ast.Call) and ast.unparse(left) == f"len({attribute})"
                own = isinstance(left, ast.Name) and left.id == attribute
                keyword = _LIMITS[type(operator)][sized if measured else 0]
                if keyword and (measured or own) and isinstance(value, int | float):
                    found[keyword] = value
            case ast.Compare(left=ast.Name(id=name), ops=[ast.NotIn()], comparators=[right]) if (
                name == attribute
            ):
                found |= _choices(program, setter, target, right)
            case ast.UnaryOp(
                op=ast.Not(), operand=ast.Call(func=ast.Attribute(attr="search" | "match"), args=[first, _])
            ):
                pattern = constant(program, first, target.scope)
                if isinstance(pattern, str):
                    found["pattern"] = pattern
    return found


def _choices(program: Program, setter: Function, target: ClassTarget, node: ast.expr) -> dict[str, object]:
    """The values that a setter allows."""
    scope = target.body.child(setter)
    listed = elements(program, node, scope)
    values = [constant(program, each, inner) for each, inner in listed or []]
    return {"enum": values} if values and not any(isinstance(v, Missing) for v in values) else {}


def enumerated(values: list[str]) -> Schema:
    """The schema of a generated enumeration."""
    return normalise({"type": "string", "enum": list(values)}) if values else unknown("it names no values")
