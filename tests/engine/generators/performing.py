"""A test that was just written, as a function to be called with its client, and with credentials if it has any."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from engine.generators.applications import conftests as templates
from planner.generator import Draft

_FIXTURES = [Path(templates.__path__[0]) / name for name in ("arranging.py", "adding.py")]


def performed(draft: Draft) -> Callable[..., None]:
    """The test of a draft, with the fixtures `arranged` and `added` where it takes them."""
    names: dict[str, Any] = {}
    body = draft.source[draft.source.index("def test_") :]
    exec("\n".join([*draft.imports, body]), names)  # noqa: S102 - the test that was just written
    test: Callable[..., None] = names[draft.name]
    taken = inspect.signature(test).parameters
    ours = fixtures()
    given = {"arranged": ours["arranged"](None), "added": ours["added"]()}
    return partial(test, **{name: each for name, each in given.items() if name in taken})


def fixtures() -> dict[str, Any]:
    """The functions of the fixtures that conftests of tests of operations have."""
    names: dict[str, Any] = {}
    for file in _FIXTURES:
        exec(file.read_text(encoding="utf-8").replace("@pytest.fixture\n", ""), names)  # noqa: S102 - ours
    return names
