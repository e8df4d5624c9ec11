"""The todo-tdd example: its suite without code, on the reference implementation, and on the reference's mutants."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import msgspec

from benchmarks.tdd.running import python, run_all
from benchmarks.tdd.todo.mutants import MUTANTS, REFERENCE, Mutant
from engine.configuration import Settings
from engine.generating import Generated, generate
from engine.planning import make_plan
from engine.project import Project
from engine.run import run
from graph.store.store import Store
from planner.cases import Status
from planner.validator import Outcome, Verdict

EXAMPLE = Path(__file__).resolve().parents[2] / "specs_examples" / "todo-tdd"
_RIGHT = frozenset({Verdict.FAILED, Verdict.MISSING})


class Example(msgspec.Struct, frozen=True):
    """What came out without code and on the reference, and which tests notice each mutant."""

    cases: Counter[str]
    empty: tuple[Outcome, ...]
    reference: tuple[Outcome, ...]
    killed: dict[str, frozenset[str]]
    seconds: float

    @property
    def red_for_the_right_reason(self) -> float:
        """The share of tests that are red without code, by assertion or for the missing implementation."""
        return sum(each.verdict in _RIGHT for each in self.empty) / max(1, len(self.empty))

    @property
    def green_on_reference(self) -> float:
        """The share of tests that are green on the reference."""
        return sum(each.verdict is Verdict.PASSED for each in self.reference) / max(1, len(self.reference))

    @property
    def kill_rate(self) -> float:
        """The share of mutants that some test notices."""
        return sum(bool(each) for each in self.killed.values()) / max(1, len(self.killed))


def measure(folder: Path) -> Example:
    """Make the suite in a copy of the example below a folder, and run it on nothing, on the reference, on mutants."""
    root = folder / "todo-tdd"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(EXAMPLE, root, ignore=shutil.ignore_patterns(".crossfact", "tests", "expected"))
    project = _project(root)
    made, empty = _suite(project)
    (root / "todo").mkdir()
    (root / "todo" / "__init__.py").write_text("", encoding="utf-8")
    shutil.copy(REFERENCE, root / "todo" / "main.py")
    reference = run(project, tell=_quiet, everything=True).outcomes
    killed, seconds = _killed(root, frozenset(o.node for o in reference if o.verdict is Verdict.PASSED))
    statuses = Counter(str(case.status) for case in made.cases if case.status is not Status.GENERATED)
    return Example(
        Counter({**statuses, "tests": len(empty)}), tuple(empty), tuple(reference), killed, seconds
    )


def _project(root: Path) -> Project:
    (root / ".crossfact").mkdir(exist_ok=True)
    settings = msgspec.structs.replace(Settings(), history=False, app="todo.main:app", python=str(python()))
    return Project(root, (), settings, Store.open(root / ".crossfact" / "facts.db"))


def _suite(project: Project) -> tuple[Generated, tuple[Outcome, ...]]:
    make_plan(project, tell=_quiet)
    made = generate(project)
    return made, run(project, tell=_quiet).outcomes


def _killed(root: Path, green: frozenset[str]) -> tuple[dict[str, frozenset[str]], float]:
    """For each mutant the tests that are green on the reference and red on it; and the seconds of the median run."""
    tasks = [
        {
            "name": _name(number, mutant),
            "folder": str(root),
            "sources": {"todo.main": mutant.text()},
            "tests": sorted({node.partition("::")[0] for node in green}),
        }
        for number, mutant in enumerate(MUTANTS)
    ]
    results = run_all(tasks)
    times = sorted(each.seconds for each in results.values())
    killed = {name: ran.failed & green for name, ran in sorted(results.items())}
    return killed, times[len(times) // 2]


def _name(number: int, mutant: Mutant) -> str:
    return f"{number + 1:02d} {mutant.kind}: {mutant.claim}"


def _quiet(words: str) -> None:
    pass


def report(example: Example, details: bool) -> bool:
    """Print the three figures, and with `details` each mutant; whether all goals are met."""
    killed = sum(bool(each) for each in example.killed.values())
    print("todo-tdd, " + ", ".join(f"{number} {word}" for word, number in sorted(example.cases.items())))
    for words, figure, of, goal in (
        (
            "red for the right reason without code",
            example.red_for_the_right_reason,
            len(example.empty),
            "1.0",
        ),
        ("green on the reference", example.green_on_reference, len(example.reference), "1.0"),
        (f"mutants killed, {killed}", example.kill_rate, len(example.killed), ".90"),
    ):
        print(f"  {words:<40} {figure:6.3f}  of {of}, goal {goal}")
    print(f"  {'seconds for one run of the suite':<40} {example.seconds:6.2f}")
    for outcome in (*example.empty, *example.reference):
        wrong = (
            outcome.verdict not in _RIGHT
            if outcome in example.empty
            else outcome.verdict is not Verdict.PASSED
        )
        if wrong:
            print(f"  {outcome.verdict} {outcome.node}: {outcome.exception} {outcome.message[:300]}")
    for name, tests in example.killed.items():
        if details or not tests:
            print(f"  {'killed by ' + str(len(tests)) if tests else 'SURVIVES'}: {name}")
    return (
        example.red_for_the_right_reason == 1.0
        and example.green_on_reference == 1.0
        and example.kill_rate >= 0.9
    )
