"""Tests of laws of mappings: what is put in under a key is there, alone, until it is taken out."""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.generators.functions.constructors import is_filled
from engine.generators.functions.facts import NoTestError, Surface, cited
from engine.generators.functions.kept_outside import refuse_stored
from engine.generators.functions.values import Maker
from engine.generators.functions.written import Written
from engine.generators.source import name_of
from graph.facts import Fact
from planner.cases import Case

# What is of more types than those of its keys and values, and so may make something else of them.
_OF_MORE = re.compile(r"\bGeneric\[[^\[\],]+(?:,[^\[\],]+){2,}\]")
# Of each law the name of its test, its actions and its assertions. Not all mappings hold two things.
_LAWS = {
    "fetched": (
        "gets_what_was_put_in",
        ['kept["one"] = 1', 'found = kept.get("one", 2)', 'other = kept.get("two", 2)'],
        ["assert found == 1", "assert other == 2"],
    ),
    "defaulted": (
        "sets_what_is_not_there_by_setdefault",
        ['found = kept.setdefault("one", 1)', 'again = kept.setdefault("one", 2)'],
        ["assert found == 1", "assert again == 1"],
    ),
    "popped": (
        "pops_what_was_put_in",
        ['kept["one"] = 1', 'found = kept.pop("one")', 'other = kept.pop("one", 2)'],
        ["assert found == 1", "assert other == 2"],
    ),
    "unpacked": (
        "pops_the_item_that_was_put_in",
        ['kept["one"] = 1', "found = kept.popitem()"],
        ['assert found == ("one", 1)', "assert len(kept) == 0"],
    ),
    "updated": ("is_updated", ['kept.update({"one": 1})'], ['assert kept["one"] == 1']),
    "emptied": ("is_cleared", ['kept["one"] = 1', "kept.clear()"], ["assert len(kept) == 0"]),
    "copied": (
        "is_copied",
        ['kept["one"] = 1', "copied = kept.copy()", 'copied["one"] = 2'],
        ['assert kept["one"] == 1', 'assert copied["one"] == 2'],
    ),
    "mapping": (
        "keeps_what_is_put_in",
        ['kept["one"] = 1', "held = {key: kept[key] for key in kept}", 'del kept["one"]'],
        ['assert held == {"one": 1}', 'assert "one" not in kept', "assert len(kept) == 0"],
    ),
}


def kept(case: Case, fact: Fact, surface: Surface) -> Written:
    """What a mapping does with one thing, by the case's law."""
    name, act, asserts = _LAWS[str(case.target["law"])]
    if any(_OF_MORE.search(str(each)) for each in fact.aspects["bases"]):
        raise NoTestError(f"whether a {fact.name} has its keys as they are put in")
    made = Maker(surface, bare=True).instance(fact)
    if is_filled(made.expression):
        raise NoTestError(f"an object of {fact.name} that holds nothing yet")
    refuse_stored(made.expression, fact, surface)
    return Written(
        f"test_{fact.name}_{name}",
        list(made.imports),
        arrange=[f"kept = {made.expression}"],
        act=act,
        assertions=cited(case, asserts, inferred=True),
    )


def bounded(case: Case, fact: Fact, surface: Surface) -> Written:
    """What is full lets something go for what is put in."""
    made = Maker(surface, bare=True).instance(fact, given={str(case.target["parameter"]): "2"})
    return Written(
        f"test_{fact.name}_holds_no_more_than_its_{name_of(str(case.target['parameter']))}",
        list(made.imports),
        arrange=[f"kept = {made.expression}"],
        act=["for number in range(3):", "    kept[number] = number"],
        assertions=cited(case, ["assert len(kept) == 2", "assert 2 in kept"], inferred=True),
    )


WRITERS: dict[str, Callable[[Case, Fact, Surface], Written]] = {
    **dict.fromkeys(_LAWS, kept),
    "bounded": bounded,
}
"""What writes the test of each law."""
