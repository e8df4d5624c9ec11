"""Writes the facts of a store's published revision into a property graph that openCypher can be asked of.

A node is a fact: its label is the kind, its properties are those of `COMMON` (`aspects` as JSON text) and those that
`PROPERTIES` lists for its kind; what is empty is null. An edge is a relation: its type is the verb, `line confidence
reason` are its properties.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from graph.facts import Fact, Json, Kind, Relation, Verb
from graph.statements import statement
from graph.ties import NO_TIES, Ties

if TYPE_CHECKING:
    import ladybug

    from graph.store.store import Store

COMMON = {
    "id": "STRING",
    "tag": "STRING",
    "kind": "STRING",
    "key": "STRING",
    "name": "STRING",
    "path": "STRING",
    "line": "INT64",
    "end_line": "INT64",
    "statement": "STRING",
    "document": "STRING",
    "aspects": "STRING",
}
"""The properties of every node, with their types."""

PROPERTIES: dict[Kind, dict[str, tuple[str, str]]] = {
    Kind.OPERATION: {
        "method": ("STRING", "method"),
        "route": ("STRING", "path"),
        "operation_id": ("STRING", "operation_id"),
        "summary": ("STRING", "summary"),
        "deprecated": ("BOOLEAN", "deprecated"),
    },
    Kind.CALLBACK: {"method": ("STRING", "method"), "route": ("STRING", "path"), "of": ("STRING", "of")},
    Kind.PARAMETER: {"place": ("STRING", "in"), "required": ("BOOLEAN", "required")},
    Kind.BODY: {"media_type": ("STRING", "media_type"), "required": ("BOOLEAN", "required")},
    Kind.RESPONSE: {"status": ("STRING", "status"), "description": ("STRING", "description")},
    Kind.FIELD: {"required": ("BOOLEAN", "required")},
    Kind.FUNCTION: {
        "form": ("STRING", "kind"),
        "is_async": ("BOOLEAN", "async"),
        "returns": ("STRING", "returns"),
    },
    Kind.ATTRIBUTE: {"annotation": ("STRING", "annotation"), "value": ("STRING", "value")},
    Kind.STORY: {
        "title": ("STRING", "title"),
        "role": ("STRING", "role"),
        "want": ("STRING", "want"),
        "benefit": ("STRING", "benefit"),
        "priority": ("STRING", "priority"),
    },
    Kind.CRITERION: {"text": ("STRING", "text"), "title": ("STRING", "title")},
    Kind.TEST: {"framework": ("STRING", "framework")},
    Kind.COMMIT: {
        "author": ("STRING", "author"),
        "time": ("INT64", "time"),
        "subject": ("STRING", "subject"),
    },
}
"""The further properties of nodes per kind: name → type, and the aspect that it holds. Left out where it is unknown."""

_PYTHON_TYPES: dict[str, type] = {"STRING": str, "BOOLEAN": bool, "INT64": int}
_LONGEST = 1_000_000


def copy(store: Store, connection: ladybug.Connection, folder: Path, ties: Ties = NO_TIES) -> None:
    """Fill an empty graph database with the live facts and relations, and with concluded ones; `folder` takes the
    tables on their way.

    A table for each kind and each verb is made also where there is no such fact, so that a query for it gives nothing
    and no error.
    """
    kinds: dict[str, Kind] = {}
    by_reference: dict[str, list[str]] = {}
    rows: dict[Kind, list[list[Json]]] = {kind: [] for kind in Kind}
    for fact in store.facts():
        if fact.id in kinds:
            continue
        kinds[fact.id] = fact.kind
        by_reference.setdefault(f"{fact.tag}:*:{fact.key}", []).append(fact.id)
        rows[fact.kind].append(_node(fact))
    for kind, nodes in rows.items():
        further = {name: type_ for name, (type_, _) in PROPERTIES.get(kind, {}).items()}
        columns = ", ".join(f"`{name}` {type_}" for name, type_ in {**COMMON, **further}.items())
        connection.execute(f"CREATE NODE TABLE `{kind}`({columns}, PRIMARY KEY(id))")
        _load(connection, folder, str(kind), nodes)
    known = list(store.relations())
    told = {(each.verb, each.first, each.second) for each in known}
    known += [each for each in ties if (each.verb, each.first, each.second) not in told]
    _copy_relations(connection, folder, known, kinds, by_reference)


def _copy_relations(
    connection: ladybug.Connection,
    folder: Path,
    relations: Iterable[Relation],
    kinds: dict[str, Kind],
    by_reference: dict[str, list[str]],
) -> None:
    edges: dict[Verb, dict[tuple[Kind, Kind], list[list[Json]]]] = {verb: {} for verb in Verb}
    for relation in relations:
        for first in by_reference.get(relation.first, [relation.first]):
            for second in by_reference.get(relation.second, [relation.second]):
                if first in kinds and second in kinds:
                    ends = kinds[first], kinds[second]
                    edges[relation.verb].setdefault(ends, []).append(
                        [first, second, relation.line, relation.confidence, _clean(relation.reason)]
                    )
    for verb, groups in edges.items():
        pairs = sorted(groups) or [(Kind.MODULE, Kind.MODULE)]
        ends_of = ", ".join(f"FROM `{first}` TO `{second}`" for first, second in pairs)
        connection.execute(
            f"CREATE REL TABLE `{verb}`({ends_of}, `line` INT64, `confidence` DOUBLE, `reason` STRING)"
        )
        for (first_kind, second_kind), rows in sorted(groups.items()):
            _load(connection, folder, str(verb), rows, f", from='{first_kind}', to='{second_kind}'")


def _load(
    connection: ladybug.Connection, folder: Path, table: str, rows: Iterable[list[Json]], ends: str = ""
) -> None:
    if not rows:
        return
    place = folder / "rows.csv"
    with place.open("w", newline="", encoding="utf-8", errors="backslashreplace") as file:
        csv.writer(file).writerows(rows)
    quoted = str(place).replace("\\", "\\\\").replace("'", "\\'")
    # What is not said is guessed from the first rows, which may have nothing in quotes.
    form = "HEADER=false, PARALLEL=false, AUTO_DETECT=false, QUOTE='\"', ESCAPE='\"'"
    connection.execute(f"COPY `{table}` FROM '{quoted}' ({form}{ends})")
    place.unlink()


def _node(fact: Fact) -> list[Any]:
    aspects = msgspec.json.encode(fact.aspects).decode() if fact.aspects else ""
    return [
        *map(_clean, (fact.id, fact.tag, fact.kind, fact.key, fact.name, fact.source.path)),
        fact.source.line,
        fact.source.end_line,
        *map(_clean, (statement(fact), fact.document, aspects)),
        *_further(fact),
    ]


def _further(fact: Fact) -> Iterator[Json]:
    for type_, aspect in PROPERTIES.get(fact.kind, {}).values():
        value = fact.aspects.get(aspect)
        fits = isinstance(value, _PYTHON_TYPES[type_]) and (type_ == "BOOLEAN" or not isinstance(value, bool))
        yield (_clean(value) if isinstance(value, str) else value) if fits else None


def _clean(text: str) -> str:
    """Text as the database takes it: without null characters, and of a length that one row may have."""
    return str(text).replace("\0", "\\0")[:_LONGEST]
