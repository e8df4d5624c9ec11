"""Assertions on what an operation answered: its status, the shape of its JSON, and what of the request comes back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crossval.compare.components import split_null
from engine.generators.source import Expression, literal, name_of
from graph.facts import Json
from planner.contracts.operations import FACT
from planner.contracts.resources import singular
from planner.generator import Assertion

_TYPES = {"string": "str", "boolean": "bool", "array": "list", "object": "dict"}
_DEPTH = 4
_BOUNDS = {"minimum": ">=", "maximum": "<=", "exclusiveMinimum": ">", "exclusiveMaximum": "<"}
_LENGTHS = {"minLength": ">=", "maxLength": "<=", "minItems": ">=", "maxItems": "<="}
_FIELD = re.compile(r"""(?P<owner>.+)(?:\[|\.get\()(?P<key>"[^"]*"|'[^']*')[\])]""")
_GIVEN, _LOOP = re.compile(r"(\w+) = "), re.compile(r"\s*for (\w+) in ")
_READ = frozenset({"date", "date-time", "uuid"})


def shape(
    schema: dict[str, Json], value: str, fact: str, depth: int = _DEPTH, indent: str = ""
) -> Iterator[Assertion]:
    """Assertions that a value, named by an expression, is as the schema says; each cites the fact that says it.

    Lines that only lead to an assertion (a loop, a condition) are assertions without a citation of their own.
    """
    plain, nullable = split_null(schema)
    told = str(schema.get(FACT, fact))
    kind = plain.get("type") if isinstance(plain.get("type"), str) else None
    if depth == 0 or not plain or (kind is None and "enum" not in plain and "properties" not in plain):
        return
    if nullable:
        yield from _perhaps(plain, value, told, depth, indent, f"{value} is not None", f"{value} is None")
        return
    yield from _own(plain, kind, value, told, indent)
    if "properties" in plain:
        yield from _properties(plain, value, told, depth, indent)
    items = plain.get("items")
    if kind == "array" and isinstance(items, dict):
        each = _item_of(value)
        inner = list(shape(items, each, told, depth - 1, f"{indent}    "))
        if inner:
            yield Assertion(f"{indent}for {each} in {value}:", (told,))
            yield from inner


def _item_of(value: str) -> str:
    """A name for one of what a value lists, which no name in the value has."""
    many = name_of(value.rpartition('["')[2].rstrip('"]') or "item")
    one = name_of(singular(many))
    return f"{one}_item" if re.match(rf"{one}\b", value) else one


def _perhaps(
    plain: dict[str, Json], value: str, fact: str, depth: int, indent: str, there: str, lacking: str
) -> Iterator[Assertion]:
    """Assertions on a value that may be lacking, with both conditions as texts; one line where one is enough."""
    inner = list(shape(plain, value, fact, depth, f"{indent}    "))
    if len(inner) == 1:
        told = inner[0].text.lstrip().removeprefix("assert ")
        yield Assertion(f"{indent}assert {lacking} or {told}", inner[0].cites)
    elif inner:
        yield Assertion(f"{indent}if {there}:", (fact,))
        yield from inner


def is_decimal(schema: dict[str, Json]) -> bool:
    """Whether a text is a number, which may be shown with more zeros later."""
    plain, pattern = split_null(schema)[0], split_null(schema)[0].get("pattern")
    if plain.get("format") == "decimal":
        return True
    if not isinstance(pattern, str):
        return False
    try:
        return all(re.search(pattern, each) for each in ("1.5", "1.50")) and not re.search(pattern, "a")
    except re.error:
        return False


def without_weaker(shaped: list[Assertion], echo: list[Assertion]) -> list[Assertion]:
    """The assertions on a shape without those on types, lengths and bounds of what is compared exactly anyhow."""
    exact = [_Place(re.split(" == | is ", each.text.removeprefix("assert "))[0]) for each in echo]
    kept: list[Assertion] = []
    below: str | None = None  # The indentation of a condition whose place is compared exactly.
    for each in shaped:
        text = each.text.lstrip()
        indent = each.text[: len(each.text) - len(text)]
        if below is not None and len(indent) > len(below):
            continue
        is_condition = any(place.is_condition(text) for place in exact)
        below = indent if is_condition else None
        if not is_condition and not any(place.is_told(text) for place in exact):
            kept.append(each)
    return _without_empty(kept)


def unshadowed(lines: list[Assertion], before: Sequence[str]) -> list[Assertion]:
    """The assertions, in whose loops nothing is called as an answer of the lines before, which is still needed."""
    taken = {match[1] for each in before if (match := _GIVEN.match(each)) is not None}
    looped = {match[1] for each in lines if (match := _LOOP.match(each.text)) is not None}
    for name in sorted(taken & looped):
        called = re.compile(rf"""(?<!["'\w.]){name}(?!["'\w])""")
        lines = [
            Assertion(called.sub(f"{name}_item", each.text), each.cites, each.inferred) for each in lines
        ]
    return lines


class _Place:
    """A field of an answer that is compared exactly, in both spellings that an expression may have."""

    def __init__(self, expression: str) -> None:
        found = _FIELD.fullmatch(expression)
        owner, key = (found["owner"], found["key"]) if found else (expression, "")
        self._spellings = (f"{owner}[{key}]", f"{owner}.get({key})") if found else (expression,)
        self._conditions = (f"{key} in {owner}", *(f"{each} is not None" for each in self._spellings))
        self._lacking = (f"{key} not in {owner}", *(f"{each} is None" for each in self._spellings))

    def is_condition(self, text: str) -> bool:
        """Whether a line is the condition that the field is there."""
        return any(text == f"if {each}:" for each in self._conditions)

    def is_told(self, text: str) -> bool:
        """Whether a line says less of the field than that it is equal to something."""
        starts = [f"assert {each} or " for each in self._lacking]
        for each in self._spellings:
            starts += [
                f"assert type({each})",
                f"assert len({each})",
                f"assert {each} ",
                f"assert UUID({each})",
            ]
            starts += [f"assert date.fromisoformat({each})", f"assert datetime.fromisoformat({each})"]
        within = "|".join(re.escape(form) for each in self._spellings for form in (each, f"len({each})"))
        return text.startswith(tuple(starts)) or bool(re.match(rf"assert \S+ <=? (?:{within}) <", text))


def _without_empty(lines: list[Assertion]) -> list[Assertion]:
    """The lines without conditions and loops in which nothing is left."""
    kept: list[Assertion] = []
    below = -1  # How far the line after this one is indented.
    for each in reversed(lines):
        depth = len(each.text) - len(each.text.lstrip())
        if not each.text.endswith(":") or below > depth:
            kept.append(each)
            below = depth
    return kept[::-1]


def equal(place: str, value: Json) -> str:
    """The expression that a place has a value, as Python programmers write it: `is True`, `is None`, else `==`."""
    if isinstance(value, Expression) and value.startswith("not "):
        return f"{place} is ({value})"
    return f"{place} {'is' if value is None or isinstance(value, bool) else '=='} {literal(value)}"


def _own(plain: dict[str, Json], kind: str | None, value: str, fact: str, indent: str) -> Iterator[Assertion]:
    if isinstance(plain.get("enum"), list):
        yield Assertion(f"{indent}assert {value} in {literal(plain['enum'])}", (fact,))
        return
    match kind:
        case "integer":
            yield Assertion(f"{indent}assert type({value}) is int", (fact,))
        case "number":
            yield Assertion(f"{indent}assert type({value}) in (int, float)", (fact,))
        case "null":
            yield Assertion(f"{indent}assert {value} is None", (fact,))
        case None:
            pass
        case "object" if plain.get("required") and plain.get("properties"):
            pass  # Its fields are looked up, which only an object allows.
        case "string" if plain.get("format") in _READ:
            pass  # Reading it shows that it is a text.
        case _:
            yield Assertion(f"{indent}assert type({value}) is {_TYPES[kind]}", (fact,))
    for measured, bounds in ((value, _BOUNDS), (f"len({value})", _LENGTHS)):
        yield from (
            Assertion(f"{indent}assert {told}", (fact,)) for told in _bounded(plain, measured, bounds)
        )
    if plain.get("format") == "date":
        yield Assertion(f"{indent}assert date.fromisoformat({value})", (fact,))
    if plain.get("format") == "date-time":
        yield Assertion(f"{indent}assert datetime.fromisoformat({value})", (fact,))
    if plain.get("format") == "uuid":
        yield Assertion(f"{indent}assert UUID({value})", (fact,))


def _bounded(plain: dict[str, Json], measured: str, bounds: dict[str, str]) -> list[str]:
    """The conditions that a number or a length is within its bounds; a low and a high one are told together."""
    known = {name: plain[name] for name in bounds if isinstance(plain.get(name), int | float)}
    low, high = [name for name in known if bounds[name][0] == ">"], [n for n in known if bounds[n][0] == "<"]
    if len(low) == len(high) == 1:
        signs = bounds[low[0]].replace(">", "<"), bounds[high[0]]
        return [f"{literal(known[low[0]])} {signs[0]} {measured} {signs[1]} {literal(known[high[0]])}"]
    return [f"{measured} {bounds[name]} {literal(each)}" for name, each in known.items()]


def _properties(
    plain: dict[str, Json], value: str, fact: str, depth: int, indent: str
) -> Iterator[Assertion]:
    shown = {name: each for name, each in plain["properties"].items() if each.get("writeOnly") is not True}
    required = [name for name in shown if name in plain.get("required", ())]
    if required:
        cites = tuple(dict.fromkeys(str(shown[name].get(FACT, fact)) for name in required))
        yield from (Assertion(f"{indent}{line}", cites) for line in _has(value, required))
    elif plain.get("type") != "object":
        yield Assertion(f"{indent}assert type({value}) is dict", (fact,))
    for name, each in shown.items():
        told, key, place = str(each.get(FACT, fact)), literal(name), f"{value}[{literal(name)}]"
        if name in required:
            yield from shape(each, place, told, depth - 1, indent)
            continue
        inner, nullable = split_null(each)
        there, lacking = f"{key} in {value}", f"{key} not in {value}"
        if nullable:
            there, lacking = f"{value}.get({key}) is not None", f"{value}.get({key}) is None"
        yield from _perhaps(inner, place, told, depth - 1, indent, there, lacking)


def _has(value: str, names: Sequence[str]) -> Iterator[str]:
    """The lines that an object has fields of these names, which tell by name what is missing."""
    if len(names) == 1:
        yield f"assert {literal(names[0])} in {value}"
        return
    yield f"missing = {{{', '.join(map(literal, names))}}} - {value}.keys()"
    yield "assert not missing"


def place_in(owner: str, name: str, value: Json = "", *, sure: bool = False, lacking: Json = None) -> str:
    """The expression for a field of an answer; one that may be missing is asked for so that it can be compared.

    `value` is what it is compared with: what is missing must not be taken for null. Where it may be left out,
    `lacking` is what that means.
    """
    if lacking is not None:
        return f"{owner}.get({literal(name)}, {literal(lacking)})"
    return f"{owner}[{literal(name)}]" if sure or value is None else f"{owner}.get({literal(name)})"


IMPORTS = {
    "date.fromisoformat": "from datetime import date",
    "datetime.fromisoformat": "from datetime import datetime",
    "UUID(": "from uuid import UUID",
}
"""What an assertion's text needs to be imported, by a part of it."""


def imports_of(assertions: list[Assertion]) -> tuple[str, ...]:
    """The import statements that assertions need, sorted."""
    text = "\n".join(assertion.text for assertion in assertions)
    found = {
        statement
        for part, statement in IMPORTS.items()
        if any(
            part in line and not (part == "date.fromisoformat" and f"datetime.{part[5:]}" in line)
            for line in text.splitlines()
        )
    }
    return tuple(sorted(found))
