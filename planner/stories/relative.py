"""How a thing stands, put in front of it: `a doctor who is on leave`, `a doctor on leave` is `an on_leave doctor`."""

from __future__ import annotations

import re

from planner.contracts.resources import singular
from planner.stories.acting import Acting
from planner.stories.things import with_article

_CLAUSE = re.compile(
    r"(?P<lead>^|\b(?:with|for|of|to|from|by)\s+)?\b(?P<article>an?|another|the|that|this)\s+(?P<noun>[a-z]+)\s+"
    r"(?:(?:who|that|which)\s+(?:is|was|has been)\s+(?:already\s+|still\s+|currently\s+)?"
    r"|(?(lead)(?=(?:at|in|off|on|out|under)\s)|(?!)))"
    r"(?P<words>[a-z][\w-]*(?:\s+[a-z]+){0,4})",
    re.I,
)
_ALONE = re.compile(
    r"(?P<article>\b(?:an?|another|the|this|that)\s+|^)(?P<state>[a-z]+)"
    r"(?=\s+(?:can(?:not)?|may|must|is|are|was|that|which|with|to|of|for|in)\b|\s*[.,;(]|$|\s+[\"“])",
    re.I,
)
_OR = re.compile(r",\s*(?:or\s+)?|\s+or\s+", re.I)
_WORDS = r"[a-z-]+(?:\s(?!or\b)[a-z]+)?"
_STATES = rf"(?P<states>{_WORDS}(?:,\s+{_WORDS})*,?\s+or\s+{_WORDS}?)"
_LISTED_AHEAD = re.compile(rf"\b(?:an?|the)\s+{_STATES}\s+(?P<noun>[a-z]+)\b", re.I)
_LISTED_BEHIND = re.compile(
    rf"\b(?:an?|the)\s+(?P<noun>[a-z]+)\s+(?:is|was|has been)\s+{_STATES}(?=\s*(?:,|$|\bthen\b|\bthe\b))",
    re.I,
)
_MORE = re.compile(r"\s*(?:,|\bor\b|\band\b|\bnor\b)", re.I)


def states_ahead(text: str, acting: Acting) -> str:
    """The text with each state that a clause behind a thing tells as a word in front of it.

    What lists several states is left as it is.
    """
    ahead = _CLAUSE.sub(lambda match: _ahead(match, acting), text)
    return _ALONE.sub(lambda match: _with_noun(match, acting), ahead)


def alternatives(text: str, acting: Acting) -> list[str]:
    """The text once for each of the states of which it says that a thing is in one: `a pending or confirmed order`."""
    for pattern in (_LISTED_AHEAD, _LISTED_BEHIND):
        for match in pattern.finditer(text):
            words = [each.strip() for each in _OR.split(match["states"]) if each.strip()]
            states = [acting.standing(match["noun"].lower(), each) for each in words]
            if len(words) > 1 and all(each is not None for each in states):
                start, end = match.span("states")
                return [f"{text[:start]}{each.word}{text[end:]}" for each in states if each is not None]
    return [text]


def _with_noun(match: re.Match[str], acting: Acting) -> str:
    """A state that stands for the things that are in it, before their noun: `a draft poll` for `a draft`."""
    word = match["state"].lower()
    noun = acting.noun_of_state(singular(word)) if not acting.is_thing(word) else ""
    if not noun:
        return match[0]
    if match["article"]:
        return f"{match['article']}{match['state']} {noun}"
    return f"{with_article(singular(word)).capitalize()} {noun}" if singular(word) != word else match[0]


def _ahead(match: re.Match[str], acting: Acting) -> str:
    noun = match["noun"]
    words = match["words"].split()
    for count in range(len(words), 0, -1):
        state = acting.standing(noun.lower(), " ".join(words[:count]))
        if state is None:
            continue
        rest = " ".join(["", *words[count:]])
        if _MORE.match(rest or match.string[match.end() :]):
            break
        article, word = match["article"], state.word.lower()
        article = with_article(word).split()[0] if article.lower() in ("a", "an") else article
        article = article if match["article"][0].islower() else article.capitalize()
        return f"{match['lead'] or ''}{article} {word} {noun}{rest}"
    return match[0]
