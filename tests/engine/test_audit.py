"""The audit trail: whole whatever happens, and whoever changes it is seen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from engine.audit import read_trail, record, trail_file
from engine.configuration import Settings
from engine.project import Project
from graph.store.store import Store

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / ".crossfact").mkdir()
    return Project(tmp_path, (), Settings(history=False), Store.open(None))


def filled(project: Project, count: int = 5) -> list[bytes]:
    for number in range(count):
        record(project, "heal", "rename", nodes=[f"test_{number}"], cites=("code:function:a",))
    return trail_file(project).read_bytes().splitlines(keepends=True)


def test_each_decision_is_a_line_that_holds_the_hash_of_the_one_before(project: Project) -> None:
    filled(project)
    trail = read_trail(project)
    assert [each.number for each in trail.entries] == [1, 2, 3, 4, 5]
    assert trail.entries[0].about == {"nodes": ["test_0"], "cites": ["code:function:a"]}
    assert [each.previous for each in trail.entries[1:]] == [each.hash for each in trail.entries[:-1]]
    assert (trail.broken, trail.cut) == ((), ())


@pytest.mark.parametrize("line", range(5))
def test_a_line_that_was_changed_is_seen(project: Project, line: int) -> None:
    lines = filled(project)
    lines[line] = lines[line].replace(b"test_", b"best_")
    trail_file(project).write_bytes(b"".join(lines))
    assert f"line {line + 1}: the entry was changed" in read_trail(project).broken


@pytest.mark.parametrize("line", range(5))
def test_a_line_that_was_removed_or_made_anew_is_seen(project: Project, line: int) -> None:
    lines = filled(project)
    trail_file(project).write_bytes(b"".join(lines[:line] + lines[line + 1 :]))
    assert read_trail(project).broken
    entry = msgspec.json.decode(lines[line])
    entry["by"] = "somebody"
    trail_file(project).write_bytes(
        b"".join([*lines[:line], msgspec.json.encode(entry) + b"\n", *lines[line + 1 :]])
    )
    assert read_trail(project).broken


def test_lines_that_change_places_are_seen(project: Project) -> None:
    lines = filled(project)
    lines[1], lines[2] = lines[2], lines[1]
    trail_file(project).write_bytes(b"".join(lines))
    assert read_trail(project).broken


def test_a_line_that_a_kill_cut_short_breaks_nothing(project: Project) -> None:
    lines = filled(project)
    trail_file(project).write_bytes(b"".join(lines) + lines[0][:20])
    record(project, "heal", "rename")
    trail = read_trail(project)
    assert len(trail.entries) == 6
    assert (trail.broken, trail.cut) == ((), (6,))


def test_a_trail_that_is_no_plain_file_is_not_written_through(project: Project, tmp_path: Path) -> None:
    from graph.errors import StoreError

    (tmp_path / "victim").write_bytes(b"safe")
    trail_file(project).symlink_to(tmp_path / "victim")
    with pytest.raises(StoreError, match="audit trail"):
        record(project, "heal", "rename")
    assert (tmp_path / "victim").read_bytes() == b"safe"


def test_several_writers_make_one_chain(project: Project) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from engine.audit import record; from engine.configuration import Settings\n"
        "from engine.project import Project; from graph.store.store import Store\n"
        "project = Project(Path(sys.argv[1]), (), Settings(), Store.open(None))\n"
        "for n in range(15): record(project, 'heal', sys.argv[2], n=n)\n"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(project.root), f"child{n}"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for n in range(3)
    ]
    assert [child.wait() for child in children] == [0, 0, 0]
    trail = read_trail(project)
    assert len(trail.entries) == 45
    assert trail.broken == ()
