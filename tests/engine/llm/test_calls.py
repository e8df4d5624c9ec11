"""A model reads a criterion as a call of a function: the test is an example of that function, proved, never made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import inside, surroundings
from tests.engine.llm.scripted import Said, Scripted, serving

STUB = '''\
class Fee:
    rate: float

def fee(country: str, days: int = 1, *, express: bool = False) -> int:
    """The fee in cents.

    Raises:
        LookupError: nobody goes there.
    """

def _hidden(country: str) -> int: ...
def send(fee: Fee) -> int: ...
async def later(country: str) -> int: ...
'''
WORDS = "People in Chile, for two days, pay 450 cents."
PAYS = {"function": "post.fees.fee", "arguments": {"country": "Chile", "days": 2}, "gives": 450, "raises": ""}


def reply(**changed: Any) -> str:
    return json.dumps({**PAYS, **changed})


def project(folder: Path, words: str = WORDS) -> Path:
    (folder / "post").mkdir()
    (folder / "post" / "__init__.pyi").write_text("", encoding="utf-8")
    (folder / "post" / "fees.pyi").write_text(STUB, encoding="utf-8")
    story = f"# US-1: Fees\n\nAs a sender I want fees.\n\n## Acceptance criteria\n\n- {words}\n"
    (folder / "stories.md").write_text(story, encoding="utf-8")
    return folder


def generated(folder: Path, script: Scripted | None) -> str:
    """What planning and generating say, with this model or none."""
    llm = {"CROSSFACT_LLM_URL": script.url, "CROSSFACT_LLM_MODEL": "scripted"} if script else {}
    planned = inside(folder, "plan", environment=surroundings(**llm))
    assert planned.returncode == 0, planned.stderr
    done = inside(folder, "generate", environment=surroundings(**llm))
    return done.stdout + done.stderr


def checklist(folder: Path) -> str:
    return (folder / "test_execution_state.yaml").read_text(encoding="utf-8").replace('\\"', '"')


def written_tests(folder: Path) -> str:
    return "\n".join(each.read_text(encoding="utf-8") for each in (folder / "tests").rglob("test_*.py"))


def test_a_criterion_about_a_function_becomes_a_call_that_a_twin_proves(tmp_path: Path) -> None:
    with serving(reply()) as script:
        said = generated(project(tmp_path), script)
    assert "0 rejected" in said and "NEEDS_HUMAN us-1-1" not in said
    written = written_tests(tmp_path)
    assert '@pytest.mark.spec("spec:criterion:US-1.1", "spec:function:post.fees.fee")' in written
    assert "def test_us_1_1_people_in_chile_for_two_days_pay_450_cents" in written
    assert '    found = fee("Chile", 2)\n\n    assert found == 450\n' in written
    case = checklist(tmp_path).partition("like: called")[2]
    assert "generator: model" in case and "a model read its words" in case
    assert "twins_green: 1, twins: 1, mutants_killed: 1, mutants: 1" in case


def test_the_form_has_the_functions_that_literals_can_call_with_their_parameters(tmp_path: Path) -> None:
    with serving(reply()) as script:
        generated(project(tmp_path), script)
    one, missing = script.asked[0]["response_format"]["json_schema"]["schema"]["anyOf"]
    assert one["properties"]["function"] == {"const": "post.fees.fee"}
    assert one["properties"]["arguments"]["properties"] == {
        "country": {"enum": ["People", "in", "Chile", "for", "two", "days", "pay", "450", "cents"]},
        "days": {"enum": [2, 450]},
        "express": {"enum": [True, False]},
    }
    assert one["properties"]["arguments"]["required"] == ["country"]
    assert one["properties"]["raises"] == {"enum": ["", "LookupError"]}
    assert missing["required"] == ["missing"]


def test_an_error_that_a_criterion_tells_is_raised_by_the_twin_too(tmp_path: Path) -> None:
    folder = project(tmp_path, "Whoever sends to Atlantis meets the LookupError.")
    with serving(reply(arguments={"country": "Atlantis"}, gives=None, raises="LookupError")) as script:
        said = generated(folder, script)
    assert "0 rejected" in said and "NEEDS_HUMAN us-1-1" not in said
    assert '    with pytest.raises(LookupError):\n        fee("Atlantis")\n' in written_tests(tmp_path)
    assert "mutants_killed: 1, mutants: 1" in checklist(tmp_path).partition("like: called")[2]


def test_a_test_that_a_model_brought_stays_where_nobody_asks_one(tmp_path: Path) -> None:
    with serving(reply(arguments={"country": "Chile", "days": 2, "express": True})) as script:
        generated(
            project(tmp_path, "People in Chile, for two days: 450 cents, which is True of express."), script
        )
        first = written_tests(tmp_path)
        assert 'found = fee("Chile", 2, express=True)' in first
        generated(tmp_path, script)
    assert len(script.asked) == 1
    said = generated(tmp_path, None)
    assert "a model read its words" in checklist(tmp_path)
    assert "NEEDS_HUMAN us-1-1" not in said
    assert written_tests(tmp_path) == first


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (reply(function="post.fees.toll"), "what to call: the model named post.fees.toll"),
        (reply(function="post.fees.send", arguments={}), "what to call"),
        (reply(arguments={"country": "Chile", "hours": 2}), "a parameter hours of fee"),
        (reply(arguments={"days": 2}), "what fee is given as country"),
        (reply(arguments={"country": 2}), "a value of the type str for country"),
        (reply(arguments={"country": "Peru"}), "where 'Peru' for fee comes from"),
        (reply(arguments={"country": "Chile", "days": True}), "a value of the type int for days"),
        (reply(arguments={"country": "cents", "days": 2}), "what “Chile” means for fee"),
        (reply(arguments={"country": "Chile", "days": 450}), "where the expected 450 comes from"),
        (reply(gives=451), "where the expected 451 comes from"),
        (reply(gives="450"), "a value of the type int"),
        (reply(gives=None), "the model does not say"),
        (reply(raises="ValueError"), "an error ValueError of fee, which the model made up"),
        (json.dumps({"missing": "which country is meant"}), "which country is meant"),
        ("I cannot help with that.", "in the form that the model was asked for"),
        ((500, "{}"), "answered 500"),
    ],
)
def test_what_facts_and_words_do_not_bear_out_waits_for_a_person(
    tmp_path: Path, answer: Said, why: str
) -> None:
    with serving(answer) as script:
        said = generated(project(tmp_path), script)
    assert "NEEDS_HUMAN us-1-1" in said
    assert "(a model was asked: " in checklist(tmp_path) and why in checklist(tmp_path)
    assert "people_in_chile" not in written_tests(tmp_path)


def test_a_spent_budget_asks_no_more(tmp_path: Path) -> None:
    folder = project(tmp_path, f"{WORDS}\n- People in Peru, for two days, pay 300 cents.")
    (folder / "crossfact.toml").write_text("llm_calls = 1\n", encoding="utf-8")
    with serving(reply()) as script:
        generated(folder, script)
    assert len(script.asked) == 1
    assert "the model was asked 1 times, which is the budget of a run (llm_calls)" in checklist(tmp_path)
