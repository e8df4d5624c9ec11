"""The settings of a class that change its schema: `model_config`, `class Config`, options of structs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from graph.facts import Json
from graph.schema_algebra import Schema, unknown
from ingest.web.constants.constants import Missing, constant
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External
from ingest.web.schemas.aliases import STRUCT_SPELLINGS, Spelling, by_table, spelling_of, struct_spelling
from ingest.web.schemas.annotated_types import is_open, written_out
from ingest.web.schemas.schema_extras import overlay
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope
from ingest.web.values.fields import decorated

_DEPTH = 6
_AS_NUMBER = "durations are read as text and written as numbers"
_STRUCT_OPTIONS = frozenset({"rename", "forbid_unknown_fields", "tag", "tag_field", "array_like"})
_TEXT_LIMITS = {
    "str_min_length": "minLength",
    "str_max_length": "maxLength",
    "min_anystr_length": "minLength",
    "max_anystr_length": "maxLength",
}
_ODD = {"json_schema_mode_override": None, "validate_by_alias": True}
"""Settings that change which fields a schema has, each with the value that changes nothing."""
_OWN_SCHEMA = frozenset({"__get_pydantic_core_schema__", "__get_pydantic_json_schema__", "__modify_schema__"})
_BY_NAME = frozenset({"populate_by_name", "validate_by_name", "allow_population_by_field_name"})


class Config(msgspec.Struct, frozen=True):
    """The settings of a class that change its schema; `extra` is None, False or True as `additionalProperties`.

    `texts` are the limits that every text of the class has which states none of its own; `durations` is why the
    form of durations is not known, `renamed` why the names of fields are not. `answered` tells that schemas of answers
    require the fields with defaults too, `by_name` that requests may use a field's own name beside its alias.
    """

    extra: bool | None = None
    spelling: Spelling | None = None
    unread: str = ""
    texts: tuple[tuple[str, Json], ...] = ()
    durations: str = ""
    renamed: str = ""
    answered: bool = False
    by_name: bool = False

    def limited(self, schema: Schema) -> Schema:
        """The schema with the class's own limits on its texts, wherever they are in it."""
        if self.durations and schema.get("format") == "duration":
            return unknown(self.durations)
        if not self.texts and not self.durations:
            return schema
        found = dict(schema)
        for keyword in ("items", "additionalProperties"):
            if isinstance(found.get(keyword), dict):
                found[keyword] = self.limited(found[keyword])
        for keyword in ("anyOf", "prefixItems"):
            if isinstance(found.get(keyword), list):
                found[keyword] = [self.limited(member) for member in found[keyword]]
        kinds = found.get("type", ())
        is_text = "string" in ([kinds] if isinstance(kinds, str) else kinds)
        if self.texts and is_text and not {"enum", "format"} & found.keys():
            found = {**dict(self.texts), **found}
        return found


def config_of(program: Program, target: ClassTarget) -> Config:
    """The configuration of a class together with that of its ancestors, the nearest deciding."""
    return program.remember(("config", target.node), lambda: _config(program, target))


def _config(program: Program, target: ClassTarget) -> Config:
    ancestry = program.ancestry(target)
    extra = False if any(isinstance(b, External) and b.name == "BaseSettings" for b in ancestry) else None
    spelling: Spelling | None = None
    unread = durations = renamed = ""
    answered = by_name = False
    texts: dict[str, Json] = {}
    for owner in reversed(ancestry):
        if not isinstance(owner, ClassTarget):
            continue
        if _has_own_metaclass(program, owner):
            unread = "the project's own metaclass makes the class"
        if any(isinstance(s, Function) and s.name in _OWN_SCHEMA for s in owner.node.body):
            unread = "the class makes its own schema"
        if any(
            isinstance(s, ast.Assign) and _is_bare_attribute(program, s, owner.body) for s in owner.node.body
        ):
            unread = "an attribute without annotation"
        if any(
            isinstance(s, Function) and decorated(program, s, owner.body, "model_serializer")
            for s in owner.node.body
        ):
            unread = "the class writes itself in its own form"
        for name, value, scope in _settings(program, owner):
            if name == "extra":
                word = value.attr if isinstance(value, ast.Attribute) else constant(program, value, scope)
                extra = {"forbid": False, "allow": True}.get(str(word))
            elif name == "alias_generator":
                before, (spelling, problem) = spelling, spelling_of(program, value, scope)
                taken_back = before is not None and spelling is None
                renamed = problem or ("an alias generator is taken back" if taken_back else renamed)
            elif name == "json_schema_serialization_defaults_required":
                answered = constant(program, value, scope) is True
            elif name in _BY_NAME:
                by_name = constant(program, value, scope) is not False
            elif name in _ODD and constant(program, value, scope) is not _ODD[name]:
                renamed = f"{name} gives the class other fields"
            elif name in ("ser_json_timedelta", "ser_json_temporal"):
                durations = "" if constant(program, value, scope) == "iso8601" else _AS_NUMBER
            elif name in _STRUCT_OPTIONS:
                extra, spelling, problem = _struct(program, (name, value, scope), extra, spelling)
                unread = problem or unread
            elif name in _TEXT_LIMITS:
                limit = constant(program, value, scope)
                if isinstance(limit, Missing):
                    unread = f"the value of {name} is not constant"
                elif limit:
                    texts[_TEXT_LIMITS[name]] = limit
            elif name in ("json_schema_extra", "schema_extra"):
                extras, problem = overlay(program, value, scope)
                unread = problem or ("json_schema_extra says what the class holds" if extras else unread)
            elif name == "**":
                renamed = "the configuration is computed"
    unread = unread or renamed
    return Config(extra, spelling, unread, tuple(texts.items()), durations, renamed, answered, by_name)


