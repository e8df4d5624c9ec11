"""The sandbox `strict`: bubblewrap's namespaces without a network, and a private copy of the project.

The order and the words of its command line are those of bwrap(1), version 0.8.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from engine.running.sandbox import Setting

_SYNTHETIC = {
    "/etc/passwd": "nobody:x:65534:65534:nobody:/tmp:/bin/false\n",
    "/etc/group": "nogroup:x:65534:\n",
    "/etc/hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
_SYSTEM = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime")
_ROOTS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_HIDDEN = (".git", ".crossfact", ".hg", ".svn")
_SHARED = frozenset(
    {"node_modules", "site-packages", "__pycache__", ".mypy_cache", ".ruff_cache", ".tox", ".nox"}
)
_COPIED_FILES = 5_000
_COPIED_BYTES = 100_000_000
_ISOLATION = (
    *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--disable-userns", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
    *("--uid", "65534", "--gid", "65534", "--hostname", "sandbox"),
)
_NO_NETWORK = "--unshare-net"
_QUESTION = """\
import json, os, site, sys
found = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.executable, os.path.realpath(sys.executable), *sys.path]
for finder in sys.meta_path:
    mapping = getattr(sys.modules.get(getattr(finder, "__module__", "")), "MAPPING", None)
    if isinstance(mapping, dict):
        found += [value for value in mapping.values() if isinstance(value, str)]
print(json.dumps([each for each in found if each and os.path.exists(each)]))
"""


@cache
def probe() -> tuple[str, str]:
    """The version of bubblewrap where it works here, by trying it; else why it does not."""
    program = shutil.which("bwrap")
    if program is None:
        return "", "bubblewrap is not installed (`apt install bubblewrap`)"
    try:
        words = [
            program,
            *_ISOLATION,
            _NO_NETWORK,
            "--ro-bind",
            "/",
            "/",
            "--proc",
            "/proc",
            "--",
            "/bin/true",
        ]
        done = subprocess.run(words, capture_output=True, timeout=10, text=True)
        version = subprocess.run([program, "--version"], capture_output=True, timeout=10, text=True)
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", f"bubblewrap cannot be started: {error}"
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["it gave no reason"])[-1]
        return "", f"bubblewrap is refused by this machine: {said}"
    return version.stdout.strip().rpartition(" ")[2], ""


class Bubblewrap:
    """Namespaces around each process: no network but its own loopback, nothing to see but what a test needs.

    The project is a private copy that tests may write into, and that is thrown away; where it is too large for that
    it is read-only. `network` gives it the machine's network, which a test of a service by its URL needs.
    """

    level = "strict"
    has_limits = True

    def __init__(self, root: Path, python: Path, *, network: bool = False) -> None:
        self._root = root
        self._network = network
        self._python = python
        self._places: tuple[str, ...] | None = None
        self._fits = _fits(root)
        project = "a private copy" if self._fits else "read-only"
        reach = "the machine's" if network else "none"
        self.words = f"bwrap {probe()[0]}, network: {reach}, project: {project}, with limits"

    @contextmanager
    def around(self, setting: Setting) -> Iterator[tuple[Sequence[str], Sequence[int]]]:
        """See `Sandbox.around`."""
        with ExitStack() as stack:
            descriptors = []
            words = [shutil.which("bwrap") or "bwrap", *_ISOLATION, *([] if self._network else [_NO_NETWORK])]
            words += ["--ro-bind", "/usr", "/usr", *_system()]
            for path, content in _SYNTHETIC.items():
                if self._network and path in ("/etc/hosts", "/etc/nsswitch.conf"):
                    words += ["--ro-bind-try", path, path]
                    continue
                file = stack.enter_context(tempfile.TemporaryFile())
                file.write(content.encode())
                file.seek(0)
                descriptors.append(file.fileno())
                words += ["--ro-bind-data", str(file.fileno()), path]
            if self._network:
                words += ["--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf"]
            words += ["--proc", "/proc", "--dev", "/dev", "--size", str(256 << 20), "--tmpfs", "/tmp"]
            words += ["--size", str(64 << 20), "--tmpfs", "/dev/shm"]
            root = str(setting.job.root)
            for place in self._readable(setting):
                words += ["--ro-bind", place, place]
            words += self._project(root, setting)
            scratch = str(setting.scratch)
            words += ["--bind", scratch, scratch, "--chdir", root, "--"]
            yield words, descriptors

    def _project(self, root: str, setting: Setting) -> list[str]:
        """The words that show the project: a copy below the scratch folder, with what is too heavy to copy shared."""
        if not self._fits or setting.job.root != self._root:
            return _read_only(setting.job.root)
        copy = setting.scratch / "project"
        shared: list[str] = []

        def left_out(folder: str, names: list[str]) -> list[str]:
            found = [
                name for name in names if _is_heavy(Path(folder, name)) or Path(folder, name).name in _HIDDEN
            ]
            shared.extend(str(Path(folder, name)) for name in found if name not in (*_HIDDEN, "__pycache__"))
            return [
                *found,
                *(name for name in names if not _is_plain(Path(folder, name)) and name not in found),
            ]

        try:
            shutil.copytree(root, copy, symlinks=True, ignore=left_out)
        except OSError:  # a part of it could not be copied: better all of it that cannot be written to
            shutil.rmtree(copy, ignore_errors=True)
            return _read_only(setting.job.root)
        words = ["--bind", str(copy), root]
        return words + [word for place in shared for word in ("--ro-bind", place, place)]

    def _readable(self, setting: Setting) -> list[str]:
        """The folders outside the project that the interpreter, our plugins and the job need, none within another."""
        if self._places is None:
            self._places = _asked(self._python)
        here = [*self._places, str(setting.inside), *map(str, setting.job.paths)]
        if setting.job.python != self._python:
            here += _asked(setting.job.python)
        home = os.path.realpath(Path.home())
        kept: list[str] = []
        for place in sorted(set(map(os.path.abspath, here)), key=len):
            if place in ("/", home) or place.startswith(("/usr/", f"{setting.job.root}/")):
                continue
            if place == str(setting.job.root) or any(place.startswith(f"{each}/") for each in kept):
                continue
            kept.append(place)
        return kept


@cache
def _asked(python: Path) -> tuple[str, ...]:
    """The places that an interpreter reads modules from, asked of itself, outside the project's folder."""
    try:
        done = subprocess.run(
            [str(python), "-c", _QUESTION],
            capture_output=True,
            timeout=60,
            cwd="/",
            env={"PATH": os.environ.get("PATH", "")},
        )
        return tuple(map(str, json.loads(done.stdout)))
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return (str(python),)


