"""One walk over two schemas: what it calls a difference, in which direction, and where it stays silent."""

from __future__ import annotations

import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossval.compare.components import node
from crossval.compare.keywords import Setting
from crossval.compare.schemas import SchemaComparison
from crossval.compare.sites import Site
from crossval.pairs import Direction, Pair
from graph.facts import Fact, Json, Kind, Location, Tag, Unknown
from graph.schemas import normalise

Schema = dict[str, Json]
_LINES = itertools.count(1)
OBJECT = {"type": "object"}


def schema_fact(tag: Tag, key: str, schema: Schema) -> Fact:
    path = "openapi.yaml" if tag is Tag.SPEC else "app.py"
    line = next(_LINES)
    return Fact(
        tag=tag,
        kind=Kind.SCHEMA,
        key=key,
        name=key,
        source=Location(path, line, line),
        aspects={"schema": schema},
    )


def meet(
    spec: Schema,
    code: Schema,
    flow: Direction = Direction.REQUEST,
    components: tuple[Fact, ...] = (),
    *,
    declared: bool = True,
) -> tuple[list[Pair], list[Unknown]]:
    comparison = SchemaComparison(components)
    site = Site(Kind.BODY, "POST /books", "body", "body", Setting(flow, declared))
    first, second = (
        node(schema_fact(tag, "inline", s), s) for tag, s in ((Tag.SPEC, spec), (Tag.CODE, code))
    )
    pairs, unknown = comparison.compare(site, first, second)
    inner, more = comparison.components()
    return [*pairs, *inner], [*unknown, *more]


def told(pairs: list[Pair]) -> set[str]:
    """`subject place.change stricter` of all differences, and `place missing in side` of all gaps."""
    found = set()
    for pair in pairs:
        if pair.spec_fact is None or pair.code_fact is None:
            found.add(f"{pair.place} missing in {'spec' if pair.spec_fact is None else 'code'}")
            continue
        name = f"{pair.subject} " if pair.subject.startswith("schema") else ""
        found.update(f"{name}{pair.place}.{d.change} {d.stricter}" for d in pair.differences)
    return found


def fields(required: list[str] | None = None, **properties: Schema) -> Schema:
    return {**OBJECT, "properties": properties, "required": sorted(required or [])}


TEXT = {"type": "string"}
NULL_TEXT = {"type": ["null", "string"]}
WHOLE = {"type": "integer"}
NUMBER = {"type": "number"}
REQUEST, RESPONSE = Direction.REQUEST, Direction.RESPONSE


