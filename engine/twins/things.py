"""What a twin keeps: the things that were made, by the path of their collection and by what identifies them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from crossval.compare.components import split_null
from engine.twins.asked import Asked
from graph.facts import Json
from planner.contracts.chosen_names import named_by_client, putter_of, value_at
from planner.contracts.envelopes import unwrapped
from planner.contracts.joining import home_of_joined, joiner_of
from planner.contracts.listed_things import hidden_identity
from planner.contracts.operations import Answer, Move, Operation, Refusal
from planner.contracts.paths import PARAMETER, matched
from planner.contracts.resources import (
    called,
    collection_of,
    home_of,
    identities,
    is_text,
    numbered_as,
    takes_number,
)

_IDENTITIES = ("id", "uuid", "slug")
_NOWHERE = frozenset({"999999999", "00000000-0000-4000-8000-000000000000", "no-such-thing"})
"""Names that no twin knows, also where nothing makes what a path names, so that all else is there."""


class Things:
    """The things of one twin; `operations` say which collections there are, numbers of new things begin at `first`.

    `hidden` is what only a list shows of what a request makes: the field that identifies it and its schema, by request.
    """

    def __init__(self, operations: tuple[Operation, ...], first: int) -> None:
        self._operations = operations
        self._kept: dict[str, dict[str, dict[str, Any]]] = {}
        self._sent: dict[str, list[Any]] = {}
        self._put: dict[str, dict[str, Any]] = {}
        self._next = first
        self._made: dict[str, Any] | None = None
        self._of_stranger: list[dict[str, Any]] = []
        self._removed: dict[str, Any] | None = None
        self._changes: dict[int, list[tuple[dict[str, Any], str, Any]]] = {}
        self.hidden = {
            each.key: found
            for each in operations
            if each.method == "POST" and (found := hidden_identity(each, operations)) is not None
        }
        self._homes = {
            each.key: home
            for each in operations
            if each.method == "POST" and (home := home_of(each, operations))
        }

    def below(self, collection: str) -> dict[str, dict[str, Any]]:
        """What is kept of a collection, by what identifies each; changing it changes what is kept."""
        return self._kept.setdefault(collection, {})

    def keep(self, operation: Operation, collection: str, key: str, thing: dict[str, Any]) -> None:
        """Keep what an operation made in a collection, also where it is found on its own."""
        self.below(collection)[key] = self._made = thing
        if home := self._homes.get(operation.key):
            self.below(home)[key] = thing

    def remove(self, thing: dict[str, Any]) -> None:
        """Keep a thing no more, wherever it is found."""
        self._removed = thing
        for below in self._kept.values():
            for key in [key for key, each in below.items() if each is thing]:
                del below[key]

    def was_sent(self, path: str, body: Any) -> bool:
        """Whether the same body was sent to this path before; it is remembered."""
        sent = self._sent.setdefault(path, [])
        if body in sent:
            return True
        sent.append(body)
        return False

    def at(self, path: str) -> dict[str, Any]:
        """What was put to a path below which nothing is made; changing it changes what is kept."""
        return self._put.setdefault(path, {})

    def makes(self, collection: str) -> bool:
        """Whether some operation makes things below this collection, so that what is not made does not exist."""
        return (
            collection in self._homes.values()
            or self.is_named_by_clients(collection)
            or any(
                each.method == "POST" and matched(each.path, collection) is not None
                for each in self._operations
            )
        )

    def is_named_by_clients(self, collection: str) -> bool:
        """Whether a PUT makes the things below this collection, under names that clients choose."""
        for each, _, name in self._puts(collection):
            return putter_of(each.path, name, self._operations) is not None
        return False

    def put(self, collection: str, key: str, answer: Answer, given: dict[str, Any]) -> None:
        """Keep what was put under a name, with the field that shows the name."""
        shown = unwrapped(answer.schema)[1].get("properties", {})
        own = next((name for name in identities("", called(collection)) if name in shown), None)
        for _, above, parameter in self._puts(collection):
            own = next((n for n in identities(parameter, called(above)) if n in shown), own)
        name: dict[str, Any] = {}
        if own is not None and own not in given:
            is_number = split_null(shown[own])[0].get("type") == "integer"
            name = {own: int(key) if is_number and key.isdigit() else key}
        self.below(collection)[key] = {**given, **name}

    def _puts(self, collection: str) -> Iterator[tuple[Operation, str, str]]:
        """The PUTs of single things below a collection, each with the path of that and the parameter of the thing."""
        for each in self._operations:
            above, _, last = each.path.rstrip("/").rpartition("/")
            if each.method == "PUT" and last.startswith("{") and matched(above, collection) is not None:
                yield each, above, last.strip("{}")

    def lacks_owner(self, operation: Operation, values: dict[str, str]) -> bool:
        """Whether a path goes through something that does not exist, and the contract says how that is answered."""
        if not any(answer.status in ("404", "410") for answer in operation.answers):
            return False
        walked = ""
        *before, last = operation.path.strip("/").split("/")
        if last.startswith("{") and values.get(last.strip("{}"), "") in _NOWHERE:
            return True
        for part in before:
            if part.startswith("{") and self.makes(walked):
                if values.get(part.strip("{}"), "") not in self._kept.get(walked, {}):
                    return True
                walked += f"/{values[part.strip('{}')]}"
            else:
                walked += f"/{values.get(part.strip('{}'), part)}"
        return self._lacks_joined(operation, unquote(values.get(last.strip("{}"), "")))

    def _lacks_joined(self, operation: Operation, name: str) -> bool:
        """Whether a request is to put something that was not made into a thing."""
        joiner = joiner_of(operation.path, self._operations)
        home = home_of_joined(operation.path, self._operations) if joiner is not None else None
        return (
            home is not None and operation.method in ("PUT", "POST") and name not in self._kept.get(home, {})
        )

    def move(self, operation: Operation, asked: Asked) -> None:
        """Change the numbers of the thing that a path names last as a request for an operation does, or back again."""
        if operation.undoes and self._removed is not None:
            for owner, field, change in self._changes.pop(id(self._removed), ()):
                owner[field] -= change
        thing = self.named_last(operation, asked)
        body = asked.body if isinstance(asked.body, dict) else {}
        own, sent = thing, body
        for each in operation.moves:
            thing = self._moved(each, own, sent) if each.through else own
            amount, before = (
                body.get(each.by, 0) if isinstance(each.by, str) else each.by,
                thing.get(each.field),
            )
            if isinstance(amount, int | float) and isinstance(before, int | float):
                thing[each.field] = before + each.sign * amount
                self._changes.setdefault(id(self._made), []).append((thing, each.field, each.sign * amount))

    def _moved(self, move: Move, own: dict[str, Any], sent: dict[str, Any]) -> dict[str, Any]:
        """The other thing of which a request changes a number; changing it changes what is kept."""
        name = sent.get(move.through, own.get(move.through))
        return self._kept.get(f"/{collection_of(move.maker.partition(' ')[2])}", {}).get(str(name), {})

    def refusal(self, operation: Operation, asked: Asked) -> Refusal | None:
        """What the operation refuses of the thing that a path names last, as that stands."""
        thing = self.named_last(operation, asked)
        if not thing:
            return None
        told = ((each, thing.get(each.field) == each.value) for each in operation.refuses)
        return next((each for each, is_so in told if is_so is not each.otherwise), None)

    def barred(self, operation: Operation, asked: Asked) -> str | None:
        """The status with which other things keep a request from being taken; None where none does."""
        body, thing = (asked.body if isinstance(asked.body, dict) else {}), self.named_last(operation, asked)
        above, _, name = asked.path.rstrip("/").rpartition("/")
        for each in operation.barriers:
            if each.how == "undone" and thing and not self._kept.get(f"{above}{each.collection}"):
                return each.status
            held = self._kept.get(each.collection if each.field else f"{asked.path}{each.collection}", {})
            if each.how == "held" and any(
                not each.field or str(one.get(each.field)) == name for one in held.values()
            ):
                return each.status
            there = thing.get(each.field)
            if each.how == "not zero" and there:
                return each.status
            if each.how == "exceeded" and there is not None and body.get(each.amount, 0) > there:
                return each.status
            there_are, named = self._kept.get(each.collection, {}), str(body.get(each.field))
            if each.how == "lacking" and (named in _NOWHERE or (there_are and named not in there_are)):
                return each.status
        return None

    @contextlib.contextmanager
    def made_by(self, is_stranger: bool) -> Iterator[None]:
        """What is made meanwhile is the second caller's, where that is who asks."""
        before = self._made
        yield
        if is_stranger and self._made is not None and self._made is not before:
            self._of_stranger.append(self._made)

    def is_own(self, operation: Operation, asked: Asked, is_stranger: bool) -> bool:
        """Whether who asks made the thing that a path names last; nobody made what there is none of."""
        thing = self.named_last(operation, asked)
        return bool(thing) and any(each is thing for each in self._of_stranger) is is_stranger

    def is_kept(self, operation: Operation, asked: Asked) -> bool:
        """Whether the thing that a path names last was made."""
        return bool(self.named_last(operation, asked))

    def named_last(self, operation: Operation, asked: Asked) -> dict[str, Any]:
        """The thing that a path names last; changing it changes what is kept, empty where it was not made."""
        last = max((n for n, each in enumerate(operation.path.split("/")) if each.startswith("{")), default=0)
        parts = asked.path.split("/")
        return self._kept.get("/".join(parts[:last]), {}).get(unquote(parts[last]), {}) if last else {}

    def key(self, path: str, answer: Answer, thing: Any) -> str | None:
        """The field that identifies a made thing, also where the contract lets an answer leave it out."""
        if not isinstance(thing, dict):
            return None
        shown = unwrapped(answer.schema)[1].get("properties", {})
        makers = (
            each
            for each in self._operations
            if each.method == "POST" and matched(each.path, path) is not None
        )
        numbered = next((name for each in makers if (name := numbered_as(each)) is not None), None)
        return next(self._identities(path, {**shown, **thing}), numbered)

    def chosen(self, path: str, sent: dict[str, Any]) -> str:
        """The name that a client chose for what it sent, where no answer tells one; empty where there is none."""
        for operation in self._operations:
            above, _, last = operation.path.rstrip("/").rpartition("/")
            if last.startswith("{") and matched(above, f"/{collection_of(path)}") is not None:
                found = named_by_client(operation.path, last.strip("{}"), self._operations)
                name = value_at(sent, found[1]) if found is not None else None
                if name is not None:
                    return str(name)
        return ""

    def _identities(self, path: str, thing: dict[str, Any]) -> Iterator[str]:
        """The fields of a made thing that may identify it: those that a path names, also where it stands by itself."""
        homes = [
            self._homes[each.key]
            for each in self._operations
            if each.key in self._homes and matched(each.path, path) is not None
        ]
        for operation in self._operations:
            for name in PARAMETER.findall(operation.path):
                above = operation.path.partition(f"/{{{name}}}")[0]
                if any(matched(above, place) is not None for place in (path, *homes)):
                    as_number = takes_number(operation.path, name, [operation])
                    told = (each for each in identities(name, called(above)) if each in thing)
                    yield from (each for each in told if not (as_number and _is_text(thing[each])))
        yield from (each for each in _IDENTITIES if each in thing)

    def identity(self, schema: dict[str, Json]) -> Json:
        """A new identity, of the schema's type: a text is the number by which a field of another thing may name it."""
        plain, _ = split_null(schema)
        self._next += 1
        if plain.get("format") == "uuid":
            return f"3f2b8c1e-9d4a-4e6b-8a7c-{self._next:012d}"
        return self._next - 1 if plain.get("type") in ("integer", "number") else str(self._next - 1)


def _is_text(value: Any) -> bool:
    """Whether a value, or the schema that is there for it, is a text."""
    return is_text(value) if isinstance(value, dict) else isinstance(value, str)
