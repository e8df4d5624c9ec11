"""Tells the changes of facts between two revisions as movements."""

from __future__ import annotations

import msgspec

from graph.changes import Changes
from graph.facts import Tag
from healer.movements import Cause, Movement
from healer.moving.announced import announced
from healer.moving.bodies import Bodies
from healer.moving.code import of_definitions
from healer.moving.contracts import of_contracts
from healer.moving.fixtures import of_fixtures
from healer.moving.former import Read, looked_back
from healer.moving.imports import of_imports
from healer.moving.kept import kept_names
from healer.moving.sharing import of_helpers
from healer.moving.words import of_words


def _unknown(_: str) -> str | None:
    return None


def movements(
    changes: Changes, read: Read, then: Read = _unknown, was: Read | None = None
) -> tuple[Movement, ...]:
    """What moved, on all sides, in the order of subjects; nothing where nothing changed.

    `read` gives the text of a file of the project as it is now, `then` as it was, where that is known.
    `was` gives what it may have been, which is looked at where digests prove it.
    """
    bodies = Bodies(read, was or then)
    kept = kept_names(changes, read)
    marks, code = looked_back(list(of_definitions(changes, Tag.CODE, bodies, kept)), changes, then, read)
    pages, code = announced(changes, code)
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
        *marks,
        *of_fixtures(changes),
        *of_helpers(changes, then, read),
    ]
    distinct = {msgspec.json.encode(each, order="deterministic"): each for each in found}
    return tuple(sorted(distinct.values(), key=lambda each: (each.subject, each.side, each.cause)))
