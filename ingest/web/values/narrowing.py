"""What a variable cannot be where it is used, since a test of it has ended the function, or leads elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import last_name

_KINDS = {"str": str, "int": int, "bool": bool, "dict": dict, "list": list, "tuple": tuple}
_ENDING = frozenset({"abort"})
"""Functions of frameworks that never come back."""


class Tested:
    """The tests of one variable that hold, or do not, wherever a use of it is reached."""

    def __init__(self, use: ast.Name, function: ast.AST) -> None:
        self.name = use.id
        body = function.body if isinstance(function, Function) else []
        self.tests = [each for each in _tests(body, use.lineno) if _asks(each[0], use.id)]

    def leave_out(self, value: ast.expr) -> bool:
        """Whether the variable is surely not this value, where the value stands in the code."""
        if not isinstance(value, ast.Constant) and not _is_empty(value):
            return False
        held = value.value if isinstance(value, ast.Constant) else ast.literal_eval(value)
        found = [(_outcome(test, self.name, held), holds) for test, holds in self.tests]
        return any(outcome is not None and outcome is not holds for outcome, holds in found)

    def left_of(self, value: ast.expr) -> ast.expr:
        """What is left of a choice when the variable cannot be one of its two values: `Book(row) if row else None`."""
        while isinstance(value, ast.IfExp) and (left := self._left_of(value)) is not None:
            value = left
        return value

    def _left_of(self, choice: ast.IfExp) -> ast.expr | None:
        if self.leave_out(choice.orelse):
            return choice.body
        return choice.orelse if self.leave_out(choice.body) else None


def _tests(body: list[ast.stmt], line: int) -> Iterator[tuple[ast.expr, bool]]:
    """The tests that were made on the way to a line, each with whether it holds there."""
    for statement in body:
        end = statement.end_lineno or statement.lineno
        if end < line:
            if isinstance(statement, ast.If) and not statement.orelse and _ends(statement.body):
                yield statement.test, False
            continue
        if statement.lineno > line:
            return
        if isinstance(statement, ast.If) and line > (statement.test.end_lineno or statement.lineno):
            within = line <= (statement.body[-1].end_lineno or line)
            yield statement.test, within
            yield from _tests(statement.body if within else statement.orelse, line)
        elif isinstance(statement, ast.Try | ast.With | ast.AsyncWith):
            handlers = getattr(statement, "handlers", [])
            for block in [
                statement.body,
                *(each.body for each in handlers),
                getattr(statement, "orelse", []),
            ]:
                yield from _tests(block, line) if _holds(block, line) else ()


def _holds(block: list[ast.stmt], line: int) -> bool:
    return bool(block) and block[0].lineno <= line <= (block[-1].end_lineno or line)


def _ends(body: list[ast.stmt]) -> bool:
    last = body[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return last_name(last.value.func) in _ENDING
    return isinstance(last, ast.Return | ast.Raise | ast.Continue)


def _asks(test: ast.expr, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(test))


def _is_empty(value: ast.expr) -> bool:
    return (isinstance(value, ast.Dict) and not value.keys) or (
        isinstance(value, ast.List | ast.Tuple) and not value.elts
    )


def _outcome(test: ast.expr, name: str, value: object) -> bool | None:
    """What a test gives for this value of the variable; None where that cannot be known."""
    match test:
        case ast.Name(id=found) if found == name:
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            outcome = _outcome(inner, name, value)
            return None if outcome is None else not outcome
        case ast.Compare(left=ast.Name(id=found), ops=[op], comparators=[ast.Constant(value=other)]) if (
            found == name
        ):
            return _compared(op, value, other)
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=found), ast.Name(id=kind)]) if (
            found == name and kind in _KINDS
        ):
            return isinstance(value, _KINDS[kind])
        case ast.BoolOp(op=op, values=values):
            outcomes = [_outcome(each, name, value) for each in values]
            decisive = isinstance(op, ast.Or)
            if decisive in outcomes:
                return decisive
            return None if None in outcomes else not decisive
    return None


def _compared(op: ast.cmpop, value: object, other: object) -> bool | None:
    alike = value == other and type(value) is type(other)
    if isinstance(op, ast.Is | ast.Eq):
        return alike
    return not alike if isinstance(op, ast.IsNot | ast.NotEq) else None
