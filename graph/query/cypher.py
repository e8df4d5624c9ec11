"""openCypher on a read-only copy of the fact graph, kept per revision beside the store."""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph.digests import sha256
from graph.errors import UsageError
from graph.facts import Json
from graph.query.guard import refuse_effects
from graph.query.table import Limits, Table
from graph.ties import NO_TIES, Ties

if TYPE_CHECKING:
    import ladybug

    from graph.store.store import Store

_FORM = 2
"""Raised when `graph/query/copying.py` writes the graph in another form."""

_PLACE = re.compile(r"\(line: (\d+), offset: (\d+)\)")
_KIND_OF_ERROR = re.compile(
    r"^(?:Parser|Binder|Runtime|Catalog|Connection|Interrupt\w*) ?exception: ", re.IGNORECASE
)
_UNKNOWN_TABLE = re.compile(r"Table (\S+) does not exist")


_NAMES = {"_LABEL": "label", "_NODES": "nodes", "_RELS": "relations"}
_INNER = frozenset({"_ID", "_SRC", "_DST"})


def ask(store: Store, query: str, limits: Limits, folder: Path | None, ties: Ties = NO_TIES) -> Table:
    """The rows that an openCypher query gives on the published revision with these concluded relations.

    `folder` keeps the copy of the graph between runs; without one it lives for this question only. Raises UsageError
    for a query that cannot be read, that has effects, or that takes longer than the limit.
    """
    refuse_effects(query)
    with contextlib.ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="crossfact-")))
        with _opened(_kept(store, folder, ties), read_only=True) as connection:
            connection.set_query_timeout(max(1, int(limits.seconds * 1000)))
            try:
                return _table(connection.execute(query), limits.rows)
            except RuntimeError as error:
                raise _wrong(query, str(error), limits) from error


def _kept(store: Store, folder: Path, ties: Ties) -> Path:
    """The copy of the published revision, made where there is none yet; older ones are removed."""
    ((facts,),) = store.dialect.execute("SELECT coalesce(max(id), 0) FROM fact")
    ((relations,),) = store.dialect.execute("SELECT coalesce(max(id), 0) FROM relation")
    concluded = sha256(repr(list(ties)).encode("utf-8", "replace")).hexdigest()[:12]
    place = folder / f"graph-{_FORM}-{store.identity}-{store.revision}-{facts}-{relations}-{concluded}.lbug"
    if place.is_file():
        return place
    from graph.query.copying import copy

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix="making-", dir=folder))
    try:
        with _opened(draft / "graph.lbug", read_only=False) as connection:
            copy(store, connection, draft, ties)
        (draft / "graph.lbug").replace(place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    for other in folder.glob("graph-*.lbug*"):
        if other != place:
            other.unlink(missing_ok=True)
    return place


@contextlib.contextmanager
def _opened(place: Path, *, read_only: bool) -> Iterator[ladybug.Connection]:
    try:
        import ladybug
    except ImportError as error:
        raise UsageError(
            "openCypher needs the package `ladybug`, which is not installed",
            "Install crossfact with it: pip install 'crossfact[cypher]'; or ask with --sql.",
        ) from error
    database = ladybug.Database(str(place), read_only=read_only)
    connection = ladybug.Connection(database)
    try:
        yield connection
    finally:
        connection.close()
        database.close()


def _table(result: Any, limit: int) -> Table:
    columns = tuple(map(str, result.get_column_names()))
    rows: list[tuple[Json, ...]] = []
    while result.has_next():
        if len(rows) == limit:
            return Table(columns, tuple(rows), cut=True)
        rows.append(tuple(_json(value) for value in result.get_next()))
    return Table(columns, tuple(rows))


def _json(value: Any) -> Json:
    """A value of the graph as JSON: nodes and edges with `label` and their properties, a path as both in turn."""
    if isinstance(value, dict):
        return {
            _NAMES.get(name, name): _json(part)
            for name, part in value.items()
            if name not in _INNER and part is not None
        }
    if isinstance(value, list | tuple):
        return [_json(part) for part in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def _wrong(query: str, message: str, limits: Limits) -> UsageError:
    if message.startswith("Interrupted"):
        return UsageError(
            f"the query took longer than {limits.seconds:g} seconds",
            "Narrow it by a label, a property or a shorter path, or allow more with --timeout.",
        )
    first = _UNKNOWN_TABLE.sub(
        r"there is no label or relation \1", _KIND_OF_ERROR.sub("", message.splitlines()[0])
    )
    place = _PLACE.search(first)
    if place is None:
        return UsageError(f"query: {first}", _remedy(first))
    line, column = int(place[1]), int(place[2]) + 1
    shown = query.splitlines()[line - 1] if line <= len(query.splitlines()) else ""
    what = _PLACE.sub("", first).replace("oC_SingleQuery", "a query").strip()
    return UsageError(f"query, line {line}, column {column}: {what}\n    {shown}\n    {' ' * (column - 1)}^")


def _remedy(message: str) -> str:
    if "function TYPE does not exist" in message:
        return "The type of a relation is label(r)."
    if "there is no label" in message:
        from graph.facts import Kind, Verb

        return f"Labels are {', '.join(Kind)}; relations are {', '.join(Verb)}."
    if "Cannot find property" in message:
        return "docs/QUERIES.md lists the properties of each label."
    return ""
