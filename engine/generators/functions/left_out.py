"""Tests of what a new object has where its constructor is told nothing else: its defaults, by their names."""

from __future__ import annotations

import ast

from engine.generators.functions.calls import parameters_of
from engine.generators.functions.facts import NoTestError, Surface, cited
from engine.generators.functions.shown_calls import bound_arguments
from engine.generators.functions.standing_alone import refuse_alone
from engine.generators.functions.values import Maker
from engine.generators.functions.written import Written
from engine.generators.source import local_of, merged_imports
from engine.generators.values.known_values import Value
from graph.facts import Fact
from planner.cases import Case
from planner.functions.left_out import left_out


def left_as_told(case: Case, fact: Fact, surface: Surface) -> Written:
    """What a new object is not given is as its constructor says; that it can be made, where it is given all of that."""
    value, told = new_as_told(case, fact, surface)
    local = local_of(fact.name)
    lines = [
        f"assert {local}.{name} {'is' if default in ('True', 'False') else '=='} {default}"
        for name, default in told.items()
    ]
    return Written(
        f"test_{fact.name}_has_what_is_left_out_as_told" if lines else f"test_{fact.name}_can_be_made",
        merged_imports(value.imports),
        act=[f"{local} = {value.expression}"],
        assertions=cited(case, lines, inferred=True)
        or cited(case, [f"assert isinstance({local}, {surface.unit(fact).expression})"]),
    )


def new_as_told(case: Case, fact: Fact, surface: Surface) -> tuple[Value, dict[str, str]]:
    """A new object, and the defaults by name of what it is not given. Raises NoTestError where none can be made."""
    made = surface.facts[case.cites[0]]
    value = Maker(surface, likely=True).instance(fact, idle=True)
    call = ast.parse(value.expression, mode="eval").body
    given = bound_arguments(call, parameters_of(made)) if isinstance(call, ast.Call) else None
    if given is None:
        return value, {}
    every = left_out(made, surface.members(fact))
    return value, {
        name: default
        for name, (member, default) in every.items()
        if name not in given and _stands_alone(member, fact, surface)
    }


def _stands_alone(member: Fact, fact: Fact, surface: Surface) -> bool:
    try:
        refuse_alone(member, fact, surface)
    except NoTestError:
        return False
    return True
