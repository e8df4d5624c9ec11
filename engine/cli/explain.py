"""`crossfact explain`: what a rule finds, why it matters, how to fix it."""

from __future__ import annotations

import click

from crossval.report.rule_help import explain
from crossval.selection import nearest
from engine.cli.console import say, wants_colour, width
from engine.cli.rendering import as_document, rule_document
from engine.plugins import rules
from graph.errors import UsageError


@click.command("explain")
@click.argument("name", metavar="RULE")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(name: str, as_json: bool) -> int:
    """Explain one rule: what it finds, why it matters, how to fix it, how to silence it."""
    everything = {rule.name: rule for rule in rules()}
    rule = everything.get(name)
    if rule is None:
        near = nearest(name, everything)
        raise UsageError(
            f"no rule is called {name}",
            f"Did you mean `{near}`?" if near else "`crossfact rules` lists them all.",
        )
    if as_json:
        say(as_document({**rule_document(rule), "help": rule.help}))
        return 0
    say(explain(rule, width=width(), colour=wants_colour()))
    return 0
