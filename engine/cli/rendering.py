"""How queries show facts and relations, as text and as JSON."""

from __future__ import annotations

import msgspec

from crossval.report.escape import clean_line, json_safe
from crossval.report.markup import whole_prose
from crossval.rules.rule import Rule
from graph.facts import Fact, Json, Relation
from graph.query.table import Table
from graph.statements import statement, without_key
from graph.store.store import Store
from planner.cases import Case

_WIDEST = 60


def as_document(value: Json) -> str:
    """Indented JSON in which nothing can steer a terminal."""
    return json_safe(msgspec.json.format(msgspec.json.encode(value), indent=2).decode()) + "\n"


def fact_document(fact: Fact) -> dict[str, Json]:
    """A fact as queries give it in JSON."""
    return {
        "id": fact.id,
        "tag": fact.tag,
        "kind": fact.kind,
        "name": fact.name,
        "statement": statement(fact),
        "source": {"path": fact.source.path, "line": fact.source.line, "end_line": fact.source.end_line},
        "sources": list(fact.sources),
        "aspects": fact.aspects,
    }


def relation_document(relation: Relation) -> dict[str, Json]:
    """A relation as queries give it in JSON."""
    return {
        "verb": relation.verb,
        "first": relation.first,
        "second": relation.second,
        "line": relation.line or None,
        "confidence": relation.confidence,
        "reason": relation.reason,
    }


def case_document(case: Case) -> dict[str, Json]:
    """A test case as queries give it in JSON: the keys of the checklist."""
    document: dict[str, Json] = msgspec.to_builtins(case)
    return document


def rule_document(rule: Rule) -> dict[str, Json]:
    """A rule as queries give it in JSON, without its help."""
    return {
        "name": rule.name,
        "family": rule.family,
        "kind": rule.kind,
        "severity": rule.severity,
        "summary": rule.summary,
    }


def table_text(table: Table) -> str:
    """A table as aligned columns below their names, and nothing but the names where there are no rows."""
    rows = [[clean_line(_cell(value)) for value in row] for row in table.rows]
    names = [clean_line(name) for name in table.columns]
    widths = [min(_WIDEST, max(map(len, column))) for column in zip(names, *rows, strict=True)]
    lines = [names, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def _cell(value: Json) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, dict) and isinstance(value.get("id"), str):
        return str(value["id"])
    return msgspec.json.encode(value).decode()


def markdown_cell(words: str) -> str:
    """Words from a project as a cell of a Markdown table, in which nothing of them is markup."""
    return whole_prose(words)


def fact_line(fact: Fact) -> str:
    """A fact on one line: its place, its id, its statement."""
    return clean_line(f"{fact.source.path}:{fact.source.line}: {fact.id}: {without_key(fact)}")


def settled(store: Store, relation: Relation) -> Relation:
    """The relation with its ends of unknown kind (`code:*:shop.total`) as the one fact that each of them means."""
    first, second = (_settled(store, end) for end in (relation.first, relation.second))
    return msgspec.structs.replace(relation, first=first, second=second)


def _settled(store: Store, end: str) -> str:
    meant = store.named(end) if ":*:" in end else []
    return meant[0].id if len(meant) == 1 else end


def relation_line(relation: Relation) -> str:
    """A relation on one line, read from its first end to its second."""
    doubt = f" ({relation.confidence:.2f}: {relation.reason})" if relation.confidence < 1 else ""
    return clean_line(f"{relation.first} {relation.verb} {relation.second}{doubt}")
