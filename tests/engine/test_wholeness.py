"""`crossfact fsck` tells whole, behind and damaged apart, and changes nothing."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.audit import record
from engine.cli.main import crossfact
from engine.configuration import Settings
from engine.project import Project, refresh
from engine.wholeness import Part, State, examine
from graph.store.store import Store
from tests import commands

Examined = Callable[[], dict[str, Part]]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A project whose facts were read."""
    (tmp_path / "shop.pyi").write_text("def pay(amount: int = 1) -> int: ...\n", encoding="utf-8")
    (tmp_path / "shop.py").write_text(
        "def pay(amount: int = 2) -> int:\n    return amount\n", encoding="utf-8"
    )
    (tmp_path / ".crossfact").mkdir()
    store = Store.open(tmp_path / ".crossfact" / "facts.db")
    refresh(Project(tmp_path, (), Settings(history=False, jobs=1), store), tell=print)
    store.close()
    return tmp_path


@pytest.fixture
def parts(kept: Path) -> Examined:
    def look() -> dict[str, Part]:
        return {part.name: part for part in examine(kept, Settings())}

    return look


def change(kept: Path, statement: str) -> None:
    connection = sqlite3.connect(kept / ".crossfact" / "facts.db")
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_what_was_just_written_is_whole(parts: Examined) -> None:
    found = parts()
    assert found["store"].state is State.WHOLE
    assert found["store"].says.startswith("revision 1, ")
    assert all(part.state in (State.WHOLE, State.ABSENT) for part in found.values())
    assert not any(part.troubles for part in found.values())


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE fact SET owner = 999", "facts of nobody"),
        ("UPDATE fact SET type = 63", "facts of an unknown kind"),
        ("UPDATE fact SET aspects = x'7b'", "facts whose aspects cannot be read"),
        ("UPDATE fact SET born = 7", "facts from the future"),
        ("UPDATE relation SET second = 12345", "relations without an end"),
        ("DROP TABLE collision", "without the table collision"),
        ("DELETE FROM meta WHERE key = 'identity'", "lacks identity"),
        ("PRAGMA user_version = 99", "written by a newer crossfact"),
    ],
)
def test_rows_that_no_run_can_have_written_are_damage(
    kept: Path, parts: Examined, statement: str, words: str
) -> None:
    change(kept, statement)
    store = parts()["store"]
    assert store.state is State.DAMAGED
    assert any(words in trouble.what for trouble in store.troubles)
    assert all(trouble.remedy for trouble in store.troubles)


def test_a_file_that_is_no_database_and_one_with_broken_pages_are_damage(kept: Path, parts: Examined) -> None:
    """CF-9.2"""
    place = kept / ".crossfact" / "facts.db"
    whole = place.read_bytes()
    place.write_bytes(whole[:8192] + os.urandom(8192) + whole[16384:])
    assert parts()["store"].state is State.DAMAGED
    place.write_bytes(b"nonsense" * 4000)
    assert parts()["store"].state is State.DAMAGED
    assert place.read_bytes() == b"nonsense" * 4000


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE meta SET value = 1 WHERE key = 'pending'", "cut short"),
        ("PRAGMA user_version = 1", "written by an older crossfact"),
    ],
)
def test_what_the_next_run_mends_is_behind(kept: Path, parts: Examined, statement: str, words: str) -> None:
    change(kept, statement)
    store = parts()["store"]
    assert store.state is State.BEHIND
    assert words in store.troubles[0].what


def test_indexes_that_disagree_with_the_facts_are_behind(kept: Path, parts: Examined) -> None:
    store = Store.open(kept / ".crossfact" / "facts.db")
    from graph.retrieval.index import Index

    Index(store).refresh(print)
    store.close()
    assert parts()["store"].state is State.WHOLE
    change(kept, "DELETE FROM passage WHERE fact = (SELECT min(fact) FROM passage)")
    assert "keyword index" in parts()["store"].troubles[0].what
    (kept / ".crossfact" / "chroma").mkdir()
    assert parts()["vector index"].state is State.BEHIND


def test_files_that_people_edit_are_read(kept: Path, parts: Examined) -> None:
    (kept / "test_execution_state.yaml").write_text("test_cases: 3\n", encoding="utf-8")
    (kept / "crossfact-baseline.json").write_text("{", encoding="utf-8")
    (kept / "crossfact-links.yaml").write_text("nonsense: 1\n", encoding="utf-8")
    found = parts()
    for name in ("checklist", "baseline", "links"):
        assert found[name].state is State.DAMAGED, name
        assert found[name].troubles[0].remedy


def test_a_journal_with_a_cut_line_is_behind(kept: Path, parts: Examined) -> None:
    (kept / ".crossfact" / "checklist.jsonl").write_bytes(b'\n{"id": "a')
    journal = parts()["journal"]
    assert journal.state is State.BEHIND
    assert "1 lines cannot be read" in journal.troubles[1].what


def test_an_audit_trail_that_was_changed_is_damage(kept: Path, parts: Examined) -> None:
    project = Project(kept, (), Settings(), Store.open(None))
    for number in range(3):
        record(project, "decided", "human", number=number)
    assert parts()["audit trail"] == Part("audit trail", State.WHOLE, "3 entries")
    file = kept / ".crossfact" / "audit.jsonl"
    file.write_bytes(file.read_bytes().replace(b'"number":1}', b'"number":7}'))
    assert parts()["audit trail"].state is State.DAMAGED


def test_the_exit_code_and_the_document_tell_damage(
    kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(kept)

    def fsck() -> tuple[int, dict[str, Any]]:
        code = crossfact.main(["fsck", "--json"], standalone_mode=False)
        return int(code), json.loads(capsys.readouterr().out)

    code, document = fsck()
    assert (code, document["whole"]) == (0, True)
    change(kept, "UPDATE fact SET owner = 999")
    code, document = fsck()
    assert (code, document["whole"]) == (1, False)
    assert document["parts"][0]["troubles"][0]["remedy"]


def test_a_folder_that_crossfact_never_saw_stays_as_it_is(tmp_path: Path) -> None:
    done = commands.crossfact(tmp_path, "fsck")
    assert done.returncode == 0 and "nothing was read yet" in done.stdout
    assert list(tmp_path.iterdir()) == []
