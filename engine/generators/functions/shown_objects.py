"""Objects that a console shows as if they were texts, since their class says so: `Note("A")` as `'A-4'`."""

from __future__ import annotations

from engine.generators.functions.facts import Surface
from engine.generators.functions.needed_steps import Step
from graph.facts import Fact, Kind
from graph.literals import literal_value


def text_of_an_object(step: Step, fact: Fact, surface: Surface) -> str:
    """What a console shows of a text, or of several, that may be objects which only look so, since classes of the
    package say how they are shown; empty for all else, for functions that are said to give texts, and on pages, whose
    texts are set by hand."""
    value = literal_value(step.expected)
    texts = value if isinstance(value, list | tuple) else [value]
    if (
        fact.kind is Kind.PAGE
        or step.directives
        or not texts
        or not all(isinstance(each, str) for each in texts)
    ):
        return ""
    if any("str" in str(each.aspects.get("returns", "")) for each in surface.same(fact)):
        return ""
    package = fact.key.partition(".")[0]
    shown = any(
        each.name == "__repr__" and each.key.startswith(f"{package}.") for each in surface.facts.values()
    )
    return repr(value) if shown else ""
