"""Where the module of a dotted name lies in a project."""

from __future__ import annotations

from typing import Final

from ingest.ingestor import Document
from ingest.resolver import Project

_SCRIPTED: Final = ("django",)
_SCRIPT: Final = ".manage"


class Places:
    """Finds the modules of one project by the names that its code calls them."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._started: tuple[str, ...] | None = None

    def document(self, name: str) -> Document | None:
        """The code of the module of this name; None where the project has none."""
        return self._project.document(name) or self._in_namespace(name) or self._beside_script(name)

    def _in_namespace(self, name: str) -> Document | None:
        """The module of this name whose first package has no `__init__`, so that the project knows it without it."""
        found = self._project.document(name.partition(".")[2]) if "." in name else None
        place = name.replace(".", "/")
        if found is None or not f"/{found.path}".endswith((f"/{place}.py", f"/{place}/__init__.py")):
            return None
        return found

    def _beside_script(self, name: str) -> Document | None:
        """The module of this name that lies beside a `manage.py` within a package: Python looks there first."""
        if self._started is None:
            scripts = self._project.importers(_SCRIPTED)
            self._started = tuple(each.removesuffix(_SCRIPT) for each in scripts if each.endswith(_SCRIPT))
        found = [self._project.document(f"{package}.{name}") for package in self._started]
        return next((document for document in found if document is not None), None)
