"""Proves tests of functions and classes on twins of their modules: green on the twin, red on each broken statement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from engine.generators.functions.facts import Surface
from engine.generators.stories.called import is_called, with_examples
from engine.twins.modules import Writer
from engine.twins.modules_broken import Broken
from engine.twins.modules_mutations import mutations
from engine.twins.modules_runs import ModuleTwins
from engine.twins.trying import RED, OnTwins, key_of, outcomes_on_twins, run_of, with_proof
from graph.facts import Fact
from graph.source import FactSource
from planner.cases import Case, Proof
from planner.functions.interface_cases import MODULES, OF_MANY
from planner.validator import Outcome, Validator, Verdict


class _Try(msgspec.Struct, frozen=True):
    """A case with the module of its unit, and the mutants that its test must notice."""

    case: Case
    module: str
    broken: tuple[Broken, ...]

    @property
    def name(self) -> str:
        """The name of the test function, as it stands in the node id."""
        return self.case.node.partition("::")[2]


def prove_functions(
    root: Path, cases: Sequence[Case], source: FactSource, validator: Validator
) -> dict[str, Case]:
    """The cases that were tried on twins of modules, by id, each with its figures; a test that does not reach them is
    `REJECTED`. Cases of which twins show nothing (overloads, examples that need other lines) are left out.
    """
    if not any(case.target.get("function") for case in cases):
        return {}
    surface = _surface(source, cases)
    tried: list[_Try] = []
    for case in cases:
        fact = surface.facts.get(str(case.target.get("function")))
        if fact is not None and case.node and (broken := mutations(case, fact, surface)):
            tried.append(_Try(case, surface.module(fact), broken))
    if not tried:
        return {}
    members = surface.modules()
    whole = {name: Writer(surface).module(name, listed) for name, listed in members.items()}
    by_file: dict[str, list[_Try]] = {}
    for each in tried:
        by_file.setdefault(each.case.node.partition("::")[0], []).append(each)
    files = {
        path: OnTwins([each.name for each in group], _twins(group, whole, members, surface))
        for path, group in by_file.items()
    }
    outcomes = outcomes_on_twins(
        root, files, validator, plugin="engine.twins.modules_plugin", variable="CROSSFACT_MODULES"
    )
    return {each.case.id: _judged(each, outcomes.get(key_of(each.case.node), [])) for each in tried}


def _surface(source: FactSource, cases: Sequence[Case]) -> Surface:
    """What a project offers, with the calls that criteria tell among the examples of their functions."""
    told: dict[str, list[Case]] = {}
    for case in filter(is_called, cases):
        told.setdefault(str(case.target["function"]), []).append(case)
    return Surface(source, lambda fact: with_examples(fact, told.get(fact.id, ())))


def _twins(
    group: Iterable[_Try], whole: dict[str, str], members: dict[str, list[Fact]], surface: Surface
) -> ModuleTwins:
    """The twins of all modules, and for each test of a file its runs: the twin, then each mutant, as a patch of it."""
    texts = dict.fromkeys(whole.values())
    runs: dict[str, list[tuple[str, str]]] = {}
    plain: dict[str, list[str]] = {}
    for each in group:
        runs[each.name] = []
        for broken in each.broken:
            home = _home(broken, each, surface)
            text = Writer(surface, broken, plain).patch(home, members.get(home, []))
            texts[text] = None
            runs[each.name].append((home, text))
    numbers = {text: number for number, text in enumerate(texts)}
    return ModuleTwins(
        texts=tuple(texts),
        modules={name: numbers[text] for name, text in whole.items()},
        runs={
            name: ({}, *({home: numbers[text]} for home, text in changed)) for name, changed in runs.items()
        },
    )


def _home(broken: Broken, tried: _Try, surface: Surface) -> str:
    """The module in which a statement is broken: that of the test, but where it is about several."""
    known = surface.at(broken.subject.partition(" ")[2])
    is_of_several = tried.case.target.get(OF_MANY) == MODULES
    return surface.module(known) if is_of_several and known is not None else tried.module


def _judged(each: _Try, outcomes: Sequence[Outcome]) -> Case:
    if any(map(_lacks_a_package, outcomes)):
        return each.case  # Whoever has it can prove the test, and we have not.
    green = killed = 0
    reason = ""
    for outcome in outcomes:
        number = run_of(outcome)
        if number == 0 and outcome.verdict is Verdict.PASSED:
            green += 1
        elif not number:
            reason = reason or f"red on the twin: {outcome.exception}: {outcome.message}".splitlines()[0]
        elif outcome.verdict in RED:
            killed += 1
        else:
            broken = each.broken[number - 1]
            reason = reason or f"does not notice the broken statement {broken.how} {broken.part}".rstrip()
    proof = Proof(twins=1, twins_green=green, mutants=len(each.broken), mutants_killed=killed, reason=reason)
    return with_proof(each.case, proof)


def _lacks_a_package(outcome: Outcome) -> bool:
    """Whether a test left itself undecided, as a package of others is not installed beside crossfact."""
    return outcome.verdict is Verdict.SKIPPED and "could not import" in outcome.message
