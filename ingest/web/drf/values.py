"""What expressions of a view are worth for one action and method, as far as these two decide."""

from __future__ import annotations

import ast
from enum import Enum
from typing import Final, TypeAlias

import msgspec

from ingest.web.constants.constants import Missing, constant, entries, of_target
from ingest.web.drf.given_classes import class_given
from ingest.web.drf.views import Policies, View
from ingest.web.program.calls import argument
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.scopes import Scope

DEPTH: Final = 12
_SAFE: Final = External("rest_framework.permissions.SAFE_METHODS")


class Mark(Enum):
    """What is no value: not known, not there (so that looking it up fails), nothing returned, or nothing
    given since the statements raise."""

    OPEN = "open"
    ABSENT = "absent"
    PASSED = "passed"
    RAISED = "raised"


class Table(msgspec.Struct, frozen=True):
    """A dictionary that stands in the source."""

    rows: list[tuple[ast.expr, ast.expr, Scope]]


Value: TypeAlias = "ClassTarget | Table | Mark | list[object] | str | bool | int | float | None"
"""What an expression is worth; texts are those that the action and the method make."""


class Frame(msgspec.Struct):
    """One method as it runs: where its names stand, what they were given, and the class that defines it."""

    scope: Scope
    owner: ast.AST | None
    names: dict[str, Value] = msgspec.field(default_factory=dict)
    depth: int = 0


