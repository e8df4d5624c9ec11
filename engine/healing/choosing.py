"""Which tests are looked at: those of the checklist that failed, or what the user names, hand-written tests too."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from engine.running.folders import own_folders
from graph.errors import UsageError
from graph.test_folders import is_test_module
from planner.cases import Case, Status

_FAILED = frozenset({Status.FAILED, Status.RETRYING, Status.CODE_WRONG, Status.NEEDS_HUMAN, Status.FLAKY})


class Chosen(msgspec.Struct, frozen=True):
    """The nodes to run, and the cases of the checklist by their node."""

    nodes: tuple[str, ...]
    cases: dict[str, Case]


def chosen(root: Path, cases: Sequence[Case], names: Sequence[str]) -> Chosen:
    """What names mean: ids of cases, or their beginnings; node ids; files and folders of tests. Without names the
    cases that failed; all tests of the project where it has no checklist.

    Raises UsageError for a name that is none of these.
    """
    by_node = {case.node: case for case in cases if case.node}
    if not names and by_node:
        return Chosen(tuple(node for node, case in by_node.items() if case.status in _FAILED), by_node)
    nodes: list[str] = []
    for name in names or (".",):
        nodes += _named(root, cases, name)
    return Chosen(_without_parts(nodes), by_node)


def test_files(root: Path, below: str = ".") -> list[str]:
    """The files below a folder that pytest would look for tests in, relative to the root, sorted."""
    found = []
    for folder, folders, names in os.walk(root / below):
        folders[:] = own_folders(folder, folders)
        for name in names:
            if name.endswith(".py") and is_test_module(name) and name not in ("conftest.py", "tests.py"):
                found.append(Path(folder, name).relative_to(root).as_posix())
    return sorted(found)


def _named(root: Path, cases: Sequence[Case], name: str) -> list[str]:
    listed = [case.node for case in cases if case.node and (case.id.startswith(name) or case.node == name)]
    if listed:
        return listed
    path, _, inside = name.partition("::")
    place = PurePosixPath(os.path.normpath(path))
    if place.is_absolute() and place.is_relative_to(root):
        place = place.relative_to(root)
    if place.is_absolute() or ".." in place.parts or not (root / place).exists():
        raise UsageError(
            f"{name}: no test, file or folder of tests, and no case of the checklist",
            "Name a case, a node as pytest writes it (tests/test_it.py::test_one), a file or a folder.",
        )
    if (root / place).is_dir():
        files = test_files(root, str(place))
        if not files:
            raise UsageError(
                f"{name}: there are no tests", "Tests are looked for in test_*.py and *_test.py."
            )
        return files
    return [f"{place}::{inside}" if inside else str(place)]


def _without_parts(nodes: Iterable[str]) -> tuple[str, ...]:
    """Nodes without those that lie in another one of them."""
    wanted = dict.fromkeys(nodes)
    return tuple(
        node
        for node in wanted
        if not any(
            other in wanted for other in (node.partition("::")[0], node.partition("[")[0]) if other != node
        )
    )
