"""What a contract says of one answer: its content, its headers, its examples."""

from __future__ import annotations

from graph.facts import Json
from ingest.openapi import dialect
from ingest.openapi.claims import described
from ingest.openapi.components import Components
from ingest.openapi.examples import exampled, examples_of_version_2
from ingest.openapi.files import Files
from ingest.openapi.node import Node


class Answers:
    """Reads answers in the words of either version of OpenAPI."""

    def __init__(self, files: Files, components: Components, version_2: bool) -> None:
        self._files = files
        self._components = components
        self._version_2 = version_2

    def told(
        self, answer: Node | None, operation: Node, root: Node, home: str
    ) -> tuple[dict[str, Json], list[str]]:
        """The aspects of an answer that is used in the file `home`, and the schemas that it refers to; none where it
        could not be read."""
        if answer is None:
            return {}, []
        content, references = self._content(answer, operation, root, home)
        headers, more = self._headers(answer, home)
        aspects: dict[str, Json] = {"content": content, "headers": headers}
        if isinstance(answer.get("description"), str):
            aspects["description"] = answer.get("description")
        aspects |= described(answer)
        aspects |= self._examples(answer)
        return aspects, sorted({*references, *more})

    def _examples(self, answer: Node) -> dict[str, Json]:
        if self._version_2:
            return examples_of_version_2(answer, answer.member("schema"), self._files)
        found: list[Json] = []
        for each in dialect.contents(answer):
            told = exampled(each.place, each.schema, files=self._files, media_type=each.media_type)
            found += told.get("examples", [])
        return {"examples": found} if found else {}

    def _content(
        self, answer: Node, operation: Node, root: Node, home: str
    ) -> tuple[dict[str, Json], list[str]]:
        if not self._version_2:
            found = dialect.contents(answer)
        elif (schema := answer.member("schema")) is not None:
            produces = dialect.media_types_of_version_2("produces", operation, root)
            found = [dialect.Content(name, schema, schema) for name in produces]
        else:
            found = []
        content: dict[str, Json] = {}
        references: set[str] = set()
        for each in found:
            content[each.media_type], named = self._components.schema(each.schema, home)
            references.update(named)
        return content, sorted(references)

    def _headers(self, answer: Node, home: str) -> tuple[dict[str, Json], list[str]]:
        headers: dict[str, Json] = {}
        references: set[str] = set()
        for name, written in answer.mapping("headers").members(extensions=True):
            header = self._files.resolved(written)
            if header is None or not isinstance(header.value, dict) or name.lower() == "content-type":
                continue
            place = dialect.inline_schema(header) if self._version_2 else header.member("schema")
            schema, named = self._components.schema(place, home)
            references.update(named)
            required = header.get("required") is True
            headers[name.lower()] = {
                "name": name,
                "required": required,
                "schema": schema,
                "line": written.line,
            }
        return headers, sorted(references)
