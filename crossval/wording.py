"""Says in plain English what a pair is about and what a value is."""

from __future__ import annotations

import json

from crossval.pairs import Pair
from graph.facts import Json

_LONGEST = 80
_ARTICLES = {"array": "an array", "integer": "an integer", "object": "an object", "null": "null"}


def thing(pair: Pair) -> str:
    """`query parameter limit of GET /books`, `field title of schema Book`, `the 404 response of …`."""
    parts = pair.place.split(".")
    if not pair.place:
        return pair.subject
    if parts[0] == "parameters" and len(parts) > 2:
        name, *inner = ".".join(parts[2:]).split(".", 1) if "[]" in pair.place else [".".join(parts[2:])]
        return _within(f"{parts[1]} parameter {name} of {pair.subject}", inner)
    if parts[0] == "responses" and len(parts) > 1:
        status = parts[1].removesuffix("[]")
        whole = f"the {status} response of {pair.subject}"
        if parts[2:3] == ["headers"]:
            return f"header {'.'.join(parts[3:])} of {whole}"
        return _inside(whole, parts[1:], status)
    if parts[0].startswith("body"):
        return _inside(f"the body of {pair.subject}", parts, "body")
    if parts[0].startswith("fields"):
        return _inside(pair.subject, parts, "fields")
    return f"{pair.place} of {pair.subject}"


def _inside(whole: str, parts: list[str], stem: str) -> str:
    items = "".join(parts[:1]).removeprefix(stem)
    path = ".".join(parts[1:])
    if path.endswith("[]") or (items and not path):
        of = f"field {path.removesuffix('[]')} of {whole}" if path else whole
        return f"each item of {of}"
    if path.endswith(".*"):
        return f"each value in field {path.removesuffix('.*')} of {whole}"
    if path == "*":
        return f"each value in {whole}"
    return f"field {path} of {whole}" if path else whole


def _within(whole: str, inner: list[str]) -> str:
    return f"{inner[0]} of {whole}" if inner else whole


def capital(sentence: str) -> str:
    """The sentence with a capital first letter, unless it begins with a method, which has one."""
    return sentence[:1].upper() + sentence[1:]


def say(value: Json) -> str:
    """A JSON value as a reader would write it, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def listing(values: Json) -> str:
    """`200, 404 and 409`; `nothing` for an empty list."""
    names = [value if isinstance(value, str) else say(value) for value in values or []]
    if len(names) < 2:
        return names[0] if names else "nothing"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def type_name(value: Json) -> str:
    """`a string`, `an integer`, `a string or null`."""
    names = value if isinstance(value, list) else [value]
    return " or ".join(_ARTICLES.get(name, f"a {name}") for name in names)
