"""Whether a call stays clear of what docstrings say a function raises, by the words of each condition."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from engine.generators.functions.calls import Parameter, parameters_of
from engine.generators.functions.conditions import absent, is_met
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.invalid import beyond, unread
from engine.generators.functions.shown_calls import bound_arguments
from engine.generators.functions.told_forms import told_form
from engine.generators.values.known_values import NAMED, YEARS
from graph.facts import Fact, Kind
from graph.literals import NO_LITERAL, literal_value
from planner.functions.drawn_values import is_counted

# What a default of `None` meets as well as any other value, or what nothing that is given can avoid.
_OF_NOTHING = re.compile(
    r"\b(?:None|missing|neither|both|without|omitted|already|no)\b"
    r"|\bnot (?:been )?(?:given|specified|provided|set|passed)\b"
)

# Years, months, days, … that are drawn.
_COMMON = ("1", "2", *NAMED["year"], *(year for pair in YEARS.values() for year in pair))


def documented(fact: Fact) -> list[tuple[str, str]]:
    """The exceptions that a docstring names, with their conditions: of its section, and of its prose."""
    doc = fact.aspects.get("doc")
    found = (
        [(str(name), str(words)) for name, words in doc.get("raises", ())] if isinstance(doc, dict) else []
    )
    for claim in fact.aspects.get("claims", ()):
        if claim.get("kind") == "raises" and isinstance(claim.get("value"), str):
            found.append((claim["value"], str(claim.get("condition") or "")))
    return list(dict.fromkeys(found))


def refuse_raising(fact: Fact, source: str, parameters: Sequence[Parameter], surface: Surface) -> None:
    """Raise NoTestError for a call that may raise, as far as its function says."""
    if may_raise(fact, source, parameters, surface):
        raise NoTestError(f"an example of a call of {fact.name} that does not raise")


def may_raise(fact: Fact, source: str, parameters: Sequence[Parameter], surface: Surface) -> bool:
    """Whether a call, as source, may meet a condition under which its function is said to raise.

    `fact` is the function, or the constructor that the call runs.
    """
    conditions = [words for each in surface.same(fact) for _, words in documented(each)]
    if not conditions:
        return False
    call = next((node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)), None)
    given = bound_arguments(call, parameters) if call is not None else None
    if given is None:
        return True
    is_made = fact.name in ("__init__", "__new__")
    told = {name for name, value in given.items() if value in _written(told_form(fact, name, surface))}
    return not all(
        _is_read(words, parameters, told)
        or _is_within(words, parameters, given)
        or _is_avoided(words, parameters, given, is_made)
        for words in conditions
    )


def keys_of(holder: Fact, surface: Surface) -> set[str]:
    """The parameters of the methods of a class that have to name what its object holds, as docstrings say of one."""
    return {
        found.parameter
        for method in surface.members(holder)
        if method.kind is Kind.FUNCTION
        for each in surface.same(method)
        for _, words in documented(each)
        if (found := absent(words, parameters_of(method))) is not None
    }


def _written(text: str) -> tuple[str, ...]:
    """How a call writes a text, as one of characters and one of bytes; nothing where there is none."""
    return (repr(ast.literal_eval(text)), f"b{ast.literal_eval(text)!r}") if text else ()


def _is_read(words: str, parameters: Sequence[Parameter], told: set[str]) -> bool:
    """Whether a condition is met by a text of no form, where the one that is given is of the form that is told."""
    refused = unread(words, parameters)
    return refused is not None and refused.parameter in told


def _is_within(words: str, parameters: Sequence[Parameter], given: Mapping[str, str]) -> bool:
    """Whether a condition is met by what is out of a range, where a year, month, … of every calendar is given."""
    beside = beyond(words, parameters)
    kinds = {each.name: each.annotation for each in parameters}
    return (
        beside is not None
        and is_counted(beside.parameter, kinds[beside.parameter])
        and given.get(beside.parameter, "") in _COMMON
    )


def _is_avoided(words: str, parameters: Sequence[Parameter], given: Mapping[str, str], is_made: bool) -> bool:
    """Whether what is given, and the defaults of the rest, do not meet a condition; not where nobody can tell."""
    sources = {each.name: given.get(each.name, each.default or "...") for each in parameters}
    values = {name: literal_value(source) for name, source in sources.items()}
    values = {name: value for name, value in values.items() if value is not NO_LITERAL and value is not ...}
    if (met := is_met(words, parameters, values)) is not None:
        return not met
    named = list(_named(words, parameters))
    if not named or any(each.name in given or each.default is None for each in named):
        return False
    # An object that is asked has nothing yet that a `None` could stand for; a new one makes it.
    is_held = any(each.default == "None" for each in named) and not is_made
    return not is_held and _OF_NOTHING.search(words) is None


def _named(words: str, parameters: Sequence[Parameter]) -> Iterator[Parameter]:
    """The parameters that a condition names."""
    return (each for each in parameters if re.search(rf"(?<![\w.]){re.escape(each.name)}(?!\w)", words))
