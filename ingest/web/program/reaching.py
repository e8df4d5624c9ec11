"""Which values a local name may have where it is used, as far as the statements of its function tell."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ingest.web.program.functions import own_statements
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.blocks import blocks
from ingest.web.syntax.walks import children_of, nodes_of

_State: TypeAlias = "dict[ast.expr | None, None] | None"
"""The values that the name may have, `None` among them where it may have one that is not told; None: never reached."""
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_COMPOUND = (
    ast.If,
    ast.While,
    ast.For,
    ast.AsyncFor,
    ast.Try,
    ast.TryStar,
    ast.With,
    ast.AsyncWith,
    ast.Match,
)
_HEADS = (ast.expr, ast.withitem)
_SAME = {ast.IsNot: ast.Is, ast.NotEq: ast.Eq, ast.NotIn: ast.In}


_Parents: TypeAlias = dict[ast.AST, ast.AST]
"""Each node of a function with the one that it is in, as `parents_of` gives it."""


def reaching(function: Function, use: ast.Name, parents: _Parents) -> list[ast.expr]:
    """The expressions of which one is what a name stands for where it is used; none where that cannot be told.

    It cannot where the function asks before which one it is, by the name itself or by what had chosen it.
    """
    same = [part for part in parents if isinstance(part, ast.Name) and part.id == use.id]
    walk = _Walk(use, _around(same, parents))
    names = {argument.arg for argument, _ in parameters(function)}
    rest = {each.arg for each in (function.args.vararg, function.args.kwarg) if each is not None}
    walk.block(function.body, {None: None} if use.id in names | rest else {})
    found = list(walk.found or ())
    values = [each for each in found if each is not None]
    if len(values) < len(found) or _is_asked(function, use, values, parents):
        return []
    return values


def is_settled(function: Function, use: ast.AST, test: ast.expr, parents: _Parents) -> bool:
    """Whether the conditions under which a place is reached tell already how a test ends."""
    return _holds_known(test, _conditions(function, _around([use], parents)))


def _is_asked(function: Function, use: ast.Name, values: list[ast.expr], parents: _Parents) -> bool:
    using, giving = _around([use], parents), _around(values, parents)
    known = _conditions(function, using)
    asked = {part.id for test in known.values() for part in _names(test)}
    if use.id in asked or _are_given_together(function, asked, giving):
        return True
    chosen = [
        statement.test
        for statement in own_statements(function.body)
        if isinstance(statement, ast.If | ast.While) and statement in giving and statement not in using
    ]
    return any(_holds_known(test, known) for test in chosen)


def _are_given_together(function: Function, asked: set[str], giving: set[ast.AST]) -> bool:
    """Whether a branch that gives the name its value gives one to what is asked too: `lost, code = True, 404`."""
    for statement in own_statements(function.body) if asked else ():
        for block in blocks(statement) if isinstance(statement, _COMPOUND) and statement in giving else ():
            stored = {part.id for each in block for part in _names(each) if isinstance(part.ctx, ast.Store)}
            if stored & asked and any(each in giving for each in block):
                return True
    return False


def _holds_known(test: ast.expr, known: dict[str, ast.expr]) -> bool:
    return any(_text(part) in known for part in [test, *_parts(test, ast.And), *_parts(test, ast.Or)])


def _conditions(function: Function, around: set[ast.AST]) -> dict[str, ast.expr]:
    """What is known to hold, or not to hold, where a place is reached: by the branches around, and those that left.

    `around` is the place with all that it stands in.
    """
    found: list[ast.expr] = []

    def within(body: list[ast.stmt]) -> None:
        for statement in body:
            if statement not in around:
                if isinstance(statement, ast.If) and _leaves(statement.body):
                    found.extend(_parts(statement.test, ast.Or))
                if isinstance(statement, ast.If) and _leaves(statement.orelse):
                    found.extend(_parts(statement.test, ast.And))
                continue
            if isinstance(statement, ast.If):
                inside = any(each in around for each in statement.body)
                if statement.test not in around:
                    found.extend(_parts(statement.test, ast.And if inside else ast.Or))
            for block in blocks(statement):
                if any(each in around for each in block):
                    within(block)
            return

    within(function.body)
    return {_text(part): part for part in found}


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], _LEAVING)


def _parts(test: ast.expr, joint: type[ast.boolop]) -> list[ast.expr]:
    """The conditions that this operator joins to a test, without `not`."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, joint):
        return [part for value in test.values for part in _parts(value, joint)]
    return [test]


def _text(test: ast.expr) -> str:
    """How a condition is written; one and its opposite are the same."""
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _SAME:
        test = ast.Compare(test.left, [_SAME[type(test.ops[0])]()], test.comparators)
    return ast.dump(test)


def _names(node: ast.AST) -> Iterator[ast.Name]:
    return (part for part in nodes_of(node) if isinstance(part, ast.Name))


def _around(parts: Iterable[ast.AST], parents: _Parents) -> set[ast.AST]:
    """These parts of a function and all that they stand in."""
    found: set[ast.AST] = set()
    for part in parts:
        inside: ast.AST | None = part
        while inside is not None and inside not in found:
            found.add(inside)
            inside = parents.get(inside)
    return found


