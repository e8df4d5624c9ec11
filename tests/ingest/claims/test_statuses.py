"""The statuses that claims know are those of the standard library."""

from http import HTTPStatus

from ingest.claims.statuses import PHRASES, STATUSES


def test_every_status_of_the_library_is_known_by_its_number_and_phrase() -> None:
    assert frozenset(int(status) for status in HTTPStatus) == STATUSES
    assert {status.phrase.lower() for status in HTTPStatus} <= {phrase.lower() for phrase in PHRASES}
