"""What code writes into a generated schema by hand: `json_schema_extra`, and schemas given as dictionaries."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable

from graph.facts import Json
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import Missing, constant, entries, text_of
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ValueTarget
from ingest.web.syntax.scopes import Scope

TELLING = frozenset(
    {
        *("type", "format", "enum", "const", "pattern", "nullable", "readOnly", "writeOnly", "deprecated"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
        *("anyOf", "oneOf", "allOf", "not", "$ref", "items", "prefixItems"),
        *("properties", "required", "additionalProperties", "patternProperties", "discriminator"),
    }
)
"""The keywords of JSON Schema that say something about values; others are words for people."""


def overlay(program: Program, node: ast.expr, scope: Scope) -> tuple[dict[str, Json], str]:
    """The telling keywords that a `json_schema_extra` lays over a schema, or the reason why they are not known."""
    table = entries(program, node, scope)
    if table is None:
        return {}, "" if _only_words(program, node, scope) else "json_schema_extra is computed"
    found: dict[str, Json] = {}
    for key, value, inner in table:
        name = text_of(program, key, inner)
        if name is None:
            return {}, "a key of json_schema_extra is computed"
        if name not in TELLING:
            continue
        known = constant(program, value, inner)
        if isinstance(known, Missing) or "$ref" in json.dumps(known):
            return {}, f"what json_schema_extra says of {name} is computed"
        found[name] = known
    return found, ""


def written_schema(
    program: Program, node: ast.expr, scope: Scope, schema_of: Callable[[ClassTarget], Schema]
) -> Schema:
    """The schema that an expression in a contract's place gives: a dictionary, or `Model.model_json_schema()`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        owner = program.resolve(node.func.value, scope)
        if node.func.attr in ("model_json_schema", "schema") and isinstance(owner, ClassTarget):
            return schema_of(owner)
    written = constant(program, node, scope)
    if isinstance(written, dict) and written and "$ref" not in json.dumps(written):
        return normalise(written)
    return unknown("the schema is written by hand")


def _only_words(program: Program, node: ast.expr, scope: Scope) -> bool:
    """Whether a function that changes a schema names none of its telling keywords."""
    target = program.resolve(node, scope)
    if isinstance(target, ValueTarget) and isinstance(target.node, ast.Lambda):
        target = FunctionTarget(target.node, target.scope)
    if not isinstance(target, FunctionTarget):
        return False
    parts = list(ast.walk(target.node))
    texts = {part.value for part in parts if isinstance(part, ast.Constant)}
    texts |= {part.arg for part in parts if isinstance(part, ast.keyword)}
    return not any(isinstance(text, str) and text in TELLING for text in texts)
