"""The bodies that steps of scenarios tell: which field each value is for, by its words, or as the only one it fits."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Sequence

import msgspec

from crossval.compare.claims import words as words_of
from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.operations import Operation
from planner.contracts.resources import singular
from planner.contracts.things import TITLES
from planner.contracts.verbs import stem
from planner.contracts.violations import keeps, violations
from planner.stories.scenarios import UnclearStep
from planner.stories.step_words import FILLERS, Token, choices

_SPOKEN_BY = {"cost": ("price", "cost", "amount"), "last": ("duration", "length", "minutes", "hours", "days")}
_OF_KIND = frozenset({"type", "enum", "format"})
"""The statements of a schema that say of which kind a value is."""
_FORMS = frozenset({"enum", "format", "pattern"})
_COUNTING = frozenset({"count", "number", "amount", "quantity", "total", "value", "no"})
_LEADING = frozenset({"as", "after", "because", "via", "using"})
"""Words in front of a value that say nothing beside what its field does."""
_LONGEST = 4
_MONEY = frozenset({"cents", "dollars", "euros", "pounds", "francs", "pence", "times"})
_NAMING = frozenset({"named", "called", "titled"})


class Told(msgspec.Struct, frozen=True):
    """The body that a step tells, the words that name its fields, and the required fields of which it says nothing."""

    body: Json
    words: set[str]
    lacking: tuple[str, ...]


def with_choices(operation: Operation, tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a step, in which a word that is one of the choices of one field alone is a value: `by express`."""
    fields = _fields(split_null(operation.body.schema)[0] if operation.body is not None else {})
    named = {word for name in fields for word in words_of(name)}
    found: list[Token] = []
    for token in tokens:
        owners = {
            (name, value)
            for name, each in fields.items()
            for value in choices(each)
            if isinstance(value, str) and value.lower() == token.text
        }
        is_choice = len(owners) == 1 and not token.is_value and token.text not in named
        found.append(Token(token.text, next(iter(owners))[1]) if is_choice else token)
    return found


def fields_told(operation: Operation, step: str) -> set[str]:
    """The words of fields that a step says are sent, without a value: `with a reason`."""
    names = {word for each in operation.members() if each.location == "body" for word in words_of(each.name)}
    return {each for each in re.findall(r"\bwith\s+an?\s+([a-z]+)\b", step.lower()) if each in names}


def body_of(operation: Operation, tokens: Sequence[Token], step: str, naming: Collection[str] = ()) -> Told:
    """The body with the values of a step in their fields, but for those that name other things. Raises UnclearStep."""
    schema = split_null(operation.body.schema)[0] if operation.body is not None else {}
    every = _fields(schema)
    fields = {name: each for name, each in every.items() if name not in naming}
    required = [name for name in schema.get("required", ()) if name in fields]
    body: dict[str, Json] = {}
    named: set[str] = set()
    guessed = False
    placed: dict[str, int] = {}
    values = [at for at, each in enumerate(tokens) if each.is_value]
    for at in sorted(values, key=lambda at: not _named_by(fields, tokens, at)):
        token = tokens[at]
        free = {name: each for name, each in fields.items() if name not in body and _takes(each, token.value)}
        told = _named_by(free, tokens, at)
        verb = tokens[at - 1].text if at else ""
        spoken = [name for name in free if _speaks_of(verb, name)]
        spoken = spoken or (_title(free) if verb in _NAMING else [])
        fitting = told or spoken or _fitting(free, required, token.value)
        if len(fitting) > 1 and _is_only_text(tokens, at):
            fitting = _title({name: free[name] for name in fitting}) or fitting
        if len(fitting) != 1:
            raise UnclearStep(f"the field for {token.text} in “{step}”")
        unit = _unit(tokens, at)
        named |= {*words_of(fitting[0]), *unit} if told else {verb} if spoken else set()
        named |= {verb} & _LEADING
        if not told and _is_counted(unit, fitting[0], free):
            named |= set(unit)
        guessed = guessed or not (told or spoken or fitting[0] in required or "enum" in fields[fitting[0]])
        placed[fitting[0]] = at
        body[fitting[0]] = int(token.value) if fields[fitting[0]].get("type") == "integer" else token.value
    body = {name: body[name] for name in sorted(body, key=placed.__getitem__)}
    lacking = tuple(name for name in schema.get("required", ()) if name in every and name not in body)
    if lacking and guessed:
        raise UnclearStep(f"the {lacking[0]} in “{step}”")
    sent = body if operation.body is not None and (body or operation.body.required) else None
    return Told(sent, named, lacking)


def _named_by(free: dict[str, dict[str, Json]], tokens: Sequence[Token], at: int) -> list[str]:
    """The fields that the words around a value name, most surely of all."""
    unit = _unit(tokens, at)
    beside = {
        name: how
        for name, each in free.items()
        if _takes(each, tokens[at].value)
        and (how := _is_beside([*words_of(name)], tokens, at) or int(_is_unit(unit, name)))
    }
    return [name for name, how in beside.items() if how == max(beside.values())]


