"""Measures the suites of packages: on nothing, on hollow functions, on the reference, on mutants, beside own tests."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from benchmarks.healing.operators.bugs import KINDS, mutants
from benchmarks.healing.sources import Change, Sources
from benchmarks.tdd.applications import Suite
from benchmarks.tdd.driving import Ran
from benchmarks.tdd.explaining import Cause, disagreements, explained, module_of
from benchmarks.tdd.packages import Package, run_all
from benchmarks.tdd.spec_breaking import breaks, stubs_of
from planner.cases import Technique
from planner.functions.interface_cases import MEMBERS

SEEDS = 5
# What says that something is not there, or not as it should be; `Failed` is pytest's DID NOT RAISE.
_RIGHT = frozenset(
    {
        *("AssertionError", "Failed", "NotImplementedError"),
        *("ModuleNotFoundError", "ImportError", "AttributeError"),
    }
)

_ASKED_FOR = "pip install "
"""What the code itself says of a package that it lacks."""
_LACKING = re.compile(r"^\w+: ModuleNotFoundError: No module named '(\w+)")


class Mutated(msgspec.Struct, frozen=True):
    """One mutant: what it changes, which statement it breaks (empty for none that is known), whose tests notice it."""

    words: str
    broken: str
    killed: bool
    killed_by_own: bool


class Measured(msgspec.Struct):
    """What one package came to; tests by the names of their nodes."""

    name: str
    set: str
    cases: Counter[str]
    techniques: dict[str, Technique]
    negative: frozenset[str] = frozenset()
    members: dict[str, int] = {}
    """Of tests that are about several functions or names, how many."""
    functions: frozenset[str] = frozenset()
    """The functions of which a test says how they are called, as facts name them."""
    acting: frozenset[str] = frozenset()
    """Those of them that a test is about which is red where all functions raise."""
    left_out: dict[str, str] = {}
    """Tests of modules that the environment cannot import, with what it says; they are nowhere else."""
    causes: dict[str, Cause] = {}
    """Of tests that are red on the reference, who says that the reference is why."""
    reference: dict[str, str] = {}
    empty: dict[str, str] = {}
    hollow: dict[str, str] = {}
    flaky: frozenset[str] = frozenset()
    mutants: list[Mutated] = []
    own_tests: int = 0
    seconds: float = 0.0
    making: float = 0.0
    rejected: list[str] = []
    needs: list[str] = []


def measure(package: Package, suite: Suite, limit: int, seed: int) -> Measured:
    """What a package came to, with at most `limit` mutants."""
    homes = {node: module_of(case, package.unimportable) for node, case in suite.tests.items()}
    left_out = {node: f"{name}: {package.unimportable[name]}" for node, name in homes.items() if name}
    tested = {node: case for node, case in suite.tests.items() if node not in left_out}
    suite = Suite(suite.cases, tested, suite.negative)
    files = sorted({str(package.specs / node.partition("::")[0]) for node in suite.tests})
    ours = {"root": str(package.specs), "paths": [package.imports], "tests": files, "seconds": 120}
    base = package.code.root
    paths = [str(base / each) for each in package.code.paths]
    own = {"root": str(base), "paths": paths, "tests": list(package.code.tests), "seconds": 120}
    pages = [str(package.specs / page) for page in package.pages]
    examples = {**own, "modules": package.importable, "pages": pages}
    del examples["tests"]
    hollow = {f"{package.imports}/{path}": text for path, text in package.hollow.items()}
    made = _mutants(package, limit, seed)
    tasks: list[dict[str, Any]] = [
        {**ours, "name": "empty", "paths": []},
        {**ours, "name": "hollow", "sources": hollow},
        {**own, "name": "own"},
        {**own, "name": "own again"},
        {**examples, "name": "examples"},
        {**examples, "name": "examples again"},
        {**examples, "name": "examples forgivingly", "forgiving": True},
    ]
    for number, change in enumerate(made):
        changed = {
            str(base / path): text
            for path, text in change.after.code.items()
            if text != package.code.sources.code[path]
        }
        # What loops for ever is noticed, and has not to be waited for.
        tasks += [
            {**ours, "name": f"{number} ours", "sources": changed, "seconds": 60},
            {**own, "name": f"{number} own", "sources": changed, "seconds": 60},
            {**examples, "name": f"{number} examples", "sources": changed},
        ]
    runs = [run_all([{**ours, "name": "reference", "seed": n}], n)["reference"] for n in range(SEEDS)]
    results = run_all(tasks)
    measured = _of_tests(package, suite, runs, results)
    measured.left_out = left_out
    measured.causes = _causes(package, suite, measured.reference, results["examples forgivingly"])
    steady = results["own"].passed & results["own again"].passed
    shown = results["examples"].passed & results["examples again"].passed
    stubs = stubs_of(package.specs)
    for number, change in enumerate(made):
        told = results[f"{number} examples"]
        if told.error:
            continue  # It cannot be imported: no test is needed to see that.
        failed = sorted(shown - told.passed)
        broken = f"the example {failed[0]} fails" if failed else _broken(package, change, stubs)
        killed = bool(_lost(results[f"{number} ours"], runs[0].passed))
        by_own = bool(_lost(results[f"{number} own"], steady))
        measured.mutants.append(Mutated(change.words, broken, killed, by_own))
    measured.own_tests = len(steady)
    return measured


def _causes(package: Package, suite: Suite, told: dict[str, str], examples: Ran) -> dict[str, Cause]:
    found = disagreements(package)
    causes = {
        node: explained(suite.tests[node], words.partition(": ")[2], found, examples, package.pages)
        for node, words in told.items()
        if words.startswith(("red", "broken"))
    }
    return {node: cause for node, cause in causes.items() if cause}


def _lost(ran: Ran, green: frozenset[str]) -> frozenset[str]:
    """The tests that are not green any more; all where the run did not come to its end."""
    return green - ran.passed


def _mutants(package: Package, limit: int, seed: int) -> list[Change]:
    """Mutants of all kinds in turn, of the package's own code."""
    whole = package.code.sources
    inside = {str(Path(package.code.paths[0]) / path) for path in package.hollow}
    sources = Sources(
        whole.package, whole.folder, {path: text for path, text in whole.code.items() if path in inside}, {}
    )
    chance = Random(seed)
    waiting = [mutants(sources, chance, kind) for kind in KINDS]
    found: list[Change] = []
    while waiting and len(found) < limit:
        for each in list(waiting):
            change = next(each, None)
            if change is None:
                waiting.remove(each)
            elif len(found) < limit:
                found.append(change)
    return found


