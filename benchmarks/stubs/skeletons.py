"""Writes a stub for every module of the standard library and of the fetched packages, and checks each against its code.

`python -m benchmarks.stubs.skeletons` prints how many stubs parse and how many modules have no finding at all: a stub
that was written from the code cannot disagree with it.
"""

from __future__ import annotations

import ast
import collections
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

from benchmarks.stubs.corpus import WORK
from engine.check import check
from engine.project import open_project, refresh
from engine.stubs.skeleton import Skeletons

_LEFT_OUT = (
    "site-packages",
    "__pycache__",
    "test",
    "tests",
    "idle_test",
    "*.so",
    "config-*",
    "data",
    "*.pyi",
)


class Outcome(NamedTuple):
    """What became of the stubs of one corpus: `broken` do not parse, `findings` are lines of the report."""

    modules: int
    broken: list[str]
    disagreeing: set[str]
    findings: list[str]


def examine(source: Path, name: str) -> Outcome:
    """Copy a folder of code, write a stub beside each of its modules, and check."""
    project = WORK / "skeletons" / name
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(source, project, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    opened = open_project(
        [str(project)],
        here=project,
        environment={},
        options={"history": False},
        configuration=None,
        tell=print,
    )
    refresh(opened, tell=print)
    skeletons = Skeletons(opened.store)
    broken = []
    paths = {fact.key: fact.source.path for fact in opened.store.facts() if fact.kind == "module"}
    for module in skeletons.modules:
        text = skeletons.write(module) or ""
        try:
            ast.parse(text)
        except SyntaxError as error:
            broken.append(f"{module}: {error}")
        (project / paths[module]).with_suffix(".pyi").write_text(text, encoding="utf-8")
    report = check(opened, tell=print).report
    opened.store.close()
    # Broken sources, and docstrings that contradict their own functions, are the code's alone.
    found = [
        f for f in report.findings if f.rule not in ("source-syntax-error", "docstring-parameter-unknown")
    ]
    lines = [f"{f.primary.path}:{f.primary.line}: {f.rule}: {f.message}" for f in found]
    return Outcome(len(skeletons.modules), broken, {Path(f.primary.path).stem for f in found}, lines)


def main() -> None:
    """Examine everything, and print; exit code 1 where a stub does not parse or disagrees with its code."""
    corpora = {"stdlib": Path(sysconfig.get_path("stdlib"))}
    corpora |= {
        folder.name: folder / "runtime" for folder in sorted((WORK / "matching").iterdir()) if folder.is_dir()
    }
    failed = False
    rules: collections.Counter[str] = collections.Counter()
    print("| corpus | modules | stubs that do not parse | findings |\n|---|---|---|---|")
    for name, source in corpora.items():
        outcome = examine(source, name)
        print(f"| {name} | {outcome.modules} | {len(outcome.broken)} | {len(outcome.findings)} |", flush=True)
        rules.update(line.split(": ")[1] for line in outcome.findings)
        (WORK / "skeletons" / f"{name}.txt").write_text(
            "\n".join([*outcome.broken, *outcome.findings]), encoding="utf-8"
        )
        failed = failed or bool(outcome.broken or outcome.findings)
    print("\n".join(f"{count:5} {rule}" for rule, count in rules.most_common()))
    sys.exit(failed)


if __name__ == "__main__":
    main()
