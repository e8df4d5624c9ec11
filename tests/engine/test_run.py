"""`crossfact run`: what runs and why, how each test stands afterwards, and that a kill loses nothing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from engine.configuration import Settings
from engine.journal import Journal, journal_file
from engine.planning import read_cases
from engine.project import Project
from engine.run import Ran, run
from graph.store.store import Store
from planner.cases import Case, Layer, Status, Technique
from planner.checklist import FILE, Checklist, load, save
from tests.validators import Quick

ROOT = Path(__file__).parent.parent.parent
CONTRACT = """\
openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /prices:
    get:
      responses:
        '200':
          description: All prices
          content: {application/json: {schema: {$ref: '#/components/schemas/Price'}}}
  /orders:
    get:
      responses:
        '200': {description: All orders}
components:
  schemas:
    Price: {type: object, properties: {amount: {type: integer}}}
"""
APP = """\
from fastapi import FastAPI

app = FastAPI()


@app.get("/prices")
def prices() -> dict[str, int]:
    return {"amount": 1}
"""


def case(name: str, *, subject: str = "function shop.f", **given: object) -> Case:
    return Case(
        id=name,
        description=name,
        subject=subject,
        aspect=str(given.pop("aspect", "returns")),
        technique=Technique.RETURNS,
        layer=Layer.UNIT,
        cites=given.pop("cites", ()),  # type: ignore[arg-type]
        status=given.pop("status", Status.GENERATED),  # type: ignore[arg-type]
        node=f"tests/crossfact/test_it.py::test_{name}",
        priority=given.pop("priority", 0.0),  # type: ignore[arg-type]
        target=given.pop("target", {}),  # type: ignore[arg-type]
        **given,  # type: ignore[arg-type]
    )


def make(root: Path, tests: str, cases: Sequence[Case], files: dict[str, str] | None = None) -> Project:
    for path, text in {"tests/crossfact/test_it.py": tests, **(files or {})}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    (root / ".crossfact").mkdir(exist_ok=True)
    save(root / FILE, Checklist(), cases)
    return opened(root)


def opened(root: Path) -> Project:
    return Project(
        root,
        (),
        msgspec.structs.replace(Settings(), history=False, jobs=1),
        Store.open(root / ".crossfact/facts.db"),
    )


def go(project: Project, **given: object) -> Ran:
    return run(project, tell=print, validator=Quick(), **given)  # type: ignore[arg-type]


def statuses(done: Ran) -> dict[str, Status]:
    return {case.id: case.status for case in done.cases}


def test_tests_run_in_the_order_of_their_priority_across_files(tmp_path: Path) -> None:
    text = "def log(name):\n    open('order', 'a').write(name)\n    assert name\n\n"
    text += "".join(f"def test_{name}(): log('{name}')\n" for name in "ac")
    cases = [case("a", priority=1.0), case("c", priority=5.0)]
    other = msgspec.structs.replace(case("b", priority=3.0), node="tests/crossfact/test_other.py::test_b")
    files = {"tests/crossfact/test_other.py": "def test_b():\n    open('order', 'a').write('b')\n"}
    done = go(make(tmp_path, text, [*cases, other], files))
    assert (tmp_path / "order").read_text(encoding="utf-8") == "cba"
    assert [each.case.id for each in done.ran] == ["c", "b", "a"]
    assert set(statuses(done).values()) == {Status.PASSED}


def test_a_test_that_a_person_made_pending_again_runs_and_a_case_without_a_test_does_not(
    tmp_path: Path,
) -> None:
    later = msgspec.structs.replace(case("later", status=Status.PENDING), node="")
    cases = [case("again", status=Status.PENDING), later]
    done = go(make(tmp_path, "def test_again(): assert 1 < 2\n", cases))
    assert statuses(done) == {"again": Status.PASSED, "later": Status.PENDING}


def test_a_green_test_is_locked_until_what_it_depends_on_changes_and_the_reason_is_told(
    tmp_path: Path,
) -> None:
    text = "from shop import f\nfrom other import g\n\ndef test_f(): assert f() == 1\n\ndef test_g(): assert g() == 1\n"
    files = {
        "shop.py": "import base\n\ndef f(): return base.ONE\n",
        "base.py": "ONE = 1\n",
        "other.py": "def g(): return 1\n",
        "openapi.yaml": CONTRACT,
    }
    cited = ("spec:response:GET /prices#200",)
    cases = [case("f", cites=cited), case("g", subject="function other.g")]
    project = make(tmp_path, text, cases, files)
    assert statuses(go(project)) == {"f": Status.PASSED, "g": Status.PASSED}
    assert go(project).ran == ()

    def whys() -> dict[str, str]:
        return {each.case.id: each.why for each in go(project).ran}

    (tmp_path / "base.py").write_text("ONE = 2 - 1\n", encoding="utf-8")
    assert whys() == {"f": "base.py changed since it passed"}
    (tmp_path / "openapi.yaml").write_text(CONTRACT.replace("integer", "number"), encoding="utf-8")
    assert whys() == {"f": f"{cited[0]} changed since it passed"}
    (tmp_path / "openapi.yaml").write_text(
        CONTRACT.replace("integer", "number").replace("All orders", "Some"), encoding="utf-8"
    )
    assert whys() == {}
    file = tmp_path / "tests/crossfact/test_it.py"
    file.write_text(
        text.replace("g() == 1", "g() != 2") + "\n\ndef test_new(): assert f()\n", encoding="utf-8"
    )
    assert whys() == {"g": "the test itself changed since it passed"}
    (tmp_path / "shop.py").write_text("import base\n\ndef f(): return base.ONE + 1\n", encoding="utf-8")
    done = go(project)
    assert [(each.case.id, each.why) for each in done.ran] == [("f", "shop.py changed since it passed")]
    assert statuses(done)["f"] is Status.FAILED
    assert [each.case.id for each in go(project, everything=True).ran] == ["f", "g"]


def test_a_test_is_expected_to_be_red_only_while_a_finding_of_today_predicts_it(tmp_path: Path) -> None:
    text = "def test_orders(): assert False\n\ndef test_prices(): assert False\n"
    cites = {"GET /orders": "spec:response:GET /orders#200", "GET /prices": "spec:response:GET /prices#200"}
    cases = [
        case(
            subject[5:],
            subject=subject,
            cites=(cited,),
            aspect="responses.200",
            target={"operation": subject},
            findings=("0123456789abcdef",),
        )
        for subject, cited in cites.items()
    ]
    project = make(tmp_path, text, cases, {"openapi.yaml": CONTRACT, "app.py": APP})
    done = go(project)
    assert statuses(done) == {"orders": Status.RED_EXPECTED, "prices": Status.FAILED}
    by_id = {each.id: each for each in done.cases}
    assert by_id["orders"].findings
    assert "0123456789abcdef" not in by_id["orders"].findings
    written = APP + '\n\n@app.get("/orders")\ndef orders() -> None:\n    return None\n'
    (tmp_path / "app.py").write_text(written, encoding="utf-8")
    assert statuses(go(project)) == {"orders": Status.FAILED, "prices": Status.FAILED}


def test_what_was_green_and_gets_worse_is_failed_though_a_finding_explains_it(tmp_path: Path) -> None:
    text = "from pathlib import Path\n\ndef test_prices(): assert 'prices' in Path('app.py').read_text()\n"
    given = case(
        "prices", subject="GET /prices", cites=("spec:response:GET /prices#200",), aspect="responses.200"
    )
    project = make(tmp_path, text, [given], {"openapi.yaml": CONTRACT, "app.py": APP})
    assert statuses(go(project)) == {"prices": Status.PASSED}
    (tmp_path / "app.py").write_text(APP.replace("prices", "costs"), encoding="utf-8")
    done = go(project)
    assert statuses(done) == {"prices": Status.FAILED}
    assert done.cases[0].findings


def test_an_application_that_is_found_nowhere_is_told_once(tmp_path: Path) -> None:
    text = "class Response:\n    status_code, text = 404, 'Not Found'\n\n"
    text += "".join(
        f"def test_{name}():\n    response = Response()\n    assert response.status_code == 200\n\n"
        for name in "abc"
    )
    cases = [
        msgspec.structs.replace(case(name, target={"operation": f"GET /{name}"}), technique=Technique.SUCCESS)
        for name in "abc"
    ]
    done = go(make(tmp_path, text, cases))
    assert set(statuses(done).values()) == {Status.INCONCLUSIVE}
    assert (
        len({each.last_error for each in done.cases}) == 1 and "behind a prefix" in done.cases[0].last_error
    )


def test_a_test_that_is_red_by_chance_is_flaky_and_one_that_is_always_red_is_not(tmp_path: Path) -> None:
    text = """\