class Values(msgspec.Struct, frozen=True):
    """A view that is asked by one action and method."""

    policies: Policies
    view: View
    action: str
    method: str

    def called(self, method: FunctionTarget, given: list[Value], depth: int) -> Value:
        """What a method of the view gives for these arguments."""
        raise NotImplementedError

    def holds(self, test: ast.expr, frame: Frame) -> bool | None:
        """Whether a condition holds; None where more decides it."""
        match test:
            case ast.BoolOp(op=op, values=values):
                wanted = isinstance(op, ast.Or)
                parts = [self.holds(value, frame) for value in values]
                return wanted if wanted in parts else None if None in parts else not wanted
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                held = self.holds(inner, frame)
                return None if held is None else not held
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return _compared(op, self.value(left, frame), self.value(right, frame), self)
            case ast.Call(func=ast.Name(id="hasattr"), args=[ast.Name(id="self"), name]):
                asked = self.value(name, frame)
                return self._has(asked) if isinstance(asked, str) else None
            case ast.Attribute(value=ast.Name(id="self"), attr="request"):
                return True
        found = self.value(test, frame)
        return None if found is Mark.OPEN or found is Mark.ABSENT else bool(found)

    def _has(self, name: str) -> bool | None:
        if name in ("action", "request"):
            return True
        return True if self.policies.member(self.view, name) is not None else None

    def value(self, node: ast.expr, frame: Frame) -> Value:
        """What an expression is worth in a method that runs."""
        match node:
            case ast.Name(id=name) if name in frame.names:
                return frame.names[name]
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                frame.names[name] = self.value(value, frame)
                return frame.names[name]
            case ast.IfExp():
                held = self.holds(node.test, frame)
                return Mark.OPEN if held is None else self.value(node.body if held else node.orelse, frame)
            case ast.BoolOp(op=ast.Or(), values=values):
                return self._either(values, frame)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                return self.action if name == "action" else self.attribute(name, frame.depth)
            case ast.Attribute(attr="method", value=ast.Attribute(value=ast.Name(id="self"), attr="request")):
                return self.method
            case ast.Call(func=ast.Attribute(value=inner, attr="lower" | "upper" as cased), args=[]):
                text = self.value(inner, frame)
                return getattr(text, cased)() if isinstance(text, str) else Mark.OPEN
            case ast.JoinedStr():
                return self._joined(node, frame)
            case ast.Subscript():
                return self._row(self.value(node.value, frame), self.value(node.slice, frame), frame.depth)
            case ast.Call():
                return self._call(node, frame)
            case ast.Dict():
                rows = entries(self.policies.program, node, frame.scope)
                return Table(rows) if rows is not None else Mark.OPEN
        return self._standing(
            self.policies.program.resolve(node, frame.scope), node, frame.scope, frame.depth
        )

    def _either(self, values: list[ast.expr], frame: Frame) -> Value:
        found: Value = None
        for value in values:
            found = self.value(value, frame)
            if isinstance(found, Mark) or found:
                return found
        return found

    def _joined(self, node: ast.JoinedStr, frame: Frame) -> Value:
        parts = []
        for part in node.values:
            inner = part.value if isinstance(part, ast.FormattedValue) else part
            found = self.value(inner, frame)
            if not isinstance(found, str):
                return Mark.OPEN
            parts.append(found)
        return "".join(parts)

    def attribute(self, name: str, depth: int) -> Value:
        """What an attribute of the view is worth."""
        found = self.policies.member(self.view, name)
        if isinstance(found, ValueTarget) and found.node is not None:
            return self._standing(found, found.node, found.scope, depth)
        if found is None and name == "serializer_class":
            return None
        return self._standing(found, None, None, depth)

    def _standing(
        self, target: Target | None, node: ast.expr | None, scope: Scope | None, depth: int
    ) -> Value:
        """The value of what a name stands for."""
        if isinstance(target, ClassTarget):
            return target
        if target == _SAFE:
            return ["GET", "HEAD", "OPTIONS"]
        if isinstance(target, ValueTarget) and depth < DEPTH:
            node, scope = target.node, target.scope
            rows = entries(self.policies.program, node, scope)
            if rows is None and isinstance(node, ast.Call):
                rows = _keywords(self.policies, node, scope)
            if rows is not None:
                return Table(rows)
            if (
                isinstance(node, ast.Call)
                and (given := class_given(self.policies.program, target)) is not None
            ):
                return given
        said = (
            constant(self.policies.program, node, scope) if node is not None and scope is not None else None
        )
        if node is None:
            said = of_target(self.policies.program, target)
        return Mark.OPEN if isinstance(said, Missing | dict) else said

    def rows(self, table: Value) -> list[tuple[Value, Value]] | None:
        """The keys and values of a dictionary; None of anything else, or where a key is not known."""
        found: list[tuple[Value, Value]] = []
        for name, value, scope in table.rows if isinstance(table, Table) else ():
            known = constant(self.policies.program, name, scope)
            if isinstance(known, Missing):
                return None
            target = self.policies.program.resolve(value, scope)
            found.append((known, self._standing(target, value, scope, 1)))
        return found if isinstance(table, Table) else None

    def _row(self, table: Value, key: Value, depth: int) -> Value:
        """The row of a dictionary under a key."""
        if not isinstance(table, Table) or isinstance(key, Mark | Table | ClassTarget):
            return Mark.OPEN
        for name, value, scope in reversed(table.rows):
            known = constant(self.policies.program, name, scope)
            if isinstance(known, Missing):
                return Mark.OPEN
            if known == key:
                return self._standing(self.policies.program.resolve(value, scope), value, scope, depth + 1)
        return Mark.ABSENT

    def _call(self, node: ast.Call, frame: Frame) -> Value:
        match node.func:
            case ast.Name(id="getattr") if len(node.args) > 1 and getattr(node.args[0], "id", "") == "self":
                return self._got(node, frame)
            case ast.Attribute(attr="get", value=owner) if node.args:
                found = self._row(self.value(owner, frame), self.value(node.args[0], frame), frame.depth)
                default = argument(node, 1, "default")
                if found is not Mark.ABSENT:
                    return found
                return self.value(default, frame) if default is not None else None
            case ast.Attribute(attr="lower" | "upper" as case, value=inner):
                text = self.value(inner, frame)
                return getattr(text, case)() if isinstance(text, str) else Mark.OPEN
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name):
                return self._above(name, frame)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                method = self.policies.member(self.view, name)
                if isinstance(method, FunctionTarget):
                    return self.called(method, [self.value(a, frame) for a in node.args], frame.depth + 1)
                if method is None and name == "get_serializer_class":
                    return self.attribute("serializer_class", frame.depth + 1)
        return Mark.OPEN

    def _got(self, node: ast.Call, frame: Frame) -> Value:
        """What `getattr(self, name, default)` gives."""
        name = self.value(node.args[1], frame)
        if not isinstance(name, str):
            return Mark.OPEN
        if name == "swagger_fake_view":
            # Set while a contract is written, which then has what is said for that.
            return True
        if self.policies.member(self.view, name) is not None:
            return self.attribute(name, frame.depth + 1)
        return self.value(node.args[2], frame) if len(node.args) > 2 else Mark.ABSENT

    def _above(self, name: str, frame: Frame) -> Value:
        """What the next class behind the one that defines a method gives for the method of this name."""
        assert self.view.target is not None
        line = self.policies.program.ancestry(self.view.target)
        nodes = [base.node if isinstance(base, ClassTarget) else None for base in line]
        later = line[nodes.index(frame.owner) + 1 :] if frame.owner in nodes else []
        for base in later:
            if base is None:
                return Mark.OPEN
            if isinstance(base, ClassTarget) and name in base.body.bindings:
                found = self.policies.program.class_member(base, name)
                if isinstance(found, FunctionTarget):
                    return self.called(found, [], frame.depth + 1)
                return Mark.OPEN
        if name != "get_serializer_class" or not later:
            return Mark.OPEN
        return self.attribute("serializer_class", frame.depth + 1)


def _keywords(
    policies: Policies, node: ast.Call, scope: Scope
) -> list[tuple[ast.expr, ast.expr, Scope]] | None:
    """The rows of `dict(list=…)` or of a mapping around a dictionary (`defaultdict` apart); None of any other call."""
    made = policies.program.resolve(node.func, scope)
    if made != External("builtins.dict") or node.args or any(k.arg is None for k in node.keywords):
        return None
    return [(ast.Constant(value=k.arg), k.value, scope) for k in node.keywords]


def _compared(op: ast.cmpop, left: Value, right: Value, values: Values) -> bool | None:
    """Whether a comparison holds; None where it is not known."""
    if isinstance(left, Mark) or isinstance(right, Mark):
        return None
    if isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
        return (left == right) == isinstance(op, ast.Eq | ast.Is)
    if not isinstance(op, ast.In | ast.NotIn):
        return None
    if isinstance(right, Table):
        keys = [constant(values.policies.program, name, scope) for name, _, scope in right.rows]
        return None if any(isinstance(k, Missing) for k in keys) else (left in keys) == isinstance(op, ast.In)
    if isinstance(right, list):
        return (left in right) == isinstance(op, ast.In)
    return None
