"""What a name can stand for: something external, or a module, class, function or value of the project."""

from __future__ import annotations

import ast
from typing import Final, TypeAlias

import msgspec

from ingest.web.syntax.bindings import Function
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope

_EXTENDING: Final = {"adrf": "rest_framework", "drf_rw_serializers": "rest_framework"}
"""Packages whose classes are those of another one, of the same names and with more in them."""


class External(msgspec.Struct, frozen=True):
    """Something that the project does not define itself, by its dotted name."""

    dotted: str

    @property
    def root(self) -> str:
        """The top-level package, or the one whose classes it extends under their names."""
        package = self.package
        return _EXTENDING.get(package, package)

    @property
    def package(self) -> str:
        """The top-level package."""
        return self.dotted.split(".")[0]

    @property
    def name(self) -> str:
        """The last part of the name."""
        return self.dotted.rsplit(".", 1)[-1]


class ModuleTarget(msgspec.Struct, frozen=True):
    """A module of the project."""

    module: Module


class ClassTarget(msgspec.Struct, frozen=True):
    """A class of the project, and the scope in which it is defined."""

    node: ast.ClassDef
    scope: Scope

    @property
    def body(self) -> Scope:
        """The class's own namespace."""
        return self.scope.child(self.node)

    @property
    def qualified(self) -> str:
        """`package.module.Class`."""
        return self.body.qualified


class FunctionTarget(msgspec.Struct, frozen=True):
    """A function or method of the project, and the scope in which it is defined."""

    node: Function | ast.Lambda
    scope: Scope

    @property
    def body(self) -> Scope:
        """The function's own namespace."""
        return self.scope.child(self.node)

    @property
    def qualified(self) -> str:
        """`package.module.function`."""
        return self.body.qualified


class ValueTarget(msgspec.Struct, frozen=True):
    """A value given by an expression (None: only its annotation is known), to be read in a scope."""

    node: ast.expr | None
    scope: Scope
    annotation: ast.expr | None = None


class ParameterTarget(msgspec.Struct, frozen=True):
    """A parameter of the function whose scope this is."""

    name: str
    scope: Scope
    annotation: ast.expr | None
    default: ast.expr | None


class LoopTarget(msgspec.Struct, frozen=True):
    """The element of an iterable, one after the other."""

    iterable: ast.expr
    scope: Scope


Target: TypeAlias = (
    External | ModuleTarget | ClassTarget | FunctionTarget | ValueTarget | ParameterTarget | LoopTarget
)


def unsubscripted(node: ast.expr) -> ast.expr:
    """The generic behind `Generic[…]`; any other expression itself."""
    return node.value if isinstance(node, ast.Subscript) else node
