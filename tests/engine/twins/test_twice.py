"""A conflict that is about one field alone is met by another thing that has only that in common with the first."""

from __future__ import annotations

import re

import pytest

from planner.cases import Technique
from planner.contracts.states import told_unique
from planner.stories.carriers import carriers
from tests.engine.twins.proving import of_contract, of_stories, prove, source_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Camp, version: '1'}
paths:
  /sites:
    post: {responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
      properties: {id: {type: integer}}}}}}}}
    get: {responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {type: object,
      required: [id], properties: {id: {type: integer}}}}}}}}}
  /sites/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: {type: object, required: [id],
      properties: {id: {type: integer}}}}}}}}
  /pitches:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        required: [code, kind, site_id, note], properties: {code: {type: string}, kind: {type: string,
        enum: [tent, cabin]}, site_id: {type: integer}, note: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id, code],
        properties: {id: {type: integer}, code: {type: string}}}}}}, '409': {description: WORDS}}
"""


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ("Another pitch already has this code", "code"),
        ("You already have a pitch of that code", "code"),
        ("Another pitch of the site already has this code", ""),
        ("Code and note are taken", ""),
        ("The pitch is closed", ""),
        ("There is such a pitch already", ""),
    ],
)
def test_a_second_thing_shares_what_no_two_have(words: str, field: str) -> None:
    source = source_of(CONTRACT.replace("WORDS", words), "pitches")
    made = next(each for each in carriers(source) if each.key == "POST /pitches")
    assert told_unique(made) == field
    if field:
        text = prove(source, of_contract(source, "POST /pitches", Technique.ERROR, "409"))
        sent = [
            dict(re.findall(r'"(code|kind|note)": "([^"]*)"', part)) for part in text.split("/pitches")[1:]
        ]
        first, second = sent[0], sent[1]
        assert first["code"] == second["code"]
        assert first["kind"] != second["kind"]
        assert first["note"] != second["note"]
        assert len(set(re.findall(r'"site_id": ([^,}]*)', text))) == 1


@pytest.mark.parametrize(
    ("sentence", "field"),
    [
        (
            "Another pitch already has this code, in whatever upper or lower case: it is refused with 409.",
            "code",
        ),
        ("Another pitch already has this code: it is refused with 409.", ""),
    ],
)
def test_what_is_the_same_in_any_case_is_refused_in_the_other_one(sentence: str, field: str) -> None:
    source = source_of(CONTRACT.replace("WORDS", "Another pitch already has this code"), "pitches", sentence)
    (case,) = [each for each in of_stories(source) if each.target["like"] == "again"]
    assert case.target.get("caseless", "") == field
    text = prove(source, case)
    codes = [line.split('"code": "')[1].split('"')[0] for line in text.splitlines() if '"code": "' in line]
    assert len(codes) == 2 and codes[0].casefold() == codes[1].casefold()
    assert (codes[0] != codes[1]) == bool(field)
