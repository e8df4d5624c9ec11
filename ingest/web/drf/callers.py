"""What a permission of the project's own says to callers whom nobody knows."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from graph.facts import Json
from ingest.web.constants.constants import Missing, constant
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope

SAFE: Final = ("GET", "HEAD", "OPTIONS")
_ANYBODY: Final[dict[str, Json]] = {
    **dict.fromkeys(("is_authenticated", "is_staff", "is_superuser", "is_active"), False),
    **{"is_anonymous": True, "pk": None, "id": None, "username": ""},
}
"""What Django's `AnonymousUser` answers."""
_STANDARD: Final = {
    "BasePermission": True,
    "AllowAny": True,
    **dict.fromkeys(("IsAuthenticated", "IsAdminUser"), False),
    **dict.fromkeys(("DjangoModelPermissions", "DjangoObjectPermissions"), False),
}
_DEPTH: Final = 5


class _Plain(msgspec.Struct, frozen=True):
    """A constant."""

    value: Json


class _Thing(msgspec.Struct, frozen=True):
    """The request or its user, which are both there; anything else is not known (`open`)."""

    kind: str


_Value: TypeAlias = _Plain | _Thing
_OPEN: Final = _Thing("open")
_USER: Final = _Thing("user")
_REQUEST: Final = _Thing("request")
_NOTHING: Final = _Plain(None)


def refuses_everybody(program: Program, permission: ClassTarget, method: str) -> bool:
    """Whether the permission's own `has_permission` surely refuses callers who are not known, for this method."""
    found = program.class_member(permission, "has_permission")
    if not isinstance(found, FunctionTarget) or not isinstance(found.node, Function):
        return False
    names = [each.arg for each in found.node.args.args]
    if len(names) < 2:
        return False
    outcomes = _Run(program, method, permission).of(found, {names[1]: _REQUEST}, 0)
    return bool(outcomes) and all(_truth(each) is False for each in outcomes)


