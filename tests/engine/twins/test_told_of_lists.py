"""Lists that show what stands in a certain way, what callers have to have done before, and what is their own."""

from __future__ import annotations

import pytest

from planner.cases import Technique
from tests.engine.twins.proving import of_contract, of_stories, prove, source_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Courses, version: '1'}
paths:
  /courses:
    get:
      summary: %(listed)s
      parameters:
        - {name: level, in: query, schema: &level {type: string, enum: [low, high]}}
        - {name: q, in: query, description: 'Words of the title.', schema: {type: string, minLength: 1}}
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 50}}
        - {name: offset, in: query, schema: {type: integer, minimum: 0, default: 0}}
      responses: {'200': {description: Courses, content: {application/json: {schema: {type: array,
        items: &course {type: object, required: [id, title, level, starts_on, status, seats],
        properties: {id: &uuid {type: string, format: uuid}, title: {type: string}, level: *level,
        starts_on: {type: string, format: date}, status: {type: string, enum: [draft, published]},
        seats: {type: integer}}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, additionalProperties: false,
        required: [title, level, starts_on],
        properties: {title: {type: string, minLength: 5}, level: *level, starts_on: {type: string, format: date}}}}}}
      responses: {'201': {description: 'The course, as a draft.', content: {application/json: {schema: *course}}},
        '422': &bad {description: Not valid}}
  /courses/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: *uuid}]
    get: {operationId: getCourse, responses: {'200': {description: One, content: {application/json: {schema: *course}}},
      '404': &none {description: None}, '422': *bad}}
    delete: {operationId: dropCourse, responses: {'204': {description: Gone}, '404': *none, '422': *bad}}
  /courses/{id}/publish:
    parameters: [*id]
    post: {operationId: publish, responses: {'200': {description: 'The published course.',
      content: {application/json: {schema: *course}}}, '404': *none, '409': {description: It is published already}}}
  /courses/{id}/enrolments:
    parameters: [*id]
    get: {responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: &enrolment {
      type: object, required: [course_id, since],
      properties: {course_id: *uuid, since: {type: string, format: date-time}}}}}}}, '404': *none}}
    post: {operationId: enrol, responses: {'201': {description: Enrolled, content: {application/json: {
      schema: *enrolment}}}, '404': *none, '409': {
      description: 'The course is not published, or you enrolled already.'}}}
  /courses/{id}/enrolments/mine:
    parameters: [*id]
    delete: {operationId: leave, responses: {'204': {description: Left}, '404': {description: You are not enrolled}}}
  /courses/{id}/reviews:
    parameters: [*id]
    post:
      operationId: reviewCourse
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [stars],
        properties: {stars: {type: integer, minimum: 1, maximum: 5}}}}}}
      responses: {'201': {description: The review, content: {application/json: {schema: {type: object,
        required: [id, stars], properties: {id: *uuid, stars: {type: integer}}}}}},
        '403': {description: %(refused)s}, '404': *none,
        '409': {description: The student has reviewed the course before}}