def _read_only(root: Path) -> list[str]:
    """The words that show a project as it is, less what tests must not see."""
    hidden = [name for name in _HIDDEN if (root / name).is_dir()]
    return [
        *("--ro-bind", str(root), str(root)),
        *(word for name in hidden for word in ("--tmpfs", f"{root}/{name}")),
    ]


def _system() -> list[str]:
    words: list[str] = []
    for root in map(Path, _ROOTS):
        if root.is_symlink():
            words += ["--symlink", str(root.readlink()), str(root)]
        elif root.is_dir():
            words += ["--ro-bind", str(root), str(root)]
    for place in _SYSTEM:
        words += ["--ro-bind-try", place, place]
    return words


def _is_heavy(path: Path) -> bool:
    """Whether a folder holds installed things, not the project's own: it is shown read-only instead of copied."""
    return path.name in _SHARED or (path.is_dir() and (path / "pyvenv.cfg").is_file())


def _is_plain(path: Path) -> bool:
    """Whether it is a file, folder or link: what else there may be cannot be copied."""
    return path.is_symlink() or path.is_file() or path.is_dir()


def _fits(root: Path) -> bool:
    """Whether a project is small enough to be copied for each process."""
    files = size = 0
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in _HIDDEN and not _is_heavy(Path(folder, name))]
        for name in names:
            files += 1
            try:
                size += os.lstat(Path(folder, name)).st_size
            except OSError:
                continue
        if files > _COPIED_FILES or size > _COPIED_BYTES:
            return False
    return True
