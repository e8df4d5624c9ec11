"""`crossfact init` and `crossfact doctor` on small projects."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.configuration import Settings
from engine.initialising import SECTIONS, toml
from tests.commands import crossfact, inside, surroundings

ROOT = Path(__file__).parent.parent.parent
Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    place = tmp_path / "bookshop"
    shutil.copytree(
        ROOT / "specs_examples" / "bookshop",
        place,
        ignore=shutil.ignore_patterns(".crossfact", "pyproject.toml"),
    )
    return place


@pytest.fixture
def run(project: Path) -> Run:
    def go(*arguments: str, **environment: str) -> Done:
        child = {k: v for k, v in surroundings(**environment).items() if k != "VIRTUAL_ENV"}
        done = inside(project, *arguments, environment=child)
        assert "Traceback" not in done.stderr + done.stdout
        return done

    return go


def test_the_configuration_tells_what_was_found_and_changes_nothing(run: Run, project: Path) -> None:
    """CF-9.1"""
    before = run("check", "--format", "json", "--store", str(project.parent / "one.db")).stdout
    done = run("init")
    assert done.returncode == 0
    assert "contracts: specs/openapi.yaml with 9 operations" in done.stdout
    text = (project / "crossfact.toml").read_text(encoding="utf-8")
    assert '# Found: "bookshop.main:app"' in text
    assert tomllib.loads(text) == {}
    assert not (project / ".crossfact").exists()
    after = run("check", "--format", "json", "--store", str(project.parent / "two.db")).stdout
    assert json.loads(before)["findings"] == json.loads(after)["findings"]


def test_a_process_of_its_own_writes_the_same(project: Path) -> None:
    done = crossfact(project, "init")
    assert done.returncode == 0
    assert done.stderr.startswith("crossfact: next: ")
    assert tomllib.loads((project / "crossfact.toml").read_text(encoding="utf-8")) == {}


def test_every_setting_stands_in_it_with_its_default(run: Run) -> None:
    text = run("init", "--dry-run").stdout
    settings = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE)
    named = [key for _, each in SECTIONS for key, _ in each]
    assert sorted(named) == sorted(set(msgspec.structs.asdict(Settings())) - {"llm_key"})
    assert msgspec.convert(tomllib.loads(settings), Settings) == Settings()
    assert set(tomllib.loads(settings)) == set(named)


def test_nothing_is_written_without_leave(run: Run, project: Path) -> None:
    assert run("init", "--dry-run").returncode == 0
    assert not (project / "crossfact.toml").exists()
    (project / "pyproject.toml").write_text("[tool.crossfact]\nstrict = true\n", encoding="utf-8")
    done = run("init")
    assert done.returncode == 2 and "[tool.crossfact]" in done.stderr
    (project / "crossfact.toml").write_text("strict = 'perhaps'\n", encoding="utf-8")
    done = run("init")
    assert done.returncode == 2 and "there is a configuration already" in done.stderr
    assert (project / "crossfact.toml").read_text(encoding="utf-8") == "strict = 'perhaps'\n"
    done = run("init", "--force")
    assert done.returncode == 0 and "not heeded" in done.stderr
    assert tomllib.loads((project / "crossfact.toml").read_text(encoding="utf-8")) == {}


def test_a_link_in_the_place_of_the_configuration_is_not_followed(run: Run, project: Path) -> None:
    outside = project.parent / "outside.toml"
    outside.write_text("", encoding="utf-8")
    (project / "crossfact.toml").symlink_to(outside)
    done = run("init", "--force")
    assert done.returncode == 2 and "no plain file" in done.stderr
    assert outside.read_text(encoding="utf-8") == ""


def test_file_names_cannot_leave_their_comment(run: Run, project: Path) -> None:
    odd = project / 'specs\nstrict = true\n"'
    odd.mkdir()
    shutil.copy(project / "specs" / "openapi.yaml", odd / "other\x1b.yaml")
    assert run("init").returncode == 0
    assert tomllib.loads((project / "crossfact.toml").read_text(encoding="utf-8")) == {}


@given(
    st.recursive(
        st.text(st.characters(codec="utf-8")) | st.integers(-(2**60), 2**60) | st.booleans(), st.lists
    )
)
def test_a_value_is_read_back_as_it_was_written(value: object) -> None:
    assert tomllib.loads(f"key = {toml(value)}\n") == {"key": value}


def test_the_doctor_tells_what_there_is(project: Path) -> None:
    without = {name: value for name, value in surroundings().items() if name != "VIRTUAL_ENV"}
    done = crossfact(project, "doctor", environment=without)
    assert done.returncode == 0, done.stdout
    assert "ok      contracts: specs/openapi.yaml, 9 operations" in done.stdout
    assert "ok      application: bookshop.main:app (found)" in done.stdout
    assert "ok      web framework: fastapi; 9 operations" in done.stdout


def test_the_doctor_names_a_remedy_for_what_is_missing(run: Run, project: Path) -> None:
    shutil.rmtree(project / "specs")
    (project / "code" / "bookshop" / "second.py").write_text(
        "from fastapi import FastAPI\n\nother = FastAPI()\n", encoding="utf-8"
    )
    done = run("doctor", "--json", CROSSFACT_FAIL_ON="never", CROSSFACT_LLM_KEY="secret-key")
    assert done.returncode == 1
    assert "secret-key" not in done.stdout
    document = json.loads(done.stdout)
    checks = {each["name"]: each for each in document["checks"]}
    assert not document["healthy"]
    assert checks["specs"]["standing"] == "problem" and "--spec" in checks["specs"]["remedy"]
    assert checks["application"]["standing"] == "missing"
    assert "bookshop.second:other" in checks["application"]["says"]
    assert 'fail_on = "never"' in checks["settings"]["says"]
    assert len(document["detected"]["code"]) == 11


def test_the_doctor_sees_a_site_of_django_that_only_a_manage_py_starts(tmp_path: Path) -> None:
    files = {
        "manage.py": "import os\n",
        "desk/__init__.py": "",
        "desk/settings.py": "INSTALLED_APPS = []\nROOT_URLCONF = 'desk.urls'\n",
        "desk/urls.py": "from django.urls import path\n\nurlpatterns = []\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    told = inside(tmp_path, "doctor").stdout
    assert "ok      application: the site of Django with desk.settings (found by manage.py)" in told


def test_the_doctor_sees_a_damaged_store_and_leaves_it(run: Run, project: Path) -> None:
    run("check")
    store = project / ".crossfact" / "facts.db"
    for suffix in ("-wal", "-shm"):
        store.with_name(f"facts.db{suffix}").unlink(missing_ok=True)
    store.write_bytes(b"nothing like a database")
    done = run("doctor")
    assert done.returncode == 1
    assert "problem store: " in done.stdout and "help: Remove it" in done.stdout
    assert store.read_bytes() == b"nothing like a database"


def test_the_doctor_looks_at_the_projects_interpreter_without_starting_it(run: Run, project: Path) -> None:
    environment = project / ".venv"
    (environment / "bin").mkdir(parents=True)
    (environment / "pyvenv.cfg").write_text("version = 3.12\n", encoding="utf-8")
    canary = project.parent / "started"
    python = environment / "bin" / "python"
    python.write_text(f"#!/bin/sh\ntouch {canary}\n", encoding="utf-8")
    python.chmod(0o755)
    done = run("doctor")
    assert "missing interpreter: " in done.stdout and "pip install pytest" in done.stdout
    (environment / "lib" / "python3.12" / "site-packages" / "pytest").mkdir(parents=True)
    assert "ok      interpreter: " in run("doctor").stdout
    assert not canary.exists()


def test_the_doctor_says_what_tests_can_be_made_of_where_there_are_no_specs(tmp_path: Path) -> None:
    (tmp_path / "parts.py").write_text('def half(n):\n    """Half.\n\n    >>> half(4)\n    2\n    """\n')
    done = inside(tmp_path, "doctor")
    assert (
        "off     specs: none but examples in docstrings or pages; `crossfact go` tests them\n" in done.stdout
    )
    assert done.returncode == 0
