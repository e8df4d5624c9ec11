"""Takes the subject of a claim apart: the name of a field, whose it is, and what only says of what sort it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crossval.compare.claims import words
from graph.facts import Json

# What a schema's name says beside the thing itself, and what a subject says beside the field's name.
GENERIC = frozenset(
    {
        *(
            "new",
            "create",
            "created",
            "update",
            "updated",
            "patch",
            "request",
            "response",
            "schema",
            "model",
            "in",
            "out",
        ),
        *(
            "base",
            "list",
            "item",
            "dto",
            "data",
            "body",
            "payload",
            "input",
            "output",
            "read",
            "write",
            "form",
            "api",
            "v",
        ),
    }
)
TAILS = frozenset({"address", "value", "number", "length", "size", "of", "the", "a", "count"})
_SORTS = re.compile(
    r"^(?:query |path |body |form )?(?:field|parameter|property|attribute|argument|header|column)\s+"
    r"|\s+(?:query |path |body |form )?(?:field|parameter|property|attribute|argument|header|column)s?(?=\s+of\b|$)"
    r"|\s+of\s+(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+/\S*$"
)
"""What a subject says beside a name: of what sort it is, and of which request."""
_OWNERS = re.compile(r"(?<=\w)['’]s\b|(?<=s)['’](?=\s)")


def bare(claim: Json) -> str:
    """The claim's subject without what it says of the sort of thing."""
    return _SORTS.sub("", _SORTS.sub("", _OWNERS.sub("", claim.get("subject") or "")))


def readings(claim: Json) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Each way to take a claim's subject apart into a field's name and its owner (empty where none is named)."""
    subject = bare(claim)
    every = words(subject)
    yield every, ()
    short = tuple(word for word in every if word not in TAILS)
    if short and short != every:
        yield short, ()
    what, _, whose = subject.partition(" of ")
    if whose:
        owner = tuple(word for word in words(whose) if word not in ("a", "an", "the"))
        yield words(what), tuple(word for word in owner if word not in GENERIC) or owner
    unit = words(claim.get("unit", ""))
    if unit and claim["kind"] == "quantity" and every:
        yield unit, every
    for cut in range(1, len(every)):
        yield every[cut:], every[:cut]
        if tail := tuple(word for word in every[cut:] if word not in TAILS):
            yield tail, every[:cut]
