"""The kinds of things that a contract is about, with the operations that make, list, read, change and remove each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.envelopes import unwrapped
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import called, identity_of, list_place, maker_of, takes_number

TITLES = ("title", "name", "label", "subject", "text", "description")
"""The fields that say in free words what a thing is, the likeliest first."""


class Thing(msgspec.Struct, frozen=True):
    """One kind of thing: its noun, and the operations that make, list, read, change and remove it."""

    noun: str
    maker: Operation
    lister: Operation | None = None
    reader: Operation | None = None
    changer: Operation | None = None
    remover: Operation | None = None

    def operations(self) -> list[Operation]:
        """Those that there are."""
        every = (self.maker, self.lister, self.reader, self.changer, self.remover)
        return [each for each in every if each is not None]

    def single(self) -> Operation | None:
        """An operation on one of them: what reads it, else what changes or removes it."""
        return self.reader or self.changer or self.remover

    def key(self) -> str | None:
        """The field of a new thing's answer that identifies it, as the path of one of them names it; else an id."""
        single = self.single()
        names = PARAMETER.findall(single.path) if single is not None else []
        if single is None or not names:
            return identity_of(self.maker, "id")
        as_number = takes_number(single.path, names[-1], [single])
        return identity_of(self.maker, names[-1], as_number=as_number)

    def shown(self) -> dict[str, Json]:
        """The fields that a new thing is answered with."""
        return _properties(unwrapped(self.maker.success.schema if self.maker.success else None)[1])

    def given(self) -> dict[str, Json]:
        """The fields that a new thing is made of."""
        return _properties(self.maker.body.schema if self.maker.body else None)

    def changes(self) -> dict[str, Json]:
        """The fields that can be changed."""
        return _properties(self.changer.body.schema if self.changer and self.changer.body else None)

    def title(self) -> str | None:
        """The field that says in free words what it is."""
        texts = [
            name
            for name, each in self.given().items()
            if split_null(each)[0].get("type") == "string" and not {"enum", "format", "pattern"} & set(each)
        ]
        return next((name for name in TITLES if name in texts), texts[0] if texts else None)


def things(operations: Iterable[Operation]) -> list[Thing]:
    """The things that some operation makes, in the order of their makers."""
    by_key = {operation.key: operation for operation in operations}
    elsewhere = dict(_makers_of_single(by_key.values()))
    above = {each.path.rpartition("/{")[0] for each in by_key.values() if each.path.endswith("}")}
    found = []
    for maker in by_key.values():
        if maker.method != "POST" or maker.success is None:
            continue
        lister = by_key.get(f"GET {maker.path}")
        single = {each.method: each for each in by_key.values() if _is_of(each, maker, elsewhere, above)}
        if not single and (lister is None or list_place(lister) is None or maker.body is None):
            continue
        found.append(
            Thing(
                noun=called(maker.path).replace("_", ""),
                maker=maker,
                lister=lister if lister is not None and list_place(lister) is not None else None,
                reader=single.get("GET"),
                changer=single.get("PATCH") or single.get("PUT"),
                remover=single.get("DELETE"),
            )
        )
    return found


def is_single(path: str, collection: str) -> bool:
    """Whether a path is that of one of the things of a collection."""
    whole = path.rstrip("/")
    rest = whole.removeprefix(collection.rstrip("/"))
    return rest != whole and rest.count("/") == 1 and rest.startswith("/{") and rest.endswith("}")


def _is_of(
    operation: Operation, maker: Operation, elsewhere: Mapping[str, str], above: Collection[str]
) -> bool:
    """Whether an operation is about one of the things that another makes, also where these have a path of their own.

    `above` are the paths below which single things are found: what is found there is not found elsewhere.
    """
    if is_single(operation.path, maker.path):
        return True
    is_elsewhere = "{" in maker.path or maker.path.rstrip("/") not in above
    return is_elsewhere and elsewhere.get(operation.key) == maker.key


def _makers_of_single(operations: Collection[Operation]) -> Iterator[tuple[str, str]]:
    """The keys of operations on one thing whose path names nothing else, each with that of what makes the thing."""
    for each in operations:
        names = PARAMETER.findall(each.path)
        if len(names) == 1 and each.path.rstrip("/").endswith("}"):
            found = maker_of(each.path, names[0], operations)
            if found is not None:
                yield each.key, found[0].key


def _properties(schema: dict[str, Json] | None) -> dict[str, Json]:
    found = split_null(schema or {})[0].get("properties", {})
    return found if isinstance(found, dict) else {}
