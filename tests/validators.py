"""Validators for tests: the real one, spared what takes long and proves nothing here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from engine.running.runner import PytestValidator
from planner.validator import Job, Outcome

_ROOT = b"\0"
_DECODE = msgspec.json.Decoder(list[Outcome]).decode


class Quick(PytestValidator):
    """The real one, without the plugins of the environment, which take long to load."""

    def run(self, job: Job) -> Iterator[Outcome]:
        alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **job.environment}
        yield from super().run(msgspec.structs.replace(job, environment=alone))


class Remembering(Quick):
    """A quick one that runs the same tests of the same files once, and says again what came of it then.

    A run that changes a file of the project is not remembered, and neither is one with plugins of ours.
    """

    def __init__(self, said: dict[str, bytes]) -> None:
        """`said` is what those before it remembered, by what they were asked for."""
        super().__init__()
        self.asked: list[tuple[str, ...]] = []
        self._said = said

    def run(self, job: Job) -> Iterator[Outcome]:
        self.asked.append(job.nodes)
        root = str(job.root).encode()
        before = _key(job)
        if before in self._said:
            yield from _DECODE(self._said[before].replace(_ROOT, root))
            return
        outcomes = []
        for outcome in super().run(job):
            outcomes.append(outcome)
            yield outcome
        if not job.plugins and _key(job) == before:
            self._said[before] = msgspec.json.encode(outcomes).replace(root, _ROOT)


def _key(job: Job) -> str:
    """What tells jobs apart wherever their project lies: what is wanted, and each file that the tests can read."""
    wanted = repr(msgspec.structs.replace(job, root=Path())).replace(str(job.root), "")
    seen = hashlib.sha256(wanted.encode())
    for file in sorted(job.root.rglob("*")):
        path = file.relative_to(job.root)
        if file.is_file() and path.parts[0] not in (".crossfact", ".git") and "__pycache__" not in path.parts:
            content = file.read_bytes()
            seen.update(f"\n{path} {len(content)}\n".encode() + content)
    return seen.hexdigest()
