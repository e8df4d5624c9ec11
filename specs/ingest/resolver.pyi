"""The port that resolvers implement, and the project that they are given."""

from collections.abc import Collection
from typing import Protocol

from graph.facts import Extract, Fact
from ingest.ingestor import Document

class Project(Protocol):
    def importers(self, packages: Collection[str]) -> tuple[str, ...]: ...
    def document(self, module: str) -> Document | None: ...

class Contracted(Protocol):
    def promised(self) -> tuple[Fact, ...]: ...

class Publishing(Protocol):
    def entry_points(self, group: str) -> tuple[tuple[str, str], ...]: ...

class Resolver(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...
    def resolve(self, project: Project) -> Extract: ...
