"""What `Field(…)`, `Query(…)` and their like say about one value: default, alias, limits."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from graph.facts import Json
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import MISSING, Constant, Missing, constant
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import External
from ingest.web.schemas.alias_choices import choices_of, first_choice, is_path
from ingest.web.schemas.annotated_types import is_open, is_validator, limits_of, written_out
from ingest.web.schemas.descriptions import UNSETTLED, described_by, is_demanded, is_description
from ingest.web.schemas.schema_extras import overlay
from ingest.web.syntax.scopes import Scope
from ingest.web.values.fields import is_first_pydantic

_LIMITS = frozenset(
    {
        "gt",
        "ge",
        "lt",
        "le",
        "multiple_of",
        "min_length",
        "max_length",
        "pattern",
        "regex",
        "min_items",
        "max_items",
    }
)
_NUMERIC = {
    "gt": "exclusiveMinimum",
    "ge": "minimum",
    "lt": "exclusiveMaximum",
    "le": "maximum",
    "multiple_of": "multipleOf",
}
_SIZES = {
    "min_length": ("minLength", "minItems", "minProperties"),
    "max_length": ("maxLength", "maxItems", "maxProperties"),
    "min_items": ("minItems", "minItems", "minItems"),
    "max_items": ("maxItems", "maxItems", "maxItems"),
}
_SIZED = {"string": 0, "array": 1, "object": 2}


class Facets(msgspec.Struct, frozen=True):
    """What was said about one value beside its type.

    `optional` is whether it has a default at all; `default` is `MISSING` where there is none or it is not constant;
    `validation_alias` is empty where requests use the field's own name although answers may not;
    `extra` are keywords that are laid over the schema by hand, `written` is what takes its place; `unseen` tells
    that schemas leave the value out. `choices` are the names that requests may use, where there are several. It is
    `unsettled` where it cannot be known whether there is a default.
    """

    limits: dict[str, Json] = msgspec.field(default_factory=dict)
    unread: str = ""
    optional: bool = False
    unsettled: bool = False
    default: Constant = MISSING
    alias: str | None = None
    validation_alias: str | None = None
    serialization_alias: str | None = None
    discriminator: str | None = None
    deprecated: bool = False
    excluded: bool = False
    hidden: bool = False
    unseen: bool = False
    embed: bool = False
    media_type: str | None = None
    extra: dict[str, Json] = msgspec.field(default_factory=dict)
    choices: tuple[str, ...] = ()
    written: dict[str, Json] | None = None


def facets_of(
    program: Program,
    metadata: Iterable[tuple[ast.expr, Scope]],
    default: ast.expr | None,
    scope: Scope,
) -> Facets:
    """The facets of a value from the metadata of `Annotated` and from its default (a plain value or a `Field(…)`)."""
    found, validated = Facets(), False
    for each in metadata:
        node, inner = written_out(program, *each)
        if is_open(program, node, inner):
            found = replace(found, unread="what is said of the value cannot be known")
        found, before = _described(program, found, node, inner), found
        if validated and "pattern" in found.limits and found.limits != before.limits:
            # Pydantic holds values against a pattern behind a validator, but does not tell it.
            found = replace(found, unread="the pattern stands behind a validator")
        validated = validated or is_validator(program, node, inner)
    if default is None:
        return found
    told = described_by(program, default, scope)
    if told is None:
        return _defaulted(program, found, default, scope)
    if told is UNSETTLED:
        return replace(
            found, unread="what is said of the value cannot be known", optional=True, unsettled=True
        )
    return _described(program, found, *told)


def keywords_of(program: Program, node: ast.Call, scope: Scope) -> Facets:
    """The facets that the keywords of a call such as `conint(gt=0)` give."""
    return _keywords(program, Facets(), node, scope)


def limited(schema: Schema, facets: Facets) -> Schema:
    """The schema with the limits put on it; unknown where a limit is not constant or fits nothing in it."""
    if facets.unread:
        return unknown(facets.unread)
    if facets.written is not None:
        return limited(normalise(facets.written), replace(facets, written=None, limits={}))
    if "x-unknown" in schema:
        return schema
    if facets.extra:
        return normalise({**limited(schema, replace(facets, extra={})), **facets.extra})
    if not facets.limits:
        return schema
    names = schema.get("type", [])
    types = {names} if isinstance(names, str) else set(names)
    if len(types - {"null"}) != 1:
        return unknown("limits on a type that is no single one")
    kind = next(iter(types - {"null"}))
    result = dict(schema)
    for name, value in facets.limits.items():
        if name in _NUMERIC:
            result[_NUMERIC[name]] = value
        elif name in _SIZES:
            result[_SIZES[name][_SIZED.get(kind, 0)]] = value
        else:
            result["pattern"] = value
    return normalise(result)


def _defaulted(program: Program, facets: Facets, node: ast.expr, scope: Scope) -> Facets:
    if is_demanded(program, node, scope):
        return replace(facets, optional=False, default=MISSING)
    return replace(facets, optional=True, default=constant(program, node, scope))


def _described(program: Program, facets: Facets, node: ast.expr, scope: Scope) -> Facets:
    if not isinstance(node, ast.Call):
        # A marker class without a call (`Annotated[int, Query]`) or plain text says nothing about the value.
        return facets
    target = program.resolve(node.func, scope)
    if not isinstance(target, External):
        return facets
    if target.root == "annotated_types":
        limits = limits_of(program, target.name, node, scope)
        if limits is None:
            return replace(facets, unread=f"the limits of {target.name} are not read")
        return replace(facets, limits={**facets.limits, **limits})
    if not is_description(program, node, scope):
        if target.root == "pydantic" and target.name == "SkipJsonSchema":
            return replace(facets, unseen=True)
        if target.root == "pydantic" and target.name == "WithJsonSchema":
            written = constant(program, argument(node, 0, "json_schema"), scope)
            always = len(node.args) + len(node.keywords) == 1
            if always and isinstance(written, dict) and "$ref" not in json.dumps(written):
                return replace(facets, written=written)
        unread = target.root == "pydantic" and target.name in (
            "PlainSerializer",
            "WrapSerializer",
            "WithJsonSchema",
        )
        unread = unread or (
            target.root == "pydantic" and argument(node, None, "json_schema_input_type") is not None
        )
        return replace(facets, unread=f"{target.name} gives the value another form") if unread else facets
    if target.name in ("Depends", "Security", "StringConstraints", "Strict") or target.root == "litestar":
        positional: list[ast.expr] = []
    else:
        positional = node.args
    for value in positional[:1]:
        facets = _defaulted(program, facets, value, scope)
    found = _keywords(program, facets, node, scope)
    # What attrs calls an alias is the name of the argument of `__init__`.
    return replace(found, alias=facets.alias) if target.root in ("attr", "attrs") else found


def _keywords(program: Program, facets: Facets, node: ast.Call, scope: Scope) -> Facets:
    for keyword in node.keywords:
        name, value = keyword.arg, constant(program, keyword.value, scope)
        if name is None:
            return replace(facets, unread="limits are given as ** of something")
        if name == "default":
            facets = _defaulted(program, facets, keyword.value, scope)
        elif name in ("default_factory", "factory"):
            facets = facets if value is None else replace(facets, optional=True, default=MISSING)
        elif name == "name" and _is_struct_field(program, node, scope):
            if isinstance(value, str):
                facets = replace(facets, alias=value)
            else:
                facets = replace(facets, unread="the name is not constant")
        elif name in _LIMITS:
            if _is_ignored(program, name, node, scope):
                continue
            if isinstance(value, Missing):
                facets = replace(facets, unread=f"the value of {name} is not constant")
            elif value is not None:
                facets = replace(facets, limits={**facets.limits, name: value})
        elif name in ("alias", "validation_alias", "serialization_alias", "discriminator"):
            if name == "validation_alias" and isinstance(value, Missing):
                facets = replace(facets, choices=choices_of(program, keyword.value, scope))
                value = first_choice(program, keyword.value, scope)
            if isinstance(value, Missing) and not is_path(program, keyword.value, scope):
                facets = replace(facets, unread=f"the value of {name} is not constant text")
            elif isinstance(value, str) or (name == "validation_alias" and isinstance(value, Missing)):
                facets = _texts(facets, name, value if isinstance(value, str) else "")
        elif name in ("json_schema_extra", "schema_extra"):
            extra, reason = overlay(program, keyword.value, scope)
            facets = replace(facets, extra={**facets.extra, **extra}, unread=reason or facets.unread)
        elif name in ("enum", "format") and not isinstance(value, Missing):
            # What a `Query(…)` or `Field(…)` does not know itself goes into the schema as it is.
            facets = replace(facets, extra={**facets.extra, name: value})
        else:
            facets = _flags(facets, name, value)
    return facets


def _is_ignored(program: Program, name: str, node: ast.Call, scope: Scope) -> bool:
    """Whether a limit by Pydantic 1's name does nothing where Pydantic 2 is used.

    FastAPI's and SQLModel's own functions take such names as further keywords, and pass them on as words.
    """
    target = program.resolve(node.func, scope)
    if not isinstance(target, External):
        return False
    old = {"fastapi": ("min_items", "max_items"), "sqlmodel": ("regex", "min_items", "max_items")}
    return name in old.get(target.root, ()) and not is_first_pydantic(program)


def _is_struct_field(program: Program, node: ast.Call, scope: Scope) -> bool:
    return program.resolve(node.func, scope) == External("msgspec.field")


def _texts(facets: Facets, name: str, value: str) -> Facets:
    if name == "alias":
        return replace(facets, alias=value)
    if name == "validation_alias":
        return replace(facets, validation_alias=value)
    is_discriminator = name == "discriminator"
    return (
        replace(facets, discriminator=value)
        if is_discriminator
        else replace(facets, serialization_alias=value)
    )


def _flags(facets: Facets, name: str, value: Constant) -> Facets:
    if name == "deprecated":
        return replace(facets, deprecated=value is True or isinstance(value, str))
    if name == "exclude":
        return replace(facets, excluded=value is not False)
    if name == "include_in_schema":
        return replace(facets, hidden=value is False)
    if name == "embed":
        return replace(facets, embed=value is True)
    if name == "media_type" and isinstance(value, str):
        return replace(facets, media_type=value)
    return facets
