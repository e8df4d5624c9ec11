"""Heals one case as a user would: a work tree of git, a change in it, `crossfact heal`, and what came of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.healing.cases import Case
from benchmarks.healing.comparing import lost, retention, size
from benchmarks.healing.corpus import FOLDER, Subject, python
from benchmarks.healing.running import Runner, Tree
from benchmarks.healing.versions import agreeing, decided

_NAMED = 25
_SECONDS = 900
_WHOLE_SECONDS = 150.0
_RULINGS = ("CODE_WRONG", "TEST_STALE", "TEST_WRONG", "FLAKY", "ENVIRONMENT", "UNDECIDED")


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one case.

    `rulings` and `outcomes` count those of its clusters. `green` of `red` tests are green in the end; `whole` says that
    all tests are which the reference makes green. `lost` names functions that assert less. `changed` are edited files,
    `size` and `reference_size` lines of the edits, `killed` of `mutants` those that both notice. `agreeing` are the
    test functions that are as the new release has them, of those that were changed; `decided` are the red tests of a
    pair of releases that are told stale or wrong, `retired` the tests and classes proposed for deletion that the new
    release has not either, of all that are proposed. `blamed` says that a cluster
    with CODE_WRONG cites a fact, `cited` that one is about what was changed. `error` is what the command said where
    it failed.
    """

    case: str
    package: str
    set: str
    cause: str
    label: str
    twin: str
    specified: bool
    has_stubs: bool
    rulings: dict[str, int] = {}
    outcomes: dict[str, int] = {}
    methods: dict[str, int] = {}
    red: int = 0
    green: int = 0
    whole: bool = False
    lost: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    size: int = 0
    reference_size: int = 0
    killed: int = 0
    mutants: int = 0
    agreeing: tuple[int, int] = (0, 0)
    decided: int = 0
    retired: tuple[int, int] = (0, 0)
    attempts: int = 0
    seconds: float = 0.0
    blamed: bool = False
    cited: bool = False
    reasons: tuple[str, ...] = ()
    error: str = ""

    @property
    def is_healed(self) -> bool:
        """Green, with the same assertions."""
        return bool(self.changed) and self.whole and not self.lost

    @property
    def is_wrong(self) -> bool:
        """A bug that was papered over: some red test is green by an edit."""
        return self.label == "bug" and bool(self.changed) and self.green > 0

    @property
    def verdict(self) -> str:
        """The ruling of most of its clusters, those that speak against healing first where they are as many."""
        ordered = sorted(_RULINGS, key=lambda each: -self.rulings.get(each, 0))
        return ordered[0] if self.rulings else ""


def measure(case: Case, subject: Subject, runner: Runner, *, keep: bool = False) -> Measured:
    """Heal one case and compare; the work tree is removed unless it is to be kept."""
    root = FOLDER / "heals" / str(os.getpid()) / case.id
    _prepare(case, subject, root)
    before = _tests(subject, root)
    began = time.perf_counter()
    told, error = _heal(case, subject, root)
    seconds = time.perf_counter() - began
    after = _tests(subject, root)
    outcomes = runner.run(root, subject.paths, subject.tests, _WHOLE_SECONDS)
    passed = {node for node, outcome in outcomes.items() if outcome == "passed"}
    reference = {**before, **case.reference}
    changed = tuple(sorted(path for path in {*before, *after} if before.get(path) != after.get(path)))
    is_whole = bool(case.green) and _functions(passed) >= _functions(case.green)
    killed, mutants = 0, 0
    if case.label == "stale" and changed and is_whole and after != reference:
        killed, mutants = _strength(case, subject, root, runner, (after, reference))
    measured = Measured(
        case=case.id,
        package=case.package,
        set=case.set,
        cause=case.cause,
        label=case.label,
        twin=case.twin,
        specified=case.specified,
        has_stubs=any(path.endswith(".pyi") for path in case.base),
        red=len(case.red),
        green=_green(case, passed),
        whole=is_whole,
        lost=tuple(lost({path: before[path] for path in changed if path in before}, after, reference)),
        changed=changed,
        size=size(before, after),
        reference_size=size(before, reference),
        killed=killed,
        mutants=mutants,
        agreeing=agreeing(before, after, case.reference) if case.set == "versions" else (0, 0),
        decided=decided(told, case).tests if case.set == "versions" else 0,
        retired=decided(told, case).retired if case.set == "versions" else (0, 0),
        seconds=seconds,
        error=error,
        **_counted(told, case),
    )
    if not keep:
        shutil.rmtree(root)
    return measured


def _functions(nodes: Iterable[str]) -> Counter[str]:
    """How many nodes each test function has: names of parameters may depend on what is hashed."""
    return Counter(node.partition("[")[0] for node in nodes)


