"""`crossfact rules`: all rules, one line each."""

from __future__ import annotations

import click

from engine.cli.console import say
from engine.cli.rendering import as_document, rule_document
from engine.plugins import rules


@click.command("rules")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> int:
    """List all rules with family, kind, severity and summary."""
    everything = rules()
    if as_json:
        say(as_document([rule_document(rule) for rule in everything]))
        return 0
    width = max((len(rule.name) for rule in everything), default=0)
    say(
        "\n".join(
            f"{rule.name:<{width}}  {rule.severity:<7}  {rule.family:<10}  {rule.summary}"
            for rule in everything
        )
    )
    return 0
