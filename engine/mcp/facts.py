"""The tools about facts: search, list, show, relations between them, queries, and the thread of a story."""

from __future__ import annotations

from fnmatch import fnmatchcase

import msgspec

from crossval.report.threads import Strand, Thread
from engine.check import check
from engine.links import project_links
from engine.mcp import asked, bounds, told
from engine.mcp.desk import Desk, fact_told, relation_told
from engine.naming import facts_called
from engine.project import Project
from engine.ties import project_ties
from engine.trace import threads
from graph.errors import UsageError
from graph.facts import Fact, Json, Kind, Relation
from graph.query.table import Limits, Table
from graph.view import all_relations_of, neighbours, shortest_path

_LINES = 40
_RELATIONS = 20
_STRANDS = 20
_QUERY_SECONDS = 10.0


def search(desk: Desk, arguments: asked.Search) -> told.Hits:
    """The tool `search`."""
    from engine.asking import searcher

    with desk.fresh() as project:
        found = searcher(
            project,
            arguments.question,
            tell=desk.tell,
            progress=lambda done, total: desk.progress(done, total, "indexing"),
            by_meaning=not arguments.words_only,
        )
        hits = found.search(
            arguments.question, limit=arguments.limit, kinds=arguments.kinds, tags=arguments.tags
        )
        shown = (
            told.Hit(
                fact=fact_told(hit.fact),
                score=hit.score,
                found_by=tuple(
                    name for name in ("exact", "keyword", "vector", "graph") if getattr(hit.signals, name)
                ),
            )
            for hit in hits
        )
        return told.Hits(revision=project.store.revision, hits=bounds.fitting(shown)[0])


def facts(desk: Desk, arguments: asked.Facts) -> told.FactsPage:
    """The tool `facts`."""
    with desk.fresh() as project:
        only = arguments.tags[0] if len(arguments.tags) == 1 else None
        every = project.store.facts(tag=only, kinds=arguments.kinds)
        found = [fact for fact in every if _is_wanted(fact, arguments)]
        shown, following = bounds.page(found, arguments, fact_told)
        return told.FactsPage(
            revision=project.store.revision, total=len(found), facts=shown, next_offset=following
        )


def one_fact(desk: Desk, arguments: asked.OneFact) -> told.WholeFacts:
    """The tool `show_fact`."""
    with desk.fresh() as project:
        found, ties = facts_called(project.store, arguments.id, desk.tell), project_ties(project)
        shown = (_whole(desk, fact, all_relations_of(project.store, fact, ties)) for fact in found)
        return told.WholeFacts(revision=project.store.revision, facts=bounds.fitting(shown)[0])


def related(desk: Desk, arguments: asked.Neighbours) -> told.Neighbours:
    """The tool `neighbors`."""
    with desk.fresh() as project:
        ties = project_ties(project)
        found = [
            (relation, fact)
            for start in facts_called(project.store, arguments.id, desk.tell)
            for relation, fact in neighbours(project.store, start, ties)
            if not arguments.verbs or relation.verb in arguments.verbs
        ]
        shown, following = bounds.page(found, arguments, _neighbour)
        return told.Neighbours(
            revision=project.store.revision, total=len(found), neighbors=shown, next_offset=following
        )


def way(desk: Desk, arguments: asked.Way) -> told.Way:
    """The tool `path`."""
    with desk.fresh() as project:
        start = facts_called(project.store, arguments.start, desk.tell)[0]
        end = facts_called(project.store, arguments.end, desk.tell)[0]
        steps = shortest_path(project.store, start, end, ties=project_ties(project))
        return told.Way(
            revision=project.store.revision,
            start=start.id,
            end=end.id,
            found=bool(steps) or start.id == end.id,
            steps=bounds.fitting(map(_neighbour, steps))[0],
        )


def query(desk: Desk, arguments: asked.Query) -> told.Rows:
    """The tool `query`."""
    with desk.fresh() as project:
        limits = Limits(_QUERY_SECONDS, arguments.offset + arguments.limit)
        table = _asked(project, arguments, limits)
        wanted = table.rows[arguments.offset :]
        rows, taken = bounds.fitting(bounds.value(row) for row in wanted)
        following = arguments.offset + taken
        more = table.cut or taken < len(wanted)
        return told.Rows(
            revision=project.store.revision,
            columns=table.columns,
            rows=rows,
            next_offset=following if more else None,
        )


def trace(desk: Desk, arguments: asked.Story) -> told.Threads:
    """The tool `trace`."""
    with desk.project() as project:
        done = check(project, tell=desk.tell, progress=desk.reading)
        named = facts_called(project.store, arguments.story, desk.tell)
        roots = [fact for fact in named if fact.kind in (Kind.STORY, Kind.CRITERION)]
        if not roots:
            raise UsageError(
                f"{named[0].id} is no story and no criterion", 'List them with `facts` and kinds ["story"].'
            )
        found = threads(project.store, roots, project_links(project), done.report.findings)
        every = [
            record
            for thread in found
            for record in (_thread(thread, ""), *(_thread(each, thread.fact.id) for each in thread.criteria))
        ]
        shown, count = bounds.fitting(every)
        return told.Threads(revision=project.store.revision, threads=shown, more=len(every) - count)


def _is_wanted(fact: Fact, arguments: asked.Facts) -> bool:
    if arguments.tags and fact.tag not in arguments.tags:
        return False
    if arguments.path and not fnmatchcase(fact.source.path, arguments.path):
        return False
    name = arguments.name
    return not name or fnmatchcase(fact.key, name) or fnmatchcase(fact.name, name)


def _whole(desk: Desk, fact: Fact, relations: list[Relation]) -> told.WholeFact:
    last = min(fact.source.end_line, fact.source.line + _LINES - 1)
    return told.WholeFact(
        **msgspec.structs.asdict(fact_told(fact)),
        sources=tuple(fact.sources),
        aspects=bounds.value(fact.aspects),
        lines=desk.excerpt(fact.source.path, fact.source.line, last),
        relations=tuple(map(relation_told, relations[:_RELATIONS])),
        more_relations=max(0, len(relations) - _RELATIONS),
    )


def _neighbour(step: tuple[Relation, Fact]) -> told.Neighbour:
    relation, fact = step
    return told.Neighbour(relation=relation_told(relation), fact=fact_told(fact))


def _asked(project: Project, arguments: asked.Query, limits: Limits) -> Table:
    if arguments.language == "sql":
        from graph.query.sql import ask as ask_sql

        return ask_sql(project.store, arguments.question, limits, project_ties(project))
    from graph.query.cypher import ask

    beside = (project.root / project.settings.store).parent
    folder = beside / "query" if beside.is_dir() else None
    return ask(project.store, arguments.question, limits, folder, project_ties(project))


def _thread(thread: Thread, story: str) -> told.Thread:
    claims: list[Json] = [bounds.value(each) for each in thread.claims]
    return told.Thread(
        fact=fact_told(thread.fact),
        story=story,
        claims=tuple(claims),
        code=tuple(map(_strand, thread.code[:_STRANDS])),
        tests=tuple(map(_strand, thread.tests[:_STRANDS])),
        findings=tuple(dict.fromkeys(each.fingerprint for each in thread.findings)),
    )


def _strand(strand: Strand) -> told.Strand:
    why = f"{strand.reason}: {strand.via}" if strand.via else strand.reason
    return told.Strand(
        fact=strand.fact.id,
        path=strand.fact.source.path,
        line=strand.fact.source.line,
        confidence=strand.confidence,
        reason=bounds.text(why, 500),
    )
