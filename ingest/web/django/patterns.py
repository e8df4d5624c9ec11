"""URL patterns of Django as paths with named parameters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec

from graph.schema_algebra import Schema, unknown

CONVERTERS: Final[dict[str, Schema]] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "slug": {"type": "string"},
    "uuid": {"type": "string", "format": "uuid"},
    "path": {"type": "string"},
}
_VARIABLE = re.compile(r"<(?:(?P<kind>[^>:]+):)?(?P<name>[A-Za-z_]\w*)>")
_NUMBERS = re.compile(r"(?:\\d|\[0-9\])(?:\+|\{\d+(?:,\d*)?\})?")
_ALTERNATIVES: Final = re.compile(r"\(?(?:\?:)?\w+(?:\|\w+)*\)?")
_USUAL: Final = "[^/.]+"
_OPTIONAL: Final = 3
_PLAIN = re.compile(r"[\w\-./~@:,;=%!'&{}]*")


class Pattern(msgspec.Struct, frozen=True):
    """A piece of a path as it is shown (`books/{id}/`), and the schema of each of its parameters.

    `stated` are the names of those for which a converter is written, be it that of plain texts, `slugs` of those whose
    converter is that of slugs, which are texts of their own.
    """

    path: str = ""
    parameters: dict[str, Schema] = msgspec.field(default_factory=dict)
    stated: frozenset[str] = frozenset()
    slugs: frozenset[str] = frozenset()

    def then(self, inner: Pattern) -> Pattern:
        """This piece with another one after it."""
        parameters = {**self.parameters, **inner.parameters}
        slugs = self.slugs | inner.slugs
        return Pattern(self.path + inner.path, parameters, self.stated | inner.stated, slugs)


def of_route(route: str, converter: Callable[[str], Schema | None]) -> Pattern:
    """The pattern of `path(…)`, where `converter` tells what one that is not Django's own lets through."""
    parameters: dict[str, Schema] = {}
    kinds = {match.group("name"): match.group("kind") for match in _VARIABLE.finditer(route)}
    stated = frozenset(name for name, kind in kinds.items() if kind)
    slugs = frozenset(name for name, kind in kinds.items() if kind == "slug")
    for match in _VARIABLE.finditer(route):
        kind = match.group("kind") or "str"
        found = CONVERTERS[kind] if kind in CONVERTERS else converter(kind)
        # What a converter makes of the text is its own matter, whatever the view looks for.
        parameters[match.group("name")] = {"x-any-type": True} if found is None else found
    path = _VARIABLE.sub(lambda match: "{" + match.group("name") + "}", route)
    return Pattern(path, parameters, stated, slugs)


def of_regex(regex: str) -> Pattern | None:
    """The pattern of `re_path(…)`; None where a regular expression is more than a path with parameters.

    Groups without a name are called `arg1`, `arg2`, ….
    """
    found, whole = _read(regex)
    return found if whole and _PLAIN.fullmatch(found.path) else None


def variants(regex: str) -> list[Pattern]:
    """The paths of a regular expression whose groups may be left out: with each of them, and without; none where it
    is more than that."""
    texts = [regex]
    for _ in range(_OPTIONAL):
        texts = [each for text in texts for each in _expanded(text)]
    found = [of_regex(text) for text in texts]
    return [] if len(texts) > 2**_OPTIONAL or None in found else [each for each in found if each is not None]


def _expanded(text: str) -> list[str]:
    """A regular expression with and without its first group that may be left out, or that has no name."""
    index = 0
    while index < len(text):
        if text[index] == "\\":
            index += 2
            continue
        if text[index] == "(":
            end = _closing(text, index)
            group, after = text[index:end], text[end : end + 1]
            inner = group[3:-1] if group.startswith("(?:") else group
            if after == "?":
                return [text[:index] + text[end + 1 :], text[:index] + inner + text[end + 1 :]]
            if inner is not group and "|" not in inner and after not in ("*", "+", "{"):
                return [text[:index] + inner + text[end:]]
            index = end
            continue
        index += 1
    return [text]


