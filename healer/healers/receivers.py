"""Follows methods that became functions, which are given their object, and functions that became methods of it."""

from __future__ import annotations

import ast

from healer.healers.asynchrony import imported
from healer.healers.callees import Run, runs
from healer.healers.importing import Statements
from healer.healers.moves import receives_otherwise
from healer.healers.plan import Plan
from healer.movements import Cause
from healer.reading.meanings import Meanings
from healer.reading.source import Edit

_TIGHT = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Dict, ast.Set)


def receivers(file: Meanings, plan: Plan) -> list[Edit]:
    """The edits by which calls give the object where it is taken now."""
    moved = {
        each.subject: each
        for each in plan.of(Cause.MOVED, Cause.RENAMED)
        if receives_otherwise(plan.then, plan.now, each)
    }
    calls: dict[str, list[Run]] = {}
    for run in runs(file, plan, moved) if moved else ():
        calls.setdefault(run.callee.function, []).append(run)
    edits: list[Edit] = []
    statements = Statements(file)
    needed: dict[str, list[str]] = {}
    for subject, found in calls.items():
        movement, name = moved[subject], str(moved[subject].after).rpartition(".")[2]
        if plan.then.is_class(subject.rpartition(".")[0]):
            made = _as_function(file, found, name)
            if made:
                needed.setdefault(plan.now.module_of(str(movement.after)), []).append(name)
        else:
            made = _as_method(file, plan, found, statements, name)
        if made:
            edits += made
            plan.follow(movement)
    for module, names in needed.items():
        edits += imported_names(file, module, names)
    return [*edits, *statements.edits()]


def imported_names(file: Meanings, module: str, names: list[str]) -> list[Edit]:
    """The edits by which a file takes names of a module of the code: where it takes others of it, else beside them."""
    top = [each for each in file.source.tree.body if isinstance(each, ast.ImportFrom) and not each.level]
    for node in top:
        if node.module == module and node.names[-1].name != "*":
            end = file.source.end(node.names[-1])
            return [Edit(end, end, "".join(f", {name}" for name in names))]
    statement = f"from {module} import {', '.join(names)}"
    package = module.partition(".")[0]
    own = [each for each in top if (each.module or "").partition(".")[0] == package]
    if not own:
        return list(imported(file, statement))
    place = file.source.line_end(file.source.end(own[-1]))
    return [Edit(place, place, f"{statement}\n")]


def _as_function(file: Meanings, calls: list[Run], name: str) -> list[Edit]:
    """`cart.add(tea)` becomes `add(cart, tea)`; nothing where the name means something else in the file."""
    if not file.bindings.is_free(file.bindings.module, "", name):
        return []
    made: list[Edit] = []
    for run in calls:
        call, function = run.node, run.function
        if run.first or run.callee.given or not isinstance(function, ast.Attribute):
            return []
        start, end = file.source.start(function.value), file.source.end(function.value)
        given = call.args or call.keywords
        rest = file.source.start(_first(call)) if given else file.source.end(call) - 1
        made += [Edit(start, start, f"{name}("), Edit(end, rest, ", " if given else "")]
    return made


def _as_method(file: Meanings, plan: Plan, calls: list[Run], statements: Statements, name: str) -> list[Edit]:
    """`add(cart, tea)` becomes `cart.add(tea)`, and the import goes; nothing where it is used in another way."""
    made: list[Edit] = []
    called = {run.function for run in calls}
    for run in calls:
        call = run.node
        if run.first or not call.args or isinstance(call.args[0], ast.Starred):
            return []
        receiver = call.args[0]
        text = file.source.segment(receiver)
        shown = text if isinstance(receiver, _TIGHT) else f"({text})"
        rest: list[ast.expr | ast.keyword] = [*call.args[1:], *call.keywords]
        end = min(map(file.source.start, rest)) if rest else file.source.end(call) - 1
        made.append(Edit(file.source.start(call), end, f"{shown}.{name}("))
    for scope, statement in file.bindings.imports():
        for alias in statement.names if isinstance(statement, ast.ImportFrom) else ():
            if plan.then.resolve(file.imported(alias)) == calls[0].callee.function:
                uses = file.bindings.uses(scope, alias.asname or alias.name)
                if not called.issuperset(uses):
                    return []
                statements.of(statement).drop(alias)
    return made


def _first(call: ast.Call) -> ast.expr | ast.keyword:
    given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    return min(given, key=lambda each: (each.lineno, each.col_offset))