from pathlib import Path

def count(name):
    with open(name, "a") as file: file.write("x")
    return len(Path(name).read_text())

def test_chance(): assert count("chance") != 1
def test_red(): assert count("red") < 0
def test_green(): assert count("green")
"""
    project = make(tmp_path, text, [case("chance"), case("red"), case("green")])
    done = go(project)
    assert statuses(done) == {"chance": Status.FLAKY, "red": Status.FAILED, "green": Status.PASSED}
    assert done.cases[0].last_error.startswith("red in 1 of 3 runs of the same code: AssertionError")
    assert [len((tmp_path / name).read_text(encoding="utf-8")) for name in ("chance", "red", "green")] == [
        3,
        3,
        1,
    ]
    assert statuses(go(project))["chance"] is Status.PASSED
    assert len((tmp_path / "chance").read_text(encoding="utf-8")) == 6


def test_an_interpreter_without_pytest_makes_tests_inconclusive_with_the_remedy(tmp_path: Path) -> None:
    project = make(tmp_path, "def test_a(): assert True\n", [case("a")])
    settings = msgspec.structs.replace(project.settings, python=str(tmp_path / "nothing"))
    done = go(msgspec.structs.replace(project, settings=settings))
    assert statuses(done) == {"a": Status.INCONCLUSIVE}
    assert "there is no such interpreter; name another one with --python" in done.cases[0].last_error


def test_a_module_that_is_not_built_yet_is_told_from_one_that_nobody_wrote(tmp_path: Path) -> None:
    text = "def test_name():\n    from shop.fast import total\n    assert total\n\n"
    text += "def test_attribute():\n    import shop.fast as fast\n    assert fast.total\n\n"
    text += "def test_written():\n    from shop.slow import total\n    assert total\n"
    files = {
        "shop/__init__.py": "",
        "shop/fast.pyi": "def total(prices: list[int]) -> int: ...\n",
        "shop/fast/fast.c": "/* the source of shop.fast */\n",
        "shop/slow.pyi": "def total(prices: list[int]) -> int: ...\n",
        "shop/slow.py": "",
    }
    done = go(make(tmp_path, text, [case("name"), case("attribute"), case("written")], files))
    assert statuses(done) == {
        "name": Status.INCONCLUSIVE, "attribute": Status.INCONCLUSIVE, "written": Status.RED_EXPECTED,
    }  # fmt: skip
    assert sum("build the project first" in each.last_error for each in done.cases) == 2


CHEATS = {
    "passes": "pass",
    "asserts_a_constant": "assert True",
    "asserts_a_tuple": "assert (1 == 2, 'a tuple')",
    "returns": "return",
    "never_branches": "if False: assert 1 == 2",
    "returns_before": "return\n    assert 1 == 2",
    "catches": "try: assert 1 == 2\n    except BaseException: pass",
    "suppresses": "import contextlib\n    with contextlib.suppress(AssertionError): assert 1 == 2",
    "answers": "return 1 == 2",
    "skips": "import pytest; pytest.skip('no')",
    "exits": "import os; os._exit(0)",
    "becomes_another": "import os; os.execv('/bin/true', ['true'])",
    "ends_pytest": "import pytest; pytest.exit('done', 0)",
    "ends_python": "import sys; sys.exit(0)",
    "fails_in_a_thread": "import threading; t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join(); assert t",
    "xfails": "import pytest; pytest.xfail('no')",
    "lacks": "import pytest; pytest.importorskip('no_such_module')",
}
"""Bodies of tests that would end with exit code 0, or look like a pass."""
TELLS = """\
    for when in ('setup', 'call', 'teardown'):
        r._tell('phase', node=n, when=when, outcome='passed', seconds=0, xfail=False, output='')
    r._tell('finish', node=n)
    os._exit(0)
