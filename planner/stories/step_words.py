"""The words and values of a step, and the fields of requests and answers that they are for."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from crossval.compare.claims import words as words_of
from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.operations import Operation
from planner.contracts.resources import singular
from planner.contracts.violations import violations
from planner.stories.scenarios import UnclearStep

_TOKEN = re.compile(r"[\"“']([^\"”']+)[\"”']|(?<![\w.])(-?\d+(?:\.\d+)?)(?![\w.]*\w)|([A-Za-z][\w’'-]*)")
FILLERS = frozenset(
    {
        *(
            "a",
            "an",
            "the",
            "another",
            "one",
            "my",
            "our",
            "his",
            "her",
            "their",
            "that",
            "this",
            "i",
            "we",
            "he",
        ),
        *(
            "she",
            "they",
            "you",
            "it",
            "its",
            "of",
            "in",
            "for",
            "to",
            "with",
            "at",
            "on",
            "by",
            "from",
            "into",
            "and",
        ),
        *(
            "is",
            "are",
            "was",
            "were",
            "has",
            "have",
            "had",
            "been",
            "be",
            "which",
            "who",
            "there",
            "named",
            "called",
        ),
        *("titled", "exists", "exist", "already", "new"),
    }
)
"""Words that say nothing of what is sent."""
_IRREGULAR = {
    "paid": "pay", "sent": "send", "made": "make", "sold": "sell", "bought": "buy", "gave": "give", "given": "give",
    "took": "take", "taken": "take", "lent": "lend", "wrote": "write", "written": "write", "left": "leave",
    "won": "win", "spent": "spend", "withdrew": "withdraw", "withdrawn": "withdraw", "began": "begin", "held": "hold",
    "chose": "choose", "chosen": "choose", "drew": "draw", "drawn": "draw", "kept": "keep", "lost": "lose",
    "frozen": "freeze", "broken": "break", "broke": "break", "stolen": "steal", "sought": "seek", "rode": "ride",
}  # fmt: skip
_OF_KIND = frozenset({"type", "enum", "format"})
"""The statements of a schema that say of which kind a value is."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class Token(msgspec.Struct, frozen=True):
    """One word of a step, in small letters, or a value in it: a text in quotes, or a number."""

    text: str
    value: Json = None

    @property
    def is_value(self) -> bool:
        """Whether it is a value, and no word."""
        return self.value is not None


def tokens_of(step: str) -> list[Token]:
    """The words and values of a step, in their order."""
    return [Token(m[1] or m[2] or m[3].lower(), _value(m)) for m in _TOKEN.finditer(step)]


def _value(match: re.Match[str]) -> Json:
    if match[1] is not None:
        return match[1]
    if match[2] is not None:
        return float(match[2]) if "." in match[2] else int(match[2])
    return None


def body_of(operation: Operation, tokens: Sequence[Token], step: str) -> tuple[Json, set[str]]:
    """The body with the values of a step in their fields, and the words that name fields. Raises UnclearStep."""
    schema = split_null(operation.body.schema)[0] if operation.body is not None else {}
    fields = {
        name: split_null(each)[0]
        for name, each in schema.get("properties", {}).items()
        if each.get("readOnly") is not True
    }
    required = [name for name in schema.get("required", ()) if name in fields]
    body: dict[str, Json] = {}
    named: set[str] = set()
    for at, token in enumerate(tokens):
        if not token.is_value:
            continue
        free = {name: each for name, each in fields.items() if name not in body and _takes(each, token.value)}
        told = [name for name in free if _is_beside([*words_of(name)], tokens, at)]
        fitting = (
            told
            or [name for name in free if "enum" in free[name]]
            or [name for name in required if name in free]
        )
        fitting = fitting or list(free)
        if len(fitting) != 1:
            raise UnclearStep(f"the field for {token.text} in “{step}”")
        named |= set(words_of(fitting[0])) if told else set()
        body[fitting[0]] = int(token.value) if fields[fitting[0]].get("type") == "integer" else token.value
    lacking = [name for name in required if name not in body]
    if lacking:
        raise UnclearStep(f"the {lacking[0]} in “{step}”")
    return (body if operation.body is not None and (body or operation.body.required) else None), named


def _is_beside(field: list[str], tokens: Sequence[Token], at: int) -> bool:
    """Whether the words of a field name a value: `from "Ada"`, `an amount of 5`, `3 copies`."""
    if not field:
        return False
    before = [singular(each.text) for each in tokens[max(0, at - len(field)) : at] if not each.is_value]
    telling = [singular(each.text) for each in tokens[:at] if not each.is_value and each.text not in FILLERS]
    after = [singular(each.text) for each in tokens[at + 1 : at + 1 + len(field)] if not each.is_value]
    is_behind = not isinstance(tokens[at].value, str) and after == field and field[0] not in FILLERS
    return is_behind or before == field or telling[-len(field) :] == field


def _takes(schema: dict[str, Json], value: Json) -> bool:
    """Whether a field may have a value, by its type, its choices and its format; its bounds may be what is tried."""
    if isinstance(value, str) and schema.get("type") == "integer":
        return value.isdigit()
    if not {"type", "enum"} & set(schema):
        return False
    return not _OF_KIND & {each.keyword for each in violations(schema, value, "")}


def choices(schema: dict[str, Json]) -> list[Json]:
    """The values that a field may have, where it has few."""
    found = split_null(schema)[0].get("enum", [])
    return found if isinstance(found, list) else []


def told_value(text: str, schema: dict[str, Json], step: str) -> Json:
    """What is told of a field, as its schema has it. Raises UnclearStep for what it cannot be."""
    plain = split_null(schema)[0]
    bare = text.strip("\"“”'")
    if plain.get("type") == "boolean" and bare.lower() in ("true", "false"):
        return bare.lower() == "true"
    if plain.get("type") in ("integer", "number") and _NUMBER.fullmatch(bare):
        return float(bare) if "." in bare else int(bare)
    is_said = bare != text or bare in plain.get("enum", ())
    if plain.get("type") == "string" and is_said and bare in plain.get("enum", (bare,)):
        return bare
    raise UnclearStep(f"which value is meant by “{step}”")


def stem(word: str) -> str:
    """The stem of a verb: `paid` and `pays` are `pay`, `cancelled` is `cancel`."""
    word = _IRREGULAR.get(word, word)
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            cut = word.removesuffix(ending)
            return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] else cut
    return word
