"""A project as a run sees it: its root, its settings, its fact store, and how the store is brought up to date."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from engine.configuration import Settings, load
from graph.errors import DamagedStore, FullDisk, UsageError
from graph.facts import Skipped
from graph.store.store import Store

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ingest.discovery.installed import Installed
    from ingest.discovery.scope import Scope
    from ingest.ingestor import Ingestor

# What shows that a folder is a project, and not one that holds projects and much else.
_MARKS = (".git", ".crossfact", "crossfact.toml", "pyproject.toml", "setup.py", "setup.cfg", "PKG-INFO")

Tell = Callable[[str], None]


class Project(msgspec.Struct, frozen=True):
    """An opened project. `narrowed` holds the paths, relative to the root, that the user wants to hear about; empty
    for all."""

    root: Path
    narrowed: tuple[str, ...]
    settings: Settings
    store: Store


class Refreshed(msgspec.Struct, frozen=True):
    """What bringing the store up to date did: files parsed now, files in all, and what was left out.

    `unread` has the modules that exist but could not be read, and why.
    """

    parsed: int
    sources: int
    skipped: tuple[Skipped, ...]
    unread: dict[str, str]
    revision: int


def locate(paths: Sequence[str], here: Path) -> tuple[Path, tuple[str, ...]]:
    """The project root and the paths below it that narrow what is reported.

    One folder is a project of its own; files or several paths narrow the report on the project in the current folder,
    or, where this shows no sign of being one, on the project below it that holds them all.
    Raises UsageError for a path that does not exist or lies outside.
    """
    for path in paths:
        if not os.path.lexists(here / path):
            raise UsageError(
                f"{path}: no such file or folder", "Name an existing path, or none for the current folder."
            )
    if len(paths) == 1 and (here / paths[0]).is_dir():
        return (here / paths[0]).resolve(), ()
    root = here.resolve()
    if not _is_project(root):
        root = _project_of([Path(os.path.normpath(here / path)) for path in paths], root)
    narrowed = []
    for path in paths:
        place = Path(os.path.normpath(here / path))
        if not place.is_relative_to(root):
            raise UsageError(
                f"{path}: lies outside the project {root}", "Run crossfact in a folder that holds all paths."
            )
        narrowed.append(place.relative_to(root).as_posix())
    return root, tuple(narrowed)


def _is_project(folder: Path) -> bool:
    return any((folder / name).exists() for name in _MARKS)


def _project_of(paths: Sequence[Path], here: Path) -> Path:
    """The outermost project below a folder that holds all the paths; without one the folder itself."""
    places = [path.parent for path in paths if path.is_relative_to(here)]
    if not places or len(places) < len(paths):
        return here
    parts = Path(os.path.commonpath(places)).relative_to(here).parts
    between = (here.joinpath(*parts[:count]) for count in range(1, len(parts) + 1))
    return next(filter(_is_project, between), here)


def open_project(
    paths: Sequence[str],
    *,
    here: Path,
    environment: Mapping[str, str],
    options: Mapping[str, Any],
    configuration: Path | None,
    tell: Tell,
) -> Project:
    """The project that the paths name, with its settings and its store.

    Raises UsageError, ConfigurationError or StoreError. A damaged store is put aside and begun anew, and a project
    in a folder that cannot be written to gets a store in memory; both are told.
    """
    root, narrowed = locate(paths, here)
    settings = load(root, file=configuration, environment=environment, options=options)
    return Project(root, narrowed, settings, _open_store(root / settings.store, tell))


def _open_store(place: Path, tell: Tell) -> Store:
    if not _prepared(place, tell):
        return Store.open(None)
    try:
        return Store.open(place)
    except DamagedStore:
        put_aside(place, tell)
        return Store.open(place)
    except FullDisk as error:
        tell(f"crossfact: {error}; facts are kept in memory for this run.")
        return Store.open(None)


def _prepared(place: Path, tell: Tell) -> bool:
    """Whether the store's folder is there and can be written to."""
    folder = place.parent
    try:
        if not folder.is_dir():
            folder.mkdir(mode=0o700, parents=True)
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    except OSError as error:
        tell(f"crossfact: {folder} cannot be made ({error.strerror}); facts are kept in memory for this run.")
        return False
    if not os.access(folder, os.W_OK | os.X_OK):
        tell(f"crossfact: {folder} cannot be written to; facts are kept in memory for this run.")
        return False
    return True


