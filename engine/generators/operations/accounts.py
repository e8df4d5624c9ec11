"""Accounts that anybody makes, of which a caller with an account of its own may not see or change another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engine.generators.operations.stage import Stage
from engine.generators.values.schema_values import NoValueError
from planner.contracts.entrances import entrance
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import maker_of

# A request whose path names what was made before, by a caller with credentials.
_OF_ONE = re.compile(r"""(\w+) = client\.\w+\(f["'][^"']*\{.*\bauth\b""")


def hides_others(reader: Operation, maker: Operation | None, stage: Stage) -> bool:
    """Whether an operation asks who its caller is, and another one makes accounts for anybody."""
    if maker is None or maker.secured or not reader.secured:
        return False
    found = entrance(stage.operations.values())
    return found is not None and found.register.key == maker.key


def check_shown(lister: Operation, maker: Operation | None, stage: Stage) -> None:
    """Raise NoValueError where nobody knows whether a list shows a caller the accounts of others."""
    if hides_others(lister, maker, stage):
        raise NoValueError(f"whether {lister.key} shows a caller the accounts of others")


def of_others(lines: Sequence[str], operation: Operation, stage: Stage) -> list[str]:
    """The lines, of which requests about an account of another are undecided where its caller may not see that."""
    every = stage.operations.values()
    makers = (maker_of(operation.path, name, every) for name in PARAMETER.findall(operation.path))
    if not any(found is not None and hides_others(operation, found[0], stage) for found in makers):
        return list(lines)
    return list(_undecided(lines, operation))


def _undecided(lines: Sequence[str], operation: Operation) -> Iterator[str]:
    for line in lines:
        yield line
        asked = _OF_ONE.match(line)
        if asked is not None:
            yield f"if {asked[1]}.status_code in (401, 403, 404):"
            why = f"the contract does not tell whether {operation.key} is for an account of another; it answered: "
            yield f'    pytest.skip("{why}" + str({asked[1]}.content))'
