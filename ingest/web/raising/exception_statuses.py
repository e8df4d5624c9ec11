"""Which HTTP status an exception, or a call of `abort`, stands for."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeAlias

from msgspec.structs import replace

from ingest.web.constants.constants import constant, status_of, status_of_target
from ingest.web.program.calls import argument, given_for, has_stars
from ingest.web.program.functions import assigned_by
from ingest.web.program.methods import calls_above, next_above
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ParameterTarget, Target
from ingest.web.raising.exceptions import ExceptionClass, Exit
from ingest.web.raising.http_exceptions import FAMILIES, WERKZEUG, WERKZEUG_NAMES, Family
from ingest.web.raising.spelled import spelled_out
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.naming import call_at, name_at
from ingest.web.syntax.scopes import Scope

_DEPTH = 8
_Init: TypeAlias = tuple[FunctionTarget, "ast.Call | None", Scope]
"""An `__init__` with the call of it, if there is one, and where that stands."""
_STARLETTE = frozenset({"fastapi", "starlette"})


def is_http(program: Program, target: ExceptionClass) -> bool:
    """Whether the framework itself turns this exception into an answer."""
    return (
        program.is_a(target, _STARLETTE, {"HTTPException"})
        or program.is_a(target, {"werkzeug"}, WERKZEUG_NAMES)
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
    if program.is_a(target, {"werkzeug"}, WERKZEUG_NAMES):
        return _werkzeug_code(program, target)
    return _project_status(program, target, call, scope)


def status_in_attribute(program: Program, leaving: Exit, name: str) -> int | None:
    """The status that an attribute of a raised exception holds, by its `__init__` or its class, if constant."""
    if leaving.http and name in ("status_code", "code", "status"):
        return leaving.status
    target = leaving.target
    if not isinstance(target, ClassTarget) or leaving.scope is None:
        return None
    made = program.class_member(target, "__init__")
    call = leaving.call and spelled_out(program, leaving.call, leaving.scope)
    if leaving.call is not None and call is None:
        return None
    kept = _kept(program, made, name, call, leaving.scope)
    if kept is not None:
        return status_of(program, *kept)
    member = program.class_member(target, name)
    return status_of_target(program, member)


def abort_status(program: Program, call: ast.Call, scope: Scope) -> int | None:
    """The status that `abort(…)` answers with, where it is constant."""
    written = argument(call, 0, "code", "status", "http_status_code", "status_code")
    value = constant(program, written, scope)
    return value if isinstance(value, int) and not isinstance(value, bool) and 100 <= value <= 599 else None


def status_argument(leaving: Exit) -> ast.expr | None:
    """The expression that gives a raised HTTP exception, or `abort`, its status."""
    return argument(leaving.call, 0, "status_code", "code", "status", "http_status_code")


def with_given_status(
    program: Program, leaving: Exit, called: FunctionTarget, call: ast.Call | None, scope: Scope
) -> Exit:
    """An exception whose status is a parameter of the function that makes or raises it, as a call gives it."""
    written = status_argument(leaving)
    if not leaving.http or leaving.status is not None or written is None or leaving.scope is None:
        return leaving
    target = program.resolve(written, leaving.scope)
    if not isinstance(target, ParameterTarget) or target.scope is not called.body:
        return leaving
    value, inner = given_for(target, called, call, scope)
    if value is None:
        return leaving
    outer = call_at(name_at("", value), value, value)
    return replace(leaving, status=status_of(program, value, inner), call=outer, scope=inner)


def as_caught(
    program: Program, leaving: Exit, caught: Sequence[tuple[str | None, Sequence[Exit]]]
) -> list[Exit]:
    """An exception that has its status of one that is caught around, once for each status that this can have:
    `raise HTTPException(error.status)`."""
    written = status_argument(leaving) if leaving.http and leaving.status is None else None
    owner = written.value if isinstance(written, ast.Attribute) else None
    if not isinstance(written, ast.Attribute) or not isinstance(owner, ast.Name):
        return [leaving]
    named = next((exits for name, exits in reversed(caught) if name == owner.id), ())
    told = [status_in_attribute(program, each, written.attr) for each in named]
    if not told or None in told:
        return [leaving]
    return [replace(leaving, status=status) for status in dict.fromkeys(told)]


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
    if base is None or (call is not None and has_stars(call) and base.name in family.free):
        return None
    if base.name in family.free:
        made = program.class_member(target, "__init__") if isinstance(target, ClassTarget) else None
        if isinstance(target, ClassTarget) and isinstance(made, FunctionTarget):
            if any(_gives_status(inner, family) for inner in made.body.calls):
                return _project_status(program, target, call, scope, family.position, *family.keywords)
        elif written := argument(call, family.position, *family.keywords):
            return status_of(program, written, scope)
    elif isinstance(target, ClassTarget) and (kept := _kept_status(program, target, family, call, scope)):
        return status_of(program, *kept)
    for owner in owners:
        if isinstance(owner, ClassTarget) and family.attribute in owner.body.bindings:
            found = program.class_member(owner, family.attribute)
            return status_of_target(program, found)
    return family.codes.get(base.name)


def _kept_status(
    program: Program, target: ClassTarget, family: Family, call: ast.Call | None, scope: Scope
) -> tuple[ast.expr | None, Scope] | None:
    """What the `__init__` of a project's class keeps as the status that the framework answers with, instead of the
    class's own: `if status_code: self.status_code = status_code`."""
    spelled = call and spelled_out(program, call, scope)
    return _kept(program, program.class_member(target, "__init__"), family.attribute, spelled or call, scope)


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
    return _by_inits(program, target, ((made, call, scope),), position, keywords)


