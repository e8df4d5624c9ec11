"""Tells the changes of facts between two revisions as movements."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from graph.changes import Changes
from graph.facts import Tag
from healer.movements import Cause, Movement
from healer.moving.announced import announced
from healer.moving.bodies import Bodies
from healer.moving.code import of_definitions
from healer.moving.contracts import of_contracts
from healer.moving.fixtures import of_fixtures
from healer.moving.imports import of_imports
from healer.moving.words import of_words


def movements(changes: Changes, read: Callable[[str], str | None]) -> tuple[Movement, ...]:
    """What moved, on all sides, in the order of subjects; nothing where nothing changed.

    `read` gives the text of a file of the project as it is now.
    """
    bodies = Bodies(read)
    pages, code = announced(changes, list(of_definitions(changes, Tag.CODE, bodies)))
    moved = {
        each.subject: each.after for each in code if isinstance(each.after, str) and "#" not in each.subject
    }
    found = [
        *code,
        *of_imports(changes, moved, [each.subject for each in code if each.cause is Cause.REMOVED]),
        *of_definitions(changes, Tag.SPEC, bodies),
        *of_contracts(changes),
        *of_words(changes),
        *pages,
        *of_fixtures(changes),
    ]
    distinct = {msgspec.json.encode(each, order="deterministic"): each for each in found}
    return tuple(sorted(distinct.values(), key=lambda each: (each.subject, each.side, each.cause)))
