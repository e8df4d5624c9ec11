"""The parameters of functions of twins, as a header writes them, and as mutants have them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.generators.functions.calls import (
    KEYWORD_ONLY,
    VAR_KEYWORD,
    Parameter,
)

_EMPTY = {
    **dict.fromkeys(("dict", "mapping", "mutablemapping", "defaultdict"), "{}"),
    **dict.fromkeys(("list", "sequence", "mutablesequence", "collection"), "[]"),
    **{"set": "set()", "frozenset": "frozenset()", "tuple": "()", "type": "type", "callable": "_Wrong"},
    **{"none": "None", "optional": "None"},
}


def changed(how: str, part: str, parameters: list[Parameter]) -> list[Parameter]:
    """The parameters of a function of which one statement is broken: `how` says which, `part` is a parameter's name."""
    replace = msgspec.structs.replace
    match how:
        case "renamed":
            return [replace(each, name="renamed_") if each.name == part else each for each in parameters]
        case "removed":
            return [each for each in parameters if each.name != part]
        case "required":
            return [
                replace(each, default=None) if each.name == part else each
                for each in _required_from(parameters, part)
            ]
        case "optional":
            return _optional_from(parameters, part)
        case "default":
            return [replace(each, default="_Wrong()") if each.name == part else each for each in parameters]
        case "more":
            return [
                *(each for each in parameters if each.kind != VAR_KEYWORD),
                Parameter("more_", KEYWORD_ONLY, None, None),
            ]
    return parameters


def empty(annotation: str) -> str:
    """What holds nothing of a type, as source: an empty container, or None; empty where there is no such thing."""
    plain = (each.strip().partition("[")[0].rpartition(".")[2].lower() for each in annotation.split("|"))
    return next((_EMPTY[each] for each in plain if each in _EMPTY), "")


def _required_from(parameters: Sequence[Parameter], name: str) -> list[Parameter]:
    """All up to the named one without default, as Python demands of what is given by place."""
    last = next((place for place, each in enumerate(parameters) if each.name == name), -1)
    return [
        msgspec.structs.replace(each, default=None) if place <= last and each.by_position else each
        for place, each in enumerate(parameters)
    ]


def _optional_from(parameters: Sequence[Parameter], name: str) -> list[Parameter]:
    """The named one and all after it that are given by place have a default."""
    first = next((place for place, each in enumerate(parameters) if each.name == name), len(parameters))
    return [
        msgspec.structs.replace(each, default=each.default or "None")
        if each.name == name or (place > first and each.by_position)
        else each
        for place, each in enumerate(parameters)
    ]
