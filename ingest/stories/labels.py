"""The words that structure a page of stories: criteria, scenarios, particulars, and what is none of these."""

from __future__ import annotations

import re
from typing import NamedTuple

from ingest.stories import chinese

_CRITERIA = re.compile(
    r"(?:user\s+|the\s+)?acceptance\s+(?:criteria|criterion|tests?|conditions?|scenarios?)\b"
    r"|(?:success\s+)?criteria(?=\s*(?::|\(|$))|scenarios(?=\s*(?::|\(|$))|conditions\s+of\s+satisfaction\b"
    rf"|done\s+when\b|acceptance(?=\s*(?::|$))|ACs?(?=\s*:|$)|{chinese.CRITERIA}",
    re.IGNORECASE,
)
_AFTER_LABEL = re.compile(r"\s*(?:[(（][^)）]{0,80}[)）])?\s*[:：.…–—-]*\s*")
_SCENARIO = re.compile(
    rf"(?:scenario(?:\s+(?:outline|template))?|example|{chinese.SCENARIO})\s*#?(?:\d+(?:\.\d+)*)?"
    r"\s*(?:[:：.–—-]\s*(?P<title>.*)|$)",
    re.IGNORECASE | re.DOTALL,
)
_PARTICULAR = re.compile(r"(?P<name>[A-Za-z][A-Za-z _-]{1,24}?)\s*:\s*(?P<value>.*)", re.DOTALL)
_PARTICULARS = frozenset(
    (
        *(
            "priority",
            "prio",
            "moscow",
            "tag",
            "tags",
            "label",
            "labels",
            "id",
            "story-id",
            "type",
            "area",
            "module",
        ),
        *(
            "estimate",
            "estimation",
            "story-points",
            "points",
            "size",
            "effort",
            "risk",
            "version",
            "component",
        ),
        *(
            "status",
            "state",
            "owner",
            "epic",
            "sprint",
            "milestone",
            "release",
            "assignee",
            "author",
            "reporter",
        ),
        *(
            "note",
            "notes",
            "related",
            "depends-on",
            "dependencies",
            "dependency",
            "link",
            "links",
            "see-also",
        ),
        *("date", "created", "updated"),
    )
)
_OTHER = re.compile(
    r"(?:technical\s+|implementation\s+|design\s+|developer\s+)?(?:notes?|tasks?|sub-?tasks?|todos?|links?|references?|mock-?ups?"
    r"|wireframes?|designs?|dependencies|assumptions?|constraints|risks?|questions?|details?|comments?|background|context"
    r"|rationale|out\s+of\s+scope|in\s+scope|scope|open\s+questions?|open\s+issues|non-?goals?|definition\s+of\s+(?:done|ready)"
    r"|see\s+also|further\s+reading|related(?:\s+\w+)?|examples?|remarks?|hints?|estimates?|estimation|priority|status)\b"
    rf"|(?:{chinese.OTHER})(?=\s*(?:[:：(（]|$))",
    re.IGNORECASE,
)
_STORY = re.compile(
    rf"(?:(?:user\s+)?stor(?:y|ies)(?=\W|$)|{chinese.STORY})(?:\s*#?\d{{1,4}}(?:[.-]\d{{1,4}}){{0,3}})?"
    r"\s*(?:[:：–—]{1,2}\s*|--?\s+|$)",
    re.IGNORECASE,
)
_SPEC = re.compile(r"(?:\w+\s+)?spec(?:ification)?(?:\s*[:：–—]\s*|\s+-\s+|\s+)(?=\S)", re.IGNORECASE)
_REQUIREMENT = re.compile(
    rf"(?:(?:(?:ADDED|MODIFIED|NEW)\s+)?requirement(?=\W|$)|{chinese.REQUIREMENT})"
    r"(?:\s*#?(?P<number>\d{1,4}(?:[.-]\d{1,4}){0,3}))?\s*(?:[:：–—]{1,2}\s*(?P<title>\S.*)|$)",
    re.IGNORECASE | re.DOTALL,
)
_PRIORITY = re.compile(
    rf"\s*[(（](?:priority|prio|{chinese.PRIORITY})\s*[:：]\s*(?P<value>[^()（）]{{1,30}})[)）]",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"\[[^\]]*\be\.g\.[^\]]*\]")
