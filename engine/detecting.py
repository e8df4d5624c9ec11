"""What a project has, as far as crossfact can see: specs, code, frameworks, applications, tests, source roots."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from crossval.link.definitions.docstrings import docstrings_tell
from engine.generators.applications.application import applications
from engine.generators.applications.django_sites import settings_of_site
from engine.plugins import BUILT_IN_RESOLVERS
from engine.project import Project, Tell, refresh
from graph.facts import Kind, Skipped, Tag
from graph.store.store import Store
from ingest.ingestor import Role
from planner.functions.cases import function_cases


class Detected(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen. Paths are relative to the project's root.

    `frameworks` has, for each package of a web framework, how many modules import it; `applications` the places of
    applications (`todo.main:app`, `shop:create_app()`) with their frameworks; `site` the settings of a site of Django
    that has only a `manage.py`, else empty; `source_roots` the folders that module names begin below, other than the
    root itself. `docstrings` is whether some describe a parameter or claim something; `testable`, in a project without
    other specs, whether tests can be made of what docstrings and pages show.
    """

    contracts: tuple[str, ...]
    stories: tuple[str, ...]
    features: tuple[str, ...]
    stubs: tuple[str, ...]
    code: tuple[str, ...]
    tests: tuple[str, ...]
    source_roots: tuple[str, ...]
    frameworks: dict[str, int]
    applications: dict[str, str]
    site: str
    operations: dict[str, int]
    criteria: int
    test_functions: int
    commits: int
    docstrings: bool
    testable: bool
    skipped: tuple[Skipped, ...]

    @property
    def specs(self) -> tuple[str, ...]:
        """All files that say what the system should do."""
        return (*self.contracts, *self.stories, *self.features, *self.stubs)


def detect(project: Project, *, tell: Tell) -> Detected:
    """Read the project's files into its store and say what there is."""
    refreshed = refresh(project, tell=tell)
    store = project.store
    files: dict[str, list[str]] = {}
    for name, owner in sorted(store.owners().items()):
        files.setdefault(owner.role, []).append(name)
    counts = store.counts()

    def said(tag: Tag, kind: Kind) -> int:
        return counts.get(tag, {}).get(kind, 0)

    contracts, features, stubs = (
        tuple(files.get(role, ())) for role in (Role.CONTRACT, Role.FEATURE, Role.STUB)
    )
    stories = _with_facts(store, files.get(Role.STORY, ()))
    silent = not (contracts or stories or features or stubs)
    return Detected(
        contracts=contracts,
        stories=stories,
        features=features,
        stubs=stubs,
        code=tuple(files.get(Role.PYTHON, ())),
        tests=tuple(files.get(Role.TEST, ())),
        source_roots=_source_roots(store),
        frameworks=_frameworks(store),
        applications=(made := applications(store)),
        site="" if made else settings_of_site(store),
        operations={tag: said(tag, Kind.OPERATION) for tag in (Tag.SPEC, Tag.CODE)},
        criteria=said(Tag.SPEC, Kind.CRITERION),
        test_functions=said(Tag.TEST, Kind.TEST),
        commits=said(Tag.CODE, Kind.COMMIT),
        docstrings=docstrings_tell(store),
        testable=silent and next(function_cases(store), None) is not None,
        skipped=refreshed.skipped,
    )


def folders(paths: Sequence[str]) -> dict[str, int]:
    """How many of these files lie in each folder, the fullest first."""
    found: dict[str, int] = {}
    for path in paths:
        folder = path.rpartition("/")[0] or "."
        found[folder] = found.get(folder, 0) + 1
    return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))


def _with_facts(store: Store, paths: Sequence[str]) -> tuple[str, ...]:
    """The files among these in which a story was found."""
    kinds = {Kind.STORY, Kind.CRITERION}
    telling = {fact.source.path for fact in store.facts(tag=Tag.SPEC, kinds=kinds)}
    return tuple(path for path in paths if path in telling)


def _frameworks(store: Store) -> dict[str, int]:
    packages = {package for resolver in BUILT_IN_RESOLVERS for package in resolver.packages}
    found = {package: len(store.importing((package,), Role.PYTHON)) for package in sorted(packages)}
    return {package: count for package, count in found.items() if count}


def _source_roots(store: Store) -> tuple[str, ...]:
    """What a module's path has beyond its name."""
    found = set()
    for path, owner in store.owners().items():
        if owner.role != Role.PYTHON or not owner.module:
            continue
        own = owner.module.replace(".", "/")
        place = path.removesuffix(".py").removesuffix("/__init__")
        if place.endswith(f"/{own}"):
            found.add(place.removesuffix(f"/{own}"))
    return tuple(sorted(found))
