"""`crossfact link`: which code and tests belong to each criterion, proposed by evidence, decided by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from crossval.link.traces.decisions import accept, forget, reject, save
from crossval.link.traces.records import FILE, Link
from crossval.report.colour import Paint
from crossval.report.escape import brief, clean_line
from engine.cli.console import say, tell, wants_colour
from engine.cli.lookup import opened, query_options, resolve
from engine.cli.rendering import as_document
from engine.links import decisions_of, project_links
from engine.naming import ambiguity, facts_called
from engine.project import Project
from graph.errors import UsageError
from graph.facts import Fact, Json, Kind
from graph.statements import without_key

_LONGEST = 160
_DECIDE = {"accept": accept, "reject": reject, "forget": forget}
_DONE = {"accept": "accepted", "reject": "rejected", "forget": "forgotten"}


@click.command("link")
@click.argument("names", metavar="[STORY]", nargs=-1)
@click.option(
    "--accept",
    "mode",
    flag_value="accept",
    help="Accept the link between two facts: it is certain from now on.",
)
@click.option("--reject", "mode", flag_value="reject", help="Reject the link: it is not proposed any more.")
@click.option(
    "--forget", "mode", flag_value="forget", help="Take a decision back: the evidence decides again."
)
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="CONFIDENCE",
    help="Only links at least this sure.",
)
@query_options
def command(
    names: tuple[str, ...],
    mode: str | None,
    least: float,
    folder: str,
    fresh: bool,
    as_json: bool,
    **given: Any,
) -> int:
    """List which code and tests belong to each criterion, or decide it: `--accept AC-1.2 'code:operation:GET /books'`.

    A link that somebody wrote down (a tag, a decision) has confidence 1; any other one is a proposal with its
    reason. Decisions are kept in crossfact-links.yaml, which belongs in git, and win over everything else.
    """
    project = opened(folder, fresh, given)
    if mode is not None:
        return _decide(project, mode, names)
    _tell_of_strays(project)
    wanted = [fact.id for name in names for fact in _with_criteria(project, resolve(project.store, name))]
    found = {
        spec: [link for link in group if link.confidence >= least]
        for spec, group in project_links(project).items()
        if not names or spec in wanted
    }
    found = {spec: group for spec, group in found.items() if group}
    if as_json:
        say(as_document([_document(link) for group in found.values() for link in group]))
    elif found:
        say("\n".join(_lines(project, found, Paint(wants_colour()))))
    else:
        tell("crossfact: no link is proposed.")
        if next(project.store.facts(kinds=(Kind.CRITERION,)), None) is None:
            tell("  help: Links belong to acceptance criteria, and no story or feature with any was found.")
    return 0


def _decide(project: Project, mode: str, names: tuple[str, ...]) -> int:
    if len(names) != 2:
        raise UsageError(
            f"--{mode} takes two facts: a criterion or story, and what it is linked with",
            f"For example: crossfact link --{mode} AC-1.2 'code:operation:GET /books'",
        )
    decided = decisions_of(project)
    kept = {names, names[::-1]} & (decided.accepted | decided.rejected)
    if mode == "forget" and kept:
        # What is decided can be forgotten when its facts are gone, too.
        return _keep(project, mode, list(kept))
    first, second = (_one(project, name) for name in names)
    if not _is_story(first[0]):
        first, second = second, first
    if not _is_story(first[0]) or _is_story(second[0]):
        raise UsageError(
            "one of the two must be a criterion or a story, the other code, a contract or a test",
            "`crossfact facts --kind criterion` lists the criteria.",
        )
    return _keep(project, mode, [(spec.id, other.id) for spec in first for other in second])


def _one(project: Project, name: str) -> list[Fact]:
    """The one thing that a name means, of which contract and code may each have a fact. Raises UsageError."""
    facts = facts_called(project.store, name, tell=lambda _: None)
    if len({fact.tag for fact in facts}) < len(facts):
        raise UsageError(ambiguity(name, facts), "Decide about one of them, by its whole id.")
    return facts


def _keep(project: Project, mode: str, pairs: list[tuple[str, str]]) -> int:
    file = project.root / FILE
    changed = save(_DECIDE[mode](decisions_of(project), pairs), file)
    for spec, other in pairs:
        say(clean_line(f"{_DONE[mode]}: {spec} - {other}"))
    tell(f"{file.name} {'written' if changed else 'unchanged'}.")
    return 0


def _tell_of_strays(project: Project) -> None:
    """Say which decisions speak of facts that are there no more: a criterion or a function that was renamed."""
    decided = decisions_of(project)
    for pair in sorted(decided.accepted | decided.rejected):
        gone = next((each for each in pair if not any(project.store.named(each))), None)
        if gone is not None:
            tell(clean_line(f"crossfact: {FILE}: nothing is called {gone} any more"))
            tell(clean_line(f"  help: crossfact link --forget '{pair[0]}' '{pair[1]}'"))


def _with_criteria(project: Project, facts: list[Fact]) -> Iterator[Fact]:
    """Stories and criteria, and the criteria of the stories."""
    for fact in facts:
        if not _is_story(fact):
            raise UsageError(
                f"{fact.id} is no story and no criterion", "`crossfact facts --kind story` lists the stories."
            )
        yield fact
        if fact.kind is Kind.STORY:
            for relation in project.store.relations_of(fact):
                if relation.first == fact.id:
                    yield from project.store.named(relation.second)


def _is_story(fact: Fact) -> bool:
    return fact.kind in (Kind.STORY, Kind.CRITERION)


def _document(link: Link) -> dict[str, Json]:
    return {"spec": link.spec, "other": link.other, "confidence": link.confidence, "reason": link.reason}


def _lines(project: Project, found: dict[str, list[Link]], paint: Paint) -> Iterator[str]:
    for spec, group in found.items():
        fact = next(iter(project.store.named(spec)), None)
        said = brief(without_key(fact), _LONGEST) if fact else ""
        yield paint.strong(clean_line(f"{spec}  {said}"))
        for link in group:
            yield clean_line(f"  {link.confidence:4.2f}  {link.other}  ({link.reason})")
