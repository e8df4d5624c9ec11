"""The runner on real pytest processes: each test is judged alone, and nothing that one does harms the others."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from engine.interpreter import interpreter
from engine.running.runner import PytestValidator
from planner.validator import Job, Outcome, Verdict
from tests.validators import Quick

SHOP = """\
def price(amount):
    if amount < 0:
        raise ValueError("negative")
    return amount * 2

def later():
    raise NotImplementedError

def more():
    raise RuntimeError("Need fabulist installed to generate random text.")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    return tmp_path


def run(
    project: Path, text: str, *names: str, seconds: float = 20.0, **options: object
) -> dict[str, Outcome]:
    file = project / "tests" / "test_it.py"
    file.write_text(text, encoding="utf-8")
    job = Job(
        root=project,
        nodes=tuple(f"tests/test_it.py::{name}" for name in names),
        python=Path(sys.executable),
        seconds=seconds,
        units=("shop",),
        limits=options.get("limits", {}),  # type: ignore[arg-type]
    )
    return {outcome.node.partition("::")[2]: outcome for outcome in Quick().run(job)}


def test_what_a_service_answered_and_raised_is_told(project: Path) -> None:
    text = """\
import logging, shop

class Response:
    def __init__(self, status_code, text):
        self.status_code, self.text = status_code, text

def ask():
    try:
        shop.later()
    except NotImplementedError:
        logging.getLogger("shop").exception("POST /teas")
        return Response(500, "")

def test_refused():
    response = Response(422, "no such tea")
    assert response.status_code == 200

def test_raised():
    response = ask()
    assert response.status_code == 200

def test_another():
    response = Response(500, "down")
    assert response.status_code == 200
"""
    found = run(project, text, "test_raised", "test_refused", "test_another")
    assert found["test_refused"].service == "it answered 422: no such tea"
    assert found["test_raised"].verdict is Verdict.MISSING
    assert found["test_raised"].service.startswith("the service raised NotImplementedError")
    assert found["test_raised"].service.endswith("(shop.py:7)")
    assert (found["test_another"].verdict, found["test_another"].service) == (
        Verdict.FAILED,
        "it answered 500: down",
    )


def test_each_test_has_the_verdict_of_its_own_error(project: Path) -> None:
    text = """\
import json, pytest, shop

def test_passes():
    assert shop.price(2) == 4

def test_asserts():
    assert shop.price(2) == 5

def test_unit_raises():
    shop.price(-1)

def test_not_written_yet():
    shop.later()

def test_has_no_such_name():
    shop.discount(1)

def test_imports_what_is_missing():
    from shop.cart import Cart

def test_called_otherwise():
    shop.price(1, 2)

class Answer:
    def __init__(self, text):
        self.text = text

    def json(self):
        return json.loads(self.text)

def test_answer_without_json():
    Answer("Not found").json()

def test_answer_without_the_field():
    assert Answer("{}").json()["id"] == 1

def test_answer_that_is_no_object():
    shown = Answer("null").json()
    missing = {"id"} - shown.keys()
    assert not missing

def test_own_key_error():
    assert {"a": 1}["b"] == 1

def test_own_name_error():
    assert shop.pryce_of_nothing_defined_here if False else undefined_name

def test_own_import_error():
    import no_such_library

def test_no_such_fixture(nothing):
    assert True

@pytest.fixture
def unequipped():
    import no_such_library

@pytest.fixture
def told():
    raise RuntimeError("The testclient module requires the httpx package to be installed.")

def test_of_code_that_says_so():
    shop.more()

@pytest.fixture
def failing():
    raise RuntimeError("no")

def test_of_what_is_not_installed(unequipped):
    assert True

def test_of_what_says_so(told):
    assert True

def test_of_a_fixture_that_fails(failing):
    assert True

def test_skipped():
    pytest.skip("not today")

@pytest.mark.xfail
def test_expected_to_fail():
    assert False

def test_raises():
    with pytest.raises(KeyError):
        shop.price(1)

def test_of_subtests(subtests):
    for number in (1, 2):
        with subtests.test(number=number):
            assert shop.price(number) == 2 * number

def test_of_a_red_subtest(subtests):
    for number in (1, 2):
        with subtests.test(number=number):
            assert shop.price(number) == 2

def test_of_one_skipped(subtests):
    with subtests.test():
        pytest.skip("not today")
    with subtests.test():
        assert shop.price(1) == 2

def test_of_all_skipped(subtests):
    with subtests.test():
        pytest.skip("not today")
"""
    names = [line[4 : line.index("(")] for line in text.splitlines() if line.startswith("def test_")]
    outcomes = run(project, text, *names)
    assert {name: outcome.verdict for name, outcome in outcomes.items()} == {
        "test_passes": Verdict.PASSED,
        "test_asserts": Verdict.FAILED,
        "test_unit_raises": Verdict.FAILED,
        "test_not_written_yet": Verdict.MISSING,
        "test_has_no_such_name": Verdict.MISSING,
        "test_imports_what_is_missing": Verdict.MISSING,
        "test_called_otherwise": Verdict.FAILED,
        "test_answer_without_json": Verdict.FAILED,
        "test_answer_without_the_field": Verdict.FAILED,
        "test_answer_that_is_no_object": Verdict.FAILED,
        "test_own_key_error": Verdict.BROKEN,
        "test_own_name_error": Verdict.BROKEN,
        "test_own_import_error": Verdict.BROKEN,
        "test_no_such_fixture": Verdict.BROKEN,
        "test_of_what_is_not_installed": Verdict.ENVIRONMENT,
        "test_of_what_says_so": Verdict.ENVIRONMENT,
        "test_of_code_that_says_so": Verdict.ENVIRONMENT,
        "test_of_a_fixture_that_fails": Verdict.BROKEN,
        "test_skipped": Verdict.SKIPPED,
        "test_expected_to_fail": Verdict.SKIPPED,
        "test_raises": Verdict.FAILED,
        "test_of_subtests": Verdict.PASSED,
        "test_of_a_red_subtest": Verdict.FAILED,
        "test_of_one_skipped": Verdict.PASSED,
        "test_of_all_skipped": Verdict.SKIPPED,
    }
    assert "install it for the interpreter" in outcomes["test_of_what_is_not_installed"].message
    raised = outcomes["test_unit_raises"]
    assert (raised.exception, raised.message) == ("ValueError", "negative")
    assert [(frame.path, frame.owner) for frame in raised.frames][-2:] == [
        ("tests/test_it.py", "test"),
        ("shop.py", "project"),
    ]


