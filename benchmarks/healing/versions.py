"""Pairs of releases: the tests of the old one meet the code of the new one; the new one's tests are the measure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.drift.environment import source_distribution
from benchmarks.healing.cases import Case
from benchmarks.healing.corpus import FOLDER, WORK, Subject, pages, settings, subject
from benchmarks.healing.running import Runner, Tree
from benchmarks.healing.sources import FunctionNode
from healer.editing.functions import named_classes, named_functions


class Release(NamedTuple):
    """A pair of releases: the old project, and the case of the new code in it."""

    subject: Subject
    case: Case


def releases(part: str, runner: Runner) -> Iterator[Release]:
    """The pairs of a part whose old tests are green on the old code, and some of them red on the new."""
    for each in settings()["version"]:
        if each["part"] == part:
            yield _release(each, runner)


def _release(settings: dict[str, Any], runner: Runner) -> Release:
    old = subject(settings, settings["old"])
    new_name = settings.get("now", settings["name"])
    unpacked = source_distribution(new_name, settings["new"], WORK)
    damage = _new_code(old, unpacked, settings)
    told = pages(source_distribution(settings["name"], settings["old"], WORK))
    moved = pages(unpacked)
    tree = Tree(old.root, FOLDER / "trees" / f"{old.name}-versions")
    before = runner.run(tree.root, old.paths, old.tests)
    tree.set(damage)
    after = runner.run(tree.root, old.paths, old.tests)
    tree.remove()
    green = [node for node, told in before.items() if told == "passed"]
    red = tuple(sorted(node for node in green if after.get(node) != "passed"))
    reference = {
        path: (unpacked / path).read_text(encoding="utf-8")
        for path in old.sources.tests
        if (unpacked / path).is_file()
    }
    case = Case(
        id=f"{settings['name']}-versions-{settings['old']}-{settings['new']}",
        package=settings["name"],
        set="versions",
        cause=f"{settings['name']} {settings['old']} on {settings['new']}",
        subject=settings["name"],
        words=f"{len(green)} tests green before, {len(red)} red now",
        label="stale",
        base=told,
        damage={**damage, **dict.fromkeys(told), **moved},
        reference=reference,
        red=red,
        green=(),
    )
    return Release(old, case)


def _new_code(old: Subject, unpacked: Path, settings: dict[str, Any]) -> dict[str, str | None]:
    """The new release's code in the place of the old one's."""
    place = unpacked / settings.get("becomes", settings["source"])
    if not place.exists():
        place = next(
            found for found in (unpacked / "src" / old.package, unpacked / old.package) if found.is_dir()
        )
    target = settings.get("becomes", settings["source"])
    if place.is_file():
        return {**dict.fromkeys(old.sources.code), target: place.read_text(encoding="utf-8")}
    new: dict[str, str | None] = {
        f"{target}/{file.relative_to(place).as_posix()}": file.read_text(encoding="utf-8")
        for file in sorted(place.rglob("*.py"))
    }
    return {**dict.fromkeys(old.sources.code), **new}


def agreeing(
    before: Mapping[str, str], after: Mapping[str, str], reference: Mapping[str, str]
) -> tuple[int, int]:
    """Of the test functions that healing changed and the new release has too, how many are the same, and all."""
    same = all_ = 0
    for path, text in after.items():
        if path not in before or path not in reference or text == before[path]:
            continue
        was, is_, wanted = (_functions(each) for each in (before[path], text, reference[path]))
        for name, dumped in is_.items():
            if name in wanted and was.get(name) != dumped:
                all_ += 1
                same += wanted[name] == dumped
    return same, all_


class Decided(NamedTuple):
    """Of a pair of releases: the red `tests` whose cluster is decided without blaming the code, and of the tests and
    classes that are proposed for deletion (`retired`) those that the new release has not either."""

    tests: int
    retired: tuple[int, int]


def decided(told: Mapping[str, Any], case: Case) -> Decided:
    """What was decided by what `crossfact heal --json` says."""
    red: set[str] = set()
    gone = proposed = 0
    for cluster in told.get("clusters", ()):
        if cluster["ruling"] not in ("TEST_STALE", "TEST_WRONG"):
            continue
        asked = [node.partition("[")[0] for node in cluster["nodes"]]
        red |= {
            node
            for node in case.red
            if any(node.partition("[")[0] == each or node.startswith(f"{each}::") for each in asked)
        }
        for proposal in cluster["proposals"][:1]:
            for payload in proposal["payloads"]:
                names = payload.get("retire") or ()
                proposed += len(names)
                gone += sum(
                    name not in _named(case.reference.get(payload["file_to_patch"])) for name in names
                )
    return Decided(len(red), (gone, proposed))


def _named(text: str | None) -> set[str]:
    """The tests and classes of a file; none where it is not there."""
    if text is None:
        return set()
    tree = ast.parse(text)
    return {name for name, _ in (*named_functions(tree), *named_classes(tree))}


def _functions(text: str) -> dict[str, str]:
    return {node.name: ast.dump(node) for node in ast.walk(ast.parse(text)) if isinstance(node, FunctionNode)}
