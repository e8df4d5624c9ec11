"""Follows exceptions that the specs changed with the code: what tests expect to be raised."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from healer.healers.asynchrony import imported
from healer.healers.callees import runs
from healer.healers.failing import failing
from healer.healers.importing import Statements
from healer.healers.plan import Plan
from healer.movements import Cause, Movement
from healer.reading.meaning import Sort
from healer.reading.meanings import Meanings
from healer.reading.source import Edit

_EXPECTING = frozenset({"raises", "assertRaises", "assertRaisesRegex"})


def exceptions(file: Meanings, plan: Plan) -> list[Edit]:
    """The edits by which failing tests expect the exceptions that are raised now."""
    edits: list[Edit] = []
    for movement in plan.of(Cause.EXCEPTION_CHANGED):
        made = list(_expected(file, plan, movement))
        if made:
            edits += made
            plan.follow(movement)
    return edits


def _expected(file: Meanings, plan: Plan, movement: Movement) -> Iterator[Edit]:
    old, new = str(movement.before or ""), str(movement.after or "")
    if not old or not new:
        return
    places: list[ast.expr] = []
    for function in failing(file, plan):
        calls = [node for node in ast.walk(function) if _is_expecting(node)]
        names = {
            call: [
                each
                for each in _named(call)
                if ast.unparse(each).rpartition(".")[2] == old.rpartition(".")[2]
            ]
            for call in calls
            if isinstance(call, ast.Call)
        }
        fitting = {call: found for call, found in names.items() if found}
        direct = {call for call in fitting if _runs(file, plan, call, movement.subject)}
        chosen = direct or (set(fitting) if len(fitting) == 1 else set())
        places += [each for call in fitting if call in chosen for each in fitting[call]]
    if not places:
        return
    word, statement = _word(file, plan, movement, new)
    if not word:
        return
    yield from (Edit(file.source.start(each), file.source.end(each), word) for each in places)
    yield from _imports(file, plan, places, statement)


def _imports(file: Meanings, plan: Plan, places: list[ast.expr], statement: str) -> Iterator[Edit]:
    """The new exception is imported; the import of the old one goes if it is gone, and nothing else uses it."""
    roots = [each for each in places if isinstance(each, ast.Name)]
    scope = file.bindings.scope(roots[0]) if roots else None
    bindings = scope.bound[roots[0].id] if scope is not None else []
    statements = Statements(file)
    if scope is not None and len(bindings) == 1 and isinstance(alias := bindings[0].node, ast.alias):
        is_unused = set(file.bindings.uses(scope, roots[0].id)) <= set(roots)
        if is_unused:
            of_alias = statements.of_alias(alias)
            of_alias.drop(alias)
            if statement:
                of_alias.add(statement)
            yield from statements.edits()
            return
    if statement:
        yield from imported(file, statement)


def _word(file: Meanings, plan: Plan, movement: Movement, new: str) -> tuple[str, str]:
    """How the file calls an exception, and the import that it needs for that; empty where it cannot be known."""
    short = new.rpartition(".")[2]
    owner = movement.owner or plan.moves.after(movement.subject)
    module = plan.now.module_of(owner)
    canonical = plan.now.resolve(f"{module}.{new}") if module else ""
    if not canonical:
        return (new, "") if hasattr(builtins, new) and new not in file.bindings.module.bound else ("", "")
    for name in file.bindings.module.bound:
        meaning = file.bound(file.bindings.module, name)
        if meaning is None or meaning.sort is not Sort.NAME or not meaning.name:
            continue
        if plan.now.resolve(meaning.name) == canonical:
            return name, ""
        if plan.now.is_module(meaning.name) and plan.now.resolve(f"{meaning.name}.{short}") == canonical:
            return f"{name}.{short}", ""
    if short in file.bindings.module.bound:
        return "", ""
    return short, f"from {canonical.rpartition('.')[0]} import {short}"


def _is_expecting(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not node.args:
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in _EXPECTING


def _named(call: ast.Call) -> list[ast.expr]:
    """The exceptions that a call expects."""
    first = call.args[0]
    return list(first.elts) if isinstance(first, ast.Tuple) else [first]


def _runs(file: Meanings, plan: Plan, call: ast.Call, function: str) -> bool:
    """Whether what a call expects to raise runs a function by itself."""
    around = next(
        (
            each
            for each in file.source.above(call)
            if isinstance(each, ast.With | ast.AsyncWith) and any(i.context_expr is call for i in each.items)
        ),
        None,
    )
    where: ast.AST = around if around is not None else call
    inside = set(ast.walk(where))
    return any(run.node in inside for run in runs(file, plan, (function,)))
