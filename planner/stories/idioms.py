"""What steps say of fields in other words than their names: `at 16.50 a night` is `nightly rate cents 1650`.

Each is said so only where one field alone can be meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from crossval.compare.claims import words as words_of
from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.operations import Operation
from planner.contracts.resources import singular
from planner.contracts.verbs import stem
from planner.stories.amounts import AMOUNT, has_cents, in_cents

_AT_MOST = re.compile(r"\b(?P<how>at most|up to|at least)\s+(?P<number>\d+)\s+(?P<what>[a-z]+)\b", re.I)
_DAY = r"\d{4}-\d\d-\d\d(?:[Tt][\d:.]+(?:[Zz]|[+-]\d\d:?\d\d)?)?"
_SPAN = re.compile(rf"\bfrom\s+(?P<first>{_DAY})\s+(?:to|until|till)\s+(?P<last>{_DAY})(?![\w-])", re.I)
_PEOPLE = re.compile(r"\b(?P<number>\d+)\s+(?:people|persons?)\b", re.I)
_MONEY = re.compile(
    rf"\b(?:at|for|costs?|costing|of)\s+[€$£]?{AMOUNT}(?:\s+(?:EUR|USD|GBP|euros?|dollars?|pounds?))?"
    r"(?:\s+(?:an?|per|each)\s+(?P<unit>[a-z]+)|\s+each)?(?![\w.])",
    re.I,
)
_CROWD = frozenset(
    {"person", "people", "party", "capacity", "seat", "place", "attendee", "participant", "adult"}
)
_MANY = frozenset({"quantity", "count", "number", "times", "amount", "copies"})
_DAYS = frozenset({"date", "date-time"})
_MAIL = re.compile(r"\b(?:the\s+|an?\s+)?e-?mail(?:\s+address)?(?=\s+[\"“])", re.I)
_WHY = re.compile(r"\bbecause\s+of(?=\s+(?:[\"“]|(?-i:[A-Z]{2,})))", re.I)
_TIMES = re.compile(r"\b(?P<number>\d+)\s+times(?=\s+[\"“])", re.I)
_SECRET = re.compile(r"\bas\s+(?P<who>[\"“][^\"”]+[\"”])\s+(?:with|and)(?=\s+[\"“])", re.I)

Fields = Mapping[str, dict[str, Json]]


def by_field_names(step: str, operation: Operation) -> str:
    """The step with the names of fields of an operation's body for what it says of them in other words."""
    fields = {name: split_null(each)[0] for name, each in operation.given().items()}
    for pattern, said in _IDIOMS:
        step = pattern.sub(lambda match, said=said: said(match, fields) or match[0], step)  # type: ignore[misc]
    return step


def _limit(match: re.Match[str], fields: Fields) -> str:
    """`at most 6 hives` of `max_hives`."""
    kinds = ("min", "minimum") if match["how"].lower() == "at least" else ("max", "maximum")
    told = {(kind, singular(match["what"].lower())) for kind in kinds}
    found = [each for each in fields if tuple(map(singular, words_of(each))) in told]
    return _named(found, match["number"])


def _span(match: re.Match[str], fields: Fields) -> str:
    """`from 2030-07-10 to 2030-07-13` of the only two days of a body, in the order in which they are declared."""
    days = [name for name, each in fields.items() if each.get("format") in _DAYS]
    if len(days) != 2:
        return ""
    return " ".join((_named(days[:1], match["first"]), _named(days[1:], match["last"])))


def _people(match: re.Match[str], fields: Fields) -> str:
    """`4 people` of a `capacity` or a `party_size`."""
    numbers = [name for name, each in fields.items() if each.get("type") == "integer"]
    return _named([name for name in numbers if _CROWD & set(map(singular, words_of(name)))], match["number"])


def _money(match: re.Match[str], fields: Fields) -> str:
    """`at 16.50 a night` of `nightly_rate_cents`."""
    found = [name for name, each in fields.items() if each.get("type") == "integer" and has_cents(name)]
    unit = stem((match["unit"] or "").lower())
    if unit and not any(each.startswith(unit) for name in found for each in words_of(name)):
        found = []
    return _named(found, str(in_cents(match)))


def _mail(match: re.Match[str], fields: Fields) -> str:
    """`the e-mail address "a@b.org"` of an `email`."""
    found = [name for name in fields if "".join(words_of(name)).startswith(("email", "mail"))]
    return _named(found, "").strip()


def _why(match: re.Match[str], fields: Fields) -> str:
    """`because of "Broken tap"` of a `reason`."""
    return _named([name for name in fields if words_of(name)[-1:] == ("reason",)], "").strip()


def _times(match: re.Match[str], fields: Fields) -> str:
    """`2 times "Firewood"` of a `quantity`."""
    numbers = [name for name, each in fields.items() if each.get("type") == "integer"]
    return _named([name for name in numbers if _MANY & set(words_of(name))], match["number"])


def _secret(match: re.Match[str], fields: Fields) -> str:
    """`as "ada" with "secret"` of a `password`."""
    found = [name for name in fields if words_of(name)[-1:] == ("password",)]
    return f"as {match['who']} with {_named(found, '')}".strip() if len(found) == 1 else ""


def _named(found: list[str], value: str) -> str:
    return f"{' '.join(words_of(found[0]))} {value}" if len(found) == 1 else ""


_IDIOMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Fields], str]], ...] = (
    (_AT_MOST, _limit),
    (_SPAN, _span),
    (_PEOPLE, _people),
    (_MONEY, _money),
    (_MAIL, _mail),
    (_WHY, _why),
    (_SECRET, _secret),
    (_TIMES, _times),
)
