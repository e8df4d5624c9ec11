"""What changed since tests last passed: by the store's own history, else by git."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable
from types import TracebackType

import msgspec

from engine.diff import beside
from engine.healing.memory import Memory
from engine.project import Project, Tell
from graph.changes import Changes, changes
from graph.errors import UsageError
from graph.facts import Fact
from graph.store.store import Store
from healer.healer import Lookup
from healer.movements import Movement
from healer.moving.telling import movements
from planner.cases import Case

_NOTHING = Changes((), (), ())
_OF_STORE = "store:"


class Since(msgspec.Struct, frozen=True):
    """A revision that today is compared with: its name, what moved since, and its facts."""

    name: str
    movements: tuple[Movement, ...]
    then: Lookup


class Past:
    """Looks at earlier revisions of a project, each once; a context manager."""

    def __init__(
        self,
        project: Project,
        *,
        since: str | None,
        read: Callable[[str], str | None],
        tell: Tell,
    ) -> None:
        """`since` is the revision that the user named. Raises UsageError when it is looked at and does not exist."""
        self._project = project
        self._since = since
        self._read = read
        self._tell = tell
        self._memory = Memory(project)
        self._stack = contextlib.ExitStack()
        self._copy: tuple[Store, Callable[[str], int]] | None = None
        self._known: dict[str, Since | None] = {}

    def __enter__(self) -> Past:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def of(self, nodes: Iterable[str], cases: Iterable[Case | None] = ()) -> Since:
        """What changed since these tests, which fail for one cause, were last green."""
        nodes = list(nodes)
        if self._since is not None:
            named = self._looked(self._since)
            assert named is not None, "a revision that does not exist is told by an exception"
            return named
        for name in self._candidates(nodes, [case for case in cases if case is not None]):
            with contextlib.suppress(UsageError):
                since = self._looked(name)
                if since is not None and since.movements:
                    return since
        return Since("", (), lambda identifier: None)

    def _candidates(self, nodes: list[str], cases: list[Case]) -> Iterable[str]:
        """Names of revisions worth looking at, the best witness first."""
        store = self._project.store
        last = max((case.last_passed_revision for case in cases), default=0)
        last = max([last, *(self._memory.of(node) for node in nodes)])
        if store.oldest <= last < store.revision:
            yield f"store:{last}"
        yield "HEAD"
        files = sorted({node.partition("::")[0] for node in nodes})
        if touched := _last_commit(self._project, files):
            yield touched
        yield "HEAD~1"

    def _looked(self, name: str) -> Since | None:
        if name not in self._known:
            self._known[name] = None
            self._known[name] = self._compared(name)
        return self._known[name]

    def _compared(self, name: str) -> Since:
        store = self._project.store
        if re.fullmatch(r"store:\d+", name):
            number = int(name.partition(":")[2])
            if not 0 < store.oldest <= number <= store.revision:
                raise UsageError(
                    f"the store has no revision {number}",
                    f"It keeps {store.oldest} to {store.revision}; name others as git does.",
                )
            return self._told(name, store, number)
        if self._copy is None:
            self._copy = self._stack.enter_context(beside(self._project, tell=self._tell))
        copy, numbered = self._copy
        return self._told(name, copy, numbered(name))

    def _told(self, name: str, store: Store, number: int) -> Since:
        now = self._project.store.revision
        found = changes(store, number, now) if number != now else _NOTHING
        then = store.at(number)
        former = self._former(name)
        was = self._former("HEAD") if name.startswith(_OF_STORE) else former
        return Since(name, tuple(movements(found, self._read, former, was)), _lookup(then))

    def _former(self, name: str) -> Callable[[str], str | None]:
        """Gives the texts of files in a revision of git; None for what cannot be read, and for one of the store."""
        from ingest.history.command import GitError, git_lines
        from ingest.history.repository import find_repository
        from ingest.history.tree import commit_named

        repository = find_repository(self._project.root)

        def read(path: str) -> str | None:
            if repository is None or name.startswith(_OF_STORE):
                return None
            try:
                commit = commit_named(repository, name)
                place = f"{commit}:{repository.prefix}{path}"
                return b"\n".join(git_lines(repository.top, "cat-file", "blob", place)).decode(
                    "utf-8", "replace"
                )
            except GitError:
                return None

        return read


def lookup(store: Store) -> Lookup:
    """Gives the facts of a store by id."""
    return _lookup(store)


def _lookup(store: Store) -> Lookup:
    def named(identifier: str) -> Fact | None:
        found = store.named(identifier)
        return found[0] if len(found) == 1 else None

    return named


def _last_commit(project: Project, files: list[str]) -> str:
    """The newest commit that changed one of the files; empty where there is none or no git."""
    from ingest.history.command import GitError, git_lines
    from ingest.history.repository import find_repository, is_hash

    repository = find_repository(project.root)
    if repository is None or not files:
        return ""
    paths = [f"{repository.prefix}{file}" for file in files[:100]]
    try:
        found = [
            line.decode("ascii", "replace")
            for line in git_lines(repository.top, "rev-list", "-1", "HEAD", "--", *paths)
        ]
    except GitError:
        return ""
    return found[0] if len(found) == 1 and is_hash(found[0]) else ""
