"""The file of links decided by hand: what it says, what is wrong with it and where, and how it is written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crossval.link.traces.decisions import accept, forget, load, reject, save
from crossval.link.traces.records import FILE, Decisions
from graph.errors import ConfigurationError

A = ("spec:criterion:AC-1", "code:operation:GET /books/{id}")
B = ("spec:story:US-1", 'test:test:tests/test_a.py::test_x[#: "é"]')


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / FILE
    decided = reject(accept(Decisions(), [A]), [B])
    assert save(decided, file)
    assert load(file) == decided == Decisions(frozenset({A}), frozenset({B}))
    assert not save(decided, file)
    assert file.read_text("utf-8").startswith("# Links between stories")


def test_without_a_file_nothing_is_decided(tmp_path: Path) -> None:
    assert load(tmp_path / FILE) == Decisions()


def test_links_are_sorted_whatever_the_order_of_deciding(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    save(accept(accept(Decisions(), [A]), [B]), first)
    save(accept(accept(Decisions(), [B]), [A]), second)
    assert first.read_bytes() == second.read_bytes()


def test_the_last_decision_counts_and_can_be_taken_back() -> None:
    assert reject(accept(Decisions(), [A]), [A]) == Decisions(rejected=frozenset({A}))
    assert accept(reject(Decisions(), [A]), [A]) == Decisions(accepted=frozenset({A}))
    assert forget(reject(Decisions(), [A, B]), [A]) == Decisions(rejected=frozenset({B}))


def test_every_mistake_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.write_text(
        "version: 2\n"
        "acepted: []\n"
        "accepted:\n"
        "  - spec: spec:criterion:AC-1\n"
        "  - spec: code:function:a\n"
        "    other: b\n"
        "  - just words\n"
        "  - {spec: 'spec:story:US-1', other: 'code:function:a', why: x}\n"
        "rejected:\n"
        "  - {spec: 'spec:story:US-1', other: 'code:function:a'}\n",
        "utf-8",
    )
    with pytest.raises(ConfigurationError) as error:
        load(file)
    assert str(error.value).splitlines() == [
        f"{FILE}:1: only version 1 is known",
        f"{FILE}:2: 'acepted' is not known; there are version, accepted and rejected",
        f"{FILE}:4: a link has both spec and other",
        f"{FILE}:5: spec must be a criterion or a story",
        f"{FILE}:6: other must be the id of a fact, as `crossfact facts` prints it",
        f"{FILE}:7: a link must be a mapping",
        f"{FILE}:8: 'why' is not known; a link has spec and other",
        f"{FILE}:10: spec:story:US-1 and code:function:a are both accepted and rejected",
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"accepted: [", f"{FILE}:1: it is no YAML"),
        (b"\xff\xfe\x00", "it is not UTF-8"),
        (b"- a\n", f"{FILE}:1: the file must be a mapping"),
        (b"accepted: 7\n", f"{FILE}:1: a list of links is expected"),
        (b"accepted: []\naccepted: []\n", f"{FILE}:2: accepted is given twice"),
        (b"a: " + b"[" * 5000, "nested too deeply"),
    ],
)
def test_a_file_that_is_something_else_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(ConfigurationError, match=words.replace("[", r"\[")):
        load(tmp_path / FILE)


@pytest.mark.parametrize("content", ["", "# nothing\n", "version: 1\naccepted:\nrejected: []\n"])
def test_an_empty_file_decides_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content, "utf-8")
    assert load(tmp_path / FILE) == Decisions()


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ConfigurationError, match="cannot be written"):
        save(accept(Decisions(), [A]), tmp_path / FILE)