def _title(free: dict[str, dict[str, Json]]) -> list[str]:
    """The free field that says in words what something is, as a list of one; else an empty one."""
    texts = [name for name, each in free.items() if each.get("type") == "string" and not _FORMS & set(each)]
    return [name for name in TITLES if name in texts][:1]


def _is_only_text(tokens: Sequence[Token], at: int) -> bool:
    """Whether a value is a text, and the only one of its step."""
    return [token for token in tokens if isinstance(token.value, str)] == [tokens[at]]


def field_for(operation: Operation, token: Token, step: str) -> str | None:
    """The field of a body that takes a value alone; None where none or several may."""
    schema = split_null(operation.body.schema)[0] if operation.body is not None else {}
    free = {name: each for name, each in _fields(schema).items() if _takes(each, token.value)}
    fitting = _fitting(free, schema.get("required", ()), token.value)
    return fitting[0] if len(fitting) == 1 else None


def _fields(schema: dict[str, Json]) -> dict[str, dict[str, Json]]:
    return {
        name: split_null(each)[0]
        for name, each in schema.get("properties", {}).items()
        if each.get("readOnly") is not True
    }


def _fitting(free: dict[str, dict[str, Json]], required: Sequence[str], value: Json) -> list[str]:
    """The fields that a value may be for which no word names: choices first, then patterns, then what is required."""
    patterned = [name for name, each in free.items() if "pattern" in each and keeps(each, value)]
    return (
        [name for name in free if "enum" in free[name]]
        or (patterned if len(patterned) == 1 else [])
        or [name for name in required if name in free]
        or list(free)
    )


def _speaks_of(verb: str, name: str) -> bool:
    """Whether a verb tells the value of a field: `weighs 3` of a weight, `costs 4.50` of a price."""
    if verb in FILLERS or len(verb) < 4:
        return False
    last = words_of(name)[-1] if words_of(name) else ""
    return last in _SPOKEN_BY.get(stem(verb), ()) or (len(last) > 4 and last.startswith(stem(verb)))


def _is_beside(field: list[str], tokens: Sequence[Token], at: int) -> int:
    """How surely the words of a field name a value, from 4: right in front of it (`amount 5`) surest, then `an amount
    of 5`, then behind (`3 copies`); 0 where they do not.
    """
    if not field:
        return 0
    field = [*map(singular, field)]
    before = [singular(each.text) for each in tokens[max(0, at - len(field)) : at] if not each.is_value]
    telling = [singular(each.text) for each in tokens[:at] if not each.is_value and each.text not in FILLERS]
    after = [singular(each.text) for each in tokens[at + 1 : at + 1 + len(field)] if not each.is_value]
    is_behind = not isinstance(tokens[at].value, str) and after == field and field[0] not in FILLERS
    return 4 if before == field else 3 if telling[-len(field) :] == field else 2 * int(is_behind)


def _unit(tokens: Sequence[Token], at: int) -> list[str]:
    """The words right behind a number, up to the next value or preposition: `percent of water`; else none."""
    if isinstance(tokens[at].value, str):
        return []
    behind = itertools.takewhile(
        lambda each: not each.is_value and (each.text == "of" or each.text not in FILLERS), tokens[at + 1 :]
    )
    words = [each.text for each in behind][:_LONGEST]
    while words[-1:] == ["of"]:
        words.pop()
    return words


def _is_unit(unit: Sequence[str], name: str) -> bool:
    """Whether words behind a number name a field in part: `120 litres` of `capacity_litres`, `14 days of waiting`."""
    if not unit:
        return False
    words = {singular(each) for each in unit} - {"of"}
    field = {singular(each) for each in words_of(name)} - _COUNTING
    return bool(field) and (field <= words or words <= field)


def _is_counted(unit: Sequence[str], name: str, free: dict[str, dict[str, Json]]) -> bool:
    """Whether words behind a number say what a field counts that alone takes numbers: `44 mites`.

    Not of money, which may be in other units, nor of per cent where shares may be meant.
    """
    numbers = [each for each, schema in free.items() if schema.get("type") in ("integer", "number")]
    if numbers != [name] or not unit:
        return False
    if unit[0] == "percent":
        return any(abs(free[name].get(each) or 0) > 1 for each in ("minimum", "maximum"))
    return unit[0] != singular(unit[0]) and unit[0] not in _MONEY


def _takes(schema: dict[str, Json], value: Json) -> bool:
    """Whether a field may have a value, by its type, its choices and its format; its bounds may be what is tried."""
    if isinstance(value, str) and schema.get("type") == "integer":
        return value.isdigit()
    if not {"type", "enum"} & set(schema):
        return False
    return not _OF_KIND & {each.keyword for each in violations(schema, value, "")}
