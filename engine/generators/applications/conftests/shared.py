"""What all conftests of generated tests have: the marker, and the credentials."""

import pytest


def pytest_configure(config):
    """Register the marker that cites the facts which a test checks."""
    config.addinivalue_line("markers", "spec(*facts): the facts of the specs that this test checks")


def pytest_collection_modifyitems(items):
    """Let warnings be warnings: these tests are about the specs, also where the project makes errors of them."""
    for item in items:
        if item.get_closest_marker("spec"):
            item.add_marker(pytest.mark.filterwarnings("default"))


@pytest.fixture
def auth():
    """The headers of a caller who may do everything. Fill them in for your application.

    Say `return {"Authorization": "Bearer …"}`. Where a caller is made first, take `client` as an argument: its
    database is ready then.
    """
    pytest.skip("no credentials are known: fill in the fixture `auth` in tests/crossfact/conftest.py")
