"""Finds the stories of a page: their sentences, the headings that give them their titles, and where each ends."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ingest.stories.blocks import Block, Shape, end_of_section
from ingest.stories.extents import announces_criteria, end_of_story, has_numbered_criteria
from ingest.stories.identifiers import is_id, names_criterion, names_requirement, normal_id, split_id
from ingest.stories.labels import (
    after_criteria_label,
    is_about_stories,
    is_criteria_heading,
    is_part_of_story,
    is_placeholder,
    particular,
    requirement_number,
    requirement_title,
    split_priority,
    without_spec_label,
    without_story_label,
)
from ingest.stories.requirements import headed, listed
from ingest.stories.sentence import Sentence, begins_story, has_role, parse_sentence
from ingest.stories.story import ANY_LEVEL, Story

_MOST_BLOCKS = 4
_TITLE_BEFORE = re.compile(r"(?P<title>\S.{0,98}?)\s*(?:[:–—.]|\s-)\s+(?=(?:As an?|In order to)\s)")
_LONGEST_TITLE = 120
# "Log in (AUTH-4)", as trackers' pages are headed.
_KEY_BEHIND = re.compile(r"(?P<title>\w[^`]*[\w)])\s*[(\[](?P<id>[A-Z][A-Z0-9]{1,9}-\d{1,6})[)\]]")
_OF_REQUIREMENTS = re.compile(r"\brequirements\b", re.IGNORECASE)
_OF_SEVERAL = re.compile(r"(?:EPIC|FEAT|FEATURE|PRD|BACKLOG)(?![A-Z])")


class _Heading(NamedTuple):
    block: int
    level: int
    text: str


class _Found(NamedTuple):
    """A sentence with the words before it, its lines, and the first block after it."""

    sentence: Sentence
    before: str
    first: int
    last: int
    after: int


def find_stories(blocks: list[Block], in_tables: Iterable[Story] = ()) -> list[Story]:
    """All stories in their order: those that tables tell, and the others, which have no criteria yet."""
    found = list(_with_headings(blocks))
    owners = Counter(owner.block for _, _, owner, _ in found if owner)
    stories = [_story(blocks, *one, claims=_claims(blocks, *one, owners=owners)) for one in found]
    stories += (_with_heading(blocks, story) for story in in_tables)
    stories += _without_sentence(blocks, stories)
    stories += headed(blocks, stories)
    stories.sort(key=lambda story: (story.begin, story.after))
    for number, story in enumerate(stories):
        following = stories[number + 1].begin if number + 1 < len(stories) else len(blocks)
        # What follows a table of stories belongs to none of its rows.
        outer = [each for each in stories[:number] if 0 < each.level < story.level]
        story.end = end_of_story(blocks, story, following, outer) if story.level else story.after
    return [*stories, *listed(blocks, stories)]


def heading_text(text: str) -> tuple[str, str]:
    """The id and the title that a heading gives a story, without `User story:`, `Requirement 1:` and the priority."""
    text = split_priority(text)[0]
    # "Spec: US-7" says which story the page is the spec of; "Spec format" is a title.
    specified = without_spec_label(text)
    text = specified if specified and split_id(specified).id else text
    text = requirement_title(text) or without_story_label(text) or text
    identifier, title = split_id(text)
    inner = without_story_label(title)
    title = inner if inner else title
    behind = None if identifier or is_about_stories(title) else _KEY_BEHIND.fullmatch(title)
    if behind and is_id(behind["id"]):
        return normal_id(behind["id"]), behind["title"]
    return identifier, title


def _with_headings(blocks: list[Block]) -> Iterator[tuple[int, _Found, _Heading | None, bool]]:
    """Each sentence with its block, the heading that may be its title, and whether stories are announced there."""
    headings: list[_Heading] = []
    following = 0
    for index, block in enumerate(blocks):
        if index < following:
            continue
        if block.shape is Shape.HEADING:
            while headings and headings[-1].level >= block.level:
                headings.pop()
            headings.append(_Heading(index, block.level, block.flat))
        for found in _sentences(blocks, index):
            owner = next((h for h in reversed(headings) if not is_part_of_story(h.text)), None)
            yield index, found, owner, any(is_about_stories(h.text) for h in headings)
            following = found.after


def _sentences(blocks: list[Block], index: int) -> Iterator[_Found]:
    """The sentences that begin in a block; its lines may hold several, or one may need the blocks after it."""
    block = blocks[index]
    if block.shape not in (Shape.HEADING, Shape.TEXT, Shape.ITEM):
        return
    starts = [n for n, line in enumerate(block.lines) if begins_story(_without_prefix(line.text)[1])]
    if not starts:
        return
    whole = [n for n in starts if parse_sentence(_without_prefix(block.lines[n].text)[1])]
    starts = starts[:1] + [n for n in whole if n > starts[0] and starts[0] in whole]
    for position, start in enumerate(starts):
        stop = starts[position + 1] if position + 1 < len(starts) else len(block.lines)
        prefix, rest = _without_prefix(block.lines[start].text)
        before = prefix or (block.lines[start - 1].text if start and not position else "")
        text = "\n".join((rest, *(line.text for line in block.lines[start + 1 : stop])))
        last = block.last if stop == len(block.lines) else block.lines[stop - 1].number
        sentence = parse_sentence(text)
        after = index + 1
        if position == len(starts) - 1 and not (sentence and sentence.benefit):
            sentence, after = _with_more_blocks(blocks, index, text, sentence)
            last = max(last, blocks[after - 1].last)
        if sentence:
            yield _Found(sentence, before, block.lines[0 if not position else start].number, last, after)


def _with_more_blocks(
    blocks: list[Block], index: int, text: str, sentence: Sentence | None
) -> tuple[Sentence | None, int]:
    """The sentence that goes on in the next items or paragraphs, and the first block after it."""
    shape = blocks[index].shape
    after = index + 1
    for position in range(index + 1, min(index + _MOST_BLOCKS, len(blocks))):
        block = blocks[position]
        if block.shape is not shape or shape is Shape.HEADING or block.depth < blocks[index].depth:
            break
        rest = _without_prefix(block.text)[1]
        if parse_sentence(rest) or (sentence and begins_story(rest) and has_role(rest)):
            break
        if after_criteria_label(block.text) is not None:
            break
        longer = parse_sentence(f"{text.rstrip(' .')}\n{block.text}")
        text = f"{text}\n{block.text}"
        if longer and (sentence is None or longer.benefit):
            sentence, after = longer, position + 1
        if sentence and sentence.benefit:
            break
    return sentence, after


def _without_prefix(text: str) -> tuple[str, str]:
    """The id or title before a sentence on the same line, and the rest of the line."""
    if begins_story(text):
        return "", text
    labelled = without_story_label(text)
    identifier, rest = split_id(labelled or text)
    rest = without_story_label(rest) or rest
    if begins_story(rest):
        return identifier, rest
    if match := _TITLE_BEFORE.match(text):
        return match["title"], text[match.end() :]
    return "", text


def _claims(
    blocks: list[Block],
    index: int,
    found: _Found,
    owner: _Heading | None,
    announced: bool,
    *,
    owners: Counter[int],
) -> bool:
    """Whether a heading is the title of this very story and not of a part of the page."""
    if owner is None:
        return False
    if owner.block == index:
        return True
    identifier, title = heading_text(owner.text)
    if owners[owner.block] > 1 or is_criteria_heading(owner.text):
        return False
    if identifier:
        return True
    generic = is_about_stories(title) and without_story_label(owner.text) in (None, "")
    # One item of a list is no section's only matter, unless its criteria make the section its own.
    one_item = blocks[index].shape is Shape.ITEM and found.after == index + 1
    own = not one_item or announces_criteria(blocks, found.after - 1, end_of_section(blocks, owner.block))
    return own and not generic


def _story(
    blocks: list[Block], index: int, found: _Found, owner: _Heading | None, announced: bool, *, claims: bool
) -> Story:
    identifier, title = heading_text(found.before) if len(found.before) <= _LONGEST_TITLE else ("", "")
    if particular(found.before):
        title = ""
    level = owner.level if owner else 0
    story = Story(
        begin=index,
        after=found.after,
        end=len(blocks),
        first=found.first,
        last=found.last,
        sentence=found.sentence,
        title=title,
        id=identifier,
        depth=blocks[index].depth if found.after == index + 1 and not claims else 0,
        level=level if claims else ANY_LEVEL,
        expected=announced,
        number=requirement_number(owner.text) if owner else "",
    )
    if owner and claims:
        heading_id, heading = heading_text(owner.text)
        story.priority = split_priority(owner.text)[1]
        story.begin = owner.block
        story.first = blocks[owner.block].first
        story.id = identifier or heading_id
        if owner.block != index:
            story.title = title or heading
    return story


def _with_heading(blocks: list[Block], story: Story) -> Story:
    """A story that a whole table tells, with the id and title of the heading right above the table."""
    heading = blocks[story.begin - 1] if story.begin else None
    if story.level and heading and heading.shape is Shape.HEADING and not is_about_stories(heading.text):
        story.id, story.title = heading_text(heading.flat)
        story.begin, story.first, story.level = story.begin - 1, heading.first, heading.level
    return story


def _without_sentence(blocks: list[Block], stories: list[Story]) -> Iterator[Story]:
    """Headings that name a story by an explicit id or by `Story:`, with criteria below but no sentence."""
    found = list(_headed(blocks, stories))
    for position, (story, named) in enumerate(found):
        inner = found[position + 1][0].begin if position + 1 < len(found) else story.end
        # "2. Functional requirements" gathers stories, where all criteria below it are theirs.
        if named or inner >= story.end or announces_criteria(blocks, story.begin, inner):
            yield story


def _headed(blocks: list[Block], stories: list[Story]) -> Iterator[tuple[Story, bool]]:
    """The stories of headings without a sentence, and whether the heading itself names one."""
    begun = sorted(story.after for story in stories)
    above: list[_Heading] = []
    for index, block in enumerate(blocks):
        if block.shape is not Shape.HEADING:
            continue
        while above and above[-1].level >= block.level:
            above.pop()
        text = block.flat
        identifier, title = heading_text(text)
        named = (identifier and not names_criterion(identifier)) or without_story_label(text)
        # Below a story's own heading, `## Requirements` and what stands under it are its parts.
        inside = any(_is_of_a_story(heading.text) for heading in above)
        below_stories = (
            bool(above)
            and not inside
            and is_about_stories(above[-1].text)
            and not is_part_of_story(text)
            # "Content requirements" below "Requirements of tickets" are a part of these.
            and not _OF_REQUIREMENTS.search(text)
        )
        above.append(_Heading(index, block.level, text))
        if not (named or below_stories) or is_criteria_heading(text) or is_placeholder(title):
            continue
        story = Story.of_section(blocks, index, title, identifier)
        story.priority = split_priority(text)[1]
        told_below = any(index < after <= story.end for after in begun)
        if requirement_title(text) or told_below:
            continue
        announced = announces_criteria(blocks, index, story.end)
        story.numbered = not announced and has_numbered_criteria(blocks, index, story.end, identifier)
        if announced or story.numbered:
            yield story, bool(named)


def _is_of_a_story(heading: str) -> bool:
    identifier, _ = heading_text(heading)
    return bool(identifier) and not names_requirement(identifier) and not _OF_SEVERAL.match(identifier)
