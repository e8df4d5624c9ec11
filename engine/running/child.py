"""One pytest process: started with limits and a clean environment, heard over a pipe, and killed with its tree."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from planner.validator import Job

INSIDE = Path(__file__).parent / "inside"
_KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT")
_START_SECONDS = 60.0
_LARGEST_OUTPUT = 8_000_000
_LARGEST_LINE = 2_000_000
LIMITS = {
    "RLIMIT_AS": 4 << 30,
    "RLIMIT_FSIZE": 64 << 20,
    "RLIMIT_NPROC": 512,
    "RLIMIT_NOFILE": 1024,
    "RLIMIT_CORE": 0,
}


class Ended(Exception):  # noqa: N818 (it may also have ended by itself)
    """The process ended before its time; `why` is `timeout`, `output` or `exit`, `words` says it for people."""

    def __init__(self, why: str, words: str) -> None:
        super().__init__(words)
        self.why = why
        self.words = words


class Child:
    """A pytest process that runs some nodes of a job; a context manager that leaves nothing of it behind."""

    def __init__(self, job: Job, done: frozenset[str] = frozenset(), wrap: tuple[str, ...] = ()) -> None:
        """Start it for the nodes of a job less those that are `done`; `wrap` are the words before its command."""
        self._job = job
        self._nonce = secrets.token_hex(16)
        self._scratch = Path(tempfile.mkdtemp(prefix="crossfact-run-"))
        (self._scratch / "tmp").mkdir()
        choice = {"wanted": job.nodes, "done": sorted(done)}
        (self._scratch / "choice.json").write_text(json.dumps(choice), encoding="utf-8")
        self._selector = selectors.DefaultSelector()
        self._buffers = {"pipe": b"", "output": b""}
        self.output = b""
        self._written = 0
        reading, writing = os.pipe()
        try:
            self._process = subprocess.Popen(
                [*wrap, *self._command()],
                cwd=job.root,
                env=self._environment(writing),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(writing,),
                start_new_session=True,
            )
        except BaseException:
            os.close(reading)
            shutil.rmtree(self._scratch, ignore_errors=True)
            raise
        finally:
            os.close(writing)
        self._pipe = reading
        assert self._process.stdout is not None, "the process was started with a pipe"
        os.set_blocking(reading, False)
        os.set_blocking(self._process.stdout.fileno(), False)
        self._selector.register(reading, selectors.EVENT_READ, "pipe")
        self._selector.register(self._process.stdout, selectors.EVENT_READ, "output")

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._selector.close()
        os.close(self._pipe)
        if self._process.stdout is not None:
            self._process.stdout.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def kill(self) -> None:
        """End the process and everything in its session."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def events(self) -> Iterator[dict[str, Any]]:
        """What the plugin says, as it says it. Raises Ended where a test takes too long, or where the process dies."""
        deadline = time.monotonic() + _START_SECONDS + self._job.seconds
        while self._selector.get_map():
            ready = self._selector.select(max(0.0, deadline - time.monotonic()))
            if not ready and time.monotonic() >= deadline:
                raise Ended("timeout", f"took longer than {self._job.seconds:g} seconds")
            for key, _ in ready:
                if key.data == "output":
                    self._keep(key.fileobj)
                    continue
                for event in self._lines(key.fileobj):
                    if event["event"] in ("start", "phase", "finish", "collected"):
                        deadline = time.monotonic() + self._job.seconds
                    yield event
            if self._process.poll() is not None and not ready:
                break
        self._process.wait()
        yield {"event": "exit", "code": self._process.returncode}

    def _keep(self, stream: Any) -> None:
        block = self._read(stream)
        self._written += len(block)
        self.output = (self.output + block)[-100_000:]
        if self._written > _LARGEST_OUTPUT:
            raise Ended("output", f"printed more than {_LARGEST_OUTPUT // 1_000_000} MB")

    def _lines(self, stream: Any) -> Iterator[dict[str, Any]]:
        data = self._buffers["pipe"] + self._read(stream)
        *whole, rest = data.split(b"\n")
        self._buffers["pipe"] = rest
        if len(rest) > _LARGEST_LINE:
            raise Ended("output", "reported more than a test may")
        for line in whole:
            with contextlib.suppress(ValueError):
                event = json.loads(line)
                if isinstance(event, dict) and event.get("nonce") == self._nonce:
                    yield cast(dict[str, Any], event)

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

    def _environment(self, pipe: int) -> dict[str, str]:
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
            "CROSSFACT_NONCE": self._nonce,
            "CROSSFACT_CHOICE": str(self._scratch / "choice.json"),
            "CROSSFACT_LIMITS": json.dumps({**LIMITS, **self._job.limits}),
            **self._job.environment,
        }
