"""What the prover tells the plugin: the contract, and on which twins each test runs."""

from __future__ import annotations

import msgspec

from engine.twins.mutation import Mutation
from planner.contracts.operations import Operation
from planner.stories.exchanges import Exchange


class Run(msgspec.Struct, frozen=True):
    """One run of a test: on which variant, with which claim broken (None: a twin that keeps all)."""

    variant: int
    mutation: Mutation | None = None


class Twins(msgspec.Struct, frozen=True):
    """The contract's operations, and by the name of a test's function its runs and what its criterion tells."""

    operations: tuple[Operation, ...]
    runs: dict[str, tuple[Run, ...]]
    told: dict[str, tuple[Exchange, ...]] = {}
