"""Requests that a sentence names, `GET /books/{id}`, where it speaks of them and does not only mention them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.patterns import pattern
from ingest.claims.claim import Claim, Claimed
from ingest.claims.elsewhere import SORT, is_answered_elsewhere, names_another
from ingest.claims.sentences import Sentence
from ingest.claims.vocabulary import FOR_EXAMPLE

_EXAMPLE = pattern(
    rf"{FOR_EXAMPLE}|\b(?:just as|like|unlike|than|instead of|rather|not|no|without|nor|neither|as if)\s*$"
    r"|\b(?:was|were|old|former|previous|previously|formerly|incorrectly|wrongly)\s+(?:an?\s+|the\s+)?$",
    re.IGNORECASE,
)
_REQUEST = pattern(
    r"(?<![\w/])`?(?P<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)`?\s+(?:request\s+to\s+|on\s+|to"
    r"\s+)?[`\"]?"
    r"(?P<path>/(?:[\w\-./{}:~<>%@+*$]*[\w}/>]|(?!\s+[A-Z]{2})))`?"
)
# "The client GETs `/health`", "POSTs `{…}` to `/orders`".
_SENT = pattern(
    r"(?<![\w/])(?P<method>GET|POST|PUT|PATCH|DELETE|HEAD)e?s\s+(?:(?:[^`.;]|`[^`]*`)*?\bto\s+)?`?"
    r"(?P<path>/(?:[\w\-./{}:~<>%@+*$]*[\w}/>]|(?=`)))`?",
    only_with="GETs|POSTs|PUTs|PATCH|DELETEs|HEADs",
)
# "On a running app where `POST /users` returns 500": a system that the sentence supposes.
_SUPPOSED = pattern(
    r"\ban?\s+(?:[\w'’-]+\s+){0,3}(?:apps?|applications?|service|server|API|backend|project|repo|repository|codebase|site|system)"
    r"\s+(?:where|in which|whose|with|that|which|having)\b",
    re.IGNORECASE,
)
# "For a `GET /pets` operation": any such one.
_ANY = pattern(r"\ban?\s*$", re.IGNORECASE)
_ONE = pattern(SORT, re.IGNORECASE)
# "`GET /your-path`": whatever the reader's is.
_TASK = pattern(r"\s*\[[ xX]\]\s+\S")
_ANYBODYS = pattern(r"/(?:your|my|some|foo|bar)(?:[-_/]|$)|\.\.\.", re.IGNORECASE)
# "`DELETE /...`": any of these.
_CUT = pattern(r"\.\.\.|…|\[\w|\(\w+:|[!&=#][\w/:]|(?<=/)\s+(?:[\w{}.-]*[/{]|\w+$)|(?<=[\w}])\s+/[\w{]")
# "A bare GET / port probe": one or the other; a slash without marks is a path only where the sentence begins with it.
_SLASH = pattern(
    r"`?\s+(?!(?:and|or|with|without|must|shall|should|may|can|will|to|on|in|at|for|when|if|is|has|are|also|first)\b"
    r"|[a-z]+s\b)[a-z]"
)
# "POST /tasks/17 HTTP/1.1" shows one message.
_MESSAGE = pattern(r"[^\s`]*\s+HTTP/\w")
# "`GET /shelves` does not exist on this instance".
_NOT_THERE = pattern(
    r"`?\s+(?:endpoint\s+|route\s+)?(?:does not|doesn[’']t|did not|didn[’']t|no longer) exists?\b"
    r"|`?\s+is (?:gone|not implemented)\b"
)
_DETERMINED = r"(?:an?|the|its|this|that|our|their|another|each|every|[\w-]+['’]s)\s+(?:[\w-]+\s+){0,2}"
# A sentence speaks of a request that it begins with, that a label or a bracket sets apart, that somebody sends or
# calls, that something is done through, or of which a clause says something.
_SPOKEN_OF = pattern(
    r"^\W*(?:[\w'’/-]+\s+){0,2}$|:\s+(?:[\w-]+\s)?$|[(\[|→*]\s*$|\s[-–—]+\s+$"
    rf"|^(?:when|if|in|on|for|after|once|with|note)\b[^.]*,\s+(?:{_DETERMINED})?$"
    r"|\b(?:s(?:end(?:s|ing)?|ent)|ma(?:kes?|king|de)|issu(?:es?|ed|ing)|perform(?:s|ed|ing)?|do(?:es)?|call(?:s|ed|ing)?"
    r"|invok(?:es?|ed|ing)|us(?:es?|ed|ing)|request(?:s|ed|ing)?|expos(?:es?|ed|ing)|provid(?:es?|ed|ing)"
    r"|implement(?:s|ed|ing)?|serv(?:es?|ed|ing)|handl(?:es?|ed|ing)|produc(?:es?|ing)|answer(?:s|ed|ing)?"
    r"|support(?:s|ed|ing)?|keeps?|has|have|offer(?:s|ing)?|opens?|hit(?:s|ting)?|quer(?:y|ies|ying)"
    r"|fetch(?:es|ing)?|poll(?:s|ing)?|reject(?:s|ing)?|accept(?:s|ing)?|add(?:s|ing)?"
    r"|is|are|via|through|by|to|on|at|from|in|of|when|whenever|if|so|that|because|after|once|until|before|then)"
    rf"\s+(?:{_DETERMINED})?$"
    rf"|\bwith\s+{_DETERMINED}$",
    re.IGNORECASE,
)
_THE_ONE = pattern(rf"\b{_DETERMINED}$", re.IGNORECASE)
# "Tell `GET /books` from `DELETE /books`": neither is said anything of.
_TOLD_APART = pattern(r"\b(?:tell|tells|distinguish\w*|differ\w*|confus\w*|unable)\b", re.IGNORECASE)
# What stands between requests of one list.
_LISTED = pattern(
    r"[`\"]?(?:\?[^\s`]*)?`?(?:\s*\([^()]*\)|\))?\s*(?:,|and|or|,\s*(?:and|or)|/|→|\|.*)\s*", re.IGNORECASE
)


def requests(sentence: Sentence) -> Iterator[Claim]:
    """The requests that a sentence names: method and path."""
    seen = set()
    named = sentence.named
    ended = -1
    found = [(match, False) for match in _REQUEST.finditer(named)]
    found += [(match, True) for match in _SENT.finditer(named)]
    if found and names_another(named):
        return
    for match, sent in found:
        value = f"{match['method']} {match['path']}"
        before, after = named[: match.start()], named[match.end() :]
        # "[ ] T011 POST /books": a task that somebody has.
        supposed = (
            _TASK.match(before)
            or _EXAMPLE.search(before)
            or _SUPPOSED.search(before)
            or _MESSAGE.match(after)
            or _NOT_THERE.match(after)
            or is_answered_elsewhere(before.rstrip("*["), after)
            or (match["path"] == "/" and "`" not in match[0] and (_SLASH.match(after) or before.strip()))
            or (_ANY.search(before) and _ONE.match(after))
            or _ANYBODYS.search(match["path"])
            or _CUT.match(named, match.end("path"))
            or match["path"].count("{") != match["path"].count("}")
        )
        listed = 0 <= ended < match.start() and _LISTED.fullmatch(named[ended : match.start()])
        if supposed or not (listed or sent or _is_spoken_of(before, after)):
            continue
        ended = match.end()
        if value not in seen:
            seen.add(value)
            yield Claim(kind=Claimed.REQUEST, value=value, words=sentence.words, line=sentence.line)


def _is_spoken_of(before: str, after: str) -> bool:
    """Whether the words around a request say something of it."""
    if _TOLD_APART.search(before):
        return False
    before = before.rstrip("*[")
    return _SPOKEN_OF.search(before) is not None or (
        _THE_ONE.search(before) is not None and _ONE.match(after) is not None
    )
