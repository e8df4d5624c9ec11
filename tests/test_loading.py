"""The bytecode of the program's modules in one file: what is kept is what the sources say."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from crossfact.loading import Kept

ROOT = Path(__file__).parent.parent
_MANY = 12


def _imported(root: Path, name: str) -> ModuleType:
    """A module as the interpreter itself imports it."""
    place = root.joinpath(*name.split("."))
    source = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    spec = spec_from_file_location(name, source)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _found(kept: Kept, name: str) -> ModuleType | None:
    spec = kept.find_spec(name)
    if spec is None:
        return None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "graph").mkdir()
    (tmp_path / "graph" / "__init__.py").write_text('"""A room."""\n')
    for number in range(_MANY):
        (tmp_path / "graph" / f"m{number}.py").write_text(f"def value():\n    return {number}\n")
    return tmp_path


@pytest.fixture
def kept(root: Path) -> Kept:
    names = ["graph", *(f"graph.m{number}" for number in range(_MANY))]
    Kept(str(root), str(root / "kept")).keep({name: _imported(root, name) for name in names})
    return Kept(str(root), str(root / "kept"))


def test_modules_that_are_kept_are_what_their_sources_say(root: Path, kept: Kept) -> None:
    room, module = _found(kept, "graph"), _found(kept, "graph.m7")
    assert room is not None and module is not None
    assert (room.__doc__, list(room.__path__)) == ("A room.", [str(root / "graph")])
    assert module.value() == 7
    assert module.__file__ == module.value.__code__.co_filename == str(root / "graph" / "m7.py")


def test_a_module_that_is_not_kept_is_left_to_the_interpreter(kept: Kept) -> None:
    assert kept.find_spec("graph.other") is None
    assert kept.find_spec("json") is None


@pytest.mark.parametrize("change", ["written", "touched", "removed"])
def test_a_module_whose_source_changed_is_left_to_the_interpreter(
    root: Path, kept: Kept, change: str
) -> None:
    source = root / "graph" / "m3.py"
    if change == "written":
        source.write_text("def value():\n    return 'another'\n")
    elif change == "touched":
        os.utime(source, ns=(0, 0))
    else:
        source.unlink()
    assert kept.find_spec("graph.m3") is None
    assert _found(kept, "graph.m4") is not None


def test_what_is_kept_stays_when_more_comes(root: Path, kept: Kept) -> None:
    (root / "ingest").mkdir()
    for number in range(_MANY):
        (root / "ingest" / f"n{number}.py").write_text(f"VALUE = {number}\n")
    kept.keep({f"ingest.n{number}": _imported(root, f"ingest.n{number}") for number in range(_MANY)})
    again = Kept(str(root), str(root / "kept"))
    old, new = _found(again, "graph.m5"), _found(again, "ingest.n5")
    assert old is not None and new is not None
    assert (old.value(), new.VALUE) == (5, 5)


def test_few_modules_are_not_worth_a_file(root: Path) -> None:
    Kept(str(root), str(root / "kept")).keep({"graph.m1": _imported(root, "graph.m1")})
    assert not (root / "kept").exists()


def test_nothing_is_kept_where_there_is_no_place_for_it(root: Path) -> None:
    names = [f"graph.m{number}" for number in range(_MANY)]
    Kept(str(root), str(root / "nowhere" / "kept")).keep({name: _imported(root, name) for name in names})
    assert not (root / "nowhere").exists()


def test_modules_of_others_are_not_kept(root: Path) -> None:
    names = [f"graph.m{number}" for number in range(_MANY)]
    Kept(str(root / "elsewhere"), str(root / "kept")).keep({name: _imported(root, name) for name in names})
    assert Kept(str(root), str(root / "kept")).find_spec("graph.m1") is None


@pytest.mark.parametrize("length", [0, 10, 200])
def test_a_damaged_file_keeps_nothing(root: Path, kept: Kept, length: int) -> None:
    assert kept.find_spec("graph.m1") is not None
    whole = (root / "kept").read_bytes()
    (root / "kept").write_bytes(whole[:length])
    assert Kept(str(root), str(root / "kept")).find_spec("graph.m1") is None


def test_the_program_starts_from_one_file(tmp_path: Path) -> None:
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
        "PYTHONPATH": str(ROOT),
        "PYTHONPYCACHEPREFIX": str(tmp_path),
    }
    code = (
        "import sys; sys.argv = ['crossfact', '--version']\n"
        "from crossfact import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(type(sys.modules['engine.cli.entry'].__spec__.loader).__name__, file=sys.stderr)"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=tmp_path
        ).stderr
        for _ in range(2)
    ]
    assert told == ["SourceFileLoader\n", "_Loader\n"]
