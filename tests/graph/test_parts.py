"""What a file of parts gives is what was put into it, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph import parts
from graph.parts import Parts


@pytest.fixture(autouse=True)
def bytecode_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "parts"
    first = Parts(place)
    first.add("a", b"apple")
    first.add("b", b"book")
    first.save(10)
    return place


def test_what_was_kept_is_read_again_and_more_is_added(file: Path) -> None:
    second = Parts(file)
    assert (second.get("a"), second.get("b"), second.get("c")) == (b"apple", b"book", None)
    second.add("c", b"cup")
    second.add("a", b"another")
    assert (second.get("a"), second.get("c")) == (b"another", b"cup")
    second.save(10)
    third = Parts(file)
    assert [third.get(key) for key in "abc"] == [b"another", b"book", b"cup"]


def test_more_than_the_most_is_not_written(file: Path) -> None:
    second = Parts(file)
    second.add("c", b"cup")
    second.save(2)
    assert Parts(file).get("c") is None


def test_a_file_of_another_interpreter_gives_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.version", "another one")
    assert Parts(file).get("a") is None


@pytest.mark.parametrize("number", ["a", "b"])
def test_two_keys_of_one_number_never_get_the_other_s_value(
    number: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = parts._number(number)
    monkeypatch.setattr(parts, "_number", lambda key: known)
    assert Parts(file).get("z") is None


@given(data=st.data())
def test_a_spoiled_file_gives_nothing_that_was_not_kept(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("parts") / "file"
    first = Parts(place)
    first.add("a", b"apple")
    first.save(10)
    content = bytearray(place.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= data.draw(st.integers(1, 255))
    place.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    assert Parts(place).get("a") in {None, b"apple"}
