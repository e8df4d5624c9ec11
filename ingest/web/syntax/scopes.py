"""Scopes of Python code: which binding a name has where it is used."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ingest.web.syntax.bindings import Binding, Bound, Function, choose, standing_for
from ingest.web.syntax.symbol_table import Loop, ScopeNode, SymbolTable, symbol_table


class Scope(msgspec.Struct, eq=False):
    """A module, class, function or lambda as a namespace; its symbol table is made when first needed."""

    module: str
    path: str
    node: ScopeNode
    parent: Scope | None
    qualified: str
    _table: SymbolTable | None = None
    _children: dict[ast.AST, Scope] = msgspec.field(default_factory=dict)
    _is_round: bool = False
    _is_doubtful: bool = False
    returned: list[ast.expr] | None = None
    """What a function itself returns, once `functions.returned` was asked."""

    @property
    def table(self) -> SymbolTable:
        """What is bound and called here."""
        if self._table is None:
            self._table = symbol_table(self.node)
        return self._table

    @property
    def bindings(self) -> dict[str, list[Binding]]:
        """Every name bound here, with its bindings in source order."""
        return self.table.bindings

    @property
    def calls(self) -> list[ast.Call]:
        """The calls made here, without those inside of nested functions and classes, in source order."""
        return self.table.calls

    def loops(self, call: ast.Call) -> tuple[Loop, ...]:
        """The `for` statements of this scope that a call stands in, the outermost first."""
        if self._is_round and self.parent is not None:
            return self.parent.loops(call)
        return self.table.loops.get(call, ())

    def chooses(self, call: ast.Call) -> bool:
        """Whether a condition of this scope decides if a call is made at all."""
        if self._is_round and self.parent is not None:
            return self._is_doubtful or self.parent.chooses(call)
        return call in self.table.chosen

    def round(self, given: Mapping[str, Any], *, doubtful: bool = False) -> Scope:
        """This scope as one round of a loop sees it: its names, but for those whose target is given.

        Whether there is such a round at all, a condition decides where it is `doubtful`.
        """
        node = self.node
        bindings = {name: [standing_for(node, target)] for name, target in given.items()}
        made = Scope(self.module, self.path, node, self, self.qualified, SymbolTable(bindings))
        made._is_round, made._is_doubtful = True, doubtful
        return made

    def told(self, given: Mapping[str, Any]) -> Scope:
        """This scope of a function as a call sees it that gives these: what is bound in it is worked out of them."""
        made = self.round(given)
        for name, found in self.bindings.items():
            if name not in given and all(each.how is not Bound.PARAMETER for each in found):
                made.bindings[name] = found
        return made

    @property
    def stars(self) -> list[tuple[str | None, int]]:
        """The modules of `from … import *`, as (name, level)."""
        return self.table.stars

    @property
    def is_class(self) -> bool:
        """Whether this is a class body, whose names its methods do not see."""
        return isinstance(self.node, ast.ClassDef)

    def child(self, node: ast.AST) -> Scope:
        """The scope of a function or class that is defined directly here."""
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
            stack.extend(scope.child(node) for node in reversed(scope.table.inner))

    def release(self) -> None:
        """Lets go of this scope and all within, which refer to each other: nobody asks them again."""
        for scope in list(self.descend()):
            scope._children, scope._table = {}, None

    def find(self, name: str, line: int | None) -> tuple[Scope, Binding] | None:
        """The binding that a name has when it is used at a line of this scope (None: after the scope has run).

        A name that is bound in several ways, so that only a run can tell, has none.
        """
        scope: Scope | None = self
        here = True
        while scope is not None:
            if (here or not scope.is_class) and name in scope.table.bindings:
                found = scope.table.bindings[name]
                if name in scope.table.foreign and scope.parent is not None:
                    # What a function sets of its module is known within it where it does so once.
                    once = len(found) == 1 and found[0].how is Bound.VALUE
                    before = here and line is not None and bool(found) and line < found[0].line
                    return (scope, found[0]) if once and not before else None
                outside = scope.parent is None and (not here or line is None)
                if outside and all(map(_is_nothing, found)) and (later := scope.set_within(name)):
                    # What several statements set, only a run can tell.
                    only = later[0] if len(later) == 1 else None
                    return only if only is not None and only[1].how is Bound.VALUE else None
                if scope.is_class and line is not None:
                    # A field that is only annotated (`date: date`) does not hide the name outside.
                    found = [b for b in found if b.how is not Bound.VALUE or b.value is not None]
                if line is not None and self._is_inner_class() and len(found) > 1:
                    # `class Book(Schema)` is not there yet where its `class Meta` says `model = Book`.
                    found = [b for b in found if b.how is not Bound.CLASS or not _spans(b.node, line)]
                if found:
                    binding = choose(found, line if here else None)
                    return (scope, binding) if binding else None
            here = here and scope._is_round
            scope = scope.parent
        return None

    def told_of_self(self, attribute: str) -> tuple[Scope, Binding] | None:
        """The binding of an attribute of the object whose method is read here, where the scope was told of it."""
        scope: Scope | None = self
        while scope is not None and not scope.is_class:
            if (found := scope.table.bindings.get(f"self.{attribute}")) is not None:
                return scope, found[0]
            if "self" in scope.table.bindings and not scope._is_round:
                return None
            scope = scope.parent
        return None

    def _is_inner_class(self) -> bool:
        return self.is_class and self.parent is not None and self.parent.is_class

    def set_within(self, name: str) -> list[tuple[Scope, Binding]]:
        """What the functions of a module set a name of the module to (`global api`)."""
        made = [self.child(node) for node in self.table.inner if isinstance(node, Function)]
        return [
            (each, binding)
            for each in made
            if name in each.table.foreign
            for binding in each.table.bindings.get(name, ())
        ]

    def binds(self, name: str) -> bool:
        """Whether the name is bound here or in a scope around, in whatever way."""
        scope: Scope | None = self
        while scope is not None:
            if not scope.is_class and name in scope.table.bindings:
                return True
            scope = scope.parent
        return False


def _spans(node: ast.AST | None, line: int) -> bool:
    """Whether a line is one of those of a class."""
    return isinstance(node, ast.ClassDef) and node.lineno <= line <= (node.end_lineno or node.lineno)


def _is_nothing(binding: Binding) -> bool:
    """Whether a name is bound to None, until something else is known."""
    return isinstance(binding.value, ast.Constant) and binding.value.value is None
