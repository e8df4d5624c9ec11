"""Exceptions as classes: what catches what, and which HTTP status one stands for."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from typing import Final, TypeAlias

from graph.facts import Location
from ingest.web.bindings import Function, parameters
from ingest.web.calls import argument, given_for, has_stars
from ingest.web.constants import constant, status_of, status_of_target
from ingest.web.http_exceptions import FAMILIES, Family
from ingest.web.instances import own_statements
from ingest.web.library_exceptions import lineage_of_library
from ingest.web.modes import Mode
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import ClassTarget, External, FunctionTarget, ParameterTarget

ExceptionClass: TypeAlias = ClassTarget | External

WERKZEUG: Final = {
    "BadRequest": 400,
    "BadRequestKeyError": 400,
    "SecurityError": 400,
    "Unauthorized": 401,
    "Forbidden": 403,
    "NotFound": 404,
    "MethodNotAllowed": 405,
    "NotAcceptable": 406,
    "RequestTimeout": 408,
    "Conflict": 409,
    "Gone": 410,
    "LengthRequired": 411,
    "PreconditionFailed": 412,
    "RequestEntityTooLarge": 413,
    "RequestURITooLarge": 414,
    "UnsupportedMediaType": 415,
    "RequestedRangeNotSatisfiable": 416,
    "ExpectationFailed": 417,
    "ImATeapot": 418,
    "MisdirectedRequest": 421,
    "UnprocessableEntity": 422,
    "Locked": 423,
    "FailedDependency": 424,
    "PreconditionRequired": 428,
    "TooManyRequests": 429,
    "RequestHeaderFieldsTooLarge": 431,
    "UnavailableForLegalReasons": 451,
    "InternalServerError": 500,
    "NotImplemented": 501,
    "BadGateway": 502,
    "ServiceUnavailable": 503,
    "GatewayTimeout": 504,
    "HTTPVersionNotSupported": 505,
}
_WERKZEUG_NAMES = frozenset({*WERKZEUG, "HTTPException"})
_STARLETTE = frozenset({"fastapi", "starlette"})


@dataclass(frozen=True, slots=True)
class Exit:
    """One exception that leaves a function: its class, its HTTP status where it has one, and where it is raised.

    `http` tells that the framework answers it by itself; its `status` is None where that is not constant.
    `call` is the expression that makes it, in its scope, `calls` are those that led there, outermost first. `modes` are
    what parameters must be for it. `via` are the functions from the outermost to the one that raises.
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

    @property
    def name(self) -> str:
        """The name of the exception's class."""
        return class_name(self.target)


def class_name(target: ExceptionClass) -> str:
    """The plain name of an exception class."""
    return target.node.name if isinstance(target, ClassTarget) else target.name


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


def caught_by(program: Program, target: ExceptionClass, types: list[ExceptionClass | None]) -> bool | None:
    """Whether a handler for these types catches the exception; None where that cannot be known."""
    names, whole = lineage(program, target)
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


def is_http(program: Program, target: ExceptionClass) -> bool:
    """Whether the framework itself turns this exception into an answer."""
    return (
        program.is_a(target, _STARLETTE, {"HTTPException"})
        or program.is_a(target, {"werkzeug"}, _WERKZEUG_NAMES)
        or _family(program, target) is not None
    )


def status_of_raise(
    program: Program, target: ExceptionClass, call: ast.Call | None, scope: Scope
) -> int | None:
    """The status of an HTTP exception that is made by this call (None: raised as a bare class), if constant."""
    family = _family(program, target)
    if family is not None:
        return _family_status(program, family, target, call, scope)
    if isinstance(target, External):
        if target.root == "werkzeug":
            return WERKZEUG.get(target.name)
        return status_of(program, argument(call, 0, "status_code"), scope)
    if program.is_a(target, {"werkzeug"}, _WERKZEUG_NAMES):
        return _werkzeug_code(program, target)
    return _project_status(program, target, call, scope)


def _family(program: Program, target: ExceptionClass) -> Family | None:
    """The framework whose exception this is or extends, of those that are known by their tables."""
    owners = [target] if isinstance(target, External) else program.ancestry(target)
    for owner in owners:
        if isinstance(owner, External) and owner.root in FAMILIES and FAMILIES[owner.root].knows(owner.name):
            return FAMILIES[owner.root]
    return None


def _family_status(
    program: Program, family: Family, target: ExceptionClass, call: ast.Call | None, scope: Scope
) -> int | None:
    owners = [target] if isinstance(target, External) else program.ancestry(target)
    base = next((o for o in owners if isinstance(o, External) and family.knows(o.name)), None)
    if base is None or (call is not None and has_stars(call)):
        return None
    if base.name in family.free:
        made = program.class_member(target, "__init__") if isinstance(target, ClassTarget) else None
        if isinstance(target, ClassTarget) and isinstance(made, FunctionTarget):
            if any(_gives_status(inner, family) for inner in made.body.calls):
                return _project_status(program, target, call, scope, family.position, *family.keywords)
        elif written := argument(call, family.position, *family.keywords):
            return status_of(program, written, scope)
    for owner in owners:
        if isinstance(owner, ClassTarget) and family.attribute in owner.body.bindings:
            found = program.class_member(owner, family.attribute)
            return status_of_target(program, found)
    return family.codes.get(base.name)


