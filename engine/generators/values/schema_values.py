"""Values for a schema: a valid one that a person would write, and ones that break exactly one of its statements."""

from __future__ import annotations

import contextlib
import copy
import math
import re
from typing import Any

from crossval.compare.components import split_null
from engine.generators.values.in_order import in_order
from engine.generators.values.texts import LONGEST, free_text, sized_text
from engine.generators.values.texts import NoValueError as NoValueError
from engine.generators.values.unmatched import unmatched
from graph.facts import Json
from planner.contracts.resolving import EXAMPLE
from planner.contracts.violations import keeps, violations

# So much that what other requests take of it is there: what fits a room of one seat is little.
_ROOM = 20
_UNLISTED = ("none-of-them", "none", "no", "x", "-")
_HOLDING = re.compile(
    r"(?i)(?:^|[_-]|(?<=[a-z])(?-i:(?=[A-Z])))(?:seats|capacity|stock|places|slots|spots|inventory|balance|budget|vacancies)$"
)
_NOT_TEXT = ("integer", "number", "boolean")
_CHECKED = ("date", "date-time", "uuid")
_DEPTH = 6
# A choice that says that it is told elsewhere what is chosen.
_FURTHER = re.compile(r"(?i)custom|others?|user[-_ ]?defined")


def valid(schema: dict[str, Json], name: str = "", *, whole: bool = False, depth: int = _DEPTH) -> Json:
    """A value that a schema without references takes, the same each time.

    Of an object only the required properties, all with `whole`; what only answers have is left out. Raises
    NoValueError where the schema does not say enough.
    """
    plain, nullable = split_null(schema)
    for key in (EXAMPLE, "default"):
        if schema.get(key) is not None and keeps(schema, schema[key]):
            return copy.deepcopy(schema[key])
    if isinstance(plain.get("enum"), list) and plain["enum"]:
        return _usual(plain["enum"])
    alternatives = plain.get("anyOf") or plain.get("oneOf")
    if isinstance(alternatives, list) and alternatives:
        return valid(
            {
                **{k: v for k, v in plain.items() if k not in ("anyOf", "oneOf")},
                **_told(plain, alternatives[0]),
            },
            name,
            depth=depth,
        )
    if isinstance(plain.get("allOf"), list):
        merged: dict[str, Json] = {}
        for part in plain["allOf"]:
            merged = {
                **merged,
                **part,
                "properties": {**merged.get("properties", {}), **part.get("properties", {})},
                "required": [*merged.get("required", ()), *part.get("required", ())],
            }
        return valid(merged, name, whole=whole, depth=depth)
    kind = plain.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    match kind or ("object" if "properties" in plain else "array" if "items" in plain else None):
        case "string":
            return free_text(plain, name)
        case "integer":
            return int(_number(plain, name, whole=True))
        case "number":
            return _number(plain, name, whole=False)
        case "boolean":
            return True
        case "array":
            return _array(plain, name, depth)
        case "object":
            return _object(plain, whole, depth)
        case "null":
            return None
    if nullable:
        return None
    raise NoValueError(f"a value for {name or 'the body'}, whose type the specs do not say")


def _told(schema: dict[str, Json], alternative: dict[str, Json]) -> dict[str, Json]:
    """One of several objects with the field that tells which one it is: it is sent, though it may have a default."""
    field = schema["discriminator"].get("propertyName") if "discriminator" in schema else None
    if field not in alternative.get("properties", {}):
        return alternative
    return {**alternative, "required": [*alternative.get("required", ()), field]}


def _usual(listed: list[Json]) -> Json:
    """The first of the values that are listed, one that asks for nothing further if there is such a one."""
    plain = (each for each in listed if not (isinstance(each, str) and _FURTHER.fullmatch(each)))
    return next(plain, listed[0])


