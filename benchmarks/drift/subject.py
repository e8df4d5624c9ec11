"""crossfact on one application: the code is read once, then one contract after another is compared with it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec

from benchmarks.drift.records import Application, Framework, Json, Truth
from crossval.findings import Finding
from crossval.validate import cross_validate
from engine.plugins import BUILT_IN_INGESTORS, BUILT_IN_RESOLVERS
from graph.facts import Extract, Fact, Kind, Relation, Tag, Unknown, Verb
from graph.store.records import Notes
from graph.store.store import Store
from ingest.discovery.installed import Installed
from ingest.discovery.walk import discover
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.refresh import Surroundings, refresh_files
from ingest.resolving import refresh_resolved

CONTRACT = "openapi.json"
_HTTP = frozenset(
    {
        Kind.OPERATION,
        Kind.PARAMETER,
        Kind.BODY,
        Kind.RESPONSE,
        Kind.SCHEMA,
        Kind.FIELD,
        Kind.MODULE,
        Kind.CALLBACK,
    }
)


class Answer(msgspec.Struct, frozen=True):
    """What crossfact says of one contract."""

    findings: tuple[Finding, ...]
    unknown: tuple[Unknown, ...]


class Subject:
    """An application whose code crossfact has read, without importing anything; `environment` has what it builds on."""

    def __init__(self, project: Path, needs_contract: bool, environment: Path | None = None) -> None:
        self._project = project
        self._installed = Installed(environment) if environment is not None else None
        self._needs_contract = needs_contract
        self._reader = OpenApiReader()
        if not needs_contract:
            self._code, self._notes = self._read()

    def check(self, contract: dict[str, Json]) -> Answer:
        """The findings about a contract, and what was not known."""
        text = json.dumps(contract)
        if self._needs_contract:
            (self._project / CONTRACT).write_text(text)
            self._code, self._notes = self._read()
        document = Document(path=CONTRACT, role=Role.CONTRACT, text=text, root=str(self._project))
        extract = self._reader.read(document)
        outcome = cross_validate(
            _Facts(self._code, extract.facts),
            defects=extract.defects,
            unseen=[*self._notes.unknown, *extract.unknown],
        )
        return Answer(tuple(outcome.findings), (*outcome.unknown, *self._notes.unknown))

    @property
    def folder(self) -> Path:
        """Where the application lies."""
        return self._project

    @property
    def facts(self) -> list[Fact]:
        """The facts of the code, as last read."""
        return self._code

    def _read(self) -> tuple[list[Fact], Notes]:
        store = Store.open(None)
        listing = discover(self._project)
        refresh_files(self._project, listing, store, BUILT_IN_INGESTORS, Surroundings())
        refresh_resolved(self._project, listing, store, BUILT_IN_RESOLVERS, self._installed)
        store.publish()
        code = [fact for fact in store.facts(tag=Tag.CODE) if fact.kind in _HTTP]
        notes = store.notes()
        store.close()
        return code, notes


class _Facts:
    """The facts of the code, sorted once, beside those of one contract."""

    def __init__(self, code: list[Fact], spec: list[Fact]) -> None:
        self._facts = {Tag.CODE: code, Tag.SPEC: sorted(spec, key=lambda fact: fact.id)}

    def facts(
        self,
        *,
        tag: Tag | None = None,
        kinds: Collection[Kind] = (),
        modules: Collection[str] | None = None,
        having: str = "",
    ) -> Iterator[Fact]:
        """See `FactSource.facts`; nothing asks for the modules of what web readers give."""
        for each in (tag,) if tag else (Tag.CODE, Tag.SPEC):
            for fact in self._facts.get(each, ()):
                if (
                    modules is None
                    and (not kinds or fact.kind in kinds)
                    and (not having or having in fact.aspects)
                ):
                    yield fact

    def relations(self, verbs: Collection[Verb] = ()) -> Iterator[Relation]:
        """No relations: operations are aligned without them."""
        return iter(())

    def module_of(self, fact: Fact) -> str:
        """No module is known."""
        return ""


def prepare(framework: Framework, application: Application, truth: Truth, work: Path) -> Subject:
    """The application, its files copied into a project of their own, read by crossfact."""
    project = work / "projects" / framework.name.lower().replace(" ", "-") / application.name
    shutil.rmtree(project, ignore_errors=True)
    project.mkdir(parents=True)
    for name in (*truth.files, *application.copied):
        _copy(application.folder / name, project / name)
    return Subject(project, framework.needs_contract)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copyfile(source, target)


def extract_of(contract: dict[str, Json]) -> Extract:
    """What crossfact reads from a contract alone."""
    document = Document(path=CONTRACT, role=Role.CONTRACT, text=json.dumps(contract), root=".")
    return OpenApiReader().read(document)
