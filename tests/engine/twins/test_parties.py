"""Two callers: nobody makes an offer for what is their own, and whoever owns that accepts what others offer."""

from __future__ import annotations

import pytest

from planner.cases import Technique
from planner.contracts.parties import is_for_the_other, not_own, told_own
from planner.stories.carriers import carriers
from tests.engine.twins.proving import of_contract, of_stories, prove, source_of

CONTRACT = """\
openapi: 3.0.3
info: {title: Market, version: '1'}
security: [{bearer: []}]
paths:
  /register:
    post:
      security: []
      requestBody: {required: true, content: {application/json: {schema: &who {type: object,
        required: [username, password], properties: {username: {type: string}, password: {type: string}}}}}}
      responses: {'201': {description: In}}
  /login:
    post:
      security: []
      requestBody: {required: true, content: {application/json: {schema: *who}}}
      responses: {'200': {description: In, content: {application/json: {schema: {type: object, required: [token],
        properties: {token: {type: string}}}}}}}
  /listings:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title],
        properties: {title: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: &listing {type: object,
        required: [id, title, seller], properties: {id: {type: integer}, title: {type: string},
        seller: {type: string}}}}}}}
  /listings/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *listing}}},
      '404': &none {description: None}}}
    delete: {responses: {'204': {description: Gone}, '403': {description: Only the seller removes it}, '404': *none}}
  /listings/{id}/offers:
    parameters: [*id]
    get: {responses: {'200': {description: Offers, content: {application/json: {schema: {type: array,
      items: &offer {type: object, required: [id, buyer, amount], properties: {id: {type: integer},
      buyer: {type: string}, amount: {type: integer}}}}}}}, '403': {description: Only the seller sees them},
      '404': *none}}
    post:
      operationId: makeOffer
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [amount],
        properties: {amount: {type: integer, minimum: 1}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: *offer}}},
        '403': {description: WORDS}, '404': *none}
  /offers/{id}:
    parameters: [*id]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *offer}}}, '404': *none}}
    delete: {responses: {'204': {description: Withdrawn}, '403': {description: Only the buyer}, '404': *none}}
  /offers/{id}/accept:
    parameters: [*id]
    post: {responses: {'200': {description: Accepted, content: {application/json: {schema: *offer}}},
      '403': {description: You may not}, '404': *none}}
components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
"""
WORDS = CONTRACT.replace("WORDS", "One's own listing")
SENTENCE = "Nobody can make an offer for their own listing (403)."


def test_the_contract_or_a_story_tells_what_nobody_does_with_their_own() -> None:
    told = source_of(WORDS, "listings")
    silent = source_of(CONTRACT, "listings")
    said = source_of(CONTRACT, "listings", SENTENCE)
    for source, is_known in ((told, True), (silent, False), (said, True)):
        every = carriers(source)
        by_key = {each.key: each for each in every}
        refusal = not_own(by_key["POST /listings/{id}/offers"], every)
        assert (refusal is not None and refusal.status == "403") is is_known
        assert is_for_the_other(by_key["POST /offers/{id}/accept"], every) is is_known
        assert not is_for_the_other(by_key["DELETE /offers/{id}"], every)
        assert not is_for_the_other(by_key["DELETE /listings/{id}"], every)


@pytest.mark.parametrize(
    ("words", "noun"),
    [
        ("One's own listing", "listing"),
        ("You cannot review your own books", "book"),
        ("Not your own listing", ""),
        ("Only their own listings", ""),
        ("A listing of somebody else", ""),
    ],
)
def test_words_speak_of_what_is_ones_own(words: str, noun: str) -> None:
    assert told_own(words) == noun


@pytest.mark.parametrize(
    ("key", "technique", "status", "by"),
    [
        ("POST /listings/{id}/offers", Technique.SUCCESS, "201", ("stranger", "auth")),
        ("POST /listings/{id}/offers", Technique.AUTH_MISSING, "403", ("stranger", "auth", "stranger")),
        ("GET /listings/{id}/offers", Technique.SUCCESS, "200", ("stranger", "auth", "stranger")),
        ("GET /listings/{id}/offers", Technique.AUTH_MISSING, "403", ("auth", "auth", "stranger")),
        ("POST /offers/{id}/accept", Technique.SUCCESS, "200", ("auth", "stranger", "auth")),
        ("POST /offers/{id}/accept", Technique.AUTH_MISSING, "403", ("auth", "stranger", "auth", "stranger")),
        ("DELETE /offers/{id}", Technique.SUCCESS, "204", ("stranger", "auth", "auth")),
        ("DELETE /offers/{id}", Technique.AUTH_MISSING, "403", ("stranger", "auth", "stranger")),
        ("DELETE /listings/{id}", Technique.AUTH_MISSING, "403", ("auth", "stranger")),
    ],
)
def test_each_request_is_sent_by_whoever_may(
    key: str, technique: Technique, status: str, by: tuple[str, ...]
) -> None:
    source = source_of(WORDS, "listings")
    written = prove(source, of_contract(source, key, technique, status))
    callers = [part.partition(")")[0].partition(",")[0] for part in written.split("headers=")[1:]]
    assert tuple(each.strip() for each in callers) == by


def test_a_criterion_tells_it_of_a_contract_without_words() -> None:
    source = source_of(CONTRACT, "listings", SENTENCE)
    (case,) = of_stories(source)
    assert (case.target["like"], case.target["operation"]) == ("not-own", "POST /listings/{id}/offers")
    assert prove(source, case).count("headers=stranger") == 2
