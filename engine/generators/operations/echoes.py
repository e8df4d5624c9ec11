"""Assertions on what of a request comes back in an answer, and on what must not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crossval.compare.components import split_null
from engine.generators.operations.answers import equal, place_in
from engine.generators.source import Expression, literal
from engine.generators.values.named_texts import is_computed
from graph.facts import Json
from planner.contracts.confidential import is_credential, unshown_secrets
from planner.contracts.kinds import kind_of
from planner.contracts.operations import FACT
from planner.generator import Assertion

_SHOWN_AS = {"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)}
_TIME = re.compile(r"\d\d:\d\d:00")
_EXCHANGED = frozenset(
    {"date-time", "time", "duration", "email", "uri", "url", "decimal", "password", "byte", "binary"}
)


def echoed(
    sent: Json, schema: dict[str, Json], value: str, fact: str, *, shaped: bool = True
) -> Iterator[Assertion]:
    """What was sent comes back where the answer has such a field: inferred. One not `shaped` before may be missing."""
    plain = split_null(schema)[0]
    if not isinstance(sent, dict):
        return
    for name, given in sent.items():
        field = plain.get("properties", {}).get(name)
        if not isinstance(field, dict) or is_credential(name):
            continue
        if is_computed(name) and not _is_time_of_day(given, field):
            continue
        is_sure = name in plain.get("required", ())
        place = place_in(value, name, given, sure=is_sure and (shaped or isinstance(given, dict)))
        told = str(field.get(FACT, fact))
        if isinstance(given, dict) and "properties" in split_null(field)[0]:
            if is_sure:
                yield from echoed(given, field, place, told, shaped=shaped)
        elif isinstance(given, list) and is_sure and shaped:
            yield from _items_echoed(given, split_null(field)[0], place, told)
        elif _comes_back(given, split_null(field)[0]):
            yield Assertion(f"assert {equal(place, given)}", (told,), inferred=True)
        elif is_sure and shaped and _is_time_of_day(given, field):
            # Seconds and zones have several spellings, the hour and the minute have one.
            yield Assertion(f"assert {place}[:5] == {literal(str(given)[:5])}", (told,), inferred=True)


def _items_echoed(given: list[Json], field: dict[str, Json], place: str, fact: str) -> Iterator[Assertion]:
    """That a list comes back as it was sent: as a whole, or in each field that its one object was sent with.

    A number of its own may be given to such an object, so that only one which names another thing is looked for.
    """
    items = split_null(field.get("items") or {})[0]
    if _comes_back(given, field):
        yield Assertion(f"assert {equal(place, given)}", (fact,), inferred=True)
    if len(given) != 1 or not isinstance(given[0], dict):
        return
    for name, each in given[0].items():
        shown = items.get("properties", {}).get(name)
        is_own = name in ("id", "uuid") and not isinstance(each, Expression)
        if not isinstance(shown, dict) or name not in items.get("required", ()) or is_own:
            continue
        if _comes_back(each, split_null(shown)[0]) and not is_computed(name) and not is_credential(name):
            listed = f"[each[{literal(name)}] for each in {place}]"
            told = str(shown.get(FACT, fact))
            yield Assertion(f"assert {listed} == [{literal(each)}]", (told,), inferred=True)


def _is_time_of_day(given: Json, field: dict[str, Json]) -> bool:
    told, may_be_null = split_null(field)
    return not may_be_null and told.get("format") == "time" and _TIME.match(str(given)) is not None


def _comes_back(given: Json, field: dict[str, Json]) -> bool:
    """Whether a value is shown as it was sent: a plain one in no format that has several spellings, a list of such."""
    if isinstance(given, list):
        items = split_null(field.get("items") or {})[0]
        is_set = field.get("uniqueItems") is True
        return bool(given) and not is_set and all(_comes_back(each, items) for each in given)
    kinds = kind_of(field)
    is_other = isinstance(kinds, str) and type(given) not in (*_SHOWN_AS.get(kinds, ()), Expression)
    if is_other or kinds == "object":
        return False  # It is shown as something else: a number as a text, a name as the thing of that name.
    return isinstance(given, str | int | float) and str(field.get("format")) not in _EXCHANGED


def unshown(sent: Json, schema: dict[str, Json], value: str, fact: str) -> Iterator[Assertion]:
    """Assertions that a secret which was sent is not told where the answer is not said to have it: inferred."""
    plain, _ = split_null(schema)
    if not isinstance(sent, dict) or not isinstance(plain.get("properties"), dict):
        return
    for name in unshown_secrets(sent, plain["properties"]):
        yield Assertion(f"assert {literal(name)} not in {value}", (fact,), inferred=True)