def _gives_status(call: ast.Call, family: Family) -> bool:
    """Whether a call of a base's `__init__` gives it a status."""
    if not (isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"):
        return False
    return has_stars(call) or argument(call, family.position, *family.keywords) is not None


def _werkzeug_code(program: Program, target: ClassTarget) -> int | None:
    for owner in program.ancestry(target):
        if isinstance(owner, ClassTarget) and "code" in owner.body.bindings:
            found = program.class_member(owner, "code")
            return status_of_target(program, found)
        if isinstance(owner, External):
            return WERKZEUG.get(owner.name)
    return None


def _project_status(
    program: Program,
    target: ClassTarget,
    call: ast.Call | None,
    scope: Scope,
    position: int | None = 0,
    *keywords: str,
) -> int | None:
    keywords = keywords or ("status_code",)
    made = program.class_member(target, "__init__")
    if not isinstance(made, FunctionTarget):
        return status_of(program, argument(call, position, *keywords), scope)
    for inner in made.body.calls:
        if not (isinstance(inner.func, ast.Attribute) and inner.func.attr == "__init__"):
            continue
        plain = isinstance(inner.func.value, ast.Call)
        first = position if plain or position is None else position + 1
        written = argument(inner, first, *keywords)
        if isinstance(written, ast.Attribute) and _is_first(written.value, made):
            # `self.status_code` is what the class body says, the most derived class first.
            member = program.class_member(target, written.attr)
            return status_of_target(program, member)
        if isinstance(written, ast.Name):
            parameter = program.resolve(written, made.body)
            if isinstance(parameter, ParameterTarget) and parameter.scope is made.body:
                return status_of(program, *given_for(parameter, made, call, scope))
        return status_of(program, written, made.body)
    return None


def _is_first(node: ast.expr, function: FunctionTarget) -> bool:
    """Whether an expression is the first parameter of a function, `self`."""
    names = [argument.arg for argument, _ in parameters(function.node)]
    return isinstance(node, ast.Name) and names[:1] == [node.id]


def status_in_attribute(program: Program, leaving: Exit, name: str) -> int | None:
    """The status that an attribute of a raised exception holds, by its `__init__` or its class, if constant."""
    if leaving.http and name in ("status_code", "code", "status"):
        return leaving.status
    target = leaving.target
    if not isinstance(target, ClassTarget) or leaving.scope is None:
        return None
    made = program.class_member(target, "__init__")
    if isinstance(made, FunctionTarget) and isinstance(made.node, Function):
        for statement in own_statements(made.node.body):
            if not (isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Attribute)):
                continue
            if statement.targets[0].attr != name:
                continue
            value, place = _given(program, statement.value, made, leaving)
            absent = isinstance(value, ast.Constant) and value.value is None
            # `if code is not None: self.code = code` leaves the class its own.
            if statement in made.node.body or not absent:
                return status_of(program, value, place)
    member = program.class_member(target, name)
    return status_of_target(program, member)


def _given(
    program: Program, node: ast.expr, made: FunctionTarget, leaving: Exit
) -> tuple[ast.expr | None, Scope]:
    """What an expression of `__init__` stands for where the exception is made, as far as parameters tell."""
    assert leaving.scope is not None, "who asks knows where the exception is made"
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        found = [_given(program, value, made, leaving) for value in node.values]
        none = [(v, p) for v, p in found if not (isinstance(v, ast.Constant) and v.value is None)]
        return none[0] if none else found[-1]
    parameter = program.resolve(node, made.body)
    if isinstance(parameter, ParameterTarget):
        return given_for(parameter, made, leaving.call, leaving.scope)
    return node, made.body


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
    if target.root == "werkzeug" and target.name in _WERKZEUG_NAMES:
        own = [] if target.name == "HTTPException" else [f"werkzeug.{target.name}"]
        return [*own, "werkzeug.HTTPException", *ends], True
    if target.root in FAMILIES and FAMILIES[target.root].knows(target.name):
        return [
            *(f"{target.root}.{name}" for name in FAMILIES[target.root].ancestors(target.name)),
            *ends,
        ], True
    return [target.dotted, *ends], False


def abort_status(program: Program, call: ast.Call, scope: Scope) -> int | None:
    """The status that `abort(…)` answers with, where it is constant."""
    written = argument(call, 0, "code", "status", "http_status_code", "status_code")
    value = constant(program, written, scope)
    return value if isinstance(value, int) and not isinstance(value, bool) and 100 <= value <= 599 else None


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


def status_argument(leaving: Exit) -> ast.expr | None:
    """The expression that gives a raised HTTP exception, or `abort`, its status."""
    return argument(leaving.call, 0, "status_code", "code", "status", "http_status_code")
