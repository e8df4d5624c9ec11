"""What the tests made from the specs share: a client of the application, and its credentials."""

import importlib
import re
import sys
from pathlib import Path

import pytest

from engine.generators.applications.conftests.flask import client as client_of_flask
from engine.generators.applications.conftests.starlette import client as client_of_starlette

ROOT = Path(__file__).resolve().parents[2]
MADE = re.compile(r"^(app|application|api)\b[^=\n]*=(?!=)[^\n]*\w\(", re.MULTILINE)


def find_application():
    """The application, which was not there yet when this was written: the first that a module makes at its top.

    `crossfact go` and `crossfact run` find it more carefully, and then write this file anew.
    """
    places = [file.relative_to(ROOT) for file in ROOT.rglob("*.py")]
    for place in sorted(places, key=lambda place: (len(place.parts), place)):
        names = list(place.with_suffix("").parts)
        if not all(name.isidentifier() for name in names) or {"tests", "venv"} & set(names):
            continue
        made = MADE.search((ROOT / place).read_text(encoding="utf-8", errors="replace"))
        if made:
            above = ROOT / names.pop(0) if names[0] == "src" else ROOT
            if str(above) not in sys.path:
                sys.path.insert(0, str(above))
            return getattr(importlib.import_module(".".join(names)), made[1])
    raise NotImplementedError(
        "there is no application yet: no module makes an `app`, and no setting tells where it is"
    )


@pytest.fixture
def client():
    """A client of the application under test, which a Flask application makes itself."""
    application = find_application()
    yield from (client_of_flask if hasattr(application, "test_client") else client_of_starlette)(application)
