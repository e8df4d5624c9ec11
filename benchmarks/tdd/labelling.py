"""Says of a mutant whether it breaks its contract, by requests of its own: nothing of crossfact's generators is used.

The answers of the reference and of the mutant to the same requests are held against the contract, by `jsonschema`.
A mutant is *spec-breaking* where the reference keeps the contract and the mutant does not: an undocumented status,
content that its schema does not allow, a valid request that is refused, an invalid one that is taken. It is *seen*
where answers differ and the contract allows both; *unseen* where none differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, TypeAlias

import msgspec

Json: TypeAlias = Any
_METHODS = ("get", "post", "put", "patch", "delete")
_TYPES = {"integer": 7, "number": 7.5, "boolean": True, "null": None}
_FORMATS = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "time": "12:00:00",
    "duration": "P3D",
    "uuid": "3f2b8c1e-9d4a-4e6b-8a7c-000000000001",
    "email": "ada@example.com",
    "uri": "https://example.com/",
}


class Label(StrEnum):
    """What a mutant is, as the validator sees it."""

    SPEC = "spec-breaking"
    SEEN = "seen"
    UNSEEN = "unseen"


class Probe(msgspec.Struct, frozen=True):
    """A request, what it asks for, and whether the contract says that it is valid (None: it does not say)."""

    operation: str
    request: dict[str, Json]
    valid: bool | None


class Contract:
    """An OpenAPI document, its references followed where they are needed."""

    def __init__(self, document: dict[str, Json]) -> None:
        self.document = document

    def operations(self) -> Iterator[tuple[str, str, dict[str, Json], list[dict[str, Json]]]]:
        """Method, path, operation, and its parameters with those of the path."""
        for path, item in self.document.get("paths", {}).items():
            for method in _METHODS:
                if method in item:
                    parameters = [*item.get("parameters", ()), *item[method].get("parameters", ())]
                    yield method, path, item[method], [self.plain(each) for each in parameters]

    def plain(self, part: Json, depth: int = 12) -> Json:
        """A part with its references replaced; what holds itself ends as one that allows anything."""
        if isinstance(part, list):
            return [self.plain(each, depth) for each in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            if depth == 0:
                return {}
            found: Json = self.document
            for name in part["$ref"].removeprefix("#/").split("/"):
                found = found[name.replace("~1", "/").replace("~0", "~")]
            return self.plain(found, depth - 1)
        return {key: self.plain(each, depth - 1) for key, each in part.items()} if depth else {}


def probes(contract: Contract) -> list[Probe]:
    """Requests for every operation, twice in the contract's order: what the first round makes, the second can read."""
    once = [probe for operation in contract.operations() for probe in _of_operation(contract, *operation)]
    return [*once, *(probe for probe in once if probe.valid)]


def label(
    contract: Contract, asked: list[Probe], reference: list[Json], mutant: list[Json]
) -> tuple[Label, str]:
    """What a mutant is, and the first request that shows it."""
    seen = ""
    for probe, right, told in zip(asked, reference, mutant, strict=True):
        if right == told:
            continue
        why = fault(contract, probe, told)
        if why and not fault(contract, probe, right):
            return Label.SPEC, f"{probe.operation}: {why}"
        seen = seen or f"{probe.operation}: {right[0]} and {told[0]}"
    return (Label.SEEN, seen) if seen else (Label.UNSEEN, "")


def fault(contract: Contract, probe: Probe, told: list[Json]) -> str:
    """How an answer breaks the contract; empty where it does not."""
    status, kind, content = told
    method, _, path = probe.operation.partition(" ")
    answers = contract.plain(contract.document["paths"][path][method]["responses"])
    answer = answers.get(str(status)) or answers.get(f"{str(status)[:1]}XX") or answers.get("default")
    if answer is None:
        return f"the undocumented status {status}"
    if probe.valid is True and status >= 400 and status not in (401, 403, 404, 409):
        return f"a valid request is answered with {status}"
    if probe.valid is False and status < 400:
        return f"an invalid request is answered with {status}"
    documented = answer.get("content") or {}
    media = next((name for name in documented if "json" in name), "")
    if documented and all("json" in name for name in documented) and "json" not in str(kind):
        return "no JSON"
    if not media or not documented[media].get("schema"):
        return ""
    if "json" not in str(kind):
        return "no JSON"
    from jsonschema import Draft202012Validator

    error = next(Draft202012Validator(documented[media]["schema"]).iter_errors(content), None)
    return f"{error.message[:100]}" if error else ""


def _of_operation(
    contract: Contract, method: str, path: str, operation: dict[str, Json], parameters: list[dict[str, Json]]
) -> Iterator[Probe]:
    name = f"{method} {path}"
    body = _body(contract, operation)
    secured = bool(operation.get("security", contract.document.get("security")))
    for whole in (True, False):
        sent = _request(method, path, parameters, body, whole)
        yield Probe(name, sent, None if secured else True)
    full = _request(method, path, parameters, body, True)
    for each in parameters:
        place = {"query": "params", "header": "headers"}.get(each["in"])
        if place is None:
            continue
        if each.get("required"):
            left = {key: value for key, value in full.get(place, {}).items() if key != each["name"]}
            yield Probe(name, {**full, place: left}, False)
        for value, good in variants(each.get("schema", {})):
            if good or (each["in"] == "query" and not isinstance(value, dict | list)):
                text = str(value) if not isinstance(value, bool) else str(value).lower()
                yield Probe(name, {**full, place: {**full.get(place, {}), each["name"]: text}}, good or None)
    if body is None or "json" not in full:
        return
    for changed, good in variants(body[1]):
        yield Probe(name, {**full, "json": changed}, None if secured and good else good)


