"""The named schemas of a contract: their names, and the facts about them and their fields."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from graph.facts import Fact, Json, Kind, Location, Relation, Tag, Verb, fact_id
from graph.schemas import Schema
from ingest.openapi.claims import described, described_fields
from ingest.openapi.examples import exampled, exampled_fields
from ingest.openapi.files import Files
from ingest.openapi.node import Node
from ingest.openapi.translation import Translation, at_home


class Components:
    """Names every schema that a `$ref` reaches, and states each as facts."""

    def __init__(self, files: Files, siblings_count: bool) -> None:
        self._files = files
        self._translation = Translation(files, self._identified, siblings_count)
        self._names: dict[tuple[str, str], str] = {}
        self._nodes: dict[str, Node] = {}
        self._queue: list[str] = []

    def declare(self, group: Node) -> None:
        """Name the schemas of `components/schemas` or `definitions`, before anything refers to them."""
        for name, node in group.members(extensions=True):
            self._name(self._standing_for(node), name)

    def schema(self, node: Node | None, home: str) -> tuple[Schema, list[str]]:
        """The normal form of a schema that a fact in the file `home` states, and the ids that it refers to."""
        if node is None:
            return {}, []
        normal = self._translation.normal(node)
        return at_home(normal.schema, home), sorted(normal.references)

    def facts(self, uses: Mapping[str, set[str]]) -> Iterator[Fact | Relation]:
        """The facts of all named schemas and their fields, and how they relate.

        `uses` says of the schemas that requests and responses name where they are used.
        """
        references: dict[str, list[str]] = {}
        for name in self._queue:  # translating one schema may add others at the end
            normal = self._translation.named(self._nodes[name])
            references[fact_id(Tag.SPEC, Kind.SCHEMA, name)] = sorted(normal.references)
        used = _propagated(uses, references)
        for name in self._queue:
            yield from self._facts(name, references, used)

    def _facts(
        self, name: str, references: dict[str, list[str]], used: dict[str, set[str]]
    ) -> Iterator[Fact | Relation]:
        node = self._nodes[name]
        home, main = node.tree.path, self._files.main.tree.path
        sources = (main,) if home != main else ()
        whole = at_home(self._translation.named(node).schema, home)
        identity = fact_id(Tag.SPEC, Kind.SCHEMA, name)
        yield Fact(
            tag=Tag.SPEC,
            kind=Kind.SCHEMA,
            key=name,
            name=name,
            source=node.location,
            aspects={
                "schema": whole,
                "used_in": sorted(used.get(identity, ())),
                **described(node),
                **_outer(exampled(node, files=self._files)),
            },
            sources=sources,
        )
        for reference in references[identity]:
            yield Relation(Verb.REFERENCES, identity, reference, node.line)
        claims = dict(described_fields(node))
        examples = exampled_fields(node, self._files)
        for path, schema, required in _fields(whole, ""):
            line = schema.get("x-line", node.line)
            field = Fact(
                tag=Tag.SPEC,
                kind=Kind.FIELD,
                key=f"{name}.{path}",
                name=path,
                source=Location(schema.get("x-path", home), line, line),
                aspects={
                    "schema": schema,
                    "required": required,
                    **claims.get(path, {}),
                    **examples.get(path, {}),
                },
                sources=sources,
            )
            yield field
            yield Relation(Verb.CONTAINS, identity, field.id, line)

    def _identified(self, node: Node) -> str:
        target = self._standing_for(node)
        name = posixpath.basename(target.pointer).replace("~1", "/").replace("~0", "~")
        return fact_id(Tag.SPEC, Kind.SCHEMA, self._name(target, name or _stem(target)))

    def _standing_for(self, node: Node) -> Node:
        """What a named schema stands for: one that only names a schema of another file is that schema."""
        if node.ref is None or len(node.value) > 1:
            return node
        target = self._files.resolved(node)
        return node if target is None or target.tree is node.tree else target

    def _name(self, node: Node, wished: str) -> str:
        identity = (node.tree.path, node.pointer)
        if identity not in self._names:
            name, count = wished, 1
            while name in self._nodes:
                name = f"{_stem(node)}.{wished}" if count == 1 else f"{wished}~{count}"
                count += 1
            self._names[identity] = name
            self._nodes[name] = node
            self._queue.append(name)
        return self._names[identity]


def _outer(aspect: dict[str, Json]) -> dict[str, Json]:
    """The examples of a schema as a whole: those on its properties are the fields'."""
    found = [each for each in aspect.get("examples", ()) if "place" not in each]
    return {"examples": found} if found else {}


def _stem(node: Node) -> str:
    return posixpath.basename(node.tree.path).partition(".")[0]


def _propagated(uses: Mapping[str, set[str]], references: dict[str, list[str]]) -> dict[str, set[str]]:
    """Where each schema is used, also through the schemas that refer to it."""
    used: dict[str, set[str]] = {}
    for direction in sorted({direction for directions in uses.values() for direction in directions}):
        waiting = [name for name, directions in uses.items() if direction in directions]
        while waiting:
            name = waiting.pop()
            if direction not in used.setdefault(name, set()):
                used[name].add(direction)
                waiting.extend(references.get(name, ()))
    return used


def _fields(schema: Schema, prefix: str) -> Iterator[tuple[str, Schema, bool]]:
    """The properties of a schema and of the schemas written inside it, as `author.name` and `items[].price`."""
    required = schema.get("required", ())
    for name, inner in schema.get("properties", {}).items():
        yield f"{prefix}{name}", inner, name in required
        yield from _fields(inner, f"{prefix}{name}.")
    if isinstance(schema.get("items"), dict):
        yield from _fields(schema["items"], f"{prefix.removesuffix('.')}[].")
