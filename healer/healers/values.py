"""Follows values that the specs changed with the code: constants, defaults, and the shape of what functions give."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from graph.literals import NO_LITERAL, literal_value
from healer.healers.arguments import Argument, rearranged, slots
from healer.healers.callees import callee, runs
from healer.healers.failing import failed, failing
from healer.healers.plan import Plan
from healer.movements import Cause, Movement
from healer.reading.meanings import Meanings
from healer.reading.source import Edit

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_LAZY = frozenset({"Iterator", "Generator", "Iterable"})
_COLLECTIONS = frozenset({"list", "tuple", "set", "frozenset"})


def values(file: Meanings, plan: Plan) -> list[Edit]:
    """The edits by which failing tests expect the values of now."""
    edits: list[Edit] = []
    for movement in plan.of(Cause.CONSTANT_CHANGED, Cause.DEFAULT_CHANGED, Cause.RETURN_CHANGED):
        if movement.cause is Cause.RETURN_CHANGED:
            made = list(_returned(file, plan, movement))
        else:
            made = list(_compared(file, plan, movement)) or list(_given(file, plan, movement))
            made = made or list(_stated(file, plan, movement))
        if made:
            edits += made
            plan.follow(movement)
    return edits


def _compared(file: Meanings, plan: Plan, movement: Movement) -> Iterator[Edit]:
    """Comparisons of the constant itself with what it was."""
    old = literal(movement.before)
    if (
        movement.cause is not Cause.CONSTANT_CHANGED
        or old is NO_LITERAL
        or literal(movement.after) is NO_LITERAL
    ):
        return
    for function in failing(file, plan):
        for node in ast.walk(function):
            sides = _sides(node)
            if any(file.canonical(file.of(each)) == movement.subject for each in sides):
                for each in sides:
                    if is_same(each, old):
                        yield Edit(file.source.start(each), file.source.end(each), str(movement.after))


def _stated(file: Meanings, plan: Plan, movement: Movement) -> Iterator[Edit]:
    """The one literal of a failing statement that is what the value was."""
    old = literal(movement.before)
    if old is NO_LITERAL or literal(movement.after) is NO_LITERAL:
        return
    for statement in failed(file, plan):
        found = [node for node in ast.walk(statement) if isinstance(node, ast.expr) and is_same(node, old)]
        if len(found) == 1:
            yield Edit(file.source.start(found[0]), file.source.end(found[0]), str(movement.after))


def _given(file: Meanings, plan: Plan, movement: Movement) -> Iterator[Edit]:
    """Calls of failing tests say the value that they left out before, so that they check what they checked."""
    name = movement.subject.partition("#")[2]
    is_default = movement.cause is Cause.DEFAULT_CHANGED
    if not is_default or literal(movement.before) is NO_LITERAL or movement.after is None:
        return
    inside = {node for function in _with_own(file, failing(file, plan)) for node in ast.walk(function)}
    function = movement.subject.partition("#")[0]
    fact = plan.then.function(function)
    rows = [str(row[0]) for row in fact.aspects.get("parameters", ())] if fact is not None else []
    for run in runs(file, plan, (function,)):
        own = slots(file.source, run.node) if run.node in inside and not run.first else None
        if own is None or any(each.is_starred for each in own) or name not in rows:
            continue
        place = rows.index(name) - (1 if rows[0] in ("self", "cls") and not run.callee.given else 0)
        is_placed = len(run.node.args) > place
        if is_placed or any(keyword.arg == name for keyword in run.node.keywords):
            continue
        arguments = [Argument(each.text, at) for at, each in enumerate(own)]
        yield from rearranged(
            file.source, run.node, own, [*arguments, Argument(f"{name}={movement.before}", -1)]
        )


def _with_own(file: Meanings, functions: Iterable[_Function]) -> list[_Function]:
    """Functions of a file, with those of its top level that they call."""
    own = {node.name: node for node in file.source.tree.body if isinstance(node, _Function)}
    found = list(dict.fromkeys(functions))
    for function in found:
        for node in ast.walk(function):
            name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if name in own and own[name] not in found:
                found.append(own[name])
    return found


def _returned(file: Meanings, plan: Plan, movement: Movement) -> Iterator[Edit]:
    """What a function gives becomes what it gave before it is looked at: `list(items())`."""
    old, new = _shape(movement.before), _shape(movement.after)
    if not old or not new or old == new:
        return
    for node in {node for function in failing(file, plan) for node in ast.walk(function)}:
        if not isinstance(node, ast.Call) or not _gives(file, plan, node, movement.subject):
            continue
        start, end = file.source.start(node), file.source.end(node)
        parent = file.source.parents.get(node)
        kind = _kind(parent, node)
        if kind is not None:
            if ast.unparse(kind) == old and new in _COLLECTIONS:
                yield Edit(file.source.start(kind), file.source.end(kind), new)
        elif old in _COLLECTIONS and new in (*_COLLECTIONS, *_LAZY) and not isinstance(parent, ast.Await):
            yield Edit(start, start, f"{old}(")
            yield Edit(end, end, ")")


def _kind(parent: ast.AST | None, node: ast.expr) -> ast.expr | None:
    """The class that `isinstance` compares a value with."""
    match parent:
        case ast.Call(func=ast.Name(id="isinstance"), args=[first, kind]) if first is node:
            return kind
    return None


def _gives(file: Meanings, plan: Plan, node: ast.expr, function: str) -> bool:
    """Whether an expression is a call of a function."""
    return isinstance(node, ast.Call) and callee(file, plan, node.func, frozenset((function,))) is not None


def _shape(annotation: Any) -> str:
    """The outermost type of an annotation."""
    return (
        str(annotation or "")
        .partition("[")[0]
        .rpartition(".")[2]
        .strip()
        .replace("List", "list")
        .replace("Tuple", "tuple")
    )


def _sides(node: ast.AST) -> list[ast.expr]:
    """What a comparison compares: by `==`, or by a method of `unittest`."""
    match node:
        case ast.Compare(left=left, comparators=comparators):
            return [left, *comparators]
        case ast.Call(func=ast.Attribute(attr=name), args=[first, second, *_]) if name.startswith("assert"):
            return [first, second]
    return []


def literal(text: Any) -> Any:
    """The value of a literal's source text; `NO_LITERAL` for anything else."""
    return literal_value(text) if isinstance(text, str) else NO_LITERAL


def is_same(node: ast.expr, value: Any) -> bool:
    """Whether an expression is a literal of this value and type."""
    if not isinstance(node, ast.Constant | ast.UnaryOp | ast.List | ast.Tuple | ast.Dict | ast.Set):
        return False
    found = literal_value(node)
    return type(found) is type(value) and bool(found == value)
