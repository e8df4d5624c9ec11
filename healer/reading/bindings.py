"""Which binding each name of a file means: scopes as Python has them, so that what is shadowed is left alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

import msgspec

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Binding(msgspec.Struct, eq=False):
    """One place that binds a name: an `alias` of an import, a definition, an `arg`, or another node with its `value`.

    `element` says that the name is an element of the value (of a loop), `entered` that a `with` gave it, `annotated`
    that the value is the annotation.
    """

    node: ast.AST
    value: ast.expr | None = None
    element: bool = False
    entered: bool = False
    annotated: bool = False


class Scope(msgspec.Struct, eq=False):
    """The names that a module, class, function or comprehension binds."""

    node: ast.AST
    parent: Scope | None
    bound: dict[str, list[Binding]] = msgspec.field(default_factory=dict)
    elsewhere: dict[str, str] = msgspec.field(default_factory=dict)


class Bindings:
    """The scopes of one module."""

    def __init__(self, tree: ast.Module) -> None:
        self.module = Scope(tree, None)
        self.scopes: dict[ast.AST, Scope] = {tree: self.module}
        self._scope_of: dict[ast.Name, Scope] = {}
        self._named: dict[str, list[ast.Name]] = {}
        self._imports: list[tuple[Scope, ast.Import | ast.ImportFrom]] = []
        self._body(tree.body, self.module)

    def scope(self, name: ast.Name) -> Scope | None:
        """The scope that binds what a name means; `None` where the file does not bind it."""
        return self.holder(name.id, self._scope_of[name])

    def of(self, name: ast.Name) -> list[Binding]:
        """The bindings that a name may mean."""
        scope = self.scope(name)
        return scope.bound[name.id] if scope is not None else []

    def holder(self, name: str, scope: Scope) -> Scope | None:
        """The scope that binds a name which is used in another."""
        if scope.elsewhere.get(name) == "global":
            return self.module if name in self.module.bound else None
        current: Scope | None = scope if name not in scope.elsewhere else scope.parent
        while current is not None:
            visible = current is scope or not isinstance(current.node, ast.ClassDef)
            if visible and name in current.bound:
                return current
            current = current.parent
        return None

    def uses(self, scope: Scope, name: str) -> list[ast.Name]:
        """The names that mean what a scope binds under this name."""
        return [node for node in self._named.get(name, ()) if self.scope(node) is scope]

    def is_free(self, scope: Scope, old: str, new: str) -> bool:
        """Whether what a scope binds as `old` could be called `new`: nothing is called so where it is used."""
        if new in scope.bound or any(new in each.elsewhere for each in self.scopes.values()):
            return False
        if any(self.scope(node) in (None, scope) for node in self._named.get(new, ())):
            return False
        for use in self.uses(scope, old):
            current: Scope | None = self._scope_of[use]
            while current is not None and current is not scope:
                if new in current.bound:
                    return False
                current = current.parent
        return True

    def imports(self) -> list[tuple[Scope, ast.Import | ast.ImportFrom]]:
        """The imports of the file with the scopes that they bind names in, in the order of the text."""
        return self._imports

    def _bind(self, scope: Scope, name: str, binding: Binding) -> None:
        where = scope
        if scope.elsewhere.get(name) == "global":
            where = self.module
        elif name in scope.elsewhere and scope.parent is not None:
            where = self.holder(name, scope.parent) or scope
        where.bound.setdefault(name, []).append(binding)

    def _body(self, body: list[ast.stmt], scope: Scope) -> None:
        for node in _within(body):
            if isinstance(node, ast.Global | ast.Nonlocal):
                kind = "global" if isinstance(node, ast.Global) else "nonlocal"
                scope.elsewhere.update(dict.fromkeys(node.names, kind))
        for statement in body:
            self._visit(statement, scope)

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self._function(node, scope)
            case ast.ClassDef():
                self._bind(scope, node.name, Binding(node))
                self._all([*node.decorator_list, *node.bases, *node.keywords], scope)
                inner = self.scopes[node] = Scope(node, scope)
                self._body(node.body, inner)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node, scope)
            case ast.Import() | ast.ImportFrom():
                self._imports.append((scope, node))
                for alias in node.names:
                    dotted = alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name
                    self._bind(scope, alias.asname or dotted, Binding(alias))
            case ast.Name():
                self._scope_of[node] = scope
                self._named.setdefault(node.id, []).append(node)
                if not isinstance(node.ctx, ast.Load):
                    self._bind(scope, node.id, Binding(node))
            case ast.ExceptHandler(name=str(name)):
                self._bind(scope, name, Binding(node))
                self._children(node, scope)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                self._bind(scope, name, Binding(node))
                self._children(node, scope)
            case ast.MatchMapping(rest=str(name)):
                self._bind(scope, name, Binding(node))
                self._children(node, scope)
            case _:
                self._children(node, scope)
                self._valued(node, scope)

    def _valued(self, node: ast.AST, scope: Scope) -> None:
        """Bindings know the values that they are given."""
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._give(target, value, scope)
            case ast.AnnAssign(target=target, annotation=annotation):
                self._give(target, annotation, scope, annotated=True)
            case ast.NamedExpr(target=target, value=value):
                self._give(target, value, scope)
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                self._give(target, value, scope, element=True)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        self._give(item.optional_vars, item.context_expr, scope, entered=True)

    def _give(
        self,
        target: ast.expr,
        value: ast.expr,
        scope: Scope,
        *,
        element: bool = False,
        entered: bool = False,
        annotated: bool = False,
    ) -> None:
        if isinstance(target, ast.Name):
            holder = self.holder(target.id, scope) or scope
            for binding in holder.bound.get(target.id, ()):
                if binding.node is target:
                    binding.value, binding.element = value, element
                    binding.entered, binding.annotated = entered, annotated
        elif (
            isinstance(target, ast.Tuple | ast.List)
            and isinstance(value, ast.Tuple | ast.List)
            and len(target.elts) == len(value.elts)
            and not (element or entered)
        ):
            for each, part in zip(target.elts, value.elts, strict=True):
                self._give(each, part, scope)

    def _function(self, node: Function, scope: Scope) -> None:
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
        outside: list[ast.AST | None] = [*arguments.defaults, *arguments.kw_defaults]
        outside += [each.annotation for each in every]
        if not isinstance(node, ast.Lambda):
            self._bind(scope, node.name, Binding(node))
            outside += [*node.decorator_list, node.returns]
        self._all([each for each in outside if each is not None], scope)
        inner = self.scopes[node] = Scope(node, scope)
        for each in every:
            inner.bound.setdefault(each.arg, []).append(Binding(each))
        if isinstance(node, ast.Lambda):
            self._visit(node.body, inner)
        else:
            self._body(node.body, inner)

    def _comprehension(self, node: Comprehension, scope: Scope) -> None:
        self._visit(node.generators[0].iter, scope)
        inner = self.scopes[node] = Scope(node, scope)
        for at, generator in enumerate(node.generators):
            self._all([generator.target, *generator.ifs], inner)
            if at:
                self._visit(generator.iter, inner)
            self._give(generator.target, generator.iter, inner, element=True)
        if isinstance(node, ast.DictComp):
            self._all([node.key, node.value], inner)
        else:
            self._visit(node.elt, inner)

    def _all(self, nodes: list[ast.AST], scope: Scope) -> None:
        for node in nodes:
            self._visit(node, scope)

    def _children(self, node: ast.AST, scope: Scope) -> None:
        self._all(list(ast.iter_child_nodes(node)), scope)


def _within(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of a body without those of functions and classes in it."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))
