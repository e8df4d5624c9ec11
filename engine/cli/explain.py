"""`crossfact explain`: what a rule finds, why it matters, how to fix it."""

from __future__ import annotations

import click

from crossval.selection import nearest
from engine.cli.console import say
from engine.cli.rendering import as_document
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
        say(
            as_document(
                {
                    "name": rule.name,
                    "family": rule.family,
                    "kind": rule.kind,
                    "severity": rule.severity,
                    "summary": rule.summary,
                    "help": rule.help,
                }
            )
        )
        return 0
    say(
        f"{rule.name} ({rule.severity}, {rule.kind}, family {rule.family})\n\n{rule.summary}\n\n{rule.help}\n\n"
        f"## How to silence it\n`# crossfact: ignore[{rule.name}] reason` on the line, or `{rule.name}` under "
        "`ignore` in the configuration."
    )
    return 0
