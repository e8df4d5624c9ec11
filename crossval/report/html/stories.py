"""The traceability matrix as data: each story and criterion with the code and tests that it is tied to."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from crossval.report.escape import brief
from crossval.report.html.picture import Picture
from crossval.report.html.sources import Sources
from crossval.report.json_report import portable
from crossval.report.threads import Strand, Thread
from graph.facts import Json
from graph.statements import statement

_CLAIM = ("kind", "subject", "modality", "comparator", "value", "unit", "condition")
_CONTEXT = 1


def told_thread(
    thread: Thread,
    numbers: Mapping[tuple[str, int, str, str, str, str], int],
    sources: Sources,
    picture: Picture,
) -> dict[str, Json]:
    """One row of the matrix with the rows below it; findings are told by their numbers in the report,
    which `numbers` has by their order."""
    fact = thread.fact
    sources.take(fact.source.path, fact.source.line - _CONTEXT, fact.source.line + _CONTEXT)
    return {
        "id": brief(fact.id),
        "key": brief(fact.key, 80),
        "text": brief(_words(thread)),
        "path": brief(fact.source.path),
        "line": fact.source.line,
        "claims": [brief(_claim(claim), 200) for claim in thread.claims],
        "code": [_strand(each) for each in thread.code],
        "tests": [_strand(each) for each in thread.tests],
        "findings": [numbers[each.order] for each in thread.findings if each.order in numbers],
        "ring": picture.centre(picture.places([fact.id])),
        "criteria": [told_thread(each, numbers, sources, picture) for each in thread.criteria],
    }


def _words(thread: Thread) -> str:
    aspects = thread.fact.aspects
    words = aspects.get("text") or aspects.get("want")
    return str(words) if words else thread.fact.name or statement(thread.fact)


def _strand(strand: Strand) -> list[Json]:
    fact, why = strand.fact, f"{strand.reason}: {strand.via}" if strand.via else strand.reason
    place = (brief(fact.source.path), fact.source.line)
    return [brief(fact.id), *place, round(strand.confidence, 2), brief(why, 300)]


def _claim(claim: Json) -> str:
    told = (claim.get(name) for name in _CLAIM) if isinstance(claim, dict) else (claim,)
    return " ".join(
        each if isinstance(each, str) else msgspec.json.encode(portable(each)).decode()
        for each in told
        if each is not None
    )
