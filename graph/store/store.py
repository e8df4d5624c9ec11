"""The fact store: opened, asked for the live facts of the published revision, and published."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import msgspec

from graph.facts import Fact, Kind, Relation, Tag, Verb
from graph.store.dialect import Dialect, Sqlite
from graph.store.facts import read_by_key, read_facts, read_lost, read_written
from graph.store.records import NAMES, TYPES, VERBS, Notes, Owner, tag_and_kind, verb_of
from graph.store.relations import read_relations, read_relations_of

_decode_inputs = msgspec.json.Decoder(dict[str, str]).decode

KEPT = 20
"""How many revisions back the store can still be looked at as it was."""


class Store:
    """The facts of a project; a `FactSource` over the last published revision."""

    def __init__(self, dialect: Dialect, at: int | None = None) -> None:
        self.dialect = dialect
        self._at = at
        self._modules: tuple[int, dict[str, str]] = (-1, {})
        self._counted: tuple[int, dict[int, int]] = (-1, {})

    @classmethod
    def open(cls, path: Path | None) -> Store:
        """The store at `path`, created where there is none; in memory for `None`. Raises StoreError."""
        return cls(Sqlite(path))

    def close(self) -> None:
        """Release the database."""
        self.dialect.close()

    def at(self, revision: int) -> Store:
        """The same store as it was at an earlier revision, for reading only.

        Right for revisions from `oldest` on: what was gone before is not kept. What readers said beside facts
        (`notes`) is that of today, whatever the revision.
        """
        return Store(self.dialect, revision)

    @property
    def revision(self) -> int:
        """The number of the last published revision, or of the one that is looked at; 0 before the first."""
        if self._at is not None:
            return self._at
        revision = self._meta("revision")
        if revision != self._modules[0]:
            self._modules = (revision, {})
        return revision

    @property
    def oldest(self) -> int:
        """The first revision that can still be looked at as it was; 0 before the first."""
        return min(self._meta("revision"), max(1, self._meta("revision") - KEPT))

    @property
    def identity(self) -> int:
        """A number of this very store: one that was made anew has another."""
        return self._meta("identity")

    @property
    def writes(self) -> int:
        """How often what some owner says was written: while it stays, so does all that the store tells."""
        return self._meta("writes")

    def kept(self, name: str, key: str) -> bytes | None:
        """What was kept under this name, if that was done with this very key."""
        rows = self.dialect.execute("SELECT value FROM kept WHERE name = ? AND key = ?", (name, key))
        return next((bytes(value) for (value,) in rows), None)

    def keep(self, conclusions: Mapping[str, tuple[str, bytes]]) -> None:
        """Keep conclusions, each in the place of the one that has its name; what it was drawn from, its key tells.

        A look at an earlier revision keeps nothing.
        """
        if self._at is not None:
            return
        self.dialect.begin()
        try:
            for name, (key, value) in conclusions.items():
                self.dialect.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (name, key, value))
            self.dialect.commit()
        except BaseException:
            self.dialect.rollback()
            raise

    @property
    def pending(self) -> bool:
        """Whether rows were written that no revision shows yet."""
        return bool(self._meta("pending"))

    def _meta(self, key: str) -> int:
        ((value,),) = self.dialect.execute("SELECT value FROM meta WHERE key = ?", (key,))
        return int(value)

    def publish(self, keep: int = KEPT) -> int:
        """Make what was written since the last revision visible as one new revision, and return its number.

        Without a change there is no new revision. Rows that died more than `keep` revisions ago are removed.
        """
        if not self.pending:
            return self.revision
        # Most runs change nothing, and need not know how.
        from graph.store.publishing import publish_revision

        revision = publish_revision(self.dialect, keep)
        self._modules = (revision, {})
        return revision

    def owners(self) -> dict[str, Owner]:
        """Everything that rows belong to, by name, as last written (published or not)."""
        rows = self.dialect.execute(
            "SELECT name, size, modified, digest, role, module, reader, inputs FROM owner"
            " WHERE reader <> '' ORDER BY name"
        )
        return {
            row[0]: Owner(
                name=row[0],
                size=row[1],
                modified=row[2],
                digest=row[3],
                role=row[4],
                module=row[5],
                reader=row[6],
                inputs=_decode_inputs(row[7]) if row[7] else {},
            )
            for row in rows
        }

    def notes(self) -> Notes:
        """What all readers said beside facts, in a stable order."""
        total = Notes(skipped=[], unknown=[], defects=[], suppressions=[])
        decoder = None
        for (blob,) in self.dialect.execute("SELECT notes FROM owner WHERE notes IS NOT NULL ORDER BY name"):
            decoder = decoder or msgspec.json.Decoder(Notes)
            notes = decoder.decode(blob)
            total.skipped.extend(notes.skipped)
            total.unknown.extend(notes.unknown)
            total.defects.extend(notes.defects)
            total.suppressions.extend(notes.suppressions)
        return total

    def facts(
        self,
        *,
        tag: Tag | None = None,
        kinds: Collection[Kind] = (),
        modules: Collection[str] | None = None,
        having: str = "",
    ) -> Iterator[Fact]:
        """See `FactSource.facts`."""
        revision = self.revision
        numbers: list[int] | None = None
        if tag is not None or kinds:
            wanted = {
                TYPES[t, k] for t in ((tag,) if tag else tuple(Tag)) for k in (tuple(kinds) or tuple(Kind))
            }
            numbers = sorted(wanted & self._count(revision).keys())
        return iter(read_facts(self.dialect, revision, numbers, modules, having))

    def lost(self, other: int) -> list[Fact]:
        """The facts of this revision that another one does not have in the same form, in the order of their ids."""
        return read_lost(self.dialect, self.revision, other)

    def written(self, tag: Tag, kinds: Collection[Kind]) -> list[Fact]:
        """The facts of this tag and these kinds, with those that are not published yet, in the order of their ids."""
        return read_written(self.dialect, sorted(TYPES[tag, kind] for kind in kinds))

    def by_key(self, key: str) -> list[Fact]:
        """The facts of any tag and kind with exactly this key."""
        return read_by_key(self.dialect, self.revision, key)

    def named(self, identifier: str) -> list[Fact]:
        """The facts that an id means: one; all that share it where it is ambiguous; those of any kind for `*`."""
        tag, _, rest = identifier.partition(":")
        kind, _, key = rest.partition(":")
        facts = [f for f in self.by_key(key) if f.tag == tag and kind in (f.kind, "*")]
        if facts or "@" not in key:
            return facts
        key, _, document = key.rpartition("@")
        return [
            f for f in self.by_key(key) if f.tag == tag and kind in (f.kind, "*") and f.document == document
        ]

    def keys(self, tag: Tag | None = None) -> list[str]:
        """The ids of all facts, without documents: what an unknown id is compared with for a suggestion."""
        rows = self.dialect.execute(
            """SELECT DISTINCT type, key FROM fact JOIN symbol ON symbol.id = fact.symbol
               WHERE born <= ?1 AND (died IS NULL OR died > ?1)""",
            (self.revision,),
        )
        prefix = f"{tag}:" if tag else ""
        return sorted(i for i in (f"{NAMES[number]}:{key}" for number, key in rows) if i.startswith(prefix))

    def relations(self, verbs: Collection[Verb] = ()) -> Iterator[Relation]:
        """See `FactSource.relations`."""
        return iter(read_relations(self.dialect, self.revision, verbs))

    def relations_of(self, fact: Fact) -> list[Relation]:
        """The relations that start or end at a fact, references of unknown kind to its key included."""
        return read_relations_of(self.dialect, self.revision, fact)

    def module_of(self, fact: Fact) -> str:
        """See `FactSource.module_of`."""
        # Asked for every fact: the revision that facts were last read from will do, and needs no look at the database.
        modules = self._modules[1]
        if not modules:
            modules = dict(self.dialect.execute("SELECT name, module FROM owner WHERE module <> ''"))
            self._modules = (self.revision, modules)
        return modules.get(fact.source.path, "")

    def silent_modules(self) -> dict[str, str]:
        """The paths of code from which nothing could be read, with the modules that they are.

        Rows that are not published yet count.
        """
        rows = self.dialect.execute(
            """SELECT name, module FROM owner WHERE module <> '' AND reader <> '' AND name NOT LIKE '%.pyi'
               AND NOT EXISTS (SELECT 1 FROM fact WHERE fact.owner = owner.id AND died IS NULL) ORDER BY name"""
        )
        return dict(rows)

    def importing(self, packages: Collection[str], role: str) -> list[tuple[str, str]]:
        """The modules of this role that import one of these packages or a part of it, each with its path, sorted.

        Rows that are not published yet count.
        """
        symbols: list[int] = []
        for package in packages:
            named = self.dialect.execute(
                "SELECT id FROM symbol WHERE key = ?1 OR (key >= ?1 || '.' AND key < ?1 || '/')", (package,)
            )
            symbols.extend(symbol for (symbol,) in named)
        if not symbols:
            return []
        found = self.dialect.execute(
            f"""SELECT DISTINCT owner.module, owner.name FROM relation JOIN owner ON owner.id = relation.owner
                WHERE relation.second IN ({",".join(map(str, symbols))})
                AND relation.verb = ?1 AND relation.died IS NULL AND owner.role = ?2""",
            (VERBS[Verb.IMPORTS], role),
        )
        return sorted(found)

    def imports(self, role: str) -> list[tuple[str, str, str]]:
        """What the modules of this role import, each with the module and its path, sorted.

        Rows that are not published yet count.
        """
        found = self.dialect.execute(
            """SELECT DISTINCT symbol.key, owner.module, owner.name FROM relation
               JOIN owner ON owner.id = relation.owner JOIN symbol ON symbol.id = relation.second
               WHERE relation.verb = ?1 AND relation.died IS NULL AND owner.role = ?2""",
            (VERBS[Verb.IMPORTS], role),
        )
        return sorted(found)

    def counts(self) -> dict[str, dict[str, int]]:
        """How many live facts there are, per tag and kind (only those that are not zero)."""
        counts: dict[str, dict[str, int]] = {}
        for number, count in self._count(self.revision).items():
            tag, kind = tag_and_kind(number)
            counts.setdefault(tag, {})[kind] = count
        return counts

    def _count(self, revision: int) -> dict[int, int]:
        """How many live facts of each type a revision has; what was published does not change any more."""
        if self._counted[0] != revision:
            rows = self.dialect.execute(
                """SELECT type, count(*) FROM fact WHERE born <= ?1 AND (died IS NULL OR died > ?1)
                   GROUP BY type ORDER BY type""",
                (revision,),
            )
            self._counted = (revision, dict(rows))
        return self._counted[1]

    def sources(self) -> int:
        """How many files some live fact was read from."""
        ((count,),) = self.dialect.execute(
            """SELECT count(DISTINCT coalesce(path, owner.name)) FROM fact JOIN owner ON owner.id = fact.owner
               WHERE born <= ?1 AND (died IS NULL OR died > ?1) AND role NOT IN ('history')""",
            (self.revision,),
        )
        return int(count)

    def relation_counts(self) -> dict[str, int]:
        """How many live relations there are per verb (only those that are not zero)."""
        rows = self.dialect.execute(
            """SELECT verb, count(*) FROM relation WHERE born <= ?1 AND (died IS NULL OR died > ?1)
               GROUP BY verb ORDER BY verb""",
            (self.revision,),
        )
        return {verb_of(number): count for number, count in rows}
