"""Which fields, parameters and headers a sentence names as such."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.patterns import pattern
from ingest.claims.claim import Claim, Claimed
from ingest.claims.sentences import Sentence
from ingest.claims.vocabulary import FOR_EXAMPLE, NO_FIELDS, NO_NAMES

_SORTS = r"(?:query\s+|path\s+|body\s+|form\s+|header\s+)?(?:field|parameter|property|attribute)"
_GOES_ON = (
    r"(?=\s*(?:$|[.,;:)!]|(?:is|are|was|must|may|can|should|shall|will|has|to|of|in|for|with|and|or|on"
    r"|from|when|if|that|which"
    r"|as|by|at|accepts?|takes?|says?|contains?|defaults?|tells?|uses?|controls?|specifies|set(?!\s*,|\s+of\b)|sets"
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
    rf"(?=\s+(?:is(?!\s+the\s+sum\b|\s+(?:specified|chosen|selected|determined|defined|named)\s+(?:by|via|with|in|through)\b)|must"
    rf"|may"
    rf"|can|should|shall|has to|defaults|accepts|contains|takes)\b)"
    rf"|\bthe\s+(?P<snake>[a-z]+(?:_[a-z\d]+)+)\s+{_SORTS}\b{_GOES_ON}"
)
_NAMED_AFTER = pattern(
    r"(?<![\w-])(?:field|parameter|property|header)\s+(?:named\s+|called\s+)?"
    r"(?:`(?P<code>[A-Za-z_][\w.\[\]-]*)`|\"(?P<quoted>[A-Za-z_][\w.-]*)\")"
    rf"{_GOES_ON}"
)
# With its name behind, the word needs an article, or to begin its sentence: "return field `x`" and "has property `p`"
# speak of any.
_THIS_ONE = pattern(
    r"(?:^\W*(?:optional\s+|required\s+)?|\b(?:the|an?|its|their|this|each|every|any|one)\s+"
    r"(?:(?!(?:ha[sd]|have|with|is|takes?|contains?|needs?|of|in)\s)[\w.-]+\s+){0,2}"
    r"|\b(?:query|path|body|request|response)\s+)$",
    re.IGNORECASE,
)
_BARE_CODE = pattern(
    rf"^`(?P<code>[a-z_][\w.\[\]-]*)`\s+(?:query\s+)?(?:field|parameter|property)\b{_GOES_ON}"
    rf"|`(?P<quoted>[A-Za-z][\w-]*)`\s+header\b{_GOES_ON}"
)
# What is denied, or begins a phrase that another noun ends, names no field of something.
_NO_FIELD = pattern(
    r"\b(?:no|not(?: as)?(?: an?)?|without|never|nor|isn[’']t an?|like|called|non-?|(?:under|beneath)(?:\s+an?)?)\s*$"
    r"|\b(?:remov|dropp?|delet)(?:e|es|ed|ing|s)?\s+(?:(?!from\s)[\w ]+\s(?:and|or)\s+)?(?:the\s*)?$"
    r"|\b(?:remov|dropp?|delet|end)\w*\s+support\s+(?:for|of)\s+(?:the\s*)?$"
    r"|\b(?:rather than|instead of|en (?:vez|lugar) del?|au lieu d[eu]|(?:an)?statt)\b[^,;.]*$"
    r"|\bwithout\s+(?:an?\s+|the\s+)?\S+\s+(?:or|and)\s+(?:an?\s+|the\s+)?$"
    r"|\b(?:not|never)\s+(?:accept|take|have|use|support|add|contain|include|expose|carry"
    r"|hold|know)s?\s*(?:an?\s*)?$"
    r"|\b(?:unknown|unrecogni[sz]ed|undefined|undeclared|non-?existent|misspelled|bogus|imaginary)\s*$"
    r"|\b(?:not|never)\s+(?:every|each|all|any|the)\s*$"
    r"|\bnames? of\s+(?:the\s+)?$|\bnot worth\b[^.;]*$"
    rf"|{FOR_EXAMPLE}.*$",
    re.IGNORECASE,
)
# "A field called `x` is handled like any other" supposes one; what has it, has it.
_ARTICLE = pattern(r"(?:an?|the|its)\s+(?:(?:optional|required)\s+)?", re.IGNORECASE)
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
_DENIED_ONE = pattern(r"(?:\b(?:not|never|cannot)|n[’']t)\s+(?:\w+\s+){1,2}an?\s+$", re.IGNORECASE)
_CARRIED = pattern(
    r"\b(?:with|via|through|in|by|as|without|set|sets|sent|sends|has|have|having|carr(?:y|ies|ying))\s+an?\s+$",
    re.IGNORECASE,
)
_GONE = pattern(
    r"\s*(?:is|was|has been|had been|(?:must|should|shall|has to|needs to) be)\s+(?:\w+\s+)?"
    r"(?:dropped|removed|gone|deleted from|renamed|replaced)\b",
    re.IGNORECASE,
)
# "The `Book` field, `title`": the name stands behind.
_ITS_NAME = pattern(r",\s+`[A-Za-z_][\w.]*`(?=\s*(?:[.,;]|$|\bis\b|\bmust\b))")
# "Either (a) link them or (b) add a `tests` field": ways to go, not how things are.
_ONE_WAY = pattern(r"\beither\b.*\sor\s+\([b2]\)", re.IGNORECASE)
# Names that examples are made of.
_NAMES_NOTHING = frozenset({"foo", "bar", "baz", "qux", "param", "parameter", "prop", "field", "header"})
# "The "Value" header" is that of a column, unless the word is one of HTTP's.
_COLUMN = pattern(
    r"\"(?!(?:Accept|Age|Allow|Authorization|Cookie|Connection|Date|ETag|Expect|Expires|Forwarded|From|Host|Link|Location"
    r"|Origin|Pragma|Range|Referer|Server|Signature|Trailer|Upgrade|Vary|Via|Warning)\")[A-Za-z]+\" header"
)
# "The `Request` parameter" and "the `KeywordsWidget` field" are of that class more often than called so, and
# 'the "self-hosted" property' a trait.
_OF_A_TYPE = pattern(
    r"`[A-Z](?:\w*[a-z]\w*|[A-Z]+)`(?! header)|\"(?:[A-Z][a-z]+){2,}\" field"
    r"|\"[A-Za-z]+-[a-z][\w-]*\" (?:property|attribute)$"
)
# "Does not carry the `plan_id` field": what is not done to a field that is there leaves it there.
_DENIED_VERB = pattern(
    r"(?:\b(?:not|never|cannot)|n[’']t)\s+(?!(?:chang|modif|touch|alter|affect|overrid|pass|put|updat|edit)\w*\s)"
    r"(?:(?!(?:if|when|unless|where|that|with|in|on|for)\s)\w+\s+){1,2}(?:the|an?|any|its)\s*$",
    re.IGNORECASE,
)
_FILE = pattern(r"\.(?:h|hpp|hh|hxx|md|rst|txt|csv|html?|py|js|ts|ya?ml|toml|ini)$")
_PLACEHOLDER = pattern(r"\snamed\s|^(?:header|property)\s")
# "Return field `name`": whichever one asks for.
_ASKED_FOR = pattern(
    r"^\W*(?:return|get|set|read|fetch|delete|remove|look up|find)s?\s+(?:the\s+)?$", re.IGNORECASE
)


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
            placeholder = name in ("name", "key", "value", "locator", "selector") and (
                _PLACEHOLDER.search(match[0]) is not None
                or name in ("locator", "selector")
                or (expression is _NAMED_AFTER and _ASKED_FOR.match(named[: match.start()]) is not None)
            )
            # "The `auth.models.User` field" is one of that class, and "the property "Ambiguous"" what a letter is.
            # "A `Json[...]` field" is of that type, and the "`stdio.h` header" a file.
            is_kind = name.partition("[")[0].rpartition(".")[2][:1].isupper() and (
                "." in name or "[" in name or (expression is _NAMED_AFTER and bool(parts.get("quoted")))
            )
            is_kind = is_kind or _FILE.search(name) is not None or _OF_A_TYPE.search(match[0]) is not None
            is_kind = is_kind and not match[0].startswith("header")
            # "The agent-framework field is crowded": without marks, words with hyphens may be a trade.
            bare = parts.get("bare") or ""
            if (bare and ("-" in bare or name.lower() in NO_NAMES)) or placeholder or is_kind or name in seen:
                continue
            before = named[: match.start()]
            behind = named[match.end() :]
            if (expression is _NAMED_AFTER and not _THIS_ONE.search(before)) or _COLUMN.search(match[0]):
                continue
            if _GONE.match(behind) or _ITS_NAME.match(behind) or name.lower() in _NAMES_NOTHING:
                continue
            if name.lower() in NO_FIELDS or name.endswith(("-", ".")) or _NO_FIELD.search(before):
                # `data-` is how a name begins.
                continue
            article = _ARTICLE.match(match[0])
            opened = f"{before}{article[0]}" if article else before
            if (
                _DENIED_ONE.search(opened)
                or _DENIED_VERB.search(opened)
                or (_INDEFINITE.search(opened) and not _is_there(match[0], name, opened.lstrip()))
            ):
                continue
            seen.add(name)
            yield Claim(kind=Claimed.FIELD, value=name, words=sentence.words, line=sentence.line)


def _is_there(phrase: str, name: str, opened: str) -> bool:
    """Whether `a … field` stands where a clause says that something has it, and is no type (`a STRING field`)."""
    if "header" in phrase:
        return _CARRIED.search(opened) is not None or _IS_THERE.search(opened) is not None
    return not name.isupper() and _IS_THERE.search(opened) is not None
