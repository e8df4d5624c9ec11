"""Tests of what names say of values: what proves who somebody is, and what nobody is to be shown."""

from __future__ import annotations

import pytest

from planner.contracts.confidential import is_credential, unshown_secrets


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "new_passwd",
        "client_secret",
        "pin",
        "card_cvc",
        "access_token",
        "apiKey",
        "X-Api-Key",
        "key",
    ],
)
def test_a_credential_is_known_by_its_name(name: str) -> None:
    assert is_credential(name)


@pytest.mark.parametrize("name", ["shipping", "keywords", "opinion", "monkey", "pinned", "title"])
def test_a_word_that_only_holds_such_a_name_is_none(name: str) -> None:
    assert not is_credential(name)


def test_a_secret_that_the_answer_is_said_to_have_may_be_shown() -> None:
    assert unshown_secrets(["name", "password", "pin"], {"pin": {}}) == ["password"]
