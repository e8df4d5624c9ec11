"""What a function does to a list or an object of its own after it was made: what is added, and which fields are set."""

from __future__ import annotations

import ast
from collections.abc import Callable

import msgspec

from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import children_of, nodes_of

_LOOKS = frozenset({"get", "keys", "values", "items", "copy", "index", "count", "sort", "reverse"})
_MUTATES = frozenset(
    {"append", "extend", "insert", "update", "setdefault", "pop", "popitem", "clear", "remove", "add"}
)

_EACH = frozenset({"values", "items"})
_PASSING = frozenset({"zip", "enumerate", "reversed", "sorted", "list", "tuple", "iter"})


class Changes(msgspec.Struct):
    """Values that are appended, and fields that are set: the key, the value, and whether that happens in each run.

    `dropped` are the keys of fields that are taken out, and whether that happens in each run; `filled` those of lists
    within it, with what is appended to them (`data["rows"].append(row)`); `spread` the objects whose fields are all put
    in (`data.update(more)`); `under` the tests of the branches in which values are set or keys taken out, each with
    what it must be.
    """

    added: list[ast.expr] = msgspec.field(default_factory=list)
    set: list[tuple[str, ast.expr, bool]] = msgspec.field(default_factory=list)
    dropped: list[tuple[ast.Constant, bool]] = msgspec.field(default_factory=list)
    filled: list[tuple[str, ast.expr]] = msgspec.field(default_factory=list)
    spread: list[tuple[ast.expr, bool]] = msgspec.field(default_factory=list)
    under: dict[ast.expr, tuple[ast.expr, bool]] = msgspec.field(default_factory=dict)


def is_filled(name: str, scope: Scope) -> bool:
    """Whether fields of the object that a name of this scope holds are set or taken out."""
    found = changes_of(name, scope, lambda call, given: True)
    if found is not None:
        return bool(found.set or found.dropped or found.filled or found.spread)
    return any(
        isinstance(each, ast.Subscript)
        and isinstance(each.ctx, ast.Store | ast.Del)
        and isinstance(each.value, ast.Name)
        and each.value.id == name
        for each in nodes_of(scope.node)
    )


def changes_of(name: str, scope: Scope, leaves_alone: Callable[[ast.Call, ast.expr], bool]) -> Changes | None:
    """What happens to what a name of this scope holds; None where it may be changed in another way.

    `leaves_alone` tells of calls that change nothing of what they are given.
    """
    parents = {child: parent for parent in nodes_of(scope.node) for child in children_of(parent)}
    found = Changes()
    for node in nodes_of(scope.node):
        if not (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)):
            continue
        outer = parents.get(node)
        if (loop := _loop_over(node, parents)) is not None:
            known = not _changes_each(loop)
        elif isinstance(outer, ast.Subscript) and outer.value is node:
            known = _part(found, outer, parents, scope)
        elif isinstance(outer, ast.Attribute):
            known = _method(found, outer, parents, scope)
        elif isinstance(outer, ast.Call | ast.keyword):
            call = parents.get(outer) if isinstance(outer, ast.keyword) else outer
            known = isinstance(call, ast.Call) and leaves_alone(call, node)
        elif isinstance(outer, ast.Assign) and all(isinstance(t, ast.Subscript) for t in outer.targets):
            # It is kept somewhere; what is changed there is known by where it is kept.
            known = True
        else:
            # By another name, or within something else, it may be changed.
            known = not isinstance(
                outer, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr | ast.Delete
            )
        if not known:
            return None
    return found


def _loop_over(node: ast.Name, parents: dict[ast.AST, ast.AST]) -> ast.For | None:
    """The loop that goes over what a name holds: `for row in rows`, `in zip(rows, others)`, `in rows.values()`."""
    inner: ast.AST = node
    outer = parents.get(inner)
    while isinstance(outer, ast.Call | ast.Attribute):
        goes = outer.attr in _EACH if isinstance(outer, ast.Attribute) else _hands_out(outer, inner)
        if not goes:
            return None
        inner, outer = outer, parents.get(outer)
    return outer if isinstance(outer, ast.For) and outer.iter is inner else None


def _hands_out(call: ast.Call, inner: ast.AST) -> bool:
    """Whether a call gives what is in one of its arguments piece by piece, or calls a method that does."""
    return call.func is inner or (isinstance(call.func, ast.Name) and call.func.id in _PASSING)


