"""Where an application has all of its routes, and which of several is the one that is started."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.generators.applications.made_applications import Names
from graph.facts import Kind, Tag
from graph.source import FactSource

_ENTRIES = frozenset({"main", "app", "application", "wsgi", "asgi", "server", "run", "api"})


def where_complete(place: str, source: FactSource, names: Names) -> str:
    """The place of the same application in a module that has registered all routes; the place itself where none has.

    What `shop.app` makes and `shop.main` fills (`from .app import app` and `@app.get(...)`) is empty for whoever
    imports `shop.app` alone.
    """
    module, _, name = place.partition(":")
    if not name.isidentifier():
        return place
    served = {source.module_of(fact) for fact in source.facts(tag=Tag.CODE, kinds={Kind.OPERATION})}
    known = names.reached(module)
    missing = {each for each in served - known if names.imported_as(each, module, name)}
    if not missing:
        return place
    entries = (each for each in names.modules() if each.rpartition(".")[2] in _ENTRIES)
    for each in sorted(missing) + sorted(entries):
        alias = names.imported_as(each, module, name)
        if alias and missing <= names.reached(each):
            return f"{each}:{alias}"
    return place


def started(modules: Iterable[str], names: Names) -> str | None:
    """The module at the top of the project that uses the packages in which all the others are; None where none does."""
    every = list(modules)
    tops = [each for each in every if each in _ENTRIES]
    if len(tops) != 1:
        return None
    others = set(_packages(every)) - {tops[0]}
    return tops[0] if others <= set(_packages(names.reached(tops[0]))) else None


def _packages(modules: Iterable[str]) -> Iterator[str]:
    return (each.partition(".")[0] for each in modules)
