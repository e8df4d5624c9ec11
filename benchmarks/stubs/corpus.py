"""Fetches the pairs of stubs and runtime packages at the versions that packages.toml pins."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
WORK = HERE.parent / ".work" / "stubs"
ENVIRONMENT = WORK / "env"
PYTHON = ENVIRONMENT / "bin" / "python"
PARTS = (
    *("read", "unread", "third", "fourth", "fifth", "sixth"),
    *(
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
        "twentyfirst",
        "twentysecond",
        "twentythird",
        "twentyfourth",
        "twentyfifth",
        "twentysixth",
        "twentyseventh",
        "twentyeighth",
        "twentyninth",
        "thirtieth",
        "thirtyfirst",
        "thirtysecond",
        "thirtythird",
        "thirtyfourth",
    ),
)
"""From `third` on they are the batches of fresh.toml, of which a first look was taken before anybody read them."""
_INLINE = "inline"
_STUBGEN = "stubgen"


class Pair(NamedTuple):
    """Stubs and the package that they speak of: `project` holds both, `stubs` and `runtime` are search paths."""

    package: str
    part: str
    set: str
    module: str
    project: Path

    @property
    def stubs(self) -> Path:
        """The folder in which the stubs' package lies."""
        return self.project / "stubs"

    @property
    def runtime(self) -> Path:
        """The folder in which the runtime package lies."""
        return self.project / "runtime"

    @property
    def needs(self) -> Path:
        """The folder with what the runtime package imports, apart from what is compared."""
        return self.project.with_name(f"{self.project.name}.needs")


def pairs(part: str) -> list[Pair]:
    """The pairs of one part (one of `PARTS`), fetched where that was not done yet.

    First those of the set `matching`, then `drift`; those of `generated` have stubs that crossfact writes.
    """
    settings = prepare()
    found = []
    for set_, version in (("matching", "stub"), ("drift", "old")):
        for package in settings["package"]:
            if package["part"] == part and package[version]:
                name, module = package["name"], package["module"]
                pair = Pair(name, part, set_, module, WORK / set_ / name)
                promised = _promised(package, version)
                _fetch(pair, f"{name}=={package['runtime']}", promised)
                _fetch_needs(pair, package.get("needs", []))
                found.append(pair)
    for package in settings["annotated"]:
        if package["part"] == part:
            name, module = package["name"], package["module"]
            pair = Pair(name, part, "generated", module, WORK / "generated" / name)
            _fetch(pair, f"{name}=={package['runtime']}", "")
            _generate(pair)
            found.append(pair)
    return found


def _promised(package: dict[str, Any], version: str) -> str:
    """The distribution that has the stubs: `inline` where it is the one of the code itself, `stubgen NAME==VERSION`
    where mypy's generator of stubs writes them from the code of a version."""
    stubs = package.get("stubs", f"types-{package['name']}")
    if stubs == _INLINE:
        return _INLINE if version == "stub" else f"{package['name']}=={package[version]}"
    if stubs == _STUBGEN:
        return f"{_STUBGEN} {package['name']}=={package[version]}"
    return f"{stubs}=={package[version]}"


def prepare() -> dict[str, Any]:
    """The settings of packages.toml and fresh.toml; the environment they ask for is made where that was not done."""
    settings = tomllib.loads((HERE / "packages.toml").read_text(encoding="utf-8"))
    settings["package"] += tomllib.loads((HERE / "fresh.toml").read_text(encoding="utf-8"))["package"]
    _prepare_environment(settings["mypy"], settings["beside"])
    return settings


def _prepare_environment(mypy: str, beside: list[str]) -> None:
    done = ENVIRONMENT / ".complete"
    wanted = "\n".join([f"mypy=={mypy}", *beside])
    if done.is_file() and done.read_text(encoding="utf-8") == wanted:
        return
    if not PYTHON.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    _pip("install", f"mypy=={mypy}", *beside)
    done.write_text(wanted, encoding="utf-8")


