"""The file that keeps the bytecode of modules gives what Python would import, or nothing."""

import importlib
import os
import sys
from collections.abc import Iterator
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from crossfact.kept import Modules


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package `kept_shop` with a module `prices`, which was imported once and kept."""
    package = tmp_path / "kept_shop"
    package.mkdir()
    (package / "__init__.py").write_text("NAME = 'shop'\n")
    (package / "prices.py").write_text("PRICE = 12\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "bytecode"))
    importlib.import_module("kept_shop.prices")
    _keep(tmp_path).save()
    _forget()
    yield tmp_path
    _forget()


def _keep(folder: Path) -> Modules:
    return Modules(str(folder / "modules"), (f"{folder}{os.sep}",))


def _forget() -> None:
    for name in ("kept_shop", "kept_shop.prices", "kept_shop.starred"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()


def test_a_kept_module_is_imported_without_its_own_bytecode(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(cache_from_source(str(folder / "kept_shop" / "prices.py"))).write_bytes(b"damaged")
    monkeypatch.setattr(sys, "meta_path", [_keep(folder)])
    prices = importlib.import_module("kept_shop.prices")
    assert prices.PRICE == 12
    assert prices.__file__ == str(folder / "kept_shop" / "prices.py")
    assert sys.modules["kept_shop"].__path__ == [str(folder / "kept_shop")]


def test_what_was_changed_since_is_not_taken_from_the_file(folder: Path) -> None:
    (folder / "kept_shop" / "prices.py").write_text("PRICE = 1200\n")
    modules = _keep(folder)
    assert modules.find_spec("kept_shop.prices") is None
    assert modules.find_spec("kept_shop") is not None


def test_what_is_not_kept_yet_is_added_to_what_is(folder: Path) -> None:
    (folder / "kept_shop" / "goods.py").write_text("GOODS = ()\n")
    importlib.import_module("kept_shop.goods")
    _keep(folder).save()
    del sys.modules["kept_shop.goods"]
    modules = _keep(folder)
    assert modules.find_spec("kept_shop.goods") is not None
    assert modules.find_spec("kept_shop.prices") is not None


@pytest.mark.parametrize("keep", [0, 10, 40, -1])
def test_a_file_that_was_cut_off_gives_nothing(folder: Path, keep: int) -> None:
    file = folder / "modules"
    file.write_bytes(file.read_bytes()[:keep])
    assert _keep(folder).find_spec("kept_shop.prices") is None


def test_only_modules_of_the_folders_are_kept(folder: Path) -> None:
    importlib.import_module("kept_shop.prices")
    modules = Modules(str(folder / "others"), (f"{folder / 'elsewhere'}{os.sep}",))
    modules.save()
    assert not (folder / "others").exists()


def test_nothing_is_written_where_no_bytecode_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    importlib.import_module("kept_shop.prices")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    Modules(str(folder / "others"), (f"{folder}{os.sep}",)).save()
    assert not (folder / "others").exists()


def test_nothing_is_read_for_a_file_that_cannot_be_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    importlib.import_module("kept_shop.prices")
    modules = Modules(str(folder / "nowhere" / "modules"), (f"{folder}{os.sep}",))
    monkeypatch.setattr(modules, "_unkept", lambda: pytest.fail("looked for what cannot be kept"))
    modules.save()
    assert not (folder / "nowhere").exists()


def test_a_file_that_has_all_is_not_written_again(folder: Path) -> None:
    """What was imported before anybody could look into the file is nothing new each time."""
    importlib.import_module("kept_shop.prices")
    file = folder / "modules"
    before = file.stat().st_ino, file.stat().st_mtime_ns
    _keep(folder).save()
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == before


def test_what_only_libraries_ask_for_runs_when_it_is_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossfact.kept._LATE", {"kept_shop.prices"})
    monkeypatch.setattr(sys, "meta_path", [_keep(folder)])
    importlib.import_module("kept_shop")
    prices = importlib.import_module("kept_shop.prices")
    assert "PRICE" not in object.__getattribute__(prices, "__dict__")
    assert importlib.import_module("kept_shop.prices") is prices
    assert "PRICE" in vars(prices)
    assert prices.PRICE == 12


def test_a_late_module_gives_its_names_to_whom_imports_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossfact.kept._LATE", {"kept_shop.prices"})
    monkeypatch.setattr(sys, "meta_path", [_keep(folder), *sys.meta_path])
    (folder / "kept_shop" / "starred.py").write_text("from kept_shop.prices import *\n")
    assert importlib.import_module("kept_shop.starred").PRICE == 12
