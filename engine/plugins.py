"""The readers and rules of a run: the built-in ones, listed here one by one, and those of installed plug-ins."""

from __future__ import annotations

import itertools
import sys
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec

from engine.offered import offered_on
from graph.errors import ConfigurationError
from graph.facts import Extract
from ingest import versions
from ingest.ingestor import Document, Ingestor, Role
from ingest.resolver import Project, Resolver

if TYPE_CHECKING:
    from crossval.rules.rule import Rule
    from healer.healer import Healer
    from ingest.judging import Judge
    from planner.generator import Generator

INGESTORS = "crossfact.ingestors"
RULES = "crossfact.rules"
GENERATORS = "crossfact.generators"
HEALERS = "crossfact.healers"


class LazyIngestor(msgspec.Struct, frozen=True):
    """A built-in reader that is imported when it has to read: a run in which nothing changed loads none.

    `version`, `roles` and `suffixes` are those of the class that `place` names as `module:class`; a test holds
    them equal.
    """

    name: str
    version: int
    roles: frozenset[Role]
    place: str
    suffixes: frozenset[str] = frozenset()

    def read(self, document: Document) -> Extract:
        """See `Ingestor.read`."""
        ingestor: Ingestor = _load(self.place)
        return ingestor.read(document)


class LazyJudge(msgspec.Struct, frozen=True):
    """A built-in judge that is imported when it has to judge."""

    name: str
    version: int
    roles: frozenset[Role]
    place: str

    def judge(self, document: Document) -> Extract:
        """See `Judge.judge`."""
        judge: Judge = _load(self.place)
        return judge.judge(document)


class LazyResolver(msgspec.Struct, frozen=True):
    """A built-in resolver that is imported when it has to run: where some module imports one of its `packages`."""

    name: str
    version: int
    packages: tuple[str, ...]
    place: str

    def resolve(self, project: Project) -> Extract:
        """See `Resolver.resolve`."""
        if not project.importers(self.packages):
            return Extract()
        resolver: Resolver = _load(self.place)
        return resolver.resolve(project)


BUILT_IN_INGESTORS = (
    LazyIngestor(
        "python", versions.PYTHON, frozenset({Role.PYTHON, Role.STUB}), "ingest.python.reader:PythonReader"
    ),
    LazyIngestor(
        "python-tests", versions.PYTHON_TESTS, frozenset({Role.TEST}), "ingest.python.tests:PythonTestReader"
    ),
    LazyIngestor(
        "openapi", versions.OPENAPI, frozenset({Role.CONTRACT}), "ingest.openapi.reader:OpenApiReader"
    ),
    LazyIngestor("stories", versions.STORIES, frozenset({Role.STORY}), "ingest.stories.reader:StoryReader"),
    LazyIngestor("pages", versions.PAGES, frozenset({Role.PAGE}), "ingest.pages:PageReader"),
    LazyIngestor(
        "gherkin", versions.GHERKIN, frozenset({Role.FEATURE}), "ingest.gherkin_features:GherkinReader"
    ),
    LazyIngestor("java", versions.JAVA, frozenset(), "ingest.java.reader:JavaReader", frozenset({".java"})),
)

BUILT_IN_JUDGES = (
    LazyJudge(
        "contract-validity",
        versions.CONTRACT_VALIDITY,
        frozenset({Role.CONTRACT}),
        "ingest.openapi.judge:ContractJudge",
    ),
)

_FLASK = (
    *("flask", "apiflask", "flask_smorest", "flask_restx", "flask_restplus", "flask_rebar", "flask_restful"),
    *("flask_openapi3", "quart"),
)
_DJANGO = ("django", "rest_framework", "ninja", "ninja_extra", "rest_framework_nested")

