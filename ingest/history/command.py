"""Runs git so that nothing of a repository's own configuration is executed and nothing is fetched."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

_OPTIONS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "protocol.allow=never",
    "log.showSignature=false",
    "gpg.program=/bin/false",
    "core.sshCommand=/bin/false",
    "core.alternateRefsCommand=/bin/false",
    # Larger files are compared as binary ones: their lines are not worth the time.
    "core.bigFileThreshold=5m",
)
SECONDS = 60.0
LARGEST_OUTPUT = 500_000_000


class GitError(Exception):
    """Git is missing, failed, took too long or said too much; the message says which."""


def git_lines(
    top: Path,
    *arguments: str,
    given: bytes = b"",
    separator: bytes = b"\n",
    seconds: float = SECONDS,
) -> Iterator[bytes]:
    """The output of a command that only reads git objects, cut at `separator`, which is left out.

    The command runs at the top of a work tree with a clean environment. Raises GitError.
    """
    program = shutil.which("git")
    if program is None or not Path(program).is_absolute():
        raise GitError("there is no git program on the PATH")
    options = [word for option in _OPTIONS for word in ("-c", option)]
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stderr:
        stdin.write(given)
        stdin.seek(0)
        try:
            process = subprocess.Popen(
                [program, *options, "--no-pager", *arguments],
                cwd=top,
                env=_environment(top),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=stderr,
            )
        except OSError as error:
            raise GitError(f"git could not be started: {error.strerror}") from error
        with _ended(process, seconds) as (output, late):
            yield from _cut(output, separator)
        if late.is_set():
            raise GitError(f"git took longer than {seconds:g} seconds")
        if process.returncode:
            stderr.seek(0)
            raise GitError(f"git said: {_first_line(stderr.read(4096))}")


def _environment(top: Path) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_CEILING_DIRECTORIES": str(top.parent),
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_NO_LAZY_FETCH": "1",
    }


@contextlib.contextmanager
def _ended(process: subprocess.Popen[bytes], seconds: float) -> Iterator[tuple[IO[bytes], threading.Event]]:
    """The process's output; at the end the process is gone, however the reading ended."""
    assert process.stdout is not None, "the process was started with a pipe"
    late = threading.Event()

    def stop() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield process.stdout, late
        process.wait()
    finally:
        timer.cancel()
        if process.poll() is None:
            process.kill()
        process.stdout.close()
        process.wait()


def _cut(output: IO[bytes], separator: bytes) -> Iterator[bytes]:
    rest = b""
    size = 0
    while block := output.read(1 << 20):
        size += len(block)
        if size > LARGEST_OUTPUT:
            raise GitError(f"git wrote more than {LARGEST_OUTPUT // 1_000_000} MB")
        *whole, rest = (rest + block).split(separator)
        yield from whole
    if rest:
        yield rest


def _first_line(message: bytes) -> str:
    lines = message.decode("utf-8", "replace").strip().splitlines()
    return lines[0].removeprefix("fatal: ") if lines else "nothing"
