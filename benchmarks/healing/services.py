"""Pairs on small services with a contract: routes, statuses and fields that change with it, and without it."""

from __future__ import annotations

import hashlib
import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.healing.cases import Case
from benchmarks.healing.corpus import FOLDER, HERE, Subject
from benchmarks.healing.running import Runner, Tree

_SERVICES = HERE / "shelves"
_SECONDS = 150.0
_CODE, _CONTRACT, _TESTS = "shelf.py", "specs/shelf.yaml", "tests/test_shelf.py"


def services() -> list[Subject]:
    """The services, each as a project with an environment that has its framework."""
    return [_subject(name) for name in sorted({each["service"] for each in _changes()})]


def pairs(subject: Subject, runner: Runner) -> list[Case]:
    """The cases of a service: of each change one whose contract moved along and one whose contract did not.

    Raises SystemExit where a change breaks no test, or its reference does not make all tests green.
    """
    tree = Tree(subject.root, FOLDER / "trees" / f"{subject.name}-services")
    found = [
        case
        for each in _changes()
        if each["service"] == subject.name
        for case in _pair(each, subject, tree, runner)
    ]
    tree.remove()
    return found


def _changes() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads((_SERVICES / "changes.toml").read_text("utf-8"))["change"]
    return found


def _subject(name: str) -> Subject:
    root = FOLDER / "projects" / name
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(_SERVICES / name, root, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\n", encoding="utf-8")
    return Subject(name, "read", _CODE, ("tests",), root, environment="services")


def _pair(change: Mapping[str, Any], subject: Subject, tree: Tree, runner: Runner) -> Iterator[Case]:
    code = _changed(subject, _CODE, change["code"])
    contract = _changed(subject, _CONTRACT, change["contract"])
    reference = _changed(subject, _TESTS, change["tests"])
    before, broken, mended = (
        _green(subject, tree, runner, files) for files in ({}, code, {**code, **reference})
    )
    red = tuple(sorted(before - broken))
    if not red or mended != before:
        raise SystemExit(f"{subject.name}: {change['cause']}: not proven")
    identity = f"{subject.name}-services-{hashlib.sha256(change['cause'].encode()).hexdigest()[:10]}"
    for label, damage in (("stale", {**code, **contract}), ("bug", code)):
        yield Case(
            id=f"{identity}-{label}",
            package=subject.name,
            set="services",
            cause=change["cause"],
            subject=change["subject"],
            words=str(change["code"][0]),
            label=label,
            base={},
            damage=dict(damage),
            reference=reference,
            red=red,
            green=tuple(sorted(mended)),
            twin=f"{identity}-{'bug' if label == 'stale' else 'stale'}",
            specified=True,
        )


def _changed(subject: Subject, path: str, exchanges: Sequence[Sequence[str]]) -> dict[str, str]:
    text = (subject.root / path).read_text(encoding="utf-8")
    for old, new in exchanges:
        if old not in text:
            raise SystemExit(f"{subject.name}: {path} has no {old!r}")
        text = text.replace(old, new)
    return {path: text}


def _green(subject: Subject, tree: Tree, runner: Runner, files: Mapping[str, str | None]) -> set[str]:
    tree.set(files)
    outcomes = runner.run(tree.root, subject.paths, subject.tests, _SECONDS)
    return {node for node, told in outcomes.items() if told == "passed"}
