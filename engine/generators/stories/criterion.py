"""Tests of what a criterion claims: its words are the docstring, its claim the assertion."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from engine.generators.functions.facts import Surfaces, written_for
from engine.generators.kept import OfLast
from engine.generators.operations import refusals, removal
from engine.generators.operations.answers import equal, place_in
from engine.generators.operations.contract import WRITERS, Stages, Writer, written
from engine.generators.operations.hiding import hidden
from engine.generators.operations.invalid import unknown_field
from engine.generators.operations.lists import narrowed, ordered
from engine.generators.operations.others import refused_to_its_owner, refused_to_others, shown_to_its_owner
from engine.generators.operations.parts import (
    Parts,
    answer_of,
    member_of,
    ready,
    refused,
    spoken,
    status_assertion,
    succeeds,
)
from engine.generators.operations.requests import with_value, without
from engine.generators.operations.scenes import content_of
from engine.generators.operations.stage import Stage
from engine.generators.operations.standing import made_so, standing
from engine.generators.operations.twice import again
from engine.generators.operations.wrong_passwords import wrong_password
from engine.generators.source import name_of
from engine.generators.stories.called import called, is_called
from engine.generators.stories.moves import moved, undone
from engine.generators.stories.scenario import played
from engine.generators.stories.told import told
from engine.generators.values.schema_values import NoValueError, inside, outside, valid
from planner.cases import Case, Technique
from planner.contracts.operations import Member, Operation
from planner.generator import Assertion, Context, Declined, Draft
from planner.stories.criteria import Criteria

_LONGEST = 70
_KEY = re.compile(r"^([\w.-]+): ")


class CriterionGenerator:
    """Writes the test of a criterion whose claim is resolved to operations; else it says which piece is missing."""

    name = "criterion"

    def __init__(self) -> None:
        self._stages = Stages()
        self._surfaces = Surfaces()
        self._criteria = OfLast(Criteria)

    def takes(self, case: Case) -> bool:
        """See `Generator.takes`."""
        return case.technique is Technique.CRITERION and isinstance(case.target.get("criterion"), str)

    def generate(self, case: Case, context: Context) -> Draft | Declined:
        """See `Generator.generate`."""
        like, identity = str(case.target.get("like", "")), str(case.target["criterion"])
        if is_called(case):
            return written_for(self._surfaces, case, context, called)
        criteria = self._criteria.of(context.source)
        fact = criteria.facts.get(identity)
        if fact is None:
            return Declined(case.id, f"the criterion {identity}, which no story has")
        if like in ("scenario", "told"):
            writer = (told if like == "told" else played)(fact, criteria)
            return written(case, context, self._stages.of(context.source), titled(writer))
        if like not in LIKES:
            return Declined(case.id, criteria.missing(fact))
        return written(case, context, self._stages.of(context.source), titled(LIKES[like]))


def titled(writer: Writer) -> Writer:
    """The writer, with the words of its criterion as the test's name."""

    def write(case: Case, operation: Operation, stage: Stage) -> Parts:
        parts = writer(case, operation, stage)
        ending = parts.name if parts.name.startswith("_") else ""
        parts.name = f"test_{_slug(case.description)}{ending}"
        return parts

    return write


def _slug(words: str) -> str:
    name = name_of(_KEY.sub(lambda match: f"{match[1]} ", words))
    return name if len(name) <= _LONGEST else name[:_LONGEST].rpartition("_")[0]


def _like(technique: Technique) -> Writer:
    return WRITERS[technique]


def _starts(case: Case, operation: Operation, stage: Stage) -> Parts:
    scene, sent = ready(operation, stage)
    field = str(case.target["field"])
    if isinstance(sent.body, dict) and field in sent.body:
        body = {key: each for key, each in sent.body.items() if key != field}
        sent = msgspec.structs.replace(sent, body=body)
    content = content_of("response", operation.success)[0]
    place = place_in(content, field, case.target["value"])
    is_so = f"{place} is not None" if case.target.get("filled") else equal(place, case.target["value"])
    asserts = [
        Assertion(succeeds("response", operation), case.cites),
        Assertion(f"assert {is_so}", case.cites),
    ]
    ending = f"_{name_of(field)}"
    return Parts(ending, [*scene.lines], [f"response = {sent.call()}"], asserts, scene.cites)


