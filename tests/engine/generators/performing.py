"""A test that was just written, as a function to be called with its client, and with credentials if it has any."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from engine.generators.applications import conftests as templates
from planner.generator import Draft

_FIXTURE = Path(templates.__path__[0]) / "arranging.py"


def performed(draft: Draft) -> Callable[..., None]:
    """The test of a draft, with the fixture `arranged` where it takes it."""
    names: dict[str, Any] = {}
    body = draft.source[draft.source.index("def test_") :]
    exec("\n".join([*draft.imports, body]), names)  # noqa: S102 - the test that was just written
    test: Callable[..., None] = names[draft.name]
    if "arranged" not in inspect.signature(test).parameters:
        return test
    exec(_FIXTURE.read_text(encoding="utf-8").replace("@pytest.fixture\n", ""), names)  # noqa: S102 - ours
    return partial(test, arranged=names["arranged"](None))
