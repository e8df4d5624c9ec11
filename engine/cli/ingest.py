"""`crossfact ingest`: only bring the fact graph up to date."""

from __future__ import annotations

from typing import Any

import click

from engine.cli.console import say, tell
from engine.cli.opening import project_from
from engine.cli.options import source_options
from engine.cli.progress import progress
from graph.faults import INTERNAL, is_fault


@click.command("ingest")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@source_options
def command(paths: tuple[str, ...], as_json: bool, **given: Any) -> int:
    """Only bring the fact graph up to date, and say what was read and what was left out."""
    from collections import Counter

    from engine.cli.rendering import as_document
    from engine.project import refresh

    project = project_from(paths, given)
    with progress() as show:
        refreshed = refresh(project, tell=tell, progress=show)
    counts = project.store.counts()
    notes = project.store.notes()
    skipped = sorted({*refreshed.skipped, *notes.skipped})
    told = {*(each.reason for each in notes.unknown), *(each.reason for each in skipped)}
    code = INTERNAL if any(map(is_fault, told)) else 0
    if as_json:
        say(
            as_document(
                {
                    "revision": refreshed.revision,
                    "files": refreshed.sources,
                    "parsed": refreshed.parsed,
                    "facts": {tag: sum(kinds.values()) for tag, kinds in counts.items()},
                    "skipped": [
                        {"path": s.path, "line": s.line or None, "reason": s.reason} for s in skipped
                    ],
                }
            )
        )
        return code
    total = sum(sum(kinds.values()) for kinds in counts.values())
    say(
        f"{refreshed.parsed} of {refreshed.sources} files read; {total} facts at revision {refreshed.revision}."
    )
    reasons = Counter(each.reason for each in skipped)
    for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))[:20]:
        say(f"skipped {count}: {reason}")
    return code
