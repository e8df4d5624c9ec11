"""What the decorators of a handler, beside those that register it, may add to its answers."""

from __future__ import annotations

import ast

import msgspec
from msgspec.structs import replace

from ingest.web.answers.answers import Answer, Answers
from ingest.web.program.bound_methods import as_method
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ParameterTarget
from ingest.web.raising.catching import catching_of
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.routing.sites import Sites
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of
from ingest.web.values.delegating import gives_away, handed_on
from ingest.web.values.instances import returned
from ingest.web.values.specialised import called_by

_DEPTH = 8
_HARMLESS = frozenset(
    {"wraps", "cache", "lru_cache", "staticmethod", "classmethod", "asynccontextmanager", "override", "final"}
)
_REGISTERING = frozenset({"route", "get", "post", "put", "patch", "delete", "api_route"})
_DESCRIBING = frozenset(
    {"aiohttp_apispec", "aiohttp_swagger", "flasgger", "dependency_injector", "dishka", "wireup", "aioinject"}
)
"""Packages whose decorators only describe what they decorate, or give it what the client says nothing of."""
_SITES = frozenset({"Flask", "Blueprint"})
_SETTINGS = frozenset({"config", "settings", "environ", "getenv"})
_LIMITING = frozenset({"limit", "shared_limit", "exempt"})
_LOGGING = frozenset({"foca.utils.logging.log_traffic"})


class Wrapped(msgspec.Struct, frozen=True):
    """What a decorator puts around a handler: functions, what they answer by themselves, and what they catch of it.

    It is `opaque` where something that is not known lies around the handler too, within these. `applied` are decorators
    that a wrapper itself puts around the handler (`login_required(view)(…)`), `chosen` that it does so on a condition.
    """

    wrappers: list[FunctionTarget]
    given: list[Answer]
    caught: ErrorHandlers
    opaque: bool = False
    applied: tuple[tuple[ast.expr, Scope], ...] = ()
    chosen: bool = False


def decorators_of(program: Program, sites: Sites, handler: FunctionTarget) -> list[ast.expr]:
    """The decorators of a handler that neither register it nor are known to do nothing.

    What stands above all that registers it only sees it later, and changes nothing of what is registered.
    """
    if not isinstance(handler.node, Function):
        return []
    found: list[ast.expr] = []
    registered = False
    for decorator in handler.node.decorator_list:
        call = uncalled(decorator)
        told = decorator if isinstance(decorator, ast.Call) else None
        method = as_method(program, told, handler.scope, _REGISTERING) if told is not None else None
        registering = method.func if method is not None else call
        if isinstance(registering, ast.Attribute) and is_of_site(sites, registering, handler.scope):
            found = found if registered or registering.attr not in _REGISTERING else []
            registered = True
            continue
        target = program.resolve(call, handler.scope)
        if not (isinstance(target, External) and _does_nothing(target)) and not _limits(sites, call, handler):
            found.append(decorator)
    return found


def is_of_site(sites: Sites, method: ast.Attribute, scope: Scope) -> bool:
    """Whether this is a method of an application or blueprint, and none that a class of the project's own adds."""
    found = sites.of(method.value, scope)
    if method.attr in _REGISTERING or not any(site.kind in _SITES for site in found):
        return bool(found)
    owner = sites.instances.of(method.value, scope)
    bases = sites.program.ancestry(owner) if isinstance(owner, ClassTarget) else []
    return not any(isinstance(base, ClassTarget) and method.attr in base.body.bindings for base in bases)


def limits_calls(sites: Sites, handler: FunctionTarget) -> bool:
    """Whether a decorator of slowapi stands around a handler, which answers 429 to those who call too often."""
    written = handler.node.decorator_list if isinstance(handler.node, Function) else []
    calls = [decorator.func for decorator in written if isinstance(decorator, ast.Call)]
    return any(_limits(sites, call, handler) for call in calls)


def _limits(sites: Sites, call: ast.expr, handler: FunctionTarget) -> bool:
    if not isinstance(call, ast.Attribute) or call.attr not in _LIMITING:
        return False
    limiter = sites.instances.of(call.value, handler.scope)
    bases = sites.program.ancestry(limiter) if isinstance(limiter, ClassTarget) else [limiter]
    return any(isinstance(base, External) and base.package == "slowapi" for base in bases)


def _does_nothing(decorator: External) -> bool:
    return decorator.name in _HARMLESS or decorator.root in _DESCRIBING or decorator.dotted in _LOGGING


def wrappers_of(
    program: Program, answers: Answers, decorator: ast.expr, handler: FunctionTarget
) -> list[FunctionTarget] | None:
    """The functions that a decorator of the project puts around the handler; None where that is not known."""
    around = around_of(program, answers, decorator, handler.scope)
    if around is None or around.opaque or around.given or around.caught.classes or around.applied:
        return None
    return around.wrappers