class _Run:
    """Follows what functions give for one method, by all ways that cannot be ruled out."""

    def __init__(self, program: Program, method: str, permission: ClassTarget) -> None:
        self.program = program
        self.method = method
        self.permission = permission

    def of(self, function: FunctionTarget, given: Mapping[str, _Value], depth: int) -> list[_Value]:
        """All that a function may give; a refusal by an exception counts as false."""
        if depth > _DEPTH or not isinstance(function.node, Function):
            return [_OPEN]
        found: list[_Value] = []
        if self._through(function.node.body, dict(given), function.body, found, depth):
            found.append(_NOTHING)
        return found

    def _through(
        self,
        body: Sequence[ast.stmt],
        names: dict[str, _Value],
        scope: Scope,
        found: list[_Value],
        depth: int,
    ) -> bool:
        """Adds what the statements may give; whether their end may be reached."""
        for statement in body:
            match statement:
                case ast.Return(value=value):
                    found.append(self._value(value, names, scope, depth) if value is not None else _NOTHING)
                    return False
                case ast.Raise():
                    found.append(_Plain(False))
                    return False
                case ast.If(test=test, body=then, orelse=other):
                    held = _truth(self._value(test, names, scope, depth))
                    ways = [
                        way for way, taken in ((then, held is not False), (other, held is not True)) if taken
                    ]
                    inner = [dict(names) for _ in ways]
                    goes = [
                        self._through(way, known, scope, found, depth)
                        for way, known in zip(ways, inner, strict=True)
                    ]
                    left = [known for known, on in zip(inner, goes, strict=True) if on]
                    if not left:
                        return False
                    every = {name for known in left for name in known}
                    names.update({n: _agreed([known.get(n, _OPEN) for known in left]) for n in every})
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    names[name] = self._value(value, names, scope, depth)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    names[name] = self._value(value, names, scope, depth)
                case ast.Expr() | ast.Pass() | ast.Import() | ast.ImportFrom():
                    continue
                case _:
                    if any(isinstance(part, ast.Return) for part in ast.walk(statement)):
                        found.append(_OPEN)
                    stored = [
                        part.id
                        for part in ast.walk(statement)
                        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
                    ]
                    names.update(dict.fromkeys(stored, _OPEN))
        return True

    def _value(self, node: ast.expr, names: dict[str, _Value], scope: Scope, depth: int) -> _Value:
        match node:
            case ast.Name(id=name) if name in names:
                return names[name]
            case ast.Attribute(attr="request", value=ast.Name(id="self")):
                return _REQUEST
            case ast.Attribute(attr=name, value=owner):
                found = _attribute(self._value(owner, names, scope, depth), name, self.method)
                if found is not None:
                    return found
            case ast.BoolOp(op=op, values=values):
                return self._joined(op, values, names, scope, depth)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                truth = _truth(self._value(inner, names, scope, depth))
                return _OPEN if truth is None else _Plain(not truth)
            case ast.IfExp(test=test, body=then, orelse=other):
                truth = _truth(self._value(test, names, scope, depth))
                if truth is not None:
                    return self._value(then if truth else other, names, scope, depth)
                return _agreed([self._value(each, names, scope, depth) for each in (then, other)])
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return _compared(
                    self._value(left, names, scope, depth), op, self._value(right, names, scope, depth)
                )
            case ast.Call():
                return self._called(node, names, scope, depth)
        target = self.program.resolve(node, scope) if isinstance(node, ast.Name | ast.Attribute) else None
        if isinstance(target, External) and target.name == "SAFE_METHODS":
            return _Plain(list(SAFE))
        value = constant(self.program, node, scope)
        return _OPEN if isinstance(value, Missing) else _Plain(value)

    def _joined(
        self, op: ast.boolop, values: list[ast.expr], names: dict[str, _Value], scope: Scope, depth: int
    ) -> _Value:
        """What `and` or `or` gives: the first that settles it, if those before are known not to."""
        settling = isinstance(op, ast.Or)
        found = [self._value(value, names, scope, depth) for value in values]
        for number, each in enumerate(found):
            if _truth(each) is settling:
                # What stands before gives the same truth, or lets this one decide.
                return each if number == 0 else _Plain(settling)
        return found[-1] if all(_truth(each) is (not settling) for each in found) else _OPEN

    def _called(self, call: ast.Call, names: dict[str, _Value], scope: Scope, depth: int) -> _Value:
        match call:
            case ast.Call(func=ast.Name(id="bool"), args=[inner]):
                truth = _truth(self._value(inner, names, scope, depth))
                return _OPEN if truth is None else _Plain(truth)
            case ast.Call(func=ast.Name(id="isinstance"), args=[inner, _]):
                return _Plain(False) if self._value(inner, names, scope, depth) == _NOTHING else _OPEN
            case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str(name)), *_]):
                return _attribute(self._value(owner, names, scope, depth), name, self.method) or _OPEN
            case ast.Call(func=ast.Attribute(attr=name, value=ast.Call(func=ast.Name(id="super")))):
                return self._above(scope, name, call, names, depth)
            case ast.Call(func=ast.Attribute(attr=name, value=ast.Name(id="self"))):
                own = self.program.class_member(self.permission, name)
                return self._followed(own, call, names, scope, depth, 1)
        return self._followed(self.program.resolve(call.func, scope), call, names, scope, depth, 0)

    def _above(self, scope: Scope, name: str, call: ast.Call, names: dict[str, _Value], depth: int) -> _Value:
        """What the same method of the next class gives."""
        line = self.program.ancestry(self.permission)
        here = next(
            (n for n, c in enumerate(line) if isinstance(c, ClassTarget) and c.body is scope.parent), None
        )
        for base in line[here + 1 :] if here is not None else ():
            if isinstance(base, External):
                return _Plain(_STANDARD[base.name]) if base.name in _STANDARD else _OPEN
            if base is None:
                break
            if name in base.body.bindings:
                return self._followed(self.program.class_member(base, name), call, names, scope, depth, 1)
        return _OPEN

    def _followed(
        self, target: object, call: ast.Call, names: dict[str, _Value], scope: Scope, depth: int, bound: int
    ) -> _Value:
        """What a function of the project gives for these arguments, where all its ways give the same."""
        if not isinstance(target, FunctionTarget) or not isinstance(target.node, Function):
            return _OPEN
        parameters = [each.arg for each in target.node.args.args][bound:]
        if any(isinstance(each, ast.Starred) for each in call.args) or not all(k.arg for k in call.keywords):
            return _OPEN
        given = {n: self._value(v, names, scope, depth) for n, v in zip(parameters, call.args, strict=False)}
        given |= {str(k.arg): self._value(k.value, names, scope, depth) for k in call.keywords}
        # A parameter that is not given has its default, which is read as anything else.
        rest = [*parameters, *(each.arg for each in target.node.args.kwonlyargs)]
        return _agreed(self.of(target, {**dict.fromkeys(rest, _OPEN), **given}, depth + 1))


def _attribute(owner: _Value, name: str, method: str) -> _Value | None:
    """What the request or its user has by a name; None where the owner is something else."""
    if owner == _REQUEST:
        if name in ("auth", "successful_authenticator"):
            return _NOTHING
        return _USER if name == "user" else _Plain(method) if name == "method" else _OPEN
    if owner == _USER:
        return _Plain(_ANYBODY[name]) if name in _ANYBODY else _OPEN
    return None


def _truth(value: _Value) -> bool | None:
    """Whether a value counts as true; None where that is not known."""
    if isinstance(value, _Plain):
        return bool(value.value)
    return None if value == _OPEN else True


def _agreed(values: Sequence[_Value]) -> _Value:
    """The value that all of these are, or their truth; else it is not known."""
    if values and all(each == values[0] for each in values):
        return values[0]
    truths = {_truth(each) for each in values}
    return _Plain(truths.pop()) if len(truths) == 1 and None not in truths else _OPEN


def _compared(left: _Value, op: ast.cmpop, right: _Value) -> _Value:
    """What a comparison gives; the caller's user is no constant."""
    if not isinstance(left, _Plain) or not isinstance(right, _Plain):
        there = any(each == _NOTHING for each in (left, right)) and any(
            each in (_USER, _REQUEST) for each in (left, right)
        )
        if there and isinstance(op, ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
            return _Plain(isinstance(op, ast.IsNot | ast.NotEq))
        return _OPEN
    match op:
        case ast.Eq() | ast.Is():
            return _Plain(left.value == right.value)
        case ast.NotEq() | ast.IsNot():
            return _Plain(left.value != right.value)
        case ast.In() | ast.NotIn() if isinstance(right.value, list):
            return _Plain((left.value in right.value) == isinstance(op, ast.In))
    return _OPEN
