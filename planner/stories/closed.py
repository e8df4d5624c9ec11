"""That bodies take no other fields than those that are listed, where criteria say so: `Unknown fields are refused`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crossval.compare.components import split_null
from planner.contracts.operations import Operation, is_json
from planner.stories.behaviours import Behaviour, facts_of

_REFUSED = re.compile(
    r"\b(?:unknown|unexpected|undeclared|additional|extra|further|other)\s+(?:fields?|properties|attributes|keys)\b"
    r"[^.]*\b(?:refused|rejected|not (?:allowed|accepted|taken)|forbidden|invalid|4\d\d)\b",
    re.I,
)
_SOMETIMES = re.compile(r"\b(?:unless|except|if|when|may|can be|but)\b", re.I)
_STATUS = re.compile(r"\b(4\d\d)\b")
_CHANGING = frozenset({"POST", "PUT", "PATCH"})


def closed(text: str, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """The operations whose bodies a sentence says to be closed: all that take fields, and refuse what is not valid."""
    if not _REFUSED.search(text) or _SOMETIMES.search(text):
        return
    said = _STATUS.search(text)
    for each in operations:
        fields = split_null(each.body.schema)[0].get("properties") if each.body is not None else None
        is_one = (
            each.method in _CHANGING and fields and each.body is not None and is_json(each.body.media_type)
        )
        status = said[1] if said else next((one for one in ("422", "400") if facts_of(each, one)), "")
        if is_one and status and facts_of(each, status):
            target = {"operation": each.key, "place": "body", "status": status}
            yield Behaviour("closed", dict(target), facts_of(each, status))
