"""An expression from the memory is what `re.compile` gives, and a memory that cannot be trusted is as none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph import compiled
from graph.compiled import Memory

EXPRESSION = r"(?P<word>[^\W\d]+)(?:-(\d{2,3}?)|(?<=x)y)*\b(?!;)"


@pytest.fixture(autouse=True)
def bytecode_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", False)


def test_what_was_kept_matches_as_what_is_compiled_now(tmp_path: Path) -> None:
    place = tmp_path / "kept"
    first = Memory(place)
    first.pattern(EXPRESSION, re.IGNORECASE)
    first.save()
    again, now = Memory(place).pattern(EXPRESSION, re.IGNORECASE), re.compile(EXPRESSION, re.IGNORECASE)
    assert (again.pattern, again.flags, again.groups) == (now.pattern, now.flags, now.groups)
    assert dict(again.groupindex) == dict(now.groupindex)
    for text in ("Ab-123-45 x", "xy; xy", "é-12", ""):
        assert [match.groupdict() for match in again.finditer(text)] == [
            match.groupdict() for match in now.finditer(text)
        ]


@given(st.sampled_from([r"a*?(b|c)+", r"(?i)ÄB.", r"[\w-]{2}(?=\d)", r"(?s:.)x"]), st.text("abcÄäB-1x\n"))
def test_patterns_of_one_memory_find_what_others_find(expression: str, text: str) -> None:
    memory = Memory(None)
    for _ in range(2):
        kept = memory.pattern(expression, 0)
        assert [match.span() for match in kept.finditer(text)] == [
            match.span() for match in re.finditer(expression, text)
        ]


def test_text_and_bytes_are_told_apart() -> None:
    memory = Memory(None)
    assert memory.pattern("é", 0).search("é")
    assert memory.pattern(b"\xc3", 0).search(b"\xc3\xa9")


def test_what_is_no_expression_raises_as_ever() -> None:
    with pytest.raises(re.error):
        compiled.compiled("(")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: b"",
        lambda content: content[:-1],
        lambda content: content[:-1] + b"?",
        lambda content: content.replace(b"a\0\0\0", b"b\0\0\0"),
        lambda content: content.replace(b"a+", b"c+"),
    ],
    ids=["empty", "cut", "last", "program", "expression"],
)
def test_a_damaged_memory_is_begun_anew(tmp_path: Path, spoil: object) -> None:
    place = tmp_path / "kept"
    first = Memory(place)
    first.pattern("a+", 0)
    first.save()
    assert callable(spoil)
    place.write_bytes(spoil(place.read_bytes()))
    second = Memory(place)
    assert second.pattern("a+", 0).search("aa")
    assert not second.pattern("a+", 0).search("b")
    assert not second.pattern("c+", 0).search("a")
    second.save()
    assert [each.name for each in tmp_path.iterdir()] == ["kept"]


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    memory = Memory(tmp_path / "file" / "kept")
    assert memory.pattern("a", 0).search("a")
    memory.save()


def test_another_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_made", lambda *_: (_ for _ in ()).throw(TypeError))
    assert compiled.compiled("a").search("a")