def put_aside(place: Path, tell: Tell) -> None:
    """Move a damaged store out of the way and say so; what it held is read anew into a new one."""
    number = 1
    while (aside := place.with_name(f"{place.name}.damaged-{number}")).exists():
        number += 1
    place.rename(aside)
    for suffix in ("-wal", "-shm"):
        place.with_name(place.name + suffix).unlink(missing_ok=True)
    tell(f"crossfact: {place} was damaged; it was put aside as {aside.name} and the facts are read anew.")


def unread_modules(project: Project) -> dict[str, str]:
    """The modules that exist, or may exist, though no Python source of theirs is there to be read, and why."""
    from engine.plugins import ingestors
    from ingest.discovery.walk import discover

    return discover(project.root, _scope(project.settings, ingestors())).unread


def _scope(settings: Settings, readers: Sequence[Ingestor]) -> Scope:
    from ingest.discovery.scope import Scope
    from ingest.ingestor import suffixes_of

    return Scope(
        spec=tuple(settings.spec),
        code=tuple(settings.code),
        stories=tuple(settings.stories),
        stubs=tuple(settings.stubs),
        tests=tuple(settings.tests),
        exclude=tuple(settings.exclude),
        source_roots=tuple(settings.source_roots),
        suffixes=tuple(sorted({suffix for reader in readers for suffix in suffixes_of(reader)})),
        limit=settings.max_file_size,
    )


def _installed(project: Project) -> Installed | None:
    """The distributions of the environment that is active, or that lies in the project; None where there is none.

    Any other one is not read, even if the settings name it: those are the project's, too, and nothing of a project
    leads out of its folder.
    """
    from engine.interpreter import chosen

    python = chosen(project.root, os.environ, project.settings.python)
    if python is None:
        return None
    from ingest.discovery.installed import Installed, environment_of

    environment = environment_of(python)
    if environment is None:
        return None
    active = os.environ.get("VIRTUAL_ENV")
    if active and environment.resolve() == Path(active).resolve():
        return Installed(environment)
    if environment.resolve().is_relative_to(project.root.resolve()):
        return Installed(environment, within=project.root)
    return None


def refresh(project: Project, *, tell: Tell, progress: Callable[[int, int], None] | None = None) -> Refreshed:
    """Bring the store up to date with the files, and publish a new revision if anything changed."""
    from engine.locking import locked
    from engine.plugins import ingestors, judges, resolvers
    from ingest.discovery.walk import discover
    from ingest.judging import Judging
    from ingest.refresh import Surroundings, refresh_files
    from ingest.resolving import refresh_resolved

    settings = project.settings
    readers = ingestors()
    scope = _scope(settings, readers)
    with locked(project.root / settings.store, tell):
        listing = discover(project.root, scope)
        surroundings = Surroundings(
            executor=_pool(settings.jobs),
            now=time.time_ns,
            progress=progress or (lambda done, total: None),
            limit=settings.max_file_size,
        )
        parsed = refresh_files(project.root, listing, project.store, readers, surroundings)
        judging = Judging(project.root, project.store, judges(), surroundings)
        refresh_resolved(project.root, listing, project.store, resolvers(), _installed(project))
        if settings.history:
            from ingest.history.refresh import refresh_history

            cache = (project.root / settings.store).with_name("history.msgpack")
            refresh_history(project.root, project.store, cache)
        judging.finish()
        revision = project.store.publish()
    unread = dict(listing.unread)
    if silent := project.store.silent_modules():
        reasons = {each.path: each.reason for each in project.store.notes().skipped}
        unread |= {module: reasons[path] for path, module in silent.items() if path in reasons}
    return Refreshed(parsed, len(listing.found), listing.skipped, unread, revision)


def _pool(jobs: int) -> Callable[[], Executor] | None:
    count = (
        jobs or len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else jobs or os.cpu_count() or 1
    )
    if count < 2:
        return None

    def start() -> Executor:
        from concurrent.futures import ProcessPoolExecutor

        return ProcessPoolExecutor(count)

    return start
