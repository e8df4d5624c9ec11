"""What the tests made from the specs share: a client of the application, and its credentials."""

import importlib
import logging

import pytest


@pytest.fixture
def client():
    """A client of the application under test."""
    application = importlib.import_module("package.module").application
    from starlette.testclient import TestClient

    async def telling(scope, receive, send):
        """The application; what it raises is kept, and logged, so that it is shown with the test that fails by it."""
        client.raised = None
        try:
            await application(scope, receive, send)
        except Exception as error:
            client.raised = error
            logging.getLogger(__name__).exception("%s %s", scope.get("method"), scope.get("path"))
            raise

    client = TestClient(telling, raise_server_exceptions=False)
    client.follow_redirects = False  # Older versions do not take it as an argument.
    with client:
        yield client
