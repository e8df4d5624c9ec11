"""Which operations may be asked without credentials, and yet show a caller's own things only to whoever gives them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from planner.contracts.operations import Operation
from planner.contracts.resources import collection_of


def with_invitations(operations: Iterable[Operation]) -> list[Operation]:
    """The operations, of which those are asked with credentials that may be left out, and are about what callers make.

    So the REST framework's `IsAuthenticatedOrReadOnly` is exported: `security: [{tokenAuth: []}, {}]` beside a POST
    that needs a token. Who makes a thing there may be the only one who finds it.
    """
    every = list(operations)
    made = {collection_of(each.path) for each in every if each.method == "POST" and each.secured}
    return [
        msgspec.structs.replace(each, invites=True)
        if _is_free_to_tell(each) and _collection(each.path) in made
        else each
        for each in every
    ]


def _is_free_to_tell(operation: Operation) -> bool:
    told = operation.fact.aspects.get("security")
    return not operation.secured and isinstance(told, list) and any(told) and not all(told)


def _collection(path: str) -> str:
    return path.partition("/{")[0].strip("/")
