"""Changes to whole operations: which there are, how they are called, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.drift.changes import Change, Document, Operator, about, renamed_key, set_at
from benchmarks.drift.contract import METHODS, Contract, Operation
from benchmarks.drift.records import Json

_ANSWERS: Json = {
    "200": {"description": "OK", "content": {"application/json": {"schema": {"type": "object"}}}}
}


def _removed(contract: Contract) -> Iterator[Change]:
    for operation in contract.operations:

        def apply(document: Document, operation: Operation = operation) -> None:
            item = document["paths"][operation.path]
            del item[operation.method]
            if not any(method in item for method in METHODS):
                del document["paths"][operation.path]

        yield Change(operation.subject, apply, about(operation))


def _added(contract: Contract) -> Iterator[Change]:
    for operation in contract.operations:
        path = f"{operation.path.rstrip('/')}/drift-archive"
        names = [part for part in operation.value.get("parameters", ()) if part.get("in") == "path"]
        new = Operation("get", path, ("paths", path, "get"), {"parameters": names, "responses": _ANSWERS})
        yield Change(new.subject, set_at(("paths", path), {"get": new.value}), about(new))


def _path_renamed(contract: Contract) -> Iterator[Change]:
    """The last fixed segment of a path gets another name; a finding about the old or the new path tells of it."""
    for path in contract.document.get("paths", {}):
        new = _renamed(path)
        operations = [each for each in contract.operations if each.path == path]
        others = [Operation(each.method, new, each.pointer, each.value) for each in operations]

        def apply(document: Document, path: str = path, new: str = new) -> None:
            renamed_key(document["paths"], path, new)

        expected = tuple(found for each in (*operations, *others) for found in about(each))
        if operations and new not in contract.document["paths"]:
            yield Change(path, apply, expected)


def _renamed(path: str) -> str:
    segments = path.split("/")
    fixed = [index for index, segment in enumerate(segments) if segment and "{" not in segment]
    if not fixed:
        return f"/renamed{path}"
    segments[fixed[-1]] += "-renamed"
    return "/".join(segments)


def _method_changed(contract: Contract) -> Iterator[Change]:
    for operation in contract.operations:
        free = [
            method
            for method in ("get", "post", "put", "patch", "delete")
            if method not in contract.document["paths"][operation.path]
        ]
        # A GET has no body: that would be a second change.
        wanted = [m for m in free if m != "get"] if "requestBody" in operation.value else free
        for method in wanted[:1]:
            new = Operation(method, operation.path, operation.pointer, operation.value)

            def apply(document: Document, operation: Operation = operation, method: str = method) -> None:
                renamed_key(document["paths"][operation.path], operation.method, method)

            yield Change(operation.subject, apply, (*about(operation), *about(new)))


def _deprecated_flipped(contract: Contract) -> Iterator[Change]:
    for operation in contract.operations:
        now = not operation.value.get("deprecated", False)
        apply = set_at((*operation.pointer, "deprecated"), now)
        yield Change(operation.subject, apply, about(operation, aspects=["deprecated"]))


OPERATORS = (
    Operator("operation-removed", _removed),
    Operator("operation-added", _added),
    Operator("path-renamed", _path_renamed),
    Operator("method-changed", _method_changed),
    Operator("deprecated-flipped", _deprecated_flipped),
)
