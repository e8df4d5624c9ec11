"""Reads the live relations out of the store, each end with the document where its key alone is ambiguous."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from graph.facts import Fact, Relation, Verb
from graph.store.dialect import Dialect
from graph.store.records import NAMES, TYPES, VERBS, any_kind, verb_of

_RELATIONS = """
    SELECT relation.verb, relation.first_type, head.key, relation.second_type, tail.key,
           relation.line, relation.confidence, relation.reason, owner.name, relation.owner,
           relation.first, relation.second
    FROM relation JOIN symbol AS head ON head.id = relation.first JOIN symbol AS tail ON tail.id = relation.second
    JOIN owner ON owner.id = relation.owner
    WHERE relation.born <= ?1 AND (relation.died IS NULL OR relation.died > ?1)
"""


def read_relations(dialect: Dialect, revision: int, verbs: Collection[Verb] = ()) -> list[Relation]:
    """The relations with these verbs (all where empty), in a stable order."""
    sql = _RELATIONS
    if verbs:
        sql += f" AND relation.verb IN ({','.join(str(VERBS[verb]) for verb in sorted(verbs))})"
    return _read(dialect, sql, [revision])


def read_relations_of(dialect: Dialect, revision: int, fact: Fact) -> list[Relation]:
    """The relations that start or end at a fact, references of unknown kind to its key included."""
    number = TYPES[fact.tag, fact.kind]
    ((symbol,),) = dialect.execute("SELECT id FROM symbol WHERE key = ?", (fact.key,))
    sql = f"""{_RELATIONS} AND (relation.first = ?2 OR relation.second = ?2) AND (
        (relation.first = ?2 AND relation.first_type IN (?3, ?4))
        OR (relation.second = ?2 AND relation.second_type IN (?3, ?4)))"""
    relations = _read(dialect, sql, [revision, symbol, number, any_kind(number)])
    return [r for r in relations if not fact.document or fact.id in (r.first, r.second)]


def _read(dialect: Dialect, sql: str, parameters: Sequence[object]) -> list[Relation]:
    documents = _documents(dialect, parameters[0])
    ambiguous = {(type_, symbol) for _, type_, symbol in documents}
    relations = []
    for row in dialect.execute(sql, parameters):
        verb, first_type, first, second_type, second, line, confidence, reason, name, owner, head, tail = row
        first_id, second_id = f"{NAMES[first_type]}:{first}", f"{NAMES[second_type]}:{second}"
        # An ambiguous end means the fact that the relation's owner told, or that stands where its other end does.
        here, there = documents.get((owner, first_type, head)), documents.get((owner, second_type, tail))
        if (first_type, head) in ambiguous:
            first_id += f"@{here or there or name}"
        if (second_type, tail) in ambiguous:
            second_id += f"@{there or here or name}"
        certainty = 1.0 if confidence is None else confidence
        relations.append(Relation(verb_of(verb), first_id, second_id, line, certainty, reason or ""))
    relations.sort(key=lambda r: (r.verb, r.first, r.second, r.line))
    return relations


def _documents(dialect: Dialect, revision: object) -> dict[tuple[int, int, int], str]:
    """The document of each fact whose key several documents define, by its owner, type and symbol."""
    rows = dialect.execute(
        """SELECT fact.owner, fact.type, fact.symbol, coalesce(fact.path, owner.name)
           FROM collision JOIN fact ON fact.symbol = collision.symbol AND fact.type = collision.type
           JOIN owner ON owner.id = fact.owner WHERE born <= ?1 AND (died IS NULL OR died > ?1)""",
        (revision,),
    )
    return {(owner, type_, symbol): path for owner, type_, symbol, path in rows}
