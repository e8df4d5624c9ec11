"""The classes that a class derives from, as far as specs have them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from graph.facts import Fact

_DEPTH = 5
OF_MAPPINGS = frozenset(
    f"__{name}__" for name in ("getitem", "setitem", "delitem", "iter", "len", "contains")
)
"""The methods that Python calls where a mapping is used as one."""
_MAPPINGS = frozenset({"MutableMapping", "UserDict", "dict", "Dict", "OrderedDict"})
# What is there already where a class derives from it.
_BUILT_IN = frozenset({"dict", "Dict", "OrderedDict"})
# Mappings of texts to whatever one likes, or to numbers: what stands behind the name of such a base.
_VARIABLE = r"_?[A-Z]{1,2}\d?(?:_\w+)?|_?(?:Key|Value)T(?:ype)?"
_OPEN = re.compile(
    rf"(?:\[(?:str|Any|object|Hashable|{_VARIABLE}), (?:int|float|Any|object|{_VARIABLE})(?: \| None)?\])?"
)
FIXED = re.compile(r"Frozen|Immutable|ReadOnly|Const", re.IGNORECASE)
"""The names of what cannot be changed."""

Known = Callable[[str], Fact | None]
"""The class that a base, as it is written, stands for; None where nobody knows it."""


def base_names(fact: Fact) -> list[str]:
    """The bases of a class as they are written, without what they are parametrised with."""
    return [str(base).partition("[")[0] for base in fact.aspects.get("bases", ())]


def is_for_types_alone(fact: Fact) -> bool:
    """Whether a stub says of a class that nothing but type checkers know it."""
    return any("type_check_only" in str(each) for each in fact.aspects.get("decorators", ()))


def ancestors(fact: Fact, known: Known, depth: int = _DEPTH) -> Iterator[Fact]:
    """The known classes that a class derives from: each base, followed by its own."""
    for name in base_names(fact):
        base = known(name)
        if base is not None and depth:
            yield base
            yield from ancestors(base, known, depth - 1)


def only_of(classes: Mapping[str, Sequence[Fact]]) -> Known:
    """A base is the class of its last name, where there is only one; `classes` are all of them by name."""

    def known(name: str) -> Fact | None:
        found = classes.get(name.rpartition(".")[2], ())
        return found[0] if len(found) == 1 else None

    return known


def is_mapping(fact: Fact, known: Known) -> bool:
    """Whether a class is a mapping of its own that can be changed, by its stub and those of the known classes.

    It takes any value, or any number, as far as its stub says.
    """
    return any(
        is_mapping_itself(each) and not (FIXED.search(fact.name) or FIXED.search(each.name))
        for each in (fact, *ancestors(fact, known))
    )


def is_mapping_itself(fact: Fact) -> bool:
    """Whether a class derives from a mapping of Python's own that takes any value."""
    for base in fact.aspects.get("bases", ()):
        name, bracket, words = str(base).partition("[")
        last = name.rpartition(".")[2]
        if last in _MAPPINGS and _OPEN.fullmatch(bracket + words):
            return True
    return False


def derives_from_dict(fact: Fact) -> bool:
    """Whether what a mapping does is mostly Python's own doing."""
    return bool({name.rpartition(".")[2] for name in base_names(fact)} & _BUILT_IN)
