"""One change for each kind that tools for two contracts tell apart, and why some of them are silent on purpose.

A change is a function that edits the application's own contract; those of schemas are made in requests and answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from benchmarks.drift.records import Json

Change = Callable[[Json], object]

_FORMAT = "a format that no type carries: clients see it in the contract or not"
SILENT = {
    "default removed": "the contract is silent; nothing contradicts it",
    "null removed of what may be left out": "clients send nothing or null, as they like",
    "discriminator removed": "how alternatives are told apart is no promise of its own",
    "discriminator property renamed": "the fields of the alternatives tell it, where they differ",
    "discriminator mapping renamed": "the fields of the alternatives tell it, where they differ",
    "names of keys bounded": "code takes dictionaries whole",
    "dictionary by patterns": "code takes dictionaries whole",
    "dictionary closed": "what a dictionary holds is known at run time only",
    "field needs another": "code says such things in validators, which are not read",
    "items contain": "code says such things in validators, which are not read",
    "condition": "code says such things in validators, which are not read",
    "field deprecated": "most frameworks cannot say it of a field",
    "field not deprecated": "most frameworks cannot say it of a field",
    "format removed": _FORMAT,
    "encoding spelled otherwise": "it is the same",
    "written only in requests": "it is the same",
    "shown only in answers": "it is the same",
    "not marked as shown only": "it is the same",
    "answer closed": "the framework leaves out what the model does not name",
    "integer called number": "an integer is a number",
    "shown field required": "the framework always shows it",
    "list written with pipes": "how lists are written is not compared",
    "operation's id removed": "the contract is silent; nothing contradicts it",
    "tag": "tags group pages, and promise nothing",
    "status of the framework removed": "the framework adds it by itself",
    "scopes of the scheme": "only what operations ask for is compared",
    "address of the token": "only what operations ask for is compared",
    "other scheme for the same header": "a caller sends the same",
}


def changes() -> Iterator[tuple[str, Change]]:
    """The kinds of change by name, in the order of the report."""
    for place, schema in (("request", "Item"), ("answer", "Shown")):
        for name, change in _of_schema(schema):
            yield f"{place}: {name}", change
    yield from _of_requests()
    yield from _of_answers()
    yield from _of_parameters()
    yield from _of_operations()


def _schema(contract: Json, name: str) -> Json:
    return contract["components"]["schemas"][name]


def _set(schema: str, name: str, keywords: Json) -> Change:
    """Set keywords of a field, or take them away where they are None."""

    def change(contract: Json) -> None:
        field = _schema(contract, schema)["properties"][name]
        field.update(keywords)
        for each in [key for key, value in keywords.items() if value is None]:
            field.pop(each)

    return change


def _replace(schema: str, name: str, value: Json) -> Change:
    return lambda contract: _schema(contract, schema)["properties"].update({name: value})


def _whole(schema: str, keywords: Json) -> Change:
    return lambda contract: _schema(contract, schema).update(keywords)


def _pet(schema: str, change: Callable[[Json], object]) -> Change:
    return lambda contract: change(_schema(contract, schema)["properties"]["pet"])


def _of_schema(schema: str) -> Iterator[tuple[str, Change]]:
    named, cat = partial(_set, schema, "name"), "#/components/schemas/Cat"
    dog = "#/components/schemas/Dog"
    yield "length lower", named({"maxLength": 40})
    yield "length higher", named({"maxLength": 60})
    yield "length removed", named({"maxLength": None})
    yield "value of an enumeration removed", _whole("Color", {"enum": ["red"]})
    yield "constant changed", _set("Cat", "kind", {"const": "kitten"})
    yield "constant removed", _set("Cat", "kind", {"const": None})
    yield "type of a place in a tuple", _set(schema, "place", {"prefixItems": [{"type": "integer"}] * 2})
    yield (
        "place of a tuple removed",
        _set(schema, "place", {"prefixItems": [{"type": "integer"}], "minItems": 1, "maxItems": 1}),
    )
    yield "tuple as a list", _replace(schema, "place", {"type": "array", "items": {}})
    yield (
        "type of a dictionary's values",
        _set(schema, "labels", {"additionalProperties": {"type": "string"}}),
    )
    closed = {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}
    yield "dictionary closed", _replace(schema, "labels", closed)
    yield "names of keys bounded", _set(schema, "labels", {"propertyNames": {"pattern": "^x"}})
    pattern = {
        "type": "object",
        "patternProperties": {"^x": {"type": "integer"}},
        "additionalProperties": False,
    }
    yield "dictionary by patterns", _replace(schema, "labels", pattern)
    yield "number of keys bounded", _set(schema, "labels", {"minProperties": 1})
    only = {"oneOf": [{"$ref": cat}], "discriminator": {"propertyName": "kind", "mapping": {"cat": cat}}}
    yield "alternative removed", _pet(schema, lambda pet: pet.update(only))
    yield "discriminator removed", _pet(schema, lambda pet: pet.pop("discriminator"))
    yield (
        "discriminator property renamed",
        _pet(schema, lambda pet: pet["discriminator"].update(propertyName="type")),
    )
    yield (
        "discriminator mapping renamed",
        _pet(schema, lambda pet: pet["discriminator"].update(mapping={"kitty": cat, "dog": dog})),
    )
    null = "null removed" if schema == "Shown" else "null removed of what may be left out"
    yield null, _replace(schema, "note", {"type": "string"})
    yield "null added", _replace(schema, "price", {"anyOf": [{"type": "number"}, {"type": "null"}]})
    more = {"type": "object", "required": ["extra"], "properties": {"extra": {"type": "string"}}}
    yield "part of an all-of added", _whole(schema, {"allOf": [more]})
    yield "shown by nobody" if schema == "Shown" else "written only in requests", named({"writeOnly": True})
    yield "shown only in answers" if schema == "Shown" else "sent by nobody", named({"readOnly": True})
    yield "answer closed" if schema == "Shown" else "closed", _whole(schema, {"additionalProperties": False})
    yield "field needs another", _whole(schema, {"dependentRequired": {"note": ["labels"]}})
    when = {"if": {"properties": {"note": {"const": "x"}}}, "then": {"required": ["labels"]}}
    yield "condition", _whole(schema, when)
    yield "field deprecated", named({"deprecated": True})
    yield (
        "type of one among others",
        _replace(schema, "price", {"oneOf": [{"type": "number"}, {"type": "string"}]}),
    )


def _of_requests() -> Iterator[tuple[str, Change]]:
    price, amount = partial(_set, "Item", "price"), partial(_set, "Item", "amount")
    fields: list[tuple[str, Change]] = [
        ("exclusive minimum higher", price({"exclusiveMinimum": 1})),
        ("exclusive minimum inclusive", price({"exclusiveMinimum": None, "minimum": 0})),
        ("exclusive maximum lower", price({"exclusiveMaximum": 900})),
        ("multiple changed", amount({"multipleOf": 10})),
        ("multiple removed", amount({"multipleOf": None})),
        ("maximum lower", amount({"maximum": 90})),
        ("default changed", amount({"default": 10})),
        ("default removed", amount({"default": None})),
        ("pattern changed", _set("Item", "name", {"pattern": "^[a-z0-9]+$"})),
        ("pattern removed", _set("Item", "name", {"pattern": None})),
        ("number of items lower", _set("Item", "tags", {"maxItems": 8})),
        ("items different no more", _set("Item", "codes", {"uniqueItems": None})),
        ("items different", _set("Item", "tags", {"uniqueItems": True})),
        ("type of items", _set("Item", "codes", {"items": {"type": "string"}})),
        ("items contain", _set("Item", "codes", {"contains": {"const": 1}, "default": None})),
        ("field not deprecated", _set("Item", "old", {"deprecated": None})),
        ("constant of one value", _set("Item", "fixed", {"const": "b"})),
        ("format removed", _set("Item", "raw", {"format": None})),
        ("encoding spelled otherwise", _set("Item", "raw", {"format": None, "contentEncoding": "base64"})),
    ]
    for name, change in fields:
        yield f"request: {name}", change

    def added(contract: Json) -> None:
        item = _schema(contract, "Item")
        item["properties"]["more"] = {"type": "string"}
        item["required"].append("more")

    yield "request: required field added", added


def _of_answers() -> Iterator[tuple[str, Change]]:
    def removed(contract: Json) -> None:
        shown = _schema(contract, "Shown")
        shown["properties"].pop("size")
        shown["required"].remove("size")

    yield "answer: computed field removed", removed
    yield "answer: not marked as shown only", _set("Shown", "size", {"readOnly": None})
    yield "answer: integer called number", _replace("Shown", "id", {"type": "number"})
    yield "answer: number called integer", _replace("Shown", "price", {"type": "integer", "minimum": 0})
    yield "answer: minimum higher", _set("Shown", "price", {"minimum": 1})
    yield (
        "answer: shown field required",
        lambda contract: _schema(contract, "Shown")["required"].append("note"),
    )
    yield "answer: required no more", lambda contract: _schema(contract, "Shown")["required"].remove("id")
    yield "answer: field added", _replace("Shown", "more", {"type": "string"})
    yield "answer: type of several removed", _replace("Shown", "count", {"type": "integer"})
    several = [{"type": name} for name in ("integer", "string", "boolean")]
    yield "answer: type of several added", _replace("Shown", "count", {"anyOf": several})


def _parameters(contract: Json) -> Json:
    return contract["paths"]["/items"]["get"]["parameters"]


def _parameter(contract: Json, name: str) -> Json:
    return next(each for each in _parameters(contract) if each["name"] == name)


def _of_parameters() -> Iterator[tuple[str, Change]]:
    def at(name: str, keywords: Json) -> Change:
        return lambda contract: _parameter(contract, name)["schema"].update(keywords)

    def whole(name: str, keywords: Json) -> Change:
        return lambda contract: _parameter(contract, name).update(keywords)

    def gone(name: str) -> Change:
        return lambda contract: _parameters(contract).remove(_parameter(contract, name))

    more = {"name": "more", "in": "query", "required": False, "schema": {"type": "string"}}
    number = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 9}
    listed: list[tuple[str, Change]] = [
        ("minimum higher", at("limit", {"minimum": 2})),
        ("maximum lower", at("limit", {"maximum": 90})),
        ("default changed", at("limit", {"default": 20})),
        ("default removed", lambda contract: _parameter(contract, "limit")["schema"].pop("default")),
        ("type", at("limit", {"type": "string"})),
        ("required", whole("limit", {"required": True})),
        ("required no more", whole("needed", {"required": False})),
        ("deprecated", whole("limit", {"deprecated": True})),
        ("deprecated no more", whole("gone", {"deprecated": False})),
        ("pattern", at("name", {"pattern": "^x"})),
        ("length higher", at("name", {"minLength": 3})),
        ("number of items", at("ids", {"maxItems": 4})),
        ("type of items", at("ids", {"items": {"type": "string"}})),
        ("null removed of what may be left out", whole("after", {"schema": number})),
        (
            "exclusive maximum lower",
            lambda c: _parameter(c, "after")["schema"]["anyOf"][0].update(exclusiveMaximum=8),
        ),
        ("value of an enumeration removed", whole("color", {"schema": {"type": "string", "enum": ["red"]}})),
        ("removed", gone("ids")),
        ("added", lambda contract: _parameters(contract).append(more)),
        ("header of another type", whole("x-trace", {"schema": {"type": "integer"}})),
        ("header removed", gone("x-trace")),
        ("list written with pipes", whole("ids", {"style": "pipeDelimited", "explode": False})),
    ]
    for name, change in listed:
        yield f"parameter: {name}", change


def _of_operations() -> Iterator[tuple[str, Change]]:
    def at(method: str, path: str, keywords: Json) -> Change:
        return lambda contract: contract["paths"][path][method].update(keywords)

    def body(change: Callable[[Json], object]) -> Change:
        return lambda contract: change(contract["paths"]["/items"]["post"]["requestBody"])

    def answers(change: Callable[[Json], object]) -> Change:
        return lambda contract: change(contract["paths"]["/items"]["post"]["responses"])

    def scheme(change: Callable[[Json], object]) -> Change:
        return lambda contract: change(contract["components"]["securitySchemes"])

    def flow(change: Callable[[Json], object]) -> Change:
        return scheme(lambda schemes: change(schemes["OAuth2PasswordBearer"]["flows"]["password"]))

    one = "/items/{item_id}"
    text = {"text/plain": {"schema": {"type": "string"}}}
    sent = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
    named = [{"name": "item_id", "in": "path", "required": True, "schema": {"type": "integer"}}]
    listed: list[tuple[str, Change]] = [
        ("id changed", at("get", "/items", {"operationId": "getItems"})),
        ("operation's id removed", lambda contract: contract["paths"]["/items"]["get"].pop("operationId")),
        ("tag", at("get", "/items", {"tags": ["other"]})),
        ("deprecated", at("get", "/items", {"deprecated": True})),
        ("deprecated no more", lambda contract: contract["paths"][one]["delete"].pop("deprecated")),
        ("body of another form", body(lambda sent: sent.update(content={"application/xml": {}}))),
        ("body of one form more", body(lambda sent: sent["content"].update({"application/xml": {}}))),
        ("body not required", body(lambda sent: sent.pop("required"))),
        ("body removed", lambda contract: contract["paths"]["/items"]["post"].pop("requestBody")),
        ("body added", at("delete", one, {"requestBody": sent})),
        ("answer of another form", answers(lambda answers: answers["201"].update(content=text))),
        ("success of another status", answers(lambda answers: answers.update({"200": answers.pop("201")}))),
        ("status added", answers(lambda answers: answers.update({"409": {"description": "x"}}))),
        ("status of the framework removed", answers(lambda answers: answers.pop("422"))),
        (
            "header promised",
            answers(lambda answers: answers["201"].update(headers={"X-More": {"required": True}})),
        ),
        ("credentials removed", lambda contract: contract["paths"]["/items"]["get"].pop("security")),
        ("credentials added", at("post", "/items", {"security": [{"OAuth2PasswordBearer": []}]})),
        ("scope added", at("get", "/items", {"security": [{"OAuth2PasswordBearer": ["read", "write"]}]})),
        ("scope removed", at("get", "/items", {"security": [{"OAuth2PasswordBearer": []}]})),
        ("scopes of the scheme", flow(lambda flow: flow["scopes"].pop("write"))),
        ("address of the token", flow(lambda flow: flow.update(tokenUrl="other"))),
        (
            "other scheme for the same header",
            scheme(lambda all_: all_.update(OAuth2PasswordBearer={"type": "http", "scheme": "bearer"})),
        ),
        ("removed", lambda contract: contract["paths"][one].pop("delete")),
        ("added", at_path(one, {"get": {"responses": {"200": {"description": "x"}}, "parameters": named}})),
        (
            "type in the path",
            lambda c: c["paths"][one]["delete"]["parameters"][0].update(schema={"type": "string"}),
        ),
    ]
    for name, change in listed:
        yield f"operation: {name}", change


def at_path(path: str, operations: Json) -> Change:
    """Add operations at a path."""
    return lambda contract: contract["paths"][path].update(operations)
