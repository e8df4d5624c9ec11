"""Links to what a criterion spells out: `GET /books/{id}`, `shop.cart.total`, `ShoppingCart`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from crossval.link.contracts.written_requests import Requests
from crossval.link.traces.records import CONFIDENT, Link
from graph.facts import Fact, Kind, Tag, Verb
from graph.source import FactSource

_REQUESTED, _IN_FULL, _ALONE = CONFIDENT - 0.01, 0.85, 0.75
"""How surely what is named is meant: a request, a name with its module or class, a name that only one thing has."""

_SPAN = re.compile(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\([^`]*\))?`")
# Alone, only a name of several words tells that this very thing is meant.
_TELLING = re.compile(r"[A-Za-z]+[a-z0-9]+[A-Z]\w*|_?[a-z]\w*[a-z0-9]_[a-z]\w*|[A-Z][A-Z0-9]+_[A-Z]\w*")
_NAMED = frozenset({Kind.CLASS, Kind.FUNCTION})
_MOST = 8
"""A criterion that spells out more names than this makes a list of them."""
_COMMON, _EVERYWHERE = 2, 4
"""A name that criteria of more stories than the first, or more criteria than the second spell out, is a word of theirs:
it does not tell which of them the thing belongs to."""


def named_links(source: FactSource) -> Iterator[Link]:
    """The links of criteria with the operations, classes and functions that their words name exactly."""
    demanded = list(source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION}))
    requests = [fact for fact in demanded if any(each["kind"] == "request" for each in _claims(fact))]
    if requests:
        yield from _requested(source, requests)
    spoken = {
        fact.id: list(dict.fromkeys(_SPAN.findall(_text(fact)))) for fact in demanded if "`" in _text(fact)
    }
    if any(spoken.values()):
        yield from _spelled(source, _without_common(demanded, spoken))


def _without_common(demanded: Iterable[Fact], spoken: dict[str, list[str]]) -> dict[str, list[str]]:
    """What each criterion spells out, without the names that many do."""
    stories: dict[str, set[str]] = {}
    criteria: dict[str, int] = {}
    for fact in demanded:
        home = "" if fact.aspects.get("explicit_id") else fact.key.rpartition(".")[0]
        for name in spoken.get(fact.id, ()):
            stories.setdefault(name, set()).add(f"{fact.source.path} {home}")
            criteria[name] = criteria.get(name, 0) + 1
    common = {name for name in stories if len(stories[name]) > _COMMON or criteria[name] > _EVERYWHERE}
    return {spec: [name for name in names if name not in common] for spec, names in spoken.items()}


def _claims(fact: Fact) -> list[dict[str, object]]:
    return fact.aspects.get("claims") or []


def _text(fact: Fact) -> str:
    return str(fact.aspects.get("text") or "")


def _requested(source: FactSource, demanded: Iterable[Fact]) -> Iterator[Link]:
    found = [fact for fact in source.facts(kinds={Kind.OPERATION}) if fact.tag in (Tag.SPEC, Tag.CODE)]
    tables = [Requests(fact for fact in found if fact.tag is tag) for tag in (Tag.SPEC, Tag.CODE)]
    handlers: dict[str, list[str]] = {}
    for relation in source.relations({Verb.HANDLED_BY}):
        handlers.setdefault(relation.first, []).append(relation.second)
    functions = {fact.id for fact in source.facts(tag=Tag.CODE, kinds={Kind.FUNCTION})} if handlers else set()
    for fact in demanded:
        wanted = dict.fromkeys(str(each["value"]) for each in _claims(fact) if each["kind"] == "request")
        for request in wanted if len(wanted) <= _MOST else ():
            for operation in filter(None, (table.find(request) for table in tables)):
                yield Link(fact.id, operation.id, _REQUESTED, f"it names `{request}`")
                for handler in functions.intersection(handlers.get(operation.id, ())):
                    yield Link(fact.id, handler, _REQUESTED, f"handles it: {operation.id}")


def _spelled(source: FactSource, spoken: dict[str, list[str]]) -> Iterator[Link]:
    ends: dict[str, list[str]] = {}
    named = [fact for fact in source.facts(tag=Tag.CODE, kinds=_NAMED) if "<locals>" not in fact.key]
    classes = {fact.key for fact in named if fact.kind is Kind.CLASS}
    methods = {fact.id for fact in named if fact.key.rpartition(".")[0] in classes}
    for fact in named:
        parts = fact.unnumbered.split(".")
        for length in range(1, len(parts) + 1):
            ends.setdefault(".".join(parts[-length:]), []).append(fact.id)
    for spec, names in spoken.items():
        for name in names if len(names) <= _MOST else ():
            meant = ends.get(name, ())
            # A method's name alone may be that of a parameter or of a field as well.
            alone = _TELLING.fullmatch(name) and methods.isdisjoint(meant)
            if len(meant) == 1 and ("." in name or alone):
                yield Link(spec, meant[0], _IN_FULL if "." in name else _ALONE, f"it names `{name}`")
