"""Which changes to a contract are no drift, because the application follows the contract by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TypeAlias

from benchmarks.drift.changes import Change
from benchmarks.drift.contract import Contract, Part
from benchmarks.drift.records import Json

Agrees: TypeAlias = Callable[[str, Contract, Change], bool]
_REFERENCE = "#/components/schemas/"
_ALWAYS = frozenset(
    {"operation-removed", "deprecated-flipped", "body-required-flipped", "parameter-default-changed"}
    | {"security-removed", "security-added", "scope-changed", "scheme-changed"}
)
_ROUTING = frozenset({"path-renamed", "method-changed"})
_VALUES = ("bound-", "pattern-", "format-", "enum-", "default-", "nullable-")


def still_agrees(framework: str, operator: str, contract: Contract, change: Change) -> bool:
    """Whether the application does what the changed contract says, so that there is nothing to be found."""
    agrees = _AGREES.get(framework)
    return agrees is not None and agrees(operator, contract, change)


def _connexion(operator: str, contract: Contract, change: Change) -> bool:
    """Connexion routes, validates requests and asks for credentials as the contract says: README.md has the reasons."""
    if operator in _ALWAYS:
        return True
    if operator in _ROUTING:
        named = [
            each for each in contract.operations if each.subject == change.place or each.path == change.place
        ]
        return all("operationId" in each.value for each in named)
    if operator == "parameter-required-flipped":
        part = next(p for p in contract.parameters if f"{p.operation.subject} {p.key}" == change.place)
        return not part.value.get("required", False)
    if operator == "field-required-flipped":
        return _is_request(contract, change.place) and not _was_required(contract, change.place)
    kind, _, what = operator.partition("-")
    if kind == "parameter":
        return what.startswith(_VALUES)
    return kind == "field" and what.startswith(_VALUES) and _is_request(contract, change.place)


def _by_hand(operator: str, contract: Contract, change: Change) -> bool:
    """A field that the code always answers may be called optional, and an operation deprecated: no code that declares
    nothing breaks this."""
    return operator == "deprecated-flipped" or (
        operator == "field-required-flipped"
        and _was_required(contract, change.place)
        and _is_answer(contract, change.place)
    )


def _was_required(contract: Contract, place: str) -> bool:
    """Whether the true contract asks for a field; a list has the place of its items."""
    owner, _, name = place.rpartition(" ")
    return any(name in each.schema.get("required", ()) for each in contract.schemas if each.text == owner)


def _is_request(contract: Contract, place: str) -> bool:
    """Whether a schema's place is in requests alone."""
    subject, _, rest = place.partition(" ")
    if subject != "schema":
        return rest.partition(" ")[2].startswith("body")
    return rest.partition(" ")[0] not in _reached(contract, contract.responses)


def _is_answer(contract: Contract, place: str) -> bool:
    """Whether a schema's place is in answers alone."""
    subject, _, rest = place.partition(" ")
    if subject != "schema":
        return rest.partition(" ")[2].startswith("responses")
    return rest.partition(" ")[0] not in _reached(contract, [*contract.bodies, *contract.parameters])


def _reached(contract: Contract, parts: Iterable[Part]) -> set[str]:
    """The names of the schemas that these parts reach."""
    schemas: dict[str, Json] = contract.document.get("components", {}).get("schemas", {})
    waiting = [json.dumps(part.value) for part in parts]
    found: set[str] = set()
    while waiting:
        text = waiting.pop()
        new = {name for name in schemas if f'"{_REFERENCE}{name}"' in text} - found
        found |= new
        waiting += [json.dumps(schemas[name]) for name in new]
    return found


_AGREES: dict[str, Agrees] = {
    "Connexion": _connexion,
    **dict.fromkeys(("aiohttp", "Starlette", "Flask", "Django"), _by_hand),
}
