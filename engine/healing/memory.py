"""Remembers in which revision of the store each test was last green, also those that the checklist does not have."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from engine.project import Project
from graph.files import read_plain, replace_file

FILE = "passed.json"
_TEXTS = 3


class _Passed(msgspec.Struct, frozen=True):
    """`store` is the identity of the store whose revisions these are, by test and by the digest of its file's text."""

    store: int
    revisions: dict[str, dict[str, int]] = {}


class Memory:
    """The memory of a project: a convenience, and empty where it cannot be read."""

    def __init__(self, project: Project) -> None:
        self._root = project.root
        self._file = (project.root / project.settings.store).with_name(FILE)
        self._store = project.store
        self._revisions: dict[str, dict[str, int]] = {}
        self._texts: dict[str, str] = {}
        with suppress(OSError, ValueError, msgspec.MsgspecError, RecursionError):
            said = msgspec.json.decode(read_plain(self._file) or b"", type=_Passed)
            if said.store == project.store.identity:
                self._revisions = said.revisions

    def of(self, node: str) -> int:
        """The revision in which a test was last green; 0 where nobody knows. A file has the last one of its tests.

        Where its text is one with which it was green, that is what counts: a text may have been taken back.
        """
        if node in self._revisions or "::" in node:
            return self._last(node)
        return max((self._last(name) for name in self._revisions if name.startswith(f"{node}::")), default=0)

    def keep(self, green: Iterable[str]) -> None:
        """Remember that tests are green on the facts of now."""
        self._texts.clear()
        revision = self._store.revision
        for node in green:
            texts = self._revisions.setdefault(node, {})
            texts.pop(text := self._text(node), None)
            texts[text] = revision
            for old in list(texts)[:-_TEXTS]:
                del texts[old]
        content = msgspec.json.encode(_Passed(self._store.identity, self._revisions))
        with suppress(OSError):
            replace_file(self._file, content)

    def _last(self, node: str) -> int:
        texts = self._revisions.get(node, {})
        return texts.get(self._text(node)) or max(texts.values(), default=0)

    def _text(self, node: str) -> str:
        path = node.partition("::")[0]
        if path not in self._texts:
            content = None
            with suppress(OSError, ValueError):
                content = read_plain(self._root / Path(path))
            self._texts[path] = sha256(content or b"").hexdigest()[:12]
        return self._texts[path]
