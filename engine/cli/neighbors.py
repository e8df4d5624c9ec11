"""`crossfact neighbors`: what a fact is related to."""

from __future__ import annotations

from typing import Any

import click

from engine.cli.console import say
from engine.cli.lookup import opened, query_options, resolve
from engine.cli.rendering import as_document, fact_document, fact_line, relation_document, relation_line
from engine.ties import project_ties
from graph.facts import Verb
from graph.view import neighbours


@click.command("neighbors")
@click.argument("words", metavar="ID", nargs=-1, required=True)
@click.option(
    "--verb", "verbs", multiple=True, type=click.Choice([*map(str, Verb)]), help="Only these relations."
)
@query_options
def command(
    words: tuple[str, ...], verbs: tuple[str, ...], folder: str, fresh: bool, as_json: bool, **given: Any
) -> int:
    """List the facts that a fact is related to, with the relation."""
    project = opened(folder, fresh, given)
    ties = project_ties(project)
    found = [
        (relation, fact)
        for start in resolve(project.store, " ".join(words))
        for relation, fact in neighbours(project.store, start, ties)
        if not verbs or relation.verb in verbs
    ]
    if as_json:
        say(as_document([{"relation": relation_document(r), "fact": fact_document(f)} for r, f in found]))
    else:
        say("\n".join(f"{relation_line(relation)}\n    {fact_line(fact)}" for relation, fact in found))
    return 0