_ABOUT_STORIES = re.compile(
    rf"\b(?:stor(?:y|ies)|backlog|epics?|requirements?|use\s+cases?)\b|{chinese.ABOUT_STORIES}", re.IGNORECASE
)
_PART_OF_STORY = re.compile(
    r"(?:user\s+)?story|(?:user\s+)?story\s+(?:statement|description)|description|narrative|summary|statement|goal"
    rf"|overview(?:\s+and\s+\w+)?|introduction|context|purpose|{chinese.PART_OF_STORY}",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"\[[^\]]*\]|<[^>]*>|\{[^}]*\}|(?:acceptance\s+)?criteri(?:on|a)\s*\d+(?:\W.{0,40})?|\(given\).{0,40}",
    re.IGNORECASE,
)


class Particular(NamedTuple):
    """A line such as `Priority: high`; the name is in lower case with hyphens."""

    name: str
    value: str


def after_criteria_label(text: str) -> str | None:
    """What follows the words that announce acceptance criteria (often nothing); None where there are none."""
    match = _CRITERIA.match(text)
    if not match:
        return None
    after = _AFTER_LABEL.match(text, match.end())
    return text[after.end() if after else match.end() :].strip()


def is_criteria_heading(text: str) -> bool:
    """Whether a heading announces acceptance criteria."""
    return _CRITERIA.match(text) is not None


def scenario_title(text: str) -> str | None:
    """The title of a scenario that a text begins (it may be empty), or None where it begins none."""
    match = _SCENARIO.match(text)
    return (match["title"] or "").strip() if match else None


def particular(text: str) -> Particular | None:
    """The particular that a line gives, or None."""
    match = _PARTICULAR.match(text)
    if not match:
        return None
    name = re.sub(r"[\s_]+", "-", match["name"].strip().lower())
    return Particular(name, match["value"].strip()) if name in _PARTICULARS else None


def announces_other(text: str) -> bool:
    """Whether a heading or label announces something that is no criteria: notes, tasks, links."""
    match = _OTHER.match(text)
    return match is not None and len(text) - match.end() <= 30


def without_story_label(text: str) -> str | None:
    """What follows `User story:`; None where a text does not begin with it."""
    match = _STORY.match(text)
    return text[match.end() :].strip() if match else None


def without_spec_label(text: str) -> str | None:
    """What follows `Spec:` or `Feature specification`; None where a text does not begin with it."""
    match = _SPEC.match(text)
    return text[match.end() :].strip() if match else None


def requirement_title(text: str) -> str | None:
    """The title of a requirement that a heading names (`Requirement: …`); None where it names none."""
    match = _REQUIREMENT.fullmatch(text)
    return match["title"].strip() if match and match["title"] else None


def requirement_number(text: str) -> str:
    """The number of a requirement that a heading names (`Requirement 1: …`); empty where it gives none."""
    match = _REQUIREMENT.fullmatch(text)
    return (match["number"] or "") if match else ""


def split_priority(text: str) -> tuple[str, str]:
    """A heading without its priority, `(Priority: P1)`, and the priority; empty where it gives none."""
    match = _PRIORITY.search(text)
    return (text[: match.start()] + text[match.end() :], match["value"].strip()) if match else (text, "")


def is_template(text: str) -> bool:
    """Whether a sentence has a place in brackets where the writer of a template gives an example."""
    return _TEMPLATE.search(text) is not None


def is_about_stories(text: str) -> bool:
    """Whether a heading says that stories stand below it."""
    return _ABOUT_STORIES.search(text) is not None


def is_part_of_story(text: str) -> bool:
    """Whether a heading names a part of one story, so that the heading above it has the story's title."""
    return _PART_OF_STORY.fullmatch(text.rstrip(" :：")) is not None


def is_placeholder(text: str) -> bool:
    """Whether a title or criterion is only a place in a template where one is to be written."""
    return _PLACEHOLDER.fullmatch(text.strip()) is not None


def words(value: str) -> list[str]:
    """The tags that a particular lists."""
    return [word for part in value.split(",") if (word := part.strip(" `#@\t\n"))]
