"""Where the module of a dotted name lies in a project."""

from __future__ import annotations

import re
import sys
from typing import Final

from ingest.discovery.modules import CUSTOMARY
from ingest.ingestor import Document
from ingest.resolver import Project

_SCRIPTED: Final = ("django",)
_SCRIPT: Final = ".manage"
_SERVED: Final = ("aiohttp", "connexion", "fastapi", "flask", "litestar", "quart", "starlette", "uvicorn")
_STARTED: Final = frozenset(
    {"__main__", "api", "app", "application", "asgi", "main", "run", "server", "wsgi"}
)


class Places:
    """Finds the modules of one project by the names that its code calls them."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._started: tuple[str, ...] | None = None
        self._served: tuple[str, ...] | None = None

    def document(self, name: str) -> Document | None:
        """The code of the module of this name; None where the project has none."""
        return self._project.document(name) or self._in_namespace(name) or self._beside_script(name)

    def _in_namespace(self, name: str) -> Document | None:
        """The module of this name whose first packages have no `__init__`, so that the project knows it without them:
        all down to a folder that by custom holds packages (`app.lib.database`)."""
        parts, place = name.split("."), name.replace(".", "/")
        kept = [at for at in range(len(parts) - 1, 1, -1) if parts[at - 1] in CUSTOMARY]
        for at in (*kept, 1) if len(parts) > 1 else ():
            found = self._project.document(".".join(parts[at:]))
            if found is not None and f"/{found.path}".endswith((f"/{place}.py", f"/{place}/__init__.py")):
                return found
        return None

    def _beside_script(self, name: str) -> Document | None:
        """The module of this name that lies beside a `manage.py` within a package: Python looks there first."""
        if self._started is None:
            scripts = self._project.importers(_SCRIPTED)
            self._started = tuple(each.removesuffix(_SCRIPT) for each in scripts if each.endswith(_SCRIPT))
        found = [self._project.document(f"{package}.{name}") for package in self._started]
        return next((document for document in found if document is not None), None)

    def beside_start(self, name: str, here: str) -> Document | None:
        """The module that an absolute import in the module `here` means, where the application of the package around it
        is started from its own folder (`cd app; uvicorn main:app`): Python looks there first.

        A module that imports what it is called like itself (`app/redis.py` with `import redis`) is not meant.
        """
        first = name.partition(".")[0]
        if not first or first in sys.stdlib_module_names:
            return None
        for package in self._packages_served():
            if here.startswith(f"{package}."):
                around = self._project.document(f"{package}.{first}")
                if around is not None and re.search(
                    rf"^\s*(?:from|import)\s+{first}\b", around.text, re.MULTILINE
                ):
                    continue
                if (found := self._project.document(f"{package}.{name}")) is not None:
                    return found
        return None

    def _packages_served(self) -> tuple[str, ...]:
        """The packages in which a module lies that applications are started by, the innermost first."""
        if self._served is None:
            named = (each.rpartition(".") for each in self._project.importers(_SERVED))
            found = {package for package, _, module in named if package and module in _STARTED}
            self._served = tuple(sorted(found, key=lambda package: (-package.count("."), package)))
        return self._served