def inside(schema: dict[str, Json], bound: str, name: str = "") -> Json:
    """The last value that a bound lets through. Raises NoValueError where none can be written."""
    plain, _ = split_null(schema)
    limit = plain[bound]
    match bound:
        case "minLength" | "maxLength":
            return sized_text(plain, name, limit)
        case "minimum" | "maximum":
            return _like(plain, limit)
        case "exclusiveMinimum":
            return _like(plain, limit + step(plain))
        case "exclusiveMaximum":
            return _like(plain, limit - step(plain))
        case "minItems" | "maxItems":
            return _items(plain, name, limit)
    raise NoValueError(f"a value at the bound {bound}")


def farther_inside(schema: dict[str, Json], bound: str, name: str = "") -> Json:
    """A value one step away from a bound that lets it through; the last one where there is no other."""
    plain, _ = split_null(schema)
    gap = 1 if "Length" in bound or "Items" in bound else step(plain)
    gap = gap if bound.startswith("min") or bound == "exclusiveMinimum" else -gap
    for limit in (plain[bound] + gap, plain[bound]):
        with contextlib.suppress(NoValueError):
            found = inside({**plain, bound: limit}, bound, name)
            if keeps(schema, found):
                return found
    raise NoValueError(f"another value at the bound {bound}")


def outside(schema: dict[str, Json], bound: str, name: str = "") -> Json:
    """The first value that a bound refuses. Raises NoValueError where none can be written."""
    plain, _ = split_null(schema)
    limit = plain[bound]
    match bound:
        case "minLength" if limit > 0:
            return sized_text({**plain, "minLength": 0}, name, limit - 1, taken=False)
        case "maxLength":
            return sized_text({**plain, "maxLength": LONGEST}, name, limit + 1, taken=False)
        case "minimum":
            return _like(plain, limit - step(plain))
        case "maximum":
            return _like(plain, limit + step(plain))
        case "exclusiveMinimum" | "exclusiveMaximum":
            return _like(plain, limit)
        case "minItems" if limit > 0:
            return _items({**plain, "minItems": 0}, name, limit - 1)
        case "maxItems":
            return _items(plain, name, limit + 1)
        case "multipleOf":
            return _between(plain, limit, name)
        case "uniqueItems":
            return _doubled(plain, name)
        case "pattern":
            taken = valid({key: each for key, each in schema.items() if key not in ("default", "enum")}, name)
            found = unmatched(plain, taken) if isinstance(taken, str) and keeps(plain, taken) else None
            if found is not None:
                return found
        case "format":
            return f"no {str(limit).replace('-', ' ')}"
    raise NoValueError(f"a value beyond the bound {bound} of {name}")


def _between(schema: dict[str, Json], multiple: float, name: str) -> Json:
    """A number that is no multiple, and within the bounds."""
    taken = valid(
        {key: each for key, each in schema.items() if key not in (EXAMPLE, "default", "enum")}, name
    )
    for gap in (1, -1) if schema.get("type") == "integer" else (multiple / 2, -multiple / 2):
        found = [each.keyword for each in violations(schema, taken + gap, "")]
        if found == ["multipleOf"]:
            return taken + gap
    raise NoValueError(f"a {name} that is no multiple of {multiple}")


def _doubled(schema: dict[str, Json], name: str) -> Json:
    """A list with one item twice, of a length that is taken."""
    one = _items({**schema, "minItems": 0}, name, 1)
    found = one * max(2, int(schema.get("minItems", 2)))
    if len(found) > schema.get("maxItems", len(found)):
        raise NoValueError(f"a list of {name} that has an item twice")
    return found


def wrong_type(schema: dict[str, Json], location: str) -> Json:
    """A value that nobody can read as one of the schema's type; what is no body is sent as text.

    Raises NoValueError where any text can be read as one.
    """
    plain, _ = split_null(schema)
    kind = plain.get("type")
    if location != "body":
        items = split_null(plain.get("items") or {})[0] if kind == "array" else plain
        if items.get("type") not in _NOT_TEXT and items.get("format") not in _CHECKED:
            raise NoValueError("a text that cannot be read as what is wanted")
        return f"not-{'a-boolean' if kind == 'boolean' else 'a-number'}"
    match kind:
        case "string":
            return {"not": "a text"}
        case "array":
            return "not a list"
        case "object":
            return "not an object"
    return f"not a {'boolean' if kind == 'boolean' else 'number'}"


