"""Measures the suites of applications: on nothing, on stubs, on the reference, on its mutants, beside other tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from benchmarks.tdd.applications import Subject, Suite, module_of
from benchmarks.tdd.driving import Ran
from benchmarks.tdd.labelling import Contract, Label, fault, label, probes
from benchmarks.tdd.mutating import mutants, stub
from benchmarks.tdd.running import run_all
from planner.cases import Case

_RIGHT = frozenset({"AssertionError", "NotImplementedError", "ModuleNotFoundError"})
SEEDS = 5


class Mutated(msgspec.Struct, frozen=True):
    """One mutant: where it is from, what the validator says of it, and whose tests notice it."""

    name: str
    operator: str
    line: int
    label: Label
    why: str
    killed: bool
    killed_by_own: bool
    killed_by_own_without_contract: bool


class Measured(msgspec.Struct):
    """What one application came to; tests by the names of their nodes."""

    name: str
    operations: int
    cases: Counter[str]
    tests: frozenset[str] = frozenset()
    negative: frozenset[str] = frozenset()
    reference: dict[str, str] = {}
    empty: dict[str, str] = {}
    stub: dict[str, str] = {}
    flaky: frozenset[str] = frozenset()
    mutants: list[Mutated] = []
    own_tests: int = 0
    seconds: float = 0.0
    rejected: list[str] = []
    needs: list[str] = []
    told: bool = False
    disagreeing: frozenset[str] = frozenset()
    """The tests that are red on the reference and whose operation breaks its contract as the validator sees it."""
    error: str = ""

    @property
    def is_fetched(self) -> bool:
        """Whether others wrote it; our own applications answer with placeholders, so that they are no references."""
        return not self.name.startswith(("own/", "specs_examples/"))


def measure(pairs: Sequence[tuple[Subject, Suite]], limit: int, seed: int) -> list[Measured]:
    """What each application came to, with at most `limit` mutants each."""
    tasks: dict[str, dict[str, Any]] = {}
    made = {subject.name: changed(subject, limit, seed) for subject, _ in pairs}
    for subject, suite in pairs:
        tasks |= {task["name"]: task for task in _tasks(subject, suite, made[subject.name])}
    results = run_all(tasks.values())
    return [_measured(subject, suite, made[subject.name], results) for subject, suite in pairs]


Changed = tuple[str, str, int, dict[str, str]]


def changed(subject: Subject, limit: int, seed: int) -> list[Changed]:
    """At most `limit` mutants of an application: name, operator, line, and the texts of the modules that differ."""
    every: list[Changed] = []
    for file in subject.files:
        text = (subject.code / file).read_text(encoding="utf-8")
        for number, each in enumerate(mutants(text, limit, seed)):
            source = {module_of(file): each.text}
            every.append((f"{file}:{each.line} {each.operator} {number}", each.operator, each.line, source))
    every.sort(key=lambda each: int(each[0].rpartition(" ")[2]))
    return every[:limit]


def _tasks(subject: Subject, suite: Suite, made: Sequence[Changed]) -> list[dict[str, Any]]:
    files = sorted({str(subject.specs / node.partition("::")[0]) for node in suite.tests})
    ours = {"folder": str(subject.code), "root": str(subject.specs), "tests": files}
    probe = {
        "folder": str(subject.code),
        "module": subject.module,
        "probe": [each.request for each in probes(Contract(subject.contract))],
    }
    own = {
        "folder": str(subject.code),
        "root": str(subject.code),
        "tests": [str(subject.code / each) for each in subject.own_tests],
    }
    tasks: list[dict[str, Any]] = [
        {**ours, "name": f"{subject.title}|empty", "folder": str(subject.specs)},
        {**ours, "name": f"{subject.title}|stub", "sources": subject.sources(stub)},
        {**probe, "name": f"{subject.name}|probe"},
        {**probe, "name": f"{subject.name}|probe again"},
        *({**ours, "name": f"{subject.title}|reference {seed}", "seed": seed} for seed in range(SEEDS)),
    ]
    if subject.own_tests:
        tasks.append({**own, "name": f"{subject.name}|own"})
    for name, _, _, sources in made:
        tasks.append({**ours, "name": f"{subject.title}|{name}", "sources": sources})
        tasks.append({**probe, "name": f"{subject.name}|{name}|probe", "sources": sources})
        if subject.own_tests:
            tasks.append({**own, "name": f"{subject.name}|{name}|own", "sources": sources})
    return [task for task in tasks if "probe" in task or task["tests"]]


def _measured(subject: Subject, suite: Suite, made: Sequence[Changed], results: dict[str, Ran]) -> Measured:
    def of(name: str) -> Ran:
        ours = results.get(f"{subject.title}|{name}")
        return ours or results.get(f"{subject.name}|{name}") or Ran(name)

    contract = Contract(subject.contract)
    runs = [of(f"reference {seed}") for seed in range(SEEDS)]
    known = {node for node in suite.tests if node in runs[0].tests}
    measured = Measured(
        name=subject.title,
        told=subject.told,
        operations=sum(1 for _ in contract.operations()),
        cases=Counter(str(case.status) for case in suite.cases),
        tests=frozenset(suite.tests),
        negative=suite.negative,
        reference={node: _told(runs[0], node) for node in suite.tests},
        empty={node: _told(of("empty"), node) for node in suite.tests},
        stub={node: _told(of("stub"), node) for node in suite.tests},
        flaky=frozenset(node for node in known if len({each.tests.get(node, ("",))[0] for each in runs}) > 1),
        own_tests=len(of("own").passed),
        seconds=runs[0].seconds,
        rejected=[f"{case.id}: {case.last_error}" for case in suite.cases if case.status == "REJECTED"],
        needs=[f"{case.id}: {case.needs}" for case in suite.cases if case.status == "NEEDS_HUMAN"],
        error=of("probe").error,
    )
    asked, right = probes(contract), [list(each) for each in of("probe").answers]
    if right != [list(each) for each in of("probe again").answers]:
        measured.error = measured.error or "its answers differ from run to run"
    if measured.error:
        return measured
    wrong = {each.operation for each, told in zip(asked, right, strict=True) if fault(contract, each, told)}
    green = runs[0].passed
    measured.disagreeing = frozenset(
        node for node in suite.tests if node in runs[0].failed and is_about(suite.tests[node], wrong)
    )
    for name, operator, line, _ in made:
        probed = of(f"{name}|probe")
        if probed.error:
            continue  # It does not even load: no test is needed to see that.
        kind, why = label(contract, asked, right, [list(each) for each in probed.answers])
        own = of(f"{name}|own").failed & of("own").passed
        plain = frozenset(node for node in own if "openapi" not in node)
        ours = bool(of(name).failed & green)
        measured.mutants.append(Mutated(name, operator, line, kind, why, ours, bool(own), bool(plain)))
    return measured


def is_about(case: Case, wrong: Collection[str]) -> bool:
    """Whether a case is about one of these operations (`get /items`), or reads by one."""
    keys = (str(case.target.get(name) or "") for name in ("operation", "read"))
    return any(
        f"{method.lower()} {path}" in wrong for method, _, path in (key.partition(" ") for key in keys)
    )


def _told(ran: Ran, node: str) -> str:
    """`passed`, `skipped`, `red`, or `broken` with its words where it is red for no reason that the code gives."""
    told = ran.tests.get(node)
    if told is None:
        collected = ran.tests.get(node.partition("::")[0])
        return f"broken: {collected[1] if collected else ran.error or 'not collected'}"
    outcome, words, _ = told
    if outcome != "failed":
        return outcome
    return f"{'red' if words.partition(':')[0] in _RIGHT else 'broken'}: {words}"