def _bound(case: Case, operation: Operation, stage: Stage) -> Parts:
    """The last value inside is taken, the first one outside is refused."""
    bound, value = str(case.target["bound"]), case.target["value"]
    found = member_of(case, operation)
    member = Member(
        found.place, found.location, found.path, {**found.schema, bound: value}, found.required, found.fact
    )
    scene, sent = ready(operation, stage)
    if member.name in scene.references:
        raise NoValueError(f"what {operation.key} takes as {member.name} of this size: it is made before")
    last = with_value(sent, member, inside(member.schema, bound, member.name))
    act, asserts = [f"taken = {last.call()}"], [Assertion(succeeds("taken", operation), case.cites)]
    try:
        beyond = with_value(sent, member, outside(member.schema, bound, member.name))
        act.append(f"response = {beyond.call()}")
        asserts.append(refused(operation, case))
    except NoValueError:
        pass
    word = "at_least" if bound.lower().startswith("min") else "at_most"
    ending = f"_{word}_{name_of(str(value)).removeprefix('n')}"
    return Parts(ending, [*scene.lines], act, asserts, scene.cites, negative=True)


def _closed(case: Case, operation: Operation, stage: Stage) -> Parts:
    parts = unknown_field(case, operation, stage)
    parts.name = f"_{spoken(operation)}"
    return parts


def _optional(case: Case, operation: Operation, stage: Stage) -> Parts:
    """With the value it is taken, and without."""
    member = member_of(case, operation)
    scene, sent = ready(operation, stage)
    with_it = with_value(sent, member, valid(member.schema, member.name))
    act = [f"given = {with_it.call()}", f"left_out = {without(sent, member).call()}"]
    asserts = [Assertion(succeeds(name, operation), case.cites) for name in ("given", "left_out")]
    return Parts("", [*scene.lines], act, asserts, scene.cites)


def _again(case: Case, operation: Operation, stage: Stage) -> Parts:
    maker = stage.operations.get(str(case.target.get("maker", "")))
    if maker is not None and maker.body is not None:
        for field, value in dict(case.target["given"]).items():
            maker = made_so(maker, field, value)
        stage = stage.with_operation(maker)
    answer = answer_of(operation, str(case.target["status"]))
    return again(operation, answer, stage, "", str(case.target.get("caseless", "")))


def _auth(case: Case, operation: Operation, stage: Stage) -> Parts:
    parts = refusals.auth_missing(case, operation, stage)
    parts.name = f"_{operation.method.lower()}"
    return parts


def _toggled(case: Case, operation: Operation, stage: Stage) -> Parts:
    """A flag is set and taken back, or a choice made and the other one, and what is read shows both."""
    reader, field = stage.operations.get(str(case.target["read"])), str(case.target["field"])
    if reader is None or reader.success is None:
        raise NoValueError(f"an operation that reads what {operation.key} changes")
    scene, sent = ready(operation, stage)
    body = sent.body if isinstance(sent.body, dict) else {}
    read = stage.request(reader, scene).call()
    act, asserts = [], []
    for name, value in zip(("first", "then"), case.target.get("values", (True, False)), strict=True):
        change = msgspec.structs.replace(sent, body={**body, field: value})
        act += [change.call(), f"{name} = {read}"]
        asserts.append(Assertion(f"assert {equal(place_in(f'{name}.json()', field), value)}", case.cites))
    checks = [status_assertion("then", reader.success), *asserts]
    return Parts("", [*scene.lines], act, checks, scene.cites)


def _unshown(case: Case, operation: Operation, stage: Stage) -> Parts:
    """What takes a password answers without it: nothing else of its answer is looked at."""
    parts = _like(Technique.SUCCESS)(case, operation, stage)
    hidden = [each for each in parts.assertions if " not in " in each.text]
    if not hidden:
        raise NoValueError(f"an answer of {operation.key} that has fields, and could show what is secret")
    named = [each for each in parts.assertions if each.text.endswith(" = response.json()")]
    kept = [Assertion(each.text, case.cites) for each in (*named, *hidden)]
    parts.assertions = [Assertion(succeeds("response", operation), case.cites), *kept]
    parts.name = f"_{spoken(operation)}"
    return parts


LIKES: dict[str, Callable[[Case, Operation, Stage], Parts]] = {
    "starts": _starts,
    "bound": _bound,
    "optional": _optional,
    "required": _like(Technique.REQUIRED_MISSING),
    "gone": removal.gone,
    "missing": refusals.error,
    "unlisted": _like(Technique.UNKNOWN_VALUE),
    "succeeds": _like(Technique.SUCCESS),
    "again": _again,
    "auth": _auth,
    "order": ordered,
    "filter": narrowed,
    "hidden": hidden,
    "closed": _closed,
    "toggled": _toggled,
    "others": refused_to_others,
    "not-own": refused_to_its_owner,
    "own": shown_to_its_owner,
    "password": wrong_password,
    "unshown": _unshown,
    "standing": standing,
    "moves": moved,
    "undoes": undone,
}
"""What writes the test of each sort of behaviour that a criterion claims."""
