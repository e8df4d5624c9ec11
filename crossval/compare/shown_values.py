"""Values that stand in the code's answers (`x-shown`), held against what a contract promises of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crossval.compare.spelled import values_of
from crossval.pairs import Difference, Stricter
from graph.facts import Json
from graph.schema_algebra import Schema

_DAY = r"\d{4}-\d\d-\d\d"
_FORMS: Final = {
    "date-time": rf"{_DAY}[T ].*",
    "date": _DAY,
    "uuid": r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}",
    "email": r"\S+@\S+",
    "uri": r"[a-z][a-z0-9+.-]*:\S*",
}
"""What each text of a format fits at least: no more than that is asked."""


def shown_differences(spec: Schema, code: Schema) -> Iterator[Difference]:
    """Where a text that the code answers is none that the contract allows there."""
    shown = [value for value in code.get("x-shown", ()) if isinstance(value, str)]
    if not shown or spec.get("type") not in (None, "string", ["null", "string"], ["string", "null"]):
        return
    listed = values_of(spec)
    if listed is not None:
        others = [value for value in shown if value not in listed]
        if others and "enum" not in code:
            # Of the values that the code may answer these are some: it has no list of its own.
            told: Json = {"answered": sorted(set(others))}
            yield Difference(change="enum", spec=listed, code=told, stricter=Stricter.SPEC)
        return
    form, most = spec.get("format"), spec.get("maxLength")
    fits = _FORMS.get(str(form))
    if fits is not None and "format" not in code and any(not _fits(fits, value) for value in shown):
        yield Difference(change="format", spec=form, code=None, stricter=Stricter.SPEC)
    if isinstance(most, int) and "maxLength" not in code and (long := max(map(len, shown))) > most:
        yield Difference(change="maxLength", spec=most, code=long, stricter=Stricter.SPEC)


def _fits(pattern: str, value: str) -> bool:
    return re.fullmatch(pattern, value, re.IGNORECASE) is not None
