"""`crossfact audit`: what was decided, by whom or what, citing which facts; and whether the trail is whole."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from crossval.report.escape import clean_line
from engine.cli.console import say, tell
from engine.cli.opening import project_from
from engine.cli.options import source_options
from engine.cli.rendering import as_document, table_text
from engine.project import Project
from graph.facts import Json
from graph.query.table import Table


@click.command("audit")
@click.argument("what", type=click.Choice(("show", "verify", "kb")), default="show", required=False)
@click.option("--project", "folder", default=".", metavar="DIR", help="The project (default: this folder).")
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last N decisions.")
@click.option("--action", metavar="WORD", help="Only decisions of this kind: heal, code-wrong, approve, …")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@source_options
def command(what: str, folder: str, last: int | None, action: str | None, as_json: bool, **given: Any) -> int:
    """Show the audit trail, check that it is whole (`verify`), or show what healing has learnt (`kb`).

    The trail is `.crossfact/audit.jsonl`: one line for each decision, each with the hash of the one before. The exit
    code of `verify` is 1 where a line was changed or removed.
    """
    project = project_from((folder,), given)
    if what == "kb":
        return _show_knowledge(project, as_json=as_json)
    from engine.audit import read_trail

    trail = read_trail(project)
    if what == "verify":
        for words in trail.broken:
            say(f"audit.jsonl: {words}\n")
        for number in trail.cut:
            tell(f"crossfact: audit.jsonl: line {number} was cut short by a kill, or is no entry")
        if not trail.broken:
            say(f"The trail is whole: {len(trail.entries)} decisions.")
        return int(bool(trail.broken))
    entries = [each for each in trail.entries if action in (None, each.action)]
    entries = entries[-last:] if last else entries
    if as_json:
        say(as_document([msgspec.to_builtins(each) for each in entries]))
        return 0
    for each in entries:
        about = " ".join(f"{name}={_words(value)}" for name, value in each.about.items() if value)
        say(clean_line(f"{each.number} {each.time} {each.action} by {each.by}: {about}"))
    if not entries:
        say("Nothing was decided yet.")
    return 0


def _words(value: Json) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _show_knowledge(project: Project, *, as_json: bool) -> int:
    from engine.healing.learning import Learning

    experiences = Learning(project, tell).knowledge.experiences()
    if as_json:
        say(as_document([msgspec.to_builtins(each) for each in experiences]))
        return 0
    columns = ("category", "cause", "healer", "method", "healed", "failed", "reverted", "shape")
    rows = tuple(tuple(getattr(each, name) or "" for name in columns) for each in experiences)
    say(table_text(Table(columns, rows)) if rows else "Nothing was learnt yet.")
    return 0
