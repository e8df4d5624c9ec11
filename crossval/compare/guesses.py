"""What exporters of contracts put where the code declares nothing: the schema that a view has for its other actions."""

from __future__ import annotations

from typing import Final

import msgspec

from crossval.compare.components import Components, Node, node
from graph.facts import Fact, Json

REASON: Final = "nothing declares it in the code, and the contract has what the view's other actions have"
_DEPTH: Final = 4
_SERIALIZER: Final = "serializer"
_REQUEST: Final = "request"


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


def named_guess(
    known: Components, side: str, operation: Fact, promised: tuple[Fact, Json], given: Json = None
) -> tuple[Node, Node] | None:
    """The component by which a contract names the usual serializer of a view where the code declares nothing, and that
    serializer: alone, in a list, or on a page. None where the code is known to give that one, in whatever form.

    What the operation does is not told by it; that the component describes the serializer of its name is.
    """
    guessed = operation.aspects.get("guessed")
    usual = guessed.get(side) if isinstance(guessed, dict) else None
    if (
        not usual
        or not isinstance(usual, str)
        or not isinstance(promised[1], dict)
        or _speaks_of(given, usual)
    ):
        return None
    start: Node | None = node(promised[0], promised[1])
    for _ in range(_DEPTH):
        if start is None:
            return None
        current = known.resolved(start)
        if current.component is not None and _bare(current.component.name) == _bare(usual.rpartition(".")[2]):
            return start, node(operation, {"$ref": usual})
        start = _inside(known, current)
    return None


def _speaks_of(given: Json, usual: str) -> bool:
    """Whether a schema of the code refers to one, as such, in a list or on a page."""
    if isinstance(given, list):
        return any(_speaks_of(each, usual) for each in given)
    return isinstance(given, dict) and any(
        value == usual if key == "$ref" else _speaks_of(value, usual) for key, value in given.items()
    )


def _inside(known: Components, current: Node) -> Node | None:
    """What a list or a page is made of."""
    items, properties = current.schema.get("items"), current.schema.get("properties")
    if isinstance(items, dict):
        return known.child(current, items, "[]")
    results = properties.get("results") if isinstance(properties, dict) else None
    return known.child(current, results, "results") if isinstance(results, dict) else None


def _bare(name: str) -> str:
    """A name of a component or of its class, as exporters of contracts make one of the other."""
    plain = name.lower().removesuffix(_SERIALIZER)
    return plain.removesuffix(_REQUEST).removesuffix(_SERIALIZER) or plain


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
