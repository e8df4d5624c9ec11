"""What was kept of standard methods is what asking for them gives."""

from __future__ import annotations

import json
from collections import UserDict
from pathlib import Path

import pytest

from crossval.link.names.standard import Memory

METHODS = [
    (UserDict, "fromkeys"),
    (json.JSONEncoder, "default"),
    (dict, "fromkeys"),
    (dict, "__init__"),
    (UserDict, "copy"),
]


@pytest.fixture(autouse=True)
def bytecode_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", False)


@pytest.mark.parametrize(("class_", "name"), METHODS)
def test_a_kept_method_is_told_as_one_that_is_asked_for(class_: type, name: str, tmp_path: Path) -> None:
    place = tmp_path / "kept"
    first = Memory(place)
    told = first.of(class_, name)
    first.save()
    assert place.is_file()
    assert Memory(place).of(class_, name) == told == Memory(None).of(class_, name)


def test_a_damaged_memory_is_as_none(tmp_path: Path) -> None:
    place = tmp_path / "kept"
    place.write_bytes(b"\x00" * 40)
    found = Memory(place).of(UserDict, "copy")
    assert found is not None
    assert found["kind"] == "method"
