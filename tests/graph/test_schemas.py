"""The normal form of schemas."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.facts import Json
from graph.schemas import is_unknown, normalise, nullable, union, unknown, without_places

BOOK = {"$ref": "spec:schema:Book"}
NULL = {"type": "null"}

EQUAL: list[tuple[Json, Json]] = [
    (True, {}),
    (False, {"not": {}}),
    ({"type": ["string"]}, {"type": "string"}),
    ({"type": ["string", "integer"]}, {"type": ["integer", "string"]}),
    ({"type": ["integer", "number"]}, {"type": "number"}),
    ({"type": ["string", None]}, {"type": ["null", "string"]}),
    ({"type": "string", "nullable": True}, {"type": ["null", "string"]}),
    ({"type": "string", "maxLength": 5, "nullable": True}, {"type": ["null", "string"], "maxLength": 5}),
    ({"anyOf": [{"type": "string", "maxLength": 5}, NULL]}, {"type": ["null", "string"], "maxLength": 5}),
    ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, {"type": ["integer", "string"]}),
    ({"anyOf": [NULL, BOOK]}, {"anyOf": [BOOK, NULL]}),
    ({"oneOf": [BOOK], "nullable": True}, {"anyOf": [BOOK, NULL]}),
    ({**BOOK, "nullable": True}, {"anyOf": [BOOK, NULL]}),
    ({"nullable": True}, {}),
    ({"const": "a"}, {"type": "string", "enum": ["a"]}),
    ({"const": None}, {"type": "null"}),
    ({"enum": ["b", "a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
    (
        {"type": "string", "enum": ["a"], "nullable": True},
        {"type": ["null", "string"], "enum": ["a", None]},
    ),
    ({"anyOf": [{"const": "b"}, {"enum": ["a"]}]}, {"type": "string", "enum": ["a", "b"]}),
    ({"anyOf": [{"type": "string"}, {"type": "string", "format": "uuid"}]}, {"type": "string"}),
    ({"minimum": 3, "exclusiveMinimum": True}, {"exclusiveMinimum": 3}),
    ({"minimum": 3, "exclusiveMinimum": False}, {"minimum": 3}),
    ({"minimum": 3.0, "exclusiveMinimum": 2}, {"minimum": 3}),
    ({"maximum": 3, "exclusiveMaximum": 3}, {"exclusiveMaximum": 3}),
    ({"minLength": 0, "uniqueItems": False, "required": [], "deprecated": False}, {}),
    ({"additionalProperties": True, "items": {}, "title": "T", "x-note": 1}, {}),
    ({"type": "object", "required": ["b", "a"]}, {"type": "object", "required": ["a", "b"]}),
    ({"allOf": [BOOK], "default": None}, {**BOOK, "default": None}),
    ({**BOOK, "description": "A book."}, BOOK),
    ({"type": "file"}, {"type": "string", "format": "binary"}),
    (
        {"type": "string", "contentMediaType": "application/octet-stream", "contentEncoding": "base64"},
        {"type": "string", "format": "byte"},
    ),
    (
        {"type": "string", "contentMediaType": "application/octet-stream"},
        {"type": "string", "format": "binary"},
    ),
    (
        {"allOf": [{"type": "number", "minimum": 1}, {"type": "integer", "minimum": 2}]},
        {"type": "integer", "minimum": 2},
    ),
    (
        {
            "type": "object",
            "allOf": [{"properties": {"a": {"type": "string"}}, "unevaluatedProperties": False}],
        },
        {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False},
    ),
    (
        {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"type": "object", "properties": {"a": {"maxLength": 3}, "b": {}}, "required": ["b"]},
            ]
        },
        {
            "type": "object",
            "properties": {"a": {"type": "string", "maxLength": 3}, "b": {}},
            "required": ["a", "b"],
        },
    ),
]


@pytest.mark.parametrize(("written", "normal"), EQUAL)
def test_spellings_of_one_type_are_equal(written: Json, normal: Json) -> None:
    assert normalise(written) == normal
    assert normalise(normal) == normal


@pytest.mark.parametrize(
    "schema",
    [
        {"allOf": [BOOK, {"type": "object"}]},
        {"allOf": [{"additionalProperties": False}, {"properties": {"a": {}}}]},
        {"allOf": [{"type": "integer"}, {"type": "string"}]},
        {"allOf": [{"pattern": "a"}, {"pattern": "b"}]},
        {"anyOf": [{"type": "string", "maxLength": 2}, {"type": "integer"}]},
        {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    ],
)
def test_what_cannot_be_merged_exactly_stays(schema: Json) -> None:
    assert normalise(schema) == schema


def test_null_within_an_alternative_is_found_once() -> None:
    text = {"type": "string", "maxLength": 2}
    both = union(nullable(text), nullable({"type": "integer"}))
    assert both == {"anyOf": [text, {"type": "integer"}, NULL]}


def test_what_surrounds_a_nullable_reference_stays_outside() -> None:
    assert nullable({**BOOK, "readOnly": True}) == {"anyOf": [BOOK, NULL], "readOnly": True}


def test_the_union_of_nothing_fits_nothing() -> None:
    assert union() == {"not": {}}


def test_a_schema_that_also_must_fit_the_unknown_is_unknown() -> None:
    schema = normalise({"allOf": [{"type": "object"}, unknown("remote")], "x-line": 4})
    assert is_unknown(schema)
    assert schema == {"x-unknown": "remote", "x-line": 4}
    assert not is_unknown(nullable(unknown("remote")))


def test_types_that_do_not_exist_are_unknown() -> None:
    assert normalise({"type": "float"}) == {"x-unknown": "JSON Schema has no type float"}


def test_lines_survive_and_do_not_count() -> None:
    schema = normalise(
        {"type": "object", "properties": {"a": {"type": "string", "x-line": 7, "x-path": "b.yaml"}}}
    )
    assert schema["properties"]["a"]["x-line"] == 7
    assert without_places(schema) == {"type": "object", "properties": {"a": {"type": "string"}}}
    assert normalise({"anyOf": [{**BOOK, "x-line": 1}, {**BOOK, "x-line": 2}]}) == {**BOOK, "x-line": 1}


@pytest.mark.parametrize("keyword", ["items", "not", "additionalProperties"])
def test_hostile_depth_is_unknown(keyword: str) -> None:
    schema: Json = {"type": "string"}
    for _ in range(50_000):
        schema = {keyword: schema}
    assert is_unknown(normalise(schema))


def test_hostile_depth_of_a_default_is_unknown() -> None:
    value: Json = []
    for _ in range(50_000):
        value = [value]
    assert is_unknown(normalise({"default": value}))


names = st.sampled_from(["a", "b", "c"])
types = st.sampled_from(["string", "integer", "number", "null", "object", "array", "boolean"])
values: st.SearchStrategy[Json] = st.sampled_from(["a", "b", 1, 1.5, 2.0, True, None, [], {}])
small = st.integers(-2, 4)


def grown(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": types | st.lists(types, max_size=3),
            "enum": st.lists(values, max_size=3),
            "const": values,
            "nullable": st.booleans(),
            "format": names,
            "pattern": names,
            "minimum": small,
            "exclusiveMinimum": small | st.booleans(),
            "maximum": small | st.floats(),
            "exclusiveMaximum": small | st.booleans(),
            "minLength": small,
            "required": st.lists(names),
            "properties": st.dictionaries(names, inner, max_size=2),
            "additionalProperties": inner | st.booleans(),
            "unevaluatedProperties": st.booleans(),
            "items": inner,
            "prefixItems": st.lists(inner, max_size=2),
            "allOf": st.lists(inner, max_size=3),
            "anyOf": st.lists(inner, max_size=3),
            "oneOf": st.lists(inner, max_size=3),
            "not": inner,
            "$ref": st.sampled_from(["spec:schema:A", "spec:schema:B"]),
            "default": values,
            "readOnly": st.booleans(),
            "x-line": st.integers(1, 9),
            "x-unknown": names,
        },
    )


schemas: st.SearchStrategy[Json] = st.recursive(
    st.booleans() | grown(st.just({"type": "string"})), grown, max_leaves=12
)


@given(schemas)
def test_normalising_twice_is_normalising_once(schema: Json) -> None:
    once = normalise(schema)
    assert normalise(once) == once


@given(st.lists(schemas, min_size=1, max_size=4))
def test_the_order_of_alternatives_does_not_matter(members: list[Json]) -> None:
    normal = [normalise(member) for member in members]
    assert without_places(union(*normal)) == without_places(union(*reversed(normal)))


@given(schemas)
def test_nullable_twice_is_nullable_once(schema: Json) -> None:
    once = nullable(normalise(schema))
    assert nullable(once) == once
