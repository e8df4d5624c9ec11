"""How the options that several commands share become a project."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from engine.cli.console import tell
from engine.project import Project, open_project

_LISTS = ("spec", "code", "stories", "stubs", "tests", "exclude", "source_roots", "select", "ignore")


def project_from(paths: tuple[str, ...], given: dict[str, Any]) -> Project:
    """The project that a command's paths and options name. `given` is emptied of what it uses."""
    options, configuration = settings_from(given)
    return open_project(
        paths,
        here=Path.cwd(),
        environment=os.environ,
        options=options,
        configuration=configuration,
        tell=tell,
    )


def settings_from(given: dict[str, Any]) -> tuple[dict[str, Any], Path | None]:
    """The settings that a command's options give, and the file that it names for the others."""
    configuration = given.pop("configuration", None)
    options: dict[str, Any] = {}
    for name, value in given.items():
        if value is None or value == ():
            continue
        if name == "severity":
            options[name] = dict(_level(text) for text in value)
        elif name in _LISTS:
            options[name] = [part for text in value for part in _split(name, text)]
        else:
            options[name] = value
    return options, configuration


def _split(name: str, text: str) -> list[str]:
    """Rules may be given with commas between them; paths may hold commas."""
    if name not in ("select", "ignore"):
        return [text]
    return [part.strip() for part in text.split(",") if part.strip()]


def _level(text: str) -> tuple[str, str]:
    rule, separator, level = text.partition("=")
    if not separator:
        from click import UsageError

        raise UsageError(f"--severity {text}: write it as RULE=LEVEL, with error, warning, note or off.")
    return rule.strip(), level.strip()
