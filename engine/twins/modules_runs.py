"""What the prover tells the plugin of module twins: their texts, and which of them each test meets."""

from __future__ import annotations

import msgspec


class ModuleTwins(msgspec.Struct, frozen=True):
    """Texts by number, the twin of each module by the number of its text, and for each test, by the name of its
    function, the runs: which text, if any, is executed in a module after its own, so that it becomes a mutant."""

    texts: tuple[str, ...]
    modules: dict[str, int]
    runs: dict[str, tuple[dict[str, int], ...]]
