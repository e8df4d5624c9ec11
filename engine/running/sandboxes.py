"""Chooses the sandbox of a run: the strongest that the machine offers, or the one that is asked for."""

from __future__ import annotations

from pathlib import Path

from engine.project import Project
from engine.running.bubblewrap import Bubblewrap, probe
from engine.running.sandbox import LEVELS, Limits, Sandbox
from graph.errors import ConfigurationError


def sandbox_for(project: Project, python: Path, wanted: str = "") -> Sandbox:
    """The sandbox for a project's tests: `wanted` where given, `strict` where the machine has it, else `limits`.

    The `sandbox` of a project's own configuration can raise the level, never lower it. Raises ConfigurationError
    where the level cannot be had.
    """
    asked = project.settings.sandbox
    version, why = probe()
    level = wanted or ("strict" if version else "limits")
    if asked and LEVELS.index(asked) > LEVELS.index(level):
        level = asked
    if level != "strict":
        weaker = Limits(level)
        if not wanted and why:
            weaker.words += f"; {why}"
        return weaker
    if not version:
        raise ConfigurationError(
            f"sandbox: strict is asked for, but {why}", "Install bubblewrap, or run with --sandbox limits."
        )
    app = project.settings.app
    return Bubblewrap(project.root, python, network=app.startswith(("http://", "https://")))
