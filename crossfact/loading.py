"""Keeps the bytecode of the program's modules in one file, so that a start need not look for and open some hundred.

What is kept is as much to be trusted as the interpreter's own bytecode, lies beside it, and is held against the sources
in the same way: by the time and the size of each. A module that is not kept, or has changed, is imported as always.
"""

from __future__ import annotations

import atexit
import marshal
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from types import CodeType, ModuleType

ROOMS = frozenset({"graph", "ingest", "crossval", "planner", "healer", "engine"})

_NUMBER = 8
_FEWEST = 10
_Entry = tuple[bool, int, int, int, int]


def load_from_one_file(root: str) -> None:
    """Import the modules of the rooms, which lie in the folder `root`, from one file from now on; at the end of the
    process keep those that were not in it."""
    if not hasattr(os, "pread"):
        return
    with suppress(NotImplementedError):  # the interpreter keeps no bytecode
        kept = Kept(root, f"{cache_from_source(__file__).removesuffix('.pyc')}.modules")
        sys.meta_path.insert(0, kept)
        atexit.register(kept.keep, sys.modules)


class Kept:
    """A finder of the modules whose bytecode a file has: each with whether it is a package, the time and the size of
    its source, and where in the file its code begins and how long that is."""

    def __init__(self, root: str, file: str) -> None:
        self._root, self._file = root, file
        self._opened = -1
        self._entries: dict[str, _Entry] = {}
        with suppress(OSError, ValueError, EOFError, TypeError):  # there is none yet, or a damaged one
            self._open()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module comes from; None where its code is not kept, or is that of another source."""
        entry = self._entries.get(name)
        if entry is None:
            return None
        package, *stamp, place, length = entry
        source = self._source(name, package)
        if _stamp(source) != tuple(stamp):
            del self._entries[name]
            return None
        spec = ModuleSpec(name, _Loader(name, source, self._opened, place, length), origin=source)
        spec.has_location = True
        if package:
            spec.submodule_search_locations = [source.rpartition("/")[0]]
        return spec

    def keep(self, modules: Mapping[str, ModuleType]) -> None:
        """Keep the code of those of these modules that are not kept, if they are enough to be worth it, where that can
        be written."""
        if sys.dont_write_bytecode or not os.access(Path(self._file).parent, os.W_OK):
            return
        new = {
            name: spec.loader
            for name, module in list(modules.items())
            if name.partition(".")[0] in ROOMS
            and (spec := getattr(module, "__spec__", None)) is not None
            and type(spec.loader) is SourceFileLoader
        }
        if len(new) < _FEWEST:
            return
        with suppress(OSError, ValueError, SyntaxError, ImportError):  # the next process may try again
            codes = [
                (name, entry[:3], os.pread(self._opened, entry[4], entry[3]))
                for name, entry in self._entries.items()
            ]
            for name, loader in new.items():
                package = loader.is_package(name)
                source = self._source(name, package)
                stamp = _stamp(source)
                code = marshal.dumps(loader.get_code(name))
                if stamp is not None and stamp == _stamp(source) and loader.get_filename(name) == source:
                    codes.append((name, (package, *stamp), code))
            self._write(codes)

    def _open(self) -> None:
        opened = os.open(self._file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        head = os.pread(opened, len(MAGIC_NUMBER) + 2 * _NUMBER, 0)
        whole, listed = (
            int.from_bytes(head[len(MAGIC_NUMBER) + at * _NUMBER :][:_NUMBER], "little") for at in (0, 1)
        )
        if head[: len(MAGIC_NUMBER)] != MAGIC_NUMBER or os.fstat(opened).st_size != whole:
            os.close(opened)
            return
        self._entries = marshal.loads(os.pread(opened, listed, len(head)))  # noqa: S302 (as bytecode is)
        self._opened = opened

    def _write(self, codes: Sequence[tuple[str, tuple[bool, int, int], bytes]]) -> None:
        """Write a new file, whole or not at all; who has the old one open goes on reading that."""
        index = {name: (*entry, 0, len(code)) for name, entry, code in codes}
        head = len(MAGIC_NUMBER) + 2 * _NUMBER
        # Numbers of another size take other space, so that places are counted until they stay.
        listed = b""
        while True:
            place = head + len(listed)
            for name, entry, code in codes:
                index[name] = (*entry, place, len(code))
                place += len(code)
            before, listed = len(listed), marshal.dumps(index)
            if len(listed) == before:
                break
        numbers = (each.to_bytes(_NUMBER, "little") for each in (place, len(listed)))
        own = Path(f"{self._file}.{os.getpid()}")
        try:
            with own.open("wb") as file:
                file.writelines((MAGIC_NUMBER, *numbers, listed, *(code for _, _, code in codes)))
            own.replace(self._file)
        finally:
            own.unlink(missing_ok=True)

    def _source(self, name: str, package: bool) -> str:
        return f"{self._root}/{name.replace('.', '/')}{'/__init__' if package else ''}.py"


class _Loader(SourceFileLoader):
    """Loads one module out of the file; all else that loaders are asked for comes from its source."""

    def __init__(self, name: str, source: str, opened: int, place: int, length: int) -> None:
        super().__init__(name, source)
        self._kept = opened, place, length

    def get_code(self, fullname: str) -> CodeType | None:
        """The code that is kept; that of the source where this cannot be read."""
        opened, place, length = self._kept
        try:
            code: CodeType = marshal.loads(os.pread(opened, length, place))  # noqa: S302 (as bytecode is)
        except (OSError, ValueError, EOFError, TypeError):
            return super().get_code(fullname)
        return code


def _stamp(source: str) -> tuple[int, int] | None:
    """By what a source is known: its time and its size; None where there is none."""
    try:
        status = os.stat(source)  # noqa: PTH116 (asked of each module of a short run)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
