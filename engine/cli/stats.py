"""`crossfact stats`: what the fact graph holds, in numbers."""

from __future__ import annotations

from typing import Any

import click

from engine.cli.console import say
from engine.cli.lookup import opened, query_options
from engine.cli.rendering import as_document


@click.command("stats")
@query_options
def command(folder: str, fresh: bool, as_json: bool, **given: Any) -> int:
    """Count facts per witness and kind, relations per verb, and sources."""
    store = opened(folder, fresh, given).store
    facts, relations = store.counts(), store.relation_counts()
    document = {
        "revision": store.revision,
        "sources": store.sources(),
        "facts": facts,
        "relations": relations,
    }
    if as_json:
        say(as_document(document))
        return 0
    rows = [f"revision {store.revision}, {document['sources']} sources"]
    for tag, kinds in facts.items():
        rows.append(f"{tag}: {sum(kinds.values())} facts")
        rows.extend(f"  {kind:<12}{count:>9}" for kind, count in kinds.items())
    rows.append(f"{sum(relations.values())} relations")
    rows.extend(f"  {verb:<12}{count:>9}" for verb, count in relations.items())
    say("\n".join(rows))
    return 0