def _by_inits(
    program: Program,
    target: ClassTarget,
    inits: tuple[_Init, ...],
    position: int | None,
    keywords: tuple[str, ...],
) -> int | None:
    """The status that the last of these gives the framework's own class, be it through the project's classes above."""
    made = inits[-1][0]
    for inner in made.body.calls:
        if not (isinstance(inner.func, ast.Attribute) and inner.func.attr == "__init__"):
            continue
        plain = isinstance(inner.func.value, ast.Call)
        above = next_above(program, made) if plain else None
        init = program.class_member(above, "__init__") if isinstance(above, ClassTarget) else None
        if isinstance(init, FunctionTarget) and init.node is not made.node and len(inits) < _DEPTH:
            return _by_inits(program, target, (*inits, (init, inner, made.body)), position, keywords)
        first = position if plain or position is None else position + 1
        written = argument(inner, first, *keywords)
        if isinstance(written, ast.Attribute) and _is_first(written.value, made):
            # `self.status_code` is what the class body says, the most derived class first.
            member = program.class_member(target, written.attr)
            return status_of_target(program, member)
        return status_of(program, *_traced(program, written, inits))
    return None


def _traced(
    program: Program, node: ast.expr | None, inits: tuple[_Init, ...]
) -> tuple[ast.expr | None, Scope]:
    """What an expression of the last `__init__` stands for, as far as the calls of them all give it."""
    place = inits[-1][0].body
    for made, call, around in reversed(inits):
        parameter = program.resolve(node, place) if isinstance(node, ast.Name) else None
        if not isinstance(parameter, ParameterTarget) or parameter.scope is not made.body:
            break
        node, place = given_for(parameter, made, call, around)
    return node, place


def _is_first(node: ast.expr, function: FunctionTarget) -> bool:
    """Whether an expression is the first parameter of a function, `self`."""
    names = [argument.arg for argument, _ in parameters(function.node)]
    return isinstance(node, ast.Name) and names[:1] == [node.id]


def _kept(
    program: Program, made: Target | None, name: str, call: ast.Call | None, scope: Scope, depth: int = 0
) -> tuple[ast.expr | None, Scope] | None:
    """What an `__init__`, or the one above that it calls, keeps as an attribute; None where it keeps nothing."""
    if not isinstance(made, FunctionTarget) or not isinstance(made.node, Function) or depth > _DEPTH:
        return None
    always = {each.value for each in made.node.body if isinstance(each, ast.Assign | ast.AnnAssign)}
    for attribute, _, value in assigned_by(made.node):
        if attribute != name or value is None:
            continue
        given = _given(program, value, made, call, scope)
        # `if code is not None: self.code = code` leaves the class its own.
        if value in always or not is_none(given[0]):
            return given
    above, following = calls_above(made.node), next_above(program, made)
    if len(above) != 1 or has_stars(above[0]) or not isinstance(following, ClassTarget):
        return None
    init = program.class_member(following, "__init__")
    kept = _kept(program, init, name, above[0], made.body, depth + 1)
    if kept is None or kept[1] is not made.body or kept[0] is None:
        return kept
    return _given(program, kept[0], made, call, scope)


def _given(
    program: Program, node: ast.expr, made: FunctionTarget, call: ast.Call | None, scope: Scope
) -> tuple[ast.expr | None, Scope]:
    """What an expression of `__init__` stands for where the exception is made, as far as parameters tell."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        found = [_given(program, value, made, call, scope) for value in node.values]
        none = [(v, p) for v, p in found if not is_none(v)]
        return none[0] if none else found[-1]
    parameter = program.resolve(node, made.body)
    if isinstance(parameter, ParameterTarget):
        return given_for(parameter, made, call, scope)
    return node, made.body
