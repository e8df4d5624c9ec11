"""Specs before any code: the tests are written at once, and meet the application wherever it comes to lie."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.commands import inside

ROOT = Path(__file__).parent.parent.parent
FLASK = """\
from flask import Flask

site = Flask(__name__)


@site.get("/prices")
def prices():
    return {"amount": 1}
"""
CONTRACT = """\
openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /prices:
    get:
      responses:
        '200':
          description: All prices
          content: {application/json: {schema: {type: object, required: [amount]}}}
"""


def test_an_example_of_specs_alone_needs_no_setting_before_its_code_and_none_after(tmp_path: Path) -> None:
    specs = tmp_path / "todo"
    shutil.copytree(ROOT / "specs_examples/todo-tdd/specs", specs / "specs")
    first = inside(specs, "go")
    assert "40 tests ran: 40 RED_EXPECTED" in first.stdout, first.stdout + first.stderr
    assert "there is no application yet" in first.stdout

    shutil.copytree(ROOT / "benchmarks/tdd/todo", specs / "todo", ignore=shutil.ignore_patterns("mutants.py"))
    before = {file.name: file.read_text("utf-8") for file in (specs / "tests/crossfact").glob("test_*.py")}
    done = inside(specs, "run")
    assert "40 tests ran: 40 PASSED" in done.stdout, done.stdout + done.stderr
    assert "the application is todo.main:app now: tests/crossfact/conftest.py says so" in done.stderr
    after = {file.name: file.read_text("utf-8") for file in (specs / "tests/crossfact").glob("test_*.py")}
    assert after == before


def test_a_run_follows_the_application_to_another_framework_but_not_into_a_conftest_of_a_person(
    tmp_path: Path,
) -> None:
    (tmp_path / "openapi.yaml").write_text(CONTRACT, "utf-8")
    inside(tmp_path, "go", "--app", "shop:site")
    conftest = tmp_path / "tests/crossfact/conftest.py"
    assert "starlette" in conftest.read_text("utf-8")

    (tmp_path / "shop.py").write_text(FLASK, "utf-8")
    done = inside(tmp_path, "run")
    assert "the application is shop:site now" in done.stderr, done.stdout + done.stderr
    text = conftest.read_text("utf-8")
    assert "test_client()" in text

    mine = "# Mine.\n" + text.partition("\n")[2]
    conftest.write_text(mine, "utf-8")
    (tmp_path / "shop.py").rename(tmp_path / "store.py")
    told = inside(tmp_path, "run")
    assert "the application is" not in told.stderr
    assert conftest.read_text("utf-8") == mine


RENTALS = """\
openapi: 3.1.0
info: {title: Rentals, version: '1'}
paths:
  /bikes:
    get:
      responses:
        '200': {description: All, content: {application/json: {schema: {type: array, items: &bike {
          type: object, required: [id, plate, colour, trips, bought, state], properties: {
            id: {type: integer}, plate: {type: string}, colour: {type: string, enum: [red, blue]},
            trips: {type: integer}, bought: {type: string, format: date},
            state: {type: string, enum: [free, reserved]}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [plate, bought],
        properties: {plate: {type: string, maxLength: 9}, colour: {type: string, enum: [red, blue]},
          bought: {type: string, format: date}}}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: *bike}}}
        '409': {description: The plate is taken}
        '422': {description: Wrong}
  /bikes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses:
        '200': {description: One, content: {application/json: {schema: *bike}}}
        '404': {description: No}
    delete:
      summary: Scrap a bike
      responses: {'204': {description: Gone}, '404': {description: No}, '409': {description: Not possible now}}
  /bikes/{id}/reserve:
    post:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '200': {description: Reserved, content: {application/json: {schema: *bike}}}
        '404': {description: No}
        '409': {description: It was reserved before}
"""
SENTENCES = (
    "A new bike has 0 trips.",
    "A new bike is free.",
    "The colour of a bike is one of red and blue; without one it is blue.",
    "A reserved bike has the state reserved.",
    "Reserving a bike twice is answered with 409.",
    "A plate that is taken is rejected with 409.",
    "A scrapped bike is not found any more.",
    "Bikes are sorted by plate.",
)


def test_each_sentence_of_a_story_becomes_a_test_that_its_twins_prove(tmp_path: Path) -> None:
    (tmp_path / "openapi.yaml").write_text(RENTALS, "utf-8")
    criteria = "".join(f"- AC-{number}: {words}\n" for number, words in enumerate(SENTENCES, 1))
    (tmp_path / "stories.md").write_text(f"# Bikes\n\n## US-1: Bikes\n\n{criteria}", "utf-8")
    done = inside(tmp_path, "go")
    assert "0 rejected" in done.stderr, done.stderr
    told = "".join(file.read_text("utf-8") for file in (tmp_path / "tests/crossfact").glob("test_*.py"))
    missing = [words for words in SENTENCES if words not in told]
    assert missing == [], done.stdout
    assert 'pytest.skip("a state in which this is not refused is needed' in told


PERMITS = """\
openapi: 3.1.0
info: {title: Permits, version: '1'}
paths:
  /zones:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [code],
        properties: {code: {type: string, pattern: '^[A-Z]{2}[0-9]{2}$'}}}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: {type: object, required: [data], properties: {
          data: {type: object, required: [id, code], properties: {id: {type: integer}, code: {type: string}}}}}}}}
        '422': {description: Wrong}
  /zones/{zoneId}/permits:
    post:
      parameters: [{name: zoneId, in: path, required: true, schema: {type: integer}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [plate],
        properties: {plate: {type: string, minLength: 3, maxLength: 10}, months: {type: integer}}}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: &told {type: object,
          required: [data], properties: {data: {
            type: object, required: [id, plate, months, status], properties: {id: {type: integer},
            plate: {type: string}, months: {type: integer}, status: {type: string, enum: [active, revoked]}}}}}}}}
        '404': {description: No such zone}
        '422': {description: Wrong}
  /permits/{permitId}:
    parameters: &id [{name: permitId, in: path, required: true, schema: {type: integer}}]
    get:
      responses: {'200': {description: One, content: {application/json: {schema: *told}}}, '404': {description: No}}
    delete: {responses: {'204': {description: Gone}, '404': {description: No}}}
  /permits/{permitId}/revoke:
    post:
      parameters: *id
      responses:
        '200': {description: Revoked, content: {application/json: {schema: *told}}}
        '409': {description: Already revoked}
