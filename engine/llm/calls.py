"""A criterion as a model reads it, in one call of a function, and whether facts and words bear it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from engine.generators.functions.calls import (
    KEYWORD_ONLY,
    POSITIONAL_ONLY,
    VAR_POSITIONAL,
    parameters_of,
)
from engine.generators.functions.facts import NoTestError
from engine.generators.source import literal
from engine.llm.call_forms import exceptions_of, fits, is_near, named_parameters
from engine.llm.fences import unfenced
from engine.llm.words import leaves, unnamed, unread, without, words_of
from graph.facts import Fact, Json


class Reply(msgspec.Struct, frozen=True):
    """The call that checks a criterion with what it gives or raises, or which piece is missing."""

    function: str = ""
    arguments: dict[str, Json] = {}
    gives: Json = None
    raises: str = ""
    missing: str = ""


class Call(msgspec.Struct, frozen=True):
    """A call as an example of its function: its source, and what a console would show for it."""

    function: Fact
    source: str
    expected: str


def parsed(reply: str) -> Reply:
    """A reply read. Raises NoTestError where it does not have the form."""
    try:
        return msgspec.json.decode(unfenced(reply), type=Reply)
    except (msgspec.DecodeError, RecursionError) as error:
        raise NoTestError(f"a call in the form that the model was asked for ({error})") from None


def checked(reply: Reply, criterion: Fact, functions: Sequence[Fact]) -> Call:
    """The call of a reply, once its signature is kept and all its values are told. Raises NoTestError."""
    fact = next((each for each in functions if each.key == reply.function), None)
    if fact is None:
        raise NoTestError(reply.missing or f"what to call: the model named {reply.function or 'no function'}")
    given = dict(_bound(fact, reply.arguments))
    words = words_of(criterion)
    for value in unnamed(list(given.values()), words):
        raise NoTestError(f"where {value!r} for {fact.name} comes from: the criterion does not have it")
    if not is_near(fact, words):
        raise NoTestError(f"what {fact.name} has to do with the criterion: they share no word")
    expected = _expected(fact, reply, words, given)
    used = [*leaves(list(given.values())), *leaves(reply.gives), reply.raises]
    for value in unread(words, used, (fact.key, *(each.name for each in parameters_of(fact)))):
        raise NoTestError(f"what “{value}” means for {fact.name}: the call leaves it out")
    return Call(fact, f"{fact.name}({', '.join(_arguments(fact, given))})", expected)


def _expected(fact: Fact, reply: Reply, words: str, given: Mapping[str, Json]) -> str:
    """What a console shows of the call: a value, or the error. Raises NoTestError where the words do not have it."""
    if reply.raises:
        if reply.raises not in exceptions_of(fact, words):
            raise NoTestError(f"an error {reply.raises} of {fact.name}, which the model made up")
        return f"Traceback (most recent call last):\n{reply.raises}"
    if reply.gives is None:
        raise NoTestError(f"what {fact.name} gives: the model does not say")
    if not fits(reply.gives, fact.aspects.get("returns")):
        raise NoTestError(f"a value of the type {fact.aspects['returns']}: the model gave {reply.gives!r}")
    for value in unnamed(reply.gives, without(words, leaves(list(given.values())))):
        raise NoTestError(f"where the expected {value!r} comes from: the criterion does not have it")
    return literal(reply.gives)


def _bound(fact: Fact, arguments: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """The arguments in the order of the parameters. Raises NoTestError where they are no call of the function."""
    parameters = {each.name: each for each in named_parameters(fact)}
    for name in arguments:
        if name not in parameters:
            raise NoTestError(f"a parameter {name} of {fact.name}, which the model made up")
    for name, parameter in parameters.items():
        if name in arguments:
            if not fits(arguments[name], parameter.annotation):
                raise NoTestError(f"a value of the type {parameter.annotation} for {name} of {fact.name}")
            yield name, arguments[name]
        elif parameter.required:
            raise NoTestError(f"what {fact.name} is given as {name}")


def _arguments(fact: Fact, given: Mapping[str, Json]) -> Iterator[str]:
    """What stands between the brackets: by position up to the first that is left out, by name from there on."""
    by_place = True
    for each in parameters_of(fact):
        by_place = by_place and each.name in given and each.kind not in (KEYWORD_ONLY, VAR_POSITIONAL)
        if each.name in given:
            value = literal(given[each.name])
            if not by_place and each.kind == POSITIONAL_ONLY:
                raise NoTestError(f"what {fact.name} is given before {each.name}")
            yield value if by_place else f"{each.name}={value}"
