"""Says in plain English what a pair is about and what a value is."""

from __future__ import annotations

import json
import re

from crossval.pairs import Pair, SourceText
from graph.compiled import compiled
from graph.facts import Json

_LONGEST = 80
_ITEMS = compiled(r"(\[\d*\])+$")
_ARTICLES = {"array": "an array", "integer": "an integer", "object": "an object", "null": "null"}


def thing(pair: Pair) -> str:
    """`query parameter limit of GET /books`, `field title of schema Book`, `each item of the body of …`."""
    head, _, rest = pair.place.partition(".")
    whole = pair.subject
    if head == "parameters":
        where, _, name = rest.partition(".")
        name, items = _split_items(name)
        return _items(items, f"{where} parameter {name} of {whole}")
    if head == "responses":
        status, _, rest = rest.partition(".")
        status, items = _split_items(status)
        whole = f"the {status} response of {whole}"
        if rest.startswith("headers."):
            return f"header {rest.partition('.')[2]} of {whole}"
    else:
        head, items = _split_items(head)
        whole = f"the body of {whole}" if head == "body" else whole
    if not rest:
        return _items(items, whole)
    name, items = _split_items(rest)
    if name == "*" or name.endswith(".*"):
        holder = f"field {name.removesuffix('.*')} of {whole}" if name != "*" else whole
        return _items(items, f"each value in {holder}")
    return _items(items, f"field {name} of {whole}")


def _split_items(name: str) -> tuple[str, list[str]]:
    """The name without the `[]` and `[0]` at its end, and what stood in them."""
    bare = _ITEMS.sub("", name)
    return bare, re.findall(r"\[(\d*)\]", name[len(bare) :])


def _items(items: list[str], whole: str) -> str:
    for index in items:
        whole = f"item {index} of {whole}" if index else f"each item of {whole}"
    return whole


def capital(sentence: str) -> str:
    """The sentence with a capital first letter, unless it begins with a method, which has one."""
    return sentence[:1].upper() + sentence[1:]


def say(value: Json) -> str:
    """A JSON value as a reader would write it, cut where it is long."""
    return _cut(json.dumps(value, ensure_ascii=False))


def say_python(value: Json) -> str:
    """A value of Python code as a reader would write it, cut where it is long: `None`, `[True, 1]`."""
    return _cut(_python(value))


def _python(value: Json) -> str:
    if isinstance(value, SourceText):
        return value
    if isinstance(value, list):
        return f"[{', '.join(map(_python, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_python(key)}: {_python(each)}' for key, each in value.items())}}}"
    return repr(value) if value is None or isinstance(value, bool) else json.dumps(value, ensure_ascii=False)


def _cut(text: str) -> str:
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
