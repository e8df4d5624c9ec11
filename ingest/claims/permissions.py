"""Claims of roles: who alone may do what, and who may not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.patterns import pattern
from ingest.claims.claim import Claim, Claimed
from ingest.claims.deeds import base_of
from ingest.claims.sentences import Sentence
from ingest.claims.subjects import noun_phrase
from ingest.claims.vocabulary import DEEDS, ROLES

_WHO = r"(?P<who>[A-Za-z`\"][\w' `\"-]{1,50}?)"
_ONLY = pattern(
    rf"^only\s+{_WHO}\s+(?P<verb>may|can|must be able to|is allowed to|are allowed to|shall)\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_NOBODY = pattern(
    rf"^(?:nobody|no one|no-one|none)\s+(?:but|except(?: for)?|other than)\s+{_WHO}\s+(?P<verb>may|can"
    rf"|is allowed to)\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_BY = pattern(
    r"^(?P<thing>.+?)\s+(?P<verb>may|can|must|shall)\s+(?:only\s+(?P<one>be\s+\w+)\s+by|(?P<other>be"
    r"\s+\w+)\s+only\s+by|be\s+\w+\s+by)\s+"
    r"(?P<who>[A-Za-z][\w' -]{1,50})$",
    re.IGNORECASE,
)
# "Guests cannot order books": who is denied one of the deeds that interfaces know.
_DENIED = pattern(
    rf"^{_WHO}\s+(?:cannot|can not|can[’']t|may not|must not(?: be able to)?"
    r"|(?:is|are) not (?:allowed|permitted) to)\s+"
    r"(?P<what>(?P<deed>[a-z]+)\s+(?!not\b|only\b)[^\d]+)$",
    re.IGNORECASE,
    only_with="can|may|must|not",
)
# "Requires the `editor` role": what the sentence describes has no name in it.
_NEEDED = pattern(
    r"^(?:it\s+|this\s+|(?:the|this)\s+(?:endpoint|operation|route|action|request|call)\s+)?"
    r"(?:(?:must\s+|shall\s+)?require|requires|needs)\s+(?:the\s+|an?\s+)?"
    r"(?:(?P<mark>[`\"]?)(?P<who>[a-z][\w:.-]*)(?P=mark)\s+role|role\s+(?P<sign>[`\"])(?P<role>[a-z][\w:.-]*)(?P=sign))$",
    re.IGNORECASE,
    only_with="require|needs",
)
# "Only the `billing` role": in marks it may be any name, else it is a word for persons.
_ROLE_NAMED = pattern(r"^(?:the\s+)?(?P<mark>[`\"]?)(?P<name>\w[\w:.-]*)(?P=mark)\s+role$", re.IGNORECASE)
_READS_THIS = pattern(
    r"\b(?:users?|developers?|maintainers?|contributors?|you|we|one|person|people|anyone|callers?|clients?|readers?)$",
    re.IGNORECASE,
)
_MANNER = pattern(
    r"\b(?:twice|more|less|without|again|anymore|longer|directly|yet|own|until|before|after)\b", re.IGNORECASE
)

# What somebody may do is one thing.
_SEVERAL = pattern(
    r",|\b(?:and|or|if|when|unless|that|which|who|whose|while|until|after|before|because|but|so)\b|[()]",
    re.IGNORECASE,
)
# "Only members of the class can be accessed": what is done to them, and not what they may do.
_DONE_TO = pattern(r"be (?!able\b)\w+", re.IGNORECASE)
# "Only clients may open a stream", "the owner cannot lock the row": a program as often as a person, unless the deed is
# one that people do.
_PROGRAM = pattern(r"\b(?:agent|client|caller|holder|reader|person)s?$", re.IGNORECASE)
_EITHER = pattern(
    r"\b(?:viewer|editor|operator|owner|subscriber|tenant|creator|member|author|guest|supervisor)s?$",
    re.IGNORECASE,
)
_OF_PEOPLE = (
    r"approve|archive|assign|ban|book|borrow|browse|buy|cancel|comment|download|invite|join|kick|moderate|mute|order|pay|promote"
    r"|purchase|rate|rent"
    r"|reserve|review|suspend|upload|vote"
)
_PEOPLE_DO = pattern(rf"(?:{_OF_PEOPLE})\b", re.IGNORECASE)
_PEOPLE_MAY_DO = pattern(
    rf"(?:{_OF_PEOPLE}|change|close|create|delete|edit|export|grant|make|manage|merge|post|publish|register|reject|remove"
    r"|rename|revoke|see|transfer|update|view|write(?! to\b))\b",
    re.IGNORECASE,
)
# "The agent cannot change it": of what that was said stands elsewhere.
_SOMETHING = pattern(r"\b(?:it|them|this|that|these|those)$", re.IGNORECASE)
_SOMEBODY_ELSE = pattern(r"\bor,? if\b", re.IGNORECASE)


_COUNTED = pattern(r"(?:one|two|three|four|five|six|a single|\d+)\s", re.IGNORECASE)


def roles(sentence: Sentence, known: frozenset[str] = frozenset()) -> Iterator[Claim]:
    """Who alone may do what; `known` has further words for persons, such as the roles of the page's
    stories."""
    if several := list(_several(sentence, known)):
        yield from several
        return
    if denied := _DENIED.match(sentence.said):
        yield from _denied(sentence, denied, known)
        return
    if needed := _NEEDED.match(sentence.said):
        who = needed["who"] or needed["role"]
        if needed["mark"] or needed["sign"] or _is_person(who, known):
            yield _role(sentence, who, None, "may")
        return
    match = _ONLY.match(sentence.said) or _NOBODY.match(sentence.said) or _BY.match(sentence.said)
    if match is None or _SOMEBODY_ELSE.search(sentence.words):
        return
    parts = match.groupdict()
    if match.re.pattern == _BY.pattern and not (parts["one"] or parts["other"]):
        return
    named = _ROLE_NAMED.match(match["who"].strip())
    who = named["name"] if named else noun_phrase(match["who"])
    # "Only one supervisor may hold the lock" counts them.
    if who is None or _COUNTED.match(who) or not ((named and named["mark"]) or _is_person(who, known)):
        return
    if match.re.pattern == _BY.pattern:
        thing = noun_phrase(parts["thing"])
        what = f"{thing} {parts['one'] or parts['other']}".lower() if thing else None
    else:
        what = match["what"].strip()
    if what is None or _SEVERAL.search(what) or _SOMETHING.search(what) or len(what.split()) > 8:
        return
    if match.re.pattern != _BY.pattern and (_DONE_TO.match(what) or _may_be_a_program(who, what)):
        return
    # "Books can only be removed by staff" names the thing with a small letter, as the middle of a sentence would.
    yield _role(sentence, who, what, "may")


# "Only admins or librarians can create, update and delete accounts": who may do each of some deeds.
_ONE = r"(?:(?:the|an?)\s+)?[A-Za-z]{3,20}(?:\s[a-z]{3,20})?"
_EACH = pattern(
    rf"^only\s+(?P<who>{_ONE}(?:(?:,\s*{_ONE})*,?\s+(?:or|and)\s+{_ONE})?)\s+(?:may|can)\s+"
    rf"(?P<deeds>[a-z]{{3,12}}(?:,\s*(?!and\b|or\b)[a-z]{{3,12}})*(?:,?\s+(?:and|or)\s+[a-z]{{3,12}})?)"
    rf"\s+(?P<what>[a-z][a-z -]*)$",
    re.IGNORECASE,
    only_with=r"^only\s.*(?:,|\sor\s|\sand\s)",
)


def _several(sentence: Sentence, known: frozenset[str]) -> Iterator[Claim]:
    """A claim for each deed that a sentence lists, whose roles are one value; deeds that interfaces know."""
    match = _EACH.match(sentence.said)
    if match is None:
        return
    people = [
        re.sub(r"^(?:the|an?)\s+", "", each, flags=re.IGNORECASE).lower()
        for each in re.split(r"\s*,\s*(?:(?:or|and)\s+)?|\s+(?:or|and)\s+", match["who"])
    ]
    deeds = [each.lower() for each in re.split(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+", match["deeds"])]
    if len(people) == len(deeds) == 1 or not DEEDS.issuperset(deeds) or _SEVERAL.search(match["what"]):
        return
    if _SOMETHING.search(match["what"]) or not all(_is_person(each, known) for each in people):
        return
    for deed in deeds:
        yield _role(sentence, _either(people), f"{deed} {match['what']}", "may")


def _either(people: list[str]) -> str:
    """`author, staff or superusers`."""
    *first, last = people
    return f"{', '.join(first)} or {last}" if first else last


# "A crashed owner must not block others": what becomes of those in trouble, not what they may do.
_IN_TROUBLE = pattern(
    r"(?:crashed|dead|killed|failed|failing|stale|slow|hung|stuck|broken|dying)\s", re.IGNORECASE
)


def _denied(sentence: Sentence, match: re.Match[str], known: frozenset[str]) -> Iterator[Claim]:
    """Who may not do what, of those whom a text does not speak to."""
    who, what = noun_phrase(match["who"]), match["what"].strip()
    if (
        who is None
        or base_of(match["deed"]) not in DEEDS
        or not _is_person(who, known)
        or _READS_THIS.search(who)
        or _IN_TROUBLE.match(who)
    ):
        return
    if _SEVERAL.search(what) or _MANNER.search(what) or _SOMETHING.search(what) or len(what.split()) > 6:
        return
    if _may_be_a_program(who, what):
        return
    yield _role(sentence, who, what, "must not")


def _role(sentence: Sentence, who: str, what: str | None, modality: str) -> Claim:
    return Claim(
        kind=Claimed.ROLE,
        subject=_bare(what) if what else None,
        comparator="=",
        value=who,
        modality=modality,
        negated=modality == "must not",
        condition=sentence.condition,
        words=sentence.words,
        line=sentence.line,
    )


# "A network exception for one subscriber": whose it is does not make it a person.
_WHOSE = pattern(r"\s(?:for|in|with|from|by|on|at|to)\s", re.IGNORECASE)


def _is_person(who: str, known: frozenset[str]) -> bool:
    words = _WHOSE.split(who.lower())[0].split()
    heads = (words[-1], words[-1].removesuffix("s"), words[0], words[0].removesuffix("s"))
    if words[0] != words[-1] and " of " not in f" {who.lower()} " and words[0].removesuffix("s") in ROLES:
        return words[-1].removesuffix("s") in ROLES
    return any(head in ROLES for head in heads) or who.lower() in known


def _may_be_a_program(who: str, what: str) -> bool:
    """Whether the words for somebody name a program as often as a person, and the deed does not tell which it is."""
    head = _WHOSE.split(who)[0].partition(" of ")[0]
    if _PROGRAM.search(head):
        return _PEOPLE_DO.match(what) is None
    return _EITHER.search(head) is not None and _PEOPLE_MAY_DO.match(what) is None


def _bare(what: str) -> str:
    return what[:1].lower() + what[1:] if what[1:2].islower() else what
