"""The port of test generators: a case goes in, the source of one test function comes out, or why there is none."""

from __future__ import annotations

from typing import Protocol

import msgspec

from graph.facts import Json
from graph.source import FactSource
from planner.cases import Case

INFERRED = "# inferred"
"""How a line of a test ends that asserts what no spec says in so many words."""


class Assertion(msgspec.Struct, frozen=True):
    """One assertion of a test, with the facts that it cites; `inferred` where no fact says so (echo, round trip,
    idempotence), and then it never blocks a heal."""

    text: str
    cites: tuple[str, ...] = ()
    inferred: bool = False

    @property
    def lines(self) -> list[str]:
        """The lines of a test that make it, marked where they are inferred."""
        return [
            f"{line}  {INFERRED}" if self.inferred and line.lstrip().startswith("assert ") else line
            for line in self.text.splitlines()
        ]


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """One test function as a generator wrote it, not yet in a file.

    `source` is the whole function with its decorators and docstring, without imports; `imports` are whole import
    statements, of the standard library, pytest or the unit under test; `fixtures` are the arguments that it takes from
    the shared conftest (`client`, `auth`, …). `module_path` is relative to the project. `expects` is what a wrong
    implementation breaks, in words, for the proof. `target` has what its generator found out about what is checked,
    which the case keeps beside its own.
    """

    case: str
    module_path: str
    name: str
    source: str
    imports: tuple[str, ...] = ()
    fixtures: tuple[str, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    negative: bool = False
    target: dict[str, Json] = {}


class Declined(msgspec.Struct, frozen=True):
    """Why a generator writes no test: `needs` is the exact piece that a person has to supply."""

    case: str
    needs: str


class Application(msgspec.Struct, frozen=True):
    """Where tests find the unit under test: the framework and its object (`todo.main:app`), or a base URL.

    `framework` is `fastapi`, `starlette`, `flask`, `wsgi` (something before a Flask), `django`, `aiohttp`, `litestar`,
    or empty for a base URL. `exists` is false where nothing is there yet, so that the place is only agreed on, or empty
    where nobody said what it will be. A site of Django that only its `manage.py` starts has no object: `settings` is
    the module of its settings.
    """

    framework: str
    place: str
    exists: bool = True
    settings: str = ""


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What generators may look at: the facts, the application, and where tests go, relative to the project."""

    source: FactSource
    application: Application | None
    folder: str = "tests/crossfact"
    options: dict[str, Json] = {}


class Generator(Protocol):
    """Writes tests of some techniques. The same case and facts give the same bytes."""

    @property
    def name(self) -> str:
        """How the checklist and the settings call it: `contract`, `examples`, `signature`, `criterion`, `model`."""
        ...

    def takes(self, case: Case) -> bool:
        """Whether it can try this case."""
        ...

    def generate(self, case: Case, context: Context) -> Draft | Declined:
        """The test of a case; never raises for what is wrong in the project."""
        ...
