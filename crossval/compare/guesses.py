"""What exporters of contracts put where the code declares nothing: the schema that a view has for its other actions."""

from __future__ import annotations

import re
from typing import Final

from graph.facts import Fact, Json

REASON: Final = "nothing declares it in the code, and the contract has what the view's other actions have"
_ADDED: Final = re.compile(r"^(?:Paginated(?=\w+List$)|Patched)|(?:Request|List)$")


def is_guess(operation: Fact, side: str, promised: Json, given: Json = None) -> bool:
    """Whether a contract has the usual schema of a view at a place where the code has another one or none.

    `side` is `request` or `response`; `given` is the schema that the code has there. The code's operation names
    the usual schema only where nothing is declared, so that an exporter can but guess; it is empty where the view
    chooses it in a way that is not known, and any schema of another name may be it.
    """
    guessed = operation.aspects.get("guessed")
    usual = guessed.get(side) if isinstance(guessed, dict) else None
    if not isinstance(usual, str) or usual in _referred(given):
        return False
    if not usual:
        ours, theirs = _names(promised), _names(given)
        return bool(ours) and not ours & theirs
    name = _bare(usual).removesuffix("Serializer")
    return any(name in (_bare(target), _ADDED.sub("", _bare(target))) for target in _referred(promised))


def _referred(schema: Json) -> set[str]:
    """The named schemas that a schema is, or is a list or one of."""
    if not isinstance(schema, dict):
        return set()
    found = {schema["$ref"]} if isinstance(schema.get("$ref"), str) else set()
    members = schema.get("anyOf")
    for part in (schema.get("items"), *(members if isinstance(members, list) else ())):
        found |= _referred(part)
    return found


def _names(schema: Json) -> set[str]:
    """The names of the schemas that a schema is made of, as both sides may call them."""
    return {_ADDED.sub("", _bare(target)).removesuffix("Serializer") for target in _referred(schema)}


def _bare(target: str) -> str:
    return re.split(r"[.:]", target.partition("@")[0])[-1]
