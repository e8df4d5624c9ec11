"""Of which model of SQLAlchemy's the rows are that an expression asks a database for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TypeAlias

from ingest.web.program.functions import returned
from ingest.web.program.methods import class_of_cls, owner_of_self
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ParameterTarget, Target, ValueTarget
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.modules import Module
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope

_DEPTH = 12
_ROOTS = frozenset({"sqlalchemy", "flask_sqlalchemy", "sqlmodel"})
_NAMED = frozenset({"get", "get_one", "get_or_404", "first_or_404", "one_or_404"})
_ONE = frozenset(
    {"first", "one", "one_or_none", "get", "get_one", "get_or_404", "first_or_404", "one_or_404", "scalar"}
    | {"scalar_one", "scalar_one_or_none"}
)
_ASKS = frozenset({"execute", "scalars", "scalar", "exec", "paginate", "first_or_404", "one_or_404"})
_BUILDS = frozenset(
    {
        "filter",
        "filter_by",
        "where",
        "order_by",
        "limit",
        "offset",
        "options",
        "distinct",
        "join",
        "outerjoin",
    }
    | {"scalars", "all", "execution_options", "with_for_update", "unique", "slice", "order_by", "exec"}
)
_LISTED = frozenset({"list", "sorted", "tuple", "reversed"})
Callee: TypeAlias = Callable[[ast.expr, Scope], Target | None]
Given: TypeAlias = Callable[[str, Scope], "tuple[ast.expr, Scope] | None"]
Rounds: TypeAlias = Callable[[], Iterable[tuple[str, ast.expr, Scope]]]
_How: TypeAlias = Callable[[ast.expr, Scope, int], "ClassTarget | None"]


def is_mapped(program: Program, target: Target | None) -> bool:
    """Whether a class is one whose instances are rows."""
    if not isinstance(target, ClassTarget):
        return False
    bases = [
        base for each in program.ancestry(target) if isinstance(each, ClassTarget) for base in each.node.bases
    ]
    if any(isinstance(base, ast.Attribute) and base.attr == "Model" for base in bases):
        # `db.Model`, where `db` is an instance of what only the extension knows.
        return True
    return "__tablename__" in target.body.bindings or program.is_a(
        target, _ROOTS, {"Model", "SQLModel", "DeclarativeBase", "declarative_base", "Base"}
    )


def gives_row(node: ast.Call) -> bool:
    """Whether a call is written as one that asks a database for one row: `User.query.get(key)`."""
    return isinstance(node.func, ast.Attribute) and node.func.attr in _ONE


class Queried:
    """Follows queries within one program; `callee` tells what is called.

    `given` gives the arguments of the calls that are being read, `rounds` the variables of the comprehensions.
    """

    def __init__(self, program: Program, callee: Callee, given: Given, rounds: Rounds) -> None:
        self._program = program
        self._callee = callee
        self._given = given
        self._rounds = rounds
        self._called_on: dict[ast.AST, ClassTarget] = {}

    def one(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> ClassTarget | None:
        """The model of the one row that an expression is, which may be missing."""
        if depth > _DEPTH:
            return None
        match node:
            case ast.Await(value=inner) | ast.NamedExpr(value=inner):
                return self.one(inner, scope, depth + 1)
            case ast.BoolOp(op=ast.Or(), values=[first, *_]):
                return self.one(first, scope, depth + 1)
            case ast.Name():
                return self._named(node, scope, self.one, depth)
            case ast.Subscript(slice=index) if not isinstance(index, ast.Slice):
                return self.many(node.value, scope, depth + 1)
            case ast.Call(func=ast.Attribute(attr=attr), args=args) if attr in _ONE:
                named = self._model(args[0], scope) if args and attr in _NAMED else None
                return named or self._entity(node, scope, depth)
            case ast.Call():
                return self._returned(node, scope, self.one, depth)
        return None

    def many(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> ClassTarget | None:
        """The model of the rows that an expression lists."""
        if depth > _DEPTH:
            return None
        match node:
            case (
                ast.Await(value=inner)
                | ast.NamedExpr(value=inner)
                | ast.Subscript(value=inner, slice=ast.Slice())
            ):
                return self.many(inner, scope, depth + 1)
            case ast.Name():
                return self._named(node, scope, self.many, depth)
            case ast.Attribute(value=inner, attr=attr):
                page = self._page(inner, scope, depth) if attr == "items" else None
                return page or self._related(node, scope, depth)
            case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _LISTED:
                return self.many(first, scope, depth + 1)
            case ast.Call(func=ast.Attribute(attr=attr)) if attr in _BUILDS:
                return self._entity(node, scope, depth)
            case ast.Call():
                return self._returned(node, scope, self.many, depth)
        return None

    def _page(self, node: ast.expr, scope: Scope, depth: int) -> ClassTarget | None:
        target = self._program.resolve(node, scope)
        call = target.node if isinstance(target, ValueTarget) else node
        around = target.scope if isinstance(target, ValueTarget) else scope
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "paginate"
        ):
            return self._entity(call, around, depth + 1)
        return None

    def _entity(self, node: ast.expr, scope: Scope, depth: int) -> ClassTarget | None:
        """The one model that a query, a statement or what is made of these selects."""
        if depth > _DEPTH:
            return None
        match node:
            case ast.Attribute(value=owner, attr="query"):
                return self._model(owner, scope)
            case ast.Attribute():
                return self._related(node, scope, depth)
            case ast.Name():
                return self._named(node, scope, self._entity, depth)
            case ast.Call(func=ast.Name(id="select"), args=args):
                return self._model(args[0], scope) if len(args) == 1 else None
            case ast.Call(func=ast.Attribute(value=inner, attr=attr), args=args):
                if attr in ("query", "select") and args:
                    return self._model(args[0], scope) if len(args) == 1 else None
                if attr in _ASKS and args and (found := self._entity(args[0], scope, depth + 1)):
                    return found
                known = attr in _BUILDS | _ONE | _ASKS
                return self._entity(inner, scope, depth + 1) if known else None
            case ast.Call():
                return self._returned(node, scope, self._entity, depth)
        return None

    def _model(self, node: ast.expr, scope: Scope) -> ClassTarget | None:
        found = self._program.resolve(node, scope)
        if isinstance(found, ParameterTarget):
            # `cls.query` of a method that may stand in a class above is of the class that it is called on.
            found = self._called_on.get(found.scope.node) or class_of_cls(found)
        return found if isinstance(found, ClassTarget) and is_mapped(self._program, found) else None

    def _named(self, node: ast.Name, scope: Scope, how: _How, depth: int) -> ClassTarget | None:
        for name, iterable, around in reversed(list(self._rounds())):
            if name == node.id and around is scope and how == self.one:
                return self.many(iterable, scope, depth + 1)
        bindings = scope.bindings.get(node.id)
        if bindings is None:
            target = self._program.resolve(node, scope)
            if not isinstance(target, ValueTarget) or target.node is None or target.node is node:
                return None
            return how(target.node, target.scope, depth + 1)
        found: set[ClassTarget | None] = set()
        for binding in bindings:
            value = binding.value
            if is_none(value):
                continue
            if binding.how is Bound.VALUE and value is not None:
                if not _begins_with(value, node.id):
                    found.add(how(value, scope, depth + 1))
            elif binding.how is Bound.LOOP and how == self.one:
                found.add(self.many(value, scope, depth + 1))
            elif binding.how is Bound.PARAMETER:
                given = self._given(node.id, scope)
                found.add(how(*given, depth + 1) if given is not None else None)
            elif binding.how is Bound.OTHER and isinstance(binding.given, tuple):
                call, index = binding.given
                found.add(self._returned(call, scope, how, depth, index))
            else:
                found.add(None)
        return found.pop() if len(found) == 1 else None

    def _returned(
        self, node: ast.Call, scope: Scope, how: _How, depth: int, index: int | None = None
    ) -> ClassTarget | None:
        """What a function of the project gives, or one of several values that it gives at once."""
        called = self._callee(node.func, scope)
        if isinstance(called, ClassTarget):
            return called if how == self.one and index is None and is_mapped(self._program, called) else None
        if not isinstance(called, FunctionTarget):
            return None
        owner = self._model(node.func.value, scope) if isinstance(node.func, ast.Attribute) else None
        before = self._called_on.get(called.node)
        if owner is not None:
            self._called_on[called.node] = owner
        try:
            return self._of_results(called, how, depth, index)
        finally:
            self._called_on.pop(called.node, None)
            if before is not None:
                self._called_on[called.node] = before

    def _of_results(
        self, called: FunctionTarget, how: _How, depth: int, index: int | None
    ) -> ClassTarget | None:
        found: set[ClassTarget | None] = set()
        for value, inner in returned(called):
            if index is not None:
                if not isinstance(value, ast.Tuple) or len(value.elts) <= index:
                    return None
                value = value.elts[index]
            if not is_none(value):
                found.add(how(value, inner, depth + 1))
        return found.pop() if len(found) == 1 else None

    def _related(self, node: ast.Attribute, scope: Scope, depth: int) -> ClassTarget | None:
        """The model to which a relationship of a row leads: `items = db.relationship("Item")` for `self.items`."""
        target = self._program.resolve(node.value, scope)
        own = owner_of_self(target) if isinstance(target, ParameterTarget) else None
        owner = own or self.one(node.value, scope, depth + 1)
        member = self._program.class_member(owner, node.attr) if owner is not None else None
        made = member.node if isinstance(member, ValueTarget) else None
        if not isinstance(member, ValueTarget) or not isinstance(made, ast.Call) or not made.args:
            return None
        if last_name(made.func) != "relationship":
            return None
        if not isinstance(made.args[0], ast.Constant):
            return self._model(made.args[0], member.scope)
        name = str(made.args[0].value)
        found = {self._program.member(module, name) for module in self._of_one_base(owner)}
        classes = [e for e in found if isinstance(e, ClassTarget) and is_mapped(self._program, e)]
        return classes[0] if len(classes) == 1 else None

    def _of_one_base(self, model: ClassTarget | None) -> list[Module]:
        """The module of a model, and those that take its base (`db`, `Base`) from the same module, as models beside it
        do."""
        here = self._program.module_of(model.scope) if model is not None else None
        if model is None or here is None:
            return []
        around: list[str] = []
        for base in model.node.bases:
            first = base.value if isinstance(base, ast.Attribute) else base
            found = here.scope.find(first.id, None) if isinstance(first, ast.Name) else None
            if found is not None and found[1].how is Bound.MEMBER:
                dotted = here.absolute(found[1].module, found[1].level)
                around += [dotted, f"{dotted}.{found[1].member}"]
        names = self._program.importers_named(around) if around else ()
        modules = [module for name in names if (module := self._program.module(name)) is not None]
        return [here, *(module for module in modules if module is not here)]


def _begins_with(node: ast.expr, name: str) -> bool:
    """Whether a query is built on what had this name: `query = query.filter(…)`."""
    while True:
        match node:
            case ast.Call(func=inner) | ast.Attribute(value=inner):
                node = inner
            case ast.Name(id=found):
                return found == name
            case _:
                return False
