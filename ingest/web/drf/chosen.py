"""Which class `get_serializer_class` gives for one action and method: its statements, as far as these two decide."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.drf.values import DEPTH, Frame, Mark, Value, Values
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function, parameters

_LOOKED_UP: Final = frozenset({"KeyError", "AttributeError", "Exception", "LookupError"})


class Choosing(Values, frozen=True):
    """A view that is asked for its class by one action and method."""

    def chosen(self, name: str, default: str) -> Value:
        """What a method of the view gives; where only the framework has it, the view's attribute `default`."""
        found = self.policies.member(self.view, name)
        if isinstance(found, FunctionTarget):
            return self.called(found, [], 0)
        return self.attribute(default, 0)

    def called(self, method: FunctionTarget, given: list[Value], depth: int) -> Value:
        """See `Values.called`: `OPEN` where more than the action and the method decides."""
        if (
            depth > DEPTH
            or not isinstance(method.node, Function)
            or isinstance(method.node, ast.AsyncFunctionDef)
        ):
            return Mark.OPEN
        frame = Frame(method.body, method.scope.node, depth=depth)
        taken = [node.arg for node, _ in parameters(method.node)][1:]
        frame.names.update(zip(taken, given, strict=False))
        found = self._run(method.node.body, frame)
        if found is Mark.RAISED:
            return Mark.OPEN
        return None if found is Mark.PASSED else found

    def _run(self, body: list[ast.stmt], frame: Frame) -> Value:
        """What statements return: `PASSED` where they come to their end, `ABSENT` where looking something up fails, and
        `RAISED` where they raise."""
        for statement in body:
            found = self._statement(statement, frame)
            if found is not Mark.PASSED:
                return found
        return Mark.PASSED

    def _statement(self, statement: ast.stmt, frame: Frame) -> Value:
        match statement:
            case ast.Return(value=value):
                return self.value(value, frame) if value is not None else None
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return self._bound(name, value, frame)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                return self._bound(name, value, frame)
            case ast.Assign(targets=[ast.Attribute(attr="depth", value=ast.Attribute(attr="Meta"))]):
                # How deeply relations are written out: `choice.py` looks whether there are any.
                return Mark.PASSED
            case ast.Raise():
                return Mark.RAISED
            case ast.If():
                return self._branch(statement, frame)
            case ast.Try():
                return self._tried(statement, frame)
            case ast.Match():
                return self._matched(statement, frame)
            case ast.For(orelse=[]):
                return self._looped(statement, frame)
            case ast.Expr() | ast.Pass() | ast.Assert() | ast.Import() | ast.ImportFrom():
                return Mark.PASSED
        return Mark.OPEN

    def _bound(self, name: str, value: ast.expr, frame: Frame) -> Value:
        found = self.value(value, frame)
        frame.names[name] = found
        return Mark.ABSENT if found is Mark.ABSENT else Mark.PASSED

    def _branch(self, statement: ast.If, frame: Frame) -> Value:
        held = self.holds(statement.test, frame)
        if held is not None:
            return self._run(statement.body if held else statement.orelse, frame)
        before = dict(frame.names)
        first = self._run(statement.body, frame)
        after, frame.names = frame.names, before
        second = self._run(statement.orelse, frame)
        if first is Mark.RAISED:
            # What is answered at all comes by the other way.
            return second
        if second is Mark.RAISED:
            frame.names = after
            return first
        differing = {n for n in after.keys() | frame.names.keys() if after.get(n) != frame.names.get(n)}
        frame.names.update(dict.fromkeys(differing, Mark.OPEN))
        return first if first == second else Mark.OPEN

    def _tried(self, statement: ast.Try, frame: Frame) -> Value:
        found = self._run(statement.body, frame)
        if found is Mark.PASSED:
            found = self._run(statement.orelse, frame)
        if found is Mark.RAISED:
            return Mark.OPEN
        if found is Mark.ABSENT:
            for handler in statement.handlers:
                kinds = [handler.type] if not isinstance(handler.type, ast.Tuple) else handler.type.elts
                if any(kind is None or getattr(kind, "id", "") in _LOOKED_UP for kind in kinds):
                    return self._run(handler.body, frame)
        return found

    def _looped(self, statement: ast.For, frame: Frame) -> Value:
        """What a loop over the rows of a dictionary returns."""
        match statement:
            case ast.For(
                target=ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)]),
                iter=ast.Call(func=ast.Attribute(attr="items", value=owner), args=[]),
            ):
                for key, value in self.rows(self.value(owner, frame)) or [(Mark.OPEN, Mark.OPEN)]:
                    frame.names.update({first: key, second: value})
                    found = self._run(statement.body, frame)
                    if found is not Mark.PASSED:
                        return found
                return Mark.PASSED
        return Mark.OPEN

    def _matched(self, statement: ast.Match, frame: Frame) -> Value:
        subject = self.value(statement.subject, frame)
        for case in statement.cases:
            fits = _fits(self, case.pattern, subject, frame)
            if fits is None or (fits and case.guard is not None):
                return Mark.OPEN
            if fits:
                return self._run(case.body, frame)
        return Mark.PASSED


def _fits(choosing: Choosing, pattern: ast.pattern, subject: Value, frame: Frame) -> bool | None:
    """Whether a `case` is the one; None where that is not known."""
    match pattern:
        case ast.MatchOr(patterns=patterns):
            parts = [_fits(choosing, each, subject, frame) for each in patterns]
            return True if True in parts else None if None in parts else False
        case ast.MatchValue(value=value):
            found = choosing.value(value, frame)
            return None if isinstance(found, Mark) or isinstance(subject, Mark) else found == subject
        case ast.MatchAs(pattern=None):
            return True
    return None
