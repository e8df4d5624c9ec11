"""The symbol table of a module, class, function or lambda: the names that its code binds, the calls that it makes."""

from __future__ import annotations

import ast
from typing import Any, TypeAlias

import msgspec

from ingest.web.syntax.asking import asked_for, names_given
from ingest.web.syntax.assumed import is_checking, is_of_before, is_of_today
from ingest.web.syntax.bindings import Binding, Bound, Branch, Function, parameters
from ingest.web.syntax.walks import children_of, nodes_of

Loop: TypeAlias = ast.For | ast.AsyncFor
ScopeNode: TypeAlias = ast.Module | ast.ClassDef | Function | ast.Lambda


class SymbolTable(msgspec.Struct, eq=False):
    """What a piece of code binds and calls, without the functions and classes within, all in source order.

    `stars` are the modules of `from … import *` as (name, level), `foreign` the names said to be global or nonlocal,
    `loops` the `for` statements that a call stands in, `chosen` the calls that a condition decides about, and
    `inner` the functions, classes and lambdas that are written directly here.
    """

    bindings: dict[str, list[Binding]] = msgspec.field(default_factory=dict)
    calls: list[ast.Call] = msgspec.field(default_factory=list)
    stars: list[tuple[str | None, int]] = msgspec.field(default_factory=list)
    foreign: set[str] = msgspec.field(default_factory=set)
    loops: dict[ast.Call, tuple[Loop, ...]] = msgspec.field(default_factory=dict)
    chosen: set[ast.Call] = msgspec.field(default_factory=set)
    inner: list[ast.AST] = msgspec.field(default_factory=list)


def symbol_table(node: ScopeNode) -> SymbolTable:
    """The symbol table of a piece of code."""
    collector = _Collector()
    collector.collect(node)
    return collector.table


class _Collector:
    """Fills one table, without entering the scopes within."""

    def __init__(self) -> None:
        self.table = SymbolTable()
        self.loops: tuple[Loop, ...] = ()
        self.chosen = False
        self.until = 0
        self.asked: frozenset[str] = frozenset()

    def collect(self, node: ScopeNode) -> None:
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
        around = self.until
        if branch is not Branch.ALWAYS and statements:
            self.until = statements[-1].end_lineno or 0
        for statement in statements:
            self._statement(statement, branch)
        self.until = around

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
                if isinstance(node.target, ast.Name):
                    self._bind(node.target.id, Bound.OTHER, node.target, branch, given=node)
                else:
                    self._target(node.target, None, branch)
            case ast.Global() | ast.Nonlocal():
                self.table.foreign.update(node.names)
            case ast.If(test=test, body=checked, orelse=run) if is_checking(test):
                self._statements(checked, Branch.HANDLER)
                self._statements(run, branch)
            case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=test), body=run, orelse=checked) if (
                is_checking(test)
            ):
                self._statements(run, branch)
                self._statements(checked, Branch.HANDLER)
            case ast.If(test=test, body=run, orelse=before) if is_of_today(test):
                self._statements(run, branch)
                self._statements(before, Branch.HANDLER)
            case ast.If(test=test, body=before, orelse=run) if run and is_of_before(test):
                self._statements(run, branch)
                self._statements(before, Branch.HANDLER)
            case ast.If():
                self._expression(node.test, branch)
                around, self.asked = self.asked, self.asked | asked_for(node.test, self._bound_to)
                self._choice(node.body, chosen=self.asked == around)
                self.asked = around
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
                    if isinstance(item.optional_vars, ast.Name):
                        self._bind(item.optional_vars.id, Bound.OTHER, item.optional_vars, branch, given=item)
                    elif item.optional_vars is not None:
                        self._target(item.optional_vars, None, branch)
                self._statements(node.body, branch)
            case ast.Match():
                self._expression(node.subject, branch)
                for case in node.cases:
                    for pattern in nodes_of(case.pattern):
                        if name := getattr(pattern, "name", None):
                            self._bind(name, Bound.OTHER, pattern, Branch.SOMETIMES)
                    self._choice(case.body)
            case _:
                self._expressions([c for c in children_of(node) if isinstance(c, ast.expr)], branch)

    def _choice(self, body: list[ast.stmt], chosen: bool = True) -> None:
        around, self.chosen = self.chosen, self.chosen or chosen
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
                self.table.stars.append((node.module, node.level))
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
            called = value.value if isinstance(value, ast.Await) else value
            if isinstance(called, ast.Call) and all(isinstance(each, ast.Name) for each in target.elts):
                self._results(target, called, branch)
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
            self.table.calls.append(node)
            if self.loops:
                self.table.loops[node] = self.loops
            if self.chosen or (self.asked and not self.asked & names_given(node)):
                self.table.chosen.add(node)
        elif isinstance(node, ast.NamedExpr):
            self._target(node.target, node.value, Branch.SOMETIMES)
        elif isinstance(node, ast.Lambda):
            self._enter(node)
            return
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            self._comprehension(node, branch)
            return
        for child in children_of(node):
            self._expression(child, branch)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, branch: Branch) -> None:
        """What a comprehension calls, as the statements of the loops that it is."""
        loops, chosen = self.loops, self.chosen
        for each in node.generators:
            self._expression(each.iter, branch)
            loop = ast.For(each.target, each.iter, [], [], lineno=node.lineno, col_offset=node.col_offset)
            self.loops = (*self.loops, loop)
            self._expressions(each.ifs, branch)
            self.chosen = self.chosen or bool(each.ifs)
        self._expression(node.elt, branch)
        self.loops, self.chosen = loops, chosen

    def _bound_to(self, name: str) -> ast.expr | None:
        """What a name was last bound to so far."""
        bindings = self.table.bindings.get(name)
        return bindings[-1].value if bindings else None

    def _enter(self, node: ast.AST) -> None:
        self.table.inner.append(node)

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
        binding = Binding(
            how, node, line, branch, value, annotation, module, member, level, given, self.until
        )
        self.table.bindings.setdefault(name, []).append(binding)
