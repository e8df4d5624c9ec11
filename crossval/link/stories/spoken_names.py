"""Aligns the names of the project's own code that criteria spell out with the code: `shop.cart.total`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from crossval.alignment import Alignment
from crossval.findings import line_of_row, witness
from crossval.link.names.found import Presence
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Library
from crossval.link.names.targets import Target, running
from crossval.pairs import Difference, Pair
from graph.facts import Fact, Kind, Tag
from graph.patterns import pattern
from graph.source import FactSource

_NAME = pattern(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)(?:\(\))?`")
# What ends like a file's name, or like a site's, is none of a definition.
_FILE = pattern(
    r".*\.(?:py|pyi|md|rst|txt|toml|cfg|ini|ya?ml|json|csv|db|sqlite|log|html|sh|io|com|org|dev|net)"
)
_CLASS = pattern(r"[A-Z]\w*[a-z]\w*")
# Sentences about what was, will be or must not be there, and about names that are no definitions.
_OTHERWISE = pattern(
    r"(?i:\b(?:not|no longer|never|neither|without|none|remov\w+|delet\w+|dropp?\w*|deprecat\w+|legacy|obsolete"
    r"|old|former\w*|previous\w*|renam\w+|replac\w+|migrat\w+|instead|mov(?:e|ed|es|ing)|shims?|aliases|new"
    r"|future|later|example|e\.g|such as|like|would|could|hypothetical\w*|imaginary|nonexistent|missing|unknown"
    r"|metrics?|spans?|events?|permissions?|loggers?|settings?|keys?|topics?|queues?|groups?|tables?|columns?"
    r"|channels?|scopes?|namespaces?|labels?|counters?|gauges?|histograms?|environment|options?)\b)"
)


class _Spoken(NamedTuple):
    """A name that a criterion spells out, and the row of its text (from 0)."""

    name: str
    row: int


def align_spoken_names(source: FactSource, target: Target | None = None) -> Alignment:
    """Pairs of criteria with names that the code does not have, where all that leads to them can be read.

    Only full names count, below a package of the project; what is loosely named (`shop.Cart` for `shop.carts.Cart`)
    is there; a criterion whose box is open is not met yet, so that its names need not be there. The difference has the
    name, and the nearest module that there is.
    """
    told = {
        fact.id: (fact, list(_spoken(str(fact.aspects.get("text") or ""))))
        for fact in source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION})
        if fact.aspects.get("checked") is not False
    }
    if not any(spoken for _, spoken in told.values()):
        return Alignment()
    library = Library(source, Tag.CODE, target or running())
    lookup = Lookup(library)
    pairs = []
    for fact, spoken in told.values():
        for each in spoken:
            nearest = _lacking(each.name, library, lookup)
            if nearest is not None:
                pairs.append(_pair(fact, each, nearest))
    return Alignment(pairs)


def _spoken(text: str) -> Iterator[_Spoken]:
    """The dotted names of a text, each once, of sentences that say that they are there."""
    seen: set[str] = set()
    for number, row in enumerate(text.split("\n")):
        if "`" not in row or _OTHERWISE.search(row):
            continue
        for match in _NAME.finditer(row):
            name = match[1]
            if name not in seen and not _FILE.fullmatch(name) and "__" not in name:
                seen.add(name)
                yield _Spoken(name, number)


def _lacking(name: str, library: Library, lookup: Lookup) -> Fact | None:
    """The module that should have the name, and surely has not; None where it is there, or cannot be known."""
    owner, rest = library.owner(name) or ("", "")
    module = library.module(owner) if rest else None
    if module is None or not _is_package(owner.partition(".")[0], library):
        return None
    # `shop.total` may be any name that begins with the project's; below a module of its own it is one of code.
    if "." not in owner and not _CLASS.fullmatch(rest):
        return None
    if lookup.find(module, rest).presence is not Presence.ABSENT:
        return None
    last = rest.rpartition(".")[2]
    below = (each for each in library.names if each.startswith(f"{owner}."))
    if any(each.endswith(f".{last}") or _defines(library, each, last) for each in below):
        return None
    return module.fact


def _is_package(name: str, library: Library) -> bool:
    return any(each.startswith(f"{name}.") for each in library.names)


def _defines(library: Library, module: str, name: str) -> bool:
    found = library.module(module)
    return found is not None and (name in found.definitions or name in found.imports)


def _pair(fact: Fact, spoken: _Spoken, nearest: Fact) -> Pair:
    return Pair(
        kind=Kind.CRITERION,
        subject=f"criterion {fact.key}",
        place="names",
        name=spoken.name,
        spec=witness(fact, spoken.name, line_of_row(fact, spoken.row)),
        code=None,
        spec_fact=fact,
        differences=(Difference(change="names", spec=spoken.name, code=nearest.key),),
    )
