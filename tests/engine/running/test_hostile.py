"""Hostile tests are contained and told as what they are, and the tests after them run."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from engine.running.runner import PytestValidator
from planner.validator import Job, Outcome, Verdict
from tests.validators import Quick

GOOD = "\ndef test_good():\n    assert True\n"


def run(
    folder: Path, text: str, *names: str, seconds: float = 20.0, limits: dict[str, int] | None = None
) -> list[Outcome]:
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    job = Job(
        root=folder,
        nodes=tuple(f"test_it.py::{name}" for name in names),
        python=Path(sys.executable),
        seconds=seconds,
        limits=limits or {},
    )
    return list(Quick().run(job))


def verdicts(outcomes: list[Outcome]) -> list[tuple[str, Verdict]]:
    return [(outcome.node.partition("::")[2], outcome.verdict) for outcome in outcomes]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


HOSTILE = {
    "prints a little without end": (
        "import os, time\ndef test_bad(capfd):\n    with capfd.disabled():\n"
        "        while True:\n            os.write(1, b'x')\n            time.sleep(0.0001)\n",
        Verdict.TIMEOUT,
        "took longer than",
    ),
    "forks without end": (
        "import os, time\ndef test_bad():\n"
        "    for _ in range(400):\n        if os.fork() == 0: time.sleep(60)\n    time.sleep(60)\n",
        Verdict.CONTAINED,
        "more than 100 processes",
    ),
    "uses the memory of many processes": (
        "import os, time\ndef test_bad():\n    for _ in range(4):\n        if os.fork() == 0:\n"
        "            x = bytearray(b'x') * (100 << 20)\n            time.sleep(60)\n    time.sleep(60)\n",
        Verdict.CONTAINED,
        "used more than 300 MB",
    ),
    "fills the disk": (
        "import time\ndef test_bad(tmp_path):\n    for n in range(8):\n"
        "        (tmp_path / str(n)).write_bytes(b'x' * (5 << 20))\n    time.sleep(60)\n",
        Verdict.CONTAINED,
        "wrote more than 20 MB",
    ),
    "kills itself": (
        "import os, signal\ndef test_bad():\n    os.kill(os.getpid(), signal.SIGKILL)\n",
        Verdict.CONTAINED,
        "exit code 137",
    ),
    "becomes another program": (
        "import os\ndef test_bad():\n    os.execv('/bin/true', ['true'])\n",
        Verdict.CONTAINED,
        "exit code 0",
    ),
    "ends pytest": (
        "import pytest\ndef test_bad():\n    pytest.exit('done', 0)\n",
        Verdict.CONTAINED,
        "told to end",
    ),
    "floods the pipe": (
        "import os\ndef test_bad():\n    fds = [int(fd) for fd in os.listdir('/proc/self/fd') if int(fd) > 2]\n"
        "    while True:\n        for fd in fds:\n            try: os.write(fd, b'x' * 1000 + b'\\n')\n"
        "            except OSError: pass\n",
        Verdict.CONTAINED,
        "pipe that only results belong in",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_a_test_does_costs_only_itself(tmp_path: Path, name: str) -> None:
    text, verdict, words = HOSTILE[name]
    limits = {"processes": 100, "memory": 300 << 20, "disk": 20 << 20}
    seconds = 3.0 if verdict is Verdict.TIMEOUT else 60.0
    outcomes = run(tmp_path, text + GOOD, "test_bad", "test_good", seconds=seconds, limits=limits)
    assert verdicts(outcomes) == [("test_bad", verdict), ("test_good", Verdict.PASSED)]
    assert words in outcomes[0].message


def test_a_daemon_that_forked_twice_does_not_outlive_the_run(tmp_path: Path) -> None:
    text = """\
import os, time

def test_bad():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            open("daemon", "w").write(str(os.getpid()))
            for fd in range(3): os.close(fd)
            time.sleep(600)
        os._exit(0)
    while not os.path.exists("daemon") or not open("daemon").read(): time.sleep(0.01)