"""
LISTED, REFUSED = "List published courses", "Only those who are enrolled may review a course."
MAKE, LIST, ENROL = "POST /courses", "GET /courses", "POST /courses/{id}/enrolments"
REVIEW, PUBLISH = "POST /courses/{id}/reviews", "POST /courses/{id}/publish"


def contract(listed: str = LISTED, refused: str = REFUSED) -> str:
    return CONTRACT % {"listed": listed, "refused": refused}


@pytest.mark.parametrize("listed", [LISTED, "Courses that are published"])
@pytest.mark.parametrize(
    ("key", "technique"),
    [(MAKE, Technique.READ_BACK), (LIST, Technique.LIMITED), (LIST, Technique.PAGED)],
)
def test_what_a_list_is_said_to_show_is_brought_there(key: str, technique: Technique, listed: str) -> None:
    source = source_of(contract(listed), "courses")
    case = of_contract(source, key, technique, read=LIST if key == MAKE else "")
    assert "/publish" in prove(source, case)


def test_a_list_that_shows_all_or_says_sometimes_needs_nothing() -> None:
    for words in (
        "List courses",
        "List published or draft courses",
        "List courses, published ones by default",
    ):
        source = source_of(contract(words), "courses")
        assert "/publish" not in prove(source, of_contract(source, LIST, Technique.LIMITED))


@pytest.mark.parametrize(
    ("sentence", "like", "operations"),
    [
        ("Drafts do not appear in the list of courses.", "hidden", [MAKE]),
        ("Draft courses are not listed.", "hidden", [MAKE]),
        ("The list of courses never shows drafts.", "hidden", [MAKE]),
        ("Only published courses are listed.", "hidden", [MAKE]),
        ("Drafts do not appear in the list of courses unless a teacher asks.", "", []),
        ("Only published courses are shown to visitors.", "", []),
        ("Only published courses can be listed by a teacher.", "", []),
        ("Nobody can enrol in a draft (409).", "standing", [ENROL]),
        ("Nobody can enrol twice in the same course (409).", "again", [ENROL]),
        ("A student cannot enrol in a course twice (409).", "again", [ENROL]),
        ("A second review of the same course is answered with 409.", "again", [REVIEW]),
        ("Nobody can enrol in a draft unless invited (409).", "", []),
        ("Nobody can swim in a draft (409).", "", []),
        ("Only enrolled students may review a course, others get 403.", "missing", [REVIEW]),
        ("Courses are ordered by the day on which they start.", "order", [MAKE]),
        ("Courses are ordered by the day on which they end.", "", []),
        ("A new course is a draft.", "starts", [MAKE]),
        ("The search for courses ignores case.", "filter", [LIST]),
        ("Unknown fields of a course are refused with 422.", "closed", [MAKE]),
        ("Unknown fields of a course may be refused with 422.", "", []),
    ],
)
def test_a_sentence_is_a_test(sentence: str, like: str, operations: list[str]) -> None:
    source = source_of(contract("List courses"), "courses", sentence)
    cases = of_stories(source)
    assert [case.target["operation"] for case in cases] == operations
    assert {case.target["like"] for case in cases} == ({like} if like else set())
    prove(source, *cases)


def test_what_only_a_story_says_of_a_list_is_known_to_the_contracts_tests() -> None:
    source = source_of(contract("List courses"), "courses", "Only published courses are listed.")
    assert "/publish" in prove(source, of_contract(source, LIST, Technique.LIMITED))


def test_a_search_that_ignores_case_is_asked_in_another_one() -> None:
    source = source_of(contract("List courses"), "courses", "The search for courses ignores case.")
    assert '"q": "aNOTHER TITLE"' in prove(source, *of_stories(source))


def test_what_a_caller_has_to_have_done_comes_first_and_is_refused_without() -> None:
    source = source_of(contract(), "courses")
    written = prove(source, of_contract(source, REVIEW, Technique.SUCCESS))
    assert written.index("/publish") < written.index("/enrolments") < written.index("/reviews")
    refused = prove(source, of_contract(source, REVIEW, Technique.AUTH_MISSING, "403"))
    assert "/publish" in refused and "/enrolments" not in refused


def test_what_a_caller_has_to_have_done_is_told_by_a_story_too() -> None:
    told = "Only enrolled students may review a course, others get 403."
    source = source_of(contract(refused="Forbidden"), "courses", told)
    written = prove(source, of_contract(source, REVIEW, Technique.SUCCESS))
    assert written.index("/enrolments") < written.index("/reviews")


def test_what_is_a_callers_own_is_put_there_first() -> None:
    source = source_of(contract(), "courses")
    written = prove(source, of_contract(source, "DELETE /courses/{id}/enrolments/mine", Technique.SUCCESS))
    places = [written.index(each) for each in ("/publish", "/enrolments'), 201", "/enrolments/mine')")]
    assert places == sorted(places)


@pytest.mark.parametrize("key", ["GET /courses/{id}", "DELETE /courses/{id}"])
def test_what_nothing_else_can_be_wrong_with_is_refused_for_its_path(key: str) -> None:
    source = source_of(contract(), "courses")
    assert "in (404, 422)" in prove(source, of_contract(source, key, Technique.ERROR, "422"))


def test_a_closed_body_refuses_a_field_that_it_does_not_list() -> None:
    source = source_of(contract(), "courses")
    assert "no_such_field" in prove(source, of_contract(source, MAKE, Technique.UNKNOWN_FIELD))
