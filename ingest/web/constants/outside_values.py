"""What names from outside of a project are worth: statuses, and the settings that Django hands out."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, TypeAlias

from ingest.web.program.program import Program
from ingest.web.program.targets import External
from ingest.web.syntax.scopes import Scope

STATUS: Final = re.compile(r"(?:HTTP|WS)_(\d{3,4})(?:_[A-Z_]+)?$")
"""How frameworks name the constants of statuses."""

_METHOD: Final = re.compile(r"http\.HTTPMethod\.([A-Z]+)(?:\.(?:value|name))?$")
_STATUS_MODULES: Final = frozenset(
    {"starlette.status", "fastapi.status", "rest_framework.status", "litestar.status_codes"}
)
SETTINGS: Final = External("django.conf.settings")
_KEPT: Final = "the settings of the project"
Setting: TypeAlias = tuple[ast.expr, Scope]


def hand_out(program: Program, settings: Callable[[str], Setting | bool]) -> None:
    """Lets names of `django.conf.settings` stand for what `settings` gives for them: an expression, False where they
    are bound to nothing, True where they are bound to what is not known."""
    program.keep(_KEPT, settings, frozenset())


def setting(program: Program, name: str) -> Setting | bool:
    """The expression of one of the project's settings; False where nothing binds it, True where it is not known."""
    said = program.recall(_KEPT)
    return said(name) if callable(said) else False


def status_in(value: object, node: ast.expr | None) -> int | None:
    """The status that the value of an expression is; None where it is none, or is not known."""
    named = STATUS.match(node.attr) if isinstance(node, ast.Attribute) else None
    if named is not None and not isinstance(value, str | int | None):
        # `status.HTTP_404_NOT_FOUND` of whatever stands in for a framework's module.
        value = named.group(1)
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 100 <= value <= 599 else None


def status_named(target: External) -> int | None:
    """The status that a constant of the standard library or a framework stands for; None for any other name."""
    module, _, name = target.dotted.rpartition(".")
    if target.dotted.startswith("http.HTTPStatus."):
        member = HTTPStatus.__members__.get(target.dotted.split(".")[2])
        return int(member) if member is not None else None
    found = STATUS.match(name) if module in _STATUS_MODULES else None
    return int(found.group(1)) if found else None


def method_named(target: External) -> str | None:
    """The method that a member of the standard library's enumeration is; None for any other name."""
    named = _METHOD.match(target.dotted)
    return named.group(1) if named else None


def setting_named(program: Program, target: External) -> Setting | None:
    """The expression that a name of `django.conf.settings` stands for; None where it is another name, or not known."""
    owner, _, name = target.dotted.rpartition(".")
    found = setting(program, name) if owner == SETTINGS.dotted else None
    return found if isinstance(found, tuple) else None
