"""Steps of scenarios that name who acts, and things by their kind."""

from __future__ import annotations

import pytest

from graph.facts import Kind, Tag
from planner.stories.criteria import Criteria
from planner.stories.retold import Retelling, Step
from tests.engine.twins.proving import source_of
from tests.planner.test_restated import ACCEPTED, FLEET, MARKET


@pytest.mark.parametrize(
    ("contract", "step", "told"),
    [
        (MARKET, 'a seller with a listing "Chair" for 5000', Step('a listing "Chair" for 5000', "seller")),
        (MARKET, "the buyer makes an offer of 4500", Step("I makes an offer of 4500", "buyer")),
        (MARKET, "the courier takes an offer", Step("the courier takes an offer")),
        (MARKET, "the seller is Ada", Step("the seller is Ada")),
        (FLEET, "a rented vehicle", Step("a rented vehicle")),
        (FLEET, "a bike with a mileage of 100", Step('a vehicle "bike" with a mileage of 100')),
        (FLEET, "a rented car", Step('a rented vehicle "car"')),
        (FLEET, "the bike is available", Step("the vehicle is available")),
        (FLEET, "a vehicle of the kind car", Step("a vehicle of the kind car")),
    ],
)
def test_a_step_is_told_in_the_words_of_the_contract(contract: str, step: str, told: Step) -> None:
    things = Criteria(source_of(contract, "things", "Nothing is said.")).things
    assert Retelling(things).told(step) == told


FEATURE = """\
Feature: Offers

  Background:
    Given a seller with a listing "Chair" for 5000
    And a buyer

  Scenario: The seller accepts
    Given the buyer has made an offer of 4500
    When the seller accepts the offer
    Then the offer is accepted
    And the listing is sold

  Scenario: Too late
    Given the listing is sold
    When the buyer makes an offer of 6000
    Then the answer is 409
"""


def test_a_feature_with_two_people_is_read_as_requests_of_both() -> None:
    source = source_of(MARKET, "listings", ACCEPTED, feature=FEATURE)
    criteria = Criteria(source)
    facts = [each for each in source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION}) if each.aspects.get("when")]
    found = [
        [(each["method"], each["path"], each["by"]) for each in behaviour.target["exchanges"]]
        for fact in facts
        for behaviour in criteria.behaviours(fact)
        if not behaviour.target.get("refuses")
    ]
    made, accepted = ("POST", "/listings/", "seller"), "/offers/{id}/accept/"
    assert found == [
        [
            made,
            ("POST", "/listings/{id}/offers/", "buyer"),
            ("POST", accepted, "seller"),
            ("GET", "/listings/{id}/", ""),
        ],
        [
            made,
            ("POST", "/listings/{id}/offers/", ""),
            ("POST", accepted, ""),
            ("POST", "/listings/{id}/offers/", "buyer"),
        ],
    ]


PRICES = """\
Feature: Prices

  Scenario Outline: Kinds
    Given a vehicle
    When I rent it for <days> days with <kind>
    Then the price is <price>

    Examples:
      | days | kind  | price |
      | 2    | short | 20    |
      | 9    | long  | 80    |
"""


def test_a_choice_without_quotes_is_a_value() -> None:
    contract = FLEET.replace(
        "days: {type: integer}}}}}}", "days: {type: integer}, term: {enum: [short, long]}}}}}}"
    )
    source = source_of(contract, "rentals", "Nothing is said.", feature=PRICES)
    criteria = Criteria(source)
    facts = [each for each in source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION}) if each.aspects.get("when")]
    bodies = [each.target["exchanges"][-1]["body"] for each in criteria.behaviours(facts[0])]
    assert bodies == [{"days": 2, "term": "short"}, {"days": 9, "term": "long"}]
