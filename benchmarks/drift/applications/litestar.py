"""Litestar: applications of our own, for its source distribution ships none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.drift.records import Application

VERSION = "2.25.0"
_OWN = Path(__file__).resolve().parents[1] / "own"


class Litestar:
    """A shop with structs, dataclasses and attrs, and a tracker with Pydantic models and typed dictionaries."""

    name = "Litestar"
    exporter = "litestar_schema"
    needs_contract = False
    own_responses = frozenset({"400"})
    requirements = (
        f"litestar=={VERSION}",
        "msgspec==0.22.0",
        "attrs==26.1.0",
        "pydantic==2.14.3",
    )

    def applications(self, work: Path) -> Iterator[Application]:
        """See `Framework.applications`."""
        for name in ("litestar_shop", "litestar_tracker"):
            yield Application(name=name, folder=_OWN, module=f"{name}.main", family=name)