def _green(case: Case, passed: Collection[str]) -> int:
    """How many of the red tests are green now."""
    if not case.green:
        return len(set(passed).intersection(case.red))
    now, whole, red = _functions(passed), _functions(case.green), _functions(case.red)
    rest = {name: max(whole[name] - number, 0) for name, number in red.items()}
    return sum(min(max(now[name] - rest[name], 0), number) for name, number in red.items())


def _prepare(case: Case, subject: Subject, root: Path) -> None:
    """The project as it was, committed; then the change on top of it, uncommitted."""
    shutil.rmtree(root, ignore_errors=True)
    root.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(subject.root, root, ignore=shutil.ignore_patterns("__pycache__", ".complete"))
    _write(root, case.base or (subject.pages if case.set == "bugs" else {}))
    (root / ".gitignore").write_text("__pycache__/\n.crossfact/\n", encoding="utf-8")
    who = ["-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost"]
    for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", "As released"]):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    _write(root, case.damage)


def _write(root: Path, files: Mapping[str, str | None]) -> None:
    for path, text in files.items():
        target = root / path
        if text is None:
            target.unlink(missing_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def _tests(subject: Subject, root: Path) -> dict[str, str]:
    """The tests' texts, of all files that are there now."""
    return dict(subject._replace(root=root).sources.tests)


def _heal(case: Case, subject: Subject, root: Path) -> tuple[dict[str, Any], str]:
    """What `crossfact heal --json` says, and what it complains of where it says nothing."""
    nodes = sorted({node.partition("[")[0] for node in case.red})
    targets = nodes if len(nodes) <= _NAMED else sorted({node.partition("::")[0] for node in nodes})
    command = [
        sys.executable,
        "-m",
        "crossfact",
        "heal",
        *targets,
        "--project",
        str(root),
        "--since",
        "HEAD",
        "--json",
    ]
    environment = {
        **os.environ,
        "VIRTUAL_ENV": str(python(subject.environment).parent.parent),
        "PYTHONHASHSEED": "0",
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    # What is measured is the checkout that the benchmark lies in.
    environment["PYTHONPATH"] = str(Path(__file__).resolve().parents[2])
    try:
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return {}, f"not done after {_SECONDS} s"
    try:
        told: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return {}, f"exit {done.returncode}: {done.stderr.strip()[-400:]}"
    return told, ""


def _counted(told: dict[str, Any], case: Case) -> dict[str, Any]:
    """The figures of the clusters that the command tells of.

    Where whole files are asked for, tests come along that were no green ones before the change: those do not count.
    """
    red = {node.partition("[")[0] for node in case.red}
    rulings: dict[str, int] = {}
    outcomes: dict[str, int] = {}
    methods: dict[str, int] = {}
    attempts, reasons = 0, []
    evidence: list[str] = []
    for cluster in told.get("clusters", ()):
        if not any(node.partition("[")[0] in red or "::" not in node for node in cluster["nodes"]):
            continue
        rulings[cluster["ruling"]] = rulings.get(cluster["ruling"], 0) + 1
        outcomes[cluster["outcome"]] = outcomes.get(cluster["outcome"], 0) + 1
        evidence += cluster["evidence"] if cluster["ruling"] == "CODE_WRONG" else ()
        reasons.append(cluster["reason"])
        for proposal in cluster["proposals"]:
            methods[proposal["method"]] = methods.get(proposal["method"], 0) + 1
            attempts += 1
    return {
        "rulings": rulings,
        "outcomes": outcomes,
        "methods": methods,
        "attempts": attempts,
        "blamed": bool(evidence),
        "cited": any(_names(each, case.subject) for each in evidence),
        "reasons": tuple(dict.fromkeys(reasons)),
    }


def _names(identifier: str, subject: str) -> bool:
    """Whether a fact is about the subject of a case, or about a part of it."""
    key, place = identifier.partition(":")[2].partition(":")[2], subject.partition("#")[0]
    return any(
        name == place or name.endswith(f".{place}")
        for name in (key.partition("#")[0], key.partition("#")[0].removesuffix(".__init__"))
    )


def _strength(
    case: Case,
    subject: Subject,
    root: Path,
    runner: Runner,
    texts: tuple[dict[str, str], dict[str, str]],
) -> tuple[int, int]:
    after, reference = texts
    tree = Tree(root, FOLDER / "trees" / f"{subject.name}-{os.getpid()}")

    def run(files: Mapping[str, str | None]) -> Mapping[str, str]:
        tree.set(files)
        return runner.run(tree.root, subject.paths, subject.tests)

    try:
        return retention(subject._replace(root=root).sources, after, reference, run, case.id)
    finally:
        tree.remove()
