"""The operations of a contract, with their parameters, bodies and responses, as facts."""

from __future__ import annotations

from collections.abc import Iterator

from graph.facts import Fact, Json, Kind, Relation, Tag, Verb, callback_key
from graph.schemas import Schema, normalise
from ingest.openapi import dialect
from ingest.openapi.answers import Answers
from ingest.openapi.claims import described
from ingest.openapi.components import Components
from ingest.openapi.examples import exampled
from ingest.openapi.files import Files
from ingest.openapi.node import Node
from ingest.openapi.security import Security
from ingest.openapi.servers import base_path, base_path_of_version_2

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_LOCATIONS = frozenset({"path", "query", "header", "cookie"})


class Operations:
    """Reads all operations; `uses` then says of the schemas that they name whether in requests or responses."""

    def __init__(self, files: Files, components: Components, security: Security, version_2: bool) -> None:
        self.uses: dict[str, set[str]] = {}
        self._files = files
        self._components = components
        self._security = security
        self._version_2 = version_2
        self._answers = Answers(files, components, version_2)
        self._keys: set[str] = set()

    def facts(self) -> Iterator[Fact | Relation]:
        """The facts of all operations and their parts, and how they relate."""
        root = self._files.main
        for path, written in root.mapping("paths").members():
            item = self._files.resolved(written)
            if item is None or not path.startswith("/"):
                continue
            # What stands beside a path item's `$ref` counts too.
            sides = [written, item] if written is not item else [item]
            for side in sides:
                for method, operation in _operations(side):
                    yield from self._operation(root, path, item, method, operation)
        for name, written in root.mapping("webhooks").members():
            yield from self._sent(root, name, written, "")

    def _operation(
        self, root: Node, path: str, item: Node, method: str, operation: Node
    ) -> Iterator[Fact | Relation]:
        base = base_path_of_version_2(root) if self._version_2 else base_path(operation, item, root)
        key = f"{method} {base}{path}"
        if key in self._keys or not isinstance(operation.value, dict):
            return
        self._keys.add(key)
        aspects, lines = self._aspects(operation)
        claims = described(operation, "summary", "description")
        whole = {
            "method": method,
            "path": f"{base}{path}",
            "base_path": base,
            **aspects,
            **self._authorization(item, operation),
            "lines": lines,
            **claims,
        }
        fact = self._fact(Kind.OPERATION, key, key, operation, whole)
        yield fact
        yield from self._parts(fact, item, operation, root)
        for _, named in operation.mapping("callbacks").members():
            holder = self._files.resolved(named)
            for expression, written in holder.members() if holder is not None else ():
                yield from self._sent(root, expression, written, key)

    def _parts(self, fact: Fact, item: Node, operation: Node, root: Node) -> Iterator[Fact | Relation]:
        parameters = self._parameters(item, operation)
        for parameter in parameters:
            yield from self._parameter(fact, parameter)
        yield from self._bodies(fact, operation, parameters, root)
        yield from self._responses(fact, operation, root)

    def _sent(self, root: Node, address: str, written: Node, owner: str) -> Iterator[Fact | Relation]:
        """The requests that the service itself sends to an address: a webhook's name, or a callback's expression."""
        item = self._files.resolved(written)
        for method, operation in _operations(item) if item is not None else ():
            if item is None or not isinstance(operation.value, dict):
                continue
            key = callback_key(method, address, self._keys)
            self._keys.add(key)
            aspects, lines = self._aspects(operation)
            known = {name: value for name, value in aspects.items() if not name.startswith("security")}
            whole = {"method": method, "path": address, "of": owner, **known, "lines": lines}
            fact = self._fact(Kind.CALLBACK, key, key, operation, whole)
            yield fact
            yield from self._parts(fact, item, operation, root)

    def _aspects(self, operation: Node) -> tuple[dict[str, Json], dict[str, int]]:
        security, stated = self._security.aspects(operation)
        tags = operation.get("tags")
        aspects: dict[str, Json] = {
            "deprecated": operation.get("deprecated") is True,
            "tags": [str(tag) for tag in tags] if isinstance(tags, list) else [],
            **security,
        }
        lines = {}
        for aspect, keyword in (
            ("operation_id", "operationId"),
            ("summary", "summary"),
            ("description", "description"),
        ):
            if isinstance(operation.get(keyword), str):
                aspects[aspect] = operation.get(keyword)
                lines[aspect] = operation.tree.line(operation.value, keyword)
        for keyword in ("x-openapi-router-controller", "x-swagger-router-controller"):
            if isinstance(operation.get(keyword), str):
                aspects["controller"] = operation.get(keyword)
        if operation.has("deprecated"):
            lines["deprecated"] = operation.tree.line(operation.value, "deprecated")
        if stated is not None and stated.tree is operation.tree:
            lines["security"] = stated.line
        return aspects, lines

    def _parameters(self, item: Node, operation: Node) -> list[Node]:
        """The parameters of an operation and its path item, `$ref`s followed; the operation's replace the item's."""
        merged: dict[tuple[str, str], Node] = {}
        for holder in (item, operation):
            for written in (holder.member("parameters") or _nothing(holder)).items():
                node = self._files.resolved(written)
                if node is not None and isinstance(node.value, dict):
                    name = str(node.get("name"))
                    where = str(node.get("in"))
                    merged[where, name.lower() if where == "header" else name] = node
        return list(merged.values())

    def _authorization(self, item: Node, operation: Node) -> dict[str, Json]:
        """What a contract says of a header `Authorization`, which is no parameter but where code asks for it as one."""
        for node in self._parameters(item, operation):
            if (
                self._version_2
                or not dialect.is_ignored(node)
                or str(node.get("name")).lower() != "authorization"
            ):
                continue
            schema, references = self._parameter_schema(node)
            stated: dict[str, Json] = {"name": node.get("name"), "required": node.get("required") is True}
            if not references:
                stated["schema"] = schema
            return {"authorization": {**stated, "line": node.line}}
        return {}

    def _parameter(self, operation: Fact, node: Node) -> Iterator[Fact | Relation]:
        where, name = node.get("in"), node.get("name")
        if not isinstance(where, str) or where not in _LOCATIONS or not isinstance(name, str):
            return
        if not self._version_2 and dialect.is_ignored(node):
            return
        schema, references = self._parameter_schema(node)
        aspects = {
            "in": where,
            "name": name,
            "required": where == "path" or node.get("required") is True,
            "schema": schema,
            "deprecated": node.get("deprecated") is True,
            "lines": {
                key: node.tree.line(node.value, key) for key in ("required", "deprecated") if node.has(key)
            },
            **described(node),
            **exampled(node, self._stated(node), files=self._files),
        }
        if isinstance(node.get("description"), str):
            aspects["description"] = node.get("description")
        key = f"{operation.key}#{where}.{name.lower() if where == 'header' else name}"
        fact = self._fact(Kind.PARAMETER, key, name, node, aspects)
        yield from self._part(operation, fact, references, "request")

    def _parameter_schema(self, node: Node) -> tuple[Schema, list[str]]:
        if self._version_2:
            return self._components.schema(dialect.inline_schema(node), node.tree.path)
        if serialised := dialect.contents(node):
            reason = f"the value is written as {serialised[0].media_type}"
            return {"x-unknown": reason, "x-line": serialised[0].place.line}, []
        return self._components.schema(node.member("schema"), node.tree.path)

    def _stated(self, node: Node) -> Node | None:
        """The schema that is written out in a node of OpenAPI 3."""
        return None if self._version_2 else node.member("schema")

    def _bodies(
        self, operation: Fact, node: Node, parameters: list[Node], root: Node
    ) -> Iterator[Fact | Relation]:
        if self._version_2:
            consumes = dialect.media_types_of_version_2("consumes", node, root)
            body = dialect.body_of_version_2(parameters, consumes)
        else:
            written = node.member("requestBody")
            holder = self._files.resolved(written) if written is not None else None
            if holder is None:
                return
            body = dialect.Body(holder.get("required") is True, dialect.contents(holder))
        for content in body.contents if body is not None else ():
            schema, references = self._body_schema(content)
            required = body is not None and body.required
            aspects = {"media_type": content.media_type, "required": required, "schema": schema}
            aspects |= exampled(content.place, content.schema, files=self._files)
            key = f"{operation.key}#{content.media_type}"
            fact = self._fact(Kind.BODY, key, content.media_type, content.place, aspects)
            yield from self._part(operation, fact, references, "request")

    def _body_schema(self, content: dialect.Content) -> tuple[Schema, list[str]]:
        home = content.place.tree.path
        if not content.fields:
            return self._components.schema(content.schema, home)
        properties: Schema = {}
        required = [str(field.get("name")) for field in content.fields if field.get("required") is True]
        references: set[str] = set()
        for field in content.fields:
            schema, named = self._components.schema(dialect.inline_schema(field), home)
            properties[str(field.get("name"))] = schema
            references.update(named)
        form = {
            "type": "object",
            "properties": properties,
            "required": required,
            "x-line": content.place.line,
        }
        return normalise(form), sorted(references)

    def _responses(self, operation: Fact, node: Node, root: Node) -> Iterator[Fact | Relation]:
        for status, written in dialect.statuses(node.mapping("responses")):
            answer = self._files.resolved(written)
            if answer is not None and not isinstance(answer.value, dict):
                continue
            told, references = self._answers.told(answer, node, root, written.tree.path)
            aspects = {"status": status, **told}
            fact = self._fact(Kind.RESPONSE, f"{operation.key}#{status}", status, written, aspects)
            yield from self._part(operation, fact, references, "response")

    def _part(
        self, operation: Fact, fact: Fact, references: list[str], direction: str
    ) -> Iterator[Fact | Relation]:
        yield fact
        yield Relation(Verb.CONTAINS, operation.id, fact.id, fact.source.line)
        for reference in references:
            self.uses.setdefault(reference, set()).add(direction)
            yield Relation(Verb.REFERENCES, fact.id, reference, fact.source.line)

    def _fact(self, kind: Kind, key: str, name: str, node: Node, aspects: dict[str, Json]) -> Fact:
        main = self._files.main.tree.path
        return Fact(
            tag=Tag.SPEC,
            kind=kind,
            key=key,
            name=name,
            source=node.location,
            aspects=aspects,
            sources=(main,) if node.tree.path != main else (),
        )


def _operations(item: Node) -> Iterator[tuple[str, Node]]:
    for name, node in item.members():
        if name in _METHODS:
            yield name.upper(), node
    for name, node in item.mapping("additionalOperations").members():
        yield name.upper(), node


def _nothing(node: Node) -> Node:
    return Node(node.tree, [], node.line, node.line, node.pointer)
