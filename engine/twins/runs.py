"""What the prover tells the plugin: the contract, and on which twins each test runs."""

from __future__ import annotations

import msgspec

from engine.twins.mutation import Mutation
from planner.operations import Operation


class Run(msgspec.Struct, frozen=True):
    """One run of a test: on which variant, with which claim broken (None: a twin that keeps all)."""

    variant: int
    mutation: Mutation | None = None


class Twins(msgspec.Struct, frozen=True):
    """The contract's operations, and the runs of each test by the name of its function."""

    operations: tuple[Operation, ...]
    runs: dict[str, tuple[Run, ...]]
