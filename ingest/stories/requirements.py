"""Requirements as spec-driven work writes them: one under each heading, or many in a list, each with an id.

Lists may also count for themselves: `R1. …`, `R2. …`.
OpenSpec has `### Requirement: …` with a sentence and scenarios below it; changes say `## ADDED Requirements`,
`## REMOVED Requirements`. Spec Kit has `### User Story 1 - … (Priority: P1)` and lists of `**FR-001**: …`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from ingest.stories import chinese
from ingest.stories.blocks import Block, Line, Shape, end_of_section
from ingest.stories.criteria import Criterion, Entry, entry, put_together
from ingest.stories.duties import duties
from ingest.stories.identifiers import counted as counted_on
from ingest.stories.identifiers import names_criterion, names_requirement, names_story, split_id
from ingest.stories.labels import (
    after_criteria_label,
    announces_other,
    is_placeholder,
    is_template,
    requirement_title,
    scenario_title,
)
from ingest.stories.story import Story
from ingest.stories.tables import rows_to_requirements

_WITHDRAWN = re.compile(r"(?:REMOVED|RENAMED)\s+requirements?\b", re.IGNORECASE)
_LISTED = re.compile(
    rf"\b(?:requirements?|criteria|outcomes?|constraints?|rules?)\b|{chinese.LISTED}", re.IGNORECASE
)
# Tables that trace requirements, or tell how far they are, do not say them.
_FOLLOWED_UP = re.compile(
    r"\btrac(?:e|ing|king|eability)\b|coverage|matri(?:x|ces)|status|mapping|progress|tests?\b|summary",
    re.IGNORECASE,
)
_BEGINS_WITH_ID = re.compile(r"\W*(?:N?FR|REQ|REQUIREMENT|BR)(?![A-Z])", re.IGNORECASE)
_DUTY = re.compile(rf"\b(?:shall|must|should|will|may|can(?:not)?)\b|{chinese.DUTY}", re.IGNORECASE)
_TASK = re.compile(r"T-?\d{3,4}\b")
_TASKS = 2
_SEVERAL = 3
_COUNTED = re.compile(r"(?P<id>R(?P<number>\d{1,3}))\s*[.:：)]\s+(?=\S)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Þ`])")
_BEFORE_TITLE = re.compile(
    r"(?:(?:feature|software|product|system|technical)\s+)?(?:spec(?:ification)?|requirements?|prd|feature)"
    rf"(?:\s+(?:specification|document))?\s*[:–—]\s*|{chinese.BEFORE_TITLE}\s*[:：–—]+\s*",
    re.IGNORECASE,
)
_NO_TITLE = re.compile(
    r"(?:(?:feature|software|product|system|technical|functional)\s+)*(?:spec(?:ification)?|requirements?|prd)s?"
    rf"(?:\s+(?:specification|document))?|{chinese.BEFORE_TITLE}",
    re.IGNORECASE,
)


def is_list_of_tasks(blocks: list[Block]) -> bool:
    """Whether a page lists numbered tasks (`- [ ] T012 [US1] …`): work to be done on stories told elsewhere."""
    tasks = (b for b in blocks if b.shape is Shape.ITEM and b.checked is not None and _TASK.match(b.text))
    return sum(1 for _ in islice(tasks, _TASKS)) == _TASKS


def withdrawn(blocks: list[Block]) -> frozenset[int]:
    """The blocks of sections that take requirements back or rename them."""
    found: set[int] = set()
    for index, block in enumerate(blocks):
        if block.shape is Shape.HEADING and _WITHDRAWN.match(block.text):
            found.update(range(index, end_of_section(blocks, index)))
    return frozenset(found)


def headed(blocks: list[Block], told: Iterable[Story]) -> Iterator[Story]:
    """The stories of headings that name a requirement, where no story told otherwise stands below it."""
    begun = sorted(story.after for story in told)
    left_out = withdrawn(blocks)
    told_of = _said_again(blocks)
    for index, block in enumerate(blocks):
        if block.shape is not Shape.HEADING or index in left_out:
            continue
        # What an item of the page says already, a section with its id only explains.
        title = requirement_title(block.flat) or (block.flat if told_of[_of_requirement(block)] == 1 else "")
        if not title or is_placeholder(title):
            continue
        identifier, rest = split_id(title)
        story = Story.of_section(blocks, index, rest or title, identifier)
        story.stated = True
        told_below = any(index < after <= story.end for after in begun)
        if not told_below and _says_something(blocks[story.after : story.end]):
            yield story


def _said_again(blocks: list[Block]) -> Counter[str]:
    """How often each id of a requirement begins a block; empty where it begins no heading."""
    if not any(block.shape is Shape.HEADING and _of_requirement(block) for block in blocks):
        return Counter()
    return Counter(identifier for block in blocks if (identifier := _of_requirement(block)))


def _of_requirement(block: Block) -> str:
    """The id of the requirement that a block begins with (`FR-4: Search`), if it does."""
    first = block.lines[0].text if block.lines else ""
    identifier = split_id(first).id if _BEGINS_WITH_ID.match(first) else ""
    return identifier if names_requirement(identifier) and not names_criterion(identifier) else ""


def listed(blocks: list[Block], told: Iterable[Story]) -> Iterator[Story]:
    """The one story of a page's requirements that stand in lists with an id each, outside of all its stories."""
    taken = {index for story in told for index in range(story.begin, story.end)} | withdrawn(blocks)
    counted, own = _counted(blocks), _own_prefixes(blocks)
    entries: list[Entry] = []
    rows: list[Criterion] = []
    above: list[Block] = []
    first_heading: Block | None = None
    depth = 0
    goes_on = False
    for index, block in enumerate(blocks):
        if block.shape is Shape.HEADING:
            above = [heading for heading in above if heading.level < block.level] + [block]
        if block.shape is Shape.TABLE and index not in taken and above and _tells_requirements(above):
            known = {one.id for one in entries} | {one.id for one in rows}
            rows += (one for one in rows_to_requirements(block) if one.id not in known)
            first_heading = first_heading or (above[-1] if rows else None)
        if block.shape not in (Shape.ITEM, Shape.TEXT) or index in taken or not block.lines:
            goes_on = False
        elif goes_on and block.depth > depth:
            entries[-1].lines += [line for line in block.lines if line.text]
            entries[-1].last = block.last
        else:
            identifier = split_id(block.lines[0].text).id
            identified = names_requirement(identifier)
            if block.shape is Shape.ITEM and _own_prefix(identifier) in own:
                identified = _tells_requirements(above)
            if index in counted and above:
                identified = not announces_other(above[-1].flat)
            goes_on = identified and any(_LISTED.search(heading.text) for heading in above)
            if goes_on:
                entries.append(counted.get(index) or entry(block.lines, block.last, block.checked))
                first_heading, depth = first_heading or above[-1], block.depth
    numbered = {one.lines[0].number for one in entries if one.lines} | {one.first for one in rows}
    further, heading = duties(blocks, taken, numbered)
    if heading and (first_heading is None or heading.first < first_heading.first):
        first_heading = heading
    entries += further
    criteria = [*(one for part in entries for one in _criterion(part)), *rows]
    criteria.sort(key=lambda criterion: criterion.first)
    if not criteria or first_heading is None or (title := _title(blocks, first_heading)) is None:
        return
    yield Story(
        begin=0,
        after=0,
        end=0,
        first=first_heading.first,
        last=first_heading.last,
        title=title,
        expected=True,
        criteria=criteria,
    )


