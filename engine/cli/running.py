"""What `run` and `go` share: their options, the line that shows the current test, and the report."""

from __future__ import annotations

import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from crossval.report.escape import clean_line
from crossval.report.sections import plural
from engine.cli.console import say, tell
from engine.cli.rendering import as_document, case_document
from engine.run import Ran
from engine.running.sandbox import LEVELS
from planner.cases import Case, Status
from planner.validator import Outcome

_Command = TypeVar("_Command", bound=Callable[..., Any])
_GREEN = frozenset({Status.PASSED, Status.HEALED})
_FINE = _GREEN | {Status.RED_EXPECTED}
_LISTED = 50
_MANY_ALIKE, _ALIKE_SHOWN = 4, 3
"""From so many tests on that fail alike, only so many of them are named."""
_ALIKE = re.compile(r"(?<=; it answered \d{3}):|(?<=is refused: \d{3}) ")
"""Where the words of a service begin, which quote what each test sent."""
_OWN = re.compile(r"\b[bcdfghjkmnpqrtvwxz]{4}\b|\d+(?=[ ,/?])(?<!: \d{3})")
"""What each test calls its own things, and the numbers that a service gives them."""


_TIMEOUT = click.option(
    "--timeout",
    type=click.FloatRange(0.1),
    default=30.0,
    metavar="SECONDS",
    help="For each test.",
)
_PYTHON = click.option("--python", metavar="PATH", help="The interpreter that tests run in.")
_SANDBOX = click.option(
    "--sandbox",
    "level",
    type=click.Choice(LEVELS),
    help="What stands around tests (default: strict where the machine has it, else limits).",
)
_PARALLEL = click.option(
    "--parallel",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Processes that run tests; each file is run by one of them.",
)
_JUNIT = click.option(
    "--junit",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also write JUnit XML.",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def running_options(command: _Command) -> _Command:
    """Options that say how tests run."""
    for option in (_JSON, _JUNIT, _PARALLEL, _SANDBOX, _PYTHON, _TIMEOUT):
        command = option(command)
    return command


def heal_options(command: _Command) -> _Command:
    """Options that say how tests run for healing."""
    for option in (_JSON, _PARALLEL, _SANDBOX, _PYTHON, _TIMEOUT):
        command = option(command)
    return command


class Line:
    """The last line of a terminal: how many tests are done, and which one runs now."""

    def __init__(self) -> None:
        self.counted = ""
        self._width = shutil.get_terminal_size((100, 24)).columns

    def ended(self, case: Case, outcome: Outcome, done: int, total: int) -> None:
        """A test ended."""
        self.counted = f"[{done}/{total}] "
        self.show(f"{case.status} {outcome.node}")

    def show(self, words: str) -> None:
        """Show what happens now."""
        sys.stderr.write(f"\r\x1b[K{clean_line(self.counted + words)[: self._width - 1]}")
        sys.stderr.flush()


@contextmanager
def current_test() -> Iterator[tuple[Callable[[Case, Outcome, int, int], None], Callable[[str], None]]]:
    """Two functions to call when a test ended and when one begins; the line is wiped at the end."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield (lambda case, outcome, done, total: None), (lambda node: None)
        return
    line = Line()
    try:
        yield line.ended, line.show
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def report(done: Ran, cases: list[Case], *, as_json: bool, junit_file: Path | None) -> int:
    """Print how a run ended, and give the exit code: 1 where a test that ran is red without being expected to be."""
    if junit_file is not None:
        _write_junit(done, junit_file)
    if as_json:
        say(as_document([case_document(case) for case in cases]))
    else:
        say(text(done))
    if done.level:
        tell(f"crossfact: sandbox: {done.level}" + (f" ({done.sandbox})" if done.sandbox else ""))
    ran = {each.case.id for each in done.ran} | set(done.ended)
    return int(any(case.id in ran and case.status not in _FINE for case in done.cases))


def _write_junit(done: Ran, file: Path) -> None:
    from engine.running.junit import junit
    from graph.errors import UsageError
    from graph.files import replace_file, said

    by_node = {outcome.node: outcome for outcome in done.outcomes}
    ran = {each.case.id for each in done.ran}
    cases = [case for case in done.cases if case.id in ran]
    outcomes = {case.id: by_node[case.node] for case in cases if case.node in by_node}
    try:
        replace_file(file.absolute(), junit(cases, outcomes))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{file}: cannot be written: {said(error)}", "Name another file with --junit."
        ) from error


def text(done: Ran) -> str:
    """Which green tests ran again and why, what became of each that is not green, and the counts."""
    cases = {case.id: case for case in done.cases}
    again = Counter(
        each.why for each in done.ran if each.case.status in _GREEN and each.why != each.case.status
    )
    red = _red([case for each in done.ran if (case := cases[each.case.id]).status not in _GREEN])
    counts = Counter(cases[each.case.id].status for each in done.ran)
    told = ", ".join(f"{counts[status]} {status}" for status in Status if counts[status])
    ran = {each.case.id for each in done.ran}
    locked = sum(case.status in _GREEN and case.id not in ran for case in done.cases)
    reasons = [clean_line(f"{plural(count, 'green test')} ran again: {why}") for why, count in again.items()]
    lines = [*_bounded(reasons), *_bounded(red)]
    if done.ended:
        lines.append(
            f"The run before was cut short; {plural(len(done.ended), 'test')} of it had ended and count."
        )
    lines.append(
        f"{plural(len(done.ran), 'test')} ran: {told or 'nothing was open'}; {locked} green and locked."
    )
    return "\n".join(lines)


def _red(cases: list[Case]) -> list[str]:
    """A line per test that is not green; those that fail alike share one, with the first below.

    They share it where they are about one subject, or about so many that the cause is not in each of them; and where
    nothing could be decided, whatever they are about.
    """
    alike: dict[tuple[str, str], dict[str, list[Case]]] = {}
    for case in cases:
        cause = _OWN.sub("", _ALIKE.split(case.last_error)[0])
        alike.setdefault((case.status, cause), {}).setdefault(case.subject, []).append(case)
    lines: list[str] = []
    for (status, _), by_subject in alike.items():
        error = next(iter(by_subject.values()))[0].last_error
        every = [case for group in by_subject.values() for case in group]
        is_undecided = status == Status.INCONCLUSIVE and len(every) >= _MANY_ALIKE
        if len(by_subject) >= _MANY_ALIKE or (is_undecided and len(by_subject) > 1):
            lines += _alike(status, f"{len(by_subject)} subjects", error, every)
            continue
        for subject, group in by_subject.items():
            lines += _alike(status, subject, error, group)
    return lines


def _alike(status: str, subject: str, error: str, group: list[Case]) -> Iterator[str]:
    """The lines of tests that fail alike."""
    if len(group) < _MANY_ALIKE:
        yield from (clean_line(f"{status} {case.node}: {error}") for case in group)
        return
    yield clean_line(f"{status} {len(group)} tests of {subject}: {error}")
    yield from (clean_line(f"    {case.node}") for case in group[:_ALIKE_SHOWN])
    yield f"    … and {len(group) - _ALIKE_SHOWN} more; `crossfact status --status {status}` lists them"


def _bounded(lines: list[str]) -> list[str]:
    if len(lines) <= _LISTED:
        return lines
    return [*lines[:_LISTED], f"… and {len(lines) - _LISTED} more; `crossfact status` lists all."]
