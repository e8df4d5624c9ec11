"""Paths that say what is done beside what it is done to: `PUT /posts/update/{id}`, `DELETE /faqs/{faq_id}/delete`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from planner.contracts.operations import Operation

_CHANGING = frozenset({"update", "edit", "change", "modify", "patch"})
_READING = frozenset({"detail", "details", "get", "view", "show", "retrieve", "read", "one"})
_VERBS = {
    "PUT": _CHANGING,
    "PATCH": _CHANGING,
    "DELETE": frozenset({"delete", "remove", "destroy"}),
    "GET": _READING,
}
SPELLED = frozenset().union(*_VERBS.values())
"""The words of paths that say what is done to the thing that is named beside them."""


def plain_path(method: str, path: str) -> str:
    """The path of the thing itself, without the word of its method beside the name: `/posts/{id}`."""
    verbs = _VERBS.get(method, frozenset())
    parts = path.strip("/").split("/")
    if len(parts) > 2 and parts[-1].startswith("{") and parts[-2].lower() in verbs:
        del parts[-2]
    elif len(parts) > 2 and parts[-2].startswith("{") and parts[-1].lower() in verbs:
        del parts[-1]
    else:
        return path
    return "/".join(["", *parts])


def plainly(operations: Iterable[Operation]) -> tuple[Operation, ...]:
    """The operations with the paths of their things, where no two of one method come to have the same."""
    every = tuple(operations)
    paths = [plain_path(each.method, each.path) for each in every]
    met = Counter((each.method, path.rstrip("/")) for each, path in zip(every, paths, strict=True))
    return tuple(
        msgspec.structs.replace(each, path=path)
        if path != each.path and met[each.method, path.rstrip("/")] == 1
        else each
        for each, path in zip(every, paths, strict=True)
    )