"""
NUMBERED = """\
openapi: 3.1.0
info: {title: Issues, version: '1'}
paths:
  /projects:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [key],
        properties: {key: {type: string, pattern: '^[A-Z]{2,5}$'}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [key],
        properties: {key: {type: string}}}}}}, '400': {description: Wrong}}
  /projects/{key}/issues:
    parameters: [{name: key, in: path, required: true, schema: {type: string}}]
    get:
      parameters: [{name: state, in: query, schema: {type: string, enum: [open, closed]}}]
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: &issue {
        type: object, required: [number, title, state], properties: {number: {type: integer}, title: {type: string},
        state: {type: string, enum: [open, closed]}}}}}}}, '404': {description: No}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title],
        properties: {title: {type: string}}}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: *issue}}}
        '400': {description: Wrong}
        '404': {description: No}
  /issues/{number}:
    parameters: [{name: number, in: path, required: true, schema: {type: integer}}]
    get:
      responses: {'200': {description: One, content: {application/json: {schema: *issue}}}, '404': {description: No}}
    patch:
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        properties: {title: {type: string}, state: {type: string, enum: [open, closed]}}}}}}
      responses: {'200': {description: One, content: {application/json: {schema: *issue}}}, '404': {description: No}}
    delete: {responses: {'204': {description: Gone}, '404': {description: No}}}
"""
OF_ISSUES = (
    "A new issue is open.",
    "Opening an issue in a project that does not exist is answered with 404.",
    "An issue can be closed, and be opened again.",
    "I can list only the issues that are open.",
    "A deleted issue is answered with 404.",
)
OF_PERMITS = (
    "A new permit is active.",
    "A permit is valid for 12 months unless stated otherwise.",
    "A revoked permit has the status revoked.",
    "Revoking a permit twice is answered with 409.",
    "A deleted permit is answered with 404.",
    "A permit that does not exist is answered with 404.",
    "A permit for an unknown zone is answered with 404.",
)


@pytest.mark.parametrize(
    ("contract", "sentences", "line"),
    [
        (PERMITS, OF_PERMITS, 'response.json()["data"].get("months") == 12'),
        (NUMBERED, OF_ISSUES, '"state": "closed"'),
    ],
    ids=["permits", "issues"],
)
def test_things_that_are_made_within_others_and_stand_by_themselves_are_known_as_well(
    contract: str, sentences: tuple[str, ...], line: str, tmp_path: Path
) -> None:
    (tmp_path / "openapi.yaml").write_text(contract, "utf-8")
    criteria = "".join(f"- AC-{number}: {words}\n" for number, words in enumerate(sentences, 1))
    (tmp_path / "stories.md").write_text(f"# Things\n\n## US-1: Things\n\n{criteria}", "utf-8")
    done = inside(tmp_path, "go")
    assert "0 rejected" in done.stderr, done.stdout + done.stderr
    told = "".join(file.read_text("utf-8") for file in (tmp_path / "tests/crossfact").glob("test_*.py"))
    assert [words for words in sentences if words not in told] == []
    assert line in told


def test_settings_of_a_plugin_that_is_not_there_do_not_end_tests_that_need_none(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nno_such_option = 1\nfilterwarnings = error\n", "utf-8")
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "openapi.yaml").write_text(CONTRACT, "utf-8")
    done = inside(shop, "go", "--sandbox", "limits")
    assert "RED_EXPECTED" in done.stdout and "INCONCLUSIVE" not in done.stdout, done.stdout + done.stderr
