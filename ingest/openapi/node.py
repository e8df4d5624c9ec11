"""One value of a contract with its place: what readers of contracts walk on."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from graph.facts import Json, Location
from ingest.trees.tree import Key, Tree, member_key


class Node(msgspec.Struct, frozen=True, gc=False):
    """A value of a document, the lines of the member that holds it, and the JSON pointer to it."""

    tree: Tree
    value: Json
    line: int
    last: int
    pointer: str

    @property
    def location(self) -> Location:
        """The lines of the member."""
        return Location(self.tree.path, self.line, self.last)

    @property
    def ref(self) -> str | None:
        """The `$ref` of a mapping that has one."""
        target = self.value.get("$ref") if isinstance(self.value, dict) else None
        return target if isinstance(target, str) else None

    def get(self, key: Key) -> Json:
        """The value of a member, or None where there is none."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    def has(self, key: str) -> bool:
        """Whether this is a mapping with such a member."""
        return isinstance(self.value, dict) and key in self.value

    def member(self, key: Key) -> Node | None:
        """A member of a mapping by name or of a list by index, or None."""
        if isinstance(self.value, dict):
            return self._child(key) if key in self.value else None
        if isinstance(self.value, list) and isinstance(key, int) and key < len(self.value):
            return self._child(key)
        return None

    def mapping(self, key: str) -> Node:
        """A member that is a mapping; an empty one in the same place where it is missing or something else."""
        child = self.member(key)
        if child is not None and isinstance(child.value, dict):
            return child
        return msgspec.structs.replace(self, value={}, pointer=f"{self.pointer}/{_escaped(key)}")

    def members(self, extensions: bool = False) -> Iterator[tuple[str, Node]]:
        """The members of a mapping in source order; extensions (`x-…`) only where they are names like others."""
        if isinstance(self.value, dict):
            for key in self.value:
                if extensions or not key.startswith("x-"):
                    yield key, self._child(key)

    def items(self) -> Iterator[Node]:
        """The members of a list in source order."""
        if isinstance(self.value, list):
            for index in range(len(self.value)):
                yield self._child(index)

    def at(self, pointer: str) -> Node | None:
        """The value that a JSON pointer names from here, or None."""
        node = self
        for token in pointer.split("/")[1:]:
            key = member_key(node.value, token)
            if key is None:
                return None
            node = node._child(key)
        return node

    def _child(self, key: Key) -> Node:
        tree, value = self.tree, self.value
        return Node(
            tree=tree,
            value=value[key],
            line=tree.line(value, key),
            last=tree.last_line(value, key),
            pointer=f"{self.pointer}/{_escaped(str(key))}",
        )


def root_of(tree: Tree) -> Node:
    """The whole value of a document."""
    first = tree.first_line(tree.value)
    return Node(tree=tree, value=tree.value, line=first, last=tree.final_line, pointer="")


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key
