"""What comes before a wrong request, so that its refusal has no other reason than the one thing that is wrong."""

from __future__ import annotations

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.parts import control, ready
from engine.generators.operations.requests import Sent
from engine.generators.operations.scenes import Scene
from engine.generators.operations.stage import Stage
from engine.generators.values.schema_values import NoValueError
from planner.contracts.lifecycles import brought_about
from planner.contracts.operations import Member, Operation
from planner.contracts.readiness import unready_as_made
from planner.contracts.states import is_vague, makes_first, statuses_of_invalid, unready


def before(operation: Operation, stage: Stage, member: Member | None = None) -> tuple[Scene, Sent, list[str]]:
    """What comes before a wrong request: the scene, the right request, and the control that it is taken.

    The right request has what the member stands in, also where that may be left out.
    Where nothing makes what the path names, and the contract tells invalid requests from missing things by their
    status, the wrong request needs no more than a path of valid names: it is refused before anything is looked up,
    unless a 404 is documented beside a 422 that no framework gives by itself.
    """
    try:
        scene, sent = ready(operation, stage)
    except NoValueError:
        if "422" not in statuses_of_invalid(operation) or _may_look_first(operation):
            raise
        scene = stage.anywhere(operation)
        return scene, carrying(stage.request(operation, scene), member, scene, stage), []
    sent = carrying(sent, member, scene, stage)
    # What may be refused as things stand is no control; a wrong request is refused before anybody looks how they do.
    refusal = unready(operation)
    is_sure = (
        refusal is None
        or makes_first(operation)
        or (not is_vague(refusal) and _stays_ready(operation, stage))
    )
    taken = control(operation, sent) if is_sure else []
    if taken and operation.method == "POST" and _may_refuse_twins(operation):
        # A second thing of the same name may be refused for that, before anybody looks at the rest.
        sent = carrying(stage.of(f"{stage.tag} another").request(operation, scene), member, scene, stage)
    return scene, sent, taken


def _may_refuse_twins(operation: Operation) -> bool:
    """Whether a second thing of the same name may be refused like what is invalid, or before anybody looks for that."""
    has_conflict = any(each.status == "409" for each in operation.answers)
    return has_conflict or "422" not in statuses_of_invalid(operation)


def _stays_ready(operation: Operation, stage: Stage) -> bool:
    """Whether a request is taken as things stand, and another one after it."""
    every = stage.operations.values()
    return unready_as_made(operation, every) is None and brought_about(operation, every) is None


def _may_look_first(operation: Operation) -> bool:
    """Whether a service that is written by hand may look up what a path names before it reads the request."""
    told = {answer.status: answer for answer in operation.answers}
    places = split_null(told["422"].schema or {})[0].get("properties", {}).get("detail", {})
    by_itself = "loc" in (split_null(places)[0].get("items") or {}).get("properties", {})
    return "404" in told and "{" in operation.path and not by_itself


def carrying(sent: Sent, member: Member | None, scene: Scene, stage: Stage) -> Sent:
    """The request; with all that may be left out where a field stands in something that is."""
    if member is None or member.location != "body" or len(member.path) < 3 or not isinstance(sent.body, dict):
        return sent
    if member.path[1] in sent.body or member.path[1] == "[]":
        return sent
    whole = stage.request(sent.operation, scene, whole=True)
    if not isinstance(whole.body, dict) or member.path[1] not in whole.body:
        return sent
    return msgspec.structs.replace(sent, body={**sent.body, member.path[1]: whole.body[member.path[1]]})
