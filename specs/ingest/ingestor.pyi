"""The port that readers of other distributions implement; what stands here does not change without notice."""

from enum import StrEnum
from typing import Protocol

import msgspec

from graph.facts import Extract

class Role(StrEnum):
    PYTHON = "python"
    TEST = "test"
    STUB = "stub"
    CONTRACT = "contract"
    FEATURE = "feature"
    STORY = "story"
    PAGE = "page"
    OTHER = "other"
    IGNORED = "ignored"

class Document(msgspec.Struct, frozen=True):
    path: str
    role: Role
    text: str
    module: str = ""
    root: str = ""

class Ingestor(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def roles(self) -> frozenset[Role]: ...
    def read(self, document: Document) -> Extract: ...

def suffixes_of(ingestor: Ingestor) -> frozenset[str]: ...
