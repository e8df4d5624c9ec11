"""What exporters of contracts put where the code declares nothing: the schema that a view has for its other actions."""

from __future__ import annotations

from typing import Final

import msgspec

from crossval.compare.components import Components, Node, node
from graph.facts import Fact, Json

REASON: Final = "nothing declares it in the code, and the contract has what the view's other actions have"
_DEPTH: Final = 4


def is_guess(
    known: Components, side: str, operation: Fact, promised: tuple[Fact, Json], given: Json = None
) -> bool:
    """Whether a contract has the usual schema of a view at a place where the code has another one or none.

    `side` is `request` or `response`; `given` is the schema that the code has there. The code's operation names
    the usual schema only where nothing is declared, so that an exporter can but guess; it is empty where the view
    chooses it in a way that is not known, and then any schema may be it that is mostly another than the code's.
    """
    guessed = operation.aspects.get("guessed")
    usual = guessed.get(side) if isinstance(guessed, dict) else None
    if not isinstance(usual, str) or not isinstance(promised[1], dict):
        return False
    ours = set(_fields(known, node(promised[0], promised[1])))
    theirs = set(_fields(known, node(operation, given), ours=ours)) if isinstance(given, dict) else set()
    expected = _fields(known, node(operation, {"$ref": usual})) if usual else {}
    if expected:
        sent = {name for name, closed in expected.items() if not closed}
        return theirs != set(expected) and ours in (set(expected), sent)
    if usual and bool(theirs):
        # Of a usual schema whose fields are not known, any other one may be it.
        return ours != theirs
    return bool(ours) and 2 * len(ours & theirs) < max(len(ours), len(theirs))


def _fields(
    known: Components, start: Node, depth: int = 0, ours: frozenset[str] | set[str] = frozenset()
) -> dict[str, bool]:
    """The fields of an object, of each in a list, or of each on a page, and whether only answers have them; of several
    forms the one whose fields are nearest to `ours`."""
    current = known.resolved(start)
    if isinstance(forms := current.schema.get("x-among"), list) and depth < _DEPTH:
        named = [msgspec.structs.replace(current, schema={"$ref": form}) for form in forms]
        several = [_fields(known, each, depth + 1) for each in named]
        return min(several, key=lambda each: len(ours ^ set(each)))
    items = current.schema.get("items")
    if isinstance(items, dict) and depth < _DEPTH:
        return _fields(known, known.child(current, items, "[]"), depth + 1, ours)
    properties = current.schema.get("properties")
    if not isinstance(properties, dict):
        return {}
    lists = [(name, each) for name, each in properties.items() if isinstance(each.get("items"), dict)]
    if len(lists) == 1 and "results" in properties and depth < _DEPTH:
        return _fields(known, known.child(current, lists[0][1], lists[0][0]), depth + 1, ours)
    return {name: each.get("readOnly") is True for name, each in properties.items()}
