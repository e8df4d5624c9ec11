"""Numbers of which not every one is there, by what they are called: years, and days that are counted."""

from __future__ import annotations

from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.values.known_values import NAMED, YEARS
from graph.facts import Fact
from planner.functions.drawn_values import words_of


def numbers_for(name: str, module: str, about: Fact | None, surface: Surface) -> tuple[str, str] | None:
    """Two numbers for what a name says, which is a parameter of the function or class that it is `about`; None where it
    says nothing. Raises NoTestError for a year of a calendar that nobody names."""
    found = NAMED.get((words_of(name) or [""])[-1])
    if found == NAMED["year"] and surface.converts(module, "gregorian"):
        years = {YEARS[word] for word in _calendars(name, about, surface)} if about is not None else set()
        if len(years) != 1:
            raise NoTestError(f"which {name} the calendar of {module} has")
        return years.pop()
    return found


def _calendars(name: str, about: Fact, surface: Surface) -> set[str]:
    """The calendars of which a parameter is, as its words, or the names of its function and class say."""
    docs = [each.aspects.get("doc") for each in surface.same(about)]
    holder = surface.holder(about)
    told = [str(doc.get("params", {}).get(name, "")) for doc in docs if isinstance(doc, dict)]
    told += [about.name, holder.name if holder is not None else ""]
    return {word for each in told for word in (*words_of(each), *each.lower().split())} & set(YEARS)
