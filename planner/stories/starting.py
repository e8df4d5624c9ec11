"""What sentences say that a thing has at first, where nothing else is given, or after something was done with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from crossval.compare.claims import words
from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.envelopes import unwrapped
from planner.contracts.lifecycles import brought_about
from planner.contracts.operations import Operation
from planner.contracts.things import Thing
from planner.stories.behaviours import Behaviour, facts_of
from planner.stories.standing import named_in

_NEW = re.compile(
    r"\bnew(?:ly \w+)?\s+[\w-]+\s+"
    r"(?:(?:shall|will)\s+(?:be|have|start|begin|show)|is|are|has|have|starts|begins|shows)\b"
    r"|\b(?:initially|at first)\b",
    re.I,
)
_LEFT_OUT = re.compile(
    r"\bby default\b|\bdefaults?\s+to\b|\bwithout\s+(?:one|it|any)\b|\bmay\s+be\s+left\s+out\s+and\s+is\b"
    r"|\bunless\s+(?:[\w-]+\s+){0,4}?(?:said|told|given|asked|set|stated|specified|chosen|otherwise)\b"
    r"|\b(?:if|when|where)\s+(?:it\s+is\s+|it's\s+)?(?:left out|omitted|not\s+(?:given|set|told|said|specified))\b"
    r"|\b(?:if|when|where)\s+no\s+[\w`]+\s+is\s+(?:given|set|told|said|specified|sent|chosen)\b"
    r"|\b(?:if|when|where)\s+(?:nothing|none)\s+(?:else\s+)?is\s+(?:given|set|told|said|specified|sent)\b"
    r"|\bwithout\s+an?\s+`?\w+`?(?=,|\s+(?:it|an?|the)\b)"
    r"|\bwho(?:ever)?\s+(?:gives|chooses|sends|names)\s+(?:no|none)\b",
    re.I,
)
_LIMITED = re.compile(
    r"\b(?:refused|rejected|forbidden|can ?not|must not|[45]\d\d|(?:more|less|fewer) than|at (?:most|least)"
    r"|up to|within|between)\b",
    re.I,
)
"""What says that something is no value that a thing has."""
_MAKES = re.compile(r"\bmakes\s+(?:it|(?:an?|the)\s+[\w-]+)\s+(?P<value>[\w-]+)\W*$", re.I)
_CLAUSE = re.compile(r"[;:.]\s+|,\s+(?:and|but|or)\s+")
_NUMBER = r"(?P<number>-?\d+(?:\.\d+)?(?![\w.]*\d)|zero|no)"
_TELLING = (
    r"(?:\s+(?:is|are|of|to|at|as|being|defaults?\s+to|starts?\s+(?:at|with))\s+|`?\s*[:=(]\s*|`\s+is\s+)"
)


def starting(text: str, thing: Thing) -> Iterator[Behaviour]:
    """The values that a text says a new thing has, or one of which this was left out; nothing where they may be others.

    `A new account is active and its balance is 0` tells of two fields.
    """
    if _LIMITED.search(text):
        return
    required = (thing.maker.body.schema if thing.maker.body else {}).get("required", ())
    fields = {name: each for name, each in thing.shown().items() if name not in required}
    if _NEW.search(text):
        found = list(_values(text, text, fields))
    elif match := _LEFT_OUT.search(text):
        given = {name: each for name, each in fields.items() if name in thing.given()}
        clause = _clause(text, match.start())
        if re.search(r"\b(?:no|none|nothing)\b", match[0], re.I):
            clause = clause.replace(match[0], " ")  # “When no size is given” says of no size.
        found = list(_values(clause, text, given))
    else:
        return
    is_clear = len(found) == 1 or (_NEW.search(text) and len({name for name, _ in found}) == len(found))
    for field, value in found if is_clear else ():
        target = {"operation": thing.maker.key, "field": field, "value": value}
        yield Behaviour("starts", target, facts_of(thing.maker))


_ACT = r"(?P<act>[A-Za-z]+ing)(?:\s+(?:it|(?:an?|the)\s+[\w-]+))?"
_SETTING = re.compile(
    rf"{_ACT}\s+(?P<how>sets|fills in|records|clears|empties|resets)\s+(?:the\s+|its\s+)?`?(?P<field>\w+)`?",
    re.I,
)
_AFTERWARDS = re.compile(rf"(?:after|by|upon|on|once|when)\s+{_ACT}\s*,\s*(?P<rest>.+)", re.I)
_IS_NULL = re.compile(
    r"`?(?P<field>\w+)`?\s+(?:is|becomes|are)\s+(?P<not>not\s+)?(?:null|None|empty again|unset|cleared)\b"
)


def afterwards(text: str, thing: Thing, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """What a text says that an act leaves in the fields of its answer: `Closing a ticket sets `closed_at``.

    Also `After reopening, the ticket is open and `closed_at` is null`. A value of None stands for null, True in
    `filled` for any other.
    """
    text = text.strip().rstrip(".!")
    match = _SETTING.fullmatch(text) or _AFTERWARDS.fullmatch(text)
    acting = named_in(match["act"], thing, operations) if match is not None else None
    if match is None or acting is None or acting.success is None:
        return
    if acting in thing.operations() and brought_about(acting, operations) is None:
        return
    shown = split_null(unwrapped(acting.success.schema)[1] or {})[0].get("properties", {})
    told = match.groupdict()
    if told.get("field"):
        is_filled = told["how"].lower() in ("sets", "fills in", "records")
        if told["field"] in shown and split_null(shown[told["field"]])[1]:
            yield _left(acting, told["field"], None, is_filled=is_filled)
        return
    for found in _IS_NULL.finditer(told["rest"]):
        if found["field"] in shown:
            yield _left(acting, found["field"], None, is_filled=found["not"] is not None)
    listed = {name: each for name, each in shown.items() if "enum" in split_null(each)[0]}
    values = list(_values(told["rest"], text, listed))
    if len(values) == 1:
        yield _left(acting, *values[0], is_filled=False)


def _left(operation: Operation, field: str, value: Json, *, is_filled: bool) -> Behaviour:
    target: dict[str, Json] = {"operation": operation.key, "field": field, "value": value}
    return Behaviour("starts", {**target, "filled": True} if is_filled else target, facts_of(operation))


def becoming(text: str, thing: Thing, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """How a text says that a thing stands after the operation that it names: `A cancelled order is in state …`."""
    if _LIMITED.search(text) or _NEW.search(text) or _LEFT_OUT.search(text):
        return
    acting = named_in(text, thing, operations)
    if acting is None or acting in thing.operations() or acting.success is None or acting.body is not None:
        return
    shown = split_null(unwrapped(acting.success.schema)[1] or {})[0].get("properties", {})
    listed = {name: each for name, each in shown.items() if "enum" in split_null(each)[0]}
    found = [(name, value) for name, value in _values(text, text, listed) if labelled(name).search(text)]
    made = _MAKES.search(text)
    if made is not None and not found:
        said = [(name, each) for name, schema in listed.items() for each in split_null(schema)[0]["enum"]]
        found = [(name, each) for name, each in said if str(each).lower() == made["value"].lower()]
    if len(found) == 1:
        target = {"operation": acting.key, "field": found[0][0], "value": found[0][1]}
        yield Behaviour("starts", target, facts_of(acting))


def _clause(text: str, at: int) -> str:
    """The clause of a text that has this place."""
    ends = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    start = max(end for end in ends if end <= at)
    return text[start : min(end for end in ends if end > at)]


def _values(clause: str, text: str, fields: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """The fields that a clause gives a value, of which the text names the field, with it."""
    for name, schema in fields.items():
        plain = split_null(schema)[0]
        if "enum" in plain:
            yield from ((name, value) for value in _listed(clause, name, plain["enum"]))
            continue
        match plain.get("type"):
            case "boolean" if told := re.search(
                rf"\b{_written(name)}`?{_TELLING}(?P<value>true|false)\b", clause, re.I
            ):
                yield name, told["value"].lower() == "true"
            case "boolean":
                said = re.search(
                    rf"\b(?:is|are|as|be|starts|begins)\s+(?P<not>not\s+)?(?:yet\s+)?{_written(name)}\b",
                    clause,
                    re.I,
                )
                if said:
                    yield name, said["not"] is None
            case "integer" | "number":
                number = _number(clause, name)
                if number is not None:
                    yield name, number
            case "array":
                if re.search(rf"\bno\s+{_written(name)}\b", clause, re.I):
                    yield name, []
            case "string":
                if re.search(r"\b(?:is|are|be)\s+empty\b", clause, re.I) and labelled(name).search(text):
                    yield name, ""


def _number(clause: str, name: str) -> Json:
    label = _written(name)
    said = re.search(rf"(?<![\w.]){_NUMBER}\s+{label}\b", clause, re.I) or re.search(
        rf"\b{label}{_TELLING}{_NUMBER}\b", clause, re.I
    )
    if said is None:
        return None
    word = said["number"].lower()
    return 0 if word in ("zero", "no") else float(word) if "." in word else int(word)


def _listed(clause: str, name: str, values: Sequence[Json]) -> list[str]:
    """The one word of an enumeration that a clause says something is: not one that tells which thing is meant."""
    field = rf"{_written(name)}(?:\s+(?:is|of|to))?"
    telling = rf"\b(?:is(?:\s+in)?|are|as|to|be|becomes|starts|begins|{field})\s+(?:an?\s+)?[\"“'`]?"
    found = [
        value
        for value in values
        if isinstance(value, str) and re.search(rf"{telling}{re.escape(value)}\b", clause, re.I)
    ]
    return found if len(found) == 1 else []


def labelled(name: str) -> re.Pattern[str]:
    """What finds a field's name as a sentence has it."""
    return re.compile(rf"\b{_written(name)}\b", re.I)


def _written(name: str) -> str:
    """How a field's name stands in a sentence, in the singular or plural."""
    parts = words(name) or (name,)
    *first, last = parts[1:] if parts[0] == "is" and len(parts) > 1 else parts
    many = f"{last[:-1]}ies" if last.endswith("y") else f"{last}s"
    return r"[\s_-]*".join([*map(re.escape, first), f"(?:{re.escape(last)}|{re.escape(many)})"])
