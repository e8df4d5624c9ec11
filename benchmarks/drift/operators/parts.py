"""Changes to parameters, bodies, responses and fields as such: which there are, and which are required."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.drift.changes import (
    Change,
    Document,
    Operator,
    about,
    about_schema,
    drop_at,
    renamed_key,
    set_at,
)
from benchmarks.drift.contract import Contract, Part, Pointer, SchemaPlace, at
from benchmarks.drift.records import Json

_ELSEWHERE = {"query": "header", "header": "query", "cookie": "query"}
_ANSWER: Json = {"description": "It is gone for good"}


def _loose(contract: Contract) -> list[Part]:
    """The parameters that are no part of the path."""
    return [part for part in contract.parameters if not part.key.startswith("path.")]


def _parameter_removed(contract: Contract) -> Iterator[Change]:
    for part in _loose(contract):
        if part.pointer[-2] == "parameters":
            expected = about(part.operation, "parameters", *part.key.split("."))
            yield Change(f"{part.operation.subject} {part.key}", drop_at(part.pointer), expected)


def _parameter_added(contract: Contract) -> Iterator[Change]:
    new: Json = {"name": "drift_limit", "in": "query", "required": False, "schema": {"type": "integer"}}
    for operation in contract.operations:
        apply = set_at((*operation.pointer, "parameters"), [*operation.value.get("parameters", ()), new])
        expected = about(operation, "parameters", "query", "drift_limit")
        yield Change(operation.subject, apply, expected)


def _parameter_renamed(contract: Contract) -> Iterator[Change]:
    for part in _loose(contract):
        where, name = part.value["in"], part.value["name"]
        new = f"{name}_renamed" if where != "header" else f"{name}-renamed"
        expected = (
            *about(part.operation, "parameters", where, *name.split(".")),
            *about(part.operation, "parameters", where, *new.split(".")),
        )
        apply = set_at((*part.pointer, "name"), new)
        yield Change(f"{part.operation.subject} {part.key}", apply, expected)


def _parameter_moved(contract: Contract) -> Iterator[Change]:
    for part in _loose(contract):
        where, name = part.value["in"], part.value["name"]
        expected = (
            *about(part.operation, "parameters", where, *name.split(".")),
            *about(part.operation, "parameters", _ELSEWHERE[where], *name.split(".")),
        )
        apply = set_at((*part.pointer, "in"), _ELSEWHERE[where])
        yield Change(f"{part.operation.subject} {part.key}", apply, expected)


def _parameter_required_flipped(contract: Contract) -> Iterator[Change]:
    for part in _loose(contract):
        now = not part.value.get("required", False)
        expected = about(part.operation, "parameters", *part.key.split("."), aspects=["required"])
        yield Change(
            f"{part.operation.subject} {part.key}", set_at((*part.pointer, "required"), now), expected
        )


def _body_removed(contract: Contract) -> Iterator[Change]:
    for part in contract.bodies:
        apply = drop_at((*part.operation.pointer, "requestBody"))
        yield Change(part.operation.subject, apply, about(part.operation, "body"))


def _body_added(contract: Contract) -> Iterator[Change]:
    schema: Json = {"type": "object", "properties": {"drift": {"type": "string"}}, "required": ["drift"]}
    new: Json = {"required": True, "content": {"application/json": {"schema": schema}}}
    for operation in contract.operations:
        if operation.method in ("post", "put", "patch") and "requestBody" not in operation.value:
            apply = set_at((*operation.pointer, "requestBody"), new)
            yield Change(operation.subject, apply, about(operation, "body"))


def _body_required_flipped(contract: Contract) -> Iterator[Change]:
    for part in contract.bodies:
        apply = set_at((*part.pointer, "required"), not part.value.get("required", False))
        yield Change(part.operation.subject, apply, about(part.operation, "body", aspects=["required"]))


def _media_type_changed(contract: Contract) -> Iterator[Change]:
    for part in (*contract.bodies, *contract.responses):
        segments = ("body",) if part.key == "body" else ("responses", part.key)
        for media_type in part.value.get("content", {}):

            def apply(document: Document, part: Part = part, media_type: str = media_type) -> None:
                renamed_key(at(document, (*part.pointer, "content")), media_type, "application/xml")

            expected = about(part.operation, *segments, aspects=["content"])
            yield Change(f"{part.operation.subject} {part.key} {media_type}", apply, expected)


def _success_status_changed(contract: Contract) -> Iterator[Change]:
    for operation in contract.operations:
        answers = operation.value.get("responses", {})
        successes = [status for status in answers if status.startswith("2")]
        if len(successes) != 1:
            continue
        (old,) = successes
        new = "202" if old == "201" else "201"

        def apply(
            document: Document, old: str = old, new: str = new, place: Pointer = operation.pointer
        ) -> None:
            renamed_key(at(document, place)["responses"], old, new)

        yield Change(
            operation.subject,
            apply,
            (*about(operation, "responses", old), *about(operation, "responses", new)),
        )


def _response_removed(contract: Contract) -> Iterator[Change]:
    for part in contract.responses:
        if len(part.operation.value["responses"]) > 1:
            apply = drop_at((*part.operation.pointer, "responses", part.key))
            yield Change(
                f"{part.operation.subject} {part.key}", apply, about(part.operation, "responses", part.key)
            )


def _response_added(contract: Contract) -> Iterator[Change]:
    for operation in contract.operations:
        if (
            "410" not in operation.value.get("responses", {})
            and "default" not in operation.value["responses"]
        ):
            apply = set_at((*operation.pointer, "responses", "410"), _ANSWER)
            yield Change(operation.subject, apply, about(operation, "responses", "410"))


def _objects(contract: Contract) -> list[SchemaPlace]:
    return [place for place in contract.schemas if isinstance(place.schema.get("properties"), dict)]


def _field_added(contract: Contract) -> Iterator[Change]:
    for place in _objects(contract):
        apply = set_at((*place.pointer, "properties", "drift_note"), {"type": "string"})
        yield Change(place.text, apply, about_schema(place, name="drift_note"))


def _field_removed(contract: Contract) -> Iterator[Change]:
    for place in _objects(contract):
        for name in place.schema["properties"]:

            def apply(document: Document, place: SchemaPlace = place, name: str = name) -> None:
                owner = at(document, place.pointer)
                del owner["properties"][name]
                if name in owner.get("required", ()):
                    owner["required"].remove(name)

            yield Change(f"{place.text} {name}", apply, about_schema(place, name=name))


def _field_renamed(contract: Contract) -> Iterator[Change]:
    for place in _objects(contract):
        for name in place.schema["properties"]:
            new = f"{name}_renamed"

            def apply(
                document: Document, place: SchemaPlace = place, name: str = name, new: str = new
            ) -> None:
                owner = at(document, place.pointer)
                renamed_key(owner["properties"], name, new)
                owner["required"] = [new if each == name else each for each in owner.get("required", ())]

            expected = (*about_schema(place, name=name), *about_schema(place, name=new))
            yield Change(f"{place.text} {name}", apply, expected)


def _field_required_flipped(contract: Contract) -> Iterator[Change]:
    for place in _objects(contract):
        for name in place.schema["properties"]:
            before = place.schema.get("required", [])
            after = [each for each in before if each != name] if name in before else [*before, name]
            apply = set_at((*place.pointer, "required"), after)
            yield Change(f"{place.text} {name}", apply, about_schema(place, "required", name=name))


OPERATORS = (
    Operator("parameter-removed", _parameter_removed),
    Operator("parameter-added", _parameter_added),
    Operator("parameter-renamed", _parameter_renamed),
    Operator("parameter-moved", _parameter_moved),
    Operator("parameter-required-flipped", _parameter_required_flipped),
    Operator("body-removed", _body_removed),
    Operator("body-added", _body_added),
    Operator("body-required-flipped", _body_required_flipped),
    Operator("media-type-changed", _media_type_changed),
    Operator("success-status-changed", _success_status_changed),
    Operator("response-removed", _response_removed),
    Operator("response-added", _response_added),
    Operator("field-added", _field_added),
    Operator("field-removed", _field_removed),
    Operator("field-renamed", _field_renamed),
    Operator("field-required-flipped", _field_required_flipped),
)