def unknown_value(schema: dict[str, Json]) -> Json:
    """A value of the right type that an enumeration does not list, and no longer than what it lists where that can be.

    A column may bound the length of texts, so that a longer one is refused whatever the list is.
    """
    plain, _ = split_null(schema)
    values = plain["enum"]
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    if len(numbers) == len(values):
        return max(numbers) + 1
    longest = max((len(value) for value in values if isinstance(value, str)), default=0)
    short = (text for text in _UNLISTED if len(text) <= longest and text not in values)
    text = next(short, _UNLISTED[0])
    while text in values:
        text += "-x"
    return text


def _number(schema: dict[str, Json], name: str = "", *, whole: bool) -> float:
    low, high = schema.get("minimum"), schema.get("maximum")
    gap = 1 if whole else step(schema)
    if "exclusiveMinimum" in schema:
        low = max(schema["exclusiveMinimum"] + gap, low if low is not None else -math.inf)
    if "exclusiveMaximum" in schema:
        high = min(schema["exclusiveMaximum"] - gap, high if high is not None else math.inf)
    value: float = _ROOM if _HOLDING.search(name) else 1 if whole else 1.5
    if isinstance(schema.get("multipleOf"), int | float) and schema["multipleOf"] > 0:
        gap = schema["multipleOf"]
        value = gap * max(1, math.ceil((low or 0) / gap))
    if low is not None and value < low:
        value = low
    if high is not None and value > high:
        value = high
    return math.ceil(value) if whole else value


def step(schema: dict[str, Json]) -> float:
    """By how much a number of this schema differs from the next one that a test tries."""
    multiple = schema.get("multipleOf")
    if isinstance(multiple, int | float) and multiple > 0:
        return multiple
    return 1 if schema.get("type") == "integer" else 0.5


def _like(schema: dict[str, Json], value: float) -> float:
    if schema.get("type") == "integer":
        return int(value)
    return value


def _array(schema: dict[str, Json], name: str, depth: int) -> list[Json]:
    """A list with one thing in it; with none where one of which all may be left out would say nothing."""
    found = _items(schema, name, max(1, int(schema.get("minItems", 1))), depth) if depth else []
    return [] if found == [{}] and "minItems" not in schema else found


def _items(schema: dict[str, Json], name: str, count: int, depth: int = _DEPTH) -> list[Json]:
    if count > 1000:
        raise NoValueError(f"{count} items for {name}, which is too much for a test")
    items = schema.get("items")
    if not isinstance(items, dict):
        return ["text"] * count
    one = valid(items, name, depth=depth - 1)
    if count > 1 and isinstance(one, str) and not {"enum", "const", "format", "pattern"} & set(items):
        most = int(items.get("maxLength", len(one) + len(str(count))))
        apart = [f"{one[: most - len(str(number))]}{number}" for number in range(1, count + 1)]
        if len(set(apart)) == count and all(keeps(items, each) for each in apart):
            return [*apart]  # Few services take the same text twice, whatever the schema says.
    if count > 1 and schema.get("uniqueItems") is True:
        if isinstance(one, int) and not isinstance(one, bool) and "enum" not in items:
            return [one + number for number in range(count)]
        raise NoValueError(f"{count} different items for {name}")
    return [one] * count


def _object(schema: dict[str, Json], whole: bool, depth: int) -> Json:
    required = schema.get("required", ())
    made: dict[str, Any] = {}
    for name, each in schema.get("properties", {}).items():
        if each.get("readOnly") is True or (name not in required and not whole) or depth == 0:
            continue
        made[name] = valid(each, name, whole=whole, depth=depth - 1)
    return in_order(made, schema.get("properties", {}))
