"""Fetches the packages of packages.toml and keeps of each its code and its tests, as a small project."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.drift.environment import environment, source_distribution
from benchmarks.healing.sources import Sources
from ingest.change_lists import is_list_of_changes

HERE = Path(__file__).parent
WORK = HERE.parent / ".work"
FOLDER = WORK / "healing"
# Stubs that a package brings would speak against every refactoring that does not move them along.
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", "*.pyi")


class Subject(NamedTuple):
    """A package as a project in `root`: `source` is the package's folder, `tests` are the targets of pytest.

    `environment` is the list of packages.toml that says what its suite needs. `published` are the stubs of the package
    that a distribution of stubs has, by path; bugs have them beside them instead of stubs that are written here.
    `pages` are its README and manual, which bugs without stubs have beside them.
    """

    name: str
    part: str
    source: str
    tests: tuple[str, ...]
    root: Path
    environment: str = "requirements"
    published: dict[str, str] = {}  # noqa: RUF012 - of a NamedTuple, never changed
    pages: dict[str, str] = {}  # noqa: RUF012 - of a NamedTuple, never changed

    @property
    def package(self) -> str:
        """The name that it is imported by."""
        return self.source.rpartition("/")[2].removesuffix(".py")

    @property
    def paths(self) -> tuple[str, ...]:
        """The folders that go on the import path."""
        return (self.source.rpartition("/")[0] or ".", ".")

    @property
    def sources(self) -> Sources:
        """All texts of code and tests."""
        tests = {path for target in self.tests for path in _python_files(self.root, target)}
        code = [path for path in _python_files(self.root, self.source) if path not in tests]
        read = {path: (self.root / path).read_text(encoding="utf-8-sig") for path in {*tests, *code}}
        return Sources(
            self.package,
            self.source,
            {path: read[path] for path in sorted(code)},
            {path: read[path] for path in sorted(tests)},
        )


def settings() -> dict[str, Any]:
    """What packages.toml says."""
    return tomllib.loads((HERE / "packages.toml").read_text(encoding="utf-8"))


def python(needs: str = "requirements", work: Path = WORK) -> Path:
    """The interpreter that the suites with these needs run in; made once."""
    name = "healing" if needs == "requirements" else f"healing-{needs}"
    return environment(name, settings()[needs], work)


def subjects(part: str, work: Path = WORK) -> list[Subject]:
    """The packages of a part (`read`, `unread`), fetched where that was not done yet."""
    found = [each for each in settings()["package"] if each["part"] == part]
    return [subject(each, each["version"], work) for each in found]


def subject(package: dict[str, Any], version: str, work: Path = WORK) -> Subject:
    """A package at a version."""
    root = work / "healing" / "projects" / f"{package['name']}-{version}"
    source, tests = package["source"], tuple(package["tests"])
    if not (root / ".complete").is_file():
        shutil.rmtree(root, ignore_errors=True)
        unpacked = source_distribution(package["name"], version, work)
        for each in (source, *tests, *package.get("beside", ())):
            _copy(unpacked / each, root / each)
        for each in package.get("without", ()):
            (root / each).unlink(missing_ok=True)
        ini = "".join(f"{line}\n" for line in package.get("ini", ()))
        (root / "pyproject.toml").write_text(f"[tool.pytest.ini_options]\n{ini}", encoding="utf-8")
        (root / ".complete").write_text("", encoding="utf-8")
    published = _published(package["stubs"], work) if "stubs" in package else {}
    told = pages(source_distribution(package["name"], version, work))
    return Subject(package["name"], package["part"], source, tests, root, published=published, pages=told)


def pages(unpacked: Path) -> dict[str, str]:
    """What a release tells: its list of changes, what else lies at its top, and its manual."""
    found = [*unpacked.iterdir(), *(unpacked / "docs").rglob("*"), *(unpacked / "doc").rglob("*")]
    return {
        path.relative_to(unpacked).as_posix(): path.read_text(encoding="utf-8-sig", errors="replace")
        for path in sorted(found)
        if path.is_file() and (path.suffix in (".rst", ".md", ".txt") or is_list_of_changes(path.name))
    }


def _published(requirement: str, work: Path) -> dict[str, str]:
    """The stubs of a distribution such as `types-example==1.0`, by the paths that type checkers find them at."""
    name, _, version = requirement.partition("==")
    unpacked = source_distribution(name, version, work)
    return {
        path.relative_to(unpacked).as_posix(): path.read_text(encoding="utf-8-sig")
        for path in sorted(unpacked.rglob("*.pyi"))
    }


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, ignore=_LEFT_OUT)
    else:
        shutil.copy(source, target)


def _python_files(root: Path, target: str) -> list[str]:
    place = root / target
    if place.is_file():
        return [target]
    found = [each.relative_to(root).as_posix() for each in sorted(place.rglob("*.py"))]
    if (conftest := place.parent / "conftest.py").is_file() and place != root:
        found.append(conftest.relative_to(root).as_posix())
    return found