BUILT_IN_RESOLVERS = (
    LazyResolver(
        "fastapi", versions.FASTAPI, ("fastapi", "starlette"), "ingest.web.resolvers.fastapi:FastApiResolver"
    ),
    LazyResolver("flask", versions.FLASK, _FLASK, "ingest.web.resolvers.flask:FlaskResolver"),
    LazyResolver(
        "connexion",
        versions.CONNEXION,
        ("connexion", "foca"),
        "ingest.web.resolvers.connexion:ConnexionResolver",
    ),
    LazyResolver("aiohttp", versions.AIOHTTP, ("aiohttp",), "ingest.web.resolvers.aiohttp:AiohttpResolver"),
    LazyResolver(
        "litestar", versions.LITESTAR, ("litestar",), "ingest.web.resolvers.litestar:LitestarResolver"
    ),
    LazyResolver("django", versions.DJANGO, _DJANGO, "ingest.web.resolvers.django:DjangoResolver"),
)


BUILT_IN_GENERATORS = (
    "engine.generators.operations.contract:ContractGenerator",
    "engine.generators.operations.examples:ExamplesGenerator",
    "engine.generators.stories.criterion:CriterionGenerator",
    "engine.generators.functions.signature:SignatureGenerator",
    "engine.generators.functions.doctests:DoctestGenerator",
    "engine.generators.functions.laws:LawGenerator",
)


@cache
def _load(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)()


def ingestors() -> tuple[Ingestor, ...]:
    """Every reader: of an installed plug-in first, so that it may take over what a built-in one would read."""
    return (*_installed(INGESTORS), *BUILT_IN_INGESTORS)


def judges() -> tuple[Judge, ...]:
    """Every built-in judge."""
    return BUILT_IN_JUDGES


def resolvers() -> tuple[Resolver, ...]:
    """Every built-in resolver."""
    return BUILT_IN_RESOLVERS


def rules() -> tuple[Rule, ...]:
    """Every rule, in the order of their names. Raises ConfigurationError where two have one name."""
    from crossval.rules.registry import RULES as BUILT_IN

    everything = sorted((*BUILT_IN, *_installed(RULES)), key=lambda rule: rule.name)
    for one, other in itertools.pairwise(everything):
        if one.name == other.name:
            raise ConfigurationError(
                f"two rules are called {one.name}", "Uninstall the plug-in that brings the second one."
            )
    return tuple(everything)


def generators() -> tuple[Generator, ...]:
    """Every generator of tests: the built-in ones, then those of plug-ins."""
    return (*(_load(place) for place in BUILT_IN_GENERATORS), *_installed(GENERATORS))


def healers() -> tuple[Healer, ...]:
    """Every healer that needs no model: those of plug-ins first, since they know their project, then the built-in."""
    from healer.healers.registry import HEALERS as BUILT_IN

    return (*_installed(HEALERS), *BUILT_IN)


def preload() -> None:
    """Import every reader, resolver and rule now, which else happens when one is needed; for processes that stay."""
    for lazy in (*BUILT_IN_INGESTORS, *BUILT_IN_JUDGES, *BUILT_IN_RESOLVERS):
        _load(lazy.place)
    rules()
    import_module("crossval.validate")


def _installed(group: str) -> list[Any]:
    """What installed distributions offer under an entry-point group, in the order of their names.

    An entry point names an object, or a class that makes one. Raises ConfigurationError where one cannot be loaded.
    """
    if not is_offered(group):
        return []
    from importlib.metadata import entry_points

    found = []
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            thing = point.load()
            found.append(thing() if isinstance(thing, type) else thing)
        except Exception as error:
            distribution = point.dist.name if point.dist else "?"
            raise ConfigurationError(
                f"the plug-in {point.name} of {distribution} cannot be loaded: {type(error).__name__}: {error}",
                f"Uninstall or mend {distribution}.",
            ) from error
    return found


def is_offered(group: str) -> bool:
    """Whether some distribution may offer something under this group.

    Looking into the files takes a tenth of the time that importing `importlib.metadata` does; what cannot be looked
    into that way (an archive on the path) is left to it.
    """
    offered = offered_on(tuple(sys.path))
    return offered is None or f"[{group}]".encode() in offered
