"""What functions answer whose names stand for something that everybody knows: leap years, Roman numerals, ISO 8601.

A name says so only together with the types of what is taken and given; what a standard leaves open is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from graph.facts import Fact, Json
from planner.cases import Case
from planner.functions.drawn_values import words_of
from planner.functions.law_case import law_case

KNOWN = "known"
"""The law of such cases."""


class Row(msgspec.Struct, frozen=True):
    """One answer: the arguments by their places and the result, all as source; `read` is what reads the result."""

    given: tuple[str, ...]
    result: str
    read: str = ""


class _Standard(msgspec.Struct, frozen=True):
    """A name, the types of what is taken and given, and the answers."""

    name: re.Pattern[str]
    takes: tuple[str, ...]
    gives: str
    rows: tuple[Row, ...]


def _of(name: str, takes: str, gives: str, *rows: tuple[str, ...]) -> _Standard:
    answers = tuple(Row(tuple(given), result) for *given, result in rows)
    return _Standard(re.compile(name), tuple(takes.split(", ")), gives, answers)


def _asked(name: str, right: str, *wrong: str) -> _Standard:
    """What tells whether a text is of a form."""
    return _of(
        rf"(?:is|validate|check)_(?:valid_|a_)?{name}|{name}_is_valid|is_{name}_valid",
        "str",
        "bool",
        (f'"{right}"', "True"),
        *((f'"{each}"', "False") for each in wrong),
    )


_MOMENT = "datetime.datetime(2024, 5, 17, {}, tzinfo=datetime.timezone.utc)"
_ISO = r"(?:iso|iso_?8601|rfc_?3339)"
_READ = r"(?:parse|read|from|load|decode|to_datetime|to_date)"
# The words of a name, behind those of its module where a standard names that; the first that fits counts.
_STANDARDS = (
    _of(
        rf"(?:.*\.)?(?:{_READ}_{_ISO}(?:_\w+)?|{_ISO}_?{_READ})|.*\b{_ISO}(?:\.\w+)*\.{_READ}(?:_(?:date|datetime|time|timestamp))?",
        "str",
        "datetime",
        ('"2024-05-17T12:30:00Z"', _MOMENT.format("12, 30")),
        ('"2024-05-17T12:30:00+02:00"', _MOMENT.format("10, 30")),
        ('"2024-05-17T12:30:00-05:30"', _MOMENT.format("18, 0")),
        ('"2024-05-17T12:30:00.25Z"', _MOMENT.format("12, 30, 0, 250000")),
    ),
    _of(
        rf"(?:.*\.)?{_READ}_{_ISO}_date|.*\b{_ISO}(?:\.\w+)*\.{_READ}_date",
        "str",
        "date",
        ('"2024-05-17"', "datetime.date(2024, 5, 17)"),
    ),
    _of(
        rf".*{_ISO}.*\.{_READ}_duration|(?:.*\.)?{_READ}_{_ISO}_duration",
        "str",
        "timedelta",
        ('"P1DT2H"', "datetime.timedelta(days=1, hours=2)"),
        ('"PT90M"', "datetime.timedelta(minutes=90)"),
    ),
    _asked(_ISO, "2024-05-17T12:30:00Z", "some text"),
    _of(r"is_leap(?:_year)?|isleap", "int", "bool", ("2024", "True"), ("1900", "False"), ("2000", "True")),
    _of(r"(?:days_in|length_of)_month", "int, int", "int", ("2024", "2", "29"), ("2023", "4", "30")),
    _of(r"(?:levenshtein|edit)(?:_distance)?", "str, str", "int", ('"kitten"', '"sitting"', "3")),
    _of(r"hamming(?:_distance)?", "str, str", "int", ('"karolin"', '"kathrin"', "3")),
    _of(r"soundex", "str", "str", ('"Robert"', '"R163"')),
    _of(r"gcd|greatest_common_divisor", "int, int", "int", ("12", "18", "6")),
    _of(r"lcm|least_common_multiple", "int, int", "int", ("4", "6", "12")),
    _of(r"factorial", "int", "int", ("5", "120"), ("0", "1")),
    _of(r"is_prime", "int", "bool", ("7", "True"), ("9", "False"), ("1", "False")),
    _of(r"is_palindrome", "str", "bool", ('"level"', "True"), ('"text"', "False")),
    _of(r"(?:int_)?to_roman|(?:int|number|arabic)_to_roman", "int", "str", ("14", '"XIV"'), ("1999", '"MCMXCIX"')),
    _of(r"from_roman|roman_to_(?:int|number|arabic)", "str", "int", ('"XIV"', "14"), ('"MCMXCIX"', "1999")),
    _of(r"(?:celsius|c)_to_(?:fahrenheit|f)", "float", "float", ("100", "212"), ("-40", "-40")),
    _of(r"(?:fahrenheit|f)_to_(?:celsius|c)", "float", "float", ("212", "100"), ("-40", "-40")),
    _of(r"(?:camel_to|to)_snake(?:_case)?|snake_?case", "str", "str", ('"fooBarBaz"', '"foo_bar_baz"')),
    _of(r"(?:snake_to|to)_pascal(?:_case)?|pascal_?case", "str", "str", ('"foo_bar_baz"', '"FooBarBaz"')),
    _of(r"(?:snake_to|to)_kebab(?:_case)?|kebab_?case", "str", "str", ('"foo_bar_baz"', '"foo-bar-baz"')),
    _of(r"crc_?32", "bytes", "int", ('b"123456789"', "0xCBF43926")),
    _of(r"adler_?32", "bytes", "int", ('b"123456789"', "0x091E01DE")),
    _of(r"(?:base_?64|b64)_?encode|encode_(?:base_?64|b64)", "bytes", "str", ('b"some text"', '"c29tZSB0ZXh0"')),
    _of(r"(?:base_?64|b64)_?encode|encode_(?:base_?64|b64)", "bytes", "bytes", ('b"some text"', 'b"c29tZSB0ZXh0"')),
    _of(r"(?:base_?64|b64)_?decode|decode_(?:base_?64|b64)", "str", "bytes", ('"c29tZSB0ZXh0"', 'b"some text"')),
    _of(r"hexlify|bytes_to_hex", "bytes", "str", ('b"some"', '"736f6d65"')),
    _of(r"unhexlify|hex_to_bytes", "str", "bytes", ('"736f6d65"', 'b"some"')),
    _of(r"escape_(?:html|xml)|(?:html|xml)_escape", "str", "str", ('"<b> & c"', '"&lt;b&gt; &amp; c"')),
    _of(r"unescape_(?:html|xml)|(?:html|xml)_unescape", "str", "str", ('"&lt;b&gt; &amp; c"', '"<b> & c"')),
    _of(r"(?:strip|remove)_(?:html_?)?tags", "str", "str", ('"<b>some</b> text"', '"some text"')),
    _of(r"ordinal(?:ize|ise)", "int", "str", ("1", '"1st"'), ("2", '"2nd"'), ("11", '"11th"')),
    _of(r"plural(?:ize|ise)", "str", "str", ('"apple"', '"apples"')),
    _of(r"singular(?:ize|ise)", "str", "str", ('"apples"', '"apple"')),
    _of(r"slugify", "str", "str", ('"Hello World"', '"hello-world"')),
    _of(r"(?:word_count|count_words)", "str", "int", ('"one two three"', "3")),
    _asked(r"(?:ip_?v4|ip)(?:_address)?", "192.0.2.1", "256.0.2.1", "some text"),
    _asked(r"ip_?v6(?:_address)?", "2001:db8::1", "192.0.2.1"),
    _asked(r"e?mail(?:_address)?", "one@example.com", "some text"),
    _asked(r"url", "https://example.com/one", "some text"),
    _asked(r"uuid", "12345678-1234-4678-9234-567812345678", "some text"),
    _asked(r"mac(?:_address)?", "00:1b:63:84:45:e6", "some text"),
    _asked(r"hex_colou?r", "#ff8000", "some text"),
    _asked(r"isbn(?:_?13)?", "9780306406157", "9780306406158"),
    _asked(r"iban", "GB82WEST12345698765432", "GB82WEST12345698765431"),
    _asked(r"luhn(?:_number)?", "4111111111111111", "4111111111111112"),
    _asked(r"credit_card(?:_number)?", "4111111111111111", "some text"),
    _asked(r"json", "[1, 2]", "[1, 2"),
)  # fmt: skip
_VALUES = (
    '{"name": "some text", "list": [1, 2.5, None, True]}',
    r"""['a "quoted" one', "two\nlines", "back\\slash"]""",
    '["é€𝄞"]',
    "[0, -17, 1e21, 1e-07]",
)
_TEXTS_OF_JSON = (
    ("""'{"name": "some text", "list": [1, 2.5, null, true]}'""", _VALUES[0]),
    (r"""'["a \\"quoted\\" one", "two\\nlines", "back\\\\slash"]'""", _VALUES[1]),
    ("'[0, -17, 1e21, 1e-07]'", _VALUES[3]),
)
_WRITES_JSON = re.compile(r"dumps|to_json|json_?dumps|json_?encode|encode_json|dump_json|serialize_json")
_READS_JSON = re.compile(r"loads|from_json|json_?loads|json_?decode|decode_json|load_json|parse_json")
# Types of what may hold anything that JSON does, and what reads as such.
_OF_JSON = re.compile(
    r"(?:typing\.|t\.)?Any|object|_?(?:\w+\.)?_?(?:JSON|Json)\w*|_?(?:Value|ValueType)|None"
    r"|(?:dict|list|Dict|List|Mapping)(?:\[.*\])?(?: \| .*)?"
)
# Calendars that count otherwise.
_OTHER_CALENDARS = re.compile(
    r"hebrew|islam|hijri|persian|jalali|shamsi|indian|julian|coptic|bahai|french|mayan|lunar|ethiop|armenian|positivist"
)
_WIDER = {"int": {"int", "float", "Any"}, "float": {"float", "int", "Any"}, "str": {"str", "AnyStr", "Any"}}


def summary(facts: Iterable[Fact]) -> str:
    """What the docstrings of a function, in stub and code, say first."""
    docs = [each.aspects.get("doc") for each in facts]
    return " ".join(str(doc.get("summary", "")) for doc in docs if isinstance(doc, dict))


def known_cases(fact: Fact, told: str) -> Iterator[Case]:
    """The case of a function whose answers are known by its name and what its docstrings first tell, if it is one."""
    if known_answers(fact, told):
        yield law_case(fact, KNOWN, f"{fact.name} answers as its name says", {})


def known_answers(fact: Fact, told: str) -> tuple[Row, ...]:
    """The known answers of a function of a module, of which docstrings first tell this; empty for any other."""
    aspects = fact.aspects
    if aspects.get("kind", "function") not in ("function", "staticmethod") or "~" in fact.key:
        return ()
    if aspects.get("async") or aspects.get("overload") or _OTHER_CALENDARS.search(fact.key.lower()):
        return ()
    rows = aspects.get("parameters", ())
    required = [row for row in rows if row[3] is None and not str(row[1]).startswith("var")]
    if list(rows[: len(required)]) != required or any(row[1] == "keyword-only" for row in required):
        return ()
    if rows_of_json := _of_json(fact, told, required):
        return rows_of_json
    holder, _, _ = fact.key.lower().rpartition(".")
    name = "_".join(words_of(fact.name)) if fact.name != fact.name.lower() else fact.name
    found = (
        each for each in _STANDARDS if each.name.fullmatch(name) or each.name.fullmatch(f"{holder}.{name}")
    )
    return next((each.rows for each in found if _fits(each, required, str(aspects.get("returns")))), ())


def _of_json(fact: Fact, told: str, required: list[Json]) -> tuple[Row, ...]:
    """The answers of a function that writes or reads JSON, as it, its module or its docstring is called; else none."""
    words = {word for part in fact.key.split(".") for word in words_of(part)}
    if len(required) != 1 or not ("json" in words or re.search(r"\bJSON\b", told)):
        return ()
    taken, given = str(required[0][2]), str(fact.aspects.get("returns"))
    if _WRITES_JSON.fullmatch(fact.name) and given in ("str", "bytes") and _OF_JSON.fullmatch(taken):
        return tuple(Row((value,), value, "json.loads") for value in _VALUES)
    if _READS_JSON.fullmatch(fact.name) and re.search(r"\bstr\b", taken) and _OF_JSON.fullmatch(given):
        return tuple(Row((text,), value) for text, value in _TEXTS_OF_JSON)
    return ()


def _fits(standard: _Standard, required: list[Json], returns: str) -> bool:
    """Whether a function takes and gives what a standard is about."""
    given = {returns.partition("[")[0].rpartition(".")[2].lower()}
    gives = {standard.gives, "int"} if standard.gives == "float" else {standard.gives}
    return (
        len(required) == len(standard.takes)
        and bool(given & gives)
        and all(
            set(re.findall(r"\w+", str(row[2] or ""))) & _WIDER.get(type_, {type_, "Any"})
            for row, type_ in zip(required, standard.takes, strict=True)
        )
    )
