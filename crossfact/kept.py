"""Keeps the bytecode of all modules that a check loads in one file: to look for each takes a tenth of a small check.

A module is taken from there only as long as its source is of the same time and size, as Python does it with its own
bytecode; what is not there, or is damaged, is imported as always. The file belongs to one build of the interpreter.
"""

from __future__ import annotations

import atexit
import marshal
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import cache_from_source
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType
    from typing import Any, TypeAlias

    Entry: TypeAlias = tuple[str, str, bool, int, int, int, int]
    """Path of the source, path of its bytecode, whether it is a package, time and size of the source, place, length."""

_LATE = frozenset({"ipaddress", "msgspec.inspect", "textwrap"})
"""Modules that libraries import for functions which no check calls: each takes a hundredth of a small check to run."""

_MOST = 1_500
_HEADER = 16
_FACE = os.path.dirname(os.path.abspath(__file__))
_APPLICATION = (_FACE if os.path.isdir(os.path.join(_FACE, "_app")) else os.path.dirname(_FACE)) + os.sep
_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep


def keep_modules() -> None:
    """Import from the file from now on, and add to it at the end what this process had to look for."""
    try:
        file = os.path.splitext(cache_from_source(__file__))[0] + ".modules"
    except NotImplementedError:
        return
    if hasattr(os, "pread"):
        modules = Modules(file, (_APPLICATION, _LIBRARY))
        sys.meta_path.insert(0, modules)
        atexit.register(modules.save)


class Modules:
    """The modules below some folders that a file keeps, as a finder of `sys.meta_path`.

    Of what is installed beside them another path may have another one, so that Python looks for it.
    """

    def __init__(self, file: str, folders: tuple[str, ...]) -> None:
        self._file = file
        self._folders = folders
        self._opened = -1
        self._entries: dict[str, Entry] = {}
        try:
            self._opened = os.open(file, os.O_RDONLY)
            self._entries = self._read_entries()
        except (OSError, ValueError, EOFError, TypeError):  # nothing there yet, or damaged
            self._entries = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module as it was kept; None where it was not, or its source has changed since."""
        entry = self._entries.get(name)
        if entry is None:
            return _found_late(name, path) if name in _LATE else None
        source, bytecode, package, *state = entry[:5]
        try:
            seen = os.stat(source)
        except OSError:
            return None
        if [int(seen.st_mtime), seen.st_size] != state:
            return None
        code = os.pread(self._opened, entry[6], entry[5])
        if len(code) != entry[6]:
            return None
        spec = ModuleSpec(name, _Loader(name, source, code), origin=source, is_package=package)
        if package:
            spec.submodule_search_locations = [os.path.dirname(source)]
        spec.has_location = True
        spec.cached = bytecode
        return spec

    def save(self) -> None:
        """Keep what was imported and is not kept yet, if anything, unless no bytecode is to be written."""
        may = not sys.dont_write_bytecode and os.access(os.path.dirname(self._file), os.W_OK)
        new = dict(self._unkept()) if may else {}
        if new:
            kept = {name: entry for name, entry in self._entries.items() if name not in new}
            if len(kept) + len(new) > _MOST:
                kept = {name: entry for name, entry in kept.items() if name in sys.modules}
            codes = [(entry, os.pread(self._opened, entry[6], entry[5])) for entry in kept.values()]
            self._write(dict(zip([*kept, *new], [*codes, *new.values()], strict=True)))
        if self._opened >= 0:
            self._entries = {}
            os.close(self._opened)
            self._opened = -1

    def _read_entries(self) -> dict[str, Entry]:
        head = os.pread(self._opened, _HEADER, 0)
        start, length = int(head[:8], 16), int(head[8:], 16)
        seal, entries = marshal.loads(os.pread(self._opened, length, start))
        return entries if seal == _seal() else {}

    def _unkept(self) -> list[tuple[str, tuple[Entry, bytes]]]:
        """The modules that Python found itself, each with the bytecode that it keeps.

        Some of them are imported before anybody can look into the file: those that are kept as they are are not new.
        """
        found = []
        for name, module in list(sys.modules.items()):
            spec = getattr(module, "__spec__", None)
            if (
                spec is None
                or type(spec.loader) is not SourceFileLoader
                or spec.name != name
                or not spec.cached
            ):
                continue
            source, package = spec.origin, spec.submodule_search_locations is not None
            if not self._is_below(source):
                continue
            try:
                seen = os.stat(source)
                state = (source, spec.cached, package, int(seen.st_mtime), seen.st_size)
                if self._entries.get(name, ())[:5] == state:
                    continue
                with open(spec.cached, "rb") as opened:
                    bytecode = opened.read()
            except OSError:
                continue
            flags, time, size = (int.from_bytes(bytecode[at : at + 4], "little") for at in (4, 8, 12))
            if (flags, time, size) == (0, int(seen.st_mtime), seen.st_size):
                found.append((name, ((source, spec.cached, package, time, size, 0, 0), bytecode[16:])))
        return found

    def _is_below(self, source: str) -> bool:
        """Whether a file lies in one of the folders, and is not installed there beside others."""
        return any(
            source.startswith(folder) and "site-packages" not in source[len(folder) :]
            for folder in self._folders
        )

    def _write(self, modules: dict[str, tuple[Entry, bytes]]) -> None:
        """Write the file anew, whole or not at all: where its list begins and how long that is, bytecode, the list."""
        entries, parts, place = {}, [], _HEADER
        for name, (entry, code) in modules.items():
            entries[name] = (*entry[:5], place, len(code))
            parts.append(code)
            place += len(code)
        told = marshal.dumps((_seal(), entries))
        own = f"{self._file}.{os.getpid()}"
        try:
            with open(own, "wb") as opened:
                opened.writelines([b"%08x%08x" % (place, len(told)), *parts, told])
            os.replace(own, self._file)
        except OSError:
            if os.path.exists(own):
                os.unlink(own)


def _found_late(name: str, path: Sequence[str] | None) -> ModuleSpec | None:
    """The module as Python finds it, to be run when somebody uses it."""
    spec = PathFinder.find_spec(name, path)
    if spec is not None and spec.origin is not None and type(spec.loader) is SourceFileLoader:
        spec.loader = _Loader(name, spec.origin, b"")
    return spec


class _Loader(SourceFileLoader):
    """Python's own loader, which was given the bytecode, if any."""

    def __init__(self, name: str, path: str, code: bytes) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType | None:
        try:
            code: CodeType = marshal.loads(self._code)
        except (ValueError, EOFError, TypeError):  # damaged
            return super().get_code(fullname)
        self._code = b""
        return code

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ in _LATE:
            module.__class__ = _Late
        else:
            super().exec_module(module)


class _Late(ModuleType):
    """A module whose code runs when anything is asked of it but what the import system asks."""

    def __getattribute__(self, name: str) -> Any:
        if name not in ("__spec__", "__path__", "__class__"):
            object.__setattr__(self, "__class__", ModuleType)
            spec = self.__spec__
            if spec is not None and isinstance(spec.loader, SourceFileLoader):
                SourceFileLoader.exec_module(spec.loader, self)
        return ModuleType.__getattribute__(self, name)


def _seal() -> str:
    """For which interpreter a file is."""
    return f"{sys.version} {sys.platform} {sys.prefix}"
