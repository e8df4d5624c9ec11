"""How a thing stands, put in front of it: `a doctor who is on leave`, `a doctor on leave` is `an on_leave doctor`."""

from __future__ import annotations

import re

from planner.stories.acting import Acting
from planner.stories.things import with_article

_CLAUSE = re.compile(
    r"(?P<lead>^|\b(?:with|for|of|to|from|by)\s+)?\b(?P<article>an?|another|the|that|this)\s+(?P<noun>[a-z]+)\s+"
    r"(?:(?:who|that|which)\s+(?:is|was|has been)\s+(?:already\s+|still\s+|currently\s+)?"
    r"|(?(lead)(?=(?:at|in|off|on|out|under)\s)|(?!)))"
    r"(?P<words>[a-z][\w-]*(?:\s+[a-z]+){0,4})",
    re.I,
)
_MORE = re.compile(r"\s*(?:,|\bor\b|\band\b|\bnor\b)", re.I)


def states_ahead(text: str, acting: Acting) -> str:
    """The text with each state that a clause behind a thing tells as a word in front of it.

    What lists several states is left as it is.
    """
    return _CLAUSE.sub(lambda match: _ahead(match, acting), text)


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
