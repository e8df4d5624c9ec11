"""Texts for a schema: of its format, pattern and length, and of the form that a name tells."""

from __future__ import annotations

import re

from engine.generators.values.days import TO_COME, is_to_come
from engine.generators.values.named_texts import named_text, sized_named_text
from engine.generators.values.patterns import matching_text
from graph.facts import Json
from planner.contracts.resources import snake
from planner.contracts.violations import keeps

FORMATS: dict[str, str] = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:30:00Z",
    "time": "12:30:00Z",
    "duration": "PT1H",
    "email": "reader@example.org",
    "idn-email": "reader@example.org",
    "hostname": "example.org",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.org/",
    "url": "https://example.org/",
    "uuid": "3f2b8c1e-9d4a-4e6b-8a7c-5d1f0e2b3c4d",
    "byte": "dGV4dA==",
    "binary": "text",
    "decimal": "1.50",
}
_WITH_PATHS = ("uri", "url")
_WORD = re.compile(r"[A-Za-z]+")
LONGEST = 20_000
"""The longest text that is fit for a test."""


class NoValueError(Exception):
    """No value can be made; the message says for what."""


def free_text(schema: dict[str, Json], name: str) -> str:
    """A text that a schema takes: in its format or pattern, else in the form that its name tells, else its name."""
    encoded = "byte" if schema.get("contentEncoding") == "base64" else schema.get("format")
    known = FORMATS.get(str(encoded))
    if known is not None and str(encoded) in TO_COME and is_to_come(snake(name)):
        known = TO_COME[str(encoded)]
    if isinstance(schema.get("pattern"), str):
        return known if known is not None and keeps(schema, known) else _matching(schema, name)
    if known is not None:
        return known
    formed = named_text(name)
    if formed is not None and keeps(schema, formed):
        return formed
    words = " ".join(_WORD.findall(name)).lower() or "text"
    least, most = int(schema.get("minLength", 0)), int(schema.get("maxLength", LONGEST))
    return _sized(words.capitalize(), max(least, min(most, len(words))))


def _matching(schema: dict[str, Json], name: str) -> str:
    """A text that matches a pattern, and is not empty where the pattern lets it be something."""
    least, most = int(schema.get("minLength", 0)), schema.get("maxLength")
    for length in dict.fromkeys((max(least, 1), least)):
        text = matching_text(schema["pattern"], length, most)
        if text is not None:
            return text
    raise NoValueError(f"a text for {name} that matches {schema['pattern']}")


_HOME = "@example.com"
_LOCAL, _LABEL, _ADDRESS = 64, 63, 254


def as_label(schema: dict[str, Json], value: Json) -> Json:
    """A text in small letters, where it may be in such: labels are often kept so."""
    small = value.lower() if isinstance(value, str) else value
    return small if keeps(schema, small) else value


def sized_text(schema: dict[str, Json], name: str, length: int, *, taken: bool = True) -> str:
    """A text of a length that is good in all else. Raises NoValueError where none can be written.

    One that is not `taken` anyhow need not have the form that its name tells.
    """
    if length > LONGEST:
        raise NoValueError(f"a text of {length} characters for {name}, which is too long for a test")
    if isinstance(schema.get("pattern"), str):
        text = matching_text(schema["pattern"], length, length)
        if text is None:
            raise NoValueError(f"a text of {length} characters for {name} that matches {schema['pattern']}")
        return text
    known = FORMATS.get(str(schema.get("format")), "")
    if schema.get("format") in _WITH_PATHS and length > len(known):
        return _sized(known, length)
    if schema.get("format") == "email" and (address := _sized_address(length)) is not None:
        return address
    if known:
        raise NoValueError(f"a text of {length} characters for {name} in the format {schema['format']}")
    if named_text(name) is not None:
        formed = sized_named_text(name, length)
        if formed is None and taken:
            raise NoValueError(f"a text of {length} characters that is a good {name}")
        if formed is not None:
            return formed
    return _sized((" ".join(_WORD.findall(name)).lower() or "text").capitalize(), length)


def _sized_address(length: int) -> str | None:
    """An e-mail address of a length, whose parts are as long as RFC 5321 and DNS let them be; None where none is."""
    if length > _ADDRESS:
        return None
    local, home = min(length - len(_HOME), _LOCAL), _HOME
    while local >= 1 and local + len(home) < length:
        more = min(length - local - len(home) - 1, _LABEL)
        if more < 1:
            local, more = local - 1, 1
        home = f"@{'x' * more}.{home[1:]}"
    return "x" * local + home if local >= 1 else None


def _sized(word: str, length: int) -> str:
    return (word + "x" * length)[:length]
