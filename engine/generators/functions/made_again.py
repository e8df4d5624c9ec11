"""Tests that a class method makes an object again of what the object is written as."""

from __future__ import annotations

from engine.generators.functions.calls import parameters_of
from engine.generators.functions.facts import NoTestError, Surface, cited
from engine.generators.functions.made_by_method import new_object
from engine.generators.functions.type_checks import takes
from engine.generators.functions.values import Maker
from engine.generators.functions.written import Written
from engine.generators.source import local_of, merged_imports
from graph.facts import Fact
from planner.cases import Case
from planner.functions.operators import GIVEN_BY_PYTHON, OPERATORS


def remade(case: Case, fact: Fact, surface: Surface) -> Written:
    """What an object is written as, by a method, a property or Python, makes an object that is written alike."""
    to, back = surface.facts[str(case.target["to"])], surface.facts[str(case.target["from"])]
    given = [each for each in parameters_of(back) if each.required]
    written = str(to.aspects.get("returns", GIVEN_BY_PYTHON.get(to.name)))
    if len(surface.overloads(back)) > 1 or not takes(given[0].annotation, written):
        raise NoTestError(f"whether {back.name} takes what {to.name} returns")
    made = new_object(fact, Maker(surface), surface)
    if made.expression.endswith("()"):
        raise NoTestError(f"what an object of {fact.name} is made of")
    local, unit = local_of(fact.name), surface.unit(fact)
    called = "" if to.aspects.get("kind") == "property" else "()"
    told = OPERATORS.get(to.name, f"{{it}}.{to.name}{called}")
    return Written(
        f"test_{fact.name}_is_made_again_by_{back.name}",
        merged_imports(made.imports),
        arrange=[f"{local} = {made.expression}", f"written = {told.format(it=local)}"],
        act=[f"again = {unit.expression}.{back.name}(written)"],
        assertions=cited(case, [f"assert {told.format(it='again')} == written"], inferred=True),
    )
