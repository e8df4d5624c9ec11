"""Lists that the statements of a `Meta` fill one after the other, as those that ask what the users of a site have:
`if hasattr(UserModel, "EMAIL_FIELD"): names.append(UserModel.EMAIL_FIELD)`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from ingest.web.constants.constants import text_of
from ingest.web.django.tables import ModelClass
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, ValueTarget
from ingest.web.serializers.reading import SerializerReading
from ingest.web.syntax.scopes import Scope

_ABOUT_USERS: Final = {"USERNAME_FIELD": "username", "EMAIL_FIELD": "email"}
_Lists = dict[str, list[str] | None]


class MetaLists:
    """Follows the statements of one class body; None is what cannot be known."""

    def __init__(self, models: SerializerReading, model: ModelClass | None, scope: Scope) -> None:
        self.models = models
        self.program: Program = models.program
        self.model = model
        self.scope = scope
        body = scope.node.body
        statements = body if isinstance(body, list) else []
        written = [_value_of(each, "model") for each in statements]
        self.named = {each.id for each in written if isinstance(each, ast.Name)}
        """The names that the class has for its model."""
        self.found: _Lists = {}
        self._follow(statements)

    def _follow(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.found[name] = self._list(value)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self.found[name] = self._list(value)
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
                    self.found[name] = _joined(self.found.get(name), self._list(value))
                case ast.Expr(
                    value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[value])
                ) if attr in ("append", "extend"):
                    added = self._list(value) if attr == "extend" else self._single(value)
                    self.found[name] = _joined(self.found.get(name), added)
                case ast.If(test=test, body=then, orelse=otherwise) if (held := self._has(test)) is not None:
                    self._follow(then if held else otherwise)
                case ast.Expr(value=ast.Constant()) | ast.Pass():
                    pass
                case _:
                    for part in ast.walk(statement):
                        if isinstance(part, ast.Name):
                            self.found[part.id] = None

    def _list(self, node: ast.expr) -> list[str] | None:
        match node:
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                parts = [
                    self._list(each.value) if isinstance(each, ast.Starred) else self._single(each)
                    for each in elements
                ]
                whole: list[str] | None = []
                for part in parts:
                    whole = _joined(whole, part)
                return whole
            case ast.Name(id=name) if name in self.found:
                return self.found[name]
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return _joined(self._list(left), self._list(right))
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner], keywords=[]):
                return self._list(inner)
        return None

    def _single(self, node: ast.expr) -> list[str] | None:
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=attr) if owner in self.named:
                name = self._of_users(attr)
            case _:
                name = text_of(self.program, node, self.scope)
        return [name] if name is not None else None

    def _of_users(self, attr: str) -> str | None:
        """What the class of users says by this name: the column by which they sign in, or that of their address."""
        if attr not in _ABOUT_USERS or not self._are_users():
            return None
        told = self.program.class_member(self.model, attr) if isinstance(self.model, ClassTarget) else None
        if isinstance(told, ValueTarget):
            return text_of(self.program, told.node, told.scope)
        return _ABOUT_USERS[attr] if told is None or isinstance(told, External) else None

    def _has(self, test: ast.expr) -> bool | None:
        """Whether `hasattr(Model, "name")` holds; None for other conditions, and where it cannot be known."""
        match test:
            case ast.Call(
                func=ast.Name(id="hasattr"), args=[ast.Name(id=owner), ast.Constant(value=str(name))]
            ) if owner in self.named and self.model is not None:
                table = self.models.tables.table(self.model)
                if name in table.columns or (name in _ABOUT_USERS and self._are_users()):
                    return True
                bases = (
                    self.program.ancestry(self.model) if isinstance(self.model, ClassTarget) else [self.model]
                )
                own = any(isinstance(base, ClassTarget) and name in base.body.bindings for base in bases)
                return True if own else False if table.complete and name.islower() else None
        return None

    def _are_users(self) -> bool:
        return self.model is not None and "last_login" in self.models.tables.table(self.model).columns


def _joined(first: list[str] | None, second: list[str] | None) -> list[str] | None:
    return None if first is None or second is None else [*first, *second]


def _value_of(statement: ast.stmt, name: str) -> ast.expr | None:
    match statement:
        case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
            return value
    return None
