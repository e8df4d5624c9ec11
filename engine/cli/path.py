"""`crossfact path`: the shortest way between two facts."""

from __future__ import annotations

from itertools import product
from typing import Any

import click

from engine.cli.console import say, tell
from engine.cli.lookup import opened, query_options, resolve
from engine.cli.rendering import as_document, fact_document, fact_line, relation_document, relation_line
from engine.ties import project_ties
from graph.view import shortest_path


@click.command("path")
@click.argument("start", metavar="A")
@click.argument("end", metavar="B")
@query_options
def command(start: str, end: str, folder: str, fresh: bool, as_json: bool, **given: Any) -> int:
    """Find the shortest way between two facts, along relations of either direction.

    Where an id is ambiguous, the way is the shortest of those between any of its facts.
    """
    project = opened(folder, fresh, given)
    store, ties = project.store, project_ties(project)
    pairs = list(product(resolve(store, start), resolve(store, end)))
    ways = [(first, last, shortest_path(store, first, last, ties=ties)) for first, last in pairs]
    first, last, steps = min(ways, key=lambda way: (not way[2] and way[0].id != way[1].id, len(way[2])))
    if as_json:
        say(as_document([{"relation": relation_document(r), "fact": fact_document(f)} for r, f in steps]))
    elif first.id != last.id and not steps:
        tell(f"crossfact: no way leads from {first.id} to {last.id}.")
    else:
        say("\n".join([fact_line(first), *(f"  {relation_line(r)}\n{fact_line(f)}" for r, f in steps)]))
    return 0 if steps or first.id == last.id else 1
