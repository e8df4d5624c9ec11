"""What the columns of Django's models hold, as schemas: by their kind, their choices and their validators."""

from __future__ import annotations

import ast
from typing import Final

from graph.facts import Json
from graph.schema_algebra import Schema, implied, unknown
from graph.schemas import nullable
from ingest.web.constants.constants import Missing, constant, elements
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, Target, ValueTarget
from ingest.web.syntax.scopes import Scope

_DEPTH = 10
RELATIONS: Final = frozenset({"ForeignKey", "OneToOneField", "ManyToManyField"})
GENERATED: Final = "GeneratedField"
AUTOMATIC: Final = frozenset({"AutoField", "BigAutoField", "SmallAutoField"})
BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
KEY: Final[Schema] = {"type": "integer", "x-implied": ["positive", "range"]}
_INTEGER: Schema = {"type": "integer", "x-implied": ["range"]}
_POSITIVE: Schema = {"type": "integer", "minimum": 0, "x-implied": ["range"]}
_TEXT: Schema = {"type": "string", "x-implied": ["filled"]}
_FILE: Schema = {"type": "string", "x-implied": ["format", "maxLength", "null"]}
_FORMED: Schema = {"type": "string", "x-implied": ["filled", "format"]}
LIMITS: Final = frozenset({*BOUNDS, "minLength", "maxLength", "pattern"})
SLUG: Final = "^[-a-zA-Z0-9_]+$"
UNICODE_SLUG: Final = r"^[-\w]+$"
SIZED = frozenset({"CharField", "TextField", "SlugField", "EmailField", "URLField"})

PLAIN: Final[dict[str, Schema]] = {
    **dict.fromkeys(AUTOMATIC, KEY),
    **dict.fromkeys(("IntegerField", "BigIntegerField", "SmallIntegerField"), _INTEGER),
    **dict.fromkeys(
        ("PositiveIntegerField", "PositiveSmallIntegerField", "PositiveBigIntegerField"), _POSITIVE
    ),
    **dict.fromkeys(("CharField", "TextField", "CommaSeparatedIntegerField"), _TEXT),
    "SlugField": {**_TEXT, "pattern": SLUG, "x-implied": ["filled", "pattern"]},
    "EmailField": {**_TEXT, "format": "email"},
    "URLField": {**_TEXT, "format": "uri"},
    "UUIDField": {"type": "string", "format": "uuid"},
    "BooleanField": {"type": "boolean"},
    "NullBooleanField": {"type": ["boolean", "null"]},
    "FloatField": {"type": "number"},
    "DecimalField": {"type": "string", "format": "decimal"},
    "DateTimeField": {"type": "string", "format": "date-time"},
    "DateField": {"type": "string", "format": "date"},
    "TimeField": {"type": "string", "format": "time"},
    "DurationField": {"type": "string"},
    "JSONField": {},
    # A file is sent as its content, and given as its address, or as null where there is none.
    **dict.fromkeys(("FileField", "ImageField"), _FILE),
    "BinaryField": unknown("a binary column is not written"),
    **dict.fromkeys(("GenericIPAddressField", "IPAddressField"), _FORMED),
    "FilePathField": unknown("the choices are the files of a folder"),
}


def enumerated(values: list[Json]) -> Schema:
    """The schema of one of these values; null among them stands for no choice, which may be refused all the same."""
    chosen = [value for value in values if value is not None]
    if not chosen:
        return unknown("there are no choices")
    return {"enum": chosen} if len(chosen) == len(values) else {"enum": chosen, "x-implied": ["null"]}


def left_empty(schema: Schema) -> Schema:
    """The schema of choices of which none need be made; a contract may list the empty text among them or not."""
    values = schema.get("enum")
    if not isinstance(values, list) or "" in values:
        return schema
    return implied({**schema, "enum": [*values, ""]}, "blank")


def with_null(schema: Schema) -> Schema:
    """The schema of the same values or null; what is unknown stays so."""
    return schema if "x-unknown" in schema or not schema else nullable(schema)


