"""`crossfact heal`: look at red tests, and change those whose code moved under them; never those that are right."""

from __future__ import annotations

from typing import Any

import click

from engine.cli.console import say, tell
from engine.cli.healing import healed_document, healed_text
from engine.cli.opening import project_from
from engine.cli.options import source_options
from engine.cli.rendering import as_document
from engine.cli.running import current_test, heal_options


@click.command("heal")
@click.argument("names", nargs=-1, metavar="[TEST]...")
@click.option("--project", "folder", default=".", metavar="DIR", help="The project (default: this folder).")
@click.option(
    "--since",
    metavar="REVISION",
    help="When the tests last passed: store:N or a revision of git (default: what is known, else HEAD).",
)
@click.option("--dry-run", is_flag=True, help="Show what would be tried, and change nothing.")
@click.option("--hint", default="", metavar="WORDS", help="What healers that understand words should know.")
@heal_options
@source_options
def command(
    names: tuple[str, ...],
    folder: str,
    since: str | None,
    dry_run: bool,
    hint: str,
    timeout: float,
    level: str | None,
    parallel: int,
    as_json: bool,
    **given: Any,
) -> int:
    """Heal tests that went stale: TEST is a case of the plan, a node (tests/test_it.py::test_one), a file or a folder.

    Without a TEST, those of the plan that failed, or all tests where there is no plan. What a spec backs is not healed:
    then the code is wrong. What nobody can know goes to `crossfact review`. The exit code is 1 where a test is red in
    the end.
    """
    from engine.healing.healing import Options, heal
    from engine.healing.records import Result

    project = project_from((folder,), given)
    options = Options(
        names=names,
        since=since,
        dry=dry_run,
        seconds=timeout,
        parallel=parallel,
        sandbox=level or "",
        hint=hint,
    )
    with current_test() as (_, on_start):
        done = heal(project, options, tell=tell, on_start=on_start)
    say(as_document(healed_document(done)) if as_json else healed_text(done))
    if done.level:
        tell(f"crossfact: sandbox: {done.level}" + (f" ({done.sandbox})" if done.sandbox else ""))
    if not done.before and names:
        tell("crossfact: there is no such test.")
        return 2
    if not done.before:
        tell("crossfact: no test of the plan failed; name tests, files or folders to heal others.")
    return int(any(each.result is not Result.HEALED for each in done.treatments))
