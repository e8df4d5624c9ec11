"""The traceability matrix as CSV for spreadsheets: what is demanded, by which code it is met, by which tests proven."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from crossval.report.escape import brief
from crossval.report.threads import Strand, Thread
from graph.facts import Fact, Kind, Tag

COLUMNS = (
    "story",
    "criterion",
    "text",
    "place",
    "code",
    "code_place",
    "code_confidence",
    "code_reason",
    "test",
    "test_place",
    "test_confidence",
    "test_reason",
    "findings",
)
"""The header. `findings` names the rules that the row's story or criterion trips, one for each finding."""

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula; tabs and line feeds are shown as escapes before."""

_LONGEST = 2_000


def matrix(threads: Sequence[Thread]) -> str:
    """A row for each criterion (and each story of its own), each code that it is tied to, and each test of that code.

    Cells stay empty where there is no code or no test; so a row of which both are empty is a gap. No cell is a formula:
    one that would be gets an apostrophe before it, which spreadsheets do not show.
    """
    written = io.StringIO()
    writer = csv.writer(written, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(COLUMNS)
    for thread in threads:
        story = thread.fact if thread.fact.kind is Kind.STORY else None
        for each in (thread, *thread.criteria):
            if each is thread and story and thread.criteria and not (thread.code or thread.tests):
                continue
            writer.writerows(_rows(each, story))
    return written.getvalue()


def _rows(thread: Thread, story: Fact | None) -> Iterator[list[str | float]]:
    fact = thread.fact
    words = fact.aspects.get("text") or fact.aspects.get("want") or fact.name
    demanded = [
        _cell(story.key if story else ""),
        _cell("" if fact is story else fact.key),
        _cell(str(words)),
        _place(fact),
    ]
    findings = _cell(", ".join(sorted(each.rule for each in thread.findings)))
    code_only = [
        strand for strand in thread.code if strand.fact.tag is Tag.CODE
    ]  # contracts are demands themselves
    for code, test in _pairs(code_only, thread.tests):
        yield [*demanded, *_strand(code), *_strand(test), findings]


def _pairs(code: Sequence[Strand], tests: Sequence[Strand]) -> Iterable[tuple[Strand | None, Strand | None]]:
    """Each piece of code with each test that is tied over it; then the tests that are tied by themselves."""
    known = {strand.fact.id for strand in code}
    pairs: list[tuple[Strand | None, Strand | None]] = []
    for strand in code:
        over = [test for test in tests if test.via == strand.fact.id]
        pairs += [(strand, test) for test in over] or [(strand, None)]
    pairs += [(None, test) for test in tests if test.via not in known]
    return pairs or [(None, None)]


def _strand(strand: Strand | None) -> list[str | float]:
    if strand is None:
        return ["", "", "", ""]
    return [
        _cell(strand.fact.id),
        _place(strand.fact),
        round(strand.confidence, 2),
        _cell(strand.reason),
    ]


def _place(fact: Fact) -> str:
    return _cell(f"{fact.source.path}:{fact.source.line}")


def _cell(words: str) -> str:
    shown = brief(words, _LONGEST)
    return f"'{shown}" if shown.lstrip().startswith(_FORMULA) else shown
