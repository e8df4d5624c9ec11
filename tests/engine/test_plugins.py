"""Another distribution adds a reader and a rule by entry points, without touching crossfact."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection
from importlib import import_module
from pathlib import Path

import pytest

from engine.plugins import (
    BUILT_IN_INGESTORS,
    BUILT_IN_JUDGES,
    BUILT_IN_RESOLVERS,
    LazyResolver,
    preload,
)
from graph.facts import Extract
from ingest.ingestor import Document
from tests import commands
from tests.commands import surroundings

ROOT = Path(__file__).parent.parent.parent

PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "crossfact-duties"
version = "1.0"

[project.entry-points."crossfact.ingestors"]
duties = "duties:DutyReader"

[project.entry-points."crossfact.rules"]
duty-unmet = "duties:duty_unmet"

[tool.hatch.build.targets.wheel]
only-include = ["duties.py"]
"""

MODULE = '''\
"""Reads .duty files, of which each line names a function that must exist, and says which do not."""

from crossval.findings import FindingKind, Severity
from crossval.rules.rule import rule
from graph.facts import Extract, Fact, Kind, Location, Tag


class DutyReader:
    name, version, roles, suffixes = "duties", 1, frozenset(), frozenset({".duty"})

    def read(self, document):
        return Extract(
            facts=[
                Fact(tag=Tag.SPEC, kind=Kind.STORY, key=line, name=line, source=Location(document.path, number, number),
                     aspects={"title": line, "explicit_id": True})
                for number, line in enumerate(document.text.split("\\n"), start=1) if line
            ]
        )


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, kind=FindingKind.GAP)
def duty_unmet(pair):
    """A function differs from its stub, and duties weigh that heavily.

    ## Why it matters
    Duties.

    ## How to fix
    Meet them.
    """
    for difference in pair.changed("default"):
        yield pair.differs(difference, "A duty is unmet")
    if pair.code is None:
        yield pair.missing(f"{pair.name} is a duty, and unmet")
'''


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("plugin")
    (source / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (source / "duties.py").write_text(MODULE, encoding="utf-8")
    site = tmp_path_factory.mktemp("site")
    install = [
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--no-build-isolation",
        "--disable-pip-version-check",
    ]
    subprocess.run(
        [sys.executable, "-m", "pip", *install, "--target", str(site), str(source)],
        check=True,
        capture_output=True,
    )
    return site


def crossfact(project: Path, site: Path | None, *arguments: str) -> subprocess.CompletedProcess[str]:
    places = f"{site}{os.pathsep}{ROOT}" if site else str(ROOT)
    return commands.crossfact(project, *arguments, environment=surroundings(PYTHONPATH=places))


def test_an_installed_distribution_adds_a_reader_and_a_rule(tmp_path: Path, site: Path) -> None:
    """CF-5.1"""
    (tmp_path / "shop.pyi").write_text("def pay() -> int: ...\ndef owe() -> int: ...\n", encoding="utf-8")
    (tmp_path / "shop.py").write_text("def pay() -> int:\n    return 1\n", encoding="utf-8")
    (tmp_path / "all.duty").write_text("shop.pay\n\nshop.owe\n", encoding="utf-8")
    facts = crossfact(tmp_path, site, "facts", "--path", "*.duty", "--json")
    assert [fact["id"] for fact in json.loads(facts.stdout)] == ["spec:story:shop.owe", "spec:story:shop.pay"]
    checked = crossfact(tmp_path, site, "check", "--format", "json", "--select", "duty-unmet")
    assert [finding["rule"] for finding in json.loads(checked.stdout)["findings"]] == ["duty-unmet"]
    assert "duty-unmet" in crossfact(tmp_path, site, "rules").stdout
    assert "Meet them." in crossfact(tmp_path, site, "explain", "duty-unmet").stdout


def test_without_it_its_files_and_facts_are_gone(tmp_path: Path, site: Path) -> None:
    (tmp_path / "shop.py").write_text("def pay() -> int:\n    return 1\n", encoding="utf-8")
    (tmp_path / "all.duty").write_text("shop.pay\n", encoding="utf-8")
    assert "spec:story:shop.pay" in crossfact(tmp_path, site, "facts").stdout
    assert "spec:story:shop.pay" not in crossfact(tmp_path, None, "facts").stdout


def test_a_plug_in_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken-1.0.dist-info").mkdir()
    (tmp_path / "broken-1.0.dist-info" / "METADATA").write_text(
        "Name: broken\nVersion: 1.0\n", encoding="utf-8"
    )
    (tmp_path / "broken-1.0.dist-info" / "entry_points.txt").write_text(
        "[crossfact.rules]\nbad = nowhere:rule\n", encoding="utf-8"
    )
    result = crossfact(tmp_path, tmp_path, "rules")
    assert result.returncode == 2
    assert "the plug-in bad of broken cannot be loaded: ModuleNotFoundError" in result.stderr
    assert "Traceback" not in result.stderr


def test_what_is_declared_of_a_lazy_reader_is_what_it_says_itself() -> None:
    for lazy in (*BUILT_IN_INGESTORS, *BUILT_IN_JUDGES, *BUILT_IN_RESOLVERS):
        module, _, name = lazy.place.partition(":")
        real = getattr(import_module(module), name)()
        assert (lazy.name, lazy.version) == (real.name, real.version)
        assert getattr(lazy, "roles", None) == getattr(real, "roles", None)
        assert getattr(lazy, "suffixes", frozenset()) == getattr(real, "suffixes", frozenset())


class Empty:
    """A project without modules, which notes the first packages that it is asked about."""

    def __init__(self) -> None:
        self.asked: tuple[str, ...] = ()

    def importers(self, packages: Collection[str]) -> tuple[str, ...]:
        self.asked = self.asked or tuple(packages)
        return ()

    def document(self, module: str) -> Document | None:
        return None


@pytest.mark.parametrize("lazy", BUILT_IN_RESOLVERS, ids=lambda lazy: lazy.name)
def test_a_lazy_resolver_is_loaded_for_just_the_packages_that_it_looks_for(lazy: LazyResolver) -> None:
    module, _, name = lazy.place.partition(":")
    project = Empty()
    assert getattr(import_module(module), name)().resolve(project) == Extract()
    assert sorted(project.asked) == sorted(lazy.packages)


def test_a_process_that_stays_can_load_everything_at_once() -> None:
    preload()
    lazy = (*BUILT_IN_INGESTORS, *BUILT_IN_JUDGES, *BUILT_IN_RESOLVERS)
    assert {each.place.partition(":")[0] for each in lazy} <= set(sys.modules)
    assert {"crossval.validate", "crossval.rules.registry"} <= set(sys.modules)
