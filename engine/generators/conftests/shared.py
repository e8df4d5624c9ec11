"""What all conftests of generated tests have: the marker, and the credentials."""

import pytest


def pytest_configure(config):
    """Register the marker that cites the facts which a test checks."""
    config.addinivalue_line("markers", "spec(*facts): the facts of the specs that this test checks")


@pytest.fixture
def auth():
    """The headers of a caller who may do everything. Fill them in for your application."""
    pytest.skip("no credentials are known: fill in the fixture `auth` in tests/crossfact/conftest.py")