def _broken(package: Package, change: Change, stubs: dict[str, str]) -> str:
    before = package.code.sources.code
    for path, text in change.after.code.items():
        if text != before[path]:
            inside = os.path.relpath(path, package.code.paths[0])
            kind = change.cause.removeprefix("bug: ")
            return breaks(kind, inside, change.subject, before[path], text, stubs)
    return ""


def _of_tests(package: Package, suite: Suite, runs: Sequence[Ran], results: dict[str, Ran]) -> Measured:
    hollow = {node: _told(results["hollow"], node) for node in suite.tests}
    called = (case for case in suite.tests.values() if case.technique is Technique.CALLABLE)
    about = (_untagged(str(each)) for case in called for each in case.target.get(MEMBERS, ()))
    functions = frozenset(each for each in about if each.startswith("function:"))
    needing = (suite.tests[node].cites for node, told in hollow.items() if told.startswith("red"))
    return Measured(
        name=package.name,
        set=package.set,
        cases=Counter(str(case.status) for case in suite.cases),
        techniques={node: case.technique for node, case in suite.tests.items()},
        negative=suite.negative,
        members={
            node: len(case.target[MEMBERS]) for node, case in suite.tests.items() if MEMBERS in case.target
        },
        functions=functions,
        acting=functions & {_untagged(fact) for cites in needing for fact in cites},
        reference={node: _of_reference(_told(runs[0], node), package) for node in suite.tests},
        empty={node: _told(results["empty"], node) for node in suite.tests},
        hollow=hollow,
        flaky=frozenset(node for node in suite.tests if len({_outcome(ran, node) for ran in runs}) > 1),
        seconds=runs[0].seconds,
        rejected=[f"{case.id}: {case.last_error}" for case in suite.cases if case.status == "REJECTED"],
        needs=[f"{case.id}: {case.needs}" for case in suite.cases if case.status == "NEEDS_HUMAN"],
    )


def _of_reference(told: str, package: Package) -> str:
    """The outcome on the reference: undecided, as `crossfact run` has it, where a package of others is missing."""
    if _ASKED_FOR in told:
        return f"undecided: {told}"
    lacking = _LACKING.search(told)
    own = {name.partition(".")[0] for name in package.modules.values()}
    return told if lacking is None or lacking[1] in own else f"undecided: {lacking[1]} is not installed"


def _untagged(fact: str) -> str:
    """What a fact is about, whoever says it: the stub, or the docstring of the code."""
    return fact.partition(":")[2]


def _outcome(ran: Ran, node: str) -> str:
    return ran.tests.get(node, ("", "", 0.0))[0]


def _told(ran: Ran, node: str) -> str:
    """`passed`, `skipped`, `red`, or `broken` with its words where it is red for no reason that the code gives."""
    told = ran.tests.get(node)
    if told is None:
        return f"broken: {ran.error or 'not collected'}"
    outcome, words, _ = told
    if outcome != "failed":
        return outcome
    return f"{'red' if words.partition(':')[0] in _RIGHT else 'broken'}: {words}"
