"""The sandbox `strict`: what a test can reach there, on a machine that has bubblewrap.

These tests are left out where bubblewrap is not installed; `make test-sandbox` installs it, and demands that they run.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from engine.running.bubblewrap import Bubblewrap, probe
from engine.running.runner import PytestValidator
from planner.validator import Job, Outcome, Verdict

pytestmark = pytest.mark.skipif(
    not probe()[0] and not os.environ.get("CROSSFACT_NEEDS_BWRAP"), reason=probe()[1] or "it works"
)

ORDINARY = """\
import os, socket, sqlite3, subprocess, sys, tempfile, threading, multiprocessing
from pathlib import Path

def test_reads_the_project(): assert "ONE" in Path("shop.py").read_text()
def test_imports_the_project():
    import shop
    assert shop.ONE == 1
def test_writes_into_the_project():
    Path("made").write_text("x")
    assert Path("made").exists()
def test_writes_a_temporary_file(tmp_path): (tmp_path / "x").write_text("x")
def test_uses_a_database():
    connection = sqlite3.connect("shop.db")
    connection.execute("create table t (a)")
def test_starts_a_program():
    assert subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True).stdout == b"1\\n"
def test_serves_on_its_own_loopback():
    server = socket.create_server(("127.0.0.1", 0))
    assert socket.create_connection(server.getsockname())
def test_uses_threads():
    found = []
    thread = threading.Thread(target=lambda: found.append(1)); thread.start(); thread.join()
    assert found == [1]
def test_uses_shared_memory():
    from multiprocessing import shared_memory
    memory = shared_memory.SharedMemory(create=True, size=1000); memory.unlink(); memory.close()
def test_changes_a_mode(tmp_path):
    (tmp_path / "x").touch(); (tmp_path / "x").chmod(0o600)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o600
def test_knows_its_home(): assert os.access(os.path.expanduser("~"), os.W_OK)
def test_runs_asyncio():
    import asyncio
    assert asyncio.run(asyncio.sleep(0, 7)) == 7
"""
HOSTILE = """\
import os, socket, signal
from pathlib import Path

def test_writes_beside_the_project(): Path("OUTSIDE/written").write_text("x")
def test_reads_beside_the_project(): Path("OUTSIDE/secret").read_text()
def test_reads_a_secret_of_the_environment(): os.environ["PLANTED_SECRET"]
def test_reads_the_state(): Path(".crossfact/state").read_text()
def test_reads_the_repository(): Path(".git/config").read_text()
def test_reads_the_real_users(): assert "root" in Path("/etc/passwd").read_text()
def test_connects_to_the_host(): socket.create_connection(("127.0.0.1", PORT), timeout=2)
def test_connects_to_the_world(): socket.create_connection(("192.0.2.1", 80), timeout=2)
def test_sends_a_packet():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as each: each.sendto(b"x", ("192.0.2.1", 53))
def test_signals_another_process(): os.kill(PARENT, 0)
def test_mounts():
    import ctypes
    if ctypes.CDLL(None).mount(b"none", b"/tmp", b"tmpfs", 0, None) != 0: raise OSError("refused")
def test_opens_a_namespace():
    import ctypes
    if ctypes.CDLL(None).unshare(0x10000000) != 0: raise OSError("refused")
def test_writes_into_the_interpreter(): Path(os.__file__).write_text("")
def test_makes_a_device(tmp_path): os.mknod(tmp_path / "null", 0o666 | 0o020000, os.makedev(1, 3))
def test_becomes_root(): os.setuid(0); assert os.getuid() == 0
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name in (".git", ".crossfact", "../outside"):
        (root / name).mkdir(parents=True, exist_ok=True)
    (root / "shop.py").write_text("ONE = 1\n", encoding="utf-8")
    (root / ".crossfact" / "state").write_text("x", encoding="utf-8")
    (root / ".git" / "config").write_text("x", encoding="utf-8")
    (tmp_path / "outside" / "secret").write_text("x", encoding="utf-8")
    return root


def run(root: Path, text: str) -> dict[str, Outcome]:
    (root / "test_it.py").write_text(text, encoding="utf-8")
    names = [line[4 : line.index("(")] for line in text.splitlines() if line.startswith("def test_")]
    python = Path(sys.executable)
    job = Job(root=root, nodes=tuple(f"test_it.py::{name}" for name in names), python=python, seconds=20)
    outcomes = {each.node[12:]: each for each in PytestValidator(Bubblewrap(root, python)).run(job)}
    assert set(outcomes) == set(names)
    return outcomes


def test_ordinary_tests_pass_inside_and_leave_nothing_in_the_project(project: Path) -> None:
    outcomes = run(project, ORDINARY)
    assert {name: each.message for name, each in outcomes.items() if each.verdict is not Verdict.PASSED} == {}
    assert not (project / "made").exists()
    assert not (project / "shop.db").exists()


def test_hostile_tests_reach_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_SECRET", "x")
    with socket.create_server(("127.0.0.1", 0)) as server:
        text = HOSTILE.replace("OUTSIDE", str(project.parent / "outside"))
        text = text.replace("PORT", str(server.getsockname()[1])).replace("PARENT", str(os.getpid()))
        outcomes = run(project, text)
    assert [name for name, each in outcomes.items() if each.verdict is Verdict.PASSED] == []
    assert not (project.parent / "outside" / "written").exists()
    assert outcomes["test_connects_to_the_world"].verdict is Verdict.ENVIRONMENT
    assert "the sandbox refuses it" in outcomes["test_connects_to_the_world"].message


def test_a_large_project_is_shown_read_only_and_a_write_proves_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.running.bubblewrap._COPIED_FILES", 1)
    outcomes = run(
        project, "from pathlib import Path\n\ndef test_writes():\n    Path('made').write_text('x')\n"
    )
    assert outcomes["test_writes"].verdict is Verdict.ENVIRONMENT
    assert not (project / "made").exists()


def test_a_process_that_outlives_its_test_ends_with_the_run(project: Path) -> None:
    text = """\
import os, time
def test_it():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: time.sleep(1000.125)
        os._exit(0)
"""
    assert run(project, text)["test_it"].verdict is Verdict.PASSED
    lines = [_content(each) for each in Path("/proc").glob("[0-9]*/cmdline")]
    assert len(lines) > 1
    assert not any(str(project).encode() in line for line in lines)


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # the process has just ended
        return b""