@pytest.mark.parametrize(
    ("spec", "code", "flow", "expected"),
    [
        (TEXT, WHOLE, REQUEST, {"body.type neither"}),
        (NUMBER, WHOLE, REQUEST, {"body.type code"}),
        (NUMBER, WHOLE, RESPONSE, set()),
        (WHOLE, NUMBER, REQUEST, {"body.type spec"}),
        (NULL_TEXT, TEXT, REQUEST, {"body.nullable code"}),
        (TEXT, NULL_TEXT, RESPONSE, {"body.nullable spec"}),
        ({**TEXT, "enum": ["a", "b"]}, {**TEXT, "enum": ["a"]}, REQUEST, {"body.enum code"}),
        ({**TEXT, "enum": ["a", "b"]}, {**TEXT, "enum": ["b", "a"]}, REQUEST, set()),
        ({**TEXT, "enum": ["a"]}, {**TEXT, "enum": ["b"]}, RESPONSE, {"body.enum neither"}),
        ({**TEXT, "enum": ["a"]}, TEXT, RESPONSE, {"body.enum spec"}),
        ({**TEXT, "enum": ["a"]}, TEXT, REQUEST, {"body.enum spec"}),
        (TEXT, {**TEXT, "maxLength": 100}, REQUEST, {"body.maxLength code"}),
        (TEXT, {**TEXT, "maxLength": 100}, RESPONSE, {"body.maxLength code"}),
        ({**TEXT, "maxLength": 100}, TEXT, RESPONSE, {"body.maxLength spec"}),
        ({**TEXT, "maxLength": 100}, {**TEXT, "maxLength": 200}, RESPONSE, {"body.maxLength spec"}),
        ({**TEXT, "minLength": 1}, {**TEXT, "minLength": 2}, REQUEST, {"body.minLength code"}),
        ({**WHOLE, "minimum": 1}, {**WHOLE, "exclusiveMinimum": 0}, REQUEST, set()),
        ({**NUMBER, "minimum": 0}, {**NUMBER, "exclusiveMinimum": 0}, REQUEST, {"body.minimum code"}),
        ({**NUMBER, "maximum": 5.0}, {**NUMBER, "maximum": 5}, REQUEST, set()),
        ({**WHOLE, "multipleOf": 5}, {**WHOLE, "multipleOf": 10}, REQUEST, {"body.multipleOf code"}),
        ({**TEXT, "format": "date-time"}, {**TEXT, "format": "date"}, REQUEST, {"body.format neither"}),
        ({**TEXT, "format": "uuid"}, TEXT, REQUEST, {"body.format spec"}),
        (TEXT, {**TEXT, "format": "uuid"}, REQUEST, {"body.format code"}),
        ({**TEXT, "format": "isbn"}, TEXT, REQUEST, set()),
        ({**WHOLE, "format": "int64"}, WHOLE, REQUEST, set()),
        ({**TEXT, "format": "uuid", "minLength": 36}, {**TEXT, "format": "uuid"}, REQUEST, set()),
        ({**TEXT, "pattern": "^[0-9]+$"}, {**TEXT, "pattern": r"^\d+$"}, REQUEST, set()),
        ({**TEXT, "pattern": "^a$"}, {**TEXT, "pattern": "^b$"}, REQUEST, {"body.pattern neither"}),
        ({**WHOLE, "default": 1}, {**WHOLE, "default": 1.0}, REQUEST, set()),
        ({**WHOLE, "default": 1}, {**WHOLE, "default": 2}, REQUEST, {"body.default neither"}),
        ({**WHOLE, "default": 1}, {**WHOLE, "default": 2}, RESPONSE, {"body.default neither"}),
        ({**NULL_TEXT, "default": None}, {**NULL_TEXT, "default": "x"}, REQUEST, set()),
        (
            {"type": "array", "items": {"type": "array", "items": TEXT}},
            {"type": "array", "items": {"type": "array", "items": WHOLE}},
            REQUEST,
            {"body[][].type neither"},
        ),
    ],
)
def test_values_differ_where_one_side_admits_less(
    spec: Schema, code: Schema, flow: Direction, expected: set[str]
) -> None:
    assert told(meet(spec, code, flow)[0]) == expected


