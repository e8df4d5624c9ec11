"""Notes on one field, said as the sentences of the grammar: `title: required, string, 2-100 characters`.

Each item of the note has to be one that this page knows, and one of them has to tell that a field is spoken of: whether
it is required, or its type. Else the sentence stays as it is.
"""

from __future__ import annotations

import re

from graph.patterns import pattern
from ingest.claims.numbers import NUMBER
from ingest.claims.vocabulary import GIVEN, NO_FIELDS, OTHERS

_N = rf"(?:{NUMBER})"
_TEXT = r"(?:characters?|chars?|digits?|letters?)"
_RANGE = (
    rf"(?:(?:length:?\s+|between\s+)?{_N}\s*(?:-|–|to|and)\s*{_N}\s+{_TEXT}"
    rf"|min(?:imum)?\.?\s+{_N}(?:\s+{_TEXT})?,?\s+(?:and\s+)?max(?:imum)?\.?\s+{_N}\s+{_TEXT}"
    rf"|(?:max(?:imum)?\.?|min(?:imum)?\.?|at least|at most|up to|no more than)\s+{_N}\s+{_TEXT})"
)
_ONLY_A_RANGE = pattern(_RANGE, re.IGNORECASE)
_NUMERIC = pattern(r"integers?|int|numbers?|numeric|decimals?|float", re.IGNORECASE)
_RANGED = pattern(
    rf"(?:length:?\s+|between\s+)?(?P<low>{_N})\s*(?:-|–|to|and)\s*(?P<high>{_N})\s+(?P<unit>{_TEXT})",
    re.IGNORECASE,
)
_MIN_MAX = pattern(
    rf"min(?:imum)?\.?\s+(?P<low>{_N})(?:\s+{_TEXT})?,?\s+(?:and\s+)?max(?:imum)?\.?\s+(?P<high>{_N})\s+(?P<unit>{_TEXT})",
    re.IGNORECASE,
)
_NOTE = pattern(
    r"^(?:the\s+)?(?:`(?P<code>[A-Za-z_][\w.-]*)`|(?P<name>[A-Za-z_]\w*))"
    r"(?::\s+(?P<items>[^:;()]+?)|\s+\((?P<inner>[^:;()]+)\))(?P<described>\s*(?::|-|–|—)\s+.+|[.]?)$",
    only_with="require|optional|mandatory|default|_length",
)
_TYPE = pattern(
    r"(?:non-null\s+)?(?:strings?|text|str|integers?|int|numbers?|numeric|decimals?|float|booleans?|bool"
    r"|enum|(?-i:[A-Z]\w*Field)|dates?|date-?times?|timestamps?|arrays?|lists?|objects?)",
    re.IGNORECASE,
)
_CLASS = pattern(r"(?:\w+\.)*(?:[A-Z][a-z\d]+){2,}|(?:\w+\.)*[A-Z][a-z]\w*\.\w+|(?:\w+\.)+[A-Z][a-z]\w*")
_SAYS_NOTHING = pattern(
    r"unique|indexed|not null|case[- ]insensitive|trimmed|primary key|auto-?generated(?:\s.+)?|hashed"
    r"|(?:max(?:imum)?\.?|up to|at most)\s+\d\s+decimals?(?:\s+places?)?|(?:\d|two|three)-letter\s.+"
    r"|not\s+(?:in\s+)?(?:the\s+)?(?:future|past)",
    re.IGNORECASE,
)
_DEFAULT = pattern(
    r"default(?:(?:s to|:| is)?\s+|\s*=\s*)(?P<value>`[^`]+`|\"[^\"]+\"|'[^']+'|-?\d+(?:\.\d+)?|true|false)",
    re.IGNORECASE,
)
_BOUND = pattern(
    rf"(?:(?:must be\s+)?(?:greater than(?: or equal to)?|less than(?: or equal to)?|at least|at most"
    rf"|min(?:imum)?|max(?:imum)?|>=|<=|≥|≤|>|<)\s*{_N}"
    rf"|(?:between\s+)?{_N}\s*(?:-|–|to|and)\s*{_N}|from\s+{_N}\s+to\s+{_N})",
    re.IGNORECASE,
)
_AMONG = pattern(rf"(?:between\s+|from\s+)?(?P<low>{_N})\s*(?:-|–|to|and)\s*(?P<high>{_N})", re.IGNORECASE)
_FORM = pattern(
    r"(?:valid\s+)?(?:(?P<mail>e-?mail(?:\s+(?:format|address))?)|(?P<uuid>UUID)|(?P<url>UR[LI])"
    r"|(?P<date>YYYY-MM-DD)|(?P<iso>ISO[ -]?8601(?:\s+(?:date(?:-?time)?|timestamp|format))?))",
    re.IGNORECASE,
)
# "max_length=200", "choices=['draft', 'published']", as Django's fields are told.
_COMMA = pattern(r",\s*(?![^\[\]]*\])")
_KEYWORD = pattern(r"(?P<way>min|max)_length\s*=\s*(?P<number>\d+)")
_CHOICES = pattern(r"(?:choices|enum|one of)\s*[=:]?\s*\[(?P<list>[^\[\]]+)\]", re.IGNORECASE)
_SAID = pattern(r"must\s.+|cannot\s.+", re.IGNORECASE)
# "Title is required (max 200 characters)", "Username (3-20 characters)", "System MUST validate title length (1-200 …)".
_BRACKETED = pattern(
    rf"^(?:(?:the\s+)?(?:system|API|service|application)\s+(?:must|shall)\s+(?:validate|enforce"
    rf"|check)\s+)?(?P<head>(?:the\s+)?(?:(?:`[^`\s]+`|\"[^\"\s]+\")(?:\sfield)?"
    rf"|[A-Za-z][\w-]*(?:\s(?!length\b|is\b|are\b)[a-z][\w-]*)?))(?:\s+length)?(?P<how>\s+(?:is"
    rf"|are)\s+(?:required|mandatory|optional))?"
    rf"\s+\((?P<range>{_RANGE})\)[.]?$",
    re.IGNORECASE,
    only_with=r"\(.*(?:char|digit|letter)",
)


