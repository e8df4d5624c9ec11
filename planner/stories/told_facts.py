"""The facts that tell what the system does in words: criteria, each read beside its story, and pages."""

from __future__ import annotations

import re

import msgspec

from graph.facts import Fact, Json, Kind, Tag, Verb
from graph.source import FactSource
from planner.stories.spoken import REQUEST, written

AROUND = "around"
"""The aspect that has, on a criterion, what its story says of itself: title, wish, and requests."""
# "the client POSTs `{…}`"
_WITHOUT_PATH = re.compile(r"\b(?P<method>POST|PUT|PATCH)(?:e?s|ed)\s+(?=`[{\[])")


def told_facts(source: FactSource) -> dict[str, Fact]:
    """All stories, criteria and pages by their ids, in the order of these.

    A criterion has its story's words as the aspect `around`, and what it sends to no path goes to the one that these
    name.
    """
    found = {
        fact.id: fact for fact in source.facts(tag=Tag.SPEC, kinds={Kind.STORY, Kind.CRITERION, Kind.PAGE})
    }
    for relation in source.relations({Verb.CONTAINS}):
        story, below = found.get(relation.first), found.get(relation.second)
        if story is not None and story.kind is Kind.STORY and below is not None:
            found[below.id] = _beside(below, story)
    return found


def _beside(criterion: Fact, story: Fact) -> Fact:
    said = [story.aspects.get("title"), story.aspects.get("want"), *story.aspects.get("requests", ())]
    words = " ".join(str(each) for each in said if each)
    aspects: dict[str, Json] = {**criterion.aspects, AROUND: words}
    for name in ("given", "when"):
        if name in aspects:
            aspects[name] = [addressed(str(each), words) for each in aspects[name] or ()]
    if not aspects.get("then") and "text" in aspects:
        aspects["text"] = addressed(str(aspects["text"]), words)
    return msgspec.structs.replace(criterion, aspects=aspects)


def addressed(step: str, story: str) -> str:
    """A step that sends something without a path, with the one request that the words of its story name.

    As it is where it names a request itself, or they name none, several, or one by another method.
    """
    text = written(step)
    sent = list(_WITHOUT_PATH.finditer(text))
    named = {match[0].rstrip("`\"'.,;:)") for match in REQUEST.finditer(written(story))}
    if REQUEST.search(text) or len(sent) != 1 or len(named) != 1:
        return step
    request = named.pop()
    if sent[0]["method"] != request.partition(" ")[0]:
        return step
    return f"{text[: sent[0].start()]}`{request}` with the body {text[sent[0].end() :]}"
