"""`crossfact doctor`: what was detected, what is missing, what is on."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

import click
import msgspec

from crossval.report.colour import Paint
from crossval.report.escape import clean_line
from engine.cli.console import say, tell, wants_colour
from engine.cli.opening import settings_from
from engine.cli.options import source_options
from engine.cli.rendering import as_document
from engine.configuration import load
from engine.detecting import detect
from engine.diagnosing import Diagnosis, Standing, of_machine, of_settings, of_sources, of_store
from engine.project import Project, locate
from engine.version import version
from engine.wholeness import State, examine
from graph.store.store import Store


@click.command("doctor")
@click.argument("folder", default=".", metavar="[DIR]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@source_options
def command(folder: str, as_json: bool, **given: Any) -> int:
    """Say what was detected in the project in DIR, what is missing, and what to do about it.

    The exit code is 1 when something keeps crossfact from doing its work.
    """
    root, _ = locate((folder,), Path.cwd())
    options, file = settings_from(given)
    settings = load(root, file=file, environment=os.environ, options=options)
    parts = list(examine(root, settings))
    place = root / settings.store
    whole = parts[0].state in (State.WHOLE, State.BEHIND) and os.access(place, os.W_OK)
    # A store that is damaged or not there yet is left alone: looking changes nothing that a run would not.
    store = Store.open(place if whole else None)
    detected = detect(Project(root, (), settings, store), tell=tell)
    python = Diagnosis("crossfact", Standing.FINE, f"{version()}, Python {platform.python_version()}")
    found = [
        python,
        *of_settings(root, settings, os.environ),
        *of_sources(detected, settings),
        *of_machine(root, settings, os.environ),
        *of_store(root, settings, parts),
    ]
    sick = any(each.standing is Standing.PROBLEM for each in found)
    if as_json:
        document = {
            "healthy": not sick,
            "checks": msgspec.to_builtins(found),
            "detected": msgspec.to_builtins(detected),
        }
        say(as_document(document))
    else:
        paint = Paint(wants_colour())
        say("\n".join(line for each in found for line in _lines(each, paint)))
    return int(sick)


def _lines(each: Diagnosis, paint: Paint) -> list[str]:
    mark = f"{each.standing:<8}"
    shown = paint.faint(mark) if each.standing in (Standing.FINE, Standing.OFF) else paint.strong(mark)
    lines = [f"{shown}{each.name}: {clean_line(each.says)}"]
    if each.remedy:
        lines.append(f"        help: {clean_line(each.remedy)}")
    return lines
