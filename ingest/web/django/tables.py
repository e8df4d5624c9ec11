"""Columns and tables of Django's models, and those of the models that Django itself ships."""

from __future__ import annotations

import ast
from typing import Final, TypeAlias

import msgspec

from graph.facts import Json, Location
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External
from ingest.web.syntax.scopes import Scope

_PERMISSION: Final = "django.contrib.auth.models.Permission"
_USER: Final[dict[str, tuple[str, dict[str, Json]]]] = {
    "password": ("CharField", {"max_length": 128}),
    "last_login": ("DateTimeField", {"null": True, "blank": True}),
    "is_superuser": ("BooleanField", {"default": False}),
    "groups": ("ManyToManyField", {"blank": True, "to": "django.contrib.auth.models.Group"}),
    "user_permissions": ("ManyToManyField", {"blank": True, "to": _PERMISSION}),
    "username": ("CharField", {"max_length": 150, "pattern": r"^[\w.@+-]+$"}),
    "first_name": ("CharField", {"max_length": 150, "blank": True}),
    "last_name": ("CharField", {"max_length": 150, "blank": True}),
    "email": ("EmailField", {"blank": True, "max_length": 254}),
    "is_staff": ("BooleanField", {"default": False}),
    "is_active": ("BooleanField", {"default": True}),
    "date_joined": ("DateTimeField", {"default": None}),
}
OUTSIDE: Final[dict[str, dict[str, tuple[str, dict[str, Json]]]]] = {
    "User": _USER,
    "AbstractUser": _USER,
    "AbstractBaseUser": {name: _USER[name] for name in ("password", "last_login")},
    "PermissionsMixin": {name: _USER[name] for name in ("is_superuser", "groups", "user_permissions")},
    "Group": {
        "name": ("CharField", {"max_length": 150}),
        "permissions": ("ManyToManyField", {"blank": True, "to": _PERMISSION}),
    },
    "Permission": {
        "name": ("CharField", {"max_length": 255}),
        "content_type": ("ForeignKey", {"to": "django.contrib.contenttypes.models.ContentType"}),
        "codename": ("CharField", {"max_length": 100}),
    },
    "ContentType": {
        "app_label": ("CharField", {"max_length": 100}),
        "model": ("CharField", {"max_length": 100}),
    },
    "Site": {
        "domain": ("CharField", {"max_length": 100}),
        "name": ("CharField", {"max_length": 50}),
    },
    "Model": {},
}

NAMING: Final = frozenset({"get_username", "get_full_name", "get_short_name"})
"""Methods of Django's users that give texts."""
_GIVEN: Final = NAMING | frozenset(
    {
        *("get_username", "natural_key", "is_anonymous", "is_authenticated", "has_usable_password"),
        *("get_full_name", "get_short_name", "get_session_auth_hash", "get_all_permissions"),
        *("get_user_permissions", "get_group_permissions"),
    }
)
"""Methods and properties that Django gives its users."""

ModelClass: TypeAlias = ClassTarget | External


class Column(msgspec.Struct, frozen=True):
    """One field of a model: the name of Django's class for it, and what it is made with."""

    name: str
    kind: str
    place: Location
    call: ast.Call | None = None
    scope: Scope | None = None
    fixed: dict[str, Json] = msgspec.field(default_factory=dict)

    def given(self, keyword: str, position: int | None = None) -> ast.expr | None:
        """The expression that a keyword is given."""
        return argument(self.call, position, keyword)


class Table(msgspec.Struct, frozen=True):
    """The columns of a model by name; `complete` is false where a base cannot be read."""

    columns: dict[str, Column]
    complete: bool


def outside(base: External, place: Location) -> dict[str, Column] | None:
    """The columns of a model of Django itself; None where they are not known."""
    if base.root != "django" or base.name not in OUTSIDE:
        return None
    return {
        name: Column(name, kind, place, fixed=fixed) for name, (kind, fixed) in OUTSIDE[base.name].items()
    }


def is_given(program: Program, model: ModelClass, name: str) -> bool:
    """Whether a name of a model is a method or property that it has from Django."""
    bases = program.ancestry(model) if isinstance(model, ClassTarget) else [model]
    return name in _GIVEN and any(
        isinstance(base, External) and base.root == "django" and base.name in OUTSIDE and OUTSIDE[base.name]
        for base in bases
    )
