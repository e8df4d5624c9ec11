"""One self-contained document out of a contract of many files, for a validator that must not open any."""

from __future__ import annotations

from graph.facts import Json
from ingest.openapi.files import Files
from ingest.openapi.node import Node

HOLDER = "x-crossfact-files"
_STUBS: dict[str, Json] = {
    "parameters": {"name": "unknown", "in": "query", "schema": {}},
    "responses": {"description": ""},
    "requestBodies": {"content": {}},
    "headers": {"schema": {}},
}
_NAMED_MAPS = frozenset(
    {
        "properties",
        "responses",
        "schemas",
        "parameters",
        "headers",
        "definitions",
        "$defs",
        "patternProperties",
    }
)
_DATA = frozenset({"example", "examples", "default", "enum", "const", "value"})


class Bundle:
    """A copy of the main document in which every `$ref` names something in the copy.

    Other files lie below `x-crossfact-files`, in the order of `paths`. A `$ref` that could not be followed is
    replaced by something harmless, and `incomplete` is then true.
    """

    def __init__(self, files: Files, version_2: bool) -> None:
        self.paths: list[str] = []
        self.incomplete = False
        self._files = files
        self._version_2 = version_2
        self.nodes: dict[int, Node] = {}
        """By the identity of each mapping in the copy, what it was copied from."""
        self._copies: dict[int, Json] = {}
        self._others: list[Node] = []
        self.value: Json = self._copy(files.main, "", "")
        held: list[Json] = []
        for other in self._others:  # copying one file may add others at the end
            held.append(self._copy(other, "", ""))
        if held and isinstance(self.value, dict):
            self.value[HOLDER] = held

    def _copy(self, node: Node, parent: str, grandparent: str) -> Json:
        """`parent` is the key that holds the value, `grandparent` the one above."""
        value = node.value
        if not isinstance(value, dict | list):
            return value
        if id(value) in self._copies:
            return self._copies[id(value)]
        if isinstance(value, list):
            copy: Json = [self._copy(item, "", parent) for item in node.items()]
        elif node.ref is not None:
            copy = self._reference(node, node.ref, parent, grandparent)
        else:
            copy = {}
            for key, child in node.members(extensions=True):
                data = parent not in _NAMED_MAPS and (key in _DATA or key.startswith("x-"))
                copy[key] = child.value if data else self._copy(child, key, parent)
        self._copies[id(value)] = copy
        self.nodes[id(copy)] = node
        return copy

    def _reference(self, node: Node, ref: str, parent: str, grandparent: str) -> Json:
        target = self._files.target(node, ref)
        if target is None or self._files.resolved(node) is None:
            self.incomplete = True
            return self._stub(parent, grandparent)
        if target.tree is self._files.main.tree:
            return {**node.value, "$ref": f"#{target.pointer}"}
        path = target.tree.path
        if path not in self.paths:
            self.paths.append(path)
            self._others.append(self._files.root(path))
        return {**node.value, "$ref": f"#/{HOLDER}/{self.paths.index(path)}{target.pointer}"}

    def _stub(self, parent: str, grandparent: str) -> Json:
        kind = "requestBodies" if parent == "requestBody" else grandparent
        if self._version_2 and kind == "parameters":
            return {"name": f"unknown{len(self._copies)}", "in": "query", "type": "string"}
        if self._version_2 and kind == "headers":
            return {"type": "string"}
        stub = dict(_STUBS.get(kind, {}))
        if "name" in stub:
            stub["name"] = f"unknown{len(self._copies)}"
        return stub
