"""Sets crossfact's reports beside stubtest's, with the judgements that people made on where they differ."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from benchmarks.stubs.records import Kind, Report

JUDGEMENTS = Path(__file__).parent / "judgements.toml"


class Verdict(StrEnum):
    """Who is wrong where the tools differ; `runtime`: only running the code shows it; `neither`: a deliberate choice
    of the stub's author, or a choice of what to report at all."""

    OURS = "ours"
    THEIRS = "theirs"
    RUNTIME = "runtime"
    NEITHER = "neither"
    UNJUDGED = "unjudged"


# What never can be told from the text of stub and code, whatever the symbol.
_BY_KIND = {
    Kind.IMPORT: (Verdict.RUNTIME, "only importing shows what cannot be imported here"),
    Kind.DISJOINT_BASE: (Verdict.RUNTIME, "how instances lie in memory is no matter of the text"),
    Kind.MODULE_NOT_IN_STUBS: (
        Verdict.NEITHER,
        "modules without a stub are outside what stubs promise, by design",
    ),
}


class Judgement(NamedTuple):
    """A verdict on reports whose package, symbol and kind match; the symbol is a pattern as in a shell."""

    package: str
    symbol: str
    kind: str
    verdict: Verdict
    why: str

    def covers(self, package: str, report: Report) -> bool:
        """Whether the judgement is about this report."""
        return (
            package == self.package and report.kind == self.kind and fnmatchcase(report.symbol, self.symbol)
        )


class Disagreement(NamedTuple):
    """A report that only one of the tools made."""

    package: str
    ours: bool
    report: Report
    verdict: Verdict
    why: str


class Agreement(NamedTuple):
    """The reports of one pair: those of both tools, and those of one."""

    package: str
    both: list[Report]
    disagreements: list[Disagreement]

    @property
    def found(self) -> tuple[int, int]:
        """How many of stubtest's reports that count crossfact has too, and how many count."""
        missed = sum(
            not each.ours and each.verdict in (Verdict.OURS, Verdict.UNJUDGED) for each in self.disagreements
        )
        return len(self.both), len(self.both) + missed

    @property
    def false(self) -> tuple[int, int]:
        """How many of crossfact's reports are wrong or not judged yet, and how many there are."""
        own = [each for each in self.disagreements if each.ours]
        wrong = sum(each.verdict in (Verdict.OURS, Verdict.UNJUDGED) for each in own)
        return wrong, len(self.both) + len(own)


def judgements() -> list[Judgement]:
    """All judgements of the file, in its order; one entry may list several symbols."""
    listed = tomllib.loads(JUDGEMENTS.read_text(encoding="utf-8")).get("judgement", [])
    return [
        Judgement(each["package"], symbol, each["kind"], Verdict(each["verdict"]), each["why"])
        for each in listed
        for symbol in each.get("symbols") or [each["symbol"]]
    ]


def compare(package: str, ours: list[Report], theirs: list[Report], judged: list[Judgement]) -> Agreement:
    """Match the reports of both tools by symbol and kind, and look up the verdict on each of the rest."""
    our_keys, their_keys = _keys(ours), _keys(theirs)
    both = [report for report in theirs if not our_keys.isdisjoint(_alike(report))]
    alone = [
        *((True, report) for report in ours if their_keys.isdisjoint(_alike(report))),
        *((False, report) for report in theirs if our_keys.isdisjoint(_alike(report))),
    ]
    return Agreement(package, both, [_judge(package, is_ours, report, judged) for is_ours, report in alone])


_OF_EVERY_CLASS = ("__lt__", "__le__", "__gt__", "__ge__", "__or__", "__ror__")
_OF_CONSTRUCTORS = (Kind.PARAMETERS, Kind.DEFAULT, Kind.NOT_IN_CODE, Kind.NOT_IN_STUB)


def _keys(reports: list[Report]) -> set[tuple[str, Kind]]:
    return {key for report in reports for key in _alike(report)}


def _alike(report: Report) -> Iterator[tuple[str, Kind]]:
    """The key of a report, and those under which the other tool may tell the same."""
    yield report.key
    # A default that is there on one side only is a parameter that may be left out there.
    if report.kind in (Kind.DEFAULT, Kind.PARAMETERS):
        yield report.symbol, Kind.DEFAULT if report.kind is Kind.PARAMETERS else Kind.PARAMETERS
    # What constructs an instance: another signature, or one that only `object` has, on whichever side.
    owner, _, last = report.symbol.rpartition(".")
    if last in ("__init__", "__new__") and report.kind in _OF_CONSTRUCTORS:
        yield from ((f"{owner}.__init__", kind) for kind in _OF_CONSTRUCTORS)
    # What only every object or class has compares and combines nothing: it is not there, or takes something else.
    if last in _OF_EVERY_CLASS and report.kind in (Kind.PARAMETERS, Kind.NOT_IN_CODE):
        yield from ((report.symbol, kind) for kind in (Kind.PARAMETERS, Kind.NOT_IN_CODE))
    # A method of instances on one side and of the class on the other lacks `self` in the view of the other.
    if report.kind is Kind.BINDING or (
        report.kind is Kind.PARAMETERS and 'not have parameter "self"' in report.message
    ):
        yield from ((report.symbol, kind) for kind in (Kind.PARAMETERS, Kind.BINDING))
    # A base that one side leaves out brings its metaclass; stubtest tells of that alone.
    if report.kind in (Kind.BASES, Kind.METACLASS):
        yield from ((report.symbol, kind) for kind in (Kind.BASES, Kind.METACLASS))
    # A constant of another value is one of another literal type.
    if report.kind in (Kind.TYPE, Kind.VALUE):
        yield from ((report.symbol, kind) for kind in (Kind.TYPE, Kind.VALUE))
    # The fields of a named tuple, of which its constructor has one parameter each.
    if last in ("_fields", "__match_args__") and report.kind is Kind.TYPE:
        yield f"{owner}.__init__", Kind.PARAMETERS
    # A method on one side and a property on the other is how it is reached, or what it is.
    if report.kind in (Kind.KIND, Kind.TYPE, Kind.PROPERTY):
        yield from ((report.symbol, kind) for kind in (Kind.KIND, Kind.TYPE, Kind.PROPERTY, Kind.BINDING))


def _judge(package: str, is_ours: bool, report: Report, judged: list[Judgement]) -> Disagreement:
    if not is_ours and report.kind in _BY_KIND:
        return Disagreement(package, is_ours, report, *_BY_KIND[report.kind])
    for judgement in judged:
        if judgement.covers(package, report):
            return Disagreement(package, is_ours, report, judgement.verdict, judgement.why)
    return Disagreement(package, is_ours, report, Verdict.UNJUDGED, "")
