"""Values that a contract's schemas allow, with what was given where they have such fields."""

from __future__ import annotations

from typing import Any

from crossval.compare.components import split_null
from engine.generators.values.schema_values import NoValueError, valid
from engine.twins.replies import Variant
from graph.facts import Json
from planner.contracts.envelopes import unwrapped
from planner.contracts.operations import FACT, Answer

_INNER = ("items", "anyOf", "allOf", "oneOf")


class Shaper:
    """Makes what one variant of a twin answers."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant

    def made(self, answer: Answer, given: dict[str, Any]) -> Any:
        """What an answer holds; None where it documents no content."""
        if answer.schema is None:
            return None
        place, schema = unwrapped(answer.schema)
        if not place:
            return self.shaped(answer.schema, given)
        whole = self.shaped(answer.schema, {})
        return {**whole, place: self.shaped(schema, given)} if isinstance(whole, dict) else whole

    def shaped(self, schema: dict[str, Json], given: Any) -> Any:
        """A value of this schema with what was given where it has such fields."""
        plain, _ = split_null(schema)
        try:
            value = valid(_shown(schema), whole=self._variant.optional)
        except NoValueError:
            return [] if plain.get("type") == "array" else given
        if isinstance(value, dict) and isinstance(given, dict):
            for name, each in plain.get("properties", {}).items():
                if name in given:
                    value[name] = self._within(_as_shown(given[name], each), each)
                elif split_null(each)[1]:
                    value[name] = None
                elif name in value:
                    value[name] = self._within(value[name], each)
            if not self._variant.optional:
                value = {k: v for k, v in value.items() if k in plain.get("required", ()) or k in given}
            if self._variant.extra and plain.get("additionalProperties") is not False:
                value["beside"] = "more"
        return value

    def _within(self, value: Any, schema: dict[str, Json]) -> Any:
        """What was given, with what answers have beside it in each thing of a list and each object."""
        plain = split_null(schema)[0]
        items = split_null(plain.get("items") or {})[0]
        if isinstance(value, list) and "properties" in items:
            return [self._within(each, items) for each in value]
        if not isinstance(value, dict) or "properties" not in plain:
            return value
        shaped = self.shaped(schema, value)
        return {**shaped, **value} if isinstance(shaped, dict) else value

    def open(self, answer: Answer, told: dict[str, Any]) -> Any:
        """An answer whose shape is left open, with what it has to tell in it somewhere."""
        if self._variant.extra:
            return {"beside": "more", "asked": told}
        if not self._variant.optional and (answer.schema or {}).get("type") != "object":
            return [[name, each] for name, each in told.items()]
        return told

    def with_one(self, answer: Answer) -> Any:
        """A list that nothing fills, with one item, so that it can be seen how items are; empty in one variant."""
        whole = self.made(answer, {})
        schema = split_null(answer.schema or {})[0]
        if not self._variant.optional:
            return [] if isinstance(whole, list) and "minItems" not in schema else whole
        if isinstance(whole, list):
            return whole or [self.shaped(schema.get("items", {}), {})]
        for name, each in schema.get("properties", {}).items():
            plain = split_null(each)[0]
            if plain.get("type") == "array" and isinstance(whole, dict):
                whole[name] = whole.get(name) or [self.shaped(plain.get("items", {}), {})]
                break
        return whole

    def listing(self, answer: Answer, things: list[dict[str, Any]]) -> Any:
        """An answer that lists these things: as a whole, or in its first field that is a list."""
        schema = split_null(answer.schema or {})[0]
        if schema.get("type") == "array":
            items = schema.get("items", {})
            return [self.shaped(items, each) for each in things]
        whole = self.made(answer, {})
        for name, each in schema.get("properties", {}).items():
            if split_null(each)[0].get("type") == "array":
                whole[name] = [self.shaped(split_null(each)[0].get("items", {}), thing) for thing in things]
                break
        return whole

    def headers(self, answer: Answer) -> dict[str, str]:
        """The documented headers of an answer, those that it may lack where the variant gives what is optional."""
        return {
            name: str(_value_of(header))
            for name, header in answer.headers.items()
            if header.get("required") is True or self._variant.optional
        }


def _shown(schema: Json) -> Json:
    """The schema for what is shown: what is read only is made as all else, and what has no type is some text."""
    if isinstance(schema, list):
        return [_shown(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {
        key: _shown(each) if key in _INNER else each for key, each in schema.items() if key != "readOnly"
    }
    if isinstance(schema.get("properties"), dict):
        changed["properties"] = {
            name: _shown(each) if set(each) - {FACT} else {"type": "string"}
            for name, each in schema["properties"].items()
        }
    return changed


def _as_shown(value: Any, schema: dict[str, Json]) -> Any:
    """What was given, as it is shown: a number as a text, and what names things as things, where answers have these."""
    plain = split_null(schema)[0]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and plain.get("type") == "string":
        return str(value)
    items = split_null(plain.get("items") or {})[0]
    if (
        isinstance(value, list)
        and "properties" in items
        and not all(isinstance(each, dict) for each in value)
    ):
        # Things that are made of what was told of each.
        return [valid(_shown(items), whole=True) for _ in value]
    if "properties" in plain and isinstance(value, int | str):
        return valid(_shown(plain), whole=True)
    return value


def is_list(answer: Answer) -> bool:
    """Whether an answer is a list, or has a field that is one."""
    schema = split_null(answer.schema or {})[0]
    return schema.get("type") == "array" or any(
        split_null(each)[0].get("type") == "array" for each in schema.get("properties", {}).values()
    )


def _value_of(header: dict[str, Json]) -> Json:
    try:
        return valid(header.get("schema") or {}, str(header.get("name")))
    except NoValueError:
        return "text"
