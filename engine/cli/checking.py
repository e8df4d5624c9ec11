"""What `crossfact check` does once its words are understood: check, and write the reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from engine.cli.console import complain, is_terminal, tell, wants_colour, width
from engine.cli.destinations import Target, put
from engine.cli.opening import project_from
from engine.cli.progress import progress
from graph.faults import REMEDY

if TYPE_CHECKING:
    from crossval.report.shown import Manner, Shown
    from engine.check import Checked
    from engine.project import Project


def report(
    paths: tuple[str, ...],
    wanted: Sequence[Target],
    given: Mapping[str, Any],
    *,
    concise: bool,
    verbose: bool,
    silenced: bool,
    since: str | None,
    watch: bool,
) -> int:
    """Check what the paths name as the options `given` say, write the reports, and give the exit code."""
    from crossval.report.shown import Manner

    def once() -> int:
        project = project_from(paths, dict(given))
        try:
            manner = Manner(
                width=width(),
                concise=concise,
                strict=project.settings.strict,
                verbose=verbose,
                silenced=silenced,
            )
            return _checked(project, wanted, manner, since)
        finally:
            project.store.close()

    if not watch:
        return once()
    from engine.cli.watching import watched
    from engine.project import locate

    root, _ = locate(paths, Path.cwd())
    return watched(root, once, frozenset(str(each.file.resolve()) for each in wanted if each.file))


def _checked(project: Project, wanted: Sequence[Target], manner: Manner, since: str | None) -> int:
    with progress() as show:
        if since is None:
            from engine.check import check

            checked = check(project, tell=tell, progress=show)
        else:
            from engine.since import check_since

            checked = check_since(project, since, tell=tell, progress=show)
    _report(project, checked, wanted, manner)
    if checked.stale or checked.faults:
        _tell_what_else(checked)
    return checked.exit_code


def _tell_what_else(checked: Checked) -> None:
    from crossval.report.sections import plural

    if checked.stale:
        stale = plural(checked.stale, "accepted finding")
        tell(f"crossfact: {stale} did not occur any more; `crossfact baseline --prune` forgets what is gone.")
    if checked.faults:
        more = f", and {plural(len(checked.faults) - 1, 'place')} more" if len(checked.faults) > 1 else ""
        complain(f"internal error: {checked.faults[0]}{more}; all else is reported", REMEDY)


def _report(project: Project, checked: Checked, wanted: Sequence[Target], manner: Manner) -> None:
    from crossval.report.formats import shown_as
    from engine.showing import shown_for

    shown = shown_for(project, checked, manner)
    for target in wanted:
        put(target, shown_as(target.form, shown if target.file else _on_console(shown)))


def _on_console(shown: Shown) -> Shown:
    manner = msgspec.structs.replace(shown.manner, colour=wants_colour(), timed=is_terminal())
    return msgspec.structs.replace(shown, manner=manner)
