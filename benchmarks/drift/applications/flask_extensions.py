"""APIFlask, flask-smorest and Flask-RESTX: the examples that the first ships, and applications of our own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.drift.environment import examples
from benchmarks.drift.records import Application, Part

VERSION = "3.1.2"
_LAST_READ = "dataclass"
_OWN = Path(__file__).resolve().parents[1] / "own"
_SHARED = (
    "flask==3.1.3",
    "werkzeug==3.1.9",
    "marshmallow==4.4.0",
    "apispec==6.10.1",
    "webargs==8.7.1",
)


class ApiFlask:
    """Every example of its source distribution; the second half by name is the unread part."""

    name = "APIFlask"
    exporter = "flask_extensions"
    needs_contract = False
    own_responses = frozenset({"401", "404", "422"})
    requirements = (
        *_SHARED,
        f"apiflask=={VERSION}",
        "flask-marshmallow==1.5.0",
        "flask-httpauth==4.8.1",
        "pydantic==2.14.3",
        "email-validator==2.4.0",
        "authlib==1.9.9",
        "marshmallow-dataclass==8.7.1",
        "flask-sqlalchemy==3.1.1",
        "pillow==13.0.0",
    )

    def applications(self, work: Path) -> Iterator[Application]:
        """See `Framework.applications`."""
        folder = examples("apiflask", VERSION, "examples", work)
        for file in sorted((folder / "examples").rglob("app.py")):
            place = file.parent.relative_to(folder / "examples")
            part: Part = "read" if place.parts[0] <= _LAST_READ else "unread"
            yield Application(
                name="/".join(place.parts), folder=file.parent, module="app", part=part, family=place.parts[0]
            )


class FlaskSmorest:
    """An application of our own: its source distribution ships none."""

    name = "flask-smorest"
    exporter = "flask_extensions"
    needs_contract = False
    own_responses = frozenset({"422", "default"})
    requirements = (*_SHARED, "flask-smorest==0.47.0")

    def applications(self, work: Path) -> Iterator[Application]:
        """See `Framework.applications`."""
        yield Application(name="smorest_clinic", folder=_OWN, module="smorest_clinic.main", family="clinic")


class FlaskRestx:
    """An application of our own: its source distribution ships none."""

    name = "Flask-RESTX"
    exporter = "flask_extensions"
    needs_contract = False
    own_responses: frozenset[str] = frozenset()
    requirements = ("flask==3.1.3", "werkzeug==3.1.9", "flask-restx==1.3.2")

    def applications(self, work: Path) -> Iterator[Application]:
        """See `Framework.applications`."""
        yield Application(name="restx_tracker", folder=_OWN, module="restx_tracker.main", family="tracker")
