"""Text from the project made safe to show: what could steer a terminal or deceive a reader becomes visible."""

from __future__ import annotations

import re

from graph.patterns import pattern

_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_BREAKS = "\t\n"
_SEPARATORS = "\u2028\u2029"
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_TAGS = "\U000e0000-\U000e007f"
_SURROGATES = "\ud800-\udfff"

_LOG_COMMAND = r"(?<=#)#(?=\w*\[)"
"""The second mark of `##[command]` and `##vso[command]`, which CI servers obey anywhere in a line of a log."""

_HIDDEN = pattern(f"[{_CONTROL}{_SEPARATORS}{_BIDI}{_TAGS}{_SURROGATES}]|{_LOG_COMMAND}")
_HIDDEN_IN_LINE = pattern(f"[{_CONTROL}{_BREAKS}{_SEPARATORS}{_BIDI}{_TAGS}{_SURROGATES}]|{_LOG_COMMAND}")
_LONE = pattern(f"[{_SURROGATES}]")
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_LONGEST = 1000
_MORE = "…"


def clean(text: str) -> str:
    """The text with control characters, bidi controls, tags and lone surrogates shown as escapes (`\\x1b`).

    So is one mark of what a CI server would take for a command in its log (`##[…]`).
    Line feeds and tabs stay. Backslashes of the text itself are left alone, so that source code looks as it is.
    """
    return text if _is_plain(text) else _HIDDEN.sub(_escape, text)


def clean_line(text: str) -> str:
    """As `clean`, but on one line: line feeds and tabs are shown as escapes too."""
    return text if "##" not in text and text.isprintable() else _HIDDEN_IN_LINE.sub(_escape, text)


def brief(text: str, longest: int = _LONGEST) -> str:
    """As `clean_line`, but cut after so many characters; `…` stands for the rest."""
    cleaned = clean_line(text[: longest + 1])
    return cleaned if len(cleaned) <= longest else f"{cleaned[: longest - 1]}{_MORE}"


def place(path: str, line: int | None = None) -> str:
    """`app/main.py:57` as it may begin a line of a CI server's log: before what looks like a command comes `./`."""
    shown = clean_line(path)
    if shown.lstrip().startswith("::"):
        shown = f"./{shown}"
    return f"{shown}:{line}" if line else shown


def encodable(text: str) -> str:
    """The text with nothing changed but lone surrogates, which no encoding can carry, shown as escapes."""
    return text if text.isascii() else _LONE.sub(_escape, text)


def json_safe(document: str) -> str:
    """A JSON document with the same values, in which no character is left that could steer a terminal.

    Such characters occur in JSON only inside strings, where `\\u` escapes mean the same.
    """
    return document if _is_plain(document) else _HIDDEN.sub(_json_escape, document)


def _is_plain(text: str) -> bool:
    """Whether nothing in a text can be hidden: a look that takes a hundredth of going through it."""
    return "##" not in text and text.replace("\n", "").isprintable()


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    if code < 0x100:
        return _SHORT.get(character, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _json_escape(match: re.Match[str]) -> str:
    units = match.group().encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
