"""The tables that searching needs, made when something is searched for first: a run of `check` never sees them.

A `passage` says which row of `fact` is in the keyword index (`born` tells it from a later fact that was given the same
number), and where its `vector` is. A vector belongs to the digest of the text that it was made of, so that it
outlives its fact for a while and serves every fact with that text. `searching` has a few marks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from graph.facts import Fact
from graph.store.dialect import Dialect
from graph.store.facts import fact_of

_TABLES = (
    "CREATE TABLE IF NOT EXISTS searching (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE IF NOT EXISTS passage (
        fact INTEGER PRIMARY KEY, born INTEGER NOT NULL, digest BLOB, vector INTEGER)""",
    "CREATE INDEX IF NOT EXISTS passage_vector ON passage (vector) WHERE vector IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS passage_waiting ON passage (digest) WHERE vector IS NULL AND digest IS NOT NULL",
    "CREATE TABLE IF NOT EXISTS vector (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, numbers BLOB NOT NULL)",
    """CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
        name, text, tokenize = "unicode61 remove_diacritics 0 tokenchars '_'")""",
)
NAMES = ("searching", "passage", "vector", "words")
"""The tables, as they are dropped."""

_LIVE = "fact.born <= ?1 AND (fact.died IS NULL OR fact.died > ?1)"
_FACTS = """
    SELECT fact.id, fact.born, fact.type, symbol.key, fact.name, coalesce(fact.path, owner.name), fact.line,
           fact.end_line, fact.aspects, fact.sources, EXISTS (
               SELECT 1 FROM collision WHERE collision.type = fact.type AND collision.symbol = fact.symbol)
    FROM fact JOIN symbol ON symbol.id = fact.symbol JOIN owner ON owner.id = fact.owner
    WHERE fact.id IN (SELECT value FROM json_each(?1))
"""


def is_there(dialect: Dialect) -> bool:
    """Whether the tables were made."""
    ((count,),) = dialect.execute(
        f"SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ({','.join('?' * len(NAMES))})",
        NAMES,
    )
    return int(count) == len(NAMES)


def create(dialect: Dialect) -> None:
    """Make the tables where they are not there yet."""
    for statement in _TABLES:
        dialect.execute(statement)


def drop(dialect: Dialect, names: Iterable[str] = NAMES) -> None:
    """Remove tables, whatever state they are in."""
    for name in names:
        dialect.execute(f"DROP TABLE IF EXISTS {name}")


def mark(dialect: Dialect, name: str) -> str:
    """What was noted under this name, or nothing."""
    rows = dialect.execute("SELECT value FROM searching WHERE name = ?", (name,))
    return next((str(value) for (value,) in rows), "")


def set_mark(dialect: Dialect, name: str, value: str) -> None:
    """Note something under a name."""
    dialect.execute("INSERT OR REPLACE INTO searching VALUES (?, ?)", (name, value))


def rows_to_add(dialect: Dialect, revision: int) -> list[int]:
    """The rows of live facts that the keyword index does not have."""
    rows = dialect.execute(
        f"""SELECT fact.id FROM fact LEFT JOIN passage ON passage.fact = fact.id AND passage.born = fact.born
            WHERE {_LIVE} AND passage.fact IS NULL ORDER BY fact.id""",
        (revision,),
    )
    return [row for (row,) in rows]


def rows_to_remove(dialect: Dialect, revision: int) -> list[int]:
    """The rows in the keyword index whose facts are gone, or are others by now."""
    rows = dialect.execute(
        f"""SELECT passage.fact FROM passage LEFT JOIN fact ON fact.id = passage.fact
            AND fact.born = passage.born AND {_LIVE} WHERE fact.id IS NULL""",
        (revision,),
    )
    return [row for (row,) in rows]


def rows_waiting(dialect: Dialect, first: Collection[int], limit: int) -> Iterator[tuple[int, bytes]]:
    """The rows of facts that wait for a vector, each with its text's digest.

    Those among `first` come before the others; these go by their types: specs, code, tests, history.
    """
    rows = dialect.execute(
        """SELECT passage.fact, passage.digest FROM passage JOIN fact ON fact.id = passage.fact
           WHERE passage.vector IS NULL AND passage.digest IS NOT NULL
           ORDER BY passage.fact NOT IN (SELECT value FROM json_each(?1)), fact.type, passage.fact LIMIT ?2""",
        (_json(first), limit),
    )
    return ((row, bytes(digest)) for row, digest in rows)


def facts_in(dialect: Dialect, rows: Sequence[int]) -> Iterator[tuple[int, int, Fact]]:
    """The facts in these rows, each with its row and the revision in which it was born, in no certain order."""
    for row in dialect.execute(_FACTS, (_json(rows),)):
        number, born, *rest = row
        yield number, born, fact_of(rest)


def places(dialect: Dialect, revision: int, types: Collection[int]) -> Iterable[tuple[int, int]]:
    """The row and the vector of each live fact that has a vector; of these types only, if any."""
    only = f"AND fact.type IN ({','.join(map(str, sorted(types)))})" if types else ""
    rows = dialect.execute(
        f"""SELECT passage.fact, passage.vector FROM passage JOIN fact ON fact.id = passage.fact
            WHERE passage.vector IS NOT NULL AND {_LIVE} {only}""",
        (revision,),
    )
    return ((row, vector) for row, vector in rows)


def digests(dialect: Dialect) -> set[bytes]:
    """The digests of all texts that some fact has and that have a vector."""
    rows = dialect.execute(
        """SELECT DISTINCT passage.digest FROM passage JOIN vector ON vector.id = passage.vector
           WHERE passage.vector IS NOT NULL"""
    )
    return {bytes(digest) for (digest,) in rows}


