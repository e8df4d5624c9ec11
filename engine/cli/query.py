"""`crossfact query`: questions in openCypher, in SQL, or by name."""

from __future__ import annotations

from typing import Any

import click

from crossval.report.escape import clean_line
from engine.cli.console import say, tell, wants_colour
from engine.cli.lookup import opened, query_options
from engine.cli.rendering import as_document, fact_document, fact_line, table_text
from engine.project import Project
from engine.ties import project_ties
from graph.errors import UsageError
from graph.query.table import Limits, Table
from graph.statements import statement

NAMED = ("gaps", "orphans", "impact")


@click.command("query")
@click.argument("words", metavar="QUESTION", nargs=-1, required=True)
@click.option("--sql", is_flag=True, help="The question is one SELECT on the views facts and relations.")
@click.option(
    "--limit", type=click.IntRange(1), default=1000, metavar="N", help="Rows at most (default 1000)."
)
@click.option(
    "--timeout",
    type=click.FloatRange(0.001),
    default=10.0,
    metavar="SECONDS",
    help="How long it may take (default 10).",
)
@query_options
def command(
    words: tuple[str, ...],
    sql: bool,
    limit: int,
    timeout: float,
    folder: str,
    fresh: bool,
    as_json: bool,
    **given: Any,
) -> int:
    """Ask the fact graph a question.

    QUESTION is openCypher ('MATCH (c:criterion) WHERE NOT (c)-[:implements]-() RETURN c.id'), or one of the names
    `gaps` (what one side is silent about, what nothing implements or tests), `orphans` (what nothing points at) and
    `impact FILE` (what a change of a file may reach); with --sql one SELECT. Nothing can be changed by asking.
    """
    if not sql and len(words) == 1 and words[0].partition(" ")[0] in NAMED:
        words = tuple(words[0].split(maxsplit=1))
    if not sql and len(words) == 1 and words[0].isidentifier() and words[0] not in NAMED:
        raise UsageError(
            f"there is no question called {words[0]}",
            f"Those with a name are {', '.join(NAMED)}; others are openCypher, such as MATCH (s:story) RETURN s.id",
        )
    project = opened(folder, fresh, given)
    if not sql and words[0] in NAMED:
        return _named(project, words[0], words[1:], limit, as_json)
    limits = Limits(timeout, limit)
    table = _asked(project, " ".join(words), limits, sql)
    if as_json:
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        say(as_document({"columns": list(table.columns), "rows": rows, "cut": table.cut}))
    else:
        say(table_text(table))
    if table.cut:
        tell(f"crossfact: only the first {limit} rows are shown; --limit allows more.")
    return 0


def _asked(project: Project, question: str, limits: Limits, sql: bool) -> Table:
    if sql:
        from graph.query.sql import ask as ask_sql

        return ask_sql(project.store, question, limits, project_ties(project))
    from graph.query.cypher import ask

    beside = (project.root / project.settings.store).parent
    folder = beside / "query" if beside.is_dir() else None
    return ask(project.store, question, limits, folder, project_ties(project))


def _named(project: Project, name: str, rest: tuple[str, ...], limit: int, as_json: bool) -> int:
    from engine.unused import unused
    from graph.query.named import impact

    if name == "impact":
        if len(rest) != 1:
            raise UsageError("impact needs one file", "Write: crossfact query impact app/models.py")
        if not any(fact.source.path == rest[0] or rest[0] in fact.sources for fact in project.store.facts()):
            raise UsageError(
                f"no fact was read from {rest[0]}",
                "Name a file as `crossfact facts` shows it, relative to the project.",
            )
        reached = impact(project.store, rest[0], limit, project_ties(project))
        if as_json:
            say(
                as_document(
                    [
                        {
                            "fact": fact_document(each.fact),
                            "steps": each.steps,
                            "verb": each.verb,
                            "via": each.via,
                        }
                        for each in reached
                    ]
                )
            )
        else:
            lines = [f"{each.steps} {fact_line(each.fact)} ({each.verb}, {each.via})" for each in reached]
            _listed(lines, f"nothing is known to depend on {clean_line(rest[0])}")
        return 0
    if rest:
        raise UsageError(f"{name} takes no further words", f"Write: crossfact query {name}")
    if name == "gaps":
        return _gaps(project, limit, as_json)
    facts = unused(project)[:limit]
    if as_json:
        say(as_document([fact_document(fact) for fact in facts]))
    else:
        _listed([fact_line(fact) for fact in facts], "nothing stands alone")
    return 0


def _listed(lines: list[str], none: str) -> None:
    """Print the lines; where there are none, say so to whoever looks on."""
    if lines:
        say("\n".join(lines))
    else:
        tell(f"crossfact: {none}.")


def _gaps(project: Project, limit: int, as_json: bool) -> int:
    """The findings of kind `gap`, and what `crossfact trace` knows nothing to implement or to test of."""
    from crossval.findings import FindingKind
    from crossval.report.colour import Paint
    from crossval.report.json_report import finding_document
    from crossval.report.text import concise_line
    from crossval.report.threads import open_threads
    from engine.check import check
    from engine.surroundings import story_threads

    findings = check(project, tell=tell).report.findings
    gaps = [each for each in findings if each.kind is FindingKind.GAP][:limit]
    told = {each.spec.fact for each in gaps if each.spec}
    left = [each for each in open_threads(story_threads(project, findings)) if each.fact.id not in told]
    left = left[: limit - len(gaps)]
    if as_json:
        documents = [{"fact": fact_document(each.fact), "lacking": list(each.lacking)} for each in left]
        say(as_document([*(finding_document(each) for each in gaps), *documents]))
    else:
        lines = [concise_line(each, Paint(wants_colour())) for each in gaps]
        lines += [
            f"{clean_line(each.fact.source.path)}:{each.fact.source.line}: "
            f"nothing is known to {' or '.join(each.lacking)} {clean_line(statement(each.fact))}"
            for each in left
        ]
        _listed(lines, "no gap is found")
    return 0
