"""The wheel puts one name into site-packages and works beside a project that uses the same folder names."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (built,) = place.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel; dependencies come from this one, but not what its .pth files add."""
    place = tmp_path_factory.mktemp("env")
    venv.create(place, with_pip=False)
    python = place / "bin" / "python"
    install = ["install", "-q", "--no-deps", "--no-index", "--disable-pip-version-check", str(wheel)]
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), *install], check=True, capture_output=True
    )
    (site,) = place.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    return place


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that has packages called engine and graph, with a stub that disagrees."""
    for name, text in {
        "engine/__init__.py": "",
        "engine/core.py": "from graph.nodes import count\n\n\ndef start(speed: int = 1) -> int:\n"
        "    return count() + speed\n",
        "engine/core.pyi": "def start(speed: int = 2) -> int: ...\n",
        "graph/__init__.py": "",
        "graph/nodes.py": "def count() -> int:\n    return 0\n",
        "test_engine.py": "from engine.core import start\n\n\ndef test_start() -> None:\n    assert start() == 1\n",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path


def test_the_wheel_holds_one_top_level_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
        names = archive.namelist()
    assert {top for top in tops if not top.endswith(".dist-info")} == {"crossfact"}
    for room in ("graph", "ingest", "crossval", "planner", "healer", "engine"):
        assert f"crossfact/_app/{room}/__init__.py" in names


def test_an_installed_crossfact_checks_a_project_with_folders_of_the_same_names(
    environment: Path, project: Path
) -> None:
    result = subprocess.run(
        [str(environment / "bin" / "crossfact"), "check", "--format", "json"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1, result.stderr
    (finding,) = json.loads(result.stdout)["findings"]
    assert (finding["rule"], finding["subject"]) == (
        "argument-default-mismatch",
        "function engine.core.start",
    )


def test_an_installed_crossfact_has_the_template_of_the_page(environment: Path, project: Path) -> None:
    command = [str(environment / "bin" / "crossfact"), "check", "--format", "html", "--output", "report.html"]
    result = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stderr
    page = (project / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and "argument-default-mismatch" in page


def test_the_projects_own_packages_are_imported_in_that_environment(environment: Path, project: Path) -> None:
    result = subprocess.run(
        [
            str(environment / "bin" / "python"),
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "test_engine.py",
        ],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in result.stdout, result.stdout + result.stderr
