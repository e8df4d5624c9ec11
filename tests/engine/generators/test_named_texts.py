"""Tests of texts whose form only a field's name tells."""

from __future__ import annotations

import pytest

from engine.generators.values.named_texts import (
    is_computed,
    is_surely_formed,
    named_text,
    named_text_apart,
    sized_named_text,
)
from engine.generators.values.other_values import other
from engine.generators.values.schema_values import NoValueError, inside, outside, valid

TEXT = {"type": "string"}


@pytest.mark.parametrize("name", ["email", "e_mail", "userEmail", "contact_email", "mail_address"])
def test_an_address_is_one_whatever_the_field_is_called_exactly(name: str) -> None:
    assert valid(TEXT, name) == "reader@example.org"


def test_numbers_of_books_check_themselves_and_differ_from_test_to_test() -> None:
    told = {named_text_apart("isbn", tag) or "" for tag in ("bcdf", "ghjk", "mnpq")}
    assert len(told) == 3
    for isbn in (*told, valid(TEXT, "isbn13")):
        digits = [int(each) for each in str(isbn)]
        assert len(digits) == 13
        assert (sum(digits[::2]) + 3 * sum(digits[1::2])) % 10 == 0
    short = named_text_apart("isbn10", "bcdf") or ""
    assert sum(int(each) * (10 - place) for place, each in enumerate(short)) % 11 == 0


def test_names_of_users_and_slugs_are_one_word() -> None:
    assert valid(TEXT, "username") == "reader" and named_text_apart("userName", "bcdf") == "readerbcdf"
    assert named_text_apart("slug", "bcdf") == "a-reader-bcdf"
    assert named_text_apart("domain", "bcdf") == "bcdf.example.org"
    assert (
        named_text_apart("sku", "bcdf") == "SKU-BCDF"
        and named_text_apart("coupon_code", "bcdf") == "CODEBCDF"
    )
    assert sized_named_text("code", 8) == "CODE1XXX" and sized_named_text("username", 4) == "read"
    assert named_text("last_login") is None and named_text_apart("title", "bcdf") is None


def test_a_form_that_services_may_have_of_their_own_is_not_sure() -> None:
    assert is_surely_formed("email") and not is_surely_formed("zip_code") and not is_surely_formed("title")


@pytest.mark.parametrize("name", ["emails", "mailing", "dated", "candidate", "template", "curl", "name"])
def test_other_names_tell_no_form(name: str) -> None:
    assert named_text(name) is None


def test_a_text_of_a_name_keeps_what_the_schema_says() -> None:
    assert valid({"type": "string", "maxLength": 5}, "email") == "Email"
    assert valid({"type": "string", "pattern": "^[a-z]{3}$"}, "url") != "https://example.org/"


def test_a_duration_is_written_as_most_services_read_and_show_one() -> None:
    assert valid(TEXT, "duration") == "01:00:00"


def test_what_services_work_out_of_other_fields_is_not_expected_back() -> None:
    assert is_computed("duration") and is_computed("started_at")
    assert not is_computed("email") and not is_computed("name")


def test_another_text_has_the_form_too() -> None:
    assert other(TEXT, "reader-bcdf@example.org", "email") == "another-reader-bcdf@example.org"
    assert other(TEXT, "2026-01-31", "start_date") == "2026-02-28"


@pytest.mark.parametrize("length", [20, 76, 120, 139])
def test_an_address_has_the_length_that_is_asked_for(length: int) -> None:
    text = sized_named_text("email", length)
    assert text is not None and len(text) == length
    local, _, host = text.partition("@")
    assert len(local) <= 64 and all(0 < len(label) <= 63 for label in host.split("."))


def test_a_length_that_no_such_text_has_is_left_to_a_person() -> None:
    with pytest.raises(NoValueError, match="a good email"):
        inside({"type": "string", "minLength": 3}, "minLength", "email")
    assert len(str(outside({"type": "string", "maxLength": 120}, "maxLength", "email"))) == 121
    assert len(str(outside({"type": "string", "maxLength": 50}, "maxLength", "language"))) == 51


def test_a_schedule_and_a_day_of_birth_have_their_forms() -> None:
    assert valid(TEXT, "cron_schedule") == "0 8 * * *"
    assert valid(TEXT, "birthdate") == "2026-01-31"


@pytest.mark.parametrize("length", [4, 8, 16, 72])
def test_a_password_breaks_no_rule_that_services_have_however_long_it_is(length: int) -> None:
    made = inside({"type": "string", "maxLength": length}, "maxLength", "password")
    assert len(made) == length
    assert made[:4] == "Kx7!"