def vectors_with_digests(dialect: Dialect, wanted: Iterable[bytes]) -> dict[bytes, bytes]:
    """The numbers of the vectors of these texts."""
    found = {}
    for digest in wanted:
        for (numbers,) in dialect.execute("SELECT numbers FROM vector WHERE digest = ?", (digest,)):
            found[digest] = bytes(numbers)
    return found


def vectors_of(dialect: Dialect, rows: Collection[int]) -> dict[int, bytes]:
    """The numbers of the vectors of the facts in these rows; those without one are left out."""
    found = dialect.execute(
        """SELECT passage.fact, vector.numbers FROM passage JOIN vector ON vector.id = passage.vector
           WHERE passage.fact IN (SELECT value FROM json_each(?))""",
        (_json(rows),),
    )
    return {row: bytes(numbers) for row, numbers in found}


def rows_with_digests(
    dialect: Dialect, revision: int, wanted: Iterable[bytes], types: Collection[int]
) -> list[tuple[int, bytes]]:
    """The rows of live facts with these texts, each with its text's digest."""
    only = f"AND fact.type IN ({','.join(map(str, sorted(types)))})" if types else ""
    sql = f"""SELECT fact.id FROM vector JOIN passage ON passage.vector = vector.id
              JOIN fact ON fact.id = passage.fact WHERE vector.digest = ?2 AND {_LIVE} {only}"""
    return [(row, digest) for digest in wanted for (row,) in dialect.execute(sql, (revision, digest))]


def matching(
    dialect: Dialect, revision: int, query: str, weight: float, types: Collection[int], limit: int
) -> list[tuple[int, float]]:
    """The rows of the facts that match a query of FTS5 best, each with its BM25 score (higher is better).

    A word in a fact's name counts `weight` times one in its text.
    """
    if types:
        source, only = "words", f"AND fact.type IN ({','.join(map(str, sorted(types)))})"
    else:
        # Looking up the fact of every match would take longer than ranking them; few of the best are gone.
        only = ""
        source = """(SELECT rowid, -bm25(words, ?3, 1.0) AS score FROM words WHERE words MATCH ?2
                     ORDER BY score DESC, rowid LIMIT 2 * ?4) AS words"""
    score = "-bm25(words, ?3, 1.0)" if types else "words.score"
    where = "words MATCH ?2 AND" if types else ""
    rows = dialect.execute(
        f"""SELECT words.rowid, {score} AS total FROM {source} JOIN fact ON fact.id = words.rowid
            WHERE {where} {_LIVE} {only} ORDER BY total DESC, words.rowid LIMIT ?4""",
        (revision, query, weight, limit),
    )
    return [(row, score) for row, score in rows]


def occurrences(dialect: Dialect, term: str) -> int:
    """How many facts have this term."""
    ((count,),) = dialect.execute("SELECT count(*) FROM words WHERE words MATCH ?", (f'"{term}"',))
    return int(count)


def named_exactly(
    dialect: Dialect, revision: int, keys: Collection[str], types: Collection[int], limit: int
) -> list[int]:
    """The rows of live facts that have exactly one of these keys."""
    only = f"AND fact.type IN ({','.join(map(str, sorted(types)))})" if types else ""
    rows = dialect.execute(
        f"""SELECT fact.id FROM symbol JOIN fact ON fact.symbol = symbol.id
            WHERE {_LIVE} AND symbol.key IN (SELECT value FROM json_each(?2)) {only} ORDER BY fact.id LIMIT ?3""",
        (revision, _json(keys), limit),
    )
    return [row for (row,) in rows]


def symbols_of(dialect: Dialect, rows: Collection[int]) -> dict[int, int]:
    """The symbol of the fact in each of these rows."""
    found = dialect.execute(
        "SELECT id, symbol FROM fact WHERE id IN (SELECT value FROM json_each(?))", (_json(rows),)
    )
    return dict(found)


def rows_of_symbols(
    dialect: Dialect, revision: int, symbols: Collection[int], types: Collection[int]
) -> list[tuple[int, int]]:
    """The rows of the live facts of these symbols, each with its symbol."""
    only = f"AND fact.type IN ({','.join(map(str, sorted(types)))})" if types else ""
    rows = dialect.execute(
        f"""SELECT fact.id, fact.symbol FROM fact WHERE fact.symbol IN (SELECT value FROM json_each(?2))
            AND {_LIVE} {only} ORDER BY fact.id""",
        (revision, _json(symbols)),
    )
    return [(row, symbol) for row, symbol in rows]


def edges_of(
    dialect: Dialect, revision: int, symbols: Collection[int], verbs: Collection[int], limit: int
) -> list[tuple[int, int, int, float]]:
    """At most `limit` relations with these verbs at either end of which is one of these symbols.

    Each is its verb, the symbols of both its ends, and its confidence.
    """
    some, wanted = ",".join(map(str, sorted(verbs))), _json(symbols)
    live = "born <= ?1 AND (died IS NULL OR died > ?1)"
    rows = dialect.execute(
        f"""SELECT verb, first, second, coalesce(confidence, 1.0) FROM relation
            WHERE first IN (SELECT value FROM json_each(?2)) AND {live} AND verb IN ({some})
            UNION SELECT verb, first, second, coalesce(confidence, 1.0) FROM relation
            WHERE second IN (SELECT value FROM json_each(?2)) AND {live} AND verb IN ({some}) LIMIT ?3""",
        (revision, wanted, limit),
    )
    return [(verb, first, second, confidence) for verb, first, second, confidence in rows]


def _json(values: Collection[Any]) -> str:
    return msgspec.json.encode(sorted(values)).decode()
