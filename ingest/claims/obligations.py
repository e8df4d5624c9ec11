"""Claims of obligation: what must be given, and what may be left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from graph.patterns import pattern
from ingest.claims.claim import Claim, Claimed
from ingest.claims.sentences import Sentence
from ingest.claims.subjects import MODAL, force, noun_phrase, subject
from ingest.claims.vocabulary import GIVEN, LIBRARIES, NO_DEEDS, NO_FIELDS, OTHERS

_STATE = pattern(
    r"^(?P<subject>.*?)\s+(?P<verb>is|are)\s+(?P<denied>not\s+|never\s+)?(?:always\s+)?(?:an?\s+)?(?P<how>required"
    r"|mandatory|optional)(?:\s+(?:fields?|parameters?|arguments?|propert(?:y|ies)|attributes?|keys?))?"
    r"(?=$|\s+and defaults to \S+$)",
    re.IGNORECASE,
)
_GIVEN = pattern(
    rf"^(?P<subject>.*?)\s+(?P<verb>{MODAL}(?:\s+not)?)\s+be\s+(?P<how>given|provided|specified|supplied"
    rf"|present|omitted|left out|left blank)"
    r"$",
    re.IGNORECASE,
)
_GIVE = pattern(
    rf"^(?P<who>.*?)\s*\b(?P<verb>{MODAL}(?:\s+not)?)\s+(?P<how>(?:give|provide|specify|supply|enter)"
    rf"(?=\s+(?:an?|their|his|her|its|your)\s|\s+`)|(?:omit|leave out)(?=\s+(?:an?|the|their|his|her|its|your)\s|\s+`))"
    r"\s+(?P<subject>(?!(?:from|to|in|on|for|with|of|by|at)\s).+)$",
    re.IGNORECASE,
)
_EVERY = pattern(
    r"^(?:every|each|an?|the)\s+[\w-]+(?:\s[\w-]+)?\s+(?P<verb>must|shall|has to)\s+have"
    r"\s+(?P<subject>(?:an?|the)\s+`[^`\s]+`)$",
    re.IGNORECASE,
)
# "All parameters are optional" names none of them, nor do "all `*_size` keys".
_ANY_OF_THEM = pattern(
    r"(?:(?:these|those|all|any|every|each)\b.*|(?:the\s+)?(?:\w+\s+)?(?:parameters?|fields?|arguments?|keys?|options?|values?|attributes?"
    r"|properties|property|settings?|elements?|entries|entry|columns?|items?|things?|configuration|everything))",
    re.IGNORECASE,
)
# "The title field is required" names one; "the input field", "the next parameter" do not.
_ONE_FIELD = pattern(
    r"(?:the\s+)?(?!(?:this|that|any|each|every|no|one|given|new|required|optional|first|second|third|last|next|other|same|following|input"
    r"|output|value|extra|single|additional|whole|only|corresponding|default|current|resulting|form|request|response|body|query|path)\b)"
    r"[a-z]\w+\s+(?:field|parameter)",
    re.IGNORECASE,
)
# What is done, or is had, is nothing that somebody gives: "authentication is optional", "a lookup is required".
_DEED = pattern(
    r"(?:[a-z]{3,}(?:ation|ition|uction|ection|ision|ission|ship|ance|ence|ity)|[a-z]{4,}ing|look-?up|set-?up|start-?up|access"
    r"|re(?:build|try|start|load|install|run|write|boot|set|fresh|design)"
    r"|cli|gui|sdk|ide|help|use|support|knowledge|care|effort|work|approval|review|login|restart|install|librar(?:y|ies)|packages?"
    r"|methods?|approach(?:es)?|mechanisms?|techniques?|workarounds?|software|firmware|hardware|internet|network|connection|modules?|plugins?|extensions?|dependenc(?:y|ies))",
    re.IGNORECASE,
)
# "Repeating jobs is optional": the deed is.
_DOING = pattern(r"[a-z]{3,}ing\s.*[^s]s", re.IGNORECASE)
# Who has a right gives nothing: "write scope is required", "the admin permission is optional".
_RIGHT = pattern(
    r"\S+\s+(?:scopes?|roles?|permissions?|privileges?|rights|licen[cs]es?|credentials|membership)",
    re.IGNORECASE,
)
# "`STATUS=PASS` is required": what something has to be, not what is given. "`<arg>` is a required argument" tells how
# usages are written.
_ASSIGNED = pattern(r"`[^`]*\w=[^`]*`|`[\w.-]+/[\w./-]+`|`(?:<[^<>`]*>|\[[^\[\]`]*\])`")
# "The `ask` endpoint is not optional": what there has to be.
_PART = pattern(
    r"[`\"“]\s+(?:endpoints?|routes?|methods?|functions?|class(?:es)?|modules?|packages?|plug-?ins?|pages?|commands?|calls?"
    r"|groups?|steps?|files?|hooks?|decorators?|tools?|scripts?|services?|layers?|repositor(?:y|ies)|repos?|branch(?:es)?"
    r"|daemons?|drivers?|kernels?|extras?)$",
    re.IGNORECASE,
)
_OF_WHAT = pattern(r"\s(?:of|for)\s")
# A name in marks or with an underscore, or one of several words in one.
_MARKED = pattern(r"[`\"“]|\w_\w|\b[a-z]+[A-Z]\w|^--?\w|\w\.\w")
# What "not provided" in a case speaks of stands elsewhere, and another thing must be given then.
_UNNAMED = pattern(r"(?:is |are |was |were )?(?:not |explicitly |un|in|o)?\w+(?: explicitly)?", re.IGNORECASE)
_SORT_OF = pattern(r"\s(?:field|parameter|property|argument|attribute|header|setting)s?$", re.IGNORECASE)
# `?size=small` is no name of what is left out, and may be one of many values.
_SOME_TEXT = pattern(r"[^\w\s.\[\]'’-]")
# Who gives: a caller, a user; what a function gives is its result.
_PERSON = pattern(
    r"^(?:then )?(?:(?:an?|the|each|every) )?(?:\w+ )?(?:you|we|i|they|he|she|one|users?|customers?|clients?|callers?"
    r"|visitors?|members?|readers?|buyers?|authors?|admins?|staff|people|persons?|applications?|requests?|orders?"
    r"|forms?|body)$|^$",
    re.IGNORECASE,
)
# "Title and author are required": each of them is.
_NAMED_ONE = r"(?:(?:the|an?|its|their)\s+)?(?:`[^`\s]+`|[a-z][\w-]*(?:\s[a-z][\w-]*)?)"
_JOINED = pattern(
    rf"(?:both\s+)?(?P<first>{_NAMED_ONE}(?:\s*,\s*{_NAMED_ONE})*)\s*,?\s+and\s+(?P<last>{_NAMED_ONE})",
    re.IGNORECASE,
)
# "Keys `a` and `b` are required": what they are stands before them.
_THEIR_NAMES = pattern(
    r"(?:the\s+|both\s+)?(?:keys|fields|parameters|arguments|attributes|properties|options|headers|columns)\s+",
    re.IGNORECASE,
)
_LEFT_OUT = frozenset({"omit", "leave out", "omitted", "left out", "left blank", "optional"})
_NOT_GIVEN = pattern(
    r"\b(?:no|nothing|none|neither|both|either|one|some|most|many|each|others?|else|everything|anything"
    r"|rest|only|more|less|other|another|same"
    r"|itself|themselves|following|two|three|four|five|six)\b|\d",
    re.IGNORECASE,
)

# "Required fields must be present" does not say which ones are.
_ANY_REQUIRED = pattern(
    r"^(?:all\s+|the\s+|any\s+)?(?:non-)?(?:required|mandatory|optional)\s+\w+\s", re.IGNORECASE
)


_INSTALLED = LIBRARIES | OTHERS


def required(sentence: Sentence) -> Iterator[Claim]:
    """What must be given, and what may be left out."""
    said = sentence.said
    match = _STATE.match(said) or _GIVEN.match(said) or _EVERY.match(said) or _GIVE.match(said)
    if _ANY_REQUIRED.match(said):
        return
    if match is None:
        return
    written = match["subject"]
    if joined := _JOINED.fullmatch(_plain(written)):
        if match["verb"].lower() == "is":
            # "Kerberos and requests-credssp is optional" speaks of packages, or counts them as one.
            return
        listed = [each.strip() for each in (*joined["first"].split(","), joined["last"])]
        read = [
            list(required(msgspec.structs.replace(sentence, said=f"{each}{said[match.end('subject') :]}")))
            for each in listed
        ]
        if all(read) and match.re.pattern != _GIVE.pattern:
            yield from (claim for claims in read for claim in claims)
        return
    about = subject(_plain(written))
    if "," in (about or ""):
        return
    one = _ONE_FIELD.fullmatch(written.strip()) and match["verb"].lower() == "is"
    if _ANY_OF_THEM.fullmatch(written.strip()) and ("`" not in written or "`*" in written) and not one:
        return
    head = _OF_WHAT.split(about or "")[0].rpartition(" ")[2].lower()
    if "`" not in written and head not in NO_DEEDS and _DEED.fullmatch(head):
        return
    if not (_MARKED.search(written) or head in GIVEN | NO_DEEDS or _SORT_OF.search(written)):
        # What no mark, no name and no such word shows to be given may be had, done or installed.
        return
    if (about or "").lower() in _INSTALLED and not _SORT_OF.search(written):
        # "`numpy` is optional": as a package that is installed.
        return
    if about in NO_FIELDS:
        return
    if _RIGHT.fullmatch((about or "").strip()) or _ASSIGNED.search(written) or _PART.search(written.strip()):
        return
    if match["verb"].lower() == "is" and _DOING.fullmatch((about or "").strip()):
        return
    if about is None or _NOT_GIVEN.search(written) or len(about.split()) > 4:
        return
    about = re.sub(r"(?<!\bof)\s+(?:field|parameter|property|argument|attribute|header)$", "", about)
    if match["verb"].lower().startswith("will"):
        return
    if (
        match.re.pattern == _GIVE.pattern
        and not _PERSON.search(match["who"])
        and (
            match["how"].lower() not in _LEFT_OUT
            or _SOME_TEXT.search(about)
            or noun_phrase(match["who"]) is None
        )
    ):
        return
    if sentence.condition and not _is_given_then(written, match, sentence.condition):
        return
    if sentence.condition and match.end() < len(said):
        # Whether the condition is for this part of the sentence or for the next cannot be told.
        return
    modality, negated = force(match["verb"])
    parts = match.groupdict()
    how = (parts.get("how") or "have").lower()
    needed = (how not in _LEFT_OUT) is not (negated or bool(parts.get("denied")))
    if modality == "may" and needed:
        return
    if modality in ("must", "should") and not negated and how in _LEFT_OUT - {"optional"}:
        # What must be left out is forbidden, not free.
        return
    if (modality == "must not" or negated) and how not in _LEFT_OUT:
        return
    yield Claim(
        kind=Claimed.REQUIRED,
        subject=about,
        comparator="=",
        value=needed,
        modality="must" if modality == "must not" else modality,
        condition=sentence.condition,
        words=sentence.words,
        line=sentence.line,
    )


def _is_given_then(written: str, match: re.Match[str], condition: str) -> bool:
    """Whether something is required in a case: a field that is named as such, or a name that must be given.

    "For remote URLs, `aiohttp` is required" may tell what is installed, "a type is optional if …" what is so called.
    """
    if _UNNAMED.fullmatch(condition):
        return False
    named = _MARKED.search(written) is not None
    return named and (_SORT_OF.search(written) is not None or match.re.pattern != _STATE.pattern)


def _plain(written: str) -> str:
    if (listed := _THEIR_NAMES.match(written)) and _JOINED.fullmatch(written[listed.end() :]):
        written = written[listed.end() :]
    return re.sub(r"^(?:the\s+)?(?:optional|required)\s+", "", written, flags=re.IGNORECASE)