def around_of(program: Program, answers: Answers, decorator: ast.expr, around: Scope) -> Wrapped | None:
    """The functions that a decorator of the project puts around the handler; None where that is not known."""
    call = uncalled(decorator)
    target = program.resolve(call, around)
    if target is None and isinstance(call, ast.Attribute):
        # A method of the object around: `@self.guarded`.
        target = answers.instances.callee(call, around)
    if isinstance(decorator, ast.Call):
        # What it is told, such as the model of a body, the functions within see.
        target = called_by(answers.instances, decorator, around) or target
    if not isinstance(target, FunctionTarget):
        return None
    found: list[FunctionTarget] = []
    helping = _helping(target)
    for scope in target.body.descend():
        within = scope is not target.body and scope.node not in helping and not makes_wrapper(scope)
        if within and isinstance(scope.node, Function) and scope.parent is not None:
            found.append(FunctionTarget(scope.node, scope.parent))
    caught = ErrorHandlers()
    given: list[Answer] = []
    applied: list[tuple[ast.expr, Scope]] = []
    passed: list[tuple[ast.expr, Scope]] = []
    for inner in list(found):
        for further in _around_wrapper(program, answers, inner):
            if further is None or further.opaque or further.applied:
                return None
            found += further.wrappers
            given += further.given
            caught = caught.around(further.caught)
    for number, inner in enumerate(found):
        catching = catching_of(program, inner)
        if not catching.known:
            return None
        found[number] = catching.function
        caught = caught.around(catching.handlers)
    for inner in found:
        for value, scope in returned(inner):
            if _passes_on(program, value, scope):
                passed.append((value, scope))
                continue
            if (put_on := _applied(program, value, scope)) is not None:
                applied.append((put_on, scope))
                continue
            if gives_away(program, inner, value, scope):
                return None
            given += answers.of(value, scope)
    if not all(answer.known for answer in given):
        return None
    own = [answer for answer in given if answer.status is not None]
    if not found:
        return _handing_on(program, answers, target)
    chosen = any(not _by_setting(value, scope) for value, scope in passed)
    return Wrapped(found, own, caught, applied=tuple(applied), chosen=bool(applied) and chosen)


def _helping(decorator: FunctionTarget) -> set[ast.AST]:
    """The functions within a decorator that the others only call: they make answers, and stand around nothing."""
    parts = nodes_of(decorator.node)
    called = {part.func for part in parts if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)}
    given = {part.id for part in parts if isinstance(part, ast.Name) and part not in called}
    helping = {name.id for name in called if isinstance(name, ast.Name)} - given
    return {
        part
        for part in parts
        if isinstance(part, Function) and part.name in helping and not part.decorator_list
    }


def _handing_on(program: Program, answers: Answers, decorator: FunctionTarget) -> Wrapped | None:
    """What those put around the handler to which a decorator hands it that wraps nothing by itself."""
    handed = handed_on(program, decorator)
    if handed is None or not returned(decorator):
        return None
    whole = Wrapped([], [], ErrorHandlers())
    for node, scope in handed:
        further = around_of(program, answers, node, scope)
        if further is None and not whole.wrappers:
            return None
        if further is None or further.applied:
            return replace(whole, opaque=True)
        whole = Wrapped(
            [*whole.wrappers, *further.wrappers],
            [*whole.given, *further.given],
            whole.caught.around(further.caught),
        )
    return whole


def _around_wrapper(program: Program, answers: Answers, wrapper: FunctionTarget) -> list[Wrapped | None]:
    """What the decorators of a wrapper itself put around it, but for those that register it as a route."""
    written = wrapper.node.decorator_list if isinstance(wrapper.node, Function) else []
    found: list[Wrapped | None] = []
    for decorator in written:
        call = uncalled(decorator)
        target = program.resolve(call, wrapper.scope)
        registers = isinstance(call, ast.Attribute) and call.attr in _REGISTERING
        if not registers and not (isinstance(target, External) and _does_nothing(target)):
            found.append(around_of(program, answers, decorator, wrapper.scope))
    return found


def makes_wrapper(scope: Scope) -> bool:
    """Whether a function gives one of the functions within it, or what it is given: a decorator, and not what it puts
    around a handler."""
    within = {
        each.node.name for each in scope.descend() if isinstance(each.node, Function) and each is not scope
    }
    node = scope.node if isinstance(scope.node, Function) else None
    body = node.body if node is not None else []
    within |= {each.arg for each, _ in list(parameters(node))[:1]} if node is not None else set()
    last = body[-1] if body else None
    return isinstance(last, ast.Return) and isinstance(last.value, ast.Name) and last.value.id in within


def _applied(program: Program, node: ast.expr, scope: Scope) -> ast.expr | None:
    """The decorator that a wrapper puts around the handler as it calls it: `login_required(view)(*args)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        bindings = scope.bindings.get(node.func.id, [])
        made = bindings[0].value if len(bindings) == 1 else None
        node = ast.Call(made, node.args, node.keywords) if isinstance(made, ast.Call) else node
    match node:
        case ast.Call(func=ast.Call(func=decorator, args=[ast.Name() as named], keywords=[])):
            target = program.resolve(named, scope)
            return decorator if isinstance(target, ParameterTarget) and target.scope is not scope else None
    return None


def _by_setting(node: ast.expr, scope: Scope) -> bool:
    """Whether a value is given only where a setting of the application says so."""
    body = scope.node.body if isinstance(scope.node, Function) else []
    for statement in body:
        if isinstance(statement, ast.If) and any(
            node is part for each in statement.body for part in ast.walk(each)
        ):
            return any(
                (isinstance(part, ast.Attribute) and part.attr in _SETTINGS)
                or (isinstance(part, ast.Name) and part.id in _SETTINGS)
                for part in ast.walk(statement.test)
            )
    return False


def _passes_on(program: Program, node: ast.expr, scope: Scope, depth: int = 0) -> bool:
    """Whether an expression is what the decorated function gives."""
    if depth > _DEPTH:
        return False
    if isinstance(node, ast.Await):
        return _passes_on(program, node.value, scope, depth + 1)
    if isinstance(node, ast.Name):
        bindings = scope.bindings.get(node.id, [])
        return bool(bindings) and all(
            b.value is not None and _passes_on(program, b.value, scope, depth + 1) for b in bindings
        )
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    if isinstance(function, ast.Call) and isinstance(function.func, ast.Attribute) and function.args:
        # `current_app.ensure_sync(view)(…)`
        function = function.args[0] if function.func.attr == "ensure_sync" else function
    target = program.resolve(function, scope) if isinstance(function, ast.Name) else None
    return isinstance(target, ParameterTarget) and target.scope is not scope
