"""Reads facts out of the store, in the order of their ids, with their documents where several define one key."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from graph.facts import Fact, Json, Location
from graph.store.dialect import Dialect
from graph.store.records import tag_and_kind

_decode_aspects = msgspec.json.Decoder(dict[str, Json]).decode
_decode_sources = msgspec.json.Decoder(tuple[str, ...]).decode

_NEVER = 2**62
_FACTS = """
    SELECT fact.type, symbol.key, fact.name, coalesce(fact.path, owner.name), fact.line, fact.end_line,
           fact.aspects, fact.sources, EXISTS (
               SELECT 1 FROM collision WHERE collision.type = fact.type AND collision.symbol = fact.symbol)
    FROM fact JOIN symbol ON symbol.id = fact.symbol JOIN owner ON owner.id = fact.owner
    WHERE fact.born <= ?1 AND (fact.died IS NULL OR fact.died > ?1)
"""


def read_facts(
    dialect: Dialect,
    revision: int,
    types: Sequence[int] | None = None,
    modules: Collection[str] | None = None,
    having: str = "",
) -> list[Fact]:
    """The live facts of these types and modules (all where None) that have an aspect (any where empty)."""
    if types is not None and not types:
        return []
    sql = _FACTS
    parameters: list[object] = [revision]
    if types is not None:
        sql += f" AND fact.type IN ({','.join(map(str, types))})"
    if modules is not None:
        names = msgspec.json.encode(sorted(modules)).decode()
        sql += " AND fact.owner IN (SELECT id FROM owner WHERE module IN (SELECT value FROM json_each(?2)))"
        parameters.append(names)
    if having:
        # Most facts are told by their bytes to have no such aspect, and need not be read as JSON.
        sql += f" AND instr(fact.aspects, ?{len(parameters) + 1}) > 0"
        parameters.append(msgspec.json.encode(having) + b":")
        return [fact for fact in _sorted(dialect, sql, parameters) if having in fact.aspects]
    return _sorted(dialect, sql, parameters)


def read_lost(dialect: Dialect, revision: int, other: int) -> list[Fact]:
    """The facts of a revision that another one does not have in the same form."""
    gone = " AND NOT (fact.born <= ?2 AND (fact.died IS NULL OR fact.died > ?2))"
    return _sorted(dialect, _FACTS + gone, (revision, other))


def read_written(dialect: Dialect, types: Collection[int]) -> list[Fact]:
    """The facts of these types, with those that are not published yet."""
    return _sorted(dialect, f"{_FACTS} AND fact.type IN ({','.join(map(str, types))})", (_NEVER,))


def read_by_key(dialect: Dialect, revision: int, key: str) -> list[Fact]:
    """The live facts of any tag and kind with exactly this key."""
    return _sorted(dialect, _FACTS + " AND symbol.key = ?2", (revision, key))


def fact_of(row: Sequence[Any]) -> Fact:
    """The fact in a row of type, key, name, path, both lines, aspects, sources, and whether its key collides."""
    number, key, name, path, line, end_line, aspects, sources, collides = row
    tag, kind = tag_and_kind(number)
    return Fact(
        tag=tag,
        kind=kind,
        key=key,
        name=key if name is None else name,
        source=Location(path, line, end_line),
        aspects=_decode_aspects(aspects),
        sources=_decode_sources(sources) if sources else (),
        document=path if collides else "",
    )


def _sorted(dialect: Dialect, sql: str, parameters: Sequence[object]) -> list[Fact]:
    facts = [fact_of(row) for row in dialect.execute(sql, parameters)]
    facts.sort(key=lambda fact: (fact.id, fact.source))
    return facts
