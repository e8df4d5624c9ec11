"""What the settings and the users' model make of the serializers by which Simple JWT gives tokens."""

from __future__ import annotations

import ast
from typing import Final

from msgspec.structs import replace

from graph.schema_algebra import Schema, unknown
from ingest.web.constants.constants import constant, text_of
from ingest.web.django.settings import Given
from ingest.web.program.targets import ClassTarget, External, ValueTarget
from ingest.web.schemas.model_fields import ModelField
from ingest.web.serializers.reading import SerializerReading

TOKENS: Final = "rest_framework_simplejwt.serializers"
_LOGIN: Final = "username"


def login_name(models: SerializerReading, name: str) -> str:
    """The name of a field of these serializers: that of the column by which users sign in for `username`, or empty
    where that is not known."""
    if name != _LOGIN:
        return name
    user = models.tables.user()
    if isinstance(user, External) or (user is None and not models.settings.binds("AUTH_USER_MODEL")):
        return _LOGIN
    told = models.program.class_member(user, "USERNAME_FIELD") if isinstance(user, ClassTarget) else None
    if isinstance(told, External):
        # Django's abstract users sign in by their name.
        return _LOGIN
    return (text_of(models.program, told.node, told.scope) if isinstance(told, ValueTarget) else None) or ""


def as_tokens(
    models: SerializerReading, target: ClassTarget, fields: list[ModelField]
) -> list[ModelField] | None:
    """The fields of a serializer of tokens, or of one that inherits from such; others as they are.

    What an heir answers is what it validates, so that the fields which are only answered say nothing of it.
    """
    bases = [each for each in models.program.ancestry(target) if isinstance(each, ClassTarget)]
    given = {name for each in bases if each.scope.module == TOKENS for name in _answered(each)}
    if not given and target.scope.module != TOKENS:
        return fields
    if any(not field.name for field in fields):
        return None
    if target.scope.module != TOKENS:
        own = {name for each in bases if each.scope.module != TOKENS for name in each.body.bindings}
        open_: Schema = {**unknown("the answer is what it validates"), "readOnly": True, "x-hidden": True}
        return [replace(f, schema=dict(open_)) if f.name in given - own else f for f in fields]
    rotated = _rotated(models)
    if target.node.name != "TokenRefreshSerializer" or rotated is False:
        return fields
    kept: Schema = {"type": "string"} if rotated else unknown("the settings say whether it is answered")
    return [replace(f, schema=dict(kept)) if f.name == "refresh" else f for f in fields]


def _rotated(models: SerializerReading) -> bool | None:
    """Whether each refresh gives a new token for the next one; None where that is not known."""
    given = models.settings.entry("SIMPLE_JWT", "ROTATE_REFRESH_TOKENS") if models.settings.found else None
    if given is None:
        return False
    value = constant(models.program, given.node, given.scope) if isinstance(given, Given) else None
    return value if isinstance(value, bool) else None


def _answered(owner: ClassTarget) -> list[str]:
    """The fields of a class that are only answered."""
    return [
        statement.targets[0].id
        for statement in owner.node.body
        if isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and isinstance(statement.value, ast.Call)
        and any(keyword.arg == "read_only" for keyword in statement.value.keywords)
    ]
