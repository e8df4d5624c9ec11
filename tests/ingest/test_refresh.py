"""Reading only what changed gives byte for byte what reading everything gives."""

from __future__ import annotations

import shutil
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.plugins import ingestors, judges, resolvers
from graph.facts import Extract, Skipped
from graph.store.store import Store
from ingest.discovery.scope import Scope
from ingest.discovery.walk import discover
from ingest.ingestor import Document, Role
from ingest.judging import Judging
from ingest.refresh import Surroundings, refresh_files
from ingest.resolving import refresh_resolved

CONTENTS = {
    "app/main.py": (
        "from fastapi import FastAPI\nfrom app.books import router\n\napp = FastAPI()\napp.include_router(router)\n",
        "from fastapi import FastAPI\nfrom app.books import router\n\n\napp = FastAPI()\n"
        "app.include_router(router, prefix='/v1')\n",
        "def broken(:\n    pass\n\ndef fine() -> int:\n    return 1\n",
    ),
    "app/books.py": (
        "from fastapi import APIRouter, HTTPException\n\nrouter = APIRouter()\n\n@router.get('/books/{id}')\n"
        "def book(id: int) -> str:\n    raise HTTPException(404)\n",
        "from fastapi import APIRouter\nfrom app.models import Book\n\nrouter = APIRouter()\n\n"
        "@router.get('/books')\ndef books() -> list[Book]:\n    return []\n",
        "",
    ),
    "app/models.py": (
        "from pydantic import BaseModel\n\nclass Book(BaseModel):\n    title: str\n    pages: int = 1\n",
        "from pydantic import BaseModel\n\nclass Book(BaseModel):\n    title: str | None = None\n",
    ),
    "app/__init__.py": ("", "from app.models import Book\n__all__ = ['Book']\n"),
    "other/models.py": ("class Book: ...\n", "LIMIT = 3\n"),
    "openapi.yaml": (
        "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /books:\n    get:\n      responses:\n"
        "        '200':\n          description: ok\n          content:\n            application/json:\n"
        "              schema: {$ref: 'parts.yaml#/Book'}\n",
        "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /books:\n    get:\n      responses:\n"
        "        '204': {description: none}\n",
        "openapi: [\n",
    ),
    "second.yaml": (
        "openapi: 3.0.0\ninfo: {title: t, version: '1'}\npaths:\n  /books:\n    get:\n      responses:\n"
        "        '200': {description: ok}\n",
        "openapi: 3.0.0\ninfo: {title: t, version: '1'}\npaths:\n  /books:\n    get:\n"
        "      operationId: app.books.book\n      responses:\n        '200': {description: ok}\n",
    ),
    "served.py": (
        "import connexion\n\napp = connexion.App(__name__)\napp.add_api('second.yaml')\n",
        "import connexion\n\napp = connexion.App(__name__)\napp.add_api('openapi.yaml', base_path='/b')\n",
    ),
    "parts.yaml": (
        "Book: {type: object, properties: {title: {type: string}}}\n",
        "Book:\n  type: object\n  properties:\n    pages: {type: integer}\n",
    ),
    "stories.md": (
        "# US-1 Buy\nAs a reader I want to buy so that I can read.\n\n## Acceptance criteria\n- It works.\n",
        "# Notes\nNothing here.\n",
    ),
    "tests/test_books.py": ("def test_books(client):\n    assert client.get('/books').status_code == 200\n",),
    "app/books.pyi": ("def books() -> list: ...\n", "def book(id: int) -> str: ...\n"),
}

Edit = tuple[str, int]
edits = st.lists(
    st.lists(
        st.sampled_from(sorted(CONTENTS)).flatmap(
            lambda path: st.tuples(st.just(path), st.integers(-1, len(CONTENTS[path]) - 1))
        ),
        min_size=1,
        max_size=4,
    ),
    min_size=1,
    max_size=4,
)


def bring_up_to_date(root: Path, store: Store) -> int:
    listing = discover(root, Scope())
    parsed = refresh_files(root, listing, store, ingestors(), Surroundings())
    judging = Judging(root, store, judges(), Surroundings())
    refresh_resolved(root, listing, store, resolvers())
    judging.finish()
    store.publish()
    return parsed


def everything(store: Store) -> bytes:
    """All that the store says, in one canonical form."""
    said = [
        [(fact.id, fact) for fact in store.facts()],
        list(store.relations()),
        store.notes(),
        sorted((owner.name, owner.digest, owner.role, owner.module) for owner in store.owners().values()),
    ]
    return msgspec.json.encode(said, order="deterministic")


