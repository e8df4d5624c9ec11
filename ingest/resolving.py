"""Runs the resolvers whose inputs changed, and keeps what each looked at."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Collection, Hashable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from graph.digests import sha256
from graph.facts import Extract, Fact, Kind, Skipped, Tag, Unknown
from graph.faults import Attempt, is_fault
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer
from ingest.discovery.scope import Listing
from ingest.importing import Importing
from ingest.ingestor import Document, Role
from ingest.resolver import Resolver
from ingest.storable import storable
from ingest.text import read

if TYPE_CHECKING:
    from ingest.discovery.installed import Installed

_ROLE = "resolver"
_IMPORTERS = "importers of "
_MODULE = "module "
_CONTRACTS = "contracts"
_ENTRY_POINTS = "entry points of "
_INSTALLED = "installed module "
_VERSION = "installed version "


class Snapshot:
    """What all resolvers of one run see of the project: files by module, and digests of all that was read.

    `installed` are the distributions of its environment, where it has one.
    """

    def __init__(
        self,
        listing: Listing,
        owners: Mapping[str, Owner],
        store: Store,
        installed: Installed | None = None,
    ) -> None:
        self.paths: dict[str, str] = {}
        for file in listing.found:
            if Role.PYTHON in file.roles and file.module:
                first = self.paths.setdefault(file.module, file.path)
                if _is_hidden(first, file.path):
                    self.paths[file.module] = file.path
        self.digests = {owner.name: owner.digest for owner in owners.values()}
        read = [[o.name, o.digest, o.reader, o.inputs] for o in owners.values() if o.role == Role.CONTRACT]
        self.contracts = sha256(msgspec.json.encode(sorted(read), order="deterministic")).hexdigest()[:32]
        self.importing = Importing(store, self.paths)
        self.shared: dict[Hashable, object] = {}
        self.installed = installed


class RecordingProject:
    """The project as resolvers see it; `inputs` maps each look to a digest of what was seen.

    Where several files are one module, the first is read. `shadowed` maps those of the others that were looked for to
    that first one. `shared` is what the resolvers of one run keep for one another, such as parsed modules.
    """

    def __init__(self, root: Path, snapshot: Snapshot, store: Store) -> None:
        self._root, self._store = root, store
        self._paths, self._digests = snapshot.paths, snapshot.digests
        self._contracts, self._importing = snapshot.contracts, snapshot.importing
        self._installed = snapshot.installed
        self.shared = snapshot.shared
        self.inputs: dict[str, str] = {}
        self.shadowed: dict[str, str] = {}

    def importers(self, packages: Collection[str]) -> tuple[str, ...]:
        """See `Project.importers`."""
        look = _IMPORTERS + " ".join(sorted(packages))
        found = self._importing.of(packages)
        modules = tuple(dict.fromkeys(module for module, _ in found))
        others = {
            path: first
            for module, path in found
            if (first := self._paths.get(module, path)) != path and not _is_hidden(path, first)
        }
        self.shadowed |= others
        seen = "\n".join([*modules, *(text for pair in sorted(others.items()) for text in pair)])
        self.inputs[look] = sha256(seen.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return modules

    def document(self, module: str) -> Document | None:
        """See `Project.document`."""
        path = self._paths.get(module)
        self.inputs[_MODULE + module] = self._digests.get(path, "") if path else ""
        if path is None:
            return None
        content = read(self._root, path)
        if isinstance(content, Skipped):
            return None
        return Document(path=path, role=Role.PYTHON, text=content.text, module=module, root=str(self._root))

    def installed(self, module: str) -> Document | None:
        """See `Equipped.installed`."""
        look = _INSTALLED + module
        self.inputs[look] = self._look(look)
        found = self._installed.find(module) if self._installed is not None and self.inputs[look] else None
        if found is None or self._installed is None:
            return None
        return Document(path=found.path, role=Role.PYTHON, text=self._installed.text(module), module=module)

    def installed_version(self, distribution: str) -> str:
        """See `Equipped.installed_version`."""
        look = _VERSION + distribution
        self.inputs[look] = self._look(look)
        return self.inputs[look]

    def promised(self) -> tuple[Fact, ...]:
        """See `Contracted.promised`."""
        self.inputs[_CONTRACTS] = self._contracts
        return tuple(self._store.written(Tag.SPEC, (Kind.OPERATION, Kind.PARAMETER, Kind.BODY, Kind.SCHEMA)))

    def entry_points(self, group: str) -> tuple[tuple[str, str], ...]:
        """See `Publishing.entry_points`."""
        from ingest.discovery.entry_points import entry_points_of

        found = entry_points_of(self._root, self._paths.values(), group)
        self.inputs[_ENTRY_POINTS + group] = sha256(msgspec.json.encode(found)).hexdigest()[:32]
        return found

    def seen_last(self) -> str:
        """The file that was looked at last; `.` before there is any."""
        looks = (look.removeprefix(_MODULE) for look in reversed(self.inputs) if look.startswith(_MODULE))
        return next((self._paths[module] for module in looks if module in self._paths), ".")

    def unchanged(self, inputs: dict[str, str]) -> bool:
        """Whether everything that was looked at is as it was."""
        return all(self._look(look) == seen for look, seen in inputs.items())

    def _look(self, look: str) -> str:
        if look.startswith(_IMPORTERS):
            self.importers(look.removeprefix(_IMPORTERS).split(" "))
            return self.inputs[look]
        if look.startswith(_ENTRY_POINTS):
            self.entry_points(look.removeprefix(_ENTRY_POINTS))
            return self.inputs[look]
        if look == _CONTRACTS:
            return self._contracts
        if look.startswith(_VERSION):
            return self._installed.version(look.removeprefix(_VERSION)) if self._installed is not None else ""
        if look.startswith(_INSTALLED):
            return self._installed.state(look.removeprefix(_INSTALLED)) if self._installed is not None else ""
        path = self._paths.get(look.removeprefix(_MODULE))
        return self._digests.get(path, "") if path else ""


_rounds = itertools.count()


@contextmanager
def _uncollected() -> Iterator[None]:
    """A block without garbage collection: syntax trees are many objects that stay, and each round visits them all.

    What the first block of a process leaves counts as old at once, since to visit it takes a tenth of a large
    project's check, and most processes end soon. One that goes on frees it at the end of its second block.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        number = next(_rounds)
        if number == 0:
            gc.freeze()
            gc.unfreeze()
        elif number == 1:
            gc.collect()
        if collects:
            gc.enable()


