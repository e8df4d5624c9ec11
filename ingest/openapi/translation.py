"""Turns the schemas of a contract into the normal form, with ids for `$ref`s and the place of every part."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from graph.facts import Json
from graph.schemas import Schema, normalise, unknown
from ingest.openapi.files import Files
from ingest.openapi.node import Node

_MAX_INLINED = 12
_MAX_MERGED_PROPERTIES = 50_000
_ONE = ("items", "additionalProperties", "not")
_SEVERAL = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_BESIDE_REF = frozenset(
    {"$ref", "nullable", "x-nullable", "default", "readOnly", "writeOnly", "deprecated", "x-line", "x-path"}
)
_SAYS_MORE = frozenset({"additionalProperties", "patternProperties", "allOf", "anyOf", "oneOf", "$ref"})
_SAYS_NOTHING = frozenset({"title", "description", "example", "examples", "externalDocs", "xml", "$comment"})


class Normal(NamedTuple):
    """A schema in normal form and the ids of the named schemas that it refers to.

    `merged` is the number of levels of `allOf` that were merged into it.
    """

    schema: Schema
    references: frozenset[str]
    merged: int = 0


class _Notes:
    """What is learnt about a schema while it is translated."""

    def __init__(self) -> None:
        self.references: set[str] = set()
        self.merged = 0


class Translation:
    """Translates schemas; `identify` gives the id of a schema that a `$ref` names.

    References stay references. Only what `allOf` names is merged in, where one schema can say exactly the same.
    With `siblings_count` (OpenAPI 3.1), constraints beside a `$ref` hold; before, they are ignored.
    """

    def __init__(self, files: Files, identify: Callable[[Node], str], siblings_count: bool) -> None:
        self._files = files
        self._identify = identify
        self._siblings_count = siblings_count
        self._named: dict[tuple[str, str], Normal] = {}
        self._inlining: list[tuple[str, str]] = []
        self._budget = _MAX_MERGED_PROPERTIES

    def normal(self, node: Node) -> Normal:
        """The normal form of one schema; every part has `x-line` and `x-path`."""
        notes = _Notes()
        try:
            schema = normalise(self._translated(node, notes))
        except RecursionError:
            schema = unknown("the schema is nested too deeply")
        return Normal(schema, frozenset(notes.references), notes.merged)

    def named(self, node: Node) -> Normal:
        """The normal form of a schema that references name; made once."""
        identity = (node.tree.path, node.pointer)
        if identity not in self._named:
            self._named[identity] = self.normal(node)
        return self._named[identity]

    def _translated(self, node: Node, notes: _Notes) -> Json:
        value = node.value
        place = {"x-line": node.line, "x-path": node.tree.path}
        if value is True:
            return place
        if not isinstance(value, dict):
            return False if value is False else unknown("not a schema")
        schema: Schema = {**value, **place}
        if node.ref is not None:
            if not self._siblings_count:
                schema = {key: schema[key] for key in schema if key in _BESIDE_REF}
            target = self._files.target(node, node.ref)
            if target is None:
                return {**unknown(f"`$ref: {node.ref}` was not followed"), **place}
            schema["$ref"] = self._identify(target)
            notes.references.add(schema["$ref"])
        self._translate_parts(node, schema, notes)
        if any(
            isinstance(each := value.get(keyword), list) and len(each) == 1 for keyword in ("oneOf", "anyOf")
        ):
            schema.pop("discriminator", None)  # Between one there is nothing to choose.
        elif isinstance(value.get("discriminator"), dict):
            schema["discriminator"] = self._discriminator(node, value["discriminator"])
        return self._merged(node, schema, notes) if isinstance(schema.get("allOf"), list) else schema

    def _translate_parts(self, node: Node, schema: Schema, notes: _Notes) -> None:
        for keyword in _ONE:
            if isinstance(schema.get(keyword), dict) and (child := node.member(keyword)):
                schema[keyword] = self._translated(child, notes)
        for keyword in _SEVERAL:
            if isinstance(schema.get(keyword), list) and (child := node.member(keyword)):
                schema[keyword] = [self._translated(member, notes) for member in child.items()]
        if isinstance(schema.get("properties"), dict) and (child := node.member("properties")):
            schema["properties"] = {
                name: self._translated(member, notes) for name, member in child.members(extensions=True)
            }
            # Written out as empty, it tells that there are no fields, unless others are allowed in the same breath.
            if not schema["properties"] and not _SAYS_MORE & {key for key in schema if schema[key]}:
                schema["x-complete"] = True

    def _merged(self, node: Node, schema: Schema, notes: _Notes) -> Schema:
        """The schema with what its `allOf` names merged in, if one schema can say that exactly; else as it is."""
        members = [*(node.member("allOf") or node).items()]
        narrows = len(members) > 1 or not (node.value.keys() - {"allOf"} <= _BESIDE_REF | _SAYS_NOTHING)
        if not narrows:
            return schema
        if all(member.ref is None for member in members):
            return _closed_as_a_whole(schema)
        inlined = [
            self._inlined(member, translated, notes)
            for member, translated in zip(members, schema["allOf"], strict=True)
        ]
        merged = normalise(_closed_as_a_whole({**schema, "allOf": inlined}))
        if "allOf" in merged or "$ref" in merged:
            return schema
        named = [part["$ref"] for part in schema["allOf"] if isinstance(part, dict) and "$ref" in part]
        return {**merged, "x-merged": named}

    def _inlined(self, member: Node, translated: Json, notes: _Notes) -> Json:
        target = self._files.resolved(member) if member.ref is not None else None
        if target is None:
            return translated
        identity = (target.tree.path, target.pointer)
        if identity in self._inlining or len(self._inlining) >= _MAX_INLINED:
            return translated
        self._inlining.append(identity)
        try:
            base = self.named(target)
        finally:
            self._inlining.pop()
        if base.merged >= _MAX_INLINED or self._budget < len(base.schema.get("properties", ())):
            return translated
        self._budget -= len(base.schema.get("properties", ()))
        notes.merged = max(notes.merged, base.merged + 1)
        notes.references |= base.references
        # Which child a value is, the base's discriminator tells; a child itself has no choice.
        return {key: value for key, value in base.schema.items() if key != "discriminator"}

    def _discriminator(self, node: Node, value: Schema) -> Schema:
        named: Schema = {"propertyName": value.get("propertyName")}
        mapping = value.get("mapping")
        for tag, ref in mapping.items() if isinstance(mapping, dict) else ():
            if not isinstance(ref, str):
                continue
            bare = not any(sign in ref for sign in "#/.")
            target = self._files.target(node, f"#/components/schemas/{ref}" if bare else ref)
            if target is not None:
                named.setdefault("mapping", {})[tag] = self._identify(target)
        return named


def _closed_as_a_whole(schema: Schema) -> Schema:
    """The schema with what closes one of its parts closing the whole.

    Read to the letter, `additionalProperties: false` in one part of `allOf` forbids what the other parts name, so
    that nothing fits where they require it; who writes that means that there are no fields but those of any part.
    """
    parts = [schema, *schema["allOf"]]
    if not any(isinstance(part, dict) and part.get("additionalProperties") is False for part in parts):
        return schema
    own, *members = map(_opened, parts)
    return {**own, "allOf": members, "unevaluatedProperties": False}


def _opened(part: Json) -> Json:
    if not isinstance(part, dict) or part.get("additionalProperties") is not False:
        return part
    return {key: value for key, value in part.items() if key != "additionalProperties"}


def at_home(schema: Json, home: str) -> Json:
    """The same schema without the paths that say what is known: that it stands in the file `home`."""
    if isinstance(schema, dict):
        return {
            key: at_home(value, home) for key, value in schema.items() if key != "x-path" or value != home
        }
    if isinstance(schema, list):
        return [at_home(value, home) for value in schema]
    return schema
