"""The modules of a program: those of the project, and those of installed distributions to which its code leads."""

from __future__ import annotations

import ast
from collections.abc import Collection, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from graph.facts import Location
from ingest.ingestor import Document
from ingest.resolver import Project, Publishing
from ingest.web.program.outside import Outside, Reach
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.syntax.memory import Memory
from ingest.web.syntax.module_places import Places
from ingest.web.syntax.modules import Module, parse
from ingest.web.syntax.scopes import Scope

_FEW: Final = 1_000
"""So many syntax trees are kept whatever they were needed for: to make one again takes longer than it is worth."""


class Sources(Memory):
    """Modules that are parsed when first needed; each look at one is noted.

    With `outside`, installed distributions may be read too, as far as that reaches.
    """

    def __init__(self, project: Project, outside: Reach | None = None) -> None:
        super().__init__()
        self._project = project
        self._modules: dict[str, Module | None] = {}
        self._documents: dict[str, Document | None] = {}
        self._places = Places(project)
        self.outside = Outside(project, outside)

    def importers(self, packages: Collection[str]) -> list[Module]:
        """The modules that import any of these packages, in the order of their names."""
        return [m for name in self.importers_named(packages) if (m := self.module(name)) is not None]

    def importers_named(self, packages: Collection[str]) -> tuple[str, ...]:
        """The names of the modules that import any of these packages or modules, unparsed."""
        alike = ("quart",) if "flask" in packages and "quart" not in packages else ()
        return self._project.importers((*packages, *alike))

    def uses(self, packages: Collection[str]) -> bool:
        """Whether the project, or what it was seen to take from installed distributions, imports any of these."""
        return bool(self.importers_named(packages)) or self.outside.imports(packages)

    def entry_points(self, group: str) -> tuple[tuple[str, str], ...]:
        """The entry points of the project itself in a group, as names with what they stand for."""
        return self._project.entry_points(group) if isinstance(self._project, Publishing) else ()

    def text(self, name: str) -> str:
        """The source of a module, unparsed; empty where there is no such module."""
        document = self._document(name)
        return document.text if document else ""

    def module(self, name: str) -> Module | None:
        """The project's module with this dotted name."""
        if name not in self._modules:
            document = self._document(name) if name else None
            known = document is None or document.module in ("", name)
            parsed = self._parsed(document) if document is not None and known else None
            self._modules[name] = parsed if known or document is None else self.module(document.module)
        module = self._modules[name]
        if module is not None:
            self.saw(module.path)
        return module

    def passing(self, name: str) -> tuple[Module | None, bool]:
        """The module of this name for a look in passing, and whether it is kept, as one is that was needed before, and
        as all are where there are few."""
        passing = name and name not in self._modules and len(self._modules) >= _FEW
        document = self._document(name) if passing else None
        if document is None or document.module not in ("", name):
            return self.module(name), True
        return parse(document), False

    def keep_module(self, name: str, module: Module) -> None:
        """Makes a module that was looked at in passing the one of its name."""
        self._modules.setdefault(name, module)

    @contextmanager
    def standing_in(self, module: Module) -> Iterator[None]:
        """A block in which a module stands for the one of its name, if nobody needed that yet."""
        unknown = module.name not in self._modules
        self._modules.setdefault(module.name, module)
        try:
            yield
        finally:
            if unknown:
                del self._modules[module.name]

    def _parsed(self, document: Document) -> Module:
        """The module of a document, parsed once for all resolvers of a run."""
        shared: dict[Hashable, Module] | None = getattr(self._project, "shared", None)
        if shared is None:
            return parse(document)
        key = (document.path, document.module, document.text)
        if key not in shared:
            shared[key] = parse(document)
        return shared[key]

    def _document(self, name: str) -> Document | None:
        if name not in self._documents:
            self._documents[name] = self._places.document(name)
        return self._documents[name]

    @property
    def modules(self) -> list[Module]:
        """The modules that were parsed so far, by name."""
        return [module for name, module in sorted(self._modules.items()) if module and module.name == name]

    def is_outside(self, scope: Scope) -> bool:
        """Whether a scope is one of an installed distribution."""
        return scope.path in self.outside.standing

    def saw(self, path: str) -> None:
        """See `Memory.saw`; what is read of installed modules counts as read where the project leads to it."""
        place = self.outside.standing.get(path)
        self._trails[-1].add(path if place is None else place.path)

    def own(self, paths: Iterable[str]) -> set[str]:
        """The files of the project among these, and those that lead to the others."""
        return {self._own(path) for path in paths}

    def _own(self, path: str) -> str:
        place = self.outside.standing.get(path)
        return path if place is None else place.path

    def near(self, name: str, scope: Scope) -> Module | None:
        """The module of this name as code in a scope knows it: installed code knows installed modules."""
        place = self.outside.standing.get(scope.path)
        return self.module(name) if place is None else self.outside.module(name, place)

    def outside_module(self, name: str, scope: Scope) -> Module | None:
        """The installed module of this name, to which this scope of an installed distribution leads."""
        place = self.outside.standing.get(scope.path)
        return self.outside.module(name, place) if place is not None else None

    def package(self, target: Target | None) -> str:
        """The top-level package of another distribution that something comes from; empty where the project has it."""
        if isinstance(target, External):
            return target.root
        if isinstance(target, ClassTarget | FunctionTarget) and self.is_outside(target.scope):
            return target.scope.module.partition(".")[0]
        return ""

    def source(self, scope: Scope) -> str:
        """The file of the project that tells what is read in a scope."""
        return self._own(scope.path)

    def installed(self, name: str, place: Location) -> Module | None:
        """The module of this name of an installed distribution; `place` is where the project leads to it."""
        return self.outside.module(name, place)

    def module_of(self, scope: Scope) -> Module | None:
        """The module in which a scope lies."""
        return self.near(scope.module, scope)

    def place(self, node: ast.AST, scope: Scope) -> Location:
        """Where a node stands, as first and last line of its file."""
        if (place := self.outside.standing.get(scope.path)) is not None:
            return place
        line = getattr(node, "lineno", 1)
        return Location(scope.path, line, getattr(node, "end_lineno", None) or line)
