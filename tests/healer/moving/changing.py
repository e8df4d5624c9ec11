"""Two revisions of a small project in a store, for tests of what happened between them."""

from __future__ import annotations

from collections.abc import Mapping

from graph.changes import Changes, changes
from graph.facts import Extract
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer
from healer.movements import Movement
from healer.moving.telling import movements
from ingest.change_lists import is_list_of_changes
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.pages import PageReader
from ingest.python.reader import PythonReader
from ingest.python.tests import PythonTestReader
from ingest.stories.reader import StoryReader


def stored(*revisions: Mapping[str, str]) -> Store:
    """A store with one revision for each mapping of paths to texts."""
    store = Store.open(None)
    known: set[str] = set()
    for files in revisions:
        writer = Writer(store)
        with writer.transaction():
            writer.retract(sorted(known - files.keys()))
            for path, text in files.items():
                extract, module = read(path, text)
                writer.replace(Owner(name=path, reader="test", role="python", module=module), extract)
        store.publish()
        known = set(files)
    return store


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> Changes:
    """What happened to the facts from the one to the other."""
    store = stored(before, after)
    try:
        return changes(store, 1, 2) if store.revision == 2 else Changes((), (), ())
    finally:
        store.close()


def moved(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Movement, ...]:
    """The movements from the one to the other."""
    return movements(changed(before, after), after.get, before.get)


def read(path: str, text: str) -> tuple[Extract, str]:
    """What the reader of a file takes from it, and the module that it is."""
    name = path.rpartition("/")[2]
    module = path.removesuffix("i").removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    if path.endswith(".pyi"):
        return PythonReader().read(Document(path=path, role=Role.STUB, text=text, module=module)), module
    if path.endswith(".rst") or is_list_of_changes(path):
        return PageReader().read(Document(path=path, role=Role.PAGE, text=text)), ""
    if path.endswith(".md"):
        return StoryReader().read(Document(path=path, role=Role.STORY, text=text)), ""
    if path.endswith((".yaml", ".json")):
        return OpenApiReader().read(Document(path=path, role=Role.CONTRACT, text=text)), ""
    if name.startswith("test_") or name == "conftest.py":
        document = Document(path=path, role=Role.TEST, text=text, module=module)
        return PythonTestReader().read(document), module
    return PythonReader().read(Document(path=path, role=Role.PYTHON, text=text, module=module)), module
