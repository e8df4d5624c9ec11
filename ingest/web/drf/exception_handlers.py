"""What a project's own handler of the REST framework's exceptions answers beside what the framework's own does."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.django.settings import Given
from ingest.web.drf.exception_attributes import statuses_given
from ingest.web.drf.views import REST, Policies
from ingest.web.program.calls import argument
from ingest.web.program.functions import returned
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.syntax.bindings import Function

_SETTING: Final = "EXCEPTION_HANDLER"
_ALIKE: Final = frozenset({REST, "drf_standard_errors", "rest_framework_json_api"})
"""Packages whose handlers give exceptions the statuses that these have."""
_RESPONSES: Final = frozenset({"Response", "JsonResponse"})
_DEPTH: Final = 6


def handled_statuses(program: Program, policies: Policies) -> set[str] | None:
    """The statuses that the handler of the settings gives by itself; none where it is the framework's own, None where
    they cannot all be known."""
    given = policies.settings.rest(_SETTING)
    if not isinstance(given, Given):
        # Settings that a function gives may name any handler.
        return None if given is not None and policies.settings.found else set()
    handler = policies.named(given.node, given.scope)
    return program.remember(("handled", given.node), lambda: _statuses(program, handler, 0))


def _statuses(program: Program, handler: Target | None, depth: int) -> set[str] | None:
    if isinstance(handler, External):
        return set() if handler.root in _ALIKE else None
    if isinstance(handler, ClassTarget):
        # A class is called for each exception: its `run` is the framework's with other words in it.
        known = any(isinstance(b, External) and b.root in _ALIKE for b in program.ancestry(handler))
        return set() if known and len(handler.body.bindings) < 2 else None
    if not isinstance(handler, FunctionTarget) or not isinstance(handler.node, Function) or depth > _DEPTH:
        return None
    found: set[str] = set()
    made: dict[str, list[ast.expr]] = {}
    for part in ast.walk(handler.node):
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                made.setdefault(name, []).append(value)
            case ast.Assign(targets=[ast.Attribute(attr="status_code")], value=value):
                given = statuses_given(program, handler, value, made)
                if given is None:
                    return None
                found |= given
    for value, scope in returned(handler):
        for each in made.get(value.id, [value]) if isinstance(value, ast.Name) else [value]:
            if is_none(each):
                continue
            target = program.resolve(each.func, scope) if isinstance(each, ast.Call) else None
            if isinstance(each, ast.Call) and isinstance(target, External) and target.name in _RESPONSES:
                written = argument(each, 1 if target.root == REST else None, "status")
                kept = _kept(program, written, handler, made, depth)
                given = {"200"} if written is None else statuses_given(program, handler, written, made)
                inner = kept if kept is not None else given
            else:
                inner = _statuses(program, target, depth + 1)
            if inner is None:
                return None
            found |= inner
    return found


def _kept(
    program: Program,
    written: ast.expr | None,
    handler: FunctionTarget,
    made: dict[str, list[ast.expr]],
    depth: int,
) -> set[str] | None:
    """The statuses of an answer that has the one of the exception, or of what another handler answers:
    `Response(data, status=response.status_code)`. None where it is none of these."""
    match written:
        case ast.Attribute(value=ast.Name(id=name), attr="status_code"):
            pass
        case _:
            return None
    if isinstance(handler.node, Function) and [each.arg for each in handler.node.args.args][:1] == [name]:
        return set()
    found: set[str] = set()
    for value in made.get(name, []):
        target = program.resolve(value.func, handler.body) if isinstance(value, ast.Call) else None
        inner = _statuses(program, target, depth + 1)
        if inner is None:
            return None
        found |= inner
    return found if name in made else None