@pytest.mark.parametrize(
    ("spec", "code", "flow", "expected"),
    [
        (fields(a=TEXT), fields(), REQUEST, {"body.a missing in code"}),
        (fields(a={**TEXT, "readOnly": True}), fields(), REQUEST, set()),
        (fields(a={**TEXT, "readOnly": True}), fields(), RESPONSE, {"body.a missing in code"}),
        (fields(a={**TEXT, "writeOnly": True}), fields(), RESPONSE, set()),
        (fields(a={**TEXT, "writeOnly": True}), fields(a=TEXT), RESPONSE, {"body.a.writeOnly spec"}),
        (fields(a={**TEXT, "readOnly": True}), fields(["a"], a=TEXT), REQUEST, {"body.a.required code"}),
        (fields(), fields(a=TEXT), REQUEST, {"body.a missing in spec"}),
        (fields(), fields(a={**TEXT, "readOnly": True}), REQUEST, set()),
        (OBJECT, fields(a=TEXT), REQUEST, set()),
        (fields(["a"], a=TEXT), fields(a=TEXT), REQUEST, {"body.a.required spec"}),
        (fields(a=TEXT), fields(["a"], a=TEXT), REQUEST, {"body.a.required code"}),
        (fields(["a"], a=TEXT), fields(a=TEXT), RESPONSE, set()),
        (fields(a=TEXT), fields(["a"], a=TEXT), RESPONSE, set()),
        (
            fields(["b"], a=TEXT, b=TEXT),
            fields(["a", "b"], a=TEXT, b=TEXT),
            RESPONSE,
            {"body.a.required code"},
        ),
        (fields(a=TEXT), fields(a=NULL_TEXT), REQUEST, set()),
        (
            fields(a=TEXT),
            fields(["a"], a=NULL_TEXT),
            REQUEST,
            {"body.a.nullable spec", "body.a.required code"},
        ),
        ({**fields(a=TEXT), "additionalProperties": False}, fields(a=TEXT), RESPONSE, set()),
        (
            {**fields(a=TEXT), "additionalProperties": False},
            fields(a=TEXT),
            REQUEST,
            {"body.additionalProperties spec"},
        ),
        (
            fields(a=TEXT),
            {**fields(a=TEXT), "additionalProperties": False},
            REQUEST,
            {"body.additionalProperties code"},
        ),
        (
            {**OBJECT, "additionalProperties": TEXT},
            {**OBJECT, "additionalProperties": WHOLE},
            REQUEST,
            {"body.*.type neither"},
        ),
    ],
)
def test_fields_differ_by_direction(spec: Schema, code: Schema, flow: Direction, expected: set[str]) -> None:
    assert told(meet(spec, code, flow)[0]) == expected


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        (TEXT, {"x-unknown": "computed"}),
        ({"x-unknown": "remote"}, TEXT),
        (TEXT, {}),
        (fields(a=TEXT), OBJECT),
        (fields(a=TEXT), {**fields(), "additionalProperties": True}),
        ({"type": "array", "items": TEXT}, {"type": "array"}),
        ({"$ref": "spec:schema:Gone"}, TEXT),
        ({"allOf": [{"$ref": "spec:schema:A"}, OBJECT]}, fields(a=TEXT)),
    ],
)
def test_what_cannot_be_known_is_no_difference_but_is_noted(spec: Schema, code: Schema) -> None:
    pairs, unknown = meet(spec, code)
    assert told(pairs) == set()
    assert len(unknown) == 1


def test_a_spec_that_admits_anything_is_met_by_everything() -> None:
    pairs, unknown = meet({}, fields(a=TEXT))
    assert told(pairs) == set()
    assert unknown == []


def test_code_that_checks_by_hand_lacks_no_bounds_and_no_fields() -> None:
    spec = fields(["a"], a={**TEXT, "maxLength": 5}, b=TEXT)
    assert told(meet(spec, fields(a=TEXT), declared=False)[0]) == set()


def test_a_contract_that_names_null_elsewhere_in_requests_means_its_absence() -> None:
    other = schema_fact(Tag.SPEC, "Other", fields(note=NULL_TEXT))
    optional = fields(a=TEXT), fields(a=NULL_TEXT)
    assert told(meet(*optional, components=(other,))[0]) == set()
    asked = msgspec.structs.replace(other, aspects={**other.aspects, "used_in": ["request"]})
    assert told(meet(*optional, components=(asked,))[0]) == {"body.a.nullable spec"}


def test_a_pattern_of_the_framework_is_missed_only_where_the_contract_states_others_of_its_shape() -> None:
    code = {"type": "string", "pattern": r"^\d{0,3}$", "x-implied": ["pattern"]}
    others = schema_fact(Tag.SPEC, "Other", fields(a={"pattern": r"^\d{0,5}$"}, b={"pattern": r"^\d{0,9}$"}))
    one = schema_fact(Tag.SPEC, "One", fields(a={"pattern": r"^\d{0,5}$"}))
    assert told(meet({"type": "string"}, code)[0]) == set()
    assert told(meet({"type": "string"}, code, components=(one,))[0]) == set()
    assert told(meet({"type": "string"}, code, components=(others,))[0]) == {"body.pattern code"}


