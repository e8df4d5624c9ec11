"""A healer that follows movements by tactics: it rewrites the files of a cluster so that they fit what moved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from healer.editing.exchanging import Refused
from healer.editing.methods import expressed
from healer.healer import Patient
from healer.healers.plan import Plan
from healer.movements import SHAPES, Cause, Movement
from healer.payload import Payload
from healer.reading.meanings import Meanings
from healer.reading.source import Edit, edited
from healer.reading.suite import Suite
from healer.reading.world import World

Tactic = Callable[[Meanings, Plan], Iterable[Edit]]
"""Edits of one file by which it fits what moved; it reads what the file says as of when the tests last passed."""


class Following:
    """Follows movements by tactics, in their order, where these and no other causes explain the failures.

    Other changes of names and shapes are followed with them, so that a failure behind the first one is healed too.
    """

    def __init__(
        self, name: str, causes: frozenset[Cause], all_causes: frozenset[Cause], tactics: tuple[Tactic, ...]
    ) -> None:
        self.name = name
        self._causes = causes
        self._all_causes = all_causes
        self._tactics = tactics

    def _is_asked(self, explained: Iterable[Movement]) -> bool:
        causes = _followed(explained) & self._all_causes
        return bool(causes) and causes <= self._causes

    def propose(self, patient: Patient) -> Iterator[tuple[Payload, ...]]:
        """See `Healer.propose`."""
        explained = patient.judgement.explained_by
        if not self._is_asked(explained):
            return
        others = tuple(each for each in patient.movements if _is_safe(each) and each not in explained)
        then, now = World(patient.then), World(patient.now)
        seen: list[dict[str, str]] = []
        for movements in (explained + others, explained):
            for bold in _boldness(movements):
                plan = Plan(then, now, movements, patient.read, patient.analyses, bold)
                texts = self._texts(patient, plan)
                if texts and texts not in seen:
                    seen.append(texts)
                    yield tuple(_payloads(patient, plan, texts))

    def _texts(self, patient: Patient, plan: Plan) -> dict[str, str]:
        """The new texts of the files that change."""
        suite = Suite(patient.read, plan.then)
        texts = {}
        for path in suite.reach(dict.fromkeys(each.file for each in patient.analyses)):
            file = suite.file(path)
            text = before = file.source.text if file is not None else ""
            for tactic in self._tactics:
                file = suite.file(path) if text == before else suite.of_text(path, text)
                if file is not None:
                    text = edited(text, tactic(file, plan)) or text
            if text != before:
                texts[path] = text
        return texts


class Compound(Following):
    """Follows movements whose causes belong to several healers."""

    def __init__(self, name: str, parts: Iterable[frozenset[Cause]], tactics: tuple[Tactic, ...]) -> None:
        self._parts = tuple(parts)
        every = frozenset(cause for part in self._parts for cause in part)
        super().__init__(name, every, every, tactics)

    def _is_asked(self, explained: Iterable[Movement]) -> bool:
        causes = _followed(explained) & self._causes
        return bool(causes) and not any(causes <= part for part in self._parts)


def _followed(explained: Iterable[Movement]) -> set[Cause]:
    """The causes that are to be followed: those of the code, and of fields that only the contract tells of."""
    movements = list(explained)
    causes = {each.cause for each in movements if each.side != "spec"}
    told = {each.cause for each in movements if each.side == "spec" and each.cause is Cause.FIELD_CHANGED}
    return causes | told


def _is_safe(movement: Movement) -> bool:
    """Whether following it changes nothing that a test means, though no failure shows it yet."""
    return movement.cause in SHAPES and movement.whole and movement.side != "spec"


def _boldness(movements: Iterable[Movement]) -> tuple[bool, ...]:
    """Whether to change members of unknown objects first: not where ordinary objects have such members too."""
    words = {movement.subject.rpartition(".")[2] for movement in movements}
    return (False, True) if words & _ORDINARY else (True, False)


_ORDINARY = frozenset(
    name
    for kind in (dict, list, set, str, bytes, int, float, tuple, BaseException, type)
    for name in dir(kind)
) | {"read", "write", "close", "open", "name", "value", "run", "start", "stop", "send", "call", "json"}


def _payloads(patient: Patient, plan: Plan, texts: dict[str, str]) -> Iterator[Payload]:
    followed = list(plan.followed()) or list(patient.judgement.explained_by)
    cites = tuple(dict.fromkeys(id_ for movement in followed for id_ in movement.facts))
    reasoning = "; ".join(dict.fromkeys(map(told, followed)))
    for path, text in texts.items():
        before = patient.read(path)
        try:
            yield expressed(
                path, before or "", text, reasoning=reasoning, cites=cites, thresholds=patient.thresholds
            )
        except Refused:
            continue


def told(movement: Movement) -> str:
    """A movement in a few words."""
    match movement.cause:
        case Cause.PARAMETERS_REORDERED:
            return f"the parameters of {movement.owner} have another order"
        case Cause.PARAMETER_ADDED:
            return f"{movement.owner} takes {movement.after} too"
        case Cause.PARAMETER_REMOVED:
            return f"{movement.owner} takes no {movement.before} any more"
        case Cause.PARAMETERS_GROUPED if isinstance(movement.before, list) and isinstance(
            movement.after, list
        ):
            names = ", ".join(map(str, movement.before))
            return f"{movement.owner} takes {names} as fields of {movement.after[1]}"
        case Cause.PARAMETER_KEYWORD_ONLY:
            return f"{movement.owner} takes {movement.after or movement.before} by keyword only"
        case Cause.PARAMETER_RENAMED:
            return f"{movement.owner} calls {movement.before} {movement.after} now"
        case Cause.REMOVED:
            return f"{movement.subject} was removed"
        case Cause.BECAME_PROPERTY | Cause.BECAME_METHOD | Cause.BECAME_ASYNC | Cause.BECAME_SYNC:
            return f"{movement.subject} {movement.cause.replace('became-', 'became ')}"
    if movement.before is None or movement.after is None:
        return f"{movement.subject}: {movement.cause}"
    return f"{movement.subject}: {movement.before} is {movement.after} now"
