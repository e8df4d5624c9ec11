"""`crossfact show`: one fact with its aspects, source lines and relations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from crossval.report.escape import clean, clean_line
from engine.cli.console import say
from engine.cli.lookup import opened, query_options, resolve
from engine.cli.rendering import as_document, fact_document, relation_document, relation_line, settled
from engine.ties import project_ties
from graph.facts import Fact, Relation
from graph.statements import statement
from graph.view import all_relations_of

_LINES = 30


@click.command("show")
@click.argument("words", metavar="ID", nargs=-1, required=True)
@query_options
def command(words: tuple[str, ...], folder: str, fresh: bool, as_json: bool, **given: Any) -> int:
    """Show one fact: what it says, its aspects, its source lines, its relations."""
    project = opened(folder, fresh, given)
    facts = resolve(project.store, " ".join(words))
    ties = project_ties(project)
    found = [(fact, all_relations_of(project.store, fact, ties)) for fact in facts]
    if as_json:
        documents = [
            {**fact_document(fact), "relations": [relation_document(each) for each in relations]}
            for fact, relations in found
        ]
        say(as_document(documents if len(documents) > 1 else documents[0]))
    else:
        shown = ((fact, [settled(project.store, each) for each in relations]) for fact, relations in found)
        say("\n".join(_text(project.root, fact, relations) for fact, relations in shown))
    return 0


def _text(root: Path, fact: Fact, relations: list[Relation]) -> str:
    lines = [
        clean_line(fact.id),
        f"  {clean_line(statement(fact))}",
        f"  at {clean_line(fact.source.path)}:{fact.source.line}-{fact.source.end_line}",
    ]
    if fact.sources:
        lines.append(f"  read from {clean_line(', '.join(fact.sources))}")
    if fact.aspects:
        lines.append("  aspects")
        lines.extend(f"    {row}" for row in as_document(fact.aspects).splitlines()[1:-1])
    lines.append("  source")
    lines.extend(_source(root, fact))
    if relations:
        lines.append("  relations")
        lines.extend(f"    {relation_line(relation)}" for relation in relations)
    return "\n".join(lines)


def _source(root: Path, fact: Fact) -> list[str]:
    from graph.facts import Skipped
    from ingest.text import lines, read_text

    text = read_text(root, fact.source.path)
    if isinstance(text, Skipped):
        return [f"    ({clean_line(text.reason)})"]
    first, last = fact.source.line, min(fact.source.end_line, fact.source.line + _LINES - 1)
    rows = [
        f"    {number:>5} | {clean(row)}"
        for number, row in enumerate(lines(text)[first - 1 : last], start=first)
    ]
    if fact.source.end_line > last:
        rows.append(f"    … {fact.source.end_line - last} more lines")
    return rows
