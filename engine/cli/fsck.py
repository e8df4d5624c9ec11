"""`crossfact fsck`: is all that crossfact keeps whole."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import msgspec

from crossval.report.escape import clean_line
from engine.cli.console import say
from engine.cli.opening import settings_from
from engine.cli.options import source_options
from engine.cli.rendering import as_document
from engine.wholeness import Part, State, examine


@click.command("fsck")
@click.option("--project", "folder", default=".", metavar="DIR", help="The project (default: this folder).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@source_options
def command(folder: str, as_json: bool, **given: Any) -> int:
    """Look whether the store, its indexes, the checklist, the baseline, the links and the audit trail are whole.

    Nothing is changed. The exit code is 1 when something is damaged; what is merely behind, the next run mends.
    """
    from engine.configuration import load
    from engine.project import locate

    root, _ = locate((folder,), Path.cwd())
    options, configuration = settings_from(given)
    settings = load(root, file=configuration, environment=os.environ, options=options)
    parts = list(examine(root, settings))
    damaged = any(part.state is State.DAMAGED for part in parts)
    if as_json:
        say(as_document({"whole": not damaged, "parts": msgspec.to_builtins(parts)}))
    else:
        say("\n".join(line for part in parts for line in _lines(part)))
    return int(damaged)


def _lines(part: Part) -> list[str]:
    lines = [clean_line(f"{part.state:<8} {part.name}" + (f": {part.says}" if part.says else ""))]
    for trouble in part.troubles:
        lines += [clean_line(f"           {trouble.what}"), clean_line(f"           help: {trouble.remedy}")]
    return lines
