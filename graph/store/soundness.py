"""Looks whether a store is whole, without changing it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from graph.store import passages, schema
from graph.store.records import NAMES, VERBS

_LISTED = 5
_EXPECTED = ("meta", "owner", "symbol", "fact", "relation", "kept", "collision")
_ANEW = "Remove it: all that it holds can be read again."


class Trouble(msgspec.Struct, frozen=True):
    """What is wrong, and what to do; what is not `damaged` is merely behind, and the next run mends it."""

    what: str
    remedy: str
    damaged: bool = True


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen in a store; the figures are 0 where they could not be read."""

    version: int = 0
    revision: int = 0
    identity: int = 0
    facts: int = 0
    relations: int = 0
    vectors: int = 0
    digests: frozenset[bytes] = frozenset()
    troubles: tuple[Trouble, ...] = ()


def look(place: Path) -> Looked:
    """What there is in the store at `place`, and what is wrong with it. The file must exist."""
    try:
        uri = f"{place.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=30)) as connection:
            return _look(connection, place)
    except sqlite3.Error as error:
        return Looked(troubles=(Trouble(f"{place}: cannot be read: {error}", _ANEW),))


def _look(connection: sqlite3.Connection, place: Path) -> Looked:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > schema.VERSION:
        newer = f"{place}: written by a newer crossfact (version {version}, this one knows {schema.VERSION})"
        return Looked(version=version, troubles=(Trouble(newer, "Upgrade crossfact."),))
    broken = [words for (words,) in connection.execute(f"PRAGMA integrity_check({_LISTED})")]
    if broken != ["ok"]:
        return Looked(
            version=version,
            troubles=tuple(Trouble(f"{place}: {words}", _ANEW) for words in broken[:_LISTED]),
        )
    if version < schema.VERSION:
        older = (
            f"{place}: written by an older crossfact (version {version}, this one writes {schema.VERSION})"
        )
        return Looked(
            version=version, troubles=(Trouble(older, "The next run reads everything anew.", damaged=False),)
        )
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if missing := [name for name in _EXPECTED if name not in tables]:
        words = f"{place}: without the table {', '.join(missing)}"
        return Looked(version=version, troubles=(Trouble(words, _ANEW),))
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    if missing := [key for key in ("revision", "pending", "identity", "writes") if key not in meta]:
        words = f"{place}: its table meta lacks {', '.join(missing)}"
        return Looked(version=version, troubles=(Trouble(words, _ANEW),))
    searched = tables.issuperset(passages.NAMES)
    return Looked(
        version=version,
        revision=meta["revision"],
        identity=meta["identity"],
        facts=_count(connection, "SELECT count(*) FROM fact WHERE died IS NULL"),
        relations=_count(connection, "SELECT count(*) FROM relation WHERE died IS NULL"),
        vectors=_count(connection, "SELECT count(*) FROM vector") if searched else 0,
        digests=_digests(connection) if searched else frozenset(),
        troubles=(*_rows(connection, place, meta), *(_searching(connection, place) if searched else ())),
    )


def _rows(connection: sqlite3.Connection, place: Path, meta: dict[str, int]) -> Iterator[Trouble]:
    """What rows say that no run of ours can have written."""
    types, verbs = ",".join(map(str, NAMES)), ",".join(map(str, VERBS.values()))
    revision = meta["revision"]
    questions = {
        "facts of nobody": "fact WHERE owner NOT IN (SELECT id FROM owner)",
        "facts without a key": "fact WHERE symbol NOT IN (SELECT id FROM symbol)",
        "facts of an unknown kind": f"fact WHERE type NOT IN ({types})",
        "facts whose aspects cannot be read": "fact WHERE NOT json_valid(CAST(aspects AS TEXT))",
        "facts from the future": f"fact WHERE born > {revision + 1} OR died > {revision + 1}",
        "facts that died before they were born": "fact WHERE died < born",
        "relations of nobody": "relation WHERE owner NOT IN (SELECT id FROM owner)",
        "relations without an end": """relation WHERE first NOT IN (SELECT id FROM symbol)
            OR second NOT IN (SELECT id FROM symbol)""",
        "relations of an unknown kind": f"relation WHERE verb NOT IN ({verbs})",
        "relations from the future": f"relation WHERE born > {revision + 1} OR died > {revision + 1}",
        "owners whose notes cannot be read": """owner
            WHERE notes IS NOT NULL AND NOT json_valid(CAST(notes AS TEXT))""",
    }
    for words, condition in questions.items():
        if count := _count(connection, f"SELECT count(*) FROM {condition}"):
            yield Trouble(f"{place}: {count} {words}", _ANEW)
    if meta["pending"]:
        yield Trouble(
            f"{place}: a run was cut short before it published what it read",
            "The next run goes on with it.",
            damaged=False,
        )


def _searching(connection: sqlite3.Connection, place: Path) -> Iterator[Trouble]:
    anew = "`crossfact ask` makes it anew."
    passed, words = (
        _count(connection, f"SELECT count(*) FROM {table}") for table in ("passage", "words_docsize")
    )
    if passed != words:
        yield Trouble(f"{place}: the keyword index has {words} texts for {passed} facts", anew, damaged=False)
    lost = (
        """SELECT count(*) FROM passage WHERE vector IS NOT NULL AND vector NOT IN (SELECT id FROM vector)"""
    )
    if count := _count(connection, lost):
        yield Trouble(f"{place}: {count} vectors are gone", anew, damaged=False)
    lengths = [length for (length,) in connection.execute("SELECT DISTINCT length(numbers) FROM vector")]
    if len(lengths) > 1 or 0 in lengths:
        yield Trouble(f"{place}: vectors of several lengths", anew, damaged=False)


def _digests(connection: sqlite3.Connection) -> frozenset[bytes]:
    rows = connection.execute(
        "SELECT DISTINCT passage.digest FROM passage JOIN vector ON vector.id = passage.vector"
    )
    return frozenset(bytes(digest) for (digest,) in rows if digest is not None)


def _count(connection: sqlite3.Connection, sql: str) -> int:
    ((count,),) = connection.execute(sql)
    return int(count)
