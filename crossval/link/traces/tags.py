"""Links that somebody wrote down: an id in a docstring, a comment, a marker or the subject of a commit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crossval.link.traces.records import Link
from graph.facts import Fact, Kind, Tag, Verb
from graph.source import FactSource

_SAYS = {Verb.VERIFIES: "cites it", Verb.IMPLEMENTS: "names it"}
_OF_STORY = re.compile(r"^[A-Z]{2,10}-?\d+\.(?=[A-Z]{2,10}-?\d)")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)+")


def tagged_links(source: FactSource) -> Iterator[Link]:
    """The links with confidence 1, in no particular order; ends that no fact has are left out.

    A tag counts only where it names an id that the story or criterion gives itself, and no other page gives to
    something else: `FR-001` of many features does not tell which one is meant, unless it is written in full.
    """
    named = _explicit(source)
    if not named:
        return
    others = {fact.id for fact in source.facts(tag=Tag.CODE)} | {
        fact.id for fact in source.facts(tag=Tag.TEST)
    }
    tied = _ties(others)
    for relation in source.relations(_SAYS):
        for fact in _meant(relation.second, named):
            for other in tied.get(relation.first, (relation.first,)):
                if other in others:
                    yield Link(fact.id, other, 1.0, f"{other.split(':', 2)[1]} {_SAYS[relation.verb]}")
    yield from _committed(source, named, tied, others)


def _explicit(source: FactSource) -> dict[str, list[Fact]]:
    found: dict[str, list[Fact]] = {}
    for fact in source.facts(tag=Tag.SPEC, kinds={Kind.STORY, Kind.CRITERION}):
        if fact.aspects.get("explicit_id"):
            found.setdefault(fact.key, []).append(fact)
        if number := fact.aspects.get("number"):
            found.setdefault(f"REQUIREMENT-{number}", []).append(fact)
    return found


def _meant(cited: str, named: dict[str, list[Fact]]) -> list[Fact]:
    """The stories or criteria that a cited id means; those of a feature file tell again what a page told."""
    key = cited_key(cited)
    facts = named.get(key) or named.get(own_part(key), [])
    document = cited.partition("@")[2]
    if document:
        facts = [f for f in facts if f.id == cited or f"/{document}/" in f"/{f.source.path}"]
    told = {fact.name for fact in facts if not fact.source.path.endswith(".feature")}
    return facts if len(told) < 2 else []


def _ties(ids: set[str]) -> dict[str, list[str]]:
    """End of unknown kind → ids that it may mean."""
    tied: dict[str, list[str]] = {}
    for each in sorted(ids):
        tag, _, key = each.split(":", 2)
        tied.setdefault(f"{tag}:*:{key}", []).append(each)
    return tied


def cited_key(cited: str) -> str:
    """The key of a cited id, which may be written in full (`spec:criterion:US-3.2`) or alone (`US-3.2`)."""
    return cited.split(":", 2)[-1].partition("@")[0] if cited.startswith("spec:") else cited


def own_part(key: str) -> str:
    """The criterion's own id in one that is written with its story's (`AC-2` of `US-1.AC-2`), else the whole."""
    return _OF_STORY.sub("", key)


def _committed(
    source: FactSource, named: dict[str, list[Fact]], tied: dict[str, list[str]], others: set[str]
) -> Iterator[Link]:
    """What a commit touched whose subject names the id: functions and tests, not whole modules."""
    about: dict[str, list[Fact]] = {}
    for commit in source.facts(tag=Tag.CODE, kinds={Kind.COMMIT}):
        words = _WORD.findall(commit.aspects.get("subject", ""))
        if facts := [fact for word in words for fact in _meant(word, named)]:
            about[commit.id] = facts
    if not about:
        return
    for relation in source.relations({Verb.TOUCHES}):
        for fact in about.get(relation.first, ()):
            for other in tied.get(relation.second, (relation.second,)):
                if other in others and _is_small(other):
                    yield Link(fact.id, other, 1.0, "a commit that names it touches this")


def _is_small(other: str) -> bool:
    return not other.startswith(("code:module:", "test:module:"))
