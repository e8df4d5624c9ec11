"""Attempts: files are as they were or as the attempt made them, whatever happens, and never any other file."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from healer.editing.attempts import Attempt, recover
from healer.editing.exchanging import Refused
from healer.editing.files import checked, digest, read, replace, temporary_name

ROOT = Path(__file__).parent.parent.parent
ONE, TWO = "tests/test_one.py", "tests/conftest.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    for path in (ONE, TWO):
        (root / path).write_bytes(path.encode() + b"\r\n")
    return root


def contents(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".crossfact" not in path.parts
    }


def test_what_is_restored_is_as_it_was_byte_for_byte_with_its_rights(project: Path) -> None:
    (project / ONE).chmod(0o640)
    before = contents(project)
    attempt = Attempt(project, project / ".crossfact")
    attempt.change({ONE: b"new", TWO: b"other"})
    assert contents(project) == {ONE: b"new", TWO: b"other"}
    attempt.change({ONE: b"newer"})
    assert attempt.before(ONE) == before[ONE]
    assert attempt.restore() == ()
    assert contents(project) == before
    assert stat.S_IMODE((project / ONE).stat().st_mode) == 0o640
    assert recover(project, project / ".crossfact").restored == ()


def test_what_is_kept_is_not_taken_back_by_the_next_run(project: Path) -> None:
    attempt = Attempt(project, project / ".crossfact")
    attempt.change({ONE: b"new"})
    attempt.keep()
    assert recover(project, project / ".crossfact").restored == ()
    assert (project / ONE).read_bytes() == b"new"


def test_a_file_that_somebody_changed_meanwhile_is_left_and_told(project: Path) -> None:
    attempt = Attempt(project, project / ".crossfact")
    attempt.change({ONE: b"new", TWO: b"new"})
    (project / ONE).write_bytes(b"by hand")
    with pytest.raises(Refused, match="somebody else"):
        attempt.change({ONE: b"newer"})
    assert attempt.restore() == (ONE,)
    assert contents(project) == {ONE: b"by hand", TWO: TWO.encode() + b"\r\n"}


def test_where_one_file_cannot_be_written_no_other_is_changed(project: Path) -> None:
    (project / "outside.py").symlink_to(project / ONE)
    before = contents(project)
    attempt = Attempt(project, project / ".crossfact")
    for bad in ("tests/missing.py", "outside.py", "../x.py"):
        with pytest.raises(Refused):
            attempt.change({ONE: b"new", bad: b"new"})
    assert contents(project) == before
    assert not attempt.paths


def test_a_damaged_journal_is_put_aside(project: Path) -> None:
    (project / ".crossfact").mkdir()
    (project / ".crossfact/attempt.msgpack").write_bytes(b"\xc1 nothing")
    assert recover(project, project / ".crossfact").restored == ()
    assert not (project / ".crossfact/attempt.msgpack").exists()


def test_a_journal_that_names_a_file_outside_writes_nothing_there(project: Path, tmp_path: Path) -> None:
    import msgspec

    (tmp_path / "victim.py").write_bytes(b"safe")
    (project / ".crossfact").mkdir()
    hostile = [{"path": "../victim.py", "before": b"evil", "made": [digest(b"safe")]}]
    (project / ".crossfact/attempt.msgpack").write_bytes(msgspec.msgpack.encode(hostile))
    assert recover(project, project / ".crossfact").foreign == ("../victim.py",)
    assert (tmp_path / "victim.py").read_bytes() == b"safe"


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/passwd.py",
        "../test_it.py",
        "tests/../../test_it.py",
        "tests//test_it.py",
        "./test_it.py",
        "~/test_it.py",
        "tests\\test_it.py",
        "tests/\0.py",
        "tests/a\nb.py",
        ".git/hooks/x.py",
        "tests/.hidden/test_it.py",
        ".crossfact/x.py",
        "pyproject.toml",
        "tests/" + "a" * 300 + ".py",
        "tests/test_it.py/",
    ],
)
def test_a_path_that_leads_elsewhere_is_refused(path: str, project: Path) -> None:
    with pytest.raises(Refused):
        checked(path)
    with pytest.raises(Refused):
        replace(project, path, b"", expected="")


@given(st.text(alphabet="./a\\~\0\u202ex", max_size=20))
def test_whatever_path_is_taken_lies_below_the_project(path: str) -> None:
    with contextlib.suppress(Refused):
        root = Path("/nowhere/project")
        assert os.path.normpath(root / checked(f"{path}.py")).startswith("/nowhere/project/")


@pytest.mark.parametrize("kind", ["file", "folder", "fifo"])
def test_links_and_pipes_are_neither_read_nor_written_through(
    kind: str, project: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "outside"
    victim.mkdir()
    (victim / "test_it.py").write_bytes(b"safe")
    path = "tests/link/test_it.py" if kind == "folder" else "tests/test_link.py"
    if kind == "folder":
        (project / "tests/link").symlink_to(victim)
    elif kind == "file":
        (project / path).symlink_to(victim / "test_it.py")
    else:
        os.mkfifo(project / path)
    with pytest.raises(Refused):
        read(project, path)
    with pytest.raises(Refused):
        replace(project, path, b"evil", expected=digest(b"safe"))
    assert (victim / "test_it.py").read_bytes() == b"safe"


def test_a_folder_that_is_swapped_for_a_link_all_the_time_never_leads_outside(
    project: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "test_one.py").write_bytes(b"0")
    real, link, place = project / "real", project / "link", project / "tests"
    place.rename(real)
    link.symlink_to(victim)
    (real / "test_one.py").write_bytes(b"0")
    going = True

    def swap() -> None:
        while going:
            for name in (real, link):
                name.rename(place)
                place.rename(name)

    thread = threading.Thread(target=swap)
    thread.start()
    made = refused = 0
    latest = time.monotonic() + 30
    try:
        # Which of the two there is when it is looked at is chance, and one may be rare on a busy machine.
        while made + refused < 3000 or (not (made and refused) and time.monotonic() < latest):
            try:
                replace(project, ONE, b"0", expected=digest(b"0"))
                made += 1
            except (Refused, OSError):
                refused += 1
    finally:
        going = False
        thread.join()
    assert made > 0
    assert refused > 0
    assert sorted(path.name for path in victim.iterdir()) == ["test_one.py"]
    assert (victim / "test_one.py").read_bytes() == b"0"
    assert (victim / "test_one.py").stat().st_nlink == 1


CHILD = """
import sys
from pathlib import Path
from healer.editing.attempts import Attempt
root = Path(sys.argv[1])
while True:
    attempt = Attempt(root, root / ".crossfact")
    attempt.change({"tests/test_one.py": b"new" * 20000, "tests/conftest.py": b"new" * 20000})
    attempt.change({"tests/test_one.py": b"newer" * 20000})
    print("changed", flush=True)
    attempt.restore()
"""


def test_a_kill_leaves_each_file_old_or_new_and_the_next_run_puts_all_back(project: Path) -> None:
    before = contents(project)
    whole = {ONE: {before[ONE], b"new" * 20000, b"newer" * 20000}, TWO: {before[TWO], b"new" * 20000}}
    between = 0
    for number in range(25):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(project)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
        )
        assert child.stdout is not None
        for _ in range(1 + number % 3):
            child.stdout.readline()
        # The moment of the kill is spread over what comes next, by how much of it is let happen.
        for _ in range(number * 40):
            os.sched_yield()
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        child.stdout.close()
        now = {path: content for path, content in contents(project).items() if path in whole}
        assert all(content in whole[path] for path, content in now.items())
        between += now != before
        recover(project, project / ".crossfact")
        assert contents(project) == before
    assert between > 0


def test_what_a_kill_left_beside_a_file_is_swept_away(project: Path) -> None:
    attempt = Attempt(project, project / ".crossfact")
    attempt.change({ONE: b"new"})
    (project / "tests" / temporary_name("test_one.py")).write_bytes(b"half")
    before = recover(project, project / ".crossfact")
    assert before.restored == (ONE,)
    assert sorted(contents(project)) == [TWO, ONE]