def _tells_requirements(above: list[Block]) -> bool:
    """Whether a table below these headings says requirements, and not what became of them."""
    return any(_LISTED.search(each.text) for each in above) and not any(
        _FOLLOWED_UP.search(h.text) for h in above
    )


def _own_prefixes(blocks: list[Block]) -> frozenset[str]:
    """What the ids have in common that three items or more begin with, in a project's own manner: `LED-` of `LED-3`."""
    firsts = (block.lines[0].text for block in blocks if block.shape is Shape.ITEM and block.lines)
    found = {
        identifier for each in firsts if (identifier := split_id(each).id) and not names_story(identifier)
    }
    many = Counter(prefix for each in found if (prefix := _own_prefix(each)) != each)
    return frozenset(prefix for prefix, number in many.items() if number >= _SEVERAL)


def _own_prefix(identifier: str) -> str:
    """What is before the numbers of an id: `LED-` of `LED-3`, `R` of `R1.2`."""
    return counted_on(identifier.partition(".")[0])


def _counted(blocks: list[Block]) -> dict[int, Entry]:
    """The items that count requirements from one on, `R1. …`, `R2. …`, by their blocks."""
    found: dict[int, Entry] = {}
    for index, block in enumerate(blocks):
        match = _COUNTED.match(block.lines[0].text) if block.shape is Shape.ITEM and block.lines else None
        if match and int(match["number"]) == len(found) + 1:
            first = block.lines[0]
            lines = [Line(first.text[match.end() :], first.number), *block.lines[1:]]
            found[index] = entry(lines, block.last, block.checked)
            found[index].id = match["id"]
    return found if len(found) > 1 else {}


def statement(blocks: list[Block], story: Story) -> tuple[list[Criterion], int]:
    """The criterion that the sentences right below a requirement's heading are, and the first block after them."""
    index = story.after
    lines = []
    while index < story.end and blocks[index].shape in (Shape.TEXT, Shape.ITEM):
        first = blocks[index].lines[0].text if blocks[index].lines else ""
        if after_criteria_label(first) is not None or scenario_title(first) is not None:
            break
        lines += [line for line in blocks[index].lines if line.text]
        index += 1
    if not lines or not any(_DUTY.search(line.text) for line in lines):
        return [], story.after
    criteria = list(_criterion(entry(lines, blocks[index - 1].last)))
    for criterion in criteria:
        if "then" not in criterion.aspects:
            criterion.name = _first_sentence(blocks[story.after].flat)
    return criteria, index


def _first_sentence(text: str) -> str:
    return _SENTENCE.split(text, maxsplit=1)[0]


def _criterion(one: Entry) -> Iterator[Criterion]:
    if not is_template("\n".join(line.text for line in one.lines)):
        yield from put_together([one])


def _says_something(section: list[Block]) -> bool:
    """Whether a section has a duty or a scenario before any further requirement."""
    for block in section:
        if block.shape is Shape.HEADING:
            return scenario_title(block.flat) is not None
        if block.shape in (Shape.TEXT, Shape.ITEM) and _DUTY.search(block.text):
            return True
    return False


def _title(blocks: list[Block], heading: Block) -> str | None:
    """What a page of requirements is about; None for a page that is only a template."""
    top = next((b for b in blocks if b.shape is Shape.HEADING and b.level == 1), heading)
    text = top.flat
    title = text[match.end() :] if (match := _BEFORE_TITLE.match(text)) else text
    if is_placeholder(title):
        return None
    return heading.flat if not title or _NO_TITLE.fullmatch(title) else title
