"""Definitions that a later import takes the place of: what is compiled, where it can be had, of what is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from crossval.compare.library import library_names
from graph.facts import Fact

Owner = Callable[[str], tuple[str, str] | None]


def replaced_later(
    own: Mapping[str, Sequence[Fact]], imported: Iterable[tuple[str, str, int]], owner: Owner
) -> frozenset[str]:
    """The names of a module that stand above an import of the same name, or of everything, of which the project has no
    source. `imported` are local name, qualified name and line of each, `owner` knows the project's modules."""
    found: set[str] = set()
    for local, target, line in imported:
        if not _is_unknown(local, target, owner):
            continue
        brought = _starred(own, target) if local == "*" else (local,)
        found.update(name for name in brought if name in own and _is_above(own[name], line))
    return frozenset(found)


def _starred(own: Iterable[str], module: str) -> Iterable[str]:
    """What a star import may bring of a module's own names."""
    known = library_names(module)
    if known is not None:
        return known
    return [name for name in own if "." not in name and not name.startswith("_")]


def _is_unknown(local: str, target: str, owner: Owner) -> bool:
    """Whether an import is one from a module without source: a foreign one, or one of the project's own packages."""
    known = owner(target)
    return known is None or (bool(known[1]) if local == "*" else "." in known[1])


def _is_above(definitions: Sequence[Fact], line: int) -> bool:
    return all(fact.source.line < line for fact in definitions)
