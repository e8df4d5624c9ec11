"""Acceptance criteria as entries of lists and paragraphs, put together to criteria with their steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from graph.facts import Json
from ingest.stories import chinese
from ingest.stories.blocks import Line
from ingest.stories.identifiers import split_id
from ingest.stories.labels import scenario_title

_STEP = re.compile(rf"(?P<english>given|when|then|and|but)\b\s*[:,]?\s+(?=\S)|{chinese.STEP}", re.IGNORECASE)
_INLINE_WHEN = re.compile(
    r"[,;.]\s*(?:and\s+)?(?=when\b)|[,;.]?\s+(?=When\b|WHEN\b)|[，,；;。]\s*(?:并且?|並且?)?(?=当|當|(?i:when)\b)"
)
_INLINE_THEN = re.compile(
    r"[,;.]\s*(?:and\s+)?(?=then\b)|[,;.]?\s+(?=Then\b|THEN\b)|[，,；;。]\s*(?=那么|那麼|则|則|(?i:then)\b)"
)


class Criterion(msgspec.Struct, kw_only=True):
    """One criterion as it was read; `aspects` are those of the fact but for `explicit_id`."""

    first: int
    last: int
    name: str
    id: str = ""
    aspects: dict[str, Json]


class Step(NamedTuple):
    """One step under its kind: `given`, `when` or `then`."""

    kind: str
    text: str


class Entry(msgspec.Struct):
    """One item, paragraph or heading that says a criterion, or a part of one.

    `title` is None but for scenarios that are announced as such. `examples` are the rows of an outline's table.
    """

    lines: list[Line]
    last: int
    title: str | None = None
    id: str = ""
    checked: bool | None = None
    examples: tuple[dict[str, str], ...] = ()

    @property
    def keyword(self) -> str:
        """The keyword of a step that the entry begins with, in lower case."""
        match = _STEP.match(self.lines[0].text) if self.lines else None
        return _keyword(match)


def one_line(text: str, *, steps: bool) -> str:
    """A criterion's name: all steps on one line, else the first line."""
    return ", ".join(text.split("\n")) if steps else text.partition("\n")[0]


def entry(lines: Iterable[Line], last: int, checked: bool | None = None) -> Entry:
    """The entry that some lines make, with its id and a scenario's title taken off."""
    lines = [line for line in lines if line.text]
    if not lines:
        return Entry([], last)
    first = lines[0]
    identifier, text = split_id(first.text)
    title = scenario_title(text)
    if title is not None:
        inner = split_id(title)
        identifier, title = identifier or inner.id, inner.text
    if title is not None or not text:
        lines = [Line("", first.number), *lines[1:]]
    else:
        lines = [Line(text, first.number), *lines[1:]]
    return Entry(lines, last, title, identifier, checked)


def put_together(entries: Iterable[Entry]) -> Iterator[Criterion]:
    """The criteria that entries say, those steps joined that stand in several entries."""
    group: list[Entry] = []
    for one in entries:
        if not one.lines or (group and not _goes_on(group, one)):
            yield from _finish(group)
            group = []
        if one.lines:
            group.append(one)
    yield from _finish(group)


def read_steps(lines: Iterable[str]) -> tuple[str, list[Step]]:
    """The words before the first step, and the steps; further lines go on with the step before."""
    before: list[str] = []
    steps: list[Step] = []
    kind = "given"
    for line in lines:
        for part in _split_inline(line):
            match = _STEP.match(part)
            keyword = _keyword(match)
            if match and (steps or keyword in ("given", "when", "then")):
                kind = {"and": kind, "but": kind}.get(keyword, keyword)
                steps.append(Step(kind, part[match.end() :].strip().rstrip(",;，；")))
            elif steps:
                steps[-1] = Step(steps[-1].kind, f"{steps[-1].text}\n{part}")
            elif part:
                before.append(part)
    return "\n".join(before), steps


def _keyword(match: re.Match[str] | None) -> str:
    """The English keyword, in lower case, of a step's beginning; empty where there is none."""
    if not match:
        return ""
    return match["english"].lower() if match["english"] else chinese.STEPS[match["chinese"]]


def _split_inline(line: str) -> list[str]:
    """The parts of `Given …, when …, then …` on one line."""
    match = _STEP.match(line)
    keyword = _keyword(match)
    if not match or keyword not in ("given", "when"):
        return [line]
    when = _INLINE_WHEN.search(line, match.end() - 1) if keyword == "given" else None
    then = _INLINE_THEN.search(line, when.end() if when else match.end() - 1)
    if not then:
        return [line]
    start = line[: when.start()] if when else line[: then.start()]
    middle = [line[when.end() : then.start()]] if when else []
    return [start, *middle, line[then.end() :]]


def _goes_on(group: list[Entry], one: Entry) -> bool:
    """Whether an entry is a further step of the criterion that a group of entries says so far."""
    if one.title is not None or one.id or not one.keyword:
        return False
    _, steps = read_steps(line.text for part in group for line in part.lines)
    kinds = {step.kind for step in steps}
    if not steps:
        return group[0].title is not None
    if one.keyword == "given":
        return False
    if one.keyword == "when":
        return kinds == {"given"}
    return True


def _finish(group: list[Entry]) -> Iterator[Criterion]:
    if not group:
        return
    lines = [line for part in group for line in part.lines if line.text]
    before, steps = read_steps(line.text for line in lines)
    has_outcome = any(step.kind == "then" for step in steps)
    if len(group) > 1 and not has_outcome and group[0].title is None:
        # "When the cart is empty, the button is off" is a sentence, not a step that waits for its outcome.
        for part in group:
            yield from _finish([part])
        return
    head = group[0]
    title = head.title or (before if has_outcome else "")
    text = "\n".join(line.text for line in lines) or title
    if not text:
        return
    aspects: dict[str, Json] = {"text": text}
    if has_outcome or (steps and head.title is not None):
        aspects |= {kind: [s.text for s in steps if s.kind == kind] for kind in ("given", "when", "then")}
    if title:
        aspects["title"] = title.rstrip(" :")
    if examples := [row for part in group for row in part.examples]:
        aspects["examples"] = examples
    if head.checked is not None:
        aspects["checked"] = all(part.checked is not False for part in group)
    yield Criterion(
        first=head.lines[0].number,
        last=max(part.last for part in group),
        name=one_line(title.rstrip(" :") or text, steps=has_outcome),
        id=head.id,
        aspects=aspects,
    )