@_uncollected()
def refresh_resolved(
    root: Path,
    listing: Listing,
    store: Store,
    resolvers: tuple[Resolver, ...],
    installed: Installed | None = None,
) -> int:
    """Run each resolver whose version or inputs changed; returns how many ran. Nothing is published.

    `installed` are the distributions of the project's environment, which resolvers may look into.
    """
    known = store.owners()
    names = {f"resolver:{resolver.name}" for resolver in resolvers}
    gone = [name for name, owner in known.items() if owner.role == _ROLE and name not in names]
    snapshot = Snapshot(listing, known, store, installed)
    writer: Writer | None = None
    waiting: list[tuple[Owner, Extract]] = []
    ran = 0
    for resolver in resolvers:
        name, reader = f"resolver:{resolver.name}", f"{resolver.name}:{resolver.version}"
        project = RecordingProject(root, snapshot, store)
        owner = known.get(name)
        if owner is not None and owner.reader == reader and project.unchanged(owner.inputs):
            continue
        project.inputs.clear()
        project.shadowed.clear()
        extract = _resolved(resolver, project)
        if any(is_fault(note.reason) for note in extract.unknown):
            reader += " failed"  # and is tried again each time
        extract.unknown.extend(_unread_routes(project.shadowed))
        waiting.append((Owner(name=name, role=_ROLE, reader=reader, inputs=project.inputs), extract))
        ran += 1
        if extract.facts or extract.relations:
            writer = writer or Writer(store)
            _write(writer, waiting, [])
    if waiting or gone:
        _write(writer or Writer(store), waiting, gone)
    return ran


def _resolved(resolver: Resolver, project: RecordingProject) -> Extract:
    """What a resolver makes of the project; where crossfact itself fails, that there may be routes."""
    with Attempt() as attempt:
        return resolver.resolve(project)
    lost = Unknown(f"reader {resolver.name}", "routes", project.seen_last(), 1, attempt.failure)
    return Extract(unknown=[lost])


def _write(writer: Writer, waiting: list[tuple[Owner, Extract]], gone: list[str]) -> None:
    """Write what resolvers said in one durable step; those that had nothing to say wait for one that has."""
    with writer.transaction():
        for owner, extract in waiting:
            writer.replace(owner, storable(extract))
        writer.retract(gone)
    waiting.clear()


def _is_hidden(path: str, other: str) -> bool:
    """Whether Python never imports a module, `shop.py`, because the package `shop` stands beside it."""
    return other == f"{path.removesuffix('.py')}/__init__.py"


def _unread_routes(shadowed: dict[str, str]) -> Iterator[Unknown]:
    """What is unknown because a service's module goes by the name of another service's."""
    for path, first in sorted(shadowed.items()):
        reason = f"it is the same module as {first}; check the two as projects of their own"
        yield Unknown(f"file {path}", "routes", path, 1, reason)