def test_a_difference_in_a_component_is_told_once_with_all_that_reach_it() -> None:
    book = schema_fact(Tag.SPEC, "Book", fields(title={**TEXT, "maxLength": 200}))
    model = schema_fact(Tag.CODE, "shop.Book", fields(title={**TEXT, "maxLength": 100}))
    comparison = SchemaComparison([book, model])
    for subject in ("POST /books", "PUT /books/{id}"):
        site = Site(Kind.BODY, subject, "body", "body", Setting(REQUEST))
        spec, code = {"$ref": book.id}, {"$ref": model.id}
        first, second = (
            node(schema_fact(Tag.SPEC, "b", spec), spec),
            node(schema_fact(Tag.CODE, "b", code), code),
        )
        comparison.compare(site, first, second)
    differing = [pair for pair in comparison.components()[0] if pair.differences]
    assert [(pair.subject, pair.place) for pair in differing] == [("schema Book", "fields.title")]
    assert differing[0].affects == ("POST /books", "PUT /books/{id}")


def test_schemas_that_refer_to_themselves_are_walked_once() -> None:
    def tree(tag: Tag, key: str, value: Schema) -> Fact:
        children = {"type": "array", "items": {"$ref": f"{tag}:schema:{key}"}}
        return schema_fact(tag, key, fields(value=value, children=children))

    components = tree(Tag.SPEC, "Tree", TEXT), tree(Tag.CODE, "app.Tree", WHOLE)
    refs = {"$ref": "spec:schema:Tree"}, {"$ref": "code:schema:app.Tree"}
    assert told(meet(*refs, components=components)[0]) == {"schema Tree fields.value.type neither"}


def test_a_long_chain_of_components_needs_no_deep_stack() -> None:
    components = []
    for tag in (Tag.SPEC, Tag.CODE):
        for number in range(3000):
            following = {"$ref": f"{tag}:schema:S{number + 1}"} if number < 2999 else TEXT
            components.append(schema_fact(tag, f"S{number}", fields(next=following)))
    refs = {"$ref": "spec:schema:S0"}, {"$ref": "code:schema:S0"}
    assert told(meet(*refs, components=tuple(components))[0]) == set()


def test_a_component_where_the_code_has_plain_text_differs_where_it_is_used() -> None:
    author = schema_fact(Tag.SPEC, "Author", fields(name=TEXT))
    pairs, _ = meet(fields(author={"$ref": author.id}), fields(author=TEXT), components=(author,))
    assert told(pairs) == {"body.author.type neither"}


def test_alternatives_are_compared_by_name_and_in_any_order() -> None:
    components = tuple(
        schema_fact(tag, key, fields(name=TEXT, kind={**TEXT, "enum": [key[-3:].lower()]}))
        for tag in (Tag.SPEC, Tag.CODE)
        for key in ("pets.Cat", "pets.Dog")
    )
    spec = {"anyOf": [{"$ref": "spec:schema:pets.Cat"}, {"$ref": "spec:schema:pets.Dog"}]}
    code = {"anyOf": [{"$ref": "code:schema:pets.Dog"}, {"$ref": "code:schema:pets.Cat"}]}
    pairs, unknown = meet(spec, code, components=components)
    assert told(pairs) == set()
    assert unknown == []


def test_a_reference_or_null_is_compared_as_the_reference() -> None:
    components = (
        schema_fact(Tag.SPEC, "Author", fields(name=TEXT)),
        schema_fact(Tag.CODE, "app.Author", fields(name=WHOLE)),
    )
    spec = fields(author={"anyOf": [{"$ref": "spec:schema:Author"}, {"type": "null"}]})
    code = fields(["author"], author={"$ref": "code:schema:app.Author"})
    assert told(meet(spec, code, RESPONSE, components)[0]) == {
        "body.author.nullable code",
        "schema Author fields.name.type neither",
    }


