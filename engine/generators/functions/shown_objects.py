"""Objects that a console shows as if they were texts, since their class says so: `Note("A")` as `'A-4'`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from engine.generators.functions.facts import Surface
from engine.generators.functions.needed_steps import Step
from graph.facts import Fact, Kind
from graph.literals import literal_value


def text_of_an_object(step: Step, fact: Fact, surface: Surface) -> str:
    """What a console shows of a text, of several, or of `None`, that may be objects which look so, since classes of the
    package say how they are shown; empty for all else, for functions that are said to give texts, and for the texts of
    pages, which are set by hand."""
    value = literal_value(step.expected)
    if value is None:
        # A console shows nothing of `None`, so that this may be an object that is shown so.
        return "None" if _says_how(fact, surface) else ""
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
    return repr(value) if _says_how(fact, surface) else ""


def named_as_shown(step: Step, expected: str) -> Iterator[str]:
    """The lines that name a class of an example as it is shown, as it would be called after the test around it."""
    for each in step.tree.body:
        if isinstance(each, ast.ClassDef) and re.search(rf"(?<![\w.]){each.name}\(", expected):
            yield f'{each.name}.__qualname__ = "{each.name}"'


def _says_how(fact: Fact, surface: Surface) -> bool:
    """Whether a class of the package says how its objects are shown; of a page, one of any package."""
    package = "" if fact.kind is Kind.PAGE else f"{fact.key.partition('.')[0]}."
    return any(each.name == "__repr__" and each.key.startswith(package) for each in surface.facts.values())