def apply(root: Path, edit: Edit) -> None:
    path, number = edit
    if number < 0:
        (root / path).unlink(missing_ok=True)
        return
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(CONTENTS[path][number], encoding="utf-8")


@given(edits)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_incremental_equals_cold(steps: list[list[Edit]]) -> None:
    """CF-3.2"""
    root = Path(tempfile.mkdtemp())
    try:
        store = Store.open(None)
        for step in steps:
            for edit in step:
                apply(root, edit)
            bring_up_to_date(root, store)
            cold = Store.open(None)
            bring_up_to_date(root, cold)
            assert everything(store) == everything(cold)
            cold.close()
        store.close()
    finally:
        shutil.rmtree(root)


def project(root: Path, **files: str) -> Path:
    for name, text in files.items():
        (root / f"{name}.py").write_text(text, encoding="utf-8")
    return root


def test_an_unchanged_file_is_not_parsed_again(tmp_path: Path) -> None:
    """CF-3.1"""
    project(tmp_path, shop="def pay(): ...\n")
    store = Store.open(None)
    assert bring_up_to_date(tmp_path, store) == 1
    assert bring_up_to_date(tmp_path, store) == 0


def test_a_touched_file_with_equal_content_is_not_parsed_again(tmp_path: Path) -> None:
    project(tmp_path, shop="def pay(): ...\n")
    store = Store.open(None)
    bring_up_to_date(tmp_path, store)
    revision = store.revision
    project(tmp_path, shop="def pay(): ...\n")
    assert bring_up_to_date(tmp_path, store) == 0
    assert store.revision == revision


def test_a_renamed_file_leaves_nothing_behind(tmp_path: Path) -> None:
    project(tmp_path, shop="def pay(): ...\n")
    store = Store.open(None)
    bring_up_to_date(tmp_path, store)
    (tmp_path / "shop.py").rename(tmp_path / "store.py")
    bring_up_to_date(tmp_path, store)
    assert {fact.source.path for fact in store.facts()} == {"store.py"}
    assert "code:function:store.pay" in {fact.id for fact in store.facts()}


def test_two_runs_over_one_tree_say_the_same_with_or_without_a_pool(tmp_path: Path) -> None:
    body = "".join(f"def f{i}(a: int = {i}) -> int:\n    return f{i}(a)\n\n" for i in range(100))
    padding = ("#" * 79 + "\n") * 2_000  # enough bytes for a pool to be worth it
    project(tmp_path, **{f"m{n}": body + padding for n in range(16)})
    one, other = Store.open(None), Store.open(None)
    bring_up_to_date(tmp_path, one)
    listing = discover(tmp_path, Scope())
    pool = Surroundings(executor=lambda: ProcessPoolExecutor(2))
    refresh_files(tmp_path, listing, other, ingestors(), pool)
    refresh_resolved(tmp_path, listing, other, resolvers())
    other.publish()
    assert everything(one) == everything(other)


class Deadly:
    """A reader that kills its process on one kind of text."""

    name, version, roles = "deadly", 1, frozenset({Role.PYTHON})

    def read(self, document: Document) -> Extract:
        if "die" in document.text[:10]:
            import os

            os._exit(1)
        return Extract()


def test_a_file_that_kills_its_reader_is_skipped_and_the_rest_is_read(tmp_path: Path) -> None:
    padding = "#" * 79 + "\n"
    project(tmp_path, bad="# die\n" + padding * 10_000, good=padding * 10_000, fine=padding * 10_000)
    store = Store.open(None)
    listing = discover(tmp_path, Scope())
    pool = Surroundings(executor=lambda: ProcessPoolExecutor(2))
    refresh_files(tmp_path, listing, store, (Deadly(),), pool)
    assert [(s.path, "died" in s.reason) for s in store.notes().skipped] == [("bad.py", True)]
    assert store.owners()["good.py"].digest


class Growing:
    """A reader of stories, of any version."""

    name, roles = "growing", frozenset({Role.STORY})

    def __init__(self, version: int) -> None:
        self.version = version

    def read(self, document: Document) -> Extract:
        return Extract(skipped=[Skipped(document.path, 0, f"read by version {self.version}")])


def test_a_file_that_no_reader_took_is_looked_at_again_by_a_new_version(tmp_path: Path) -> None:
    """What earlier versions saw no story in may be one for the next."""
    (tmp_path / "plain.md").write_text("# Nothing of interest\n")
    store = Store.open(None)
    listing = discover(tmp_path, Scope())
    marks = []
    for version in (1, 1, 2):
        refresh_files(tmp_path, listing, store, (Growing(version),), Surroundings())
        marks.append(store.owners()["plain.md"].reader)
    assert marks[0] == marks[1] != marks[2]
