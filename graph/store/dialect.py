"""The few things in which SQL databases differ, behind one small class per database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from graph.errors import DamagedStore, StoreError
from graph.store import schema

Row = tuple[Any, ...]


class Dialect(Protocol):
    """What the store asks of a database; SQL itself is written once, with `?` for parameters."""

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> Iterable[Row]:
        """Run one statement and return its rows."""
        ...

    def insert_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run one insert for many rows, in the fastest way that the database has."""
        ...

    def begin(self) -> None:
        """Start a writing transaction, waiting for another writer to end."""
        ...

    def commit(self) -> None:
        """Make the transaction durable."""
        ...

    def rollback(self) -> None:
        """Undo the transaction."""
        ...

    def close(self) -> None:
        """Release the database."""
        ...


class Sqlite:
    """SQLite from the standard library, in write-ahead mode; survives a kill or a power cut at any moment."""

    def __init__(self, path: Path | None) -> None:
        """Open or create the database at `path`, or one in memory for `None`.

        Raises StoreError where it cannot be opened, is damaged, or was written by a newer crossfact.
        """
        self._place = str(path) if path else ":memory:"
        try:
            self._connection = sqlite3.connect(self._place, timeout=30, isolation_level=None)
            self._prepare()
        except sqlite3.DatabaseError as error:
            damaged = not isinstance(error, sqlite3.OperationalError)
            raise (DamagedStore if damaged else StoreError)(
                f"{self._place}: the fact store cannot be opened: {error}",
                "It holds nothing that cannot be read again: remove it, or name another with --store.",
            ) from error

    def _prepare(self) -> None:
        execute = self._connection.execute
        (version,) = execute("PRAGMA user_version").fetchone()
        if version > schema.VERSION:
            raise StoreError(
                f"{self._place}: written by a newer crossfact "
                f"(store version {version}, this one knows {schema.VERSION})",
                "Upgrade crossfact, or name another store with --store.",
            )
        execute("PRAGMA journal_mode=WAL")
        execute("PRAGMA synchronous=FULL")
        execute("PRAGMA cache_size=-65536")
        execute("PRAGMA temp_store=MEMORY")
        if version < schema.VERSION:
            self._create()

    def _create(self) -> None:
        self.begin()
        try:
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            if version < schema.VERSION:
                for table in schema.tables_of_any_version(self._connection.execute):
                    self._connection.execute(f'DROP TABLE IF EXISTS "{table}"')
                for statement in schema.TABLES:
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version={schema.VERSION}")
            self.commit()
        except BaseException:
            self.rollback()
            raise

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> Iterable[Row]:
        """See `Dialect.execute`."""
        try:
            return self._connection.execute(sql, parameters)
        except sqlite3.DatabaseError as error:
            raise self._wrapped(error) from error

    def insert_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """See `Dialect.insert_many`."""
        try:
            self._connection.executemany(sql, rows)
        except sqlite3.DatabaseError as error:
            raise self._wrapped(error) from error

    def begin(self) -> None:
        """See `Dialect.begin`."""
        self.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """See `Dialect.commit`."""
        self.execute("COMMIT")

    def rollback(self) -> None:
        """See `Dialect.rollback`."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """See `Dialect.close`."""
        self._connection.close()

    def _wrapped(self, error: sqlite3.DatabaseError) -> StoreError:
        return StoreError(
            f"{self._place}: the fact store failed: {error}",
            "Check the free space and the rights of that folder; a damaged store can be removed and is read again.",
        )
