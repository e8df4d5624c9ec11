from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossval.report.escape import clean, clean_line, encodable, json_safe


@pytest.mark.parametrize(
    ("character", "shown"),
    [
        ("\x1b", r"\x1b"),
        ("\x00", r"\x00"),
        ("\r", r"\r"),
        ("\x7f", r"\x7f"),
        ("\x9b", r"\x9b"),
        ("\u202e", r"\u202e"),
        ("\u2066", r"\u2066"),
        ("\u2028", r"\u2028"),
        ("\U000e0041", r"\U000e0041"),
        ("\udcff", r"\udcff"),
    ],
)
def test_a_character_that_steers_or_deceives_is_shown_as_an_escape(character: str, shown: str) -> None:
    assert clean(f"a{character}b") == f"a{shown}b"


def test_line_feeds_and_tabs_stay_unless_one_line_is_wanted() -> None:
    assert clean("a\n\tb") == "a\n\tb"
    assert clean_line("a\n\tb") == r"a\n\tb"


def test_ordinary_text_of_any_language_and_backslashes_are_left_alone() -> None:
    text = r"price ≥ 5 €, naïve, 値段, שלום, \x1b written out, 👩‍👩‍👧"
    assert clean(text) == text
    assert clean_line(text) == text


@given(st.text(st.characters(codec=None)))
def test_cleaned_text_has_no_control_character_and_can_be_encoded(text: str) -> None:
    cleaned = clean_line(text)
    cleaned.encode()
    assert not [character for character in cleaned if unicodedata.category(character) in ("Cc", "Cs")]
    assert not any(unicodedata.bidirectional(c) in ("RLO", "LRO", "RLE", "LRE", "PDF") for c in cleaned)
    assert len(cleaned.splitlines()) <= 1


@given(st.text(st.characters(codec=None)))
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert clean_line(clean(text)) == clean_line(text)


@given(st.text())
def test_a_json_document_keeps_its_value_when_it_is_made_safe(text: str) -> None:
    document = json_safe(json.dumps({text: [text]}, ensure_ascii=False))
    assert json.loads(document) == {text: [text]}
    assert clean(document) == document


def test_only_lone_surrogates_are_changed_for_encoding() -> None:
    assert encodable("a\x1b\u202e\ud800") == "a\x1b\u202e\\ud800"
