"""What the validators of columns and of serializers' fields demand, as keywords of schemas."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from graph.schema_algebra import Schema
from ingest.web.constants.constants import constant, elements, text_of
from ingest.web.django.columns import BOUNDS, ended
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import External
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope

ANY_LIMIT: Final = frozenset(
    {
        *(*BOUNDS, "pattern", "format"),
        *("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
    }
)
"""The keywords that a validator which cannot be read may put on a value, or not."""
_LENGTHS: Final = {"string": "Length", "array": "Items", "object": "Properties"}
_FORMATS: Final = {
    **dict.fromkeys(("EmailValidator", "validate_email"), "email"),
    "URLValidator": "uri",
}
_LIMITS: Final[dict[str, tuple[str, Callable[..., int | float]]]] = {
    "MinValueValidator": ("min", max),
    "MaxValueValidator": ("max", min),
    "MinLengthValidator": ("min", max),
    "MaxLengthValidator": ("max", min),
}
"""Whether a validator sets the least or the most, and which of several holds."""


def validated(program: Program, schema: Schema, node: ast.expr, scope: Scope, sized: bool = False) -> None:
    """Puts into a schema what validators demand; those that are not known may demand anything.

    `sized` tells that the size of a text is checked by something else, so that these do not count for it.
    """
    for element, inner in elements(program, node, scope) or [(node, scope)]:
        made = program.resolve(uncalled(element), inner)
        known = isinstance(made, External) and made.root == "django"
        if not (
            known
            and isinstance(made, External)
            and _is_read(program, schema, element, inner, made.name, sized)
        ):
            # What the field itself states is documented all the same.
            _open(schema, ANY_LIMIT - schema.keys())


def _is_read(
    program: Program, schema: Schema, element: ast.expr, scope: Scope, name: str, sized: bool
) -> bool:
    """Whether it is known what a validator of Django demands, which is then in the schema."""
    kind = schema.get("type")
    if name in _FORMATS and kind == "string":
        schema.setdefault("format", _FORMATS[name])
        _open(schema, ("format",))
        return True
    if not isinstance(element, ast.Call):
        return False
    if name in _LIMITS:
        side, tighter = _LIMITS[name]
        limit = constant(program, argument(element, 0, "limit_value"), scope)
        if not isinstance(limit, int | float):
            return False
        if "Value" in name:
            keyword = f"{side}imum" if kind in ("integer", "number") else ""
        else:
            keyword = f"{side}{_LENGTHS[kind]}" if isinstance(kind, str) and kind in _LENGTHS else ""
        if keyword and not (sized and keyword == "maxLength"):
            schema[keyword] = tighter(schema.get(keyword, limit), limit)
        return "type" in schema
    if name == "RegexValidator":
        regex = text_of(program, argument(element, 0, "regex"), scope)
        if regex is None or argument(element, 3, "inverse_match") is not None:
            return False
        # Of two that both hold, a contract may state either.
        if schema.pop("pattern", None) is None and "pattern" not in schema.get("x-implied", ()):
            schema["pattern"] = ended(regex)
        _open(schema, ("pattern",))
        return True
    return False


def _open(schema: Schema, keywords: frozenset[str] | tuple[str, ...]) -> None:
    schema["x-implied"] = sorted({*schema.get("x-implied", ()), *keywords})
