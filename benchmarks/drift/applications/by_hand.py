"""aiohttp, Starlette, plain Flask and plain Django export no contract: applications of our own, contracts by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.drift.records import Application

AIOHTTP = "3.14.5"
STARLETTE = "1.10.0"
FLASK = "3.1.3"
DJANGO = "5.1.15"
_HERE = Path(__file__).resolve().parents[1]


class Aiohttp:
    """Notes, a ledger and polls: tables of routes, views, parts, stores in the application, middlewares, objects."""

    name = "aiohttp"
    exporter = "aiohttp_routes"
    needs_contract = False
    own_responses: frozenset[str] = frozenset()
    requirements = (f"aiohttp=={AIOHTTP}", "pydantic==2.14.4")

    def applications(self, work: Path) -> Iterator[Application]:
        """See `Framework.applications`."""
        for name in ("notes", "ledger", "polls"):
            yield Application(
                name=f"aiohttp_{name}",
                folder=_HERE / "own",
                module=f"aiohttp_{name}.main",
                family=name,
                contract=_HERE / "contracts" / "aiohttp" / f"{name}.json",
            )


class Starlette:
    """Notes, a help desk and a blog: functions, classes, mounts, exception handlers, who signs in, middlewares."""

    name = "Starlette"
    exporter = "starlette_routes"
    needs_contract = False
    own_responses: frozenset[str] = frozenset()
    requirements = (f"starlette=={STARLETTE}", "python-multipart==0.0.34")

    def applications(self, work: Path) -> Iterator[Application]:
        """See `Framework.applications`."""
        for name in ("notes", "desk", "blog"):
            yield Application(
                name=f"starlette_{name}",
                folder=_HERE / "own",
                module=f"starlette_{name}.main",
                family=name,
                contract=_HERE / "contracts" / "starlette" / f"{name}.json",
            )


class PlainFlask:
    """A library with a factory, blueprints and views of classes, a queue of jobs in one module, orders in layers."""

    name = "Flask"
    exporter = "flask_routes"
    needs_contract = False
    own_responses: frozenset[str] = frozenset()
    requirements = (f"flask=={FLASK}", "werkzeug==3.1.9", "marshmallow==4.4.0")

    def applications(self, work: Path) -> Iterator[Application]:
        """See `Framework.applications`."""
        for name in ("library", "jobs", "orders"):
            yield Application(
                name=f"flask_{name}",
                folder=_HERE / "own",
                module=f"flask_{name}.main",
                family=name,
                contract=_HERE / "contracts" / "flask" / f"{name}.json",
            )


class PlainDjango:
    """Notes as functions that tell the methods apart, and a stock as classes with a function for each method."""

    name = "Django"
    exporter = "django_routes"
    needs_contract = False
    own_responses: frozenset[str] = frozenset()
    requirements = (f"Django=={DJANGO}",)

    def applications(self, work: Path) -> Iterator[Application]:
        """See `Framework.applications`."""
        methods = {"notes": ["GET", "POST"], "note": ["GET", "PUT", "DELETE"], "archive": ["POST"]}
        options = {"methods": {**methods, "tagged": ["GET"], "health": ["GET"]}}
        for name in ("notes", "stock"):
            yield Application(
                name=f"django_{name}",
                folder=_HERE / "own" / f"django_{name}",
                module="urls",
                family=name,
                contract=_HERE / "contracts" / "django" / f"{name}.json",
                copied=("settings.py", "manage.py", "urls.py", name),
                options=options,
            )
