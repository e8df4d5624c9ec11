"""Pages of sentences with the claims that are read from them: tests/ingest/claims/*.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.claims.claim import Claim
from ingest.claims.reading import read_claims, worth_reading

PAGES = sorted((Path(__file__).parent / "claims").glob("*.md"))
_BLOCK = re.compile(r"^## (?P<title>.+)\n```claims\n(?P<text>(?:.*\n)*?)```$", re.MULTILINE)


def cases() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every sentence with its claims as the page writes them."""
    for page in PAGES:
        for block in _BLOCK.finditer(page.read_text("utf-8")):
            sentence, claims = "", []
            for line in block["text"].splitlines():
                if line.startswith("    "):
                    claims.append(line.strip())
                    continue
                if sentence:
                    yield sentence, tuple(claims)
                sentence, claims = line, []
            yield sentence, tuple(claims)


def rendered(claim: Claim) -> str:
    """A claim as the page writes it."""
    if claim.kind in ("request", "field"):
        return f"{claim.kind}: {claim.value}"
    value = claim.value
    if isinstance(value, list):
        value = ", ".join(value)
    elif isinstance(value, bool):
        value = str(value).lower()
    parts = [f"{claim.kind}: {claim.subject or '?'}", claim.comparator or "=", str(value), claim.unit]
    parts.append(f"({claim.modality})" if claim.modality != "must" else "")
    parts += ["not" if claim.negated else "", f"if {claim.condition}" if claim.condition else ""]
    return " ".join(part for part in parts if part)


@pytest.mark.parametrize(("sentence", "expected"), tuple(cases()))
def test_a_sentence_claims_exactly_what_the_page_says(sentence: str, expected: tuple[str, ...]) -> None:
    found = read_claims(sentence)
    assert tuple(map(rendered, found)) == expected
    assert all(claim.words == sentence for claim in found)
    assert worth_reading(sentence) or not expected


def test_the_page_holds_what_was_promised() -> None:
    everything = list(cases())
    assert len(everything) >= 150
    assert sum(not claims for _, claims in everything) >= 50


def test_a_sentence_may_begin_with_code() -> None:
    (claim,) = read_claims(
        "Raise an `Invalid` error with the message `msg`. `node`, if given, should be a node."
    )
    assert (claim.value, claim.condition) == ("Invalid", "")


def test_a_line_that_wants_another_word_goes_on() -> None:
    """Else "BookError is raised" would be said of every case."""
    case = "If the shelf of a book is full (and there is no other), a"
    assert not read_claims(f"{case}\nBookError is raised.")
    (claim,) = read_claims("If the shelf of a book is full, a\nBookError is raised.")
    assert claim.condition == "the shelf of a book is full"


def test_a_case_on_a_line_of_its_own_belongs_to_what_follows() -> None:
    """Else the error would be raised in every case."""
    assert not read_claims(
        "if the shelf is not found, or there are no lamps\nShelf.DoesNotExist will be raised"
    )
    (claim,) = read_claims("If the shelf is not found,\nShelf.DoesNotExist will be raised.")
    assert claim.condition == "the shelf is not found"


def test_every_block_of_the_page_is_read() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        assert len(_BLOCK.findall(text)) == len(re.findall("^## ", text, re.MULTILINE))