def test_fields_that_a_class_leaves_out_of_answers_are_not_returned() -> None:
    model = schema_fact(
        Tag.CODE, "app.User", fields(["secret"], name={**TEXT, "x-always": True}, secret=TEXT)
    )
    user = schema_fact(Tag.SPEC, "User", fields(["name"], name=TEXT))
    refs = {"$ref": user.id}, {"$ref": model.id}
    assert told(meet(*refs, RESPONSE, (user, model))[0]) == set()


def test_a_field_that_answers_may_lack_is_not_always_there() -> None:
    model = schema_fact(Tag.CODE, "app.User", fields(name=TEXT))
    user = schema_fact(Tag.SPEC, "User", fields(["name"], name=TEXT))
    refs = {"$ref": user.id}, {"$ref": model.id}
    assert told(meet(*refs, RESPONSE, (user, model))[0]) == {"schema User fields.name.required spec"}


_scalars = st.fixed_dictionaries(
    {"type": st.sampled_from(["string", "integer", "number", "boolean"])},
    optional={
        "minimum": st.integers(-3, 3),
        "maxLength": st.integers(0, 5),
        "enum": st.lists(st.sampled_from(["a", "b", 1, 2]), min_size=1, max_size=3, unique=True),
        "format": st.sampled_from(["uuid", "date", "int32"]),
        "nullable": st.booleans(),
    },
)
_schemas = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.builds(lambda items: {"type": "array", "items": items}, inner),
        st.builds(
            lambda properties, required: {
                "type": "object",
                "properties": properties,
                "required": [name for name in required if name in properties],
            },
            st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            st.lists(st.sampled_from("abc"), unique=True),
        ),
        st.builds(lambda members: {"anyOf": members}, st.lists(inner, min_size=1, max_size=3)),
    ),
    max_leaves=8,
).map(normalise)
_flows = st.sampled_from([REQUEST, RESPONSE])


@given(_schemas, _flows)
def test_a_schema_never_differs_from_itself(schema: Schema, flow: Direction) -> None:
    assert told(meet(schema, schema, flow)[0]) == set()


@given(_schemas, _schemas, _flows)
def test_comparing_twice_tells_the_same(spec: Schema, code: Schema, flow: Direction) -> None:
    assert told(meet(spec, code, flow)[0]) == told(meet(spec, code, flow)[0])


def test_named_schemas_that_both_sides_are_composed_of_are_compared_by_their_own_names() -> None:
    small, large = fields(["a"], a=TEXT, b=WHOLE), fields(["a"], a=TEXT)
    components = (schema_fact(Tag.SPEC, "Profile", small), schema_fact(Tag.CODE, "app.Profile", large))
    spec = {**fields(["a"], a=TEXT, token=TEXT, b=WHOLE), "x-merged": ["spec:schema:Profile"]}
    code = {**fields(["a"], a=TEXT, token=TEXT), "x-merged": ["code:schema:app.Profile"]}
    pairs, unknown = meet(spec, code, components=components)
    assert told(pairs) == {"fields.b missing in code"} and not unknown
    assert [pair.subject for pair in pairs if pair.code_fact is None] == ["schema Profile"]
    joined = {"allOf": [{"$ref": "spec:schema:Profile"}, {"not": {"required": ["x"]}}]}
    assert told(meet(joined, code, components=components)[0]) == {"fields.b missing in code"}


def test_fields_beside_alternatives_are_compared() -> None:
    spec = {**fields(token=TEXT), "anyOf": [fields(a=TEXT), fields(b=TEXT)]}
    code = {**fields(token=WHOLE), "anyOf": [fields(a=TEXT), fields(b=TEXT)]}
    assert "body.token.type neither" in told(meet(spec, code)[0])


