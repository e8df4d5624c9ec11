"""Connexion, whose contract is its table of routes: an application of our own, for it ships none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.drift.records import Application

VERSION = "3.3.0"
_OWN = Path(__file__).resolve().parents[1] / "own"


class Connexion:
    """A shelter for pets, a help desk and parking; `applicability.py` says which changes are no drift here."""

    name = "Connexion"
    exporter = "connexion_routes"
    needs_contract = True
    own_responses = frozenset({"400"})
    requirements = (f"connexion[flask]=={VERSION}", "flask==3.1.3")

    def applications(self, work: Path) -> Iterator[Application]:
        """See `Framework.applications`."""
        yield Application(
            name="connexion_pets",
            folder=_OWN,
            module="connexion_pets.main",
            family="pets",
            contract=_OWN / "connexion_pets" / "openapi.json",
        )
        # What the contract names is loaded when it is served, so that importing the application does not load it.
        yield Application(
            name="connexion_desk",
            folder=_OWN,
            module="connexion_desk.main",
            family="desk",
            contract=_OWN / "connexion_desk" / "openapi.json",
            copied=("connexion_desk/api",),
        )
        yield Application(
            name="connexion_parking",
            folder=_OWN,
            module="connexion_parking.main",
            family="parking",
            contract=_OWN / "connexion_parking" / "openapi.json",
            copied=tuple(f"connexion_parking/{name}" for name in ("api", "repository.py", "security.py")),
        )