def _has_own_metaclass(program: Program, owner: ClassTarget) -> bool:
    made = next((k.value for k in owner.node.keywords if k.arg == "metaclass"), None)
    return made is not None and isinstance(program.resolve(made, owner.scope), ClassTarget)


def _is_bare_attribute(program: Program, statement: ast.Assign, scope: Scope) -> bool:
    """Whether this is an attribute in the old manner of attrs, `x = attr.ib()`."""
    if not isinstance(statement.value, ast.Call):
        return False
    made = program.resolve(statement.value.func, scope)
    return isinstance(made, External) and made.root in ("attr", "attrs")


def _struct(
    program: Program, option: tuple[str, ast.expr, Scope], extra: bool | None, spelling: Spelling | None
) -> tuple[bool | None, Spelling | None, str]:
    """What one option of a msgspec struct makes of `extra` and `spelling`, and why it cannot be read."""
    name, node, scope = option
    value = constant(program, node, scope)
    if name in ("tag", "tag_field"):
        return extra, spelling, ""
    if name == "rename" and isinstance(value, dict):
        return extra, by_table({str(old): str(new) for old, new in value.items()}), ""
    if isinstance(value, Missing) or (name == "rename" and value not in (None, *STRUCT_SPELLINGS)):
        return extra, spelling, f"the value of {name} cannot be read"
    if name == "forbid_unknown_fields":
        return (False if value is True else None), spelling, ""
    if name == "rename":
        return extra, struct_spelling(str(value)) if value else None, ""
    shaped = value not in (None, False)
    return extra, spelling, "the struct is written as an array" if shaped else ""


def _settings(program: Program, owner: ClassTarget) -> Iterator[tuple[str, ast.expr, Scope]]:
    scope = owner.body
    for keyword in owner.node.keywords:
        if keyword.arg in ("extra", "alias_generator", *_STRUCT_OPTIONS):
            yield keyword.arg, keyword.value, scope
    for statement in owner.node.body:
        if isinstance(statement, ast.ClassDef) and statement.name == "Config":
            for inner in statement.body:
                if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name):
                    yield inner.targets[0].id, inner.value, scope.child(statement)
                elif isinstance(inner, Function):
                    own = scope.child(statement)
                    yield inner.name, ast.Name(inner.name, ast.Load(), lineno=inner.end_lineno or 1), own
        named = (
            statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        )
        if isinstance(named, ast.Name) and named.id in ("model_config", "__pydantic_config__"):
            yield from _mapping(program, getattr(statement, "value", None), scope)
    for decorator in owner.node.decorator_list:
        if not isinstance(decorator, ast.Call):
            continue
        if last_name(decorator.func) == "with_config":
            yield from _mapping(program, decorator.args[0] if decorator.args else decorator, owner.scope)
        yield from _mapping(program, argument(decorator, None, "config"), owner.scope)


def _mapping(
    program: Program, value: ast.expr | None, scope: Scope, depth: int = 0
) -> Iterator[tuple[str, ast.expr, Scope]]:
    """What a configuration says, wherever it stands: `ConfigDict(**COMMON, extra="forbid")`, `Base.model_config`."""
    parts: list[tuple[str | None, ast.expr]] = []
    if value is not None:
        value, scope = written_out(program, value, scope)
    if isinstance(value, ast.Call) and not is_open(program, value, scope):
        parts = [(None, each) for each in value.args] + [(k.arg, k.value) for k in value.keywords]
    elif isinstance(value, ast.Dict):
        for key, inner in zip(value.keys, value.values, strict=True):
            text = constant(program, key, scope) if key is not None else None
            parts.append((text if isinstance(text, str) else None if key is None else "**", inner))
    elif isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr):
        parts = [(None, value.left), (None, value.right)]
    elif value is not None:
        yield "**", value, scope
    for name, inner in parts:
        if name is None and depth < _DEPTH:
            yield from _mapping(program, inner, scope, depth + 1)
        else:
            yield name or "**", inner, scope
