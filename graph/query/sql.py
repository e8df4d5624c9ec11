"""SQL on read-only views of the fact store: `facts` and `relations`, as docs/QUERIES.md describes them."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Sequence

from graph.errors import UsageError
from graph.facts import Json, Verb
from graph.query.table import Limits, Table
from graph.store.records import NAMES, VERBS
from graph.store.store import Store
from graph.ties import NO_TIES, Ties

_VIEWS = (
    "CREATE TEMP TABLE type_name (number INTEGER PRIMARY KEY, tag TEXT, kind TEXT)",
    "CREATE TEMP TABLE verb_name (number INTEGER PRIMARY KEY, verb TEXT)",
    """CREATE TEMP TABLE concluded
       (verb TEXT, first TEXT, second TEXT, line INTEGER, confidence REAL, reason TEXT)""",
    """CREATE TEMP VIEW live_fact AS
       SELECT type_name.tag || ':' || type_name.kind || ':' || symbol.key ||
              CASE WHEN EXISTS (SELECT 1 FROM collision
                                WHERE collision.type = fact.type AND collision.symbol = fact.symbol)
                   THEN '@' || coalesce(fact.path, owner.name) ELSE '' END AS id,
              tag, kind, symbol.key AS key, coalesce(fact.name, symbol.key) AS name,
              coalesce(fact.path, owner.name) AS path, line, end_line, CAST(aspects AS TEXT) AS aspects,
              owner.module AS module, fact.type AS type, fact.symbol AS symbol
       FROM fact JOIN type_name ON type_name.number = fact.type JOIN symbol ON symbol.id = fact.symbol
            JOIN owner ON owner.id = fact.owner
       WHERE fact.born <= (SELECT value FROM meta WHERE key = 'revision') AND
             (fact.died IS NULL OR fact.died > (SELECT value FROM meta WHERE key = 'revision'))""",
    """CREATE TEMP VIEW facts AS
       SELECT id, tag, kind, key, name, path, line, end_line, module, aspects FROM live_fact""",
    """CREATE TEMP VIEW relations AS
       SELECT verb_name.verb AS verb,
              coalesce(head.id, first_name.tag || ':' || first_name.kind || ':' || first_symbol.key) AS first,
              coalesce(tail.id, second_name.tag || ':' || second_name.kind || ':' || second_symbol.key) AS second,
              relation.line AS line, coalesce(confidence, 1.0) AS confidence, coalesce(reason, '') AS reason
       FROM relation JOIN verb_name ON verb_name.number = relation.verb
            JOIN type_name AS first_name ON first_name.number = relation.first_type
            JOIN type_name AS second_name ON second_name.number = relation.second_type
            JOIN symbol AS first_symbol ON first_symbol.id = relation.first
            JOIN symbol AS second_symbol ON second_symbol.id = relation.second
            LEFT JOIN live_fact AS head ON head.symbol = relation.first AND
                 (head.type = relation.first_type OR first_name.kind = '*' AND head.tag = first_name.tag)
            LEFT JOIN live_fact AS tail ON tail.symbol = relation.second AND
                 (tail.type = relation.second_type OR second_name.kind = '*' AND tail.tag = second_name.tag)
       WHERE relation.born <= (SELECT value FROM meta WHERE key = 'revision') AND
             (relation.died IS NULL OR relation.died > (SELECT value FROM meta WHERE key = 'revision'))
       UNION ALL SELECT verb, first, second, line, confidence, reason FROM concluded""",
)

_ALLOWED = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)
_FORBIDDEN_FUNCTIONS = frozenset({"load_extension", "readfile", "writefile", "fts3_tokenizer"})
_STEPS = 10_000
_HELP = "The views are facts and relations; docs/QUERIES.md lists their columns."
_BEHIND = re.compile(r"access to (?:\w+\.)?(?P<table>\w+)\.\w* is prohibited")
_OWN = frozenset({"type_name", "verb_name", "concluded", "live_fact"})


def ask(store: Store, query: str, limits: Limits, ties: Ties = NO_TIES) -> Table:
    """The rows that one SELECT gives on the published revision with these concluded relations.

    Raises UsageError for SQL that cannot be read, that does more than reading, or that takes longer than the limit.
    """
    connection = store.dialect.reader()
    try:
        _prepare(connection, ties)
        ends = time.monotonic() + limits.seconds
        connection.set_progress_handler(lambda: time.monotonic() > ends, _STEPS)
        cursor = connection.execute(query)
        rows = cursor.fetchmany(limits.rows + 1)
        columns = tuple(each[0] for each in cursor.description or ())
    except sqlite3.Error as error:
        raise _wrong(str(error), limits) from error
    finally:
        connection.close()
    shown = tuple(tuple(map(_json, row)) for row in rows[: limits.rows])
    return Table(columns, shown, cut=len(rows) > limits.rows)


def _prepare(connection: sqlite3.Connection, ties: Ties) -> None:
    for view in _VIEWS:
        connection.execute(view)
    types: list[Sequence[object]] = [(number, *name.split(":")) for number, name in NAMES.items()]
    connection.executemany("INSERT INTO type_name VALUES (?, ?, ?)", types)
    connection.executemany("INSERT INTO verb_name VALUES (?, ?)", [(VERBS[verb], str(verb)) for verb in Verb])
    connection.executemany(
        "INSERT INTO concluded VALUES (?, ?, ?, ?, ?, ?)",
        [(str(each.verb), each.first, each.second, each.line, each.confidence, each.reason) for each in ties],
    )
    connection.commit()
    # Made once, since making them counts as a change: aspects are JSON.
    connection.execute("SELECT 1 FROM json_each('[]'), json_tree('[]')")
    rows = connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall()
    behind = _OWN.union(str(name) for (name,) in rows)

    def authorise(
        action: int, first: str | None, second: str | None, _database: str | None, view: str | None
    ) -> int:
        # What lies behind the views is read by them alone: it may change with any version.
        if action == sqlite3.SQLITE_READ and second and view is None and first in behind:
            return sqlite3.SQLITE_DENY
        return _authorise(action, second)

    connection.set_authorizer(authorise)


def _authorise(action: int, second: str | None) -> int:
    if action not in _ALLOWED:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _FORBIDDEN_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _json(value: object) -> Json:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _wrong(message: str, limits: Limits) -> UsageError:
    if message == "interrupted":
        return UsageError(
            f"the query took longer than {limits.seconds:g} seconds",
            "Narrow it, or allow more with --timeout.",
        )
    if reading := _BEHIND.search(message):
        return UsageError(f"query: there is no view `{reading['table']}`", _HELP)
    if "not authorized" in message or "prohibited" in message or "readonly" in message:
        return UsageError("the query does more than reading, which is refused", "Ask with one SELECT.")
    return UsageError(f"query: {message}", _HELP)
