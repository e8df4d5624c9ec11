"""`crossfact facts`: list facts, filtered."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

import click

from engine.cli.console import say
from engine.cli.lookup import opened, query_options
from engine.cli.rendering import as_document, fact_document, fact_line
from graph.facts import Fact, Kind, Tag


@click.command("facts")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice([*map(str, Kind)]),
    help="Only this kind (repeatable).",
)
@click.option("--tag", type=click.Choice([tag.value for tag in Tag]), help="Only this witness.")
@click.option("--path", "path", metavar="GLOB", help="Only facts read from these files.")
@click.option("--name", metavar="GLOB", help="Only facts whose key or name is like this.")
@query_options
def command(
    kinds: tuple[str, ...],
    tag: str | None,
    path: str | None,
    name: str | None,
    folder: str,
    fresh: bool,
    as_json: bool,
    **given: Any,
) -> int:
    """List facts, filtered by kind, tag, path or name, in the order of their ids."""
    project = opened(folder, fresh, given)
    facts = [
        fact
        for fact in project.store.facts(tag=Tag(tag) if tag else None, kinds=tuple(map(Kind, kinds)))
        if _wanted(fact, path, name)
    ]
    say(as_document([fact_document(fact) for fact in facts]) if as_json else "\n".join(map(fact_line, facts)))
    return 0


def _wanted(fact: Fact, path: str | None, name: str | None) -> bool:
    if path is not None and not fnmatchcase(fact.source.path, path):
        return False
    return name is None or fnmatchcase(fact.key, name) or fnmatchcase(fact.name, name)
