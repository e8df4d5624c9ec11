"""A small project whose code moves under its tests, healed by the real thing in real pytest processes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from engine.configuration import Settings
from engine.healing.healing import Options, heal
from engine.healing.records import Healed
from engine.plugins import healers
from engine.project import Project
from graph.store.store import Store
from healer.healer import Healer
from tests.validators import Remembering

SHOP = '''\
"""A shop."""

LIMIT = 10


def price(amount: int, rate: int = 2) -> int:
    if amount < 0:
        raise ValueError("negative")
    return amount * rate


def total(amounts: list[int]) -> int:
    return sum(price(each) for each in amounts)
'''
TESTS = """\
import pytest

from shop import price, total


def test_price():
    assert price(2) == 4
    assert price(3, rate=3) == 9


def test_refused():
    with pytest.raises(ValueError, match="negative"):
        price(-1)


def test_total():
    assert total([1, 2]) == 6
"""


class Yard:
    """A project folder: files are written, tests are healed, and what was asked for and told is kept."""

    def __init__(self, root: Path, said: dict[str, bytes]) -> None:
        """`said` is what pytest told of the same files in other yards."""
        self.root = root
        self.validator = Remembering(said)
        self.told: list[str] = []
        (root / ".crossfact").mkdir()
        self.write({"shop.py": SHOP, "tests/test_shop.py": TESTS})

    def write(self, files: dict[str, str]) -> None:
        for path, text in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def change(self, path: str, *pairs: tuple[str, str]) -> None:
        text = self.read(path)
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        self.write({path: text})

    @property
    def project(self) -> Project:
        settings = msgspec.structs.replace(Settings(), history=False, jobs=1, heal_confidence=0.3)
        return Project(self.root, (), settings, Store.open(self.root / ".crossfact/facts.db"))

    def heal(self, *names: str, by: Sequence[Healer] | None = None, **options: object) -> Healed:
        project = self.project
        try:
            return heal(
                project,
                Options(names=names or ("tests",), **options),  # type: ignore[arg-type]
                tell=self.told.append,
                healers=healers() if by is None else by,
                validator=self.validator,
            )
        finally:
            project.store.close()


@pytest.fixture(scope="session")
def said() -> dict[str, bytes]:
    return {}


@pytest.fixture
def yard(tmp_path: Path, said: dict[str, bytes]) -> Yard:
    return Yard(tmp_path, said)
