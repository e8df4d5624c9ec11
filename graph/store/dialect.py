"""The few things in which SQL databases differ, behind one small class per database."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from graph.errors import DamagedStore, FullDisk, StoreError
from graph.store import schema

Row = tuple[Any, ...]
_PATIENCE = 30.0
"""How many seconds to wait for other processes that hold the database."""


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
        """Keep what the transaction wrote: whatever happens to this process, and once `secure` was called, to the
        machine."""
        ...

    def secure(self) -> None:
        """Let what is committed from now on, and what was before, outlast a power cut; not within a transaction."""
        ...

    def rollback(self) -> None:
        """Undo the transaction."""
        ...

    def reader(self) -> sqlite3.Connection:
        """A connection of its own that cannot change what is stored; the caller closes it."""
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
        self._secure = True
        try:
            # Not all who hold a store close it, and Python from 3.13 on warns of that; what is held to the end of the
            # process ends with it. Whatever thread collects it has to be allowed to close it.
            self._connection = sqlite3.connect(
                self._place, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
            self._prepare()
        except sqlite3.DatabaseError as error:
            raise self._wrapped(error, "cannot be opened") from error

    def __del__(self) -> None:
        if hasattr(self, "_connection"):
            self._connection.close()

    def _prepare(self) -> None:
        execute = self._connection.execute
        (version,) = execute("PRAGMA user_version").fetchone()
        if version > schema.VERSION:
            raise StoreError(
                f"{self._place}: written by a newer crossfact "
                f"(store version {version}, this one knows {schema.VERSION})",
                "Upgrade crossfact, or name another store with --store.",
            )
        # Until the first revision there is nothing to lose that cannot be read again, and nothing worth waiting for.
        self._secure = version > 0
        execute(f"PRAGMA synchronous={'FULL' if self._secure else 'OFF'}")
        self._write_ahead()
        execute("PRAGMA cache_size=-65536")
        execute("PRAGMA temp_store=MEMORY")
        if version < schema.VERSION:
            self._create()

    def _write_ahead(self) -> None:
        # Where several processes turn a new database to this mode at once, SQLite refuses some without waiting.
        patience = time.monotonic() + _PATIENCE
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > patience:
                    raise
                time.sleep(0.02)
            else:
                return

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

    def secure(self) -> None:
        """See `Dialect.secure`."""
        if not self._secure:
            self.execute("PRAGMA synchronous=FULL")
            self._secure = True

    def rollback(self) -> None:
        """See `Dialect.rollback`."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def reader(self) -> sqlite3.Connection:
        """See `Dialect.reader`."""
        try:
            if self._place != ":memory:":
                return sqlite3.connect(
                    f"{Path(self._place).resolve().as_uri()}?mode=ro", uri=True, timeout=_PATIENCE
                )
            copy = sqlite3.connect(":memory:")
            self._connection.backup(copy)
            return copy
        except sqlite3.DatabaseError as error:
            raise self._wrapped(error, "cannot be opened") from error

    def close(self) -> None:
        """See `Dialect.close`."""
        self._connection.close()

    def _wrapped(self, error: sqlite3.DatabaseError, what: str = "failed") -> StoreError:
        message = f"{self._place}: the fact store {what}: {error}"
        if _is_damage(error):
            return DamagedStore(self._place, message, "Remove it: all that it holds can be read again.")
        full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        return (FullDisk if full else StoreError)(
            message, "Check the free space and the rights of its folder, or name another with --store."
        )


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the file itself is at fault: no database, broken pages, or tables that are not as we made them."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
        return str(error).startswith(("no such table", "no such column", "no such index"))
    return not isinstance(error, sqlite3.OperationalError)
