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
_MORE = re.compile(r"\s*(?:,|\bor\b|\band\b|\bnor\b)", re.I)


def states_ahead(text: str, acting: Acting) -> str:
    """The text with each state that a clause behind a thing tells as a word in front of it.

    What lists several states is left as it is.
    """
    ahead = _CLAUSE.sub(lambda match: _ahead(match, acting), text)
    return _ALONE.sub(lambda match: _with_noun(match, acting), ahead)


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
