"""Claims of obligation: what must be given, and which fields are named."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.patterns import pattern
from ingest.claims.claim import Claim, Claimed
from ingest.claims.sentences import Sentence
from ingest.claims.subjects import MODAL, force, subject
from ingest.claims.vocabulary import FOR_EXAMPLE, GIVEN, NO_DEEDS, NO_FIELDS, NO_NAMES

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
# "All parameters are optional" names none of them.
_ANY_OF_THEM = pattern(
    r"(?:(?:these|those|all|any|every|each)\b.*|(?:the\s+)?(?:\w+\s+)?(?:parameters?|fields?|arguments?|keys?|options?|values?|attributes?"
    r"|properties|property|settings?|elements?|entries|entry|columns?|items?|things?|configuration|everything))",
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
    r"^(?:then )?(?:(?:an?|the|each|every) )?(?:\w+ )?(?:you|we|i|they|he|she|one|users?|customers?"
    r"|clients?|callers?|visitors?"
    r"|members?|readers?|buyers?|authors?|admins?|staff|people|persons?|applications?|requests?|orders?"
    r"|forms?|body)$"
    r"|^$",
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

_SORTS = r"(?:query\s+|path\s+|body\s+|form\s+|header\s+)?(?:field|parameter|property|attribute)"
_GOES_ON = (
    r"(?=\s*(?:$|[.,;:)!]|(?:is|are|was|must|may|can|should|shall|will|has|to|of|in|for|with|and|or|on"
    r"|from|when|if|that|which"
    r"|as|by|at|accepts?|takes?|says?|contains?|defaults?|tells?|uses?|controls?|specifies|sets?"
    r"|determines?|holds?|says|does|shall|becomes|have|having|where|because|so|until|but|into|only|using|indicates?|whose|to)\b))"
)
# "The `x` field validator" is a validator, and "the `y` field flag" a flag: only what ends there names a field.
_NAMED = pattern(
    r"\b(?:the|its|their|an?|query|path|body|form|optional|required)\s+"
    r"(?:`(?P<code>[A-Za-z_][\w.\[\]-]*)`|\"(?P<quoted>[A-Za-z_][\w.-]*)\")\s+"
    rf"(?:{_SORTS}|header)\b{_GOES_ON}",
)
# A bare word before "field" is its name only where the sentence speaks of it, and unless it looks like an adjective.
_PLAIN_NAME = r"[a-z_][\w-]*(?<!ed)(?<!ing)(?<!ble)(?<!ous)(?<!ive)(?<!less)(?<!ful)(?<!est)(?<!ic)(?<!nal)"
_NAMED_BARE = pattern(
    rf"^the\s+(?P<bare>{_PLAIN_NAME})\s+(?:query\s+|path\s+)?(?:field|parameter)"
    rf"(?=\s+(?:is(?!\s+(?:specified|chosen|selected|determined|defined|named)\s+(?:by|via|with|in|through)\b)|must|may"
    rf"|can|should|shall|has to|defaults|accepts|contains|takes)\b)"
    rf"|\bthe\s+(?P<snake>[a-z]+(?:_[a-z\d]+)+)\s+{_SORTS}\b{_GOES_ON}"
)
_NAMED_AFTER = pattern(
    r"(?<![\w-])(?:field|parameter|property|header)\s+(?:named\s+|called\s+)?"
    r"(?:`(?P<code>[A-Za-z_][\w.\[\]-]*)`|\"(?P<quoted>[A-Za-z_][\w.-]*)\")"
    rf"{_GOES_ON}"
)
_BARE_CODE = pattern(
    rf"^`(?P<code>[a-z_][\w.\[\]-]*)`\s+(?:query\s+)?(?:field|parameter|property)\b{_GOES_ON}"
    rf"|`(?P<quoted>[A-Za-z][\w-]*)`\s+header\b{_GOES_ON}"
)
# "Required fields must be present" does not say which ones are.
_ANY_REQUIRED = pattern(
    r"^(?:all\s+|the\s+|any\s+)?(?:non-)?(?:required|mandatory|optional)\s+\w+\s", re.IGNORECASE
)


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
            list(required(sentence._replace(said=f"{each}{said[match.end('subject') :]}"))) for each in listed
        ]
        if all(read) and match.re.pattern != _GIVE.pattern:
            yield from (claim for claims in read for claim in claims)
        return
    about = subject(_plain(written))
    if _ANY_OF_THEM.fullmatch(written.strip()) and "`" not in written:
        return
    head = _OF_WHAT.split(about or "")[0].rpartition(" ")[2].lower()
    if "`" not in written and head not in NO_DEEDS and _DEED.fullmatch(head):
        return
    if not (_MARKED.search(written) or head in GIVEN | NO_DEEDS or _SORT_OF.search(written)):
        # What no mark, no name and no such word shows to be given may be had, done or installed.
        return
    if _RIGHT.fullmatch((about or "").strip()):
        return
    if match["verb"].lower() == "is" and _DOING.fullmatch((about or "").strip()):
        return
    if about is None or _NOT_GIVEN.search(written) or len(about.split()) > 4:
        return
    about = re.sub(r"\s+(?:field|parameter|property|argument|attribute|header)$", "", about)
    if match["verb"].lower().startswith("will"):
        return
    if (
        match.re.pattern == _GIVE.pattern
        and not _PERSON.search(match["who"])
        and (match["how"].lower() not in _LEFT_OUT or _SOME_TEXT.search(about))
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


# What is denied, or begins a phrase that another noun ends, names no field of something.
_NO_FIELD = pattern(
    r"\b(?:no|not(?: as)?(?: an?)?|without|never|nor|isn[’']t an?|like|called|non-?|(?:under|beneath)(?:\s+an?)?)\s*$"
    r"|\b(?:remov|dropp?|delet)(?:e|es|ed|ing|s)?\s+(?:[\w ]+\s(?:and|or)\s+)?(?:the\s*)?$"
    r"|\b(?:rather than|instead of)\b[^,;.]*$"
    r"|\bwithout\s+(?:an?\s+|the\s+)?\S+\s+(?:or|and)\s+(?:an?\s+|the\s+)?$"
    r"|\b(?:not|never)\s+(?:accept|take|have|use|support|add|contain|include|expose)s?\s*(?:an?\s*)?$"
    rf"|{FOR_EXAMPLE}.*$",
    re.IGNORECASE,
)
# "A field called `x` is handled like any other" supposes one; what has it, has it.
_ARTICLE = pattern(r"an?\s+(?:(?:optional|required)\s+)?", re.IGNORECASE)
_INDEFINITE = pattern(
    r"\ban?\s+(?:(?:new|optional|required|single|separate|further|given)\s+)?$", re.IGNORECASE
)
# "Every book has a `shelf` field", "a request with an `If-Match` header": a clause says that it is there.
_IS_THERE = pattern(
    r"(?:^|[,:;]\s+|\b(?:that|which|where|when|if|and|or|as|with)\s+)(?:[^\s,;:]+\s+){0,8}(?:ha(?:s|ve)|contains?|includes?|needs?|requires?|takes?|accepts?|carr(?:y|ies)|gives?"
    r"|provides?|exposes?|defines?|supports?|returns?|implements?|offers?|declares?|sends?|sets?|gets?|pass(?:es|ing)?|includ(?:e|es|ing)|with)"
    r"(?:\s+(?:in|along|at least))?\s+an?\s+(?:[\w-]+\s+)?$|^an (?:(?:optional|additional|extra) )?$",
    re.IGNORECASE,
)
_CARRIED = pattern(
    r"\b(?:with|via|through|in|by|as|without|set|sets|sent|sends|has|have|having|carr(?:y|ies|ying))\s+an?\s+$",
    re.IGNORECASE,
)
_GONE = pattern(
    r"\s*(?:is|was|has been|had been)\s+(?:\w+\s+)?(?:dropped|removed|gone|deleted from|renamed)\b",
    re.IGNORECASE,
)
# "Either (a) link them or (b) add a `tests` field": ways to go, not how things are.
_ONE_WAY = pattern(r"\beither\b.*\sor\s+\([b2]\)", re.IGNORECASE)
# Names that examples are made of.
_NAMES_NOTHING = frozenset({"foo", "bar", "baz", "qux"})
_FILE = pattern(r"\.(?:h|hpp|hh|hxx)$")
_PLACEHOLDER = pattern(r"\snamed\s|^(?:header|property)\s")


def fields(sentence: Sentence) -> Iterator[Claim]:
    """The fields, parameters and headers that a sentence names as such."""
    seen = set()
    named = sentence.named
    if _ONE_WAY.search(named):
        return
    for expression in (_NAMED, _NAMED_BARE, _NAMED_AFTER, _BARE_CODE):
        for match in expression.finditer(f"{named[:1].lower()}{named[1:]}"):
            parts = match.groupdict()
            name = next(part for part in map(parts.get, ("code", "quoted", "bare", "snake")) if part)
            name = name.removeprefix("self.")
            # "The field named `name`" and "set the header `key` to `value`" tell of placeholders.
            placeholder = name in ("name", "key", "value") and _PLACEHOLDER.search(match[0]) is not None
            # "The `auth.models.User` field" is one of that class, and "the property "Ambiguous"" what a letter is.
            # "A `Json[...]` field" is of that type, and the "`stdio.h` header" a file.
            is_kind = name.partition("[")[0].rpartition(".")[2][:1].isupper() and (
                "." in name or "[" in name or (expression is _NAMED_AFTER and bool(parts.get("quoted")))
            )
            is_kind = is_kind or _FILE.search(name) is not None
            is_kind = is_kind and not match[0].startswith("header")
            if (parts.get("bare") and name.lower() in NO_NAMES) or placeholder or is_kind or name in seen:
                continue
            before = named[: match.start()]
            if _GONE.match(named[match.end() :]):
                continue
            if name.lower() in _NAMES_NOTHING:
                continue
            if name.lower() in NO_FIELDS or name.endswith(("-", ".")) or _NO_FIELD.search(before):
                # `data-` is how a name begins.
                continue
            article = _ARTICLE.match(match[0])
            opened = f"{before}{article[0]}" if article else before
            if _INDEFINITE.search(opened) and not _is_there(match[0], name, opened.lstrip()):
                continue
            seen.add(name)
            yield Claim(kind=Claimed.FIELD, value=name, words=sentence.words, line=sentence.line)


def _is_there(phrase: str, name: str, opened: str) -> bool:
    """Whether `a … field` stands where a clause says that something has it, and is no type (`a STRING field`)."""
    if "header" in phrase:
        return _CARRIED.search(opened) is not None or _IS_THERE.search(opened) is not None
    return not name.isupper() and _IS_THERE.search(opened) is not None


def _plain(written: str) -> str:
    if (listed := _THEIR_NAMES.match(written)) and _JOINED.fullmatch(written[listed.end() :]):
        written = written[listed.end() :]
    return re.sub(r"^(?:the\s+)?(?:optional|required)\s+", "", written, flags=re.IGNORECASE)
