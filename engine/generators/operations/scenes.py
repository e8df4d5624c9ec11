"""What a test arranges before its request, and the parts of requests and answers that it is put together from."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from engine.generators.source import literal
from engine.generators.values.schema_values import valid
from graph.facts import Json
from planner.contracts.envelopes import unwrapped
from planner.contracts.free_choices import is_prose
from planner.contracts.operations import Answer, Member, Operation
from planner.contracts.paths import PARAMETER

"""A parameter in a path."""
_STANDING = re.compile(r"(?i)^(status|state)$")


class Scene(msgspec.Struct, frozen=True):
    """What a test arranges: the lines that make what must exist, and the expressions that fill the path's parameters.

    `cites` are the facts that the lines rest on; `created` is the expression for the last thing that was made, if any,
    `sent` the body that made it and `shown` the fields that its answer surely has. `references` are fields of the body
    that name other things, as expressions, `others` the parameters of the path that name what the second caller made.
    """

    lines: tuple[str, ...] = ()
    path: Mapping[str, str] = {}
    cites: tuple[str, ...] = ()
    created: str = ""
    sent: Json = None
    shown: tuple[str, ...] = ()
    references: Mapping[str, str] = {}
    others: frozenset[str] = frozenset()


def content_of(name: str, answer: Answer | None) -> tuple[str, dict[str, Json]]:
    """The expression for what an answer of this name tells of, out of its envelope, and the schema of that."""
    place, schema = unwrapped(answer.schema if answer is not None else None)
    return f"{name}.json()[{literal(place)}]" if place else f"{name}.json()", schema


def any_path(operation: Operation) -> dict[str, str]:
    """Some valid value for each parameter of a path. Raises NoValueError where one has none."""
    path = {}
    for name in PARAMETER.findall(operation.path):
        member = path_member(operation, name)
        path[name] = repr(valid(member.schema if member is not None else {"type": "string"}, name))
    return path


def path_member(operation: Operation, name: str) -> Member | None:
    """The path parameter of this name."""
    return next((m for m in operation.parameters if m.location == "path" and m.name == name), None)


def one_of(optional: dict[str, Json]) -> dict[str, Json]:
    """One field of those that a change may have, a text if there is one: a change of nothing may be refused.

    One that people write as they like comes first: a time may have to come after another one.
    """
    texts = [name for name, each in optional.items() if isinstance(each, str) and not _STANDING.search(name)]
    return {name: optional[name] for name in [*filter(is_prose, texts), *texts, *optional][:1]}
