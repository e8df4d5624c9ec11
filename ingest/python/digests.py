"""Digests of what definitions do: by them two revisions of a body are known to be equal without keeping its text.

A body counts without its docstring, decorators and header, which facts tell by themselves; that of a class or module
is what stands in it outside its functions, classes, imports and `__all__`. Nothing else is normalised, so that equal
digests mean equal texts.
"""

from __future__ import annotations

from _blake2 import blake2b
from typing import TYPE_CHECKING

from graph.facts import Kind
from ingest.python.module import Module
from ingest.python.scopes import Scope

if TYPE_CHECKING:
    from tree_sitter import Node

_SIZE = 8
_EXPORTS = "__all__"


class Digests:
    """Makes the digests of one file's definitions."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._parts: dict[Scope, list[tuple[int, int]]] = {}
        for scope in module.scopes.all[1:]:
            if scope.parent is not None and scope.parent.kind is not Kind.FUNCTION:
                self._parts.setdefault(scope.parent, []).append((scope.outer, scope.end))
        for node in module.found.get("import", ()):
            owner = module.scopes.at(node.start_byte)
            if owner.kind is not Kind.FUNCTION:
                self._parts.setdefault(owner, []).append((node.start_byte, node.end_byte))

        for item in module.assignments:
            if item.name == _EXPORTS and item.node is not None and item.scope is module.scopes.module:
                self._parts.setdefault(item.scope, []).append((item.node.start_byte, item.node.end_byte))

    def of(self, scope: Scope, documented: int) -> str:
        """The digest of a function's body, or of what a class or module says outside its parts.

        `documented` is where its docstring ends, 0 without one.
        """
        data = self._module.source.data
        pieces = (data[first:last].strip() for first, last in self.pieces(scope, documented))
        return digest(b"\n".join(filter(None, pieces)))

    def pieces(self, scope: Scope, documented: int) -> list[tuple[int, int]]:
        """The places, from byte to byte, of what counts in a definition whose docstring ends at `documented`."""
        start = documented or scope.body
        found = []
        if scope.kind is not Kind.FUNCTION:
            for first, last in sorted(self._parts.get(scope, ())):
                found.append((start, first))
                start = max(start, last)
        return [*found, (start, scope.end)]

    def of_value(self, node: Node) -> str:
        """The digest of an expression."""
        return digest(self._module.source.data[node.start_byte : node.end_byte])


def digest(data: bytes) -> str:
    """Sixteen hexadecimal digits that tell these bytes from others; empty for no bytes."""
    return blake2b(data, digest_size=_SIZE).hexdigest() if data else ""
