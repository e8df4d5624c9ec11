"""Packages with stubs and docstrings, and the tests made from those alone."""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.drift.environment import WORK, environment, source_distribution
from benchmarks.healing.corpus import Subject, subject
from benchmarks.tdd.applications import Suite
from benchmarks.tdd.driving import Ran, drive
from benchmarks.tdd.hollowing import hollow
from engine.configuration import Settings
from engine.generating import generate
from engine.planning import make_plan
from engine.project import Project, refresh
from engine.stubs.skeleton import Skeletons
from graph.store.store import Store
from planner.cases import Status

HERE = Path(__file__).parent
FOLDER = WORK.resolve() / "tdd" / "packages"
_DRIVER = HERE / "packages_driver.py"


class Package(msgspec.Struct, frozen=True):
    """A package: `code` is the project of the reference, `specs` what tests are made from: stubs, docstrings, `pages`.

    `hollow` is the text of each module whose functions raise, by path relative to the import folder, and the modules
    by name are `modules`. `unimportable` are those that the environment cannot import, with what it says.
    """

    name: str
    set: str
    code: Subject
    specs: Path
    pages: tuple[str, ...]
    hollow: dict[str, str]
    modules: dict[str, str]
    unimportable: dict[str, str] = {}

    @property
    def importable(self) -> list[str]:
        """The names of the modules that the environment can import."""
        return [name for name in self.modules.values() if name not in self.unimportable]

    @property
    def imports(self) -> str:
        """The folder of the reference in which imports begin."""
        return str(self.code.root / self.code.paths[0])


def packages(part: str, only: Sequence[str] = ()) -> list[Package]:
    """The packages of a part (`read`, `unread`), or those of them that are named, fetched where that was not done."""
    return [
        _package(each)
        for each in settings()["package"]
        if each["part"] == part and (not only or each["name"] in only)
    ]


def suite(package: Package) -> Suite:
    """Plan, generate and prove from the specs alone: the code is hollow."""
    shutil.rmtree(package.specs / "tests", ignore_errors=True)
    shutil.rmtree(package.specs / ".crossfact", ignore_errors=True)
    (package.specs / "test_execution_state.yaml").unlink(missing_ok=True)
    project = _project(package.specs)
    make_plan(project, tell=lambda words: None)
    made = generate(project)
    project.store.close()
    drafts = {draft.case: draft for draft in made.drafts}
    written = [case for case in made.cases if case.node and case.status is not Status.REJECTED]
    negative = frozenset(case.node for case in written if case.id in drafts and drafts[case.id].negative)
    return Suite(made.cases, {case.node: case for case in written}, negative)


def run_all(tasks: Iterable[dict[str, Any]], seed: int = 0) -> dict[str, Ran]:
    """What the driver says of each task, by its name; `seed` is that of hashes. Raises SystemExit where it fails."""
    python = environment("functions", settings()["requirements"])
    return drive(python, _DRIVER, tasks, seed)


def settings() -> dict[str, Any]:
    """What packages.toml says."""
    return tomllib.loads((HERE / "packages.toml").read_text(encoding="utf-8"))


def _package(chosen: dict[str, Any]) -> Package:
    code = subject(chosen, chosen["version"])
    code = code._replace(root=code.root.resolve())
    inside = {_inside(path, code): text for path, text in code.sources.code.items()}
    tests = {_inside(path, code) for path in code.sources.tests}
    inside = {path: text for path, text in inside.items() if path not in tests and "tests/" not in path}
    modules = {path: path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in inside}
    _tell_version(code.root / code.paths[0], chosen)
    asked = {"root": str(code.root), "paths": [str(code.root / code.paths[0])]}
    imports = run_all([{**asked, "name": "imports", "modules": list(modules.values()), "imports": True}])
    if imports["imports"].error:
        raise SystemExit(f"the modules of {chosen['name']} were not tried: {imports['imports'].error}")
    package = Package(
        name=chosen["name"],
        set=chosen["set"],
        code=code,
        specs=FOLDER / f"{chosen['name']}-{chosen['version']}",
        pages=tuple(chosen.get("page", "").split()),
        hollow={},
        modules=modules,
        unimportable={
            name: told[1] for name, told in imports["imports"].tests.items() if told[0] == "failed"
        },
    )
    started = run_all([{**asked, "name": "starts", "modules": package.importable, "starts": True}])["starts"]
    if started.error:
        raise SystemExit(f"{package.name} cannot be imported: {started.error}")
    for path, text in inside.items():
        file = f"{package.imports}/{path}"
        package.hollow[path] = hollow(text, [line for name, line in started.starts if name == file])
    _write_specs(package, chosen)
    return package


