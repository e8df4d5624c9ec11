"""The exceptions that an expression makes, and those that calls of frameworks raise by themselves."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.raising.exception_statuses import abort_status, is_http, status_of_raise, with_given_status
from ingest.web.raising.exceptions import Exit
from ingest.web.raising.http_exceptions import WERKZEUG
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope
from ingest.web.values.alternatives import alternatives_of, apart_by_status
from ingest.web.values.instances import Instances, returned
from ingest.web.values.specialised import called_by

_DEPTH = 12
_ABORTING = frozenset(
    {
        "flask",
        "werkzeug",
        "flask_restx",
        "flask_restplus",
        "flask_restful",
        "flask_smorest",
        "apiflask",
        "webargs",
    }
)
_QUERIES_OR_404 = frozenset({"get_or_404", "first_or_404", "one_or_404"})
_OR_404 = frozenset({"get_object_or_404", "get_list_or_404", "aget_object_or_404", "aget_list_or_404"})


def made_exits(instances: Instances, node: ast.expr, scope: Scope, depth: int = 0) -> list[Exit] | None:
    """The exceptions that an expression can be; None where that cannot be known."""
    call: ast.Call | None = None
    program = instances.program
    chosen = alternatives_of(program, node, scope)
    if chosen and depth < _DEPTH:
        return _of_each(instances, [(value, scope) for value in chosen], depth)
    target = program.resolve(node, scope)
    if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
        call, scope = target.node, target.scope
        while isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call):
            if call.func.attr != "with_traceback":
                break
            call = call.func.value
        if (apart := apart_by_status(program, call, scope)) and depth < _DEPTH:
            return _of_each(instances, [(each, scope) for each in apart], depth)
        target = called_by(instances, call, scope)
    if isinstance(target, FunctionTarget) and call is not None and depth < _DEPTH:
        found = _of_each(instances, returned(target), depth)
        return found and [with_given_status(program, each, target, call, scope) for each in found]
    if not isinstance(target, ClassTarget | External):
        return None
    http = is_http(program, target)
    status = status_of_raise(program, target, call, scope) if http else None
    return [Exit(target, http, status, program.place(node, scope), call=call, scope=scope)]


def _of_each(instances: Instances, values: Sequence[tuple[ast.expr, Scope]], depth: int) -> list[Exit] | None:
    found = [made_exits(instances, value, scope, depth + 1) for value, scope in values]
    return None if not found or None in found else [each for exits in found for each in exits or ()]


def raised_by_framework(program: Program, node: ast.Call, target: Target | None, scope: Scope) -> Exit | None:
    """What `abort(…)`, `get_or_404(…)` and their like raise; None for calls of anything else."""
    place = program.place(node, scope)
    name = last_name(node.func)
    if not isinstance(target, FunctionTarget) and name in _QUERIES_OR_404:
        return Exit(External("werkzeug.exceptions.NotFound"), True, 404, place)
    if not isinstance(target, External):
        return None
    if target.name == "abort" and target.root in _ABORTING:
        status = abort_status(program, node, scope)
        named = next((n for n, code in WERKZEUG.items() if code == status), "HTTPException")
        return Exit(External(f"werkzeug.exceptions.{named}"), True, status, place, call=node, scope=scope)
    if target.name in _OR_404 and target.root in ("django", "rest_framework"):
        return Exit(External("django.http.Http404"), True, 404, place)
    return None
