"""Werkzeug's rules: paths with converters such as `/books/<int:id>`, as paths and path parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import Schema, implied, unknown
from graph.schemas import normalise
from ingest.web.records.operations import Parameter

_VARIABLE = re.compile(r"<(?:(?P<kind>[a-zA-Z_]\w*)(?:\((?P<options>[^)]*)\))?:)?(?P<name>[a-zA-Z_]\w*)>")
_OPTION = re.compile(r"(\w+)\s*=\s*(-?\d+(?:\.\d+)?)\b")
_CONVERTERS: dict[str, Schema] = {
    "": {"type": "string"},
    "default": {"type": "string"},
    "string": {"type": "string"},
    "path": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "uuid": {"type": "string", "format": "uuid"},
}
_LIMITS = {"min": "minimum", "max": "maximum", "minlength": "minLength", "maxlength": "maxLength"}
_LEFT_OUT = frozenset({"enum", "format", *_LIMITS.values()})


def joined(prefix: str, rule: str) -> str:
    """The rule under its prefix, as Flask joins them."""
    if not prefix:
        return rule
    return f"{prefix.rstrip('/')}/{rule.lstrip('/')}" if rule else prefix


def variables(rule: str) -> set[str]:
    """The names of the variables of a rule."""
    return {match.group("name") for match in _VARIABLE.finditer(rule)}


def path_of(rule: str) -> str:
    """The path of a rule, its variables as `{name}`."""
    return _VARIABLE.sub(lambda match: "{" + match.group("name") + "}", rule)


def path_parameters(rule: str, place: Location, own: Mapping[str, Schema] | None = None) -> list[Parameter]:
    """A parameter for each variable of a rule; `own` are the converters of the project by name."""
    return [
        Parameter("path", match.group("name"), True, _schema(match, own or {}), place)
        for match in _VARIABLE.finditer(rule)
    ]


def is_selective(rule: str) -> bool:
    """Whether the router itself refuses some values of a variable."""
    return any(match.group("kind") not in (None, "default", "path") for match in _VARIABLE.finditer(rule))


def _schema(match: re.Match[str], own: Mapping[str, Schema]) -> Schema:
    kind, options = match.group("kind") or "", match.group("options") or ""
    if kind in own:
        return own[kind]
    schema = _CONVERTERS.get(kind, unknown("the converter is not known"))
    if kind == "any" and options:
        values = [part.strip().strip("\"'") for part in options.split(",")]
        return normalise({"type": "string", "enum": values})
    if not options or "x-unknown" in schema:
        return schema
    limits: dict[str, int | float] = {}
    for name, value in _OPTION.findall(options):
        number = float(value) if "." in value else int(value)
        if name == "length":
            limits |= {"minLength": number, "maxLength": number}
        elif name in _LIMITS:
            limits[_LIMITS[name]] = number
    return normalise({**schema, **limits})


def as_documented(parameter: Parameter) -> Parameter:
    """A path parameter as extensions document it: they know its type, and leave out the form, the values and the limits
    that its converter demands."""
    demanded = sorted(set(parameter.schema) & _LEFT_OUT)
    return replace(parameter, schema=implied(parameter.schema, *demanded)) if demanded else parameter


def as_text_or_number(parameter: Parameter, rule: str) -> Parameter:
    """A path parameter as APIFlask documents it, which takes a number with limits for a text."""
    number = parameter.schema.get("type") in ("integer", "number")
    if number and not any(f"<{kind}:{parameter.name}>" in rule for kind in ("int", "float")):
        return replace(parameter, schema=unknown("the converter's values are documented as plain text"))
    return as_documented(parameter)
