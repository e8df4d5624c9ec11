"""What the benchmark needs from each framework: its applications, and the truth about them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

Json: TypeAlias = Any
Part: TypeAlias = Literal["read", "unread"]


class Application(msgspec.Struct, frozen=True):
    """One application of a framework, as its adapter names it.

    `folder` is where imports begin, `module` what to import there. `family` groups spellings of one example: of those
    whose contracts are equal, one counts. `contract` is written by hand, for frameworks that export none.
    `copied` names further files or folders below `folder` that belong to the application although importing it does
    not load them (URLconfs that are loaded late, say). `options` is passed to the exporter as it is.
    """

    name: str
    folder: Path
    module: str
    part: Part = "read"
    family: str = ""
    contract: Path | None = None
    copied: tuple[str, ...] = ()
    options: dict[str, Json] = {}


class Framework(Protocol):
    """What the benchmark needs to know of a framework. Adapters are listed in `applications/registry.py`."""

    @property
    def name(self) -> str:
        """As the table calls it."""
        ...

    @property
    def requirements(self) -> tuple[str, ...]:
        """What is installed into the framework's environment, each pinned by `==`."""
        ...

    @property
    def exporter(self) -> str:
        """The module of `exporters/` that tells the truth: its `export(module, options)` runs in that environment."""
        ...

    @property
    def needs_contract(self) -> bool:
        """Whether the code's routes come from the contract (Connexion), so that each change means a new reading."""
        ...

    @property
    def own_responses(self) -> frozenset[str]:
        """Statuses that the framework puts into every contract by itself; no operator touches them."""
        ...

    def applications(self, work: Path) -> Iterable[Application]:
        """The applications, fetched below `work` where they do not lie there yet."""
        ...


class Truth(msgspec.Struct, frozen=True):
    """What a framework says of an application at run time.

    `contract` is the exported OpenAPI document, or None where there is none. `routes` are [method, path] of all that
    is served, mounted applications included; `files` the Python files that importing loaded, relative to the folder.
    `error` says why there is no truth.
    """

    name: str
    contract: dict[str, Json] | None = None
    routes: tuple[tuple[str, str], ...] = ()
    files: tuple[str, ...] = ()
    error: str = ""