"""
INSIDERS = {
    "by_modules": f"    import os, sys; r = sys.modules['crossfact_report']; n = NODE\n{TELLS}",
    "by_import": f"    import os, crossfact_report as r; n = NODE\n{TELLS}",
    "by_plugin": "    request.config.pluginmanager.unregister(name='crossfact_report')",
    "by_pytest": "    import _pytest.runner; _pytest.runner.check_interactive_exception = None",
}
"""Bodies of tests that take hold of pytest itself; one is enough to doubt a whole file."""


def test_a_test_that_cheats_does_not_pass(tmp_path: Path) -> None:
    text = "\n".join(f"def test_{name}():\n    {body}\n" for name, body in CHEATS.items())
    cases = [case(name) for name in CHEATS]
    files = {}
    for name, body in INSIDERS.items():
        node = f"tests/crossfact/test_{name}.py::test_{name}"
        cases.append(msgspec.structs.replace(case(name), node=node))
        files[f"tests/crossfact/test_{name}.py"] = f"NODE = {node!r}\n\ndef test_{name}(request):\n{body}\n"
    done = go(make(tmp_path, text, cases, files))
    assert [each.id for each in done.cases if each.status is Status.PASSED or not each.last_error] == []


def test_an_honest_test_is_not_taken_for_a_cheat(tmp_path: Path) -> None:
    text = """\
