"""What the tests made from the specs share: a client of the application, and its credentials."""

import contextlib
import importlib
import json
import warnings
from urllib.parse import urlencode

import pytest

from engine.generators.applications.conftests.sending import Client, Response


@pytest.fixture(scope="session")
def database(request):
    """Databases of their own for the tests, where the project has some; no mail is sent, and any host is served.

    Passwords of accounts that tests make are hashed quickly. Where a server of databases does not answer, tests use
    SQLite in memory, and warn of that.
    """
    importlib.import_module("package.module")
    from django.conf import settings
    from django.db import OperationalError, connections
    from django.test.utils import (
        override_settings,
        setup_databases,
        setup_test_environment,
        teardown_databases,
    )

    with contextlib.suppress(RuntimeError):  # A plugin may have done so.
        setup_test_environment()
    used = {
        name: False
        for name in connections
        if not connections[name].settings_dict["ENGINE"].endswith(".dummy")
    }
    quick = ["django.contrib.auth.hashers.MD5PasswordHasher", *settings.PASSWORD_HASHERS]
    with reachable(request):
        try:
            made = setup_databases(verbosity=0, interactive=False, aliases=used)
        except OperationalError as error:
            made = without_servers(
                lambda: setup_databases(verbosity=0, interactive=False, aliases=used), error
            )
    with override_settings(PASSWORD_HASHERS=quick):
        yield
    with reachable(request):
        teardown_databases(made, verbosity=0)


def without_servers(make, error):
    """What is made on SQLite in memory; where that cannot be, `error` tells why there are no databases."""
    from django.db import DatabaseError, connections

    servers = [
        each for each in connections.all() if each.vendor != "sqlite" and "gis" not in type(each).__module__
    ]
    if not servers:
        raise error
    for each in servers:
        each.settings_dict.update(ENGINE="django.db.backends.sqlite3", NAME=":memory:", OPTIONS={})
        del connections[each.alias]
    try:
        made = make()
    except (DatabaseError, AttributeError, TypeError, ValueError, NotImplementedError):
        # They use what only their server has.
        raise error from None
    warnings.warn(f"these tests use SQLite in memory, since no other database answers: {error}", stacklevel=2)
    return made


def reachable(request):
    """Databases for what stands within; pytest-django keeps tests without its mark from them."""
    has_plugin = request.config.pluginmanager.hasplugin("django")
    blocker = request.getfixturevalue("django_db_blocker") if has_plugin else None
    return contextlib.nullcontext() if blocker is None else blocker.unblock()


@pytest.fixture
def client(database, request):
    """A client of the application under test; what a test writes into the default database is undone after it.

    What the process itself keeps in a cache is forgotten before each test, as how often somebody asked is.
    """
    from django.conf import settings
    from django.core.cache import caches
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.db import connection, transaction
    from django.test import Client as DjangoClient
    from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

    inner = DjangoClient(raise_request_exception=False)
    for name, cache in settings.CACHES.items():
        if cache["BACKEND"].endswith(".LocMemCache"):
            caches[name].clear()

    def send(method, url, params, body, data, files, headers):
        where = f"{url}?{urlencode(params, doseq=True)}" if params else url
        content, kind = json.dumps(body) if body is not None else "", "application/json"
        if body is None and files:
            opened = {field: SimpleUploadedFile(name, text) for field, (name, text) in files.items()}
            content, kind = encode_multipart(BOUNDARY, {**(data or {}), **opened}), MULTIPART_CONTENT
        elif body is None and data is not None:
            content, kind = urlencode(data, doseq=True), "application/x-www-form-urlencoded"
        # Headers as the server's environment has them, and the answer itself for its own: so did versions before 4.2.
        told = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        answer = inner.generic(method, where, content, content_type=kind, **told)
        client.raised = (getattr(answer, "exc_info", None) or (None, None))[1]
        cookies = [each.OutputString() for each in answer.cookies.values()]
        return Response(answer.status_code, getattr(answer, "headers", answer), answer.content, cookies)

    client = Client(send)
    if connection.settings_dict["ENGINE"].endswith(".dummy"):
        yield client
        return
    with reachable(request), transaction.atomic():
        yield client
        transaction.set_rollback(True)
