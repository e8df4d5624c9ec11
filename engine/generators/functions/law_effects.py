"""Tests of what results owe to arguments: another one gives another result, a given default is as one left out."""

from __future__ import annotations

import re

from crossval.compare.decorators import keeps_parameters
from engine.generators.functions.calls import (
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Parameter,
    literal_default,
    parameters_of,
)
from engine.generators.functions.facts import NoTestError, Surface, cited
from engine.generators.functions.made import Call, call_of, spoken
from engine.generators.functions.raising import refuse_raising
from engine.generators.functions.signature_calls import refuse_called
from engine.generators.functions.signature_shape import decorators
from engine.generators.functions.type_checks import type_check
from engine.generators.functions.values import Maker
from engine.generators.functions.written import Written
from engine.generators.source import merged_imports, name_of
from engine.generators.values.known_values import Value
from graph.facts import Fact
from planner.cases import Case
from planner.functions.drawn_values import words_of

# How much of what else is given there is.
_MEASURES = frozenset(
    {
        "row",
        "rows",
        "column",
        "columns",
        "cols",
        "width",
        "height",
        "count",
        "size",
        "length",
        "len",
        "n",
        "num",
    }
)
_ONE_NUMBER = re.compile(r"\[(\d+(?:\.\d+)?)\]")


def effect(case: Case, fact: Fact, surface: Surface) -> Written:
    """Another value of one argument gives another result."""
    name = str(case.target["parameter"])
    parameter = next(each for each in _parameters(fact, surface) if each.name == name)
    module = surface.module(fact)
    others = Maker(surface, others=True)
    value = others.of(parameter.annotation, module, name)
    first = Maker(surface).of(parameter.annotation, module, name)
    is_one = parameter.kind not in (VAR_KEYWORD, VAR_POSITIONAL)
    # Both values are made up alike, whatever is shown: those that are shown may be there for what they have in common.
    usual = _called(fact, surface, {name: first.expression} if is_one else {})
    if value == first:
        raise NoTestError(f"another value for `{name}`")
    several = _ONE_NUMBER.fullmatch(value.expression), _ONE_NUMBER.fullmatch(first.expression)
    if is_one and all(several) and usual.arguments.count("[") == 1:
        # What lies between numbers, or how far they are apart, is nothing where there is one.
        value = Value(f"[{', '.join(each[1] for each in several if each)}]")
    if set(words_of(name)) & _MEASURES and "[" in usual.arguments:
        raise NoTestError(f"another `{name}` that fits what else {fact.name} is given")
    if not is_one:
        more = f"another={first.expression}" if parameter.kind == VAR_KEYWORD else value.expression
        if "=" in usual.arguments and parameter.kind == VAR_POSITIONAL:
            raise NoTestError(f"where another {name} stands")
        changed = f"{usual.called}({', '.join(filter(None, [usual.arguments, more]))})"
    else:
        changed = call_of(fact, surface, Maker(surface), {name: value.expression}).source
    return Written(
        f"test_{spoken(fact, surface)}_answers_another_{name_of(name)}_otherwise",
        merged_imports([*usual.imports, *value.imports, *first.imports]),
        arrange=[*usual.arrange, f"usual = {usual.source}"],
        act=[f"found = {changed}"],
        assertions=cited(case, ["assert found != usual"], inferred=True),
    )


def option(case: Case, fact: Fact, surface: Surface) -> Written:
    """With another value of an option the result is of the type that the stub says, too."""
    name = str(case.target["parameter"])
    parameter = next(each for each in _parameters(fact, surface) if each.name == name)
    call = _called(fact, surface, {name: str(parameter.default != "True")})
    check = type_check(str(fact.aspects["returns"]), surface.module(fact), surface)
    return Written(
        f"test_{spoken(fact, surface)}_returns_as_much_with_another_{name_of(name)}",
        merged_imports([*call.imports, *check.imported()]),
        arrange=call.arrange,
        act=[f"found = {call.source}"],
        assertions=cited(case, check.lines("found")),
    )


def default(case: Case, fact: Fact, surface: Surface) -> Written:
    """What is left out is as what is given as its default."""
    usual = _called(fact, surface)
    given = {
        each.name: value
        for each in _parameters(fact, surface)
        if each.default is not None and (value := literal_default(each)) is not None
    }
    if not given:
        raise NoTestError(f"the defaults of {fact.name}")
    explicit = call_of(fact, surface, Maker(surface), given)
    return _alike(case, f"test_{spoken(fact, surface)}_has_its_defaults_when_left_out", usual, explicit)


def again(case: Case, fact: Fact, surface: Surface) -> Written:
    """What is asked twice is answered alike."""
    usual = _called(fact, surface)
    return _alike(case, f"test_{spoken(fact, surface)}_answers_alike_when_asked_again", usual, usual)


def _alike(case: Case, name: str, usual: Call, then: Call) -> Written:
    """A test that one call gives what another one gave before it."""
    return Written(
        name,
        merged_imports([*usual.imports, *then.imports]),
        arrange=[*usual.arrange, f"usual = {usual.source}"],
        act=[f"found = {then.source}"],
        assertions=cited(case, ["assert found == usual"], inferred=True),
    )


def _parameters(fact: Fact, surface: Surface) -> list[Parameter]:
    (signature,) = surface.overloads(fact)
    return parameters_of(signature)


def _called(fact: Fact, surface: Surface, given: dict[str, str] | None = None) -> Call:
    """The usual call. Raises NoTestError where a value is not known, or the call may raise or be of no effect."""
    if len(surface.overloads(fact)) != 1:
        raise NoTestError(f"an example of a call of {fact.name}: what it returns depends on what it is given")
    if changing := decorators(fact, surface, lambda name: not keeps_parameters(name)):
        raise NoTestError(f"what @{changing[0]} makes of {fact.name}")
    refuse_called(fact)
    call = call_of(fact, surface, Maker(surface), given or {})
    refuse_raising(fact, call.source, _parameters(fact, surface), surface)
    return call
