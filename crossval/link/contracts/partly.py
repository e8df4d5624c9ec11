"""A contract that describes a small part of a service: one pair says so instead of hundreds."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from crossval.pairs import Pair

_FEW, _SHARE = 20, 10
"""So many operations are told one by one; more only where the contract describes at least one in so many."""


def told_together(undocumented: Sequence[Pair], described: int, contracts: Sequence[str]) -> list[Pair]:
    """The pairs of operations that only the code has; one for all where the contracts are about a small part."""
    count = len(undocumented)
    if count <= _FEW or described * _SHARE >= count + described:
        return list(undocumented)
    first = min(undocumented, key=lambda pair: (pair.subject, pair.kind))
    every = tuple(sorted({pair.subject for pair in undocumented}))
    return [msgspec.structs.replace(first, subject=f"file {min(contracts)}", affects=every)]
