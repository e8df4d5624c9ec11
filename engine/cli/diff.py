"""`crossfact diff`: which facts changed between two revisions, and which findings came or went with them."""

from __future__ import annotations

from typing import Any

import click

from engine.cli.console import say, tell, wants_colour
from engine.cli.options import project_from, rule_options, source_options


@click.command("diff")
@click.argument("older", required=False)
@click.argument("newer", required=False)
@click.option("--project", "folder", default=".", metavar="DIR", help="The project (default: this folder).")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "markdown", "json")),
    default="text",
    help="The form of the answer.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@source_options
@rule_options
def command(older: str | None, newer: str | None, folder: str, form: str, as_json: bool, **given: Any) -> int:
    """Show which facts were added, removed or changed from OLDER to NEWER, and the findings that came or went.

    A revision is `store:12` (one of the fact store) or anything that git understands; NEWER is the files as they are
    when left out. Without arguments the last two revisions of the store are compared.
    """
    from crossval.report import difference
    from engine.diff import compare

    project = project_from((folder,), given)
    found = compare(project, older, newer, tell=tell)
    shown = difference.Revisions(found.older, found.newer, found.facts, found.came, found.went, found.stayed)
    if as_json or form == "json":
        say(difference.document(shown))
    elif form == "markdown":
        say(difference.markdown(shown))
    else:
        say(difference.text(shown, colour=wants_colour()))
    if not found.with_defects:
        tell(
            "crossfact: the store does not keep what is wrong in a source by itself; such findings are left out."
        )
    return 0
