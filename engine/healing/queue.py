"""The queue of what waits for a person: one file per entry in `.crossfact/review`, and what was turned down."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from engine.healing.gate import key_of
from engine.healing.offering import WAITS
from engine.healing.records import Proposal, Result, Treatment
from engine.project import Project
from graph.errors import UsageError
from graph.files import read_plain, replace_file
from healer.evidence import Judgement

FOLDER = "review"
_REJECTED = "turned-down.json"
_LARGEST = 5_000_000
_MOST_REJECTED = 1000


class Pending(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry: tests that fail for one cause, what is known about who is wrong, and what could be done.

    `proposals` are those that may be approved. `error` is the failure in one line, `since` the revision that today was
    compared with.
    """

    id: str
    nodes: tuple[str, ...]
    category: str
    error: str
    judgement: Judgement
    proposals: tuple[Proposal, ...] = ()
    refused: tuple[str, ...] = ()
    since: str = ""


class Queue:
    """The entries of a project that wait for a person."""

    def __init__(self, project: Project) -> None:
        self._folder = (project.root / project.settings.store).parent / FOLDER

    def add(self, treatment: Treatment) -> Pending:
        """Put a treatment into the queue, in the place of earlier entries about the same tests."""
        nodes = treatment.nodes
        identifier = hashlib.sha256("\n".join(sorted(nodes)).encode("utf-8", "replace")).hexdigest()[:8]
        first = treatment.analyses[0]
        line = f"{first.exception}: {first.message}".strip(": ").partition("\n")[0]
        entry = Pending(
            id=identifier,
            nodes=nodes,
            category=first.category,
            error=line[:300],
            judgement=treatment.judgement,
            proposals=tuple(each for each in treatment.proposals if each.outcome == WAITS),
            refused=tuple(
                f"{each.healer}: {each.outcome}" for each in treatment.proposals if each.outcome != WAITS
            ),
            since=treatment.since,
        )
        for other in self.entries():
            if set(other.nodes) <= set(nodes):
                self.remove(other)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(self._file(identifier), msgspec.json.format(msgspec.json.encode(entry), indent=1))
        return entry

    def settle(self, treatments: Iterable[Treatment], green: Iterable[str]) -> None:
        """Take entries out whose tests are all green, or are nobody's to decide any more."""
        done = set(green)
        for each in treatments:
            done.update(each.healed if each.result is Result.NEEDS_HUMAN else (*each.nodes, *each.healed))
        for entry in self.entries():
            if set(entry.nodes) <= done:
                self.remove(entry)

    def entries(self) -> list[Pending]:
        """All entries that can be read, by their ids."""
        found = []
        for file in sorted(self._folder.glob("????????.json")):
            with suppress(OSError, ValueError, msgspec.MsgspecError, RecursionError):
                found.append(msgspec.json.decode(read_plain(file, _LARGEST) or b"", type=Pending))
        return found

    def entry(self, identifier: str) -> Pending:
        """The entry whose id this is, or begins with this. Raises UsageError where there is not exactly one."""
        found = [each for each in self.entries() if each.id.startswith(identifier)]
        if len(found) != 1 or not identifier:
            listed = ", ".join(each.id for each in self.entries()) or "none"
            raise UsageError(f"{identifier}: no such entry of the review", f"Those that wait: {listed}.")
        return found[0]

    def remove(self, entry: Pending) -> None:
        """Take an entry out."""
        self._file(entry.id).unlink(missing_ok=True)

    def rejected(self) -> frozenset[str]:
        """The keys of the attempts that a person turned down."""
        with suppress(OSError, ValueError, msgspec.MsgspecError, RecursionError):
            content = read_plain(self._folder / _REJECTED, _LARGEST)
            return frozenset(msgspec.json.decode(content or b"[]", type=list[str]))
        return frozenset()

    def reject(self, entry: Pending) -> None:
        """Take an entry out, and never offer its attempts again."""
        self.turn_down(key_of(each.payloads) for each in entry.proposals)
        self.remove(entry)

    def turn_down(self, attempts: Iterable[str]) -> None:
        """Never offer attempts again, given by their keys."""
        keys = dict.fromkeys((*sorted(self.rejected()), *attempts))
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(self._folder / _REJECTED, msgspec.json.encode(list(keys)[-_MOST_REJECTED:]))

    def _file(self, identifier: str) -> Path:
        return self._folder / f"{identifier}.json"
