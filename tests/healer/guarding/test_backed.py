"""What evidence backs in an edit: what the specs say, and names that moved; never a value of the code alone."""

from __future__ import annotations

import pytest

from graph.facts import Fact, Kind, Location, Tag
from healer.analysis import Analysis, Category
from healer.evidence import Judgement, Ruling
from healer.guarding.backed import backing_of
from healer.guarding.backing import renamed
from healer.guarding.forbidden import weaknesses
from healer.healer import Patient
from healer.movements import Cause, Movement
from healer.payload import Payload

BEFORE = "from shop import price\n\n\ndef test_it():\n    assert price(1) == 2\n"
AFTER = BEFORE.replace("== 2", "== 3")


def fact(tag: Tag, **aspects: object) -> Fact:
    return Fact(
        tag=tag,
        kind=Kind.ATTRIBUTE,
        key="shop.RATE",
        name="RATE",
        source=Location("shop.pyi", 1, 1),
        aspects=aspects,
    )


def patient(*explained: Movement, evidence: tuple[str, ...] = (), facts: tuple[Fact, ...] = ()) -> Patient:
    known = {each.id: each for each in facts}
    return Patient(
        analyses=(Analysis(node="t.py::test_it", file="t.py", category=Category.ASSERTION_FAILURE),),
        judgement=Judgement(ruling=Ruling.TEST_STALE, reason="", evidence=evidence, explained_by=explained),
        movements=(),
        read=lambda path: BEFORE,
        now=known.get,
    )


def payloads(*cites: str) -> tuple[Payload, ...]:
    return (Payload(reasoning="", file_to_patch="t.py", new_content=AFTER, cites=cites),)


def changed(side: str) -> Movement:
    return Movement(cause=Cause.CONSTANT_CHANGED, side=side, subject="shop.RATE", before=2, after=3)


def test_a_value_that_changed_in_the_code_alone_backs_nothing() -> None:
    assert weaknesses(BEFORE, AFTER, backing_of(patient(changed("code")), payloads()))
    assert weaknesses(BEFORE, AFTER, backing_of(patient(changed("code"), changed("spec")), payloads())) == ()


def test_a_value_that_a_cited_fact_of_the_specs_has_is_backed_and_one_of_the_code_is_not() -> None:
    spec, code = fact(Tag.SPEC, value=3), fact(Tag.CODE, value=3)
    by_spec = backing_of(patient(facts=(spec,)), payloads(spec.id))
    assert weaknesses(BEFORE, AFTER, by_spec) == ()
    assert weaknesses(BEFORE, AFTER, backing_of(patient(facts=(code,)), payloads(code.id)))
    assert weaknesses(BEFORE, AFTER, backing_of(patient(), payloads(spec.id)))
    evidence = backing_of(patient(evidence=(spec.id,), facts=(spec,)), payloads())
    assert weaknesses(BEFORE, AFTER, evidence) == ()


def test_values_may_be_given_to_a_parameter_that_was_added_and_to_no_assertion() -> None:
    added = Movement(cause=Cause.PARAMETER_ADDED, side="code", subject="shop.price", after="rate")
    backing = backing_of(patient(added), payloads())
    assert weaknesses(BEFORE, BEFORE.replace("price(1)", "price(1, rate=7)"), backing) == ()
    assert weaknesses(BEFORE, BEFORE.replace("price(1)", "price(5, rate=7)"), backing)
    assert weaknesses(BEFORE, AFTER, backing)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shop.price.tax", "shop.cost.tax"),
        ("myshop.price", "myshop.price"),
        ("price", "cost"),
        ("prices", "prices"),
        ("/books/7", "/items/7"),
        ("/books/7/pages?x=1", "/items/7/pages?x=1"),
        ("/bookshop/7", "/bookshop/7"),
        ("/v1/books", "/v2/books"),
    ],
)
def test_whole_names_and_paths_of_routes_are_exchanged(text: str, expected: str) -> None:
    renames = {
        "shop.price": "shop.cost",
        "price": "cost",
        "/books/{id}": "/items/{id}",
        "/v1/books": "/v2/books",
    }
    assert renamed(text, renames) == expected
