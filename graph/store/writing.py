"""Writing into the fact store: what an owner said is compared with what it says now, and only changes are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import attrgetter

import msgspec

from graph.facts import Extract, Fact, Relation
from graph.store.records import TYPES, VERBS, Notes, Owner
from graph.store.schema import ensure_indexes
from graph.store.store import Store

_encode = msgspec.json.Encoder(order="deterministic").encode
_CHUNK = 500

_NEW_FACT = """INSERT INTO fact (owner, type, symbol, name, path, line, end_line, aspects, sources, born)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_NEW_RELATION = """INSERT INTO relation
    (owner, verb, first_type, first, second_type, second, line, confidence, reason, born)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""

_Identity = tuple[int, int]
_Place = tuple[int, int, str | None]
_Payload = tuple[str | None, str | None, int, int, bytes, str | None]
_Edge = tuple[int, int, int, int, int]
_Mark = tuple[int, float | None, str | None]
_line = attrgetter("line")


class Writer:
    """Writes owners one by one inside transactions; all of it belongs to the next revision."""

    def __init__(self, store: Store) -> None:
        self._dialect = store.dialect
        self._revision = store.revision + 1
        self._counted = False
        self._load()
        # An owner that was never there has no rows to compare with; without its index the look would be a scan.
        self._indexed = not self._owners

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """One durable step: everything written inside is kept whole, or not at all."""
        self._dialect.begin()
        self._counted = False
        try:
            if not self._indexed:
                ensure_indexes(self._dialect.execute)
            yield
            self._dialect.commit()
            self._indexed = True
        except BaseException:
            self._dialect.rollback()
            self._load()
            raise

    def _load(self) -> None:
        self._symbols: dict[str, int] = {}
        ((self._next_symbol, count),) = self._dialect.execute(
            "SELECT coalesce(max(id), 0) + 1, count(*) FROM symbol"
        )
        self._symbols_complete = count == 0
        self._owners: dict[str, int] = dict(self._dialect.execute("SELECT name, id FROM owner"))
        self._next_owner = max(self._owners.values(), default=0) + 1

    def touch(self, owner: Owner) -> None:
        """Keep an owner's new stat where its content is what it was; no revision comes of it."""
        self._dialect.execute(
            "UPDATE owner SET size = ?, modified = ? WHERE name = ?", (owner.size, owner.modified, owner.name)
        )

    def replace(self, owner: Owner, extract: Extract) -> None:
        """Make `extract` all that this owner says: new facts open, those gone or changed close."""
        self._count()
        known = owner.name in self._owners
        number = self._owner(owner, extract)
        ends = self._intern(extract)
        changed = self._replace_facts(number, owner.name, known, extract.facts)
        if self._replace_relations(number, known, extract.relations, ends) or changed:
            self._mark()

    def retract(self, names: Iterable[str]) -> None:
        """Close all rows of these owners and forget them."""
        for name in names:
            self._count()
            number = self._owners[name]
            # Rows stay for older revisions, and with them the owner's row, emptied.
            for table in ("fact", "relation"):
                self._close(table, [row for (row,) in self._live(table, number)])
            self._dialect.execute(
                "UPDATE owner SET digest = '', role = '', reader = '', inputs = NULL, notes = NULL WHERE id = ?",
                (number,),
            )
            self._mark()

    def _count(self) -> None:
        """Let `Store.writes` tell that an owner says something else now, once per transaction."""
        if not self._counted:
            self._counted = True
            self._dialect.execute("UPDATE meta SET value = value + 1 WHERE key = 'writes'")

    def _live(self, table: str, owner: int) -> Iterable[tuple[int]]:
        return self._dialect.execute(f"SELECT id FROM {table} WHERE owner = ? AND died IS NULL", (owner,))

    def _mark(self) -> None:
        self._dialect.execute("UPDATE meta SET value = 1 WHERE key = 'pending'")

    def _owner(self, owner: Owner, extract: Extract) -> int:
        notes = Notes(extract.skipped, extract.unknown, extract.defects, extract.suppressions)
        number = self._owners.get(owner.name)
        if number is None:
            number = self._owners[owner.name] = self._next_owner
            self._next_owner += 1
        self._dialect.execute(
            """INSERT INTO owner (id, name, size, modified, digest, role, module, reader, inputs, notes)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
               size = excluded.size, modified = excluded.modified, digest = excluded.digest, role = excluded.role,
               module = excluded.module, reader = excluded.reader, inputs = excluded.inputs,
               notes = excluded.notes""",
            (
                number,
                owner.name,
                owner.size,
                owner.modified,
                owner.digest,
                owner.role,
                owner.module,
                owner.reader,
                _encode(owner.inputs).decode() if owner.inputs else None,
                _encode(notes) if notes else None,
            ),
        )
        return number

    def _intern(self, extract: Extract) -> dict[str, _Identity]:
        """Give every key its symbol; what the ends of the relations are in integers, by their ids."""
        ends: dict[str, tuple[int, str]] = {}
        for relation in extract.relations:
            for identifier in (relation.first, relation.second):
                if identifier not in ends:
                    tag, kind, key = identifier.split(":", 2)
                    ends[identifier] = TYPES[tag, kind], key
        wanted = {fact.key for fact in extract.facts}
        wanted.update(key for _, key in ends.values())
        missing = [key for key in wanted if key not in self._symbols]
        if missing and not self._symbols_complete:
            for start in range(0, len(missing), _CHUNK):
                chunk = missing[start : start + _CHUNK]
                rows = self._dialect.execute(
                    f"SELECT key, id FROM symbol WHERE key IN ({','.join('?' * len(chunk))})", chunk
                )
                self._symbols.update(rows)
            missing = [key for key in missing if key not in self._symbols]
        rows_to_add = []
        for key in missing:
            self._symbols[key] = self._next_symbol
            rows_to_add.append((self._next_symbol, key))
            self._next_symbol += 1
        self._dialect.insert_many("INSERT INTO symbol (id, key) VALUES (?, ?)", rows_to_add)
        symbols = self._symbols
        return {identifier: (number, symbols[key]) for identifier, (number, key) in ends.items()}

    def _replace_facts(self, owner: int, name: str, known: bool, facts: list[Fact]) -> bool:
        # A resolver may find one key in two files: two applications that both answer `GET /health`.
        wanted: dict[_Place, _Payload] = {}
        for fact in facts:
            payload = _payload(fact, name)
            wanted[TYPES[fact.tag, fact.kind], self._symbols[fact.key], payload[1]] = payload
        changed = self._keep_equal(owner, wanted) if known else False
        self._dialect.insert_many(
            _NEW_FACT,
            ((owner, *place[:2], *payload, self._revision) for place, payload in wanted.items()),
        )
        return changed or bool(wanted)

    def _keep_equal(self, owner: int, wanted: dict[_Place, _Payload]) -> bool:
        """Drop from `wanted` what is there already, mend lines that moved, and close what differs or is gone.

        Returns whether anything was mended or closed.
        """
        closed, moved = [], []
        rows = self._dialect.execute(
            """SELECT id, type, symbol, name, path, line, end_line, aspects, sources
               FROM fact WHERE owner = ? AND died IS NULL""",
            (owner,),
        )
        for row, type_, symbol, *payload in rows:
            place = (type_, symbol, payload[1])
            new = wanted.get(place)
            if new is None or (new[0], *new[4:]) != (payload[0], *payload[4:]):
                closed.append(row)
                continue
            if new != tuple(payload):
                moved.append((new[2], new[3], row))
            del wanted[place]
        self._close("fact", closed)
        self._dialect.insert_many("UPDATE fact SET line = ?, end_line = ? WHERE id = ?", moved)
        return bool(closed or moved)

    def _replace_relations(
        self, owner: int, known: bool, relations: list[Relation], ends: dict[str, _Identity]
    ) -> bool:
        wanted: dict[_Edge, _Mark] = {}
        for relation in sorted(relations, key=_line, reverse=True):  # of equal edges the first line stays
            wanted[VERBS[relation.verb], *ends[relation.first], *ends[relation.second]] = (
                relation.line,
                None if relation.confidence == 1.0 else relation.confidence,
                relation.reason or None,
            )
        changed = self._keep_equal_relations(owner, wanted) if known else False
        self._dialect.insert_many(
            _NEW_RELATION, ((owner, *edge, *mark, self._revision) for edge, mark in wanted.items())
        )
        return changed or bool(wanted)

    def _keep_equal_relations(self, owner: int, wanted: dict[_Edge, _Mark]) -> bool:
        closed, moved = [], []
        rows = self._dialect.execute(
            """SELECT id, verb, first_type, first, second_type, second, line, confidence, reason
               FROM relation WHERE owner = ? AND died IS NULL""",
            (owner,),
        )
        for row, verb, first_type, first, second_type, second, *mark in rows:
            edge = (verb, first_type, first, second_type, second)
            new = wanted.get(edge)
            if new is None or new[1:] != tuple(mark[1:]):
                closed.append(row)
                continue
            if new[0] != mark[0]:
                moved.append((new[0], row))
            del wanted[edge]
        self._close("relation", closed)
        self._dialect.insert_many("UPDATE relation SET line = ? WHERE id = ?", moved)
        return bool(closed or moved)

    def _close(self, table: str, rows: list[int]) -> None:
        # What no revision has shown yet leaves no trace.
        self._dialect.insert_many(
            f"DELETE FROM {table} WHERE id = ? AND born = ?", ((row, self._revision) for row in rows)
        )
        self._dialect.insert_many(
            f"UPDATE {table} SET died = ? WHERE id = ?", ((self._revision, row) for row in rows)
        )


def _payload(fact: Fact, owner: str) -> _Payload:
    return (
        None if fact.name == fact.key else fact.name,
        None if fact.source.path == owner else fact.source.path,
        fact.source.line,
        fact.source.end_line,
        _encode(fact.aspects),
        _encode(fact.sources).decode() if fact.sources else None,
    )
