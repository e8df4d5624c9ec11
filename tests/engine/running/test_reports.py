"""What surrounds a run: JUnit XML, the watch for changes, the choice of the sandbox, the text of the report."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from engine.cli.running import text
from engine.configuration import Settings
from engine.project import Project
from engine.run import Ran
from engine.running import sandboxes
from engine.running.junit import junit
from engine.running.selecting import Chosen
from engine.running.watching import snapshot, wait_for_change
from graph.errors import ConfigurationError
from graph.store.store import Store
from planner.cases import Case, Layer, Status, Technique
from planner.validator import Outcome, Verdict


def case(name: str, status: Status, error: str = "") -> Case:
    return Case(
        id=name,
        description=name,
        subject="function f",
        aspect="returns",
        technique=Technique.RETURNS,
        layer=Layer.UNIT,
        cites=(),
        status=status,
        node=f"tests/test_it.py::{name}",
        last_error=error,
    )


def test_junit_tells_green_waiting_red_and_inconclusive_apart_and_holds_any_text() -> None:
    cases = [
        case("green", Status.PASSED),
        case("waits", Status.RED_EXPECTED, "no such module"),
        case("red", Status.FAILED, "a < b & \x1b[31m \ud800"),
        case("fenced", Status.INCONCLUSIVE, "no network"),
    ]
    outcomes = {"red": Outcome(node="x", verdict=Verdict.FAILED, seconds=0.5, message="m", output="out\x00")}
    root = ElementTree.fromstring(junit(cases, outcomes))
    suite = root[0]
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped", "time")} == {
        "tests": "4",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
        "time": "0.500",
    }
    assert [[child.tag for child in each] for each in suite] == [
        [],
        ["skipped"],
        ["failure", "system-out"],
        ["error"],
    ]
    assert suite[2][0].get("message") == "FAILED: a < b & ?[31m ?"


def test_a_change_of_a_file_is_seen_and_one_of_the_state_is_not(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("ONE = 1\n", encoding="utf-8")
    (tmp_path / "state.yaml").write_text("a: 1\n", encoding="utf-8")
    own = frozenset({"state.yaml"})
    before = snapshot(tmp_path, own)
    steps = [
        lambda: (tmp_path / "state.yaml").write_text("a: 22\n", encoding="utf-8"),
        lambda: (tmp_path / "new.py").write_text("TWO = 2\n", encoding="utf-8"),
    ]

    def sleep(seconds: float) -> None:
        steps.pop(0)()

    assert wait_for_change(tmp_path, before, own, sleep) == ["new.py"]
    assert steps == []


def project(tmp_path: Path, **settings: str) -> Project:
    return Project(tmp_path, (), msgspec.structs.replace(Settings(), **settings), Store.open(None))


def test_the_sandbox_is_the_strongest_there_is_and_a_project_can_only_raise_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = Path("python")
    monkeypatch.setattr(sandboxes, "probe", lambda: ("0.8.0", ""))
    plain = project(tmp_path)
    assert sandboxes.sandbox_for(plain, python).level == "strict"
    assert sandboxes.sandbox_for(plain, python, "limits").level == "limits"
    assert sandboxes.sandbox_for(project(tmp_path, sandbox="limits"), python).level == "strict"
    assert sandboxes.sandbox_for(project(tmp_path, sandbox="limits"), python, "none").level == "limits"
    served = sandboxes.sandbox_for(project(tmp_path, app="http://localhost:8000"), python)
    assert "network: the machine's" in served.words
    monkeypatch.setattr(sandboxes, "probe", lambda: ("", "it is not installed"))
    weaker = sandboxes.sandbox_for(plain, python)
    assert weaker.level == "limits"
    assert weaker.words.endswith("not a security boundary; it is not installed")
    with pytest.raises(ConfigurationError, match="strict is asked for, but it is not installed"):
        sandboxes.sandbox_for(project(tmp_path, sandbox="strict"), python)


def test_words_of_a_service_that_quote_what_was_sent_keep_no_tests_apart() -> None:
    said = [
        f'skipped: POST /teas, which comes first, is refused: 422 {{"title": "T{each}"}}' for each in range(5)
    ]
    said += [f"AssertionError: assert 422 == 201; it answered 422: T{each}" for each in range(5)]
    cases = tuple(
        msgspec.structs.replace(
            case(f"t{place}", Status.FAILED, f"x{place}"), last_error=each, subject="POST /teas"
        )
        for place, each in enumerate(said)
    )
    lines = text(Ran(cases, tuple(Chosen(each, "FAILED") for each in cases), (), "limits")).splitlines()
    assert [line for line in lines if line.startswith("FAILED")] == [
        f"FAILED 5 tests of POST /teas: {said[0]}",
        f"FAILED 5 tests of POST /teas: {said[5]}",
    ]


def test_the_report_is_bounded() -> None:
    cases = tuple(case(f"t{number}", Status.FAILED, f"x{number}") for number in range(200))
    lines = text(Ran(cases, tuple(Chosen(each, "FAILED") for each in cases), (), "limits")).splitlines()
    assert len(lines) == 52
    assert lines[50:] == [
        "… and 150 more; `crossfact status` lists all.",
        "200 tests ran: 200 FAILED; 0 green and locked.",
    ]


def test_tests_that_fail_alike_share_a_line() -> None:
    cases = (
        *(case(f"t{number}", Status.FAILED, "422 == 201") for number in range(5)),
        case("u", Status.FAILED, "1 == 2"),
    )
    assert text(Ran(cases, tuple(Chosen(each, "FAILED") for each in cases), (), "limits")).splitlines() == [
        "FAILED 5 tests of function f: 422 == 201",
        "    tests/test_it.py::t0",
        "    tests/test_it.py::t1",
        "    tests/test_it.py::t2",
        "    … and 2 more; `crossfact status --status FAILED` lists them",
        "FAILED tests/test_it.py::u: 1 == 2",
        "6 tests ran: 6 FAILED; 0 green and locked.",
    ]


def test_tests_of_many_subjects_that_fail_alike_share_a_line() -> None:
    cases = tuple(
        msgspec.structs.replace(case(f"t{number}", Status.FAILED, "400 == 200"), subject=f"GET /{number}")
        for number in range(5)
    )
    lines = text(Ran(cases, tuple(Chosen(each, "FAILED") for each in cases), (), "limits")).splitlines()
    assert lines[0] == "FAILED 5 tests of 5 subjects: 400 == 200"


def test_the_report_says_once_for_each_reason_why_green_tests_ran_again() -> None:
    cases = tuple(case(f"t{number}", Status.PASSED) for number in range(3))
    whys = ("a.py changed since it passed", "a.py changed since it passed", "PASSED")
    ran = tuple(Chosen(each, why) for each, why in zip(cases, whys, strict=True))
    assert text(Ran(cases, ran, (), "limits")).splitlines() == [
        "2 green tests ran again: a.py changed since it passed",
        "3 tests ran: 3 PASSED; 0 green and locked.",
    ]
