"""What stands below a story's heading: whether criteria are announced or counted there, and where the story ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ingest.stories.blocks import Block, Shape, end_of_section
from ingest.stories.identifiers import names_criterion, split_id
from ingest.stories.labels import after_criteria_label, is_criteria_heading
from ingest.stories.story import Story

_OF_CRITERIA = re.compile(r"(?:AC|CRIT|CRITERION)(?![A-Z])")
_FEWEST_WORDS = 4


def announces_criteria(blocks: list[Block], index: int, end: int) -> bool:
    """Whether criteria are announced right below a heading, and not below a further story's heading."""
    return any(after_criteria_label(block.text) is not None for block in _right_below(blocks, index, end))


def has_numbered_criteria(blocks: list[Block], index: int, end: int, story: str) -> bool:
    """Whether lines right below a heading say criteria by ids of their own: `AC-1.1: …`, `US-1.2: …` below US-1."""
    return any(
        _is_criterion_of(story, line.text)
        for block in _right_below(blocks, index, end)
        for line in block.lines
    )


def _right_below(blocks: list[Block], index: int, end: int) -> Iterator[Block]:
    for block in blocks[index + 1 : end]:
        if block.shape in (Shape.HEADING, Shape.TEXT, Shape.ITEM):
            yield block
        identifier = split_id(block.text).id if block.shape is Shape.HEADING else ""
        if identifier and not _OF_CRITERIA.match(identifier):
            return


def _is_criterion_of(story: str, line: str) -> bool:
    """Whether a line says a criterion; behind its id a word or two may only be how it stands."""
    identifier, text = split_id(line)
    numbered = bool(story) and re.fullmatch(rf"{re.escape(story)}\.\d{{1,3}}", identifier) is not None
    return (numbered or _OF_CRITERIA.match(identifier) is not None) and len(text.split()) >= _FEWEST_WORDS


def end_of_story(blocks: list[Block], story: Story, following: int, outer: list[Story]) -> int:
    """The first block that no longer belongs to a story: of the next one, or of another part of the page.

    Criteria that are announced above the story's own level are those of the story around it, if there is one.
    """
    for index in range(story.after, following):
        block = blocks[index]
        if story.depth and not block.depth:
            return index
        if block.shape is not Shape.HEADING:
            continue
        if is_criteria_heading(block.flat):
            around = next((each for each in reversed(outer) if each.level < block.level), None)
            if block.level >= story.level or around is None or end_of_section(blocks, around.begin) <= index:
                continue
            around.later = (index, following)
            return index
        if block.level <= story.level and not _is_criterion_heading(block):
            return index
    return following


def _is_criterion_heading(block: Block) -> bool:
    identifier, text = split_id(block.text)
    return names_criterion(identifier) if identifier else text.lower().startswith("scenario")