def _fetch(pair: Pair, runtime: str, stub: str) -> None:
    """Install both sides apart; the stubs of a package that ships its own are taken out of it."""
    done = pair.project.with_name(f"{pair.project.name}.complete")
    wanted = f"{runtime}\n{stub}"
    if done.is_file() and done.read_text(encoding="utf-8") == wanted:
        return
    shutil.rmtree(pair.project, ignore_errors=True)
    fetched = WORK / f"fetched-{pair.set}-{pair.package}"
    for requirement, place in ((runtime, pair.runtime), (stub, pair.stubs)):
        if not requirement:
            continue
        if requirement == _INLINE:
            _take_out(pair, pair.stubs)
            continue
        shutil.rmtree(fetched, ignore_errors=True)
        # Stubs often ask for a later Python than their syntax does.
        options = ("--no-deps", "--no-compile", "--ignore-requires-python", "--target", str(fetched))
        _pip("install", *options, requirement.removeprefix(f"{_STUBGEN} "))
        place.mkdir(parents=True)
        if requirement.startswith(_STUBGEN):
            _write_stubs(fetched, pair)
            continue
        sources = list(_of_module(fetched, pair.module))
        # A distribution may hold both the code and a package of stubs for it.
        apart = [each for each in sources if each.name.endswith("-stubs")]
        if place == pair.stubs:
            sources = apart or sources
        else:
            sources = [each for each in sources if each not in apart]
            for source in apart if stub == _INLINE else ():
                pair.stubs.mkdir(exist_ok=True)
                shutil.move(source, pair.stubs / pair.module)
        for source in sources:
            shutil.move(source, place / source.name.replace("-stubs", ""))
    # Stubs of an old version of a package that ships them come with its old code.
    for source in pair.stubs.rglob("*.py"):
        source.unlink()
    # What a package ships itself beside other stubs is a third side, and not compared.
    _take_out(pair, fetched)
    shutil.rmtree(fetched, ignore_errors=True)
    done.write_text(wanted, encoding="utf-8")


def _write_stubs(folder: Path, pair: Pair) -> None:
    """Let mypy's generator write the stubs of a pair from code in a folder, which it only reads."""
    source = next(each for each in _of_module(folder, pair.module) if each.stem == pair.module)
    pair.stubs.mkdir(exist_ok=True)
    command = [str(PYTHON.with_name("stubgen")), "-q", "-o", str(pair.stubs), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")


def _take_out(pair: Pair, folder: Path) -> None:
    """Move the stubs that lie beside the code of a package into a tree of their own."""
    for source in sorted(pair.runtime.rglob("*.pyi")):
        place = folder / source.relative_to(pair.runtime)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(source, place)


def _fetch_needs(pair: Pair, needs: list[str]) -> None:
    done = pair.needs / ".complete"
    wanted = "\n".join(needs)
    if not needs or (done.is_file() and done.read_text(encoding="utf-8") == wanted):
        return
    shutil.rmtree(pair.needs, ignore_errors=True)
    _pip("install", "--no-compile", "--target", str(pair.needs), *needs)
    done.write_text(wanted, encoding="utf-8")


def _generate(pair: Pair) -> None:
    """Write a stub for each module of a package, in place of those of an earlier run."""
    from engine.project import open_project, refresh
    from engine.stubs.skeleton import Skeletons

    shutil.rmtree(pair.stubs, ignore_errors=True)
    options = {"history": False, "jobs": 1, "source_roots": ["runtime"], "store": ".facts/facts.db"}
    project = open_project(
        [str(pair.project)], here=WORK, environment={}, options=options, configuration=None, tell=print
    )
    refresh(project, tell=print)
    skeletons = Skeletons(project.store)
    for module in skeletons.modules:
        place = pair.stubs.joinpath(*module.split("."))
        package = pair.runtime.joinpath(*module.split(".")).is_dir()
        file = place / "__init__.pyi" if package else place.with_suffix(".pyi")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(skeletons.write(module) or "", encoding="utf-8")
    project.store.close()


def _of_module(folder: Path, module: str) -> Iterator[Path]:
    """The package, its stubs, or the single file that a distribution has for a module."""
    names = {module, f"{module}-stubs", f"{module}.py", f"{module}.pyi"}
    # Libraries that compiled modules load lie beside the package.
    found = [each for each in sorted(folder.iterdir()) if each.name in names or each.suffix == ".libs"]
    # The stubs of a single module come as a package of stubs that has only its `__init__`.
    yield from found


def _pip(*arguments: str) -> None:
    command = [str(PYTHON), "-m", "pip", arguments[0], "-q", "--disable-pip-version-check", *arguments[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