def _changes_each(loop: ast.For) -> bool:
    """Whether a loop over a list may change what the list holds: `for row in rows: row["links"] = …`."""
    names = {part.id for part in nodes_of(loop.target) if isinstance(part, ast.Name)}
    for statement in loop.body:
        for part in nodes_of(statement):
            if not isinstance(part, ast.Subscript | ast.Attribute):
                continue
            changing = isinstance(part, ast.Attribute) and part.attr in _MUTATES
            held = isinstance(part.value, ast.Name) and part.value.id in names
            if held and (changing or not isinstance(part.ctx, ast.Load)):
                return True
    return False


def _part(found: Changes, node: ast.Subscript, parents: dict[ast.AST, ast.AST], scope: Scope) -> bool:
    """One use of a part of it (`data["items"]`); false where the part may be changed in its place."""
    outer = parents.get(node)
    if isinstance(node.ctx, ast.Load):
        match parents.get(outer) if outer is not None else None, node.slice:
            case ast.Call(
                func=ast.Attribute(attr="append") as method, args=[value], keywords=[]
            ), ast.Constant(value=str(name)) if method is outer:
                found.filled.append((name, value))
                return True
        inner = (
            isinstance(outer, ast.Subscript)
            and outer.value is node
            and isinstance(outer.ctx, ast.Store | ast.Del)
        )
        return not inner and not (isinstance(outer, ast.Attribute) and outer.attr in _MUTATES)
    key = node.slice
    if isinstance(node.ctx, ast.Del) and isinstance(key, ast.Constant) and isinstance(key.value, str):
        found.dropped.append((key, outer in getattr(scope.node, "body", ())))
        _branch(found, key, outer, parents, scope)
        return True
    if isinstance(outer, ast.AugAssign) and isinstance(outer.op, ast.Add | ast.Sub):
        # Counting adds no field, nor does a longer text: a key that is not there fails.
        counts = isinstance(outer.value, ast.Constant) and isinstance(outer.value.value, int)
        return counts or _is_text(outer.value)
    if not (isinstance(outer, ast.Assign) and isinstance(key, ast.Constant) and isinstance(key.value, str)):
        return False
    found.set.append((key.value, outer.value, outer in getattr(scope.node, "body", ())))
    _branch(found, outer.value, outer, parents, scope)
    return True


def _is_text(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.Call(func=ast.Attribute(value=inner, attr="format" | "join")) | ast.BinOp(left=inner):
            return _is_text(inner)
    return False


def _branch(
    found: Changes, node: ast.expr, statement: ast.AST | None, parents: dict[ast.AST, ast.AST], scope: Scope
) -> None:
    """Notes under which test a statement changes a value or key."""
    branch = parents.get(statement) if statement is not None else None
    if isinstance(branch, ast.If) and branch in getattr(scope.node, "body", ()):
        found.under[node] = branch.test, statement in branch.body


def _method(found: Changes, node: ast.Attribute, parents: dict[ast.AST, ast.AST], scope: Scope) -> bool:
    call = parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node:
        return False
    if node.attr == "append" and len(call.args) == 1:
        found.added.append(call.args[0])
        return True
    statement = parents.get(call)
    while isinstance(statement, ast.expr):
        statement = parents.get(statement)
    always = statement in getattr(scope.node, "body", ())
    if node.attr == "pop" and call.args and not call.keywords:
        key = call.args[0]
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            found.dropped.append((key, always))
            _branch(found, key, statement, parents, scope)
            return True
        return False
    if node.attr == "update":
        before, spread = len(found.set), len(found.spread)
        known = _updated(found, call, always)
        for value in (*(v for _, v, _ in found.set[before:]), *(v for v, _ in found.spread[spread:])):
            _branch(found, value, statement, parents, scope)
        return known
    return node.attr in _LOOKS


def _updated(found: Changes, call: ast.Call, always: bool) -> bool:
    """`data.update({"total": 3})`, `data.update(total=3)`, `data.update(more)`; false where a key is not constant."""
    pairs: list[tuple[ast.expr | None, ast.expr]] = []
    for given in call.args:
        if isinstance(given, ast.Dict):
            pairs += zip(given.keys, given.values, strict=True)
        else:
            found.spread.append((given, always))
    pairs += [(ast.Constant(each.arg) if each.arg else None, each.value) for each in call.keywords]
    for key, value in pairs:
        if key is None:
            found.spread.append((value, always))
            continue
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            return False
        found.set.append((key.value, value, always))
    return True