def field_notes(words: str) -> str:
    """A note on one field as a sentence with a verb for each of its items."""
    if match := _BRACKETED.match(words):
        how = f"{match['how'].strip()} and " if match["how"] else ""
        return f"{match['head']} {how}must be {_length(match['range'])}"
    match = _NOTE.match(words)
    if match is None or (match["described"].strip(" .") and not (match["code"] and match["inner"])):
        # "`sku` (string, required): what it is called" is a note, whatever is said behind a name that nothing marks.
        return words
    items = [item.strip() for item in _COMMA.split(match["items"] or match["inner"])]
    said, telling = [], False
    for item in items:
        verb = _said(item, numeric=any(_is_number(each) for each in items))
        if verb is None:
            return words
        telling = telling or verb.startswith("is ") or _TYPE.fullmatch(item) is not None
        if verb:
            said.append(verb)
    if not telling or not any(verb in ("is required", "is optional") for verb in said):
        # "`is_active` (bool, default true)" tells of a field, "Pages (default 20)" of anything.
        typed = match["code"] or "_" in match["name"]
        plain = any(verb.startswith("defaults to") for verb in said) or any(map(_KEYWORD.fullmatch, items))
        if not (telling and typed and plain):
            return words
    name = match["code"] or match["name"]
    if name.endswith("_") and not match["code"]:
        # "lamps_ (optional)" refers to what stands elsewhere.
        return words
    if match["code"] and (_CLASS.fullmatch(name) or name in NO_FIELDS):
        # "`shelf.ShelfOptions`: Optional" tells of what type something is.
        return words
    if match["inner"] and said == ["is optional"] and not (match["code"] or _is_given(name)):
        # "autoenv (optional)", "PhantomJS (optional)" is a program that one may install.
        return words
    if not match["code"] and name.lower() in OTHERS:
        # "pandas (required)", "redis: optional" are other programs.
        return words
    if match["name"] and name[1:].islower():
        name = name.lower()
    return f"`{name}` {' and '.join(said)}"


def _is_given(name: str) -> bool:
    """Whether a bare word is one for what one gives, or is written as names are."""
    return "_" in name or (name[0].islower() and not name.islower()) or name.lower() in GIVEN


def _said(item: str, *, numeric: bool) -> str | None:
    """What an item says with its verb; nothing for a type, None for what is not known."""
    low = item.lower()
    if low in ("required", "mandatory"):
        return "is required"
    if low in ("optional", "not required"):
        return "is optional"
    if _TYPE.fullmatch(item) or _SAYS_NOTHING.fullmatch(item):
        return ""
    if _ONLY_A_RANGE.fullmatch(item):
        return f"must be {_length(item)}"
    if low in ("positive", "non-negative"):
        return f"must be {low}"
    if low in ("non-empty", "not empty"):
        return "must not be empty"
    if match := _KEYWORD.fullmatch(item):
        return (
            f"must be {'at most' if match['way'] == 'max' else 'at least'} {match['number']} characters long"
        )
    if match := _CHOICES.fullmatch(item):
        return f"is one of {match['list']}"
    if match := _DEFAULT.fullmatch(item):
        return f"defaults to {match['value']}"
    if match := _FORM.fullmatch(item):
        form = (
            "an e-mail address"
            if match["mail"]
            else "YYYY-MM-DD"
            if match["date"]
            else "an ISO 8601 date"
            if match["iso"]
            else "a UUID"
            if match["uuid"]
            else "a URL"
        )
        return f"must be {form}"
    if numeric and _BOUND.fullmatch(item):
        if match := _AMONG.fullmatch(item):
            return f"must be between {match['low']} and {match['high']}"
        return item if low.startswith("must") else f"must be {_compared(low)}"
    return item if _SAID.fullmatch(item) and " and " not in low else None


def _is_number(item: str) -> bool:
    return _NUMERIC.fullmatch(item) is not None


def _compared(low: str) -> str:
    """`greater than or equal to 0` as the grammar says it."""
    way = "at least" if low.startswith("greater") else "at most"
    return f"{way} {low.rpartition(' ')[2]}" if " or equal " in low else low


def _length(text: str) -> str:
    """`2-100 characters` as the grammar says it; what has a word for its bound stays as it is."""
    if match := _MIN_MAX.fullmatch(text):
        return f"between {match['low']} and {match['high']} {match['unit']} long"
    if match := _RANGED.fullmatch(text):
        return f"between {match['low']} and {match['high']} {match['unit']} long"
    return text
