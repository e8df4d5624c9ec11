"""`crossfact diff`: which facts changed between two revisions, and which findings came or went with them."""

from __future__ import annotations

from typing import Any

import click

from engine.cli.console import tell, wants_colour
from engine.cli.destinations import put
from engine.cli.opening import project_from
from engine.cli.options import rule_options, source_options
from engine.cli.outputs import OrderedCommand, output_options, targets


@click.command("diff", cls=OrderedCommand)
@click.argument("older", required=False)
@click.argument("newer", required=False)
@click.option("--project", "folder", default=".", metavar="DIR", help="The project (default: this folder).")
@output_options(("text", "markdown", "json"))
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@source_options
@rule_options
def command(
    older: str | None,
    newer: str | None,
    folder: str,
    forms: tuple[str, ...],
    outputs: tuple[str, ...],
    as_json: bool,
    **given: Any,
) -> int:
    """Show which facts were added, removed or changed from OLDER to NEWER, and the findings that came or went.

    A revision is `store:12` (one of the fact store) or anything that git understands (`A..B` are two of them); NEWER is
    the files as they are when left out. Without arguments the last two revisions of the store are compared.
    """
    from crossval.report import difference
    from engine.diff import compare

    wanted = targets(forms or (("json",) if as_json else ()), outputs)
    project = project_from((folder,), given)
    found = compare(project, older, newer, tell=tell)
    shown = difference.Revisions(found.older, found.newer, found.facts, found.came, found.went, found.stayed)
    for target in wanted:
        if target.form == "json":
            put(target, difference.document(shown))
        elif target.form == "markdown":
            put(target, difference.markdown(shown))
        else:
            put(target, difference.text(shown, colour=target.file is None and wants_colour()))
    if not found.with_defects:
        tell(
            "crossfact: the store does not keep what is wrong in a source by itself; such findings are left out."
        )
    return 0
