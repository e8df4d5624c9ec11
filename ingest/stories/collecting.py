"""Collects the acceptance criteria that stand below one story."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from itertools import chain

from ingest.stories.blocks import Block, Line, Shape
from ingest.stories.criteria import Criterion, Entry, entry, put_together, read_steps
from ingest.stories.identifiers import mentions_id, names_criterion, possesses, split_id
from ingest.stories.labels import (
    after_criteria_label,
    announces_other,
    is_criteria_heading,
    is_placeholder,
    particular,
    scenario_title,
    words,
)
from ingest.stories.requirements import statement
from ingest.stories.scenarios import criterion_aspects, parse_feature
from ingest.stories.story import Story
from ingest.stories.tables import particulars, rows_of_examples, rows_to_criteria

GHERKIN = ("gherkin", "cucumber", "feature")
_EXAMPLES = re.compile(r"(?:examples?|values|cases)\s*:?", re.IGNORECASE)
_PLACE = re.compile(r"<([^<>\n]{1,40})>")
_NOTHING = frozenset({"tbd", "tba", "todo", "none", "n/a", "na", "-", "…", "..."})


class _Mode(Enum):
    OUTSIDE = 0
    DIRECT = 1
    ANNOUNCED = 2


class Collector:
    """Walks the blocks of one story and gathers criteria, tags and priority."""

    def __init__(self, story: Story) -> None:
        self._story = story
        self._mode = _Mode.DIRECT
        self._under_heading = False
        self._level = 0
        self._entries: list[Entry] = []
        self._paragraphs: list[Entry] = []
        self._open: Entry | None = None
        self._base = 0
        self._criteria: list[Criterion] = []
        self.announced = False

    def collect(self, blocks: list[Block]) -> list[Criterion]:
        """The criteria in the order of their lines; the story's tags and priority are set on the way."""
        story = self._story
        for block in blocks[story.begin : story.after]:
            for line in block.lines:
                self._particular(line.text)
        after = story.after
        if story.stated:
            self._criteria, after = statement(blocks, story)
        for block in chain(blocks[after : story.end], blocks[slice(*story.later)]):
            if block.shape is Shape.HEADING:
                self._heading(block)
            elif block.shape is Shape.ITEM:
                self._item(block)
            elif block.shape is Shape.TEXT:
                self._text(block)
            elif block.shape is Shape.TABLE:
                self._table(block)
            else:
                self._fence(block)
        self._flush()
        return sorted(self._criteria, key=lambda criterion: criterion.first)

    def _flush(self) -> None:
        entries = self._entries or (self._paragraphs if self._mode is _Mode.ANNOUNCED else [])
        self._criteria += put_together(entries)
        self._entries, self._paragraphs, self._open = [], [], None

    def _announce(self, *, heading: bool) -> None:
        self._mode, self._under_heading, self.announced, self._base = _Mode.ANNOUNCED, heading, True, 0
        self._level = self._level if heading else 0

    def _add(self, one: Entry, depth: int) -> None:
        if one.lines and is_placeholder(one.lines[0].text) and len(one.lines) == 1:
            return
        if one.lines or one.title is not None:
            self._entries.append(one)
            self._open, self._base = one, depth

    def _heading(self, block: Block) -> None:
        text = block.flat
        if self._announces_examples(text):
            return
        if is_criteria_heading(text):
            self._flush()
            self._announce(heading=True)
            self._level = block.level
            return
        identifier, _ = split_id(text)
        if scenario_title(text) is not None or names_criterion(identifier):
            self._flush()
            self._announce(heading=True)
            self._level = self._level or block.level - 1
            self._add(entry([Line(text, block.first)], block.last), 0)
            self._base = -1
        elif self._mode is not _Mode.ANNOUNCED or announces_other(text) or block.level <= self._level:
            self._flush()
            self._mode = _Mode.OUTSIDE
        else:
            self._flush()

    def _item(self, block: Block) -> None:
        text = block.text
        if self._label(block):
            return
        if self._open and self._base >= 0 and block.depth > self._base and self._mode is not _Mode.OUTSIDE:
            self._continue(block)
            return
        if self._open and self._base < 0:
            self._below_heading(block)
            return
        if self._particular(text) or text.strip().lower() in _NOTHING:
            return
        if self._mode is _Mode.DIRECT and self._story.depth and block.depth <= self._story.depth:
            return
        bound = self._mode is _Mode.OUTSIDE or self._story.numbered
        if (bound and not names_criterion(split_id(text).id)) or possesses(text):
            return
        self._add(entry(block.lines, block.last, block.checked), block.depth)

    def _announces_examples(self, text: str) -> bool:
        """Whether a line leads to the table of an outline that is open."""
        return (
            self._open is not None and _EXAMPLES.fullmatch(text.strip()) is not None and bool(self._places())
        )

    def _text(self, block: Block) -> None:
        if self._announces_examples(block.text) or self._label(block):
            return
        if self._open and self._mode is not _Mode.OUTSIDE and (block.depth > 0 or self._base < 0):
            self._continue(block)
            return
        lines = [line for line in block.lines if line.text and not self._particular(line.text)]
        if not lines:
            if block.text.endswith(":"):
                self._flush()
                self._mode = _Mode.OUTSIDE
            return
        one = entry(lines, block.last)
        if mentions_id(lines[0].text):
            one = Entry(lines, block.last)
        further = one.keyword and self._open is not None and bool(self._open.keyword)
        stepped = one.title is not None or further or one.keyword in ("given", "when", "then")
        inside = self._mode is not _Mode.OUTSIDE
        if names_criterion(one.id) or (inside and self._is_scenario(one, stepped=bool(stepped))):
            self._paragraph(lines, block)
        elif self._mode is _Mode.ANNOUNCED and self._under_heading:
            if announces_other(block.text):
                self._flush()
                self._mode = _Mode.OUTSIDE
            elif not block.text.endswith(":") and block.text.strip(" .").lower() not in _NOTHING:
                self._paragraphs.append(one)
        elif not block.text.endswith(":") or announces_other(block.text):
            self._flush()
            self._mode = _Mode.OUTSIDE

    def _is_scenario(self, one: Entry, *, stepped: bool) -> bool:
        """Whether a paragraph says steps, and not merely a sentence that begins with `When`."""
        if (
            not stepped
            or self._mode is _Mode.ANNOUNCED
            or one.title is not None
            or one.keyword in ("and", "but")
        ):
            return stepped
        _, steps = read_steps(line.text for line in one.lines)
        outcome = any(step.kind == "then" for step in steps)
        return outcome or (
            self._open is not None and (self._open.title is not None or bool(self._open.keyword))
        )

    def _paragraph(self, lines: list[Line], block: Block) -> None:
        """Each scenario or id that begins a line begins an entry of its own."""
        current: list[Line] = []
        for line in lines:
            identifier, rest = split_id(line.text)
            numbered = names_criterion(identifier) and not mentions_id(line.text)
            starts = scenario_title(rest) is not None or numbered
            again = line.text[:6].lower() == "given " and any(
                part.text[:5].lower() == "then " for part in current
            )
            if current and (starts or again):
                self._add(entry(current, line.number - 1), block.depth)
                current = []
            current.append(line)
        self._add(entry(current, block.last), block.depth)

    def _continue(self, block: Block) -> None:
        assert self._open is not None, "only an open entry goes on"
        self._open.lines += [line for line in block.lines if line.text]
        self._open.last = block.last

    def _below_heading(self, block: Block) -> None:
        """Below a criterion's own heading all items belong to it, unless it has none of its own steps yet."""
        assert self._open is not None, "a heading opened an entry"
        self._continue(block)

    def _label(self, block: Block) -> bool:
        """Whether a block announces criteria; what follows on its own lines is read too."""
        first, *rest = block.lines
        following = after_criteria_label(split_id(first.text).text)
        if following is None or is_placeholder(first.text):
            return False
        self._flush()
        self._announce(heading=False)
        lines = [Line(following, first.number), *rest] if following else rest
        if lines:
            self._paragraph(lines, block)
        return True

    def _particular(self, text: str) -> bool:
        """Whether a line gives a particular of the story, which is kept where it is one of the facts' aspects."""
        found = particular(text)
        if found is None:
            return False
        if found.name in ("priority", "prio", "moscow") and found.value:
            self._story.priority = self._story.priority or found.value
        elif found.name in ("tag", "tags", "label", "labels"):
            self._story.tags = list(dict.fromkeys((*self._story.tags, *words(found.value))))
        elif found.name in ("id", "story-id") and not self._story.id:
            self._story.id = split_id(found.value.strip("` ")).id
        return True

    def _table(self, block: Block) -> None:
        if self._mode is _Mode.OUTSIDE:
            return
        if self._of_steps(block):
            return
        self._flush()
        told = particulars(block)
        for line in told:
            self._particular(line)
        if not told:
            self._criteria += rows_to_criteria(block)

    def _of_steps(self, block: Block) -> bool:
        """Whether a table gives the values of an outline's places, or what the step above it speaks of."""
        if (
            self._open is None
            or not self._open.lines
            or not (self._open.keyword or self._open.title is not None)
        ):
            return False
        if places := self._places():
            examples = rows_of_examples(block, places)
            self._open.examples += examples
            return bool(examples)
        if self._open.lines[-1].text.endswith(":"):
            self._open.lines += [Line(f"| {' | '.join(row.cells)} |", row.line) for row in block.rows]
            self._open.last = block.last
            return True
        return False

    def _places(self) -> frozenset[str]:
        """The places of an outline (`<name>`) in the scenario that is open."""
        lines = (line.text for one in self._entries for line in one.lines)
        return frozenset(name for text in lines for name in _PLACE.findall(text))

    def _fence(self, block: Block) -> None:
        if block.language in GHERKIN or (not block.language and self._mode is not _Mode.OUTSIDE):
            self._flush()
            self._criteria += _scenarios(block)


def _scenarios(block: Block) -> Iterator[Criterion]:
    """The scenarios of a fenced block, which may leave out the lines that a whole feature begins with."""
    text = block.text
    openings = ("", "Feature:\n", "Feature:\nScenario:\n")
    for number, opening in enumerate(openings):
        feature, problems = parse_feature(opening + text)
        if feature is None or problems or not feature.scenarios:
            continue
        offset = block.first - number
        for scenario in feature.scenarios:
            identifier = next((tag for tag in scenario.tags if names_criterion(tag)), "")
            first = max(scenario.line, number + 1) + offset
            yield Criterion(
                first=first,
                last=scenario.end_line + offset,
                name=scenario.name,
                id=identifier,
                aspects=criterion_aspects(scenario),
            )
        return
