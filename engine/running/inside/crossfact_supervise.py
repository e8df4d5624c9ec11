"""Runs one command with limits, and leaves nothing of it behind: no process, however it was started.

Started as a program of its own by `engine.running.child`, since only the process that is the reaper of its descendants
hears of those that forked twice to get away. Words: the descriptor of a socket to whoever started it, the limits as
JSON, and the command. It ends when the command ends, when the socket is closed (also by a kill of the other side), or
when the command's processes together use more than they may: then it says which limit that was.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_TICK = 0.05
_DISK_TICK = 1.0
_PAGE = os.sysconf("SC_PAGE_SIZE")
_FILES = 50_000


def main(words: list[str]) -> int:
    """Run the command and give its exit code, 128 and the signal's number where one ended it."""
    life, limits, command = int(words[0]), json.loads(words[1]), words[2:]
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.set_inheritable(life, False)
    waking, woken = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(waking, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    child = os.fork()
    if child == 0:
        _become(command, limits)
    code = _watch(child, life, waking, limits)
    _end_all(child)
    scratch = os.environ.get("HOME", "")
    if "crossfact-run-" in Path(scratch).name:  # whoever made it may have been killed
        shutil.rmtree(scratch, ignore_errors=True)
    return code


def _become(command: list[str], limits: Mapping[str, int]) -> None:
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        for name, value in limits.items():
            number = getattr(resource, name, None)
            if number is not None:
                _, most = resource.getrlimit(number)
                value = value + _tasks() if name == "RLIMIT_NPROC" else value
                value = value if most == resource.RLIM_INFINITY else min(value, most)
                resource.setrlimit(number, (value, value))
        os.execv(command[0], command)
    except BaseException as error:  # noqa: BLE001 (the forked process must not go on in the supervisor's code)
        os.write(2, f"{command[0]}: cannot be started: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(126)


def _tasks() -> int:
    """How many threads the machine runs: the limit of processes counts those of the user outside, too."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/loadavg").read_text(encoding="ascii").split()[3].partition("/")[2])
    return 0


def _watch(child: int, life: int, waking: int, limits: Mapping[str, int]) -> int:
    """Wait for the command's end, or bring it about; gives its exit code."""
    disk_at = time.monotonic() + _DISK_TICK
    while True:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return 0
            if pid == child:
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
            if pid == 0:
                break
        ready, _, _ = select.select([life, waking], [], [], _TICK)
        if waking in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(waking, 4096)
        if life in ready:
            return 137
        why = _excess(child, limits)
        if not why and time.monotonic() >= disk_at:
            disk_at = time.monotonic() + _DISK_TICK
            why = _disk_excess(limits)
        if why:
            with contextlib.suppress(OSError):
                os.write(life, why.encode())
            return 137


def _excess(child: int, limits: Mapping[str, int]) -> str:
    """Which limit of all its processes together the command broke; empty where none."""
    found = list(_descendants(os.getpid()))
    most = limits.get("processes", 0)
    if most and len(found) > most:
        return f"processes: had more than {most} processes"
    memory = limits.get("memory", 0)
    # Forked processes share pages, so the cheap sum is only a reason to look closely.
    if memory and sum(map(_resident, found)) > memory and sum(map(_proportional, found)) > memory:
        return f"memory: used more than {memory >> 20} MB"
    return ""


def _disk_excess(limits: Mapping[str, int]) -> str:
    most, scratch = limits.get("disk", 0), os.environ.get("HOME", "")
    if most and scratch and _size(scratch) > most:
        return f"disk: wrote more than {most >> 20} MB"
    return ""


def _size(folder: str) -> int:
    """The bytes that the files below a folder take; links are not followed."""
    total, seen = 0, 0
    for place, _, names in os.walk(folder):
        for name in names:
            seen += 1
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_blocks * 512  # noqa: PTH118 (called often)
        if seen > _FILES:
            break
    return total


def _descendants(pid: int) -> Iterator[int]:
    waiting = [pid]
    while waiting:
        for child in _children(waiting.pop()):
            waiting.append(child)
            yield child


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 (called often)
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm", "rb") as file:
        return int(file.read().split()[1]) * _PAGE
    return 0


def _proportional(pid: int) -> int:
    with (
        contextlib.suppress(OSError, ValueError, IndexError),
        open(f"/proc/{pid}/smaps_rollup", "rb") as file,
    ):
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return _resident(pid)


def _end_all(child: int) -> None:
    """Kill every descendant, again and again until none is left: what is just being forked is seen next time."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        found = list(_descendants(os.getpid()))
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        if not found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGKILL)  # where the system has no list of a process's children
        time.sleep(0.002)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
