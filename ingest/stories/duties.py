"""Requirements that have neither ids nor headings of their own: lists of what a system shall do.

Only below a heading that calls them functional, business or the like, or on a page that is a document of requirements:
what a page for contributors, installers or agents says in capitals binds other people.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from ingest.stories.blocks import Block, Line, Shape
from ingest.stories.criteria import Entry, entry
from ingest.stories.labels import announces_other

_REQUIREMENTS = re.compile(r"\brequirements?\b", re.IGNORECASE)
_QUALIFIED = re.compile(
    r"[\W\d]*(?:(?:core|key|main|high-level)\s+)?"
    r"(?:(?:(?:non-?)?functional|business|product|user|software|technical)\s+requirements|business\s+rules)"
    r"(?:\s+\([^()]*\))?\W*",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(r"\brequirements\b(?!\s+for\b)|\bPRD\b|\bSRS\b", re.IGNORECASE)
_INSTALLED = re.compile(
    r"\b(?:system|hardware|software|minimum|installation|build|run-?time|environment|development|python|browser)\s+"
    r"requirements?\b(?!\s+(?:spec|document))|\bprerequisites?\b|\binstall",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\A(?:[A-Z]\.)?\d{1,3}(?:\.\d{1,3}){1,4}[.)]?\s+(?=\S)")
# Who is spoken to: not the system.
_PEOPLE = re.compile(
    r"^(?:\W*(?:all|any|each|every|the)\s+)?(?:you|we|agents?|contributors?|developers?|reviewers?|maintainers?|engineers?"
    r"|tests?|commits?|pull requests?|PRs?|code|plans?|documentation|docs|implementations?)\b",
    re.IGNORECASE,
)
_STRONG = re.compile(r"\b(?:SHALL|MUST)\b")
_DUTY = re.compile(r"\b(?:shall|must|should|cannot)\b", re.IGNORECASE)
_FEWEST = 2


def duties(
    blocks: list[Block], taken: Collection[int], identified: Collection[int]
) -> tuple[list[Entry], Block | None]:
    """The requirements that a page lists so, and the heading above the first; nothing where it is a single one.

    `identified` are the lines of requirements with ids: what stands below the same heading as these are their notes.
    """
    with_ids = {_heading_of(blocks, line) for line in identified}
    entries: list[Entry] = []
    first_heading: Block | None = None
    above: list[Block] = []
    for index, block in enumerate(blocks):
        if block.shape is Shape.HEADING:
            above = [heading for heading in above if heading.level < block.level] + [block]
        elif block.shape in (Shape.ITEM, Shape.TEXT) and index not in taken and _is_document(above):
            if above[-1].first in with_ids:
                continue
            strict = not any(_QUALIFIED.fullmatch(heading.flat) for heading in above)
            found = [one for one in _said(block) if _binds(one, strict=strict)]
            entries += found
            first_heading = first_heading or (above[-1] if found else None)
    return (entries, first_heading) if len(entries) >= _FEWEST else ([], None)


def _heading_of(blocks: list[Block], line: int) -> int:
    """The line of the heading above a line; 0 where there is none."""
    return max(
        (block.first for block in blocks if block.shape is Shape.HEADING and block.first < line), default=0
    )


def _is_document(above: list[Block]) -> bool:
    """Whether requirements of the system stand below these headings."""
    if not above or announces_other(above[-1].flat) or any(_INSTALLED.search(each.text) for each in above):
        return False
    if any(_QUALIFIED.fullmatch(heading.flat) for heading in above):
        return True
    # The page's own title, and a section of it that has its requirements.
    first, *inner = above
    return _DOCUMENT.search(first.text) is not None and any(
        _REQUIREMENTS.search(each.text) for each in (first, *inner)
    )


def _said(block: Block) -> Iterator[Entry]:
    """What a block says: an item as a whole; of a paragraph the lines that are numbered."""
    if block.shape is Shape.ITEM:
        lines = [Line(_NUMBER.sub("", line.text, count=1), line.number) for line in block.lines]
        yield entry(lines, block.last, block.checked)
        return
    current: list[Line] = []
    for line in block.lines:
        numbered = _NUMBER.match(line.text)
        if numbered and current:
            yield entry(current, line.number - 1)
            current = []
        if numbered or current:
            current.append(Line(_NUMBER.sub("", line.text, count=1), line.number))
    if current:
        yield entry(current, block.last)


def _binds(one: Entry, *, strict: bool) -> bool:
    """Whether an entry says what the system has to do; in capitals, where the heading may speak of others."""
    text = "\n".join(line.text for line in one.lines)
    return bool((_STRONG if strict else _DUTY).search(text)) and not _PEOPLE.match(text)
