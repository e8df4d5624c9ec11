"""Whether a value keeps a schema: see `engine.generators.violations`."""

from __future__ import annotations

from engine.generators.violations import Violation as Violation
from engine.generators.violations import violations as violations
