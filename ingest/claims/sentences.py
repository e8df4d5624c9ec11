"""Prose cut into sentences, without what is not said: examples, questions, history, hypotheses, speech."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from graph.patterns import pattern
from ingest.claims.active import turned
from ingest.claims.cases import is_case
from ingest.claims.duties import without_asides
from ingest.claims.labelled import field_notes
from ingest.claims.noted import noted
from ingest.claims.restated import restated
from ingest.claims.rows import is_row
from ingest.claims.shorthand import spelled_out

_LONGEST = 600
_WRAPPED = 60
_END = pattern(r"""(?<=[.!?])["”')]?\s+(?=["“(]?[A-Z]|`)|\s*;\s+""")
_ABBREVIATED = pattern(r"\b(?:e\.g|i\.e|vs|etc|approx|max|min|no|nr|cf|resp)\.$", re.IGNORECASE)
_QUOTED = pattern(r'`[^`]*`|"(?:[^"`\n]|`[^`]*`)*"|“[^”\n]*”|«[^»\n]*»')
_SPEECH = "“…”"
# What is program text, and no sentence, though it stands between sentences.
_CODE = pattern(
    r"\w\([^()\s]*=|\w\(['\"]|^[^`]*\w \+?= [\w'\"\[{]|\b(?:raise|return|import|def|class|assert"
    r"|yield) \w[\w.]*\(|[\])]\s+#\s|\{%|=>|->|[^:]//|;$"
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
    r"|support)(?:ed)?(?! (?:values|options|choices|statuses|states|roles|priorities|categories|kinds))"
    r"|updated?|updates"
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
# What makes more of a sentence than one clause with one case: brackets, examples, comparisons, reasons, contrasts,
# habits, and what another sentence has to explain.
_MORE = pattern(
    r"[()…;]|\.,|\s[-–—]+(?:\s|$)|:.*:|[.!]\s"
    r"|\b(?:e\.?g|i\.?e|cf|etc|such as|for (?:example|instance)|namely|including|particularly|especially"
    r"|instead|rather|likewise|similarly|the same|same as|as well|as usual|as soon as|unlike|like|just as"
    r"|usually|typically|generally|normally|often|sometimes|mostly|currently|temporarily|so far|almost|nearly"
    r"|about|around|roughly|approximately|effectively|essentially|basically|potentially|possibly|likely|apparently"
    r"|because|since|so that|so|in order|(?<!nobody )(?<!one )(?<!none )(?:but|except)|although|though|whereas"
    r"|while|besides|apart from|which|whose|whether"
    r"|above|below|following|latter|former|legacy|please|compared|depending|according|regardless|even"
    r"|in (?:this|that|which|such|these|those|both|either|all|some|most|many|other) (?:cases?|situations?|scenarios?)"
    r"|do you|you want|try|meant|want to|no-?op)\b",
    re.IGNORECASE,
)
_CODE_SPAN = pattern(r"`[^`]*`|\"[^\"]*\"|'[^' ]*'|“[^”]*”")
# Brackets that say what the words before them are called: the name of a status, a default behind what it is for.
_STATUS_NAME = pattern(r"(?<=\b[1-5]\d\d )\([A-Z][\w-]*(?:\s[A-Z][\w-]*){0,4}\)")
_DEFAULT_NAMED = pattern(r"[(\[]\s*(?:optional\s*[,;]\s*)?default[^()\[\]]*[)\]](?=:\s|$)", re.IGNORECASE)
# "Defaults to 0 (meaning no limit)": what a default means does not narrow it.
_DEFAULT_MEANS = pattern(
    r"(?<=\S)\s\((?:meaning|treated as|that is|i\.e\.,?|no|not|unlimited|disabled|enabled|unset|off|never|always)\b"
    r"(?![^()]*\b(?:if|when|unless|where|otherwise|but|except|for|on|in)\b)[^()]{0,60}\)$",
    re.IGNORECASE,
)
# "A list is empty at first (FR-003)": whose sentence this is.
_CITED = pattern(r"\s\((?:[A-Z][A-Z\d]*(?:-[A-Z\d]+)*-\d+(?:\.\d+)*(?:,\s|(?=\))))+\)$")
_FORM_SHOWN = pattern(r"\s\(`?[YMDhms:/.TZ-]{6,}`?\)", re.IGNORECASE)
_STATUS_IN_CODE = pattern(r"`([1-5]\d\d (?:[A-Z][\w-]*\s?){1,4})`")
_LEADS_IN = pattern(r"[:,]$")
_LOOSE_END = pattern(r"\b(?:only|even|and|or|not|the|an?)$|,$", re.IGNORECASE)
_PAST = pattern(r"\b(?:was|were|had|did|didn[’']t|wasn[’']t|been|got|returned to)\b", re.IGNORECASE)
_OPENING = pattern(
    r"^(?:(?P<condition>otherwise|else(?=\s+(?:raises?|throws?|returns?)\b)|instead|by contrast|then(?=,)|(?-i:then))"
    r"|however|therefore|thus|hence|additionally|in addition|moreover|furthermore"
    r"|finally|also|note that|in other words|in general|in fact|of course|that is)\b,?\s+",
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
# A short case before a clause with an article needs no comma: "when the class is full the booking is refused".
_BARE = pattern(
    r"^(?P<condition>(?:if|when|whenever) (?:the|an?) [\w-]+(?: [\w-]+)?"
    r" (?:(?:is|are)(?: (?:not|already|still))? (?!(?:not|already|still|an?|the)\b)[\w-]+"
    r"|(?:does|do) not exist|exists?)) (?=(?:the|an?) )",
    re.IGNORECASE,
)
# "While the system is in maintenance mode, the API shall return 503": a state in which something holds.
_STATE_DRIVEN = pattern(
    r"^while\s+(?=[^,]+,\s+(?:the|an?|each|every)\s[^,]*\b(?:shall|must)\b)", re.IGNORECASE
)
# What begins with a case that nothing separates from the clause cannot be told from it.
_UNPARTED = pattern(rf"^{_CASE}", re.IGNORECASE)
_AFTER = pattern(
    r",?\s+(?P<condition>(?:(?:only|even)\s+)?(?:if|when|whenever|(?<!most )(?<!least )once(?=\s)"
    r"|as long as|in case|provided that|unless|while"
    r"|(?<!ing )where|whereas|because|since|(?<!ing )whether|until|otherwise(?=\W*$)|depending"
    r"|although|though|(?<!one )"
    r"(?<!nobody )except|apart from|but not)\b.*)$",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN = pattern(r"^(?:if|when|whenever)\s+", re.IGNORECASE)
# A sentence that the page breaks off: its last word wants another.
_BROKEN_OFF = pattern(
    r"\b(?:in|of|to|with|for|the|an?|and|or|nor|neither|but|by|on|at|from|than|as|if|when|unless|that|which|is|are|be"
    r"|outside|inside|within|into|onto|under|via|between|among|against|during|upon|whose|per|any|each|every)$|,$",
    re.IGNORECASE,
)
_UNDERLINES = frozenset("=~^\"'*+#`-")
_UNDERLINE = pattern(r"([=~^\"'*+#`-])\1{2,}")
# "If the shelf is not found" on a line of its own wants what happens then.
_CASE_ALONE = pattern(r"(?:if|when|unless)\s[^:]*[\w)]$", re.IGNORECASE)
_BULLET = pattern(r"[-*+•]\s|\d+[.)]\s")
_HOWEVER = pattern(r",\s+(?:however|therefore|thus|hence|moreover|instead),\s+", re.IGNORECASE)
_ROLE = pattern(r":(?:\w+:){1,2}(?=`)")
_ROLE_OFF = pattern(r"`!(?=[\w.])")
_REFERENCE = pattern(r":(?:ref|doc|term|numref|download):`([^`<]+?)(?:\s*<[^`>]*>)?`")
_ESCAPED = pattern(r"\\([_*<>\[\]#`|-])")
_SPACE = pattern(r"\s+")


class Sentence(msgspec.Struct, frozen=True):
    """One sentence as written (`words`), where it begins, and what it says, under what condition."""

    words: str
    line: int
    said: str
    condition: str

    @property
    def named(self) -> str:
        """The words in which things are named: without speech, which tells what somebody else says."""
        return _without_speech(self.words) if '"' in self.words or "“" in self.words else self.words


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
    fenced = False
    for number, row in enumerate(text.split("\n"), start=first_line):
        bare = row.strip()
        fenced = fenced is not bare.startswith(("```", "~~~"))
        bare = "" if fenced else bare
        if len(gathered) == 1 and bare[:1] in _UNDERLINES and _UNDERLINE.fullmatch(bare):
            # What is underlined is a heading.
            gathered, begin = [], number
            continue
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
    """Whether a line goes on with the one before: it begins like the middle of a sentence, or that one is full or
    wants another word."""
    return (
        bare[0].islower()
        or bare[0] in "`('\"“"
        or bare.startswith("/ ")
        or len(last) >= _WRAPPED
        or _ROLE.match(bare) is not None
        or (_CASE_ALONE.match(last) is not None and _BULLET.match(bare) is None)
        or (_BROKEN_OFF.search(last) is not None and _BULLET.match(bare) is None)
    )


def _ends(paragraph: str) -> Iterator[tuple[int, int]]:
    for match in _END.finditer(paragraph):
        if _ABBREVIATED.search(paragraph[: match.start()]):
            continue
        yield match.start(), match.end()
    yield len(paragraph), len(paragraph)


def _sentence(raw: str, line: int) -> Sentence | None:
    words = _SPACE.sub(" ", raw).strip()
    if not words or len(words) > _LONGEST or words.endswith("?") or words.startswith(("#", ">", "@")):
        return None
    if _BROKEN_OFF.search(words) or is_row(raw, words):
        return None
    said = _STATUS_IN_CODE.sub(r"\1", _ROLE.sub("", _ROLE_OFF.sub("`", _without_speech(_plain(words)))))
    said = spelled_out(field_notes(without_asides(said)))
    if _CODE.search(said) or _UNSAID.search(said):
        return None
    told = _whole(said) if not _LEADS_IN.search(words) else ""
    # Of what is more than one clause and one case, only what is named can be read.
    return Sentence(words, line, *(_parted(told) if told else ("", "")))


def _whole(said: str) -> str:
    """The sentence without its openings and its end, or nothing where it holds more than a clause and a case."""
    said = _FORM_SHOWN.sub("", _HOWEVER.sub(", ", _CITED.sub("", said.rstrip(".! "))))
    if _SPEECH in said:
        return ""
    if "default" in said:
        said = _DEFAULT_MEANS.sub("", said)
    plain = _STATUS_NAME.sub("", _DEFAULT_NAMED.sub("", _CODE_SPAN.sub("x1", said)))
    return "" if _MORE.search(_STATE_DRIVEN.sub("", plain)) else said


def _plain(words: str) -> str:
    """The words without strokes by which markup keeps its signs (`shelf\\_size`), and titles of what is referred to."""
    words = _ESCAPED.sub(r"\1", words) if "\\" in words else words
    return _REFERENCE.sub(r"\1", words) if ":`" in words else words


def _without_speech(words: str) -> str:
    return _QUOTED.sub(_unquoted, words)


def _unquoted(match: re.Match[str]) -> str:
    """Code and short quotations name something; longer ones are speech, and what they say is not said here."""
    if match[0].startswith("`"):
        return match[0]
    inner = match[0][1:-1]
    return match[0] if inner.count(" ") < 2 else _SPEECH


def _parted(text: str) -> tuple[str, str]:
    """What a sentence says, and under what case; `if` and `when` are left off the case's words.

    Nothing, where it has several cases, or one that is more than a case.
    """
    found: list[str] = []
    while opening := _OPENING.match(text):
        if opening["condition"]:
            found.append(opening["condition"].lower())
        text = text[opening.end() :]
    if before := _BEFORE.match(text) or _BARE.match(text):
        found.append(before["condition"])
        text = text[before.end() :]
    after = _AFTER.search(text)
    if after and after.start():
        found.append(after["condition"])
        text = text[: after.start()]
    text = text.strip(" ,")
    if len(found) > 1 or _UNPARTED.match(text) or _PAST.search(text) or _LOOSE_END.search(text):
        return "", ""
    if found and found[0] != "then" and not is_case(found[0]):
        return "", ""
    case = "".join(_PLAIN.sub("", each) for each in found)
    return restated(turned(noted(text, case)), case)