import contextlib
import pytest

def check(value):
    assert value

def test_by_helper(): check(1)
def test_import(): import json
def test_raises():
    with pytest.raises(ZeroDivisionError): 1 / 0
def test_try():
    try:
        value = int("x")
    except ValueError:
        value = 0
    assert value == 0
def test_calls(): len("x")
def test_suppress():
    with contextlib.suppress(OSError): open("/nothing")
    assert not __import__("os").path.exists("/nothing")
"""
    names = ["by_helper", "import", "raises", "try", "calls", "suppress"]
    done = go(make(tmp_path, text, [case(name) for name in names]))
    assert statuses(done) == dict.fromkeys(names, Status.PASSED)


def test_a_cut_line_of_the_journal_is_left_out_and_the_next_one_counts(tmp_path: Path) -> None:
    project = make(
        tmp_path, "def test_a(): assert True\n\ndef test_b(): assert True\n", [case("a"), case("b")]
    )
    journal = Journal(project)
    journal.add(msgspec.structs.replace(case("a"), status=Status.PASSED))
    file = journal_file(project)
    file.write_bytes(file.read_bytes()[:-20])
    journal.add(msgspec.structs.replace(case("b"), status=Status.PASSED))
    assert [each.status for each in read_cases(project)] == [Status.GENERATED, Status.PASSED]


def test_a_kill_at_any_moment_repeats_at_most_one_test_and_loses_nothing(tmp_path: Path) -> None:
    count = 60
    text = "import pytest, time\n\ndef log(name):\n    open('log', 'a').write(name + '\\n')\n    time.sleep(0.01)\n\n"
    text += "".join(
        f"def test_{n}():\n    log('{n}')\n    {n} % 7 or pytest.skip()\n\n" for n in range(count)
    )
    make(tmp_path, text, [case(str(n), priority=float(count - n)) for n in range(count)]).store.close()
    command = [
        sys.executable,
        "-m",
        "crossfact",
        "run",
        "--project",
        str(tmp_path),
        "--no-history",
        "--sandbox",
        "limits",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    chance = random.Random(6)
    kills, killed, skipped = 0, 0, {str(n) for n in range(count) if n % 7 == 0}
    log = tmp_path / "log"
    while kills < 40:
        seen = _lines(log)
        child = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        begun = time.monotonic()
        while child.poll() is None and _lines(log) == seen and time.monotonic() - begun < 30:
            time.sleep(0.005)
        if killed < 12:
            time.sleep(chance.random() * 0.12)  # the moment of the kill, not a wait for something
            child.send_signal(signal.SIGKILL)
        kills += 1
        ended = child.wait() != -signal.SIGKILL
        killed += not ended
        load(tmp_path / FILE)
        again = len(_lines(log)) - len(set(_lines(log)))
        assert again <= killed
        if ended:
            break
    assert killed >= 10
    assert set(_lines(log)) == {str(n) for n in range(count)}
    standing = {each.id: each.status for each in read_cases(opened(tmp_path))}
    assert standing == {
        str(n): Status.INCONCLUSIVE if str(n) in skipped else Status.PASSED for n in range(count)
    }


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").split() if file.exists() else []