def beginning(regex: str) -> Pattern:
    """What all paths of a regular expression that is more than a path begin with, up to a slash."""
    found, _ = _read(regex)
    if _has_alternatives(regex):
        return Pattern()
    plain = _PLAIN.match(found.path)
    path = plain.group()[: plain.group().rfind("/") + 1] if plain is not None else ""
    return Pattern(path, {n: s for n, s in found.parameters.items() if "{" + n + "}" in path})


def _read(regex: str) -> tuple[Pattern, bool]:
    """The pattern as far as it can be read, and whether that is to the end."""
    parameters: dict[str, Schema] = {}
    shown: list[str] = []
    index = 0
    text = regex.removeprefix("^")
    while index < len(text):
        letter = text[index]
        if letter == "(":
            end = _closing(text, index)
            group = text[index:end]
            if group.startswith("(?P<"):
                name, _, inner = group[4:-1].partition(">")
            elif group.startswith("(?") or "|" in group or text[end : end + 1] in tuple("?*+{"):
                return Pattern("".join(shown), parameters), False
            else:
                name, inner = f"arg{len(parameters) + 1}", group[1:-1]
            parameters[name] = _schema(inner)
            shown.append("{" + name + "}")
            index = end
        elif letter == "\\" and index + 1 < len(text):
            if text[index + 1] in "Zzb":
                index += 2
                continue
            if text[index + 1].isalnum():
                return Pattern("".join(shown), parameters), False
            shown.append(text[index + 1])
            index += 2
        elif letter == "$" or (letter == "?" and shown and shown[-1] == "/"):
            index += 1
        else:
            shown.append(letter)
            index += 1
    return Pattern("".join(shown), parameters), True


def of_value(name: str, regex: str | None) -> Pattern:
    """The pattern of one parameter that a router puts into a path."""
    schema = unknown("which values are found depends on the lookup") if regex is None else _schema(regex)
    return Pattern("{" + name + "}", {name: schema})


def _schema(regex: str) -> Schema:
    if _NUMBERS.fullmatch(regex):
        # The view gets a text of digits; a contract may call it a number.
        return {"x-any-type": True, "pattern": f"^{regex}$", "x-implied": ["pattern", "positive", "range"]}
    if _ALTERNATIVES.fullmatch(regex):
        return matching(f"({regex})" if "(" not in regex else regex)
    if regex == _USUAL:
        return unknown("the parameter is given by a regular expression")
    # Whoever writes an expression of their own may mean the text, or what the view makes of it.
    return {"x-any-type": True, "x-implied": ["pattern"]} if "(" in regex else matching(regex)


def matching(regex: str) -> Schema:
    """A text that a regular expression matches whole; a contract may say what it stands for, and need not repeat it."""
    begun = regex if regex.startswith("^") else f"^{regex}"
    whole = begun if begun.endswith("$") else f"{begun}$"
    implied = ["format", "maxLength", "minLength", "pattern", "positive", "range"]
    return {"x-any-type": True, "pattern": whole, "x-implied": implied}


def _has_alternatives(regex: str) -> bool:
    """Whether there is a `|` outside of groups."""
    index = 0
    while index < len(regex):
        if regex[index] == "(":
            index = _closing(regex, index)
            continue
        if regex[index] == "|":
            return True
        index += 2 if regex[index] == "\\" else 1
    return False


def _closing(text: str, start: int) -> int:
    """Where the group that opens at `start` ends."""
    depth = 0
    index = start
    while index < len(text):
        if text[index] == "\\":
            index += 1
        elif text[index] == "[":
            end = text.find("]", index + 2)
            index = end if end > 0 else index
        elif text[index] == "(":
            depth += 1
        elif text[index] == ")":
            depth -= 1
            if depth == 0:
                return index + 1
        index += 1
    return len(text)
