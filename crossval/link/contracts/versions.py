"""Paths of contracts that name a version where the code has a parameter for it: `/v1/books` and `/{version}/books`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from crossval.compare.http import Operation
from graph.facts import Fact

_VERSION: Final = re.compile(r"v?\d{1,4}(?:\.\d{1,3}){0,2}", re.I)
_LITERALS: Final = re.compile(r"\^?\(?(?:\?:)?([\w.-]+(?:\|[\w.-]+)*)\)?\$?")
_PARAMETER: Final = re.compile(r"\{([^}]*)\}")
_NAMED: Final = "version"
_EARLY: Final = 4
"""A version stands among the first segments of a path."""


Versioned = Mapping[tuple[str, int], Sequence[Operation]]
"""Operations whose path may say a version, by their method and the number of their segments."""


def with_versions(served: Iterable[Operation]) -> Versioned:
    """Those of the code's operations that have a parameter in whose place a version may stand."""
    found: dict[tuple[str, int], list[Operation]] = {}
    for operation in served:
        own = operation.path.strip("/").split("/")
        if any(_PARAMETER.fullmatch(each) for each in own[:_EARLY]):
            found.setdefault((operation.method.upper(), len(own)), []).append(operation)
    return found


def standing_for(method: str, segments: tuple[str, ...], versioned: Versioned) -> Operation | None:
    """The one operation that answers a path which says a version, without its parameter for that; else None."""
    candidates = versioned.get((method, len(segments)), ())
    found = [(operation, name) for operation in candidates if (name := _fits(operation, segments))]
    if len(found) != 1:
        return None
    operation, name = found[0]
    kept = [fact for fact in operation.parameters if not _is_path(fact, name)]
    return msgspec.structs.replace(operation, parameters=kept)


def _fits(operation: Operation, segments: tuple[str, ...]) -> str | None:
    """The name of the parameter in whose place the segments say a version; None where they differ otherwise."""
    own = operation.path.strip("/").split("/")
    name: str | None = None
    for place, (ours, theirs) in enumerate(zip(own, segments, strict=True)):
        written = _PARAMETER.fullmatch(ours) if place < _EARLY else None
        if written is not None and theirs != "{}" and name is None:
            name = written.group(1)
            if not _admits(operation, name, theirs):
                return None
        elif _PARAMETER.sub("{}", ours) != theirs:
            return None
    return name


def _admits(operation: Operation, name: str, literal: str) -> bool:
    """Whether a path parameter lets a version through: one of those that it lists, or any where it lists none."""
    schema = next((f.aspects.get("schema") for f in operation.parameters if _is_path(f, name)), None)
    pattern = schema.get("pattern") if isinstance(schema, dict) else None
    listed = _LITERALS.fullmatch(pattern) if isinstance(pattern, str) else None
    if listed is not None:
        return literal in listed.group(1).split("|")
    return _NAMED in name.lower() and _VERSION.fullmatch(literal) is not None


def _is_path(fact: Fact, name: str | None) -> bool:
    return fact.aspects.get("in") == "path" and fact.aspects.get("name", fact.name) == name
