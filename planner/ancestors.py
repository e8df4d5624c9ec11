"""The classes that a class derives from, as far as specs have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from graph.facts import Fact

_DEPTH = 5
_MAPPINGS = frozenset({"MutableMapping", "UserDict"})

Known = Callable[[str], Fact | None]
"""The class that a base, as it is written, stands for; None where nobody knows it."""


def base_names(fact: Fact) -> list[str]:
    """The bases of a class as they are written, without what they are parametrised with."""
    return [str(base).partition("[")[0] for base in fact.aspects.get("bases", ())]


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
    """Whether a class is a mapping that can be changed, by its stub and those of the known classes."""
    return any(
        name.rpartition(".")[2] in _MAPPINGS
        for each in (fact, *ancestors(fact, known))
        for name in base_names(each)
    )