def test_an_alternative_that_both_sides_write_alike_is_not_taken_for_another() -> None:
    empty = {"maxProperties": 0}
    spec, code = fields(["a"], a=TEXT, b=TEXT), fields(["a"], a=TEXT)
    pairs, _ = meet({**OBJECT, "anyOf": [empty, spec]}, {**OBJECT, "anyOf": [empty, code]})
    assert any(pair.place == "body.b" and pair.code_fact is None for pair in pairs)


def test_what_stands_beside_composed_schemas_is_compared() -> None:
    closed = {**fields(["a"], a=TEXT), "additionalProperties": False}
    components = (schema_fact(Tag.SPEC, "Profile", closed), schema_fact(Tag.CODE, "app.Profile", closed))
    spec = {"allOf": [{"$ref": "spec:schema:Profile"}, fields(token=TEXT)]}
    code = {"allOf": [{"$ref": "code:schema:app.Profile"}, fields(token=WHOLE)]}
    assert told(meet(spec, code, components=components)[0]) == {"body.token.type neither"}


def test_what_both_sides_exclude_alike_leaves_the_rest_to_be_compared() -> None:
    excluded = {"not": {"required": ["x"]}}
    assert told(meet({**TEXT, **excluded}, {**WHOLE, **excluded})[0]) == {"body.type neither"}
    other = {"not": {"required": ["y"]}}
    assert not told(meet({**TEXT, **excluded}, {**NULL_TEXT, **other, "maxLength": 3})[0])
    assert told(meet({**TEXT, **excluded}, {**WHOLE, **other})[0]) == {"body.type neither"}


def optional(schema: Schema) -> Schema:
    """What a form fits that has all of these fields or none of them."""
    return {"anyOf": [schema, {"not": {"anyOf": [{"required": ["a"]}]}}]}


def test_of_several_choices_side_by_side_each_is_compared_with_its_like() -> None:
    first, second = fields(["a"], a=TEXT), fields(["b"], b=TEXT)
    components = (
        *(schema_fact(Tag.SPEC, name, each) for name, each in (("A", fields(["a"], a=WHOLE)), ("B", second))),
        *(schema_fact(Tag.CODE, f"app.{name}", each) for name, each in (("A", first), ("B", second))),
    )
    spec = {"allOf": [optional({"$ref": f"spec:schema:{name}"}) for name in "AB"]}
    code = {"allOf": [optional({"$ref": f"code:schema:app.{name}"}) for name in "BA"]}
    pairs, unknown = meet(spec, code, components=components)
    assert told(pairs) == {"schema A fields.a.type neither"} and not unknown
    assert meet(spec, {"allOf": [*code["allOf"], optional(second)]}, components=components)[1]


def test_choices_without_names_are_told_apart_by_those_that_agree() -> None:
    spec = {"allOf": [optional(fields(["a"], a=TEXT)), optional(fields(["b"], b=TEXT))]}
    code = {"allOf": [optional(fields(["b"], b=WHOLE)), optional(fields(["a"], a=TEXT))]}
    pairs, unknown = meet(spec, code)
    assert told(pairs) == {"body.b.type neither"} and not unknown


def test_fields_that_only_one_side_has_beside_composed_schemas_are_told() -> None:
    component = fields(["a"], a=TEXT)
    components = (schema_fact(Tag.SPEC, "A", component), schema_fact(Tag.CODE, "app.A", component))
    spec = {"allOf": [optional({"$ref": "spec:schema:A"}), optional(fields(b=TEXT)), OBJECT]}
    code = {"allOf": [optional({"$ref": "code:schema:app.A"}), optional(fields(b=TEXT)), fields(c=TEXT)]}
    assert told(meet(spec, code, components=components)[0]) == {"body.c missing in spec"}
    beside = {**fields(c=TEXT), **optional({"$ref": "code:schema:app.A"})}
    alone = OBJECT | optional({"$ref": "spec:schema:A"})
    assert told(meet(alone, beside, components=components)[0]) == {"body.c missing in spec"}
