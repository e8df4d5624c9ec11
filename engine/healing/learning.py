"""Keeps what healing learns: for a project beside its store and, where the user wants it, as counts for all of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec

from engine.healing.gate import key_of
from engine.healing.records import Result, Treatment
from engine.project import Project, Tell
from graph.errors import StoreError
from graph.files import read_plain, replace_file
from healer.analysis import Analysis
from healer.healer import Healer, Patient
from healer.knowledge import Experience, Knowledge
from healer.movements import Cause, Movement

FILE = "knowledge.json"
_KEPT = "kept.json"
_MOST_KEPT = 500
_LARGEST = 5_000_000
_HELD = ("green", "got on")
_TRIED = (*_HELD, "still red", "taken back")


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """An edit that was kept, by its attempt's key, and what it was made for.

    It shows when a person takes it back: then the same is proposed again.
    """

    attempt: str
    analysis: Analysis
    causes: tuple[Cause, ...]
    healer: str
    method: str


class Learning:
    """What healing knows about a project; damaged files are told and ignored."""

    def __init__(self, project: Project, tell: Tell, environment: Mapping[str, str] = os.environ) -> None:
        self._file = (project.root / project.settings.store).parent / "healing" / FILE
        self._shared = _shared_folder(environment) if project.settings.heal_share else None
        self._name = hashlib.sha256(os.fsencode(project.root)).hexdigest()[:16]
        self._is_learnt = project.settings.heal_order == "learnt"
        own = _knowledge(self._file, tell)
        others = [each for file in self._files_of_others() for each in _knowledge(file, tell).counts()]
        self.knowledge = Knowledge(own.experiences(), others)

    def ordered(self, healers: Sequence[Healer], patient: Patient) -> list[Healer]:
        """The healers in the order in which they are asked: as given, or, where that is wanted, by what held."""
        if not self._is_learnt:
            return list(healers)
        by_name = {each.name: each for each in healers}
        seed = hashlib.sha256("\n".join(each.node for each in patient.analyses).encode("utf-8", "replace"))
        causes = _causes(patient.judgement.explained_by)
        order = self.knowledge.order(
            list(by_name), patient.analyses[0], causes, Random(int(seed.hexdigest()[:12], 16))
        )
        return [by_name[name] for name in order]

    def learn(self, treatments: Iterable[Treatment]) -> None:
        """Remember how attempts ended, and what was kept."""
        kept = self._kept()
        learnt = False
        for treatment in treatments:
            causes = _causes(treatment.judgement.explained_by)
            for proposal in treatment.proposals:
                if not proposal.outcome.startswith(_TRIED):
                    continue
                held = treatment.result is Result.HEALED and proposal.outcome.startswith(_HELD)
                learnt = True
                for payload in proposal.payloads:
                    with suppress(msgspec.ValidationError):
                        self._learn(treatment.analyses[0], causes, proposal.healer, payload.method, held=held)
                    if held:
                        kept.append(
                            Kept(
                                attempt=key_of(proposal.payloads),
                                analysis=treatment.analyses[0],
                                causes=causes,
                                healer=proposal.healer,
                                method=payload.method,
                            )
                        )
        if learnt:
            self._save(kept)

    def kept(self) -> frozenset[str]:
        """The keys of the attempts that were kept."""
        return frozenset(each.attempt for each in self._kept())

    def unlearn(self, attempts: Collection[str]) -> None:
        """Count attempts, by their keys, as failed that were kept and that a person took back."""
        kept = self._kept()
        reverted = [each for each in kept if each.attempt in attempts]
        for each in reverted:
            self.knowledge.revert(each.analysis, each.causes, each.healer, each.method)
        if reverted:
            self._save([each for each in kept if each not in reverted])

    def _learn(
        self, analysis: Analysis, causes: Sequence[Cause], healer: str, method: str, *, held: bool
    ) -> None:
        msgspec.convert({"category": analysis.category, "healer": healer, "method": method}, Experience)
        self.knowledge.learn(analysis, causes, healer, method, held=held)

    def _save(self, kept: Sequence[Kept]) -> None:
        """What is learnt is a convenience: where it cannot be written, nothing is lost but that."""
        with suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self._file, self.knowledge.encoded())
            replace_file(self._file.with_name(_KEPT), msgspec.json.encode(list(kept[-_MOST_KEPT:])))
            if self._shared is not None:
                self._shared.mkdir(mode=0o700, parents=True, exist_ok=True)
                counts = Knowledge(self.knowledge.counts())
                replace_file(self._shared / f"{self._name}.json", counts.encoded())

    def _kept(self) -> list[Kept]:
        with suppress(OSError, ValueError, msgspec.MsgspecError, RecursionError):
            content = read_plain(self._file.with_name(_KEPT), _LARGEST)
            return msgspec.json.decode(content or b"[]", type=list[Kept])
        return []

    def _files_of_others(self) -> list[Path]:
        if self._shared is None:
            return []
        return [each for each in sorted(self._shared.glob("*.json"))[:1000] if each.stem != self._name]


def _shared_folder(environment: Mapping[str, str]) -> Path:
    home = environment.get("XDG_DATA_HOME") or str(
        Path(environment.get("HOME", "~")).expanduser() / ".local/share"
    )
    return Path(home) / "crossfact" / "healing"


def _knowledge(file: Path, tell: Tell) -> Knowledge:
    try:
        content = read_plain(file, _LARGEST)
        return Knowledge() if content is None else Knowledge.decoded(content)
    except (OSError, ValueError, StoreError) as error:
        tell(f"crossfact: {file}: {error}; it is ignored")
        return Knowledge()


def _causes(explained: Iterable[Movement]) -> tuple[Cause, ...]:
    return tuple(dict.fromkeys(each.cause for each in explained))
