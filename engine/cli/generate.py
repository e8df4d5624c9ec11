"""`crossfact generate`: write the tests of the plan."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from crossval.report.escape import clean_line
from crossval.report.sections import plural
from engine.cli.console import say, tell
from engine.cli.lookup import opened, query_options
from engine.cli.progress import progress
from engine.cli.rendering import as_document, case_document
from engine.generating import Generated, generate
from engine.naming import apart_from_folder, is_called, must_be_called

_SHOWN = 3


@click.command("generate")
@click.argument("names", nargs=-1, metavar="[FOLDER|CASE]...")
@click.option("--app", metavar="MODULE:NAME", help="The application that tests call, or a base URL.")
@click.option("--tests-folder", metavar="DIR", help="Where tests go (default tests/crossfact).")
@query_options
def command(names: tuple[str, ...], folder: str, fresh: bool, as_json: bool, **given: Any) -> int:
    """Write the tests of the plan that are still to be written.

    CASE is an id or the beginning of one, FOLDER the project of the plan where that is another one.

    Tests that a person edited are left as they are. A case that cannot be written without more knowledge says what
    is missing: `crossfact status` lists these.
    """
    names, folder = apart_from_folder(names, folder)
    project = opened(folder, fresh, given)
    with progress() as show:
        done = generate(project, wanted=lambda case: is_called(case, names), progress=show)
    must_be_called(done.cases, names)
    if as_json:
        written = {draft.case for draft in done.drafts}
        say(as_document([case_document(case) for case in done.cases if case.id in written]))
    else:
        say(_text(done))
    tell(
        f"crossfact: {plural(len(done.drafts), 'test')} written, {len(done.kept)} edited by hand and kept, "
        f"{len(done.declined)} need a person, {len(done.rejected)} rejected by their proof."
    )
    return 0


def _text(done: Generated) -> str:
    cases = {case.id: case for case in done.cases}
    files = Counter(draft.module_path for draft in done.drafts)
    lines = [f"{count:5} {clean_line(path)}" for path, count in sorted(files.items())]
    needing: dict[str, list[str]] = {}
    for identifier in done.declined:
        needing.setdefault(str(cases[identifier].needs), []).append(identifier)
    for needs, identifiers in needing.items():
        lines += _needing(needs, identifiers)
    lines += [
        clean_line(f"REJECTED {identifier}: {cases[identifier].last_error}") for identifier in done.rejected
    ]
    return "\n".join(lines)


def _needing(needs: str, cases: list[str]) -> list[str]:
    """The cases that wait for the same thing: each, or where they are many, the first of them below what it is."""
    if len(cases) <= _SHOWN:
        return [clean_line(f"NEEDS_HUMAN {identifier}: {needs}") for identifier in cases]
    more = f"    … and {len(cases) - _SHOWN} more; `crossfact status --status NEEDS_HUMAN` lists them"
    return [
        clean_line(f"NEEDS_HUMAN {len(cases)} cases: {needs}"),
        *(clean_line(f"    {identifier}") for identifier in cases[:_SHOWN]),
        more,
    ]
