"""Proves tests of functions and classes on twins of their modules: green on the twin, red on each broken statement."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from engine.generators.functions import Surface
from engine.twins.modules import Broken, Writer
from engine.twins.modules_mutations import mutations
from engine.twins.modules_runs import ModuleTwins
from graph.facts import Fact
from graph.source import FactSource
from planner.cases import Case, Proof, Status
from planner.validator import Job, Outcome, Validator, Verdict

_HOME = Path(__file__).parent.parent
_RED = frozenset({Verdict.FAILED, Verdict.BROKEN, Verdict.MISSING})


class _Try(msgspec.Struct, frozen=True):
    """A case with the module of its unit, and the mutants that its test must notice."""

    case: Case
    module: str
    broken: tuple[Broken, ...]


def prove_functions(
    root: Path, cases: Sequence[Case], source: FactSource, validator: Validator
) -> dict[str, Case]:
    """The cases that were tried on twins of modules, by id, each with its figures; a test that does not reach them is
    `REJECTED`. Cases of which twins show nothing (overloads, examples that need other lines) are left out.
    """
    if not any(case.target.get("function") for case in cases):
        return {}
    surface = Surface(source)
    tried: list[_Try] = []
    for case in cases:
        fact = surface.facts.get(str(case.target.get("function")))
        if fact is not None and case.node and (broken := mutations(case, fact, surface)):
            tried.append(_Try(case, surface.module(fact), broken))
    if not tried:
        return {}
    outcomes: dict[str, list[Outcome]] = {}
    with tempfile.TemporaryDirectory(prefix="crossfact-modules-") as folder:
        for outcome in validator.run_many(_jobs(root, Path(folder), tried, surface)):
            outcomes.setdefault(_key(outcome.node), []).append(outcome)
    return {each.case.id: _judged(each, outcomes.get(_key(each.case.node), [])) for each in tried}


def _jobs(root: Path, folder: Path, tried: Sequence[_Try], surface: Surface) -> list[Job]:
    members = surface.modules()
    whole = {name: Writer(surface).module(name, listed) for name, listed in members.items()}
    by_file: dict[str, list[_Try]] = {}
    for each in tried:
        by_file.setdefault(each.case.node.partition("::")[0], []).append(each)
    jobs = []
    for number, (path, group) in enumerate(sorted(by_file.items())):
        place = folder / str(number)
        place.mkdir()
        name = Path(path).name
        (place / name).write_bytes((root / path).read_bytes())
        twins = place / "twins.json"
        twins.write_bytes(msgspec.json.encode(_twins(group, whole, members, surface)))
        jobs.append(
            Job(
                root=place,
                nodes=tuple(f"{name}::{each.case.node.partition('::')[2]}" for each in group),
                python=Path(sys.executable),
                seconds=10.0,
                environment={"CROSSFACT_MODULES": str(twins), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
                plugins=("engine.twins.modules_plugin",),
                paths=(_HOME,),
                options=("--noconftest",),
            )
        )
    return jobs


def _twins(
    group: Iterable[_Try], whole: dict[str, str], members: dict[str, list[Fact]], surface: Surface
) -> ModuleTwins:
    """The twins of all modules, and for each test of a file its runs: the twin, then each mutant, as a patch of it."""
    texts = dict.fromkeys(whole.values())
    runs: dict[str, tuple[str, ...]] = {}
    for each in group:
        changed = tuple(
            Writer(surface, broken).patch(each.module, members.get(each.module, [])) for broken in each.broken
        )
        texts.update(dict.fromkeys(changed))
        runs[each.case.node.partition("::")[2]] = changed
    numbers = {text: number for number, text in enumerate(texts)}
    modules = {each.case.node.partition("::")[2]: each.module for each in group}
    return ModuleTwins(
        texts=tuple(texts),
        modules={name: numbers[text] for name, text in whole.items()},
        runs={
            name: ({}, *({modules[name]: numbers[text]} for text in changed))
            for name, changed in runs.items()
        },
    )


def _key(node: str) -> str:
    path, _, name = node.partition("::")
    return f"{Path(path).name}::{name.partition('[')[0]}"


def _judged(each: _Try, outcomes: Sequence[Outcome]) -> Case:
    green = killed = 0
    reason = ""
    for outcome in outcomes:
        inside = outcome.node.partition("[")[2].rstrip("]")
        number = int(inside) if inside.isdigit() else -1
        if number == 0 and outcome.verdict is Verdict.PASSED:
            green += 1
        elif number == 0 or number < 0:
            reason = reason or f"red on the twin: {outcome.exception}: {outcome.message}".splitlines()[0]
        elif outcome.verdict in _RED:
            killed += 1
        else:
            broken = each.broken[number - 1]
            reason = reason or f"does not notice the broken statement {broken.how} {broken.part}".rstrip()
    proof = Proof(twins=1, twins_green=green, mutants=len(each.broken), mutants_killed=killed, reason=reason)
    status = each.case.status
    if not proof.holds and status is Status.GENERATED:
        status = Status.REJECTED
    return msgspec.structs.replace(
        each.case, proof=proof, status=status, last_error=reason if status is Status.REJECTED else ""
    )
