"""The reader of Gherkin features: a feature is a story, its scenarios are the story's criteria."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from graph.facts import (
    Defect,
    Extract,
    Fact,
    Json,
    Kind,
    Location,
    Relation,
    Skipped,
    Suppression,
    Tag,
    Unknown,
    Verb,
)
from ingest import versions
from ingest.claims.criteria import criterion_claims
from ingest.ingestor import Document, Role
from ingest.stories.identifiers import Keys, is_id, names_story, normal_id, slug
from ingest.stories.labels import is_placeholder
from ingest.stories.scenarios import Feature, criterion_aspects, parse_feature
from ingest.stories.sentence import Sentence, begins_story, parse_sentence
from ingest.suppressions import scan
from ingest.text import lines

if TYPE_CHECKING:
    from ingest.stories.gherkin_text import Problem

_REQUEST = re.compile(r"\b(?:GET|POST|PUT|PATCH|DELETE) /[\w/{}.-]*(?<![.-])")
# What a generator fills in: `$name` and `${name}` of string.Template, `{{ name }}` of Jinja.
_PLACE = r"(?:\$\w+|\$\{\w+\}|\{\{[^{}]*\}\})"
_TEMPLATE = re.compile(rf"^\s*{_PLACE}*\s*Feature:\s*{_PLACE}\s*$", re.MULTILINE)


class GherkinReader:
    """Reads `.feature` files in any language of the official parser."""

    name = "gherkin"
    version = versions.GHERKIN
    roles = frozenset({Role.FEATURE})

    def read(self, document: Document) -> Extract:
        """The story and the criteria of one feature file; what does not parse is a defect with its line.

        A template, which has a place where the feature's name belongs, is skipped.
        """
        if _TEMPLATE.search(document.text):
            return _template(document)
        feature, problems = parse_feature(document.text)
        defects = [_defect(problem, document.path) for problem in _causes(problems, document.text)]
        unread = [
            Unknown(
                f"file {document.path}", "steps", document.path, problem.line, "the feature is not read whole"
            )
            for problem in problems[:1]
        ]
        if feature is None:
            return Extract(defects=defects[:1], unknown=unread)
        # An id in brackets is a name: `Feature: [SHOP-7]`.
        if is_placeholder(feature.title) and not any(map(str.isdigit, feature.title)):
            return _template(document)
        story = _story(feature, document.path)
        criteria = list(_criteria(feature, story.key, document.path, lines(document.text)))
        relations = [Relation(Verb.CONTAINS, story.id, fact.id, fact.source.line) for fact in criteria]
        return Extract(
            facts=[story, *criteria],
            relations=relations,
            unknown=unread,
            defects=defects,
            suppressions=_suppressions(document),
        )


def _causes(problems: Sequence[Problem], text: str) -> Iterator[Problem]:
    """The problems but for those that only come of the line before: where a scenario's line is not understood, none of
    its steps is expected."""
    at = {problem.line for problem in problems}
    rows = lines(text) if len(at) > 1 else []
    for problem in problems:
        before = problem.line - 1
        while 0 < before <= len(rows) and (not (row := rows[before - 1].strip()) or row[0] in "@#"):
            before -= 1
        if before not in at:
            yield problem


def _template(document: Document) -> Extract:
    skipped = Skipped(document.path, 0, "is a template: a place stands for the name of its feature")
    return Extract(skipped=[skipped])


def _suppressions(document: Document) -> list[Suppression]:
    """The notes in the file's comments, which in Gherkin have lines of their own."""
    rows = lines(document.text)
    return [s for s in scan(document.text, document.path) if rows[s.line - 1].lstrip().startswith("#")]


def _story(feature: Feature, path: str) -> Fact:
    explicit = next((tag for tag in feature.tags if is_id(tag)), "")
    name = feature.title or PurePosixPath(path).stem
    sentence = _sentence(feature.description)
    aspects: dict[str, Json] = {
        "title": name,
        "explicit_id": bool(explicit),
        "tags": list(feature.tags),
    }
    if sentence:
        aspects |= {part: value for part, value in sentence._asdict().items() if value}
    if requests := _REQUEST.findall(feature.description):
        aspects["requests"] = list(dict.fromkeys(requests))
    return Fact(
        tag=Tag.SPEC,
        kind=Kind.STORY,
        key=normal_id(explicit) if explicit else slug(name) or slug(path),
        name=name,
        source=Location(path, feature.line, feature.end_line),
        aspects=aspects,
    )


def _sentence(description: str) -> Sentence | None:
    """The story's sentence, which may begin at any line of the description."""
    lines = description.split("\n")
    starts = (number for number, line in enumerate(lines) if begins_story(line.strip()))
    return next((found for n in starts if (found := parse_sentence(_paragraph(lines[n:])))), None)


def _paragraph(lines: list[str]) -> str:
    stop = next((n for n, line in enumerate(lines) if not line.strip()), len(lines))
    return "\n".join(lines[:stop])


def _criteria(feature: Feature, story: str, path: str, rows: Sequence[str]) -> Iterator[Fact]:
    explicit = _explicit_ids(feature)
    keys = Keys(identifier for identifier in explicit if identifier)
    for number, (scenario, identifier) in enumerate(zip(feature.scenarios, explicit, strict=True), start=1):
        aspects = criterion_aspects(scenario)
        claims = criterion_claims(aspects, rows, scenario.line, scenario.end_line)
        yield Fact(
            tag=Tag.SPEC,
            kind=Kind.CRITERION,
            key=keys.explicit(identifier) if identifier else keys.numbered(story, number),
            name=scenario.name,
            source=Location(path, scenario.line, scenario.end_line),
            aspects=aspects | {"explicit_id": bool(identifier)} | claims,
        )


def _explicit_ids(feature: Feature) -> list[str]:
    """Each scenario's own id, from a tag that no other scenario has and that does not name a story."""
    tags = [[normal_id(tag) for tag in scenario.tags if is_id(tag)] for scenario in feature.scenarios]
    uses = Counter(tag for own in tags for tag in own)
    return [next((tag for tag in own if uses[tag] == 1 and not names_story(tag)), "") for own in tags]


def _defect(problem: Problem, path: str) -> Defect:
    return Defect(
        rule="feature-unreadable",
        subject=f"file {path}",
        aspect="source",
        message=f"{path} is not valid Gherkin at line {problem.line}: {problem.message}",
        tag=Tag.SPEC,
        path=path,
        line=problem.line,
    )
