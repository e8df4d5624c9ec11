"""`crossfact ask`: a question answered with facts, and in words where a model is configured."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from crossval.report.escape import clean, clean_line
from engine.cli.console import say, tell
from engine.cli.lookup import opened, query_options
from engine.cli.progress import progress
from engine.cli.rendering import as_document, fact_document, relation_document, relation_line, settled
from graph.errors import UsageError
from graph.facts import Fact, Json, Kind, Relation, Tag
from graph.statements import statement

if TYPE_CHECKING:
    from engine.llm.answer import Answer
    from engine.project import Project
    from graph.retrieval.search import Hit

_LINES = 3
_RELATIONS = 4
_LOOKED_AT = 40


@click.command("ask")
@click.argument("words", metavar="QUESTION", nargs=-1)
@click.option("--limit", type=click.IntRange(1, 100), default=10, help="How many facts (default 10).")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice([*map(str, Kind)]),
    help="Only this kind (repeatable).",
)
@click.option(
    "--tag",
    "tags",
    multiple=True,
    type=click.Choice([*map(str, Tag)]),
    help="Only this witness (repeatable).",
)
@click.option("--words-only", is_flag=True, help="Search by words, without the model of meanings.")
@click.option(
    "--index",
    "whole",
    is_flag=True,
    help="Make all facts searchable by meaning first, however long it takes; needs no question.",
)
@click.option("--llm-url", metavar="URL", help="Have an OpenAI-compatible endpoint write an answer.")
@click.option("--llm-model", metavar="NAME", help="The model that writes it.")
@query_options
def command(
    words: tuple[str, ...],
    limit: int,
    kinds: tuple[str, ...],
    tags: tuple[str, ...],
    words_only: bool,
    whole: bool,
    folder: str,
    fresh: bool,
    as_json: bool,
    **given: Any,
) -> int:
    """Answer a question with the facts that fit best, each with its source lines, relations and what found it."""
    from engine.asking import searcher

    question = " ".join(words)
    if not question and not whole:
        raise UsageError("ask: no question", 'Ask one: crossfact ask "what happens when it is sold out?"')
    project = opened(folder, fresh, given)
    with progress("indexing", "facts") as show:
        found = searcher(project, question, tell=tell, progress=show, by_meaning=not words_only, whole=whole)
    if not question:
        return 0
    hits = found.search(question, limit=limit, kinds=tuple(map(Kind, kinds)), tags=tuple(map(Tag, tags)))
    told = [(hit, project.store.relations_of(hit.fact)) for hit in hits]
    answer = _answer(project.settings, question, hits)
    if as_json:
        say(as_document(_document(project.root, question, told, answer)))
    else:
        say(_text(project, told, answer))
    return 0


def _answer(settings: Any, question: str, hits: list[Hit]) -> Answer | None:
    if not settings.llm_url and not settings.llm_model:
        return None
    from engine.llm.answer import written

    return written(settings, question, hits)


def _document(
    root: Path, question: str, told: list[tuple[Hit, list[Relation]]], answer: Answer | None
) -> Json:
    """What docs/RETRIEVAL.md describes."""
    return {
        "question": question,
        "answer": None if answer is None else _answer_document(answer),
        "hits": [
            {
                **fact_document(hit.fact),
                "score": hit.score,
                "signals": {
                    "exact": hit.signals.exact,
                    "keyword": hit.signals.keyword,
                    "vector": hit.signals.vector,
                    "graph": hit.signals.graph,
                },
                "lines": [row for _, row in _source(root, hit.fact)],
                "relations": [relation_document(each) for each in relations],
            }
            for hit, relations in told
        ],
    }


def _answer_document(answer: Answer) -> Json:
    return {
        "in_graph": answer.in_graph,
        "sentences": [{"text": each.text, "facts": list(each.facts)} for each in answer.sentences],
        "dropped": answer.dropped,
        "problem": answer.problem or None,
    }


def _text(project: Project, told: list[tuple[Hit, list[Relation]]], answer: Answer | None) -> str:
    parts = [] if answer is None else [*_answer_lines(answer), ""]
    if not told:
        parts.append("Nothing in the graph fits.")
    for number, (hit, relations) in enumerate(told, start=1):
        # What leads on in the project says more than what it takes from libraries.
        known = sorted((settled(project.store, each) for each in relations[:_LOOKED_AT]), key=_leads_out)
        shown = known[:_RELATIONS]
        parts.extend(_hit(project.root, number, hit, shown))
        if len(relations) > _RELATIONS:
            parts.append(f"   … {len(relations) - _RELATIONS} more relations")
    return "\n".join(parts)


def _leads_out(relation: Relation) -> bool:
    """Whether a relation ends in what is no fact of the project."""
    return ":*:" in relation.first or ":*:" in relation.second


def _answer_lines(answer: Answer) -> list[str]:
    if answer.problem:
        return [clean_line(f"No written answer: {answer.problem}")]
    if not answer.in_graph:
        return ["Not in the graph."]
    return [clean_line(f"{each.text} [{', '.join(each.facts)}]") for each in answer.sentences]


def _hit(root: Path, number: int, hit: Hit, relations: list[Relation]) -> list[str]:
    fact = hit.fact
    return [
        clean_line(f"{number}. {statement(fact)}"),
        clean_line(f"   {fact.id}  ({_signals(hit)})"),
        clean_line(f"   {fact.source.path}:{fact.source.line}"),
        *(f"   {at:>5} | {clean(row)}" for at, row in _source(root, fact)),
        *(f"   {relation_line(relation)}" for relation in relations),
    ]


def _signals(hit: Hit) -> str:
    signals = hit.signals
    named = {
        "exact": "exact" if signals.exact else "",
        "keyword": f"keyword {signals.keyword:.1f}" if signals.keyword else "",
        "vector": f"vector {signals.vector:.2f}" if signals.vector else "",
        "graph": f"graph {signals.graph:.3f}" if signals.graph else "",
    }
    return f"score {hit.score:.2f}: {', '.join(filter(None, named.values()))}"


def _source(root: Path, fact: Fact) -> list[tuple[int, str]]:
    """The first lines of a fact's source; none where it has no file that can be read."""
    from graph.facts import Skipped
    from ingest.text import lines, read_text

    text = read_text(root, fact.source.path)
    if isinstance(text, Skipped):
        return []
    first, last = fact.source.line, min(fact.source.end_line, fact.source.line + _LINES - 1)
    return list(enumerate(lines(text)[first - 1 : last], start=first))
