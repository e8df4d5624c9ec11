"""The names that a piece of Python code binds, and where each is bound."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ingest.web.bindings import Binding, Bound, Branch, Function, choose, parameters

Loop: TypeAlias = ast.For | ast.AsyncFor
ScopeNode: TypeAlias = ast.Module | ast.ClassDef | Function | ast.Lambda


@dataclass(slots=True, eq=False)
class Scope:
    """A module, class, function or lambda as a namespace; its tables are made when first needed."""

    module: str
    path: str
    node: ScopeNode
    parent: Scope | None
    qualified: str
    _bindings: dict[str, list[Binding]] | None = None
    _children: dict[ast.AST, Scope] = field(default_factory=dict)
    _written: set[ast.AST] = field(default_factory=set)
    _calls: list[ast.Call] = field(default_factory=list)
    _stars: list[tuple[str | None, int]] = field(default_factory=list)
    _globals: set[str] = field(default_factory=set)
    _loops: dict[ast.Call, tuple[Loop, ...]] = field(default_factory=dict)
    _chosen: set[ast.Call] = field(default_factory=set)
    _is_round: bool = False

    @property
    def bindings(self) -> dict[str, list[Binding]]:
        """Every name bound here, with its bindings in source order."""
        if self._bindings is None:
            self._bindings = {}
            _Collector(self).collect()
        return self._bindings

    @property
    def calls(self) -> list[ast.Call]:
        """The calls made here, without those inside of nested functions and classes, in source order."""
        _ = self.bindings
        return self._calls

    def loops(self, call: ast.Call) -> tuple[Loop, ...]:
        """The `for` statements of this scope that a call stands in, the outermost first."""
        if self._is_round and self.parent is not None:
            return self.parent.loops(call)
        _ = self.bindings
        return self._loops.get(call, ())

    def chooses(self, call: ast.Call) -> bool:
        """Whether a condition of this scope decides if a call is made at all."""
        if self._is_round and self.parent is not None:
            return self.parent.chooses(call)
        _ = self.bindings
        return call in self._chosen

    def round(self, given: Mapping[str, Any]) -> Scope:
        """This scope as one round of a loop sees it: its names, but for those whose target is given."""
        node = self.node
        bindings = {
            name: [Binding(Bound.GIVEN, node, 0, Branch.ALWAYS, given=target)]
            for name, target in given.items()
        }
        return Scope(self.module, self.path, node, self, self.qualified, bindings, _is_round=True)

    @property
    def stars(self) -> list[tuple[str | None, int]]:
        """The modules of `from … import *`, as (name, level)."""
        _ = self.bindings
        return self._stars

    @property
    def is_class(self) -> bool:
        """Whether this is a class body, whose names its methods do not see."""
        return isinstance(self.node, ast.ClassDef)

    def child(self, node: ast.AST) -> Scope:
        """The scope of a function or class that is defined directly here."""
        _ = self.bindings
        if node not in self._children:
            assert isinstance(node, ast.ClassDef | Function | ast.Lambda)
            name = getattr(node, "name", "<lambda>")
            local = isinstance(self.node, Function | ast.Lambda)
            qualified = f"{self.qualified}.<locals>.{name}" if local else f"{self.qualified}.{name}"
            self._children[node] = Scope(self.module, self.path, node, self, qualified)
        return self._children[node]

    def descend(self) -> Iterator[Scope]:
        """This scope and all scopes within that stand in the source, in its order."""
        stack = [self]
        while stack:
            scope = stack.pop()
            yield scope
            _ = scope.bindings
            stack.extend(
                scope._children[node] for node in reversed(scope._children) if node in scope._written
            )

    def find(self, name: str, line: int | None) -> tuple[Scope, Binding] | None:
        """The binding that a name has when it is used at a line of this scope (None: after the scope has run).

        A name that is bound in several ways, so that only a run can tell, has none.
        """
        scope: Scope | None = self
        here = True
        while scope is not None:
            if (here or not scope.is_class) and name in scope.bindings:
                if name in scope._globals and scope.parent is not None:
                    return None
                found = scope.bindings[name]
                if scope.is_class and line is not None:
                    # A field that is only annotated (`date: date`) does not hide the name outside.
                    found = [b for b in found if b.how is not Bound.VALUE or b.value is not None]
                if found:
                    binding = choose(found, line if here else None)
                    return (scope, binding) if binding else None
            here = here and scope._is_round
            scope = scope.parent
        return None

    def binds(self, name: str) -> bool:
        """Whether the name is bound here or in a scope around, in whatever way."""
        scope: Scope | None = self
        while scope is not None:
            if not scope.is_class and name in scope.bindings:
                return True
            scope = scope.parent
        return False


class _Collector:
    """Fills the tables of one scope, without entering the scopes within it."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.loops: tuple[Loop, ...] = ()
        self.chosen = False

    def collect(self) -> None:
        node = self.scope.node
        if isinstance(node, Function | ast.Lambda):
            for argument, default in parameters(node):
                self._bind(
                    argument.arg, Bound.PARAMETER, argument, value=default, annotation=argument.annotation
                )
            for rest in (node.args.vararg, node.args.kwarg):
                if rest is not None:
                    self._bind(rest.arg, Bound.OTHER, rest)
        if isinstance(node, ast.Lambda):
            self._expression(node.body, Branch.ALWAYS)
            return
        self._statements(node.body, Branch.ALWAYS)

    def _statements(self, statements: list[ast.stmt], branch: Branch) -> None:
        for statement in statements:
            self._statement(statement, branch)

    def _statement(self, node: ast.stmt, branch: Branch) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._expressions(node.decorator_list, branch)
                for _, default in parameters(node):
                    if default is not None:
                        self._expression(default, branch)
                self._bind(node.name, Bound.FUNCTION, node, branch)
                self._enter(node)
            case ast.ClassDef():
                self._expressions([*node.decorator_list, *node.bases], branch)
                self._bind(node.name, Bound.CLASS, node, branch)
                self._enter(node)
            case ast.Import() | ast.ImportFrom():
                self._import(node, branch)
            case ast.Assign():
                self._expression(node.value, branch)
                for target in node.targets:
                    self._target(target, node.value, branch)
            case ast.AnnAssign():
                if node.value is not None:
                    self._expression(node.value, branch)
                if isinstance(node.target, ast.Name):
                    self._bind(node.target.id, Bound.VALUE, node, branch, node.value, node.annotation)
            case ast.AugAssign():
                self._expression(node.value, branch)
                self._target(node.target, None, branch)
            case ast.Global() | ast.Nonlocal():
                self.scope._globals.update(node.names)
            case ast.If():
                self._expression(node.test, branch)
                self._choice(node.body)
                self._choice(node.orelse)
            case ast.Try() | ast.TryStar():
                self._try(node, branch)
            case _:
                self._compound(node, branch)

    def _compound(self, node: ast.stmt, branch: Branch) -> None:
        match node:
            case ast.For() | ast.AsyncFor():
                self._expression(node.iter, branch)
                self._loop(node.target, node.iter)
                around, self.loops = self.loops, (*self.loops, node)
                self._statements(node.body, Branch.SOMETIMES)
                self.loops = around
                self._statements(node.orelse, Branch.SOMETIMES)
            case ast.While():
                self._expression(node.test, branch)
                self._statements([*node.body, *node.orelse], Branch.SOMETIMES)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self._expression(item.context_expr, branch)
                    if item.optional_vars is not None:
                        self._target(item.optional_vars, None, branch)
                self._statements(node.body, branch)
            case ast.Match():
                self._expression(node.subject, branch)
                for case in node.cases:
                    for pattern in ast.walk(case.pattern):
                        if name := getattr(pattern, "name", None):
                            self._bind(name, Bound.OTHER, pattern, Branch.SOMETIMES)
                    self._choice(case.body)
            case _:
                self._expressions([c for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)], branch)

    def _choice(self, body: list[ast.stmt]) -> None:
        around, self.chosen = self.chosen, True
        self._statements(body, Branch.SOMETIMES)
        self.chosen = around

    def _try(self, node: ast.Try | ast.TryStar, branch: Branch) -> None:
        tried = Branch.TRIED if branch is Branch.ALWAYS and node.handlers else branch
        self._statements([*node.body, *node.orelse], tried)
        for handler in node.handlers:
            if handler.type is not None:
                self._expression(handler.type, branch)
            if handler.name:
                self._bind(handler.name, Bound.OTHER, handler, Branch.HANDLER)
            self._statements(handler.body, Branch.HANDLER)
        self._statements(node.finalbody, branch)

    def _import(self, node: ast.Import | ast.ImportFrom, branch: Branch) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                name = alias.asname or alias.name.split(".")[0]
                target = alias.name if alias.asname else name
                self._bind(name, Bound.MODULE, node, branch, module=target)
            elif alias.name == "*":
                self.scope._stars.append((node.module, node.level))
            else:
                self._bind(
                    alias.asname or alias.name,
                    Bound.MEMBER,
                    node,
                    branch,
                    module=node.module,
                    member=alias.name,
                    level=node.level,
                )

    def _target(self, target: ast.expr, value: ast.expr | None, branch: Branch) -> None:
        if isinstance(target, ast.Name):
            how = Bound.OTHER if value is None else Bound.VALUE
            self._bind(target.id, how, target, branch, value)
        elif isinstance(target, ast.Tuple | ast.List):
            values: list[ast.expr | None] = [None] * len(target.elts)
            if isinstance(value, ast.Call) and all(isinstance(each, ast.Name) for each in target.elts):
                self._results(target, value, branch)
                return
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
                values = [None if isinstance(v, ast.Starred) else v for v in value.elts]
            for element, part in zip(target.elts, values, strict=True):
                self._target(element, part, branch)
        elif isinstance(target, ast.Starred):
            self._target(target.value, None, branch)
        else:
            self._expression(target, branch)

    def _results(self, target: ast.Tuple | ast.List, call: ast.Call, branch: Branch) -> None:
        """Binds names to the parts of what a call gives; only who asks for them gets to know of the call."""
        for number, element in enumerate(target.elts):
            if isinstance(element, ast.Name):
                self._bind(element.id, Bound.OTHER, element, branch, given=(call, number))

    def _loop(self, target: ast.expr, iterable: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._bind(target.id, Bound.LOOP, target, Branch.ALWAYS, iterable)
        else:
            self._target(target, None, Branch.SOMETIMES)

    def _expressions(self, nodes: list[ast.expr], branch: Branch) -> None:
        for node in nodes:
            self._expression(node, branch)

    def _expression(self, node: ast.AST, branch: Branch) -> None:
        if isinstance(node, ast.Call):
            self.scope._calls.append(node)
            if self.loops:
                self.scope._loops[node] = self.loops
            if self.chosen:
                self.scope._chosen.add(node)
        elif isinstance(node, ast.NamedExpr):
            self._target(node.target, node.value, Branch.SOMETIMES)
        elif isinstance(node, ast.Lambda):
            self._enter(node)
            return
        for child in ast.iter_child_nodes(node):
            self._expression(child, branch)

    def _enter(self, node: ast.AST) -> None:
        self.scope._written.add(node)
        self.scope.child(node)

    def _bind(
        self,
        name: str,
        how: Bound,
        node: ast.AST,
        branch: Branch = Branch.ALWAYS,
        value: ast.expr | None = None,
        annotation: ast.expr | None = None,
        module: str | None = None,
        member: str = "",
        level: int = 0,
        given: Any = None,
    ) -> None:
        line = getattr(node, "lineno", 0)
        binding = Binding(how, node, line, branch, value, annotation, module, member, level, given)
        table = self.scope._bindings
        assert table is not None
        table.setdefault(name, []).append(binding)