def test_a_test_that_takes_too_long_costs_only_itself(project: Path) -> None:
    text = "def test_a():\n    while True: pass\n\ndef test_b():\n    assert True\n"
    outcomes = run(project, text, "test_a", "test_b", seconds=2.0)
    assert outcomes["test_a"].verdict is Verdict.TIMEOUT
    assert outcomes["test_b"].verdict is Verdict.PASSED


def test_a_test_that_ends_the_process_costs_only_itself(project: Path) -> None:
    text = "import os\n\ndef test_a():\n    os._exit(0)\n\ndef test_b():\n    assert True\n"
    outcomes = run(project, text, "test_a", "test_b")
    assert outcomes["test_a"].verdict is Verdict.CONTAINED
    assert "exit code 0" in outcomes["test_a"].message
    assert outcomes["test_b"].verdict is Verdict.PASSED


def test_what_a_test_starts_is_gone_after_its_time(project: Path) -> None:
    text = """\
import subprocess, sys, time

def test_a():
    subprocess.Popen([sys.executable, "-c", "import time, pathlib; time.sleep(3); pathlib.Path('late').touch()"])
    time.sleep(60)
"""
    outcomes = run(project, text, "test_a", seconds=1.5)
    assert outcomes["test_a"].verdict is Verdict.TIMEOUT
    time.sleep(2.5)
    assert not (project / "late").exists()


def test_output_without_end_is_stopped(project: Path) -> None:
    text = """\
import os

def test_a(capfd):
    with capfd.disabled():
        while True:
            os.write(1, b"x" * 65536)
"""
    outcomes = run(project, text, "test_a")
    assert outcomes["test_a"].verdict is Verdict.CONTAINED
    assert "printed more than" in outcomes["test_a"].message


def test_memory_is_limited(project: Path) -> None:
    text = "def test_a():\n    x = bytearray(3 << 30)\n    assert x\n"
    outcomes = run(project, text, "test_a", limits={"RLIMIT_AS": 2 << 30})
    assert outcomes["test_a"].exception == "MemoryError"


def test_a_file_that_cannot_be_collected_does_not_take_others_down(project: Path) -> None:
    (project / "tests" / "test_bad.py").write_text("def broken(:\n", encoding="utf-8")
    (project / "tests" / "test_lacking.py").write_text(
        "import shop.cart\ndef test_x(): pass\n", encoding="utf-8"
    )
    (project / "tests" / "test_good.py").write_text("def test_x(): assert True\n", encoding="utf-8")
    nodes = ("tests/test_bad.py::test_x", "tests/test_lacking.py::test_x", "tests/test_good.py::test_x")
    job = Job(
        root=project,
        nodes=(*nodes, "tests/test_good.py::test_y"),
        python=Path(sys.executable),
        units=("shop",),
    )
    found = {outcome.node: outcome.verdict for outcome in Quick().run(job)}
    assert found == {
        nodes[0]: Verdict.BROKEN,
        nodes[1]: Verdict.MISSING,
        nodes[2]: Verdict.PASSED,
        "tests/test_good.py::test_y": Verdict.ABSENT,
    }


def test_a_test_cannot_report_for_another(project: Path) -> None:
    text = """\
import json, os

def test_a():
    line = json.dumps({"nonce": "", "event": "finish", "node": "tests/test_it.py::test_b"})
    for fd in range(3, 20):
        try:
            os.write(fd, line.encode() + b"\\n")
        except OSError:
            pass
    assert "CROSSFACT_NONCE" not in os.environ

def test_b():
    assert False
"""
    outcomes = run(project, text, "test_a", "test_b")
    assert outcomes["test_a"].verdict is Verdict.PASSED
    assert outcomes["test_b"].verdict is Verdict.FAILED


