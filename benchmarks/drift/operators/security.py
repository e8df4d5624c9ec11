"""Changes to what a caller must show to be let in."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.drift.changes import Change, Document, Operator, about, set_at
from benchmarks.drift.contract import Contract, Operation
from benchmarks.drift.records import Json

_BEARER = "driftBearer"
_SCOPED = ("oauth2", "openIdConnect")


def _requirements(contract: Contract, operation: Operation) -> list[dict[str, list[str]]]:
    return operation.value.get("security", contract.document.get("security", [])) or []


def _schemes(contract: Contract) -> dict[str, Json]:
    found: dict[str, Json] = contract.document.get("components", {}).get("securitySchemes", {})
    return found


def _removed(contract: Contract) -> Iterator[Change]:
    for operation in contract.operations:
        if any(_requirements(contract, operation)):
            apply = set_at((*operation.pointer, "security"), [])
            yield Change(operation.subject, apply, about(operation, aspects=["security"]))


def _added(contract: Contract) -> Iterator[Change]:
    for operation in contract.operations:
        if _requirements(contract, operation):
            continue

        def apply(document: Document, operation: Operation = operation) -> None:
            schemes = document.setdefault("components", {}).setdefault("securitySchemes", {})
            schemes[_BEARER] = {"type": "http", "scheme": "bearer"}
            set_at((*operation.pointer, "security"), [{_BEARER: []}])(document)

        yield Change(operation.subject, apply, about(operation, aspects=["security"]))


def _scope_changed(contract: Contract) -> Iterator[Change]:
    """A scope more where there are none, else one less, the two in turn."""
    schemes = _schemes(contract)
    for number, operation in enumerate(contract.operations):
        requirements = _requirements(contract, operation)
        for index, requirement in enumerate(requirements):
            for name, scopes in requirement.items():
                if schemes.get(name, {}).get("type") not in _SCOPED:
                    continue
                changed = scopes[:-1] if scopes and number % 2 else [*scopes, "drift:read"]
                new = [dict(each) for each in requirements]
                new[index][name] = changed
                apply = set_at((*operation.pointer, "security"), new)
                place = f"{operation.subject} {name}"
                yield Change(place, apply, about(operation, aspects=["security", "scopes"]))


def _scheme_changed(contract: Contract) -> Iterator[Change]:
    """Another way to show who one is, under the same name; every operation that asks for it tells."""
    for name, scheme in _schemes(contract).items():
        users = [
            each for each in contract.operations if any(name in r for r in _requirements(contract, each))
        ]
        new: Json = {"type": "apiKey", "in": "header", "name": "X-Drift-Key"}
        if scheme.get("type") == "apiKey":
            new = {"type": "http", "scheme": "bearer"}
        expected = tuple(found for each in users for found in about(each, aspects=["security"]))
        if users:
            yield Change(name, set_at(("components", "securitySchemes", name), new), expected)


OPERATORS = (
    Operator("security-removed", _removed),
    Operator("security-added", _added),
    Operator("scope-changed", _scope_changed),
    Operator("scheme-changed", _scheme_changed),
)
