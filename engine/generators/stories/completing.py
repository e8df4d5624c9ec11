"""The requests of a story as a test sends them: with all that is needed, and with names that no other test gives."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.scenes import Scene, any_path
from engine.generators.operations.stage import Stage
from engine.generators.source import literal
from engine.generators.values.distinct import distinct, tag_of
from graph.facts import Json
from planner.contracts.violations import keeps
from planner.stories.asked import Asked
from planner.stories.exchanges import Exchange, Listed, Source


def renamed(asked: Sequence[Asked], stage: Stage) -> list[Asked]:
    """The requests with other names for the things that people call by names of their choice, the same throughout.

    Services may refuse what is there already, and tests of one service may share what it keeps.
    """
    names: dict[str, str] = {}
    for number, each in enumerate(asked):
        for told, name in _others(each, stage, stage.tag).items():
            if name in names.values() and told not in names:  # What is told apart stays apart.
                name = _others(each, stage, tag_of(f"{stage.tag} {number}")).get(told, name)
            names.setdefault(told, name)
    kept = {text.casefold() for each in asked for text in _texts(each.exchange.body) if text not in names}
    # `GHENT` beside a `Ghent` that stays.
    names = {told: name for told, name in names.items() if told.casefold() not in kept}
    if not names:
        return list(asked)
    return [msgspec.structs.replace(each, exchange=_with_names(each.exchange, names)) for each in asked]


def _texts(value: Json) -> Iterator[str]:
    """All texts in a body."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _others(asked: Asked, stage: Stage, tag: str) -> dict[str, str]:
    """Other texts for those of a body by which a thing is told from others, where they are as they have to be."""
    body, operation = asked.exchange.body, asked.operation
    if not asked.exchange.completed or not isinstance(body, dict) or operation.body is None:
        return {}
    fields = operation.given()
    other = distinct(operation, body, tag, stage.naming(operation))
    return {
        told: str(other[name])
        for name, told in body.items()
        if isinstance(told, str) and told != other[name] and keeps(fields.get(name, {}), told)
    }


def completed(asked: Asked, stage: Stage, names: Sequence[str], shown: Collection[str] = ()) -> Asked:
    """The request with all that its operation needs beside what is told. Raises NoValueError.

    What may be left out is, where it is `shown` how it comes out: by default, as nobody speaks of it.
    What its body names of earlier answers is taken from them, each of which has a name in the test.
    """
    if not asked.exchange.completed:
        return asked
    made = {field: told_by(names, source) for field, source in asked.exchange.names.items()}
    usual = stage.request(asked.operation, Scene(path=any_path(asked.operation), references=made)).body
    told = asked.exchange.body
    if isinstance(usual, dict) and asked.operation.body is not None:
        needed = split_null(asked.operation.body.schema)[0].get("required", ())
        usual = {name: each for name, each in usual.items() if name in needed or name not in shown}
    whole = {**usual, **told} if isinstance(usual, dict) and isinstance(told, dict) else usual
    return msgspec.structs.replace(asked, exchange=msgspec.structs.replace(asked.exchange, body=whole))


def told_by(names: Sequence[str], source: Source) -> str:
    """The expression for the field of an earlier answer, by the name of each answer in the test."""
    return f"{names[source[0]]}.json()[{literal(source[1])}]"


def _with_names(exchange: Exchange, names: Mapping[str, str]) -> Exchange:
    return msgspec.structs.replace(
        exchange,
        body=_named(exchange.body, names),
        query={name: _named(each, names) for name, each in exchange.query.items()},
        answer=tuple(_named(each, names) for each in exchange.answer),
        listed=_listed(exchange.listed, names) if exchange.listed is not None else None,
    )


def _listed(told: Listed, names: Mapping[str, str]) -> Listed:
    values, among = (tuple(_named(each, names) for each in some) for some in (told.values, told.among))
    return msgspec.structs.replace(told, values=values, among=among)


def _named(value: Json, names: Mapping[str, str]) -> Json:
    if isinstance(value, dict):
        return {name: _named(each, names) for name, each in value.items()}
    if isinstance(value, list):
        return [_named(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value