def test_the_cases_of_a_parametrised_test_have_their_own_outcomes(project: Path) -> None:
    text = "import pytest\n\n@pytest.mark.parametrize('n', [1, 2])\ndef test_a(n):\n    assert n == 1\n"
    outcomes = run(project, text, "test_a")
    assert {name: outcome.verdict for name, outcome in outcomes.items()} == {
        "test_a[1]": Verdict.PASSED,
        "test_a[2]": Verdict.FAILED,
    }


def test_several_jobs_run_at_once(project: Path) -> None:
    jobs = []
    for name in ("a", "b", "c"):
        (project / "tests" / f"test_{name}.py").write_text("def test_x(): assert True\n", encoding="utf-8")
        jobs.append(Job(root=project, nodes=(f"tests/test_{name}.py::test_x",), python=Path(sys.executable)))
    outcomes = list(Quick(parallel=2).run_many(jobs))
    assert sorted(outcome.node for outcome in outcomes) == [f"tests/test_{name}.py::test_x" for name in "abc"]
    assert {outcome.verdict for outcome in outcomes} == {Verdict.PASSED}


def test_the_projects_own_environment_is_found(tmp_path: Path) -> None:
    assert interpreter(tmp_path, {}) == Path(sys.executable)
    folder = tmp_path / ".venv" / "bin"
    folder.mkdir(parents=True)
    (folder / "python").symlink_to(sys.executable)
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("", encoding="utf-8")
    assert interpreter(tmp_path, {}) == folder / "python"
    assert interpreter(tmp_path, {}, "/usr/bin/python3") == Path("/usr/bin/python3")


def test_a_file_or_a_class_stands_for_all_its_tests_also_where_one_ends_the_process(project: Path) -> None:
    (project / "tests/test_more.py").write_text(
        "import os, pytest\n\n"
        "class TestOne:\n    def test_a(self): assert True is True\n\n"
        "@pytest.mark.parametrize('n', [1, 2])\ndef test_b(n): assert n == 1\n\n"
        "def test_ends(): os._exit(0)\n\n"
        "def test_after(): assert len('a') == 1\n",
        encoding="utf-8",
    )
    (project / "tests/test_bad.py").write_text(
        "import nothing_here\n\ndef test_it(): pass\n", encoding="utf-8"
    )

    def verdicts(*nodes: str) -> dict[str, Verdict]:
        job = Job(root=project, nodes=nodes, python=Path(sys.executable), seconds=20.0)
        return {outcome.node: outcome.verdict for outcome in PytestValidator().run(job)}

    more = "tests/test_more.py"
    assert verdicts(more, "tests/test_bad.py") == {
        f"{more}::TestOne::test_a": Verdict.PASSED,
        f"{more}::test_b[1]": Verdict.PASSED,
        f"{more}::test_b[2]": Verdict.FAILED,
        f"{more}::test_ends": Verdict.CONTAINED,
        f"{more}::test_after": Verdict.PASSED,
        "tests/test_bad.py": Verdict.BROKEN,
    }
    assert verdicts(f"{more}::TestOne") == {f"{more}::TestOne::test_a": Verdict.PASSED}


def test_a_package_that_code_can_do_without_and_that_is_not_there_shows_nothing(project: Path) -> None:
    (project / "shop.py").write_text(
        "def table():\n    import nobody_has_this\n"
        "def told():\n    raise ImportError('tables not available: pip install shop[tables]')\n"
        "def broken():\n    import shop.nothing\n",
        encoding="utf-8",
    )
    text = "import shop\n" + "".join(
        f"def test_{name}():\n    assert shop.{name}() == 1\n" for name in ("table", "told", "broken")
    )
    outcomes = run(project, text, "test_table", "test_told", "test_broken")
    assert {name: outcome.verdict for name, outcome in outcomes.items()} == {
        "test_table": Verdict.ENVIRONMENT,
        "test_told": Verdict.ENVIRONMENT,
        "test_broken": Verdict.MISSING,
    }
    assert "install it for the interpreter" in outcomes["test_table"].message
    assert outcomes["test_told"].message == "tables not available: pip install shop[tables]"


def test_a_conftest_that_asks_for_a_plugin_that_is_not_there_shows_nothing(project: Path) -> None:
    (project / "tests" / "conftest.py").write_text(
        "def pytest_benchmark_scale_unit(config):\n    pass\n", "utf-8"
    )
    outcomes = run(project, "def test_a():\n    pass\ndef test_b():\n    pass\n", "test_a", "test_b")
    assert {each.verdict for each in outcomes.values()} == {Verdict.ENVIRONMENT}
    assert "unknown hook 'pytest_benchmark_scale_unit'" in outcomes["test_a"].message
    assert "may lack a plug-in" in outcomes["test_a"].message