def _body(contract: Contract, operation: dict[str, Json]) -> tuple[str, dict[str, Json]] | None:
    content = contract.plain(operation.get("requestBody") or {}).get("content") or {}
    for media in sorted(content, key=lambda name: "json" not in name):
        return media, content[media].get("schema") or {}
    return None


def _request(
    method: str,
    path: str,
    parameters: list[dict[str, Json]],
    body: tuple[str, dict[str, Json]] | None,
    whole: bool,
) -> dict[str, Json]:
    sent: dict[str, Json] = {"method": method.upper()}
    for each in parameters:
        value = example(each.get("schema", {}), whole)
        if each["in"] == "path":
            path = path.replace("{" + each["name"] + "}", str(value))
            continue
        place = {"query": "params", "header": "headers", "cookie": "cookies"}[each["in"]]
        if each.get("required") or (whole and value is not None):
            text = str(value).lower() if isinstance(value, bool) else value
            sent.setdefault(place, {})[each["name"]] = text if place == "params" else str(text)
    if body is not None:
        media, schema = body
        value = example(schema, whole)
        sent["json" if "json" in media else "data"] = value
    return {**sent, "url": path}


def example(schema: dict[str, Json], whole: bool) -> Json:
    """A value that a schema allows, `whole` with what is optional."""
    for key in ("example", "const"):
        if key in schema:
            return schema[key]
    if schema.get("examples"):
        return schema["examples"][0]
    if "enum" in schema:
        return schema["enum"][0]
    if "allOf" in schema:
        merged: dict[str, Json] = {}
        for part in schema["allOf"]:
            merged = {
                **merged,
                **part,
                "properties": {**merged.get("properties", {}), **part.get("properties", {})},
            }
        return example(merged, whole)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return example(schema[key][0], whole)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if not isinstance(kind, str):
        return "abc"
    if kind == "object":
        required = schema.get("required", ())
        properties = schema.get("properties", {})
        return {name: example(each, whole) for name, each in properties.items() if whole or name in required}
    if kind == "array":
        return [example(schema.get("items", {}), whole)] * max(1, schema.get("minItems", 1))
    return _number(schema, kind) if kind in ("integer", "number") else _TYPES.get(kind, _text(schema))


def _number(schema: dict[str, Json], kind: str) -> Json:
    step = 1 if kind == "integer" else 0.5
    if "minimum" in schema or "exclusiveMinimum" in schema:
        return schema.get("minimum", schema.get("exclusiveMinimum", 0) + step)
    if "maximum" in schema or "exclusiveMaximum" in schema:
        return schema.get("maximum", schema.get("exclusiveMaximum", 0) - step)
    return _TYPES[kind]


def _text(schema: dict[str, Json]) -> str:
    text = _FORMATS.get(schema.get("format", ""), "abc")
    if "pattern" in schema:
        return str(schema["pattern"]).strip("^$")
    if "format" in schema:
        return text
    return str((text * (schema.get("minLength", 3) // 3 + 1))[: schema.get("maxLength", 400)])


def variants(schema: dict[str, Json]) -> Iterator[tuple[Json, bool]]:
    """Values beside the example: those at a bound with True, those beyond it or of another type with False."""
    for key in ("anyOf", "oneOf"):
        if key in schema:
            plain = [each for each in schema[key] if each.get("type") != "null"]
            if len(plain) == 1:
                yield from variants(plain[0])
            return
    kind = schema.get("type", "object" if "properties" in schema else "")
    step = 1 if kind == "integer" else 0.5
    for bound, good, bad in (
        ("minimum", 0, -step),
        ("maximum", 0, step),
        ("exclusiveMinimum", step, 0),
        ("exclusiveMaximum", -step, 0),
    ):
        if bound in schema:
            yield schema[bound] + bad, False
            other = schema[bound] + good
            if schema.get("minimum", other) <= other <= schema.get("maximum", other):
                yield other, True
    if kind == "string" and "pattern" not in schema and "format" not in schema and "enum" not in schema:
        if schema.get("minLength"):
            yield "x" * (schema["minLength"] - 1), False
            yield "x" * schema["minLength"], True
        if "maxLength" in schema:
            yield "x" * schema["maxLength"], True
            yield "x" * (schema["maxLength"] + 1), False
    if kind in ("integer", "number", "boolean"):
        yield "no-such-value", False
    if "enum" in schema:
        yield from ((each, True) for each in schema["enum"])
        yield "no-such-value", False
    if kind == "object":
        yield from _of_object(schema)


def _of_object(schema: dict[str, Json]) -> Iterator[tuple[Json, bool]]:
    whole = example(schema, True)
    if not isinstance(whole, dict):
        return
    for name in schema.get("required", ()):
        yield {key: value for key, value in whole.items() if key != name}, False
    for name, each in schema.get("properties", {}).items():
        for value, good in variants(each):
            yield {**whole, name: value}, good
        if each.get("type") == "string":
            yield {**whole, name: {"no": "text"}}, False
