"""Runs tests on twins, each file alone in a folder of its own beside the twins, and keeps what it proved with its case.

Nothing of the project is imported: the tests' files are copied, and the plugin puts the twin in the place of the code.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from planner.cases import Case, Proof, Status
from planner.validator import Job, Outcome, Validator, Verdict

RED = frozenset({Verdict.FAILED, Verdict.BROKEN, Verdict.MISSING})
"""The verdicts by which a test notices a mutant."""

_SECONDS = 10.0
"""What a test may take, and the collecting of a file with few; each of hundreds has dozens of runs to be collected."""

_HOME = Path(__file__).parent.parent.parent


class OnTwins(msgspec.Struct, frozen=True):
    """Tests of one file, by the names of their functions, and their twins as the plugin reads them."""

    names: Sequence[str]
    twins: msgspec.Struct


def outcomes_on_twins(
    root: Path, files: Mapping[str, OnTwins], validator: Validator, *, plugin: str, variable: str
) -> dict[str, list[Outcome]]:
    """What became of each test on each of its runs, by `key_of`; `files` are the tests' files, relative to `root`.

    `plugin` is the module that makes the runs; the environment's `variable` tells it where the twins are.
    """
    outcomes: dict[str, list[Outcome]] = {}
    with tempfile.TemporaryDirectory(prefix="crossfact-twins-") as folder:
        jobs = []
        for number, (path, tried) in enumerate(sorted(files.items())):
            place = Path(folder) / str(number)
            place.mkdir()
            name = Path(path).name
            (place / name).write_bytes((root / path).read_bytes())
            twins = place / "twins.json"
            twins.write_bytes(msgspec.json.encode(tried.twins))
            jobs.append(
                Job(
                    root=place,
                    nodes=tuple(f"{name}::{each}" for each in tried.names),
                    python=Path(sys.executable),
                    seconds=_SECONDS + len(tried.names) / 10,
                    environment={variable: str(twins), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
                    plugins=(plugin,),
                    paths=(_HOME,),
                    options=("--noconftest",),
                )
            )
        for outcome in validator.run_many(jobs):
            outcomes.setdefault(key_of(outcome.node), []).append(outcome)
    return outcomes


def key_of(node: str) -> str:
    """The name of the file and of the function: node ids in the temporary folder lack the path."""
    path, _, name = node.partition("::")
    return f"{Path(path).name}::{name.partition('[')[0]}"


def run_of(outcome: Outcome) -> int | None:
    """The number of the run that an outcome is of; `None` where the test did not come so far."""
    inside = outcome.node.partition("[")[2].rstrip("]")
    return int(inside) if inside.isdigit() else None


def with_proof(case: Case, proof: Proof) -> Case:
    """The case with what was proved of it: a generated test that does not reach the figures is `REJECTED`."""
    status = case.status
    if not proof.holds and status is Status.GENERATED:
        status = Status.REJECTED
    return msgspec.structs.replace(
        case, proof=proof, status=status, last_error=proof.reason if status is Status.REJECTED else ""
    )
