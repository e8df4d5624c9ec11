"""Controllers of Ninja Extra: classes whose methods are operations, registered with an API."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

import msgspec

from ingest.web.constants.constants import text_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.routing.sites import Event
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope

CONTROLLING: Final = frozenset({"register_controllers", "auto_discover_controllers"})
_ROOT: Final = "ninja_extra"
_ROUTES: Final = {f"http_{verb}": verb for verb in ("get", "post", "put", "patch", "delete")} | {
    "http_generic": "generic"
}
_VERBS: Final = frozenset({"get", "post", "put", "patch", "delete", "generic"})


class Controller(msgspec.Struct, frozen=True):
    """A class that is registered as a controller: the prefix of its paths, the call of its decorator where it has
    one, and its operations as events of the API."""

    prefix: str
    call: ast.Call | None
    scope: Scope
    events: tuple[Event, ...]


def controllers(program: Program, event: Event) -> list[Controller | None]:
    """The controllers that a call registers, in order; None stands for what cannot be read."""
    if event.method != "register_controllers" or event.call.keywords:
        return [None]
    return [_controller(program, program.resolve(node, event.scope), event) for node in event.call.args]


def _controller(program: Program, target: Target | None, event: Event) -> Controller | None:
    if not isinstance(target, ClassTarget):
        return None
    for decorator in target.node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        made = program.resolve(call.func if call is not None else decorator, target.scope)
        if not isinstance(made, External) or made.root != _ROOT or made.name != "api_controller":
            continue
        written = argument(call, 0, "prefix_or_class") if call is not None else None
        prefix = text_of(program, written, target.scope) if written is not None else ""
        bases = program.ancestry(target)
        if prefix is None or None in bases or any(_generates(base) for base in bases):
            return None
        return Controller(prefix, call, target.scope, tuple(_events(program, target, event)))
    return None


def _generates(base: Target | None) -> bool:
    """Whether a base from outside brings operations of its own."""
    return isinstance(base, External) and base.root == _ROOT and base.name != "ControllerBase"


def _events(program: Program, controller: ClassTarget, event: Event) -> Iterator[Event]:
    seen: set[str] = set()
    for owner in program.ancestry(controller):
        for statement in owner.node.body if isinstance(owner, ClassTarget) else ():
            if not isinstance(owner, ClassTarget) or not isinstance(statement, Function):
                continue
            if statement.name in seen:
                continue
            seen.add(statement.name)
            for decorator in statement.decorator_list:
                if isinstance(decorator, ast.Call) and (verb := _verb(program, decorator, owner.body)):
                    handler = FunctionTarget(statement, owner.body)
                    # Like `add_api_operation`, it has the path first and the methods after it.
                    method = "add_api_operation" if verb == "generic" else verb
                    yield Event(event.site, method, decorator, owner.body, handler)


def _verb(program: Program, call: ast.Call, scope: Scope) -> str:
    """The method of a route's decorator (`@http_get(…)`, `@route.get(…)`); empty where it is none."""
    made = program.resolve(call.func, scope)
    if not isinstance(made, External) or made.root != _ROOT:
        return ""
    parts = made.dotted.split(".")
    return _ROUTES.get(made.name) or (made.name if made.name in _VERBS and "route" in parts[:-1] else "")
