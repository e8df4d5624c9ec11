"""What a new object has where its constructor is told nothing else: the defaults that it can be asked for by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from graph.facts import Fact, Kind
from graph.literals import literal_value

# Where calls are sent, and what is often kept in another form.
_PLACED = re.compile(r"(?:^|_)(?:ur[li]|path|dir|directory|folder|locale|encoding)$")
_NO_TYPE = frozenset({"Incomplete", "Any", "object", ""})


def left_out(made: Fact, members: Sequence[Fact]) -> dict[str, tuple[Fact, str]]:
    """What a constructor takes that may be left out and that a new object has by the same name: the member, and the
    default as source.

    A default of nothing (`None`, an empty text or list) often stands for something else, and so does `-1`.
    """
    read = {each.name: each for each in members if "~" not in each.key and _is_read(each)}
    found = {}
    for name, kind, annotation, default, _ in made.aspects["parameters"][1:]:
        member = read.get(str(name))
        if default is None or member is None or str(kind).startswith("var") or _PLACED.search(str(name)):
            continue
        value = literal_value(str(default))
        if isinstance(value, bool | int | float | str) and value not in ("", -1):
            type_ = type(value).__name__
            if _is_of(member, type_, str(annotation or "")):
                found[str(name)] = (member, str(default))
    return found


def _is_read(member: Fact) -> bool:
    """Whether an object has something by its name alone: what a class has for all its objects is told elsewhere."""
    if member.kind is Kind.ATTRIBUTE:
        return not member.aspects.get("value") and not member.name.startswith("_")
    return member.aspects.get("kind") == "property"


def _is_of(member: Fact, type_: str, taken: str) -> bool:
    """Whether what an object has may be of the type of a default; a property has to say so."""
    aspects: Mapping[str, object] = member.aspects
    if member.kind is Kind.FUNCTION:
        return aspects.get("returns") == type_
    told = str(aspects.get("annotation") or "").rpartition(".")[2]
    return (
        told in _NO_TYPE
        or re.search(rf"(?<!\[)\b{type_}\b", told) is not None
        or (told != "" and told == taken)
    )
