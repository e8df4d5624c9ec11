"""The files of one contract: follows `$ref`s between local files below the project root, and nowhere else."""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path
from urllib.parse import unquote

from graph.facts import Defect, Skipped, Tag
from ingest.ingestor import Document
from ingest.located import read_located
from ingest.openapi.node import Node, root_of
from ingest.text import read_text
from ingest.trees.tree import Tree

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_MAX_FILES = 1000
_MAX_STEPS = 100


class _NotFollowed(Exception):  # noqa: N818 - a reason that becomes a value here, never an error of the run
    """A reference that is not followed by choice."""


class _Dangling(Exception):  # noqa: N818 - see above
    """A reference that names nothing."""


class Files:
    """Every document that the contract reaches, each read once; what could not be followed is kept as values."""

    def __init__(self, document: Document, tree: Tree) -> None:
        self.main = root_of(tree)
        self.texts = {document.path: document.text}
        self._root = document.root
        self._roots: dict[str, Node | _NotFollowed | _Dangling] = {document.path: self.main}
        self._tried: list[str] = []
        self._targets: dict[tuple[str, str], Node] = {}
        self._skipped: dict[tuple[str, int, str], Skipped] = {}
        self._defects: dict[tuple[str, int, str], Defect] = {}

    @property
    def reads(self) -> list[str]:
        """The other files that were looked at or for, by path."""
        return sorted(self._tried)

    @property
    def skipped(self) -> list[Skipped]:
        """The references that were not followed, and why."""
        return list(self._skipped.values())

    @property
    def defects(self) -> list[Defect]:
        """The references that lead nowhere."""
        return list(self._defects.values())

    @property
    def trees(self) -> list[Tree]:
        """All documents that were read."""
        return [root.tree for root in self._roots.values() if isinstance(root, Node)]

    def root(self, path: str) -> Node:
        """The whole value of a document that was read."""
        root = self._roots[path]
        assert isinstance(root, Node), "the document was read"
        return root

    def resolved(self, node: Node) -> Node | None:
        """The node itself, or what its chain of `$ref`s leads to; None where it leads nowhere."""
        seen: set[tuple[str, str]] = set()
        current = node
        while (ref := current.ref) is not None:
            following = self.target(current, ref)
            if following is None:
                return None
            identity = (following.tree.path, following.pointer)
            if identity in seen or len(seen) > _MAX_STEPS:
                self._defect(node, f"`$ref: {node.ref}` leads in a circle and names nothing")
                return None
            seen.add(identity)
            current = following
        return current

    def target(self, node: Node, ref: str) -> Node | None:
        """What one `$ref`, written in this node, names directly; None (and a note of why) where it names nothing."""
        identity = (node.tree.path, ref)
        target = self._targets.get(identity)
        if target is None:
            try:
                target = self._targets[identity] = self._find(node, ref)
            except _NotFollowed as reason:
                self._skip(node, f"`$ref: {ref}` {reason}")
            except _Dangling as reason:
                self._defect(node, f"`$ref: {ref}` {reason}")
        return target

    def _find(self, node: Node, ref: str) -> Node:
        name, _, fragment = ref.partition("#")
        if _SCHEME.match(name):
            raise _NotFollowed("is not a local file and was not fetched")
        root = self._open(node, unquote(name)) if name else root_of(node.tree)
        pointer = unquote(fragment)
        if pointer and not pointer.startswith("/"):
            raise _NotFollowed("names an anchor; only JSON pointers are followed")
        found = root.at(pointer)
        if found is None:
            raise _Dangling(f"names nothing: {root.tree.path} has no {pointer}")
        return found

    def _open(self, node: Node, name: str) -> Node:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(node.tree.path), name))
        if path.startswith(("/", "../")) or path == "..":
            raise _NotFollowed("leads out of the project and was not read")
        if path not in self._roots:
            if len(self._roots) > _MAX_FILES:
                raise _NotFollowed(f"was not read: the contract has more than {_MAX_FILES} files")
            self._roots[path] = self._read(path)
        root = self._roots[path]
        if isinstance(root, _NotFollowed | _Dangling):
            raise type(root)(*root.args)
        return root

    def _read(self, path: str) -> Node | _NotFollowed | _Dangling:
        self._tried.append(path)
        if not self._root:
            return _NotFollowed("was not read: the project's root is not known")
        text = read_text(self._root, path)
        if isinstance(text, Skipped):
            # A name that is nowhere in the project is the contract's mistake; anything else is our restraint.
            if not os.path.lexists(Path(self._root, path)):
                return _Dangling(f"names nothing: there is no file {path}")
            return _NotFollowed(f"was not read: {text.reason}")
        tree = read_located(text, path)
        if not isinstance(tree, Tree):
            self._defects[path, tree.line, ""] = unreadable(path, tree.line, tree.reason, tree.remedy)
            return _NotFollowed("was not read: it is no valid YAML or JSON")
        self.texts[path] = text
        return root_of(tree)

    def _skip(self, node: Node, reason: str) -> None:
        path, line = node.tree.path, _line_of_ref(node)
        self._skipped[path, line, reason] = Skipped(path, line, reason)

    def _defect(self, node: Node, message: str) -> None:
        path, line = node.tree.path, _line_of_ref(node)
        self._defects[path, line, message] = invalid(path, line, message)


def invalid(path: str, line: int, message: str) -> Defect:
    """The defect that a contract says something OpenAPI does not allow."""
    return _defect("contract-invalid", path, line, message)


def unreadable(path: str, line: int, reason: str, remedy: str) -> Defect:
    """The defect that a contract is no YAML or JSON that can be read."""
    return _defect("contract-unreadable", path, line, f"{path} cannot be read: {reason}. {remedy}")


def duplicate(path: str, line: int, key: str, first_line: int) -> Defect:
    """The defect that a key stands twice in one mapping."""
    message = (
        f"The key {key!r} stands twice in one mapping (before on line {first_line}); only the last one counts"
    )
    return _defect("contract-duplicate-key", path, line, message)


def _defect(rule: str, path: str, line: int, message: str) -> Defect:
    return Defect(
        rule=rule,
        subject=f"file {path}",
        aspect="source",
        message=message,
        tag=Tag.SPEC,
        path=path,
        line=line,
    )


def _line_of_ref(node: Node) -> int:
    return node.tree.line(node.value, "$ref") if isinstance(node.value, dict) else node.line
