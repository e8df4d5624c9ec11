"""What a file imports: which qualified name each local name stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ingest.python.query import Captures
from ingest.python.scopes import Scope, Scopes
from ingest.python.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

STAR = "*"


class Import(msgspec.Struct, frozen=True):
    """One imported name: `import a.b` has `a.b` as local name and target, `from a import *` has `*` and `a`.

    `again` says that the name is imported as itself (`from a import b as b`), by which a stub publishes it; `guard`
    holds the conditions under which the statement runs.
    """

    local: str
    target: str
    line: int
    scope: Scope
    again: bool = False
    guard: tuple[str, ...] = ()

    @property
    def binds(self) -> tuple[str, str]:
        """The local name that is bound, and the qualified name that it stands for."""
        if self.local == self.target:
            root = self.target.partition(".")[0]
            return root, root
        return self.local, self.target


class Imports(msgspec.Struct):
    """All imports of a file, and per scope what its imported names may stand for (several after `try … except`)."""

    all: list[Import] = []
    bindings: dict[tuple[Scope, str], list[str]] = {}

    def add(self, imported: Import) -> None:
        """Record one import."""
        self.all.append(imported)
        if imported.local == STAR:
            return
        local, target = imported.binds
        targets = self.bindings.setdefault((imported.scope, local), [])
        if target not in targets:
            targets.append(target)


def read_imports(source: Source, found: Captures, scopes: Scopes, package: str) -> Imports:
    """The imports of a file; relative ones count from `package`, and are left out where they leave it."""
    imports = Imports()
    for node in found.get("import", ()):
        place = node.start_byte
        scope = scopes.at(place)
        if scope.lost:
            continue
        line = source.line(place)
        guard = scopes.guard(node, place, scope) or ()
        if node.type == "import_statement":
            for name, alias in _names(source, node):
                imports.add(Import(alias or name, name, line, scope, alias == name, guard))
            continue
        module = _module(source, node, package)
        if module is None:
            scope.bound.update(alias or name for name, alias in _names(source, node))
            continue
        for name, alias in _names(source, node):
            target = module if name == STAR else f"{module}.{name}"
            imports.add(Import(alias or name, target, line, scope, alias == name, guard))
    return imports


def _names(source: Source, statement: Node) -> list[tuple[str, str]]:
    """The imported names with their alias, or an empty one."""
    names = []
    for node in statement.children_by_field_name("name"):
        if node.type == "aliased_import":
            name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
            if name is not None and alias is not None:
                names.append((_dotted(source, name), source.text(alias)))
        else:
            names.append((_dotted(source, node), ""))
    if not names and any(child.type == "wildcard_import" for child in statement.named_children):
        names.append((STAR, ""))
    return [(name, alias) for name, alias in names if name]


def _module(source: Source, statement: Node, package: str) -> str | None:
    """The absolute name of the module that a `from` names; None where a relative one leaves the package."""
    node = statement.child_by_field_name("module_name")
    if node is None:
        return None
    return absolute(_dotted(source, node), package) or None


def absolute(text: str, package: str) -> str:
    """The name of a module as seen from a package: `.core` in `shop` is `shop.core`; empty where it leaves that."""
    name = text.lstrip(".")
    level = len(text) - len(name)
    if level == 0:
        return name
    parts = package.split(".") if package else []
    if level - 1 >= len(parts):
        return ""
    base = ".".join(parts[: len(parts) - level + 1])
    return f"{base}.{name}" if name else base


def _dotted(source: Source, node: Node) -> str:
    return "".join(source.text(node).split())
