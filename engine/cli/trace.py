"""`crossfact trace`: the whole thread of a story, from its words to what disagrees with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click
import msgspec

from crossval.report.colour import Paint
from crossval.report.escape import clean_line
from crossval.report.json_report import finding_document
from crossval.report.text import concise_line
from crossval.report.threads import Strand, Thread, open_threads
from engine.cli.console import tell, wants_colour
from engine.cli.destinations import Target, put
from engine.cli.lookup import query_options, resolve
from engine.cli.opening import project_from
from engine.cli.outputs import OrderedCommand, output_options, targets
from engine.cli.rendering import as_document, fact_document
from engine.project import Project
from engine.trace import threads
from graph.errors import UsageError
from graph.facts import Fact, Json, Kind, Tag
from graph.statements import statement

_MOST_CALLING = 5


@click.command("trace", cls=OrderedCommand)
@click.argument("words", metavar="[STORY]", nargs=-1)
@output_options(("text", "json", "csv"))
@query_options
def command(
    words: tuple[str, ...],
    forms: tuple[str, ...],
    outputs: tuple[str, ...],
    folder: str,
    fresh: bool,
    as_json: bool,
    **given: Any,
) -> int:
    """Show the thread of a story or criterion: criteria, claims, code, tests, findings.

    Without STORY those of all stories. A tie that nobody wrote down has a confidence below 1 and the reason from which
    it was inferred. `--format csv` gives the traceability matrix: criteria, code, tests.
    """
    from engine.check import check
    from engine.links import project_links

    wanted = targets(forms or (("json",) if as_json else ()), outputs)
    project = project_from((folder,), given)
    checked = check(project, tell=tell)
    if words:
        roots = _roots(project, " ".join(words))
        found = threads(project.store, roots, project_links(project), checked.report.findings)
    else:
        from engine.surroundings import story_threads

        found = list(story_threads(project, checked.report.findings))
    if not found:
        tell("crossfact: no story was found; `crossfact doctor` says what was.")
    for target in wanted:
        put(target, _shown(target, found, alone=bool(words)))
    if not words and (count := len(list(open_threads(found)))):
        what = "1 criterion or story" if count == 1 else f"{count} criteria or stories"
        tell(
            f"crossfact: of {what} nothing is known to implement or test it; `crossfact query gaps` lists them."
        )
    return 0


def _roots(project: Project, words: str) -> list[Fact]:
    asked = resolve(project.store, words)
    roots = [fact for fact in asked if fact.kind in (Kind.STORY, Kind.CRITERION)]
    if not roots:
        raise UsageError(
            f"{asked[0].id} is no story and no criterion", "`crossfact facts --kind story` lists the stories."
        )
    return roots


def _shown(target: Target, found: list[Thread], *, alone: bool) -> str:
    """The threads in one form; as JSON a list, but for the only one that a given id means."""
    if target.form == "csv":
        from crossval.report.matrix import matrix

        return matrix(found)
    if target.form == "json":
        documents = [_document(thread) for thread in found]
        return as_document(documents[0] if alone and len(documents) == 1 else documents)
    paint, homes = Paint(target.file is None and wants_colour()), _homes(found)
    return "".join(f"{line}\n" for thread in found for line in _lines(thread, homes, paint, ""))


def _homes(found: Sequence[Thread]) -> dict[int, Fact]:
    """Under which story or criterion each finding (by identity) is told: one that it speaks of itself, else the first
    that is tied to what it speaks of."""
    homes: dict[int, Fact] = {}
    own: set[int] = set()
    for thread in _every(found):
        for finding in thread.findings:
            spoken = {
                each.fact for each in (finding.spec, finding.code, *finding.related) if each is not None
            }
            if thread.fact.id in spoken and id(finding) not in own:
                own.add(id(finding))
                homes[id(finding)] = thread.fact
            homes.setdefault(id(finding), thread.fact)
    return homes


def _every(found: Iterable[Thread]) -> Iterator[Thread]:
    for thread in found:
        yield thread
        yield from _every(thread.criteria)


def _lines(thread: Thread, homes: dict[int, Fact], paint: Paint, indent: str) -> Iterator[str]:
    fact = thread.fact
    yield f"{indent}{paint.strong(clean_line(statement(fact)))} ({clean_line(fact.source.path)}:{fact.source.line})"
    for claim in thread.claims:
        yield f"{indent}  claim   {_claim(claim)}"
    for label, strands, what in (("code", thread.code, "implement"), ("test", thread.tests, "test")):
        for strand in _telling(strands):
            # The definition of a scenario's step is code, and tests.
            yield f"{indent}  {'test' if what == 'test' else strand.fact.tag}    {_strand(strand)}"
        if more := len(strands) - len(_telling(strands)):
            yield f"{indent}  {label}    {paint.faint(f'… and {more} more that call what is linked')}"
        if what in thread.lacking:
            yield f"{indent}  {label}    {paint.faint(f'nothing is known to {what} it')}"
    for finding in thread.findings:
        if homes[id(finding)] is fact:
            yield f"{indent}  {concise_line(finding, paint)}"
    for line in _told_elsewhere(thread, homes):
        yield f"{indent}  {paint.faint(line)}"
    for each in thread.criteria:
        yield from _lines(each, homes, paint, f"{indent}  ")


def _told_elsewhere(thread: Thread, homes: dict[int, Fact]) -> Iterator[str]:
    """How many findings concern it too and are told once, under another story or criterion."""
    counts = Counter(homes[id(each)].key for each in thread.findings if homes[id(each)] is not thread.fact)
    for key, count in counts.items():
        yield clean_line(f"{count} more finding{'s' * (count > 1)} under {key}")


def _telling(strands: Sequence[Strand]) -> list[Strand]:
    """What is linked by itself, and of what only calls that the first few: a helper is called by half of all tests."""
    calling = [strand for strand in strands if strand.via and strand.fact.tag is Tag.TEST]
    return [strand for strand in strands if strand not in calling[_MOST_CALLING:]]


def _claim(claim: Json) -> str:
    """A claim as `outcome 201` or `quantity title <= 80 characters (should) if given`."""
    parts = [claim["kind"], claim.get("subject"), claim.get("comparator")]
    if claim.get("comparator") == "=" and not claim.get("subject"):
        parts.pop()
    if claim.get("value") is not None or claim["kind"] == "default":
        value = claim.get("value")
        parts.append(value if isinstance(value, str) else msgspec.json.encode(value).decode())
    parts.append(claim.get("unit"))
    modality = claim.get("modality")
    parts.append(f"({modality})" if modality not in (None, "must") else "")
    parts.append(f"if {claim['condition']}" if claim.get("condition") else "")
    return clean_line(" ".join(filter(None, parts)))


def _strand(strand: Strand) -> str:
    fact = strand.fact
    why = f"{strand.reason}: {strand.via}" if strand.via else strand.reason
    sure = "" if strand.confidence == 1 else f"{strand.confidence:.2f} "
    return clean_line(f"{fact.id} ({fact.source.path}:{fact.source.line}) [{sure}{why}]")


def _document(thread: Thread) -> dict[str, Json]:
    return {
        "fact": fact_document(thread.fact),
        "claims": list(thread.claims),
        "code": [_strand_document(each) for each in thread.code],
        "tests": [_strand_document(each) for each in thread.tests],
        "findings": [finding_document(each) for each in thread.findings],
        "criteria": [_document(each) for each in thread.criteria],
    }


def _strand_document(strand: Strand) -> dict[str, Json]:
    return {
        "fact": fact_document(strand.fact),
        "confidence": strand.confidence,
        "reason": strand.reason,
        "via": strand.via or None,
    }