class _Walk:
    """Goes through statements in the order in which they may run, with the values that the name may have.

    `named` are all places that have the name, with what they stand in.
    """

    def __init__(self, use: ast.Name, named: set[ast.AST]) -> None:
        self.use = use
        self.named = named
        self.found: _State = None

    def block(self, body: Iterable[ast.stmt], state: _State) -> _State:
        """What the name may stand for after these statements."""
        for statement in body:
            if state is None:
                return None
            state = self._statement(statement, state)
        return state

    def _statement(self, node: ast.stmt, state: _State) -> _State:
        match node:
            case ast.If():
                state = self._passed(node.test, state)
                return _either(self.block(node.body, state), self.block(node.orelse, state))
            case ast.While():
                return self._loop(node, self._passed(node.test, state))
            case ast.For() | ast.AsyncFor():
                return self._loop(node, self._bound(node.target, None, self._passed(node.iter, state)))
            case ast.Try() | ast.TryStar():
                tried = self.block(node.body, state)
                broken = _either(state, self._assigned(node.body))
                ends = [self.block(each.body, self._caught(each, broken)) for each in node.handlers]
                return self.block(node.finalbody, _either(self.block(node.orelse, tried), *ends))
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    state = self._passed(item.context_expr, state)
                    state = self._bound(item.optional_vars, None, state) if item.optional_vars else state
                # What is suppressed may leave the block early.
                return _either(
                    self.block(node.body, state), state if "suppress" in ast.dump(node.items[0]) else None
                )
            case ast.Match():
                state = self._passed(node.subject, state)
                return _either(
                    state, *(self.block(case.body, self._matched(case, state)) for case in node.cases)
                )
        return self._plain(node, state)

    def _plain(self, node: ast.stmt, state: _State) -> _State:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                rebinds = node.name == self.use.id or any(
                    isinstance(part, ast.Nonlocal) and self.use.id in part.names for part in nodes_of(node)
                )
                return {None: None} if rebinds else state
            case ast.Assign():
                state = self._passed(node.value, state)
                for target in node.targets:
                    state = self._bound(target, node.value, state)
                return state
            case ast.AnnAssign():
                state = self._passed(node.value, state) if node.value is not None else state
                return self._bound(node.target, node.value, state) if node.value is not None else state
            case ast.AugAssign():
                return self._bound(node.target, None, self._passed(node.value, state))
            case ast.Import() | ast.ImportFrom():
                bound = {alias.asname or alias.name.partition(".")[0] for alias in node.names}
                return {None: None} if self.use.id in bound else state
            case ast.Global() | ast.Nonlocal() | ast.Delete():
                return {None: None} if self.use.id in ast.dump(node) else state
        state = self._passed(node, state)
        return None if isinstance(node, _LEAVING) else state

    def _passed(self, node: ast.AST, state: _State) -> _State:
        """What the name may stand for after an expression, in which it may be used."""
        for part in nodes_of(node) if node in self.named else ():
            if part is self.use:
                self.found = _either(self.found, state)
            if isinstance(part, ast.NamedExpr) and part.target.id == self.use.id:
                state = {None: None}
        return state

    def _bound(self, target: ast.expr, value: ast.expr | None, state: _State) -> _State:
        if isinstance(target, ast.Name):
            return {value: None} if target.id == self.use.id else state
        if not any(map(self._binds, _names(target))):
            return state
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            starred = any(isinstance(part, ast.Starred) for part in (*target.elts, *value.elts))
            if not starred and len(target.elts) == len(value.elts):
                for element, part in zip(target.elts, value.elts, strict=True):
                    state = self._bound(element, part, state)
                return state
        return {None: None}

    def _loop(self, node: ast.While | ast.For | ast.AsyncFor, state: _State) -> _State:
        around = _either(state, self._assigned(node.body))
        return self.block(
            node.orelse, _either(state, self.block(node.body, around), self._assigned(node.body))
        )

    def _assigned(self, body: list[ast.stmt]) -> _State:
        """All that statements may give the name, in whatever order they run."""
        found: _State = {}
        for statement in own_statements(body):
            if isinstance(statement, _COMPOUND):
                heads = [each for each in children_of(statement) if isinstance(each, _HEADS)]
                bound = any(self._binds(part) for head in heads for part in _names(head))
                bound = bound or any(self._caught(each, {}) for each in getattr(statement, "handlers", ()))
                bound = bound or any(self._matched(each, {}) for each in getattr(statement, "cases", ()))
                found = _either(found, {None: None} if bound else {})
            elif not isinstance(statement, _LEAVING):
                found = _either(found, _Walk(self.use, self.named)._plain(statement, {}))
        return found

    def _binds(self, part: ast.Name) -> bool:
        return part.id == self.use.id and isinstance(part.ctx, ast.Store)

    def _caught(self, handler: ast.ExceptHandler, state: _State) -> _State:
        return {None: None} if handler.name == self.use.id else state

    def _matched(self, case: ast.match_case, state: _State) -> _State:
        names = {getattr(part, "name", None) for part in nodes_of(case.pattern)}
        return {None: None} if self.use.id in names else state


def _either(*states: _State) -> _State:
    reached = [state for state in states if state is not None]
    return {value: None for state in reached for value in state} if reached else None
