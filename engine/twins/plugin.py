"""A pytest plugin that gives each test its twins: `client`, `auth` and `account`, once for each twin and mutant.

Which twins a test meets stands in the JSON file that the environment variable `CROSSFACT_TWINS` names.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from engine.twins.http import Twin
from engine.twins.replies import VARIANTS
from engine.twins.runs import Twins
from engine.twins.strangers import STRANGER
from planner.contracts.unknowable import is_unknown_credential

pytest_plugins = (
    "engine.generators.applications.conftests.arranging",
    "engine.generators.applications.conftests.adding",
)


def _load() -> Twins:
    return msgspec.json.decode(Path(os.environ["CROSSFACT_TWINS"]).read_bytes(), type=Twins)


_TWINS = _load()


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker of generated tests."""
    config.addinivalue_line("markers", "spec(*facts): the facts of the specs that a test checks")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test once for each of its twins."""
    runs = _TWINS.runs.get(metafunc.function.__name__)
    if runs is not None and "client" in metafunc.fixturenames:
        metafunc.parametrize("client", range(len(runs)), indirect=True)


@pytest.fixture
def client(request: pytest.FixtureRequest) -> Twin:
    """A fresh twin, which is its own client."""
    name = request.node.originalname
    run = _TWINS.runs[name][request.param]
    return Twin(_TWINS.operations, VARIANTS[run.variant], run.mutation, _TWINS.told.get(name, ()))


@pytest.fixture
def auth() -> dict[str, str]:
    """Credentials that every twin takes, in all headers that an operation takes them in."""
    members = (member for operation in _TWINS.operations for member in operation.parameters)
    names = {each.name for each in members if each.location == "header" and is_unknown_credential(each)}
    return {**dict.fromkeys(sorted(names), "twin"), "Authorization": "Bearer twin"}


@pytest.fixture
def stranger(auth: dict[str, str]) -> dict[str, str]:
    """Credentials of a second caller, who has made nothing."""
    return {**dict.fromkeys(auth, STRANGER), "Authorization": f"Bearer {STRANGER}"}


@pytest.fixture
def account() -> dict[str, str]:
    """Whom every twin lets in."""
    return {"name": "caller@example.org", "password": "Password-4-callers"}


@pytest.fixture
def caller() -> SimpleNamespace:
    """The account of who asks, as a site of Django knows it."""
    return SimpleNamespace(pk=1)
