"""The healers of a project, in the order in which they are asked."""

from __future__ import annotations

from engine.plugins import healers
from engine.project import Project, Tell
from healer.healer import Healer


def healers_of(project: Project, tell: Tell) -> tuple[Healer, ...]:
    """The healers that need no model, then the model where one is configured."""
    return healers()
