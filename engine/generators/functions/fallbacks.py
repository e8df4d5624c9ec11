"""Tests of methods that are told what to give where there is nothing: an object that holds nothing gives that."""

from __future__ import annotations

import re

from engine.generators.functions.calls import Parameter, parameters_of
from engine.generators.functions.constructors import constructor, is_filled
from engine.generators.functions.facts import NoTestError, Surface, cited
from engine.generators.functions.kept_outside import refuse_stored
from engine.generators.functions.standing_alone import refuse_alone
from engine.generators.functions.values import Maker
from engine.generators.functions.written import Written
from engine.generators.source import local_of, merged_imports
from graph.facts import Fact
from planner.cases import Case
from planner.functions.fallbacks import DEFAULT, key_of

_SEVERAL = re.compile(r"\b(?:Iterable|Iterator|Sequence|Collection|list|List)\b")
_ITEMS = frozenset({"iterable", "items", "values", "elements", "entries"})
_FALLBACK = '"fallback"'


def fallback(case: Case, fact: Fact, surface: Surface) -> Written:
    """What a method is told to give where there is nothing is what it gives of an object that holds nothing."""
    asked = surface.facts[str(case.target["by"])]
    refuse_alone(asked, fact, surface)
    fields, _ = constructor(fact, surface, bare=True)
    given = {each.name: "[]" for each in fields if each.required and _holds(each)}
    made = Maker(surface, bare=True).instance(fact, given=given or None, idle=True)
    if is_filled(made.expression) or "iter(" in made.expression:
        raise NoTestError(f"an object of {fact.name} that holds nothing yet")
    refuse_stored(made.expression, fact, surface)
    local, key = local_of(fact.name), key_of(asked)
    values = {key: '"absent"', DEFAULT: _FALLBACK} if key else {DEFAULT: _FALLBACK}
    words = [
        values[each.name] if each.name == key and each.by_position else f"{each.name}={values[each.name]}"
        for each in parameters_of(asked)
        if each.name in values
    ]
    return Written(
        f"test_{fact.name}_gives_by_{asked.name}_its_default_where_there_is_nothing",
        merged_imports(made.imports),
        arrange=[f"{local} = {made.expression}"],
        act=[f"found = {local}.{asked.name}({', '.join(words)})"],
        assertions=cited(case, [f"assert found == {_FALLBACK}"], inferred=True),
    )


def _holds(parameter: Parameter) -> bool:
    """Whether a parameter takes what an object holds."""
    annotation = parameter.annotation or ""
    return _SEVERAL.search(annotation) is not None or (not annotation and parameter.name in _ITEMS)
