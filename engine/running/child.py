"""One pytest process: started with limits and a clean environment, heard over a pipe, and killed with its tree."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from engine.running.sandbox import Sandbox, Setting
from planner.validator import Job

INSIDE = Path(__file__).parent / "inside"
_KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT")
_START_SECONDS = 60.0
_END_SECONDS = 15.0
_LARGEST_OUTPUT = 8_000_000
_LARGEST_LINE = 2_000_000
_LARGEST_NOISE = 2_000_000
_OUTPUT_KEPT = 100_000
LIMITS = {
    "RLIMIT_AS": 4 << 30,
    "RLIMIT_FSIZE": 64 << 20,
    "RLIMIT_NPROC": 512,
    "RLIMIT_NOFILE": 1024,
    "RLIMIT_CORE": 0,
    "processes": 300,
    "memory": 3 << 30,
    "disk": 256 << 20,
}
"""Those of `setrlimit` hold for each process; `processes`, `memory` and `disk` (bytes) for all of them together."""


class Ended(Exception):  # noqa: N818 (it may also have ended by itself)
    """The process ended before its time; `why` is `timeout`, `exit`, `start` or a limit; `words` says it for people."""

    def __init__(self, why: str, words: str) -> None:
        super().__init__(words)
        self.why = why
        self.words = words


class Child:
    """A pytest process that runs some nodes of a job; a context manager that leaves nothing of it behind."""

    def __init__(self, job: Job, done: frozenset[str], sandbox: Sandbox) -> None:
        """Start it for the nodes of a job less those that are `done`. Raises OSError where it cannot be started."""
        self._job = job
        self._nonce = secrets.token_hex(16)
        self._scratch = Path(tempfile.mkdtemp(prefix="crossfact-run-"))
        self._selector = selectors.DefaultSelector()
        self._rest = b""
        self._noise = 0
        self._written = 0
        self.output = b""
        self._life, theirs = socket.socketpair()
        reading, writing = os.pipe()
        hearing, self._heard = os.pipe()
        try:
            self._process = self._started((writing, hearing), theirs, done, sandbox)
        except BaseException:
            os.close(reading)
            os.close(self._heard)
            self._life.close()
            shutil.rmtree(self._scratch, ignore_errors=True)
            raise
        finally:
            os.close(writing)
            os.close(hearing)
            theirs.close()
        self._pipe = reading
        assert self._process.stdout is not None, "the process was started with a pipe"
        os.set_blocking(reading, False)
        os.set_blocking(self._process.stdout.fileno(), False)
        self._selector.register(reading, selectors.EVENT_READ, "pipe")
        self._selector.register(self._process.stdout, selectors.EVENT_READ, "output")

    def _started(
        self, pipes: tuple[int, int], life: socket.socket, done: frozenset[str], sandbox: Sandbox
    ) -> subprocess.Popen[bytes]:
        (self._scratch / "tmp").mkdir()
        choice = {"wanted": self._job.nodes, "done": sorted(done)}
        (self._scratch / "choice.json").write_text(json.dumps(choice), encoding="utf-8")
        environment = self._environment(*pipes)
        setting = Setting(self._job, self._scratch, INSIDE, environment)
        limits = {**LIMITS, **self._job.limits} if sandbox.has_limits else {}
        supervisor = [sys.executable, "-I", "-S", str(INSIDE / "crossfact_supervise.py")]
        with sandbox.around(setting) as (words, descriptors):
            return subprocess.Popen(
                [*supervisor, str(life.fileno()), json.dumps(limits), *words, *self._command()],
                cwd=self._job.root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(*pipes, life.fileno(), *descriptors),
                start_new_session=True,
            )

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._selector.close()
        os.close(self._pipe)
        os.close(self._heard)
        self._life.close()
        if self._process.stdout is not None:
            self._process.stdout.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def kill(self) -> None:
        """End the process and everything that it started."""
        with contextlib.suppress(OSError):
            self._life.shutdown(socket.SHUT_WR)
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def acknowledge(self) -> None:
        """Let pytest go on after the end of a test."""
        with contextlib.suppress(OSError):
            os.write(self._heard, b".")

    def events(self) -> Iterator[dict[str, Any]]:
        """What the plugin says, as it says it; at last `exit` with the process's code.

        Raises Ended where pytest takes too long to start, to collect a file or to run a test, or where it uses too
        much of anything.
        """
        what, deadline = "starting pytest", time.monotonic() + _START_SECONDS + self._job.seconds
        while self._selector.get_map():
            ready = self._selector.select(min(1.0, max(0.0, deadline - time.monotonic())))
            for key, _ in ready:
                if key.data == "output":
                    self._keep(key.fileobj)
                    continue
                for event in self._lines(key.fileobj):
                    if event["event"] in _BEGINS:
                        what, deadline = _BEGINS[event["event"]], time.monotonic() + self._job.seconds
                    yield event
                    if event["event"] == "finish":  # what the listener did meanwhile is not the tests' time
                        deadline = time.monotonic() + self._job.seconds
            if time.monotonic() >= deadline:
                raise Ended("timeout", f"{what} took longer than {self._job.seconds:g} seconds")
            if self._process.poll() is not None and not ready:
                break
        self._process.wait()
        if why := self._excess():
            raise Ended(*why)
        yield {"event": "exit", "code": self._process.returncode}

    def _excess(self) -> tuple[str, str] | None:
        """Which limit the supervisor ended it for, and the words for it."""
        self._life.setblocking(False)
        try:
            said = self._life.recv(1000).decode("utf-8", "replace")
        except OSError:
            return None
        why, _, words = said.partition(": ")
        return (why, words) if words else None

    def _keep(self, stream: Any) -> None:
        block = self._read(stream)
        self._written += len(block)
        self.output = (self.output + block)[-_OUTPUT_KEPT:]
        if self._written > _LARGEST_OUTPUT:
            raise Ended("output", f"printed more than {_LARGEST_OUTPUT // 1_000_000} MB")

    def _lines(self, stream: Any) -> Iterator[dict[str, Any]]:
        *whole, self._rest = (self._rest + self._read(stream)).split(b"\n")
        if len(self._rest) > _LARGEST_LINE:
            raise Ended("output", "reported more than a test may")
        for line in whole:
            event: Any = None
            with contextlib.suppress(ValueError, RecursionError):
                event = json.loads(line)
            if isinstance(event, dict) and event.get("nonce") == self._nonce:
                yield cast(dict[str, Any], event)
                continue
            self._noise += len(line) + 1
            if self._noise > _LARGEST_NOISE:
                raise Ended("output", "wrote into the pipe that only results belong in")

    def _read(self, stream: Any) -> bytes:
        try:
            block = os.read(stream if isinstance(stream, int) else stream.fileno(), 1 << 16)
        except BlockingIOError:
            return b""
        if not block:
            self._selector.unregister(stream)
        return block

    def _command(self) -> list[str]:
        plugins = [word for name in ("crossfact_report", *self._job.plugins) for word in ("-p", name)]
        return [
            str(self._job.python),
            "-m",
            "pytest",
            *plugins,
            *("-p", "no:cacheprovider", "-q", "--no-header", "--no-summary", "-o", "addopts=", "--tb=no"),
            "--continue-on-collection-errors",
            f"--rootdir={self._job.root}",
            f"--basetemp={self._scratch / 'pytest'}",
            *self._job.options,
            "--",
            *dict.fromkeys(node.partition("::")[0] for node in self._job.nodes),
        ]

    def _environment(self, pipe: int, heard: int) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        places = [INSIDE, *self._job.paths, self._job.root]
        return {
            **kept,
            "HOME": str(self._scratch),
            "TMPDIR": str(self._scratch / "tmp"),
            "PYTHONPATH": os.pathsep.join(map(str, places)),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "CROSSFACT_PIPE": str(pipe),
            "CROSSFACT_HEARD": str(heard),
            "CROSSFACT_NONCE": self._nonce,
            "CROSSFACT_CHOICE": str(self._scratch / "choice.json"),
            **self._job.environment,
        }


_BEGINS = {
    "hello": "pytest's own start",
    "collecting": "collecting it",
    "collected": "pytest",
    "start": "it",
    "finish": "pytest",
    "ended": "pytest's end",
}
"""The events after which a new deadline begins, with what it is then that may take too long."""
