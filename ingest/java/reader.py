"""The reader of Java files: each type, method and field becomes a fact of the code, with what comments say of it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

from graph.facts import Extract, Fact, Json, Kind, Location, Relation, Skipped, Tag, Verb, fact_id
from ingest import versions
from ingest.ingestor import Document, Role
from ingest.java.comments import said_in

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_TYPES = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
}
_METHODS = {"method_declaration": "method", "constructor_declaration": "constructor"}
_BODIES = {"class_body", "interface_body", "enum_body", "enum_body_declarations", "annotation_type_body"}
_COMMENTS = {"block_comment", "line_comment"}
_DEEPEST = 30
"""Types inside types inside types: deeper ones are left out."""


class JavaReader:
    """Reads `.java` files; it knows definitions and comments, not what the code does."""

    name = "java"
    version = versions.JAVA
    roles: frozenset[Role] = frozenset()
    suffixes = frozenset({".java"})

    def read(self, document: Document) -> Extract:
        """A module for the file (named as its package and its stem), and the types, methods and fields in it."""
        source = document.text.encode("utf-8", "replace")
        root = _parser().parse(source).root_node
        file = _File(document.path, source)
        file.read(root)
        if root.has_error:
            file.extract.skipped.append(
                Skipped(document.path, _error_line(root), "a part is no Java that is known")
            )
        return file.extract


@cache
def _parser() -> Parser:
    import tree_sitter_java
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_java.language()))


class _File:
    """One file on its way to facts: where it is, what was found, and which keys are taken."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path = path
        self.source = source
        self.extract = Extract()
        self._taken: Counter[tuple[Kind, str]] = Counter()

    def read(self, root: Node) -> None:
        """Add everything that the file defines."""
        package, imports = "", dict[str, int]()
        for child in root.named_children:
            if child.type == "package_declaration":
                package = self._text(child).removeprefix("package").strip(" ;\n\t")
            elif child.type == "import_declaration":
                name = self._text(child).removeprefix("import").strip(" ;\n\t").removeprefix("static ")
                imports.setdefault(name, _line(child))
        stem = self.path.rpartition("/")[2].rpartition(".")[0]
        key = f"{package}.{stem}" if package else stem
        aspects: dict[str, Json] = {"language": "java", "package": package}
        first = next((c for c in root.named_children if c.type not in _COMMENTS), None)
        if first is not None and first.type == "package_declaration":
            self._describe(aspects, first, body=None)
        module = self._add(Kind.MODULE, key, stem, root, aspects)
        for target, line in imports.items():
            if not target.endswith("*"):
                self.extract.relations.append(Relation(Verb.IMPORTS, module, f"code:*:{target}", line))
        self._members(root, package, module, 0)

    def _members(self, body: Node, prefix: str, owner: str, depth: int) -> None:
        for child in body.named_children:
            if child.type in _TYPES:
                self._type(child, prefix, owner, depth)
            elif child.type in _METHODS:
                self._method(child, prefix, owner)
            elif child.type in ("field_declaration", "constant_declaration"):
                self._field(child, prefix, owner)
            elif child.type == "enum_constant":
                self._attribute(child, child, prefix, owner, "")
            elif child.type in _BODIES:
                self._members(child, prefix, owner, depth)

    def _type(self, node: Node, prefix: str, owner: str, depth: int) -> None:
        name = self._named(node)
        if not name or depth > _DEEPEST:
            return
        key = f"{prefix}.{name}" if prefix else name
        bases = [each for field in ("superclass", "interfaces") for each in self._types_in(node, field)]
        bases += [
            each for c in node.named_children if c.type == "extends_interfaces" for each in self._words(c)
        ]
        aspects: dict[str, Json] = {"language": "java", "form": _TYPES[node.type], "bases": bases}
        body = node.child_by_field_name("body")
        self._describe(aspects, node, body=None)
        this = self._add(Kind.CLASS, key, name, node, aspects, owner)
        if body is not None:
            self._members(body, key, this, depth + 1)

    def _method(self, node: Node, prefix: str, owner: str) -> None:
        name = self._named(node)
        if not name:
            return
        aspects: dict[str, Json] = {
            "language": "java",
            "kind": _METHODS[node.type],
            "parameters": [each for each in map(self._parameter, self._parameters(node)) if each],
        }
        returns = node.child_by_field_name("type")
        if returns is not None:
            aspects["returns"] = self._text(returns)
        thrown = [each for c in node.named_children if c.type == "throws" for each in self._words(c)]
        if thrown:
            aspects["raises"] = [[each, _line(node)] for each in thrown]
        self._describe(aspects, node, body=node.child_by_field_name("body"))
        self._add(Kind.FUNCTION, f"{prefix}.{name}", name, node, aspects, owner)

    def _field(self, node: Node, prefix: str, owner: str) -> None:
        kind = node.child_by_field_name("type")
        for declared in node.children_by_field_name("declarator"):
            self._attribute(declared, node, prefix, owner, self._text(kind) if kind else "")

    def _attribute(self, named: Node, node: Node, prefix: str, owner: str, annotation: str) -> None:
        name = self._named(named)
        if not name:
            return
        aspects: dict[str, Json] = {"language": "java"}
        if annotation:
            aspects["annotation"] = annotation
        value = named.child_by_field_name("value")
        if value is not None:
            aspects["value"] = self._text(value)[:200]
        self._describe(aspects, node, body=None)
        self._add(Kind.ATTRIBUTE, f"{prefix}.{name}", name, node, aspects, owner)

    def _parameters(self, node: Node) -> list[Node]:
        listed = node.child_by_field_name("parameters")
        return [] if listed is None else [c for c in listed.named_children if c.type.endswith("parameter")]

    def _parameter(self, node: Node) -> list[Any]:
        name = self._named(node)
        if not name:
            words = self._words(node)
            name = words[-1] if words else ""
        kind = node.child_by_field_name("type")
        if kind is None:
            kind = next((child for child in node.named_children if child.type.endswith("type")), None)
        form = "var-positional" if node.type == "spread_parameter" else "positional-only"
        return [name, form, self._text(kind) if kind else None, None, _line(node)] if name else []

    def _describe(self, aspects: dict[str, Json], node: Node, body: Node | None) -> None:
        """Add what the comment before a definition says (`doc`), and those inside its body (`comments`)."""
        before = node.prev_named_sibling
        if before is not None and before.type in _COMMENTS:
            summary = said_in(self._text(before))
            if summary:
                aspects["doc"] = {"summary": summary}
        inside = [said_in(self._text(each)) for each in _comments(body)] if body is not None else []
        if any(inside):
            aspects["comments"] = [each for each in inside if each]

    def _add(
        self, kind: Kind, key: str, name: str, node: Node, aspects: dict[str, Json], owner: str = ""
    ) -> str:
        self._taken[kind, key] += 1
        if self._taken[kind, key] > 1:
            key = f"{key}~{self._taken[kind, key]}"
        place = Location(self.path, _line(node), node.end_point[0] + 1)
        self.extract.facts.append(
            Fact(tag=Tag.CODE, kind=kind, key=key, name=name, source=place, aspects=aspects)
        )
        identifier = fact_id(Tag.CODE, kind, key)
        if owner:
            self.extract.relations.append(Relation(Verb.CONTAINS, owner, identifier, place.line))
        return identifier

    def _named(self, node: Node) -> str:
        name = node.child_by_field_name("name")
        return self._text(name) if name is not None else ""

    def _types_in(self, node: Node, field: str) -> list[str]:
        found = node.child_by_field_name(field)
        return self._words(found) if found is not None else []

    def _words(self, node: Node) -> list[str]:
        """The names of types (or the one variable) directly below a node, lists looked through."""
        found = []
        for child in node.named_children:
            if child.type in ("type_list", "variable_declarator"):
                found += self._words(child)
            elif child.type.endswith(("identifier", "generic_type")):
                found.append(self._text(child))
        return found

    def _text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _comments(body: Node) -> list[Node]:
    """The comments anywhere below a node, in order."""
    found, waiting = [], [body]
    while waiting:
        node = waiting.pop()
        if node.type in _COMMENTS:
            found.append(node)
        waiting.extend(reversed(node.named_children))
    return found


def _line(node: Node) -> int:
    return node.start_point[0] + 1


def _error_line(root: Node) -> int:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            return _line(node)
        waiting.extend(reversed([child for child in node.children if child.has_error]))
    return 1
