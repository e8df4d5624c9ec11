"""Prose cut into sentences, without what is not said: examples, questions, history, hypotheses, speech."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from graph.patterns import pattern

_LONGEST = 600
_WRAPPED = 60
_END = pattern(r"""(?<=[.!?])["”')]?\s+(?=["“(]?[A-Z]|`)|\s*;\s+|(?<=\S)\s+[—–]\s+""")
_ABBREVIATED = pattern(r"\b(?:e\.g|i\.e|vs|etc|approx|max|min|no|nr|cf|resp)\.$", re.IGNORECASE)
_QUOTED = pattern(r'"[^"\n]*"|“[^”\n]*”|«[^»\n]*»')
_PARENTHESIS = pattern(r"\s+\((?:[^()]|\([^()]*\))*\)")
_SPAN = pattern(r"(`[^`]*`)")
_KEPT = pattern(r"\(\s*(?:defaults?\b|min|max|at (?:least|most)|optional|required|mandatory)", re.IGNORECASE)
# An amount that is told of a thing on the way, and not of what the sentence speaks of.
_AMOUNT = pattern(
    r"\s+\((?:at (?:least|most)|min|max)\b[^()]*\)(?=\s+(?!(?:is|are|and|or)\b)\w)", re.IGNORECASE
)
_STATUS = pattern(r"^\s*\((?:HTTP\s+)?(?:[1-5]\d\d\b[\w\s-]*|[A-Z][\w-]*(?:\s[A-Z][\w-]*){0,4})\)$")
_EXAMPLE = pattern(
    r"[,;:]?\s*\b(?:for example|for instance|e\.g\.|eg\.|i\.e\.|such as|cf\.)(?=\W).*",
    re.IGNORECASE | re.DOTALL,
)
# What is program text, and no sentence, though it stands between sentences.
_CODE = pattern(
    r"\w\([^()\s]*=|\w\(['\"]|^[^`]*\w \+?= [\w'\"\[{]|\b(?:raise|return|import|def|class|assert"
    r"|yield) \w[\w.]*\(|\{%|=>|->|[^:]//|;$"
    r"|\b(?:if|for|while|def|class|try|else|except)\b[^`]*:$"
)
# What makes a sentence say nothing of how things are.
_UNSAID = pattern(
    r"\?\s*$|\.\.\.\s*$"
    r"|^\W*(?:asserts?|(?:making|makes?) sure|testing|checking|ensuring|verifying"
    r"|say|suppose|imagine|assume|assuming|consider|let[’']?s|let us|perhaps|maybe|ideally"
    r"|in theory|note to self"
    r"|tests?(?: that| if| whether)?|ensures?|verif(?:y|ies)|checks?|todo|fixme|see|compare|example|added"
    r"|adds?|fix(?:ed|es)?|changed?|changes|removed?|removes"
    r"|improved?|benchmarks?|bump(?:ed|s)?"
    r"|upgraded?|dropped?|renamed?|introduced?|deprecated?|refactor(?:ed)?|(?:allow"
    r"|support)(?:ed)?(?! (?:values|options|choices))|updated?|updates"
    r"|make|made|ensured?|drop|switch(?:ed)?|moved?|raised the|bugfix|it[’']s|historically)\b"
    r"|\b(?:perhaps|maybe|might|could|would|wouldn[’']t|couldn[’']t|probably|presumably|hopefully|think"
    r"|thinks|thought"
    r"|believe|believes|previously|formerly|originally|used to|historically|nowadays|earlier versions?"
    r"|older versions?|newer versions?|prior versions?|previous versions?|next version|back then|now"
    r"|respectively)\b"
    r"|\bno longer\b(?! than)|\b(?:versions?|releases?|v\.?)\s?\d|\b(?:since|until|till|as of|prior to"
    r"|before|after|in|from|with)\s+v?\d+\.\d"
    r"|^(?:problem|diagnos\w+|symptoms?|causes?|question|bug|issue|solution|workaround|caveat)\s*:"
    r"|\bRFC\s?\d|\b(?:issue|bug|pull request|PR|ticket)\s?#?\d|\b#\d+\b|::|\b(?:said|asked|told|wrote)\b",
    re.IGNORECASE,
)
_PAST = pattern(r"\b(?:was|were|had|did|didn[’']t|wasn[’']t|been|got|returned to)\b", re.IGNORECASE)
_OPENING = pattern(
    r"^(?:(?P<condition>otherwise|instead|by contrast|then(?=,)|(?-i:then))|however|therefore|thus|hence|additionally"
    r"|in addition|moreover"
    r"|furthermore|finally|also|note that|in other words|in general|in fact|of course|that is)\b,?\s+",
    re.IGNORECASE,
)
# Where a condition begins, in front of a clause and behind it.
_CASE = (
    r"(?:if|when|whenever|once|as long as|in case|provided(?: that)?|unless|while|where|after|before|until|for"
    r"|given|on|upon|in|to|with|without|under|during|using|by|from"
    r"|within(?!\s+\d)|at(?!\s+(?:most|least)\b))\b"
)
_BEFORE = pattern(
    rf"^(?P<condition>by default(?!\s+(?:is|are)\b)|{_CASE}[^,]*?)(?:,|\s+-+(?=\s)|\s+[–—]|(?<=default)(?=\s)"
    r"|\s+then(?=\s))\s*(?:then\s+)?(?=\S)",
    re.IGNORECASE,
)
# A case that speaks itself is no case of what follows: "with the option you can set whether …, default is True".
_SPEAKS = pattern(
    r"\bwill\b|^(?:to|with|without|under|during|using|by|at|from|in|on|for|upon|within)\b.*"
    r"\b(?:you|we) (?:can|may|must|should|have|need)\b",
    re.IGNORECASE,
)
_ELSE = pattern(r"(?:otherwise|else)\b", re.IGNORECASE)
_HOWEVER = pattern(r",\s+(?:however|therefore|thus|hence|moreover|instead),\s+", re.IGNORECASE)
_GOES_ON = pattern(r"\b(?:and|or)$", re.IGNORECASE)
# A sentence that the page breaks off: its last word wants another.
_BROKEN_OFF = pattern(
    r"\b(?:in|of|to|with|for|the|an?|and|or|by|on|at|from|than|as|if|when|unless|that|which|is|are|be)$|,$",
    re.IGNORECASE,
)
# What begins with a case that nothing separates from the clause cannot be told from it.
_UNPARTED = pattern(rf"^{_CASE}", re.IGNORECASE)
_OPEN_CASE = pattern(rf"^\W*{_CASE}[^,]*$", re.IGNORECASE)
_AFTER = pattern(
    r",?\s+(?P<condition>(?:(?:only|even)\s+)?(?:if|when|whenever|(?<!most )(?<!least )once(?=\s)"
    r"|as long as|in case|provided that|unless|while"
    r"|(?<!ing )where|whereas|because|since|(?<!ing )whether|until|otherwise(?=\W*$)|depending"
    r"|although|though|(?<!one )"
    r"(?<!nobody )except|apart from|but not)\b.*)$",
    re.IGNORECASE | re.DOTALL,
)
# What is set against the clause behind a comma is no condition of it.
_CONTRAST = pattern(r"^,\s+(?:while|although|though|whereas)\b", re.IGNORECASE)
# Where the words behind a condition go on with what holds in another case.
_FURTHER_CASE = pattern(
    r"\s--\s|,\s+or\s+(?:do|return|leave|raise|skip|ignore|pass|continue)\b"
    r"|,?\s+(?:and|but|or|else)\s+(?=[^,]*?\S\s+(?:if|when|unless)\s)",
    re.IGNORECASE,
)
# What is listed behind a case is none: "when asking for books: the title, the author".
_LISTED = pattern(
    r"(?<=\s[a-z]):\s|(?<=[a-z][a-z][a-z]):\s(?!application|text|image)(?=(?:an?|the)\s|`|\w+,)"
)
_TURNS = pattern(r",?\s+(?:but|and|or|else),?\s+(?:if|when|unless)\b", re.IGNORECASE)
_PLAIN = pattern(r"^(?:if|when|whenever)\s+", re.IGNORECASE)
# What goes on behind the clause: the other case, what follows from it, or more about its last word.
_ASIDE = pattern(
    r"[,;]?\s+otherwise,?\s+\S.*$|,\s+(?:(?:which|so|else)\s|depending on [^,]*,\s).*$",
    re.IGNORECASE | re.DOTALL,
)
# A case behind a comma that has a clause of its own: "are optional, if they are not given the rest will be used".
_OWN_CLAUSE = pattern(r"^,\s+(?:if|when|unless)\b[^,]*\bwill\b", re.IGNORECASE)
_EITHER_WAY = pattern(r"\b(?:and|or|but)\b", re.IGNORECASE)
_ROLE_OFF = pattern(r"`!(?=[\w.])")
_SPACE = pattern(r"\s+")


class Sentence(NamedTuple):
    """One sentence as written (`words`), where it begins, and what it says, under what condition."""

    words: str
    line: int
    said: str
    condition: str


def sentences(text: str, first_line: int = 1, worth: re.Pattern[str] | None = None) -> Iterator[Sentence]:
    """The sentences of a text that say something; lines that go on in small letters belong together.

    With `worth`, only sentences in which the pattern is found are looked at.
    """
    for paragraph, line in _paragraphs(text, first_line):
        start = 0
        for end, after in _ends(paragraph):
            raw = paragraph[start:end]
            # Counted before spaces are folded, so that each sentence keeps the line that it begins on.
            begin = line + paragraph.count("\n", 0, start + len(raw) - len(raw.lstrip()))
            start = after
            if worth is not None and worth.search(raw) is None:
                continue
            sentence = _sentence(raw, begin)
            if sentence is not None:
                yield sentence


def _paragraphs(text: str, first_line: int) -> Iterator[tuple[str, int]]:
    gathered: list[str] = []
    begin = first_line
    for number, row in enumerate(text.split("\n"), start=first_line):
        bare = row.strip()
        goes_on = gathered and bare and gathered[-1][-1:] not in ".:;!?" and _continues(gathered[-1], bare)
        if not goes_on:
            if gathered:
                yield "\n".join(gathered), begin
            gathered, begin = [], number
        if bare and not bare.startswith(("|", '"""', "```")):
            gathered.append(bare)
    if gathered:
        yield "\n".join(gathered), begin


def _continues(last: str, bare: str) -> bool:
    """Whether a line goes on with the one before: it begins like the middle of a sentence, or that one "
    "is full."""
    return bare[0].islower() or bare[0] in "`('\"“" or len(last) >= _WRAPPED


def _ends(paragraph: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _END.finditer(paragraph):
        dash = match[0].strip() in ("—", "–")
        if _ABBREVIATED.search(paragraph[: match.start()]) or (
            dash and _OPEN_CASE.match(paragraph[start : match.start()])
        ):
            continue
        yield match.start(), match.end()
        start = match.end()
    yield len(paragraph), len(paragraph)


def _sentence(raw: str, line: int) -> Sentence | None:
    words = _SPACE.sub(" ", raw).strip()
    if not words or len(words) > _LONGEST or words.endswith("?") or words.startswith(("#", ">", "@")):
        return None
    if _BROKEN_OFF.search(words):
        return None
    quoted = (part if part.startswith("`") else _QUOTED.sub(_unquoted, part) for part in _SPAN.split(words))
    said = _ROLE_OFF.sub("`", "".join(quoted))
    said = _HOWEVER.sub(", ", _EXAMPLE.sub("", said))
    if _CODE.search(said):
        return None
    if not said or _UNSAID.search(said):
        return None
    # What stands in backticks is one thing, with its brackets.
    said = "".join(
        part
        if part.startswith("`") and part.endswith("`")
        else _PARENTHESIS.sub(_parenthesis, _AMOUNT.sub("", part))
        for part in _SPAN.split(said)
    )
    said, condition = _parted(said.strip().rstrip(".!:;, "))
    if not said or _PAST.search(said):
        return None
    # Where the case and the clause cannot be told apart, only what is named can be read.
    return Sentence(words, line, "" if _UNPARTED.match(said) or _GOES_ON.search(said) else said, condition)


def _unquoted(match: re.Match[str]) -> str:
    """Short quotations name something; longer ones are speech, and what they say is not said here."""
    inner = match[0][1:-1]
    return match[0] if inner.count(" ") < 2 else "“…”"


def _parenthesis(match: re.Match[str]) -> str:
    return match[0] if _KEPT.search(match[0]) or _STATUS.match(match[0]) else ""


def _parted(text: str) -> tuple[str, str]:
    """What a sentence says, and under what condition; `if` and `when` are left off the condition's words."""
    found: list[str] = []
    while opening := _OPENING.match(text):
        if opening["condition"]:
            found.append(opening["condition"].lower())
        text = text[opening.end() :]
    while before := _BEFORE.match(text):
        if _SPEAKS.search(before["condition"]) or _ELSE.match(text[before.end() :]):
            return "if", ""
        found.append(before["condition"])
        text = text[before.end() :]
    text = _ASIDE.sub("", text)
    if _TURNS.search(text):
        # What follows "but if" tells of another case.
        text = _TURNS.split(text)[0]
    after = _AFTER.search(text)
    if after and after.start():
        joined = after["condition"].lower() == "otherwise" and _EITHER_WAY.search(text[: after.start()])
        if joined or _OWN_CLAUSE.match(after[0]):
            return "if", ""
        contrast = _CONTRAST.match(after[0])
        text, condition = (
            text[: after.start()],
            "" if contrast else _LISTED.split(_FURTHER_CASE.split(after["condition"])[0])[0],
        )
    else:
        condition = ""
    parts = [_PLAIN.sub("", part) for part in (*found, condition) if part]
    return text.strip(" ,"), " and ".join(parts)
