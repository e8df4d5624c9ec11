"""How queries show facts and relations, as text and as JSON."""

from __future__ import annotations

import msgspec

from crossval.report.escape import clean_line, json_safe
from crossval.rules.rule import Rule
from graph.facts import Fact, Json, Relation
from graph.statements import statement


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


def rule_document(rule: Rule) -> dict[str, Json]:
    """A rule as queries give it in JSON, without its help."""
    return {
        "name": rule.name,
        "family": rule.family,
        "kind": rule.kind,
        "severity": rule.severity,
        "summary": rule.summary,
    }


def fact_line(fact: Fact) -> str:
    """A fact on one line: its place, its id, its statement."""
    return clean_line(f"{fact.source.path}:{fact.source.line}: {fact.id}: {statement(fact)}")


def relation_line(relation: Relation) -> str:
    """A relation on one line, read from its first end to its second."""
    doubt = f" ({relation.confidence:.2f}: {relation.reason})" if relation.confidence < 1 else ""
    return clean_line(f"{relation.first} {relation.verb} {relation.second}{doubt}")
