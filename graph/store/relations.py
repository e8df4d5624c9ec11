"""Reads the live relations out of the store, each end with the document where its key alone is ambiguous."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

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
    # A resolver that knows of several documents names the one that it means.
    keys = (fact.key, f"{fact.key}@{fact.document}")
    symbols = [symbol for (symbol,) in dialect.execute("SELECT id FROM symbol WHERE key IN (?, ?)", keys)]
    found = ",".join(map(str, symbols))
    sql = f"""{_RELATIONS} AND (
        (relation.first IN ({found}) AND relation.first_type IN (?2, ?3))
        OR (relation.second IN ({found}) AND relation.second_type IN (?2, ?3)))"""
    relations = _read(dialect, sql, [revision, number, any_kind(number)])
    return [r for r in relations if not fact.document or fact.id in (r.first, r.second)]


def _read(dialect: Dialect, sql: str, parameters: Sequence[object]) -> list[Relation]:
    documents = _documents(dialect, parameters[0])
    ambiguous = {(type_, symbol) for _, type_, symbol in documents}
    relations = []
    for row in dialect.execute(sql, parameters):
        verb, first_type, first, second_type, second, line, confidence, reason, name, owner, head, tail = row
        first_id, second_id = f"{NAMES[first_type]}:{first}", f"{NAMES[second_type]}:{second}"
        here, there = (
            documents.get((owner, first_type, head), ()),
            documents.get((owner, second_type, tail), ()),
        )
        certainty = 1.0 if confidence is None else confidence
        for first_document, second_document in _pairs(here, there, name):
            relations.append(
                Relation(
                    verb_of(verb),
                    f"{first_id}@{first_document}" if (first_type, head) in ambiguous else first_id,
                    f"{second_id}@{second_document}" if (second_type, tail) in ambiguous else second_id,
                    line,
                    certainty,
                    reason or "",
                )
            )
    relations.sort(key=lambda r: (r.verb, r.first, r.second, r.line))
    return relations


def _pairs(here: Sequence[str], there: Sequence[str], name: str) -> Iterable[tuple[str, str]]:
    """The documents that the two ends of a relation mean, given those in which its owner told each of them.

    An ambiguous end means the fact that the owner told, or that stands where the other end does. Where the owner
    told it in several documents, the ends belong together that stand in one; others cannot be told apart.
    """
    if len(here) <= 1 and len(there) <= 1:
        return [((*here, *there, name)[0], (*there, *here, name)[0])]
    return [(document, document) for document in here if document in there]


def _documents(dialect: Dialect, revision: object) -> dict[tuple[int, int, int], tuple[str, ...]]:
    """The documents of each fact whose key several documents define, by its owner, type and symbol."""
    rows = dialect.execute(
        """SELECT fact.owner, fact.type, fact.symbol, coalesce(fact.path, owner.name)
           FROM collision JOIN fact ON fact.symbol = collision.symbol AND fact.type = collision.type
           JOIN owner ON owner.id = fact.owner WHERE born <= ?1 AND (died IS NULL OR died > ?1)""",
        (revision,),
    )
    found: dict[tuple[int, int, int], tuple[str, ...]] = {}
    for owner, type_, symbol, path in sorted(rows):
        found[owner, type_, symbol] = (*found.get((owner, type_, symbol), ()), path)
    return found