def choice_values(program: Program, node: ast.expr, scope: Scope, depth: int = 0) -> list[Json] | None:
    """The values of `choices=…`: pairs, groups of pairs, plain values, or the members of an enumeration."""
    if depth > _DEPTH:
        return None
    if isinstance(node, ast.Attribute) and node.attr in ("choices", "values"):
        return _members(program, program.resolve(node.value, scope))
    target = program.resolve(node, scope)
    if isinstance(target, ClassTarget):
        return _members(program, target)
    if (
        isinstance(target, ValueTarget)
        and isinstance(target.node, ast.Attribute | ast.Name)
        and target.node is not node
    ):
        return choice_values(program, target.node, target.scope, depth + 1)
    if isinstance(target, ValueTarget) and isinstance(target.node, ast.Dict):
        keys = [constant(program, key, target.scope) for key in target.node.keys]
        return None if any(isinstance(key, Missing) for key in keys) else keys
    if isinstance(target, ValueTarget) and target.node is not None:
        told = _of_each_member(program, target.node, target.scope)
        if told is not None:
            return told
    found: list[Json] = []
    parts = elements(program, node, scope)
    for element, inner in parts or []:
        pair = elements(program, element, inner)
        if pair is None or len(pair) != 2:
            value = constant(program, element, inner)
        elif isinstance(pair[1][0], ast.List | ast.Tuple):
            group = choice_values(program, pair[1][0], pair[1][1], depth + 1)
            if group is None:
                return None
            found += group
            continue
        else:
            value = constant(program, *pair[0])
        if isinstance(value, Missing | list | dict):
            return None
        found.append(value)
    return found if parts else None


def _of_each_member(program: Program, node: ast.expr, scope: Scope) -> list[Json] | None:
    """The values that are made of each member of an enumeration: `[(each.value, each.name) for each in Colour]`."""
    match node:
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner], keywords=[]):
            return _of_each_member(program, inner, scope)
        case (
            ast.ListComp(elt=made, generators=[ast.comprehension(ast.Name(id=name), source, ifs=[])])
            | ast.GeneratorExp(elt=made, generators=[ast.comprehension(ast.Name(id=name), source, ifs=[])])
        ):
            first = made.elts[0] if isinstance(made, ast.Tuple) and len(made.elts) == 2 else made
            kept = isinstance(first, ast.Attribute) and first.attr == "value"
            each = first.value if kept and isinstance(first, ast.Attribute) else first
            if isinstance(each, ast.Name) and each.id == name:
                return _members(program, program.resolve(source, scope))
    return None


def _members(program: Program, target: Target | None) -> list[Json] | None:
    """The values of the members of `TextChoices` and its like, whose values may stand before their labels."""
    if not isinstance(target, ClassTarget):
        return None
    if not program.is_a(
        target, {"django", "enum"}, {"TextChoices", "IntegerChoices", "Choices", "Enum", "StrEnum", "IntEnum"}
    ):
        return None
    found: list[Json] = []
    for statement in target.node.body:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            continue
        if statement.targets[0].id == "__empty__":
            found.append(None)
        if statement.targets[0].id.startswith("_"):
            continue
        node = statement.value
        if isinstance(node, ast.Tuple) and node.elts:
            node = node.elts[0]
        value = constant(program, node, target.body)
        if isinstance(value, Missing | list | dict):
            return None
        found.append(value)
    return found


def unlimited(schema: Schema) -> Schema:
    """The schema of a value that is looked up: limits need not be checked for that, but a contract may state them."""
    limits = [key for key in schema if key in LIMITS]
    rest = {key: value for key, value in schema.items() if key not in LIMITS}
    return implied(rest, *limits) if limits else rest


def decimal_pattern(digits: int, places: int) -> str:
    """How drf-spectacular writes that a decimal has so many digits, some of them after the point."""
    return rf"^-?\d{{0,{digits - places}}}(?:\.\d{{0,{places}}})?$"


def decimal_bounds(digits: Json | Missing, places: Json | Missing) -> Schema:
    """The limits of a number that has so many digits, some of them after the point; none where it may have any."""
    if not isinstance(digits, int) or not isinstance(places, int):
        return {}
    limit = 10 ** max(digits - places, 0)
    return {"exclusiveMinimum": -limit, "exclusiveMaximum": limit}


def ended(regex: str) -> str:
    """A regular expression of Python with the ends of its text as contracts write them."""
    return regex.replace("\\Z", "$").replace("\\A", "^")
