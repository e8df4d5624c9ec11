"""Exceptions as classes, how they leave functions, and what catches what."""

from __future__ import annotations

import ast
import builtins
from typing import Final, TypeAlias

import msgspec

from graph.facts import Location
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ParameterTarget
from ingest.web.raising.http_exceptions import FAMILIES, WERKZEUG_NAMES
from ingest.web.raising.library_exceptions import lineage_of_library
from ingest.web.syntax.scopes import Scope
from ingest.web.values.modes import Mode

ExceptionClass: TypeAlias = ClassTarget | External
_OF_ROWS: Final = frozenset({"DoesNotExist", "MultipleObjectsReturned"})


class Exit(msgspec.Struct, frozen=True):
    """One exception that leaves a function: its class, its HTTP status where it has one, and where it is raised.

    `http` tells that the framework answers it by itself; its `status` is None where that is not constant.
    `call` is the expression that makes it, in its scope, `calls` are those that led there, outermost first. `modes` are
    what parameters must be for it. `via` are the functions from the outermost to the one that raises. `given` is the
    parameter that is raised, where only a call of its function tells what it is.
    """

    target: ExceptionClass
    http: bool
    status: int | None
    place: Location
    via: tuple[str, ...] = ()
    call: ast.Call | None = None
    scope: Scope | None = None
    modes: tuple[Mode, ...] = ()
    calls: tuple[tuple[FunctionTarget, ast.Call, Scope], ...] = ()
    given: ParameterTarget | None = None

    @property
    def name(self) -> str:
        """The name of the exception's class."""
        return class_name(self.target)


def class_name(target: ExceptionClass) -> str:
    """The plain name of an exception class."""
    return target.node.name if isinstance(target, ClassTarget) else target.name


def response_of(leaving: Exit) -> ast.Call | ast.Name | None:
    """The response that `abort(make_response(…))` answers with, where it is given one, also by name."""
    if not leaving.http or leaving.status is not None or leaving.call is None or not leaving.call.args:
        return None
    written = leaving.call.args[0] if isinstance(leaving.target, External) else None
    if isinstance(written, ast.Call):
        return written
    if not isinstance(written, ast.Name) or leaving.scope is None:
        return None
    bindings = leaving.scope.bindings.get(written.id, [])
    return written if bindings and all(isinstance(each.value, ast.Call) for each in bindings) else None


def lineage(program: Program, target: ExceptionClass) -> tuple[list[str], bool]:
    """The names under which an exception can be caught, nearest first, and whether these are all of them."""
    if isinstance(target, External):
        return _outside(target)
    names: list[str] = []
    whole = True
    for owner in program.ancestry(target):
        if isinstance(owner, ClassTarget):
            names.append(owner.qualified)
        elif owner is None:
            whole = False
        else:
            inherited, known = _outside(owner)
            names.extend(name for name in inherited if name not in names)
            whole = whole and known
    return names, whole


def caught_by(
    program: Program,
    target: ExceptionClass,
    types: list[ExceptionClass | None],
    place: Location | None = None,
) -> bool | None:
    """Whether a handler for these types catches the exception; None where that cannot be known.

    With its place, classes of installed distributions are read, too.
    """
    names, whole = lineage(program, target)
    if not whole and isinstance(target, External) and place is not None:
        names, whole = lineage(program, _led(program, target, place))
        types = [_led(program, kind, place) if isinstance(kind, External) else kind for kind in types]
    doubt = False
    for kind in types:
        if kind is None:
            doubt = True
            continue
        own = kind.qualified if isinstance(kind, ClassTarget) else _outside(kind)[0][0]
        if own in names:
            return True
        if not whole and not isinstance(kind, ClassTarget):
            doubt = True
    return None if doubt else False


def of_rows(node: ast.expr) -> External | None:
    """The exception of a model that is not known itself, which tells of rows alone: `self.model.DoesNotExist`."""
    if isinstance(node, ast.Attribute) and node.attr in _OF_ROWS:
        return External(f"django.db.models.Model.{node.attr}")
    return None


def _led(program: Program, target: External, place: Location) -> ExceptionClass:
    """An exception of an installed distribution as the class that it is there, where that can be read."""
    if target.root in ("builtins", "fastapi", "starlette"):
        return target
    found = program.outside.lead(program, target, place)
    return found if isinstance(found, ClassTarget) else target


def _outside(target: External) -> tuple[list[str], bool]:
    """Names and whether they are all, for an exception class that the project does not define."""
    if target.root == "builtins":
        found = getattr(builtins, target.name, None)
        if isinstance(found, type) and issubclass(found, BaseException):
            return [f"builtins.{base.__name__}" for base in found.__mro__], True
        return [target.dotted], False
    known = lineage_of_library(target)
    if known is not None:
        return known, True
    ends = ["builtins.Exception", "builtins.BaseException"]
    if target.root == "fastapi" and target.name == "HTTPException":
        return ["fastapi.HTTPException", "starlette.HTTPException", *ends], True
    if target.root == "starlette" and target.name == "HTTPException":
        return ["starlette.HTTPException", *ends], True
    if target.root == "werkzeug" and target.name in WERKZEUG_NAMES:
        own = [] if target.name == "HTTPException" else [f"werkzeug.{target.name}"]
        return [*own, "werkzeug.HTTPException", *ends], True
    if target.root in FAMILIES and FAMILIES[target.root].knows(target.name):
        return [
            *(f"{target.root}.{name}" for name in FAMILIES[target.root].ancestors(target.name)),
            *ends,
        ], True
    return [target.dotted, *ends], False
