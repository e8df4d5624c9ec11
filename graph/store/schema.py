"""The tables of the fact store.

Every row of `fact` and `relation` lives from revision `born` until before revision `died`; rows of the revision
that is being written are not seen until it is published. Keys are interned in `symbol`, so that relations cost a
few integers. `owner` is what rows are retracted with: a file, a resolver, or the git history. `identity` is drawn when
the tables are made: what is derived from a store and kept beside it tells by it whose it is. `writes` counts
the steps that changed what an owner says; `kept` has what was concluded from the facts, each with a key that tells from
which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

VERSION = 3

TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    "INSERT INTO meta VALUES ('revision', 0), ('pending', 0), ('seen', 0), ('identity', abs(random())), ('writes', 0)",
    """CREATE TABLE owner (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, modified INTEGER NOT NULL,
        digest TEXT NOT NULL, role TEXT NOT NULL, module TEXT NOT NULL, reader TEXT NOT NULL,
        inputs TEXT, notes BLOB)""",
    "CREATE TABLE symbol (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE)",
    """CREATE TABLE fact (
        id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, type INTEGER NOT NULL, symbol INTEGER NOT NULL,
        name TEXT, path TEXT, line INTEGER NOT NULL, end_line INTEGER NOT NULL, aspects BLOB NOT NULL,
        sources TEXT, born INTEGER NOT NULL, died INTEGER)""",
    """CREATE TABLE relation (
        id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, verb INTEGER NOT NULL,
        first_type INTEGER NOT NULL, first INTEGER NOT NULL, second_type INTEGER NOT NULL, second INTEGER NOT NULL,
        line INTEGER NOT NULL, confidence REAL, reason TEXT, born INTEGER NOT NULL, died INTEGER)""",
    "CREATE TABLE kept (name TEXT PRIMARY KEY, key TEXT NOT NULL, value BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE collision (type INTEGER NOT NULL, symbol INTEGER NOT NULL, PRIMARY KEY (type, symbol)) WITHOUT ROWID",
)

INDEXES = (
    "CREATE INDEX IF NOT EXISTS fact_owner ON fact (owner)",
    "CREATE INDEX IF NOT EXISTS fact_symbol ON fact (symbol)",
    "CREATE INDEX IF NOT EXISTS relation_owner ON relation (owner) WHERE died IS NULL",
    "CREATE INDEX IF NOT EXISTS relation_first ON relation (first)",
    "CREATE INDEX IF NOT EXISTS relation_second ON relation (second)",
    "CREATE INDEX IF NOT EXISTS fact_died ON fact (died) WHERE died IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS relation_died ON relation (died) WHERE died IS NOT NULL",
)


def ensure_indexes(execute: Callable[[str], object]) -> None:
    """Create the indexes, which a first bulk load does without."""
    for statement in INDEXES:
        execute(statement)


def tables_of_any_version(execute: Callable[[str], Iterable[tuple[Any, ...]]]) -> list[str]:
    """The names of all tables that an older version left behind."""
    return [name for (name,) in execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
