"""`crossfact trace` on projects whose stories are tagged."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from crossval.findings import Finding
from crossval.link.traces.linking import links
from engine.configuration import Settings
from engine.project import Project, refresh
from engine.trace import threads
from graph.facts import Kind
from graph.store.store import Store
from tests.commands import inside

STORY = """\
# Orders
## US-3 Order a book
As a customer I want to order a book so that I can read it.

### Acceptance criteria
- US-3.1 An order that cannot be met is answered with 409.
- US-3.2 Shipping is free.
"""
CODE = '''\
from fastapi import FastAPI, HTTPException

app = FastAPI()


@app.post("/orders", status_code=201)
def place_order() -> None:
    """Place an order (US-3.1)."""
    raise HTTPException(409)
'''
TEST = """\
from shop import place_order


def test_an_order_is_placed():
    place_order()
    assert True
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "stories.md").write_text(STORY, encoding="utf-8")
    (tmp_path / "shop.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_shop.py").write_text(TEST, encoding="utf-8")
    project = Project(tmp_path, (), msgspec.structs.replace(Settings(), history=False), Store.open(None))
    refresh(project, tell=print)
    return project


def test_a_story_leads_over_its_criteria_to_code_and_to_tests_that_call_it(project: Project) -> None:
    (story,) = project.store.facts(kinds={Kind.STORY})
    (thread,) = threads(project.store, [story], links(project.store), [])
    first, second = thread.criteria
    assert first.fact.key == "US-3.1"
    assert "code:function:shop.place_order" in [each.fact.id for each in first.code]
    (test,) = first.tests
    assert test.fact.name == "test_an_order_is_placed"
    assert test.via == "code:function:shop.place_order"
    assert [each["value"] for each in first.claims] == [409]
    assert second.fact.key == "US-3.2"


def test_findings_about_what_a_criterion_is_tied_to_belong_to_its_thread(project: Project) -> None:
    from crossval.findings import witness

    (story,) = project.store.facts(kinds={Kind.STORY})
    (function,) = project.store.named("code:function:shop.place_order")
    about = Finding(subject="x", aspect="y", message="z", code=witness(function))
    elsewhere = Finding(subject="other", aspect="y", message="z", spec=witness(story))
    (thread,) = threads(project.store, [story], links(project.store), [about, elsewhere])
    assert thread.findings == (elsewhere,)
    assert thread.criteria[0].findings == (about,)
    assert thread.criteria[1].findings == ()


def test_of_many_tests_that_call_what_is_linked_a_few_are_listed(project: Project) -> None:
    calls = "".join(f"\n\ndef test_{number}():\n    place_order()\n" for number in range(8))
    (project.root / "tests" / "test_shop.py").write_text(f"from shop import place_order\n{calls}", "utf-8")
    told = inside(project.root, "trace", "US-3.1").stdout.splitlines()
    assert sum("[calls it: " in line for line in told) == 5
    assert told[-1] == "  test    … and 3 more that call what is linked"


OPENAPI = """\
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders:
    post:
      responses:
        "200": {description: Placed}
"""


def test_a_finding_that_concerns_two_criteria_is_told_once(project: Project) -> None:
    (project.root / "openapi.yaml").write_text(OPENAPI, encoding="utf-8")
    story = STORY.replace("An order", "With `POST /orders` one").replace(
        "Shipping", "With `POST /orders` shipping"
    )
    (project.root / "stories.md").write_text(story, encoding="utf-8")
    told = inside(project.root, "trace", "US-3").stdout
    first, second = told.split("US-3.1 demands")[1].split("US-3.2 demands")
    assert "error[response-undeclared]" in first
    assert "error[response-undeclared]" not in second
    assert "    2 more findings under US-3.1\n" in second
    whole = msgspec.json.decode(inside(project.root, "trace", "US-3", "--format", "json").stdout)
    rules = [[each["rule"] for each in criterion["findings"]] for criterion in whole["criteria"]]
    assert all("response-undeclared" in each for each in rules)


FEATURE = """\
Feature: Orders
  Scenario: An order is placed
    Given a shop
    When Ann orders 2 books
    Then the order is kept
"""
STEPS = """\
from behave import given, when


@given("a shop")
def a_shop(context): ...


@when("Ann orders {count:d} books")
def order(context, count): ...
"""


def test_the_definitions_of_a_scenario_s_steps_test_it(tmp_path: Path) -> None:
    (tmp_path / "features" / "steps").mkdir(parents=True)
    (tmp_path / "features" / "orders.feature").write_text(FEATURE, encoding="utf-8")
    (tmp_path / "features" / "steps" / "orders.py").write_text(STEPS, encoding="utf-8")
    project = Project(tmp_path, (), msgspec.structs.replace(Settings(), history=False), Store.open(None))
    refresh(project, tell=print)
    (story,) = project.store.facts(kinds={Kind.STORY})
    (thread,) = threads(project.store, [story], links(project.store), [])
    (scenario,) = thread.criteria
    told = [(each.fact.name, each.reason) for each in scenario.tests]
    assert told == [
        ("a_shop", "defines the step “a shop”"),
        ("order", "defines the step “Ann orders 2 books”"),
    ]
    assert not scenario.code
    shown = inside(tmp_path, "trace").stdout
    assert "test    code:function:features.steps.orders.a_shop" in shown


def test_what_a_thread_says_is_open_is_what_a_question_for_gaps_lists(tmp_path: Path) -> None:
    (tmp_path / "stories.md").write_text(STORY, encoding="utf-8")
    (tmp_path / "shop.py").write_text(CODE.replace(" (US-3.1)", ""), encoding="utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_shop.py").write_text(TEST, encoding="utf-8")
    told = inside(tmp_path, "trace", "--no-history")
    assert "claim   outcome order that cannot be met 409" in told.stdout
    assert "nothing is known to implement it" in told.stdout
    assert "of 1 criterion or story nothing is known to implement or test it" in told.stderr
    gaps = inside(tmp_path, "query", "gaps", "--no-history").stdout
    assert gaps.startswith("stories.md:7: nothing is known to implement or test US-3.2 demands: ")
