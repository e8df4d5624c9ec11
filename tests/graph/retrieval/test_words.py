"""Words and identifiers become the terms that searching compares."""

from __future__ import annotations

import pytest

from graph.retrieval.words import identifiers, spoken, terms


def test_prose_is_stemmed_and_loses_its_stop_words() -> None:
    assert terms("What happens when the books were ordered?") == ["happen", "book", "order"]


@pytest.mark.parametrize("spelling", ["OutOfStock", "out_of_stock", "outOfStock", "OUT_OF_STOCK"])
def test_all_spellings_of_an_identifier_give_the_same_terms(spelling: str) -> None:
    assert terms(spelling) == ["out", "stock", "out_of_stock"]


def test_a_dotted_name_gives_each_of_its_identifiers() -> None:
    assert terms("shop.pricing.HTTPError") == ["shop", "price", "http", "error", "http_error"]


def test_digits_stand_for_themselves() -> None:
    assert terms("POST /books answers 404") == ["post", "book", "answer", "404"]


def test_a_hyphen_of_prose_makes_no_identifier() -> None:
    assert terms("read-only, out-of-stock") == ["read", "out", "stock"]


def test_names_of_programs_are_told_from_words() -> None:
    assert list(identifiers("Does shop.add_book raise OutOfStock for a book?")) == [
        "shop.add_book",
        "OutOfStock",
    ]


def test_other_scripts_and_nothing_are_taken() -> None:
    assert terms("") == []
    assert terms("???") == []
    assert terms("книга ausverkauft") == ["книга", "ausverkauft"]


def test_an_identifier_can_be_spoken() -> None:
    assert spoken("shop.OutOfStock") == "shop out of stock"
