"""Makes what was written into the fact store visible as a new revision, and forgets what is too old."""

from __future__ import annotations

from graph.store import schema
from graph.store.dialect import Dialect


def publish_revision(dialect: Dialect, keep: int) -> int:
    """Publish all that was written since the last revision as a new one, and return its number.

    Rows that died more than `keep` revisions ago are removed. Where it fails, nothing is changed.
    """
    dialect.secure()
    dialect.begin()
    try:
        schema.ensure_indexes(dialect.execute)
        ((last,),) = dialect.execute("SELECT value FROM meta WHERE key = 'revision'")
        revision = int(last) + 1
        _find_collisions(dialect, revision)
        dialect.execute("UPDATE meta SET value = (SELECT coalesce(max(id), 0) FROM fact) WHERE key = 'seen'")
        for table in ("fact", "relation"):
            dialect.execute(f"DELETE FROM {table} WHERE died IS NOT NULL AND died <= ?", (revision - keep,))
        dialect.execute(
            """DELETE FROM owner WHERE reader = '' AND id NOT IN (SELECT owner FROM fact)
               AND id NOT IN (SELECT owner FROM relation)"""
        )
        dialect.execute("UPDATE meta SET value = ? WHERE key = 'revision'", (revision,))
        dialect.execute("UPDATE meta SET value = 0 WHERE key = 'pending'")
        dialect.commit()
    except BaseException:
        dialect.rollback()
        raise
    return revision


def _find_collisions(dialect: Dialect, revision: int) -> None:
    """Note the keys that several documents define, looking only at what this revision touched."""
    touched = f"""SELECT type, symbol FROM fact WHERE id > (SELECT value FROM meta WHERE key = 'seen')
                  UNION SELECT type, symbol FROM fact WHERE died = {revision}"""
    among = "" if revision == 1 else f"AND (type, fact.symbol) IN ({touched})"
    dialect.execute(f"DELETE FROM collision WHERE (type, symbol) IN ({touched})")
    dialect.execute(
        f"""INSERT INTO collision SELECT type, fact.symbol FROM fact JOIN owner ON owner.id = fact.owner
            WHERE died IS NULL {among}
            GROUP BY type, fact.symbol HAVING count(DISTINCT coalesce(path, owner.name)) > 1"""
    )