def _tell_version(imports: Path, chosen: dict[str, Any]) -> None:
    """What an installer would say of a package beside it: some ask for their own version on import."""
    name, version = chosen["name"], chosen["version"]
    place = imports / f"{name.replace('-', '_')}-{version}.dist-info"
    place.mkdir(exist_ok=True)
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8")


def _inside(path: str, code: Subject) -> str:
    """The path of a file relative to the folder in which imports begin."""
    return os.path.relpath(path, code.paths[0])


def _write_specs(package: Package, chosen: dict[str, Any]) -> None:
    shutil.rmtree(package.specs, ignore_errors=True)
    place = package.specs / "src"
    for path, text in package.hollow.items():
        file = place / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    unpacked = source_distribution(chosen["name"], chosen["version"], WORK)
    for page in package.pages:
        target = package.specs / page
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(unpacked / page, target)
    stub = chosen.get("stub", "")
    for path, text in _stubs(package, unpacked, stub).items():
        file = place / path
        if file.parent.is_dir():
            file.write_text(text, encoding="utf-8")


def _stubs(package: Package, unpacked: Path, stub: str) -> dict[str, str]:
    """The stubs of a package by path: those of a distribution, its own, or made from its signatures."""
    if stub == "shipped":
        home = unpacked / package.code.paths[0]
        beside = home / f"{package.code.package}.pyi"
        if beside.is_file():
            return {beside.name: beside.read_text(encoding="utf-8")}
        return {
            file.relative_to(home).as_posix(): file.read_text(encoding="utf-8")
            for file in (home / package.code.package).rglob("*.pyi")
        }
    if stub:
        name, _, version = stub.partition("==")
        home = next(source_distribution(name, version, WORK).glob("*-stubs")).resolve()
        found = {}
        for file in home.rglob("*.pyi"):
            path = f"{home.name.removesuffix('-stubs')}/{file.relative_to(home).as_posix()}"
            if package.code.source.endswith(".py"):
                path = path.replace("/__init__", "")
            found[path] = file.read_text(encoding="utf-8")
        return found
    return _skeletons(package)


def _skeletons(package: Package) -> dict[str, str]:
    """The stubs that crossfact writes from the reference's signatures."""
    project = reference(package, "reference")
    refresh(project, tell=lambda words: None)
    skeletons = Skeletons(project.store)
    found = {}
    for path, module in package.modules.items():
        found[f"{path}i"] = skeletons.write(module) or ""
    project.store.close()
    return found


def reference(package: Package, ending: str) -> Project:
    """The package's own code as a project, in a folder that begins as that of its specs and has an ending."""
    place = package.specs.with_name(f"{package.specs.name}.{ending}")
    shutil.rmtree(place, ignore_errors=True)
    for path in package.hollow:
        file = place / "src" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(f"{package.imports}/{path}", file)
    return _project(place)


def _project(root: Path) -> Project:
    (root / ".crossfact").mkdir(parents=True, exist_ok=True)
    settings = msgspec.structs.replace(Settings(), history=False, source_roots=["src"])
    return Project(root, (), settings, Store.open(root / ".crossfact" / "facts.db"))
