"""Routers that a project loads by its own entry points are read with it, and again when these change."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.plugins import BUILT_IN_INGESTORS, BUILT_IN_RESOLVERS
from graph.facts import Kind, Tag
from graph.store.store import Store
from ingest.discovery.entry_points import entry_points_of
from ingest.discovery.walk import discover
from ingest.refresh import Surroundings, refresh_files
from ingest.resolving import refresh_resolved

MAIN = """
from importlib.metadata import entry_points
from fastapi import FastAPI

GROUP = "shop.routers"
app = FastAPI()
for entry in entry_points(group="shop.routers"):
    router = entry.load()
    app.include_router(router, prefix=f"/{entry.name}")
for made in [each.load() for each in sorted(entry_points().select(group=GROUP), key=lambda each: each.name)]:
    app.include_router(made, prefix="/again")
for entry in entry_points(group="shop.makers"):
    make = entry.load()
    app.include_router(make(), prefix="/made")
for entry in entry_points(group=chosen()):
    app.include_router(entry.load(), prefix="/unknown")
"""
BOOKS = """
from fastapi import APIRouter

router = APIRouter()

@router.get("/books")
def books(): ...

def make():
    made = APIRouter()
    @made.get("/one")
    def one(): ...
    return made
"""
TOML = """
[project.entry-points."shop.routers"]
shop = "shop.books:router"
other = "elsewhere.books:router"
[tool.poetry.plugins."shop.makers"]
make = "shop.books:make"
"""
CFG = """
[options.entry_points]
shop.routers =
    shop = shop.books:router
shop.makers =
    make = shop.books:make
"""
SETUP = """
from setuptools import setup

setup(name="shop", entry_points={"shop.routers": ["shop = shop.books:router"], "shop.makers": "make = shop.books:make"})
"""


@pytest.mark.parametrize("name, text", [("pyproject.toml", TOML), ("setup.cfg", CFG), ("setup.py", SETUP)])
def test_entry_points_of_the_project_itself_are_loaded(tmp_path: Path, name: str, text: str) -> None:
    project = of(tmp_path, {"shop/main.py": MAIN, "shop/books.py": BOOKS, name: text})
    assert operations(project, Store.open(None)) == [
        "ANY /unknown",
        "GET /again/books",
        "GET /made/one",
        "GET /shop/books",
    ]


def test_a_changed_declaration_is_seen(tmp_path: Path) -> None:
    project = of(tmp_path, {"shop/main.py": MAIN, "shop/books.py": BOOKS, "pyproject.toml": TOML})
    store = Store.open(None)
    operations(project, store)
    (project / "pyproject.toml").write_text(TOML.replace("shop =", "sold ="))
    assert "GET /sold/books" in operations(project, store)


def test_distributions_within_a_project_have_entry_points_of_their_own(tmp_path: Path) -> None:
    project = of(tmp_path, {"parts/books/src/shop/books.py": BOOKS, "parts/books/pyproject.toml": TOML})
    found = entry_points_of(project, ["parts/books/src/shop/books.py"], "shop.routers")
    assert found == (("other", "elsewhere.books:router"), ("shop", "shop.books:router"))


@pytest.mark.parametrize("name", ["pyproject.toml", "setup.cfg", "setup.py"])
def test_what_is_no_project_file_declares_nothing(tmp_path: Path, name: str) -> None:
    project = of(tmp_path, {name: "[project\n= '"})
    assert entry_points_of(project, ["shop/main.py"], "shop.routers") == ()


def of(folder: Path, files: dict[str, str]) -> Path:
    """A project of these files."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def operations(project: Path, store: Store) -> list[str]:
    """The operations of a project, read into a store."""
    listing = discover(project)
    refresh_files(project, listing, store, BUILT_IN_INGESTORS, Surroundings())
    refresh_resolved(project, listing, store, BUILT_IN_RESOLVERS)
    store.publish()
    return sorted(fact.key for fact in store.facts(tag=Tag.CODE) if fact.kind is Kind.OPERATION)