"""
    outcomes = run(tmp_path, text, "test_bad")
    assert verdicts(outcomes) == [("test_bad", Verdict.PASSED)]
    pid = int((tmp_path / "daemon").read_text(encoding="utf-8"))
    assert not is_alive(pid)


def test_a_file_that_hangs_or_ends_the_process_when_it_is_collected_costs_only_itself(tmp_path: Path) -> None:
    (tmp_path / "test_hangs.py").write_text("while True: pass\ndef test_x(): assert True\n", encoding="utf-8")
    (tmp_path / "test_ends.py").write_text("import os; os._exit(3)\n", encoding="utf-8")
    (tmp_path / "test_z.py").write_text(GOOD, encoding="utf-8")
    nodes = ("test_hangs.py::test_x", "test_ends.py::test_x", "test_z.py::test_good")
    job = Job(root=tmp_path, nodes=nodes, python=Path(sys.executable), seconds=2.0)
    begun = time.monotonic()
    outcomes = {outcome.node: outcome for outcome in Quick().run(job)}
    assert [outcomes[node].verdict for node in nodes] == [
        Verdict.TIMEOUT,
        Verdict.CONTAINED,
        Verdict.PASSED,
    ]
    assert outcomes[nodes[0]].message == "collecting it took longer than 2 seconds"
    assert time.monotonic() - begun < 20


def test_a_conftest_that_lacks_the_code_under_test_is_told(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("import shop.main\n", encoding="utf-8")
    (tmp_path / "test_it.py").write_text(GOOD, encoding="utf-8")
    nodes = ("test_it.py::test_good",)
    for units, verdict in (((), Verdict.BROKEN), (("shop",), Verdict.MISSING)):
        job = Job(root=tmp_path, nodes=nodes, python=Path(sys.executable), units=units)
        (outcome,) = Quick().run(job)
        assert (outcome.verdict, outcome.exception) == (verdict, "ModuleNotFoundError")


def test_an_interpreter_without_pytest_is_told_with_the_remedy(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    (tmp_path / "pyvenv.cfg").write_text(
        f"home = {Path(sys.executable).resolve().parent}\ninclude-system-site-packages = false\n",
        encoding="utf-8",
    )
    python.symlink_to(Path(sys.executable).resolve())
    (tmp_path / "test_it.py").write_text(GOOD, encoding="utf-8")
    job = Job(root=tmp_path, nodes=("test_it.py::test_good", "test_it.py::test_other"), python=python)
    outcomes = list(PytestValidator().run(job))
    assert {outcome.verdict for outcome in outcomes} == {Verdict.ENVIRONMENT}
    assert outcomes[0].message.startswith(f"{python} has no pytest: install it there")
    absent = Job(root=tmp_path, nodes=("test_it.py::test_good",), python=tmp_path / "nothing")
    (outcome,) = PytestValidator().run(absent)
    assert outcome.verdict is Verdict.ENVIRONMENT
    assert "there is no such interpreter" in outcome.message


def test_everything_ends_when_the_one_who_started_it_is_killed(tmp_path: Path) -> None:
    import subprocess

    (tmp_path / "test_it.py").write_text(
        "import os, time\ndef test_long():\n    open('pid', 'w').write(str(os.getpid()))\n    time.sleep(600)\n",
        encoding="utf-8",
    )
    script = f"""
import sys
from pathlib import Path
from engine.running.runner import PytestValidator
from planner.validator import Job
job = Job(root=Path({str(tmp_path)!r}), nodes=("test_it.py::test_long",), python=Path(sys.executable))
list(PytestValidator().run(job))
"""
    home = Path(__file__).parent.parent.parent.parent
    runner = subprocess.Popen([sys.executable, "-c", script], cwd=home)
    file = tmp_path / "pid"
    until = time.monotonic() + 30
    while time.monotonic() < until and not (file.exists() and file.read_text(encoding="utf-8")):
        time.sleep(0.02)
    pid = int(file.read_text(encoding="utf-8"))
    assert is_alive(pid)
    runner.kill()
    runner.wait()
    until = time.monotonic() + 10
    while is_alive(pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert not is_alive(pid)
