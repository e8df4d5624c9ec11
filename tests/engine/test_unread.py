"""What could not be read makes no finding of its own, and a contract that could not be read is never a silent 0."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from graph.store.dialect import Sqlite
from tests.commands import inside

CONTRACT = """\
openapi: 3.1.0
info: {title: Parcels, version: "1"}
paths:
  /parcels:
    get:
      responses: {"200": {description: All}}
"""
CODE = """\
from fastapi import FastAPI

app = FastAPI()


@app.get("/parcels")
def parcels(): ...
"""


def checked(folder: Path) -> tuple[int, dict[str, Any]]:
    done = inside(folder, "check", "--no-history", "--format", "json")
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize(
    "data",
    [CODE.encode("utf-16"), f"# caf\xe9\n{CODE}".encode("latin-1"), f"{CODE}\0".encode()],
    ids=["UTF-16", "Latin-1", "NUL"],
)
def test_code_that_could_not_be_read_lacks_no_operation(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "openapi.yaml").write_text(CONTRACT, encoding="utf-8")
    (tmp_path / "app.py").write_bytes(data)
    code, report = checked(tmp_path)
    assert (code, report["findings"]) == (0, [])
    assert [each["path"] for each in report["skipped"]] == ["app.py"]
    assert "GET /parcels" in [each["subject"] for each in report["unknown"]]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("swagger.json", '{"swagger": "2.0"}'.encode("utf-16")),
        ("v2/openapi.yml", "title: caf\xe9".encode("latin-1")),
        ("api/openapi.yaml", b"\n"),
    ],
)
def test_a_contract_by_its_name_that_could_not_be_read_is_told(
    tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / "openapi.yaml").write_text(CONTRACT, encoding="utf-8")
    (tmp_path / "app.py").write_text(CODE, encoding="utf-8")
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(data)
    code, report = checked(tmp_path)
    assert code == 1
    assert [(each["rule"], each["spec"]["path"]) for each in report["findings"]] == [
        ("contract-unreadable", name)
    ]


def test_a_contract_of_test_data_may_be_as_broken_as_it_likes(tmp_path: Path) -> None:
    (tmp_path / "openapi.yaml").write_text(CONTRACT, encoding="utf-8")
    (tmp_path / "app.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "openapi.yaml").write_bytes(b"\xff")
    code, report = checked(tmp_path)
    assert (code, report["findings"]) == (0, [])


def test_a_file_that_could_not_be_read_for_a_while_is_read_though_it_did_not_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "openapi.yaml").write_text(CONTRACT, encoding="utf-8")
    (tmp_path / "app.py").write_text(CODE, encoding="utf-8")
    opening = os.open

    def denied(path: str, *arguments: Any, **given: Any) -> int:
        if path == "app.py":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return opening(path, *arguments, **given)

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", denied)
        for _ in range(2):
            assert [each["reason"] for each in checked(tmp_path)[1]["skipped"]] == [
                "cannot be read: Permission denied"
            ]
    code, report = checked(tmp_path)
    assert (code, report["findings"], report["skipped"], report["unknown"]) == (0, [], [], [])


def test_a_full_disk_keeps_facts_in_memory_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "openapi.yaml").write_text(CONTRACT, encoding="utf-8")
    (tmp_path / "app.py").write_text(CODE, encoding="utf-8")
    preparing = Sqlite._prepare

    def full(self: Sqlite) -> None:
        if self._place != ":memory:":
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        preparing(self)

    monkeypatch.setattr(Sqlite, "_prepare", full)
    done = inside(tmp_path, "check", "--no-history")
    assert done.returncode == 0
    assert "disk is full; facts are kept in memory for this run" in done.stderr
