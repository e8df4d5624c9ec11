"""What is put into a list before it is read, so that it stands there."""

from __future__ import annotations

import msgspec

from engine.generators.operations.requests import answered, asked
from engine.generators.operations.scenes import Scene, content_of
from engine.generators.operations.stage import Stage
from engine.generators.source import literal
from engine.generators.values.schema_values import NoValueError
from planner.contracts.listed import acts_to_be_listed, listed_subject
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import called, collection_of, identity_of


def peopled(operation: Operation, stage: Stage) -> Scene:
    """The scene of an operation; before a list is read, something is put into it where an operation does so."""
    scene = stage.scene(operation)
    maker = stage.operations.get(f"POST {operation.path}") or _made_below(operation, stage)
    is_list = operation.method == "GET" and stage.list_in(operation) is not None
    if not is_list or maker is None or maker.success is None:
        return scene
    try:
        inner = stage.scene(maker)
        thing = called(operation.path)
        made = asked(thing, stage.request(maker, inner))
        shown = brought_into_list(operation, thing, inner, stage)
    except NoValueError:
        return scene
    control = f"assert {answered(thing, maker.success.status)}"
    return msgspec.structs.replace(
        scene,
        lines=(*inner.lines, *made, control, *shown),
        path={**inner.path, **scene.path},
        cites=(*inner.cites, maker.success.fact),
        others=inner.others,
    )


def _made_below(lister: Operation, stage: Stage) -> Operation | None:
    """What makes the things of a list below its path: `POST /comments/create` for `GET /comments`."""
    home = lister.path.strip("/")
    made = (
        each for each in stage.operations.values() if each.method == "POST" and each.path.strip("/") != home
    )
    return next((each for each in made if collection_of(each.path) == home), None)


def brought_into_list(lister: Operation, name: str, scene: Scene, stage: Stage) -> list[str]:
    """The lines that bring a thing, which the answer of this name tells of, to stand as those that a list shows.

    None for a list that shows all. Raises NoValueError where nothing tells what brings it there.
    """
    every = stage.operations.values()
    acts, subject = acts_to_be_listed(lister, every), listed_subject(lister, every)
    if acts is None or subject is None:
        if acts is None:
            raise NoValueError(f"how something comes to stand as {lister.key} lists it")
        return []
    lines: list[str] = []
    content = content_of(name, subject.maker.success)[0]
    for act in acts:
        parameter = PARAMETER.findall(act.path)[-1]
        key = identity_of(subject.maker, parameter)
        if key is None:
            raise NoValueError(f"what names a thing that {lister.key} lists")
        lines += brought_by(act, f"{content}[{literal(key)}]", scene, stage)
    return lines


def brought_by(act: Operation, name: str, scene: Scene, stage: Stage) -> list[str]:
    """The lines of an act on the thing that an expression names; the rest of its path is that of a scene."""
    path = {**scene.path, PARAMETER.findall(act.path)[-1]: name}
    there = msgspec.structs.replace(scene, lines=(), path=path)
    return [*stage.with_acts(there, [act]).lines]
