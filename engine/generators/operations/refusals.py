"""Tests of what an operation refuses, each with its control, and of the last value that it still takes."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.conflicting import conflicting
from engine.generators.operations.controls import before, carrying
from engine.generators.operations.invalid import carrier, invalid
from engine.generators.operations.logins import way_to_account
from engine.generators.operations.nowhere import nowhere
from engine.generators.operations.others import refused_to_its_owner, refused_to_others
from engine.generators.operations.parts import (
    Parts,
    answer_of,
    control,
    member_of,
    problem,
    ready,
    refused,
    snake,
    spoken,
    succeeds,
    words_of,
)
from engine.generators.operations.requests import Sent, asked, with_value, without
from engine.generators.operations.scenes import Scene, any_path
from engine.generators.operations.stage import Stage
from engine.generators.operations.standing import standing
from engine.generators.operations.twice import again
from engine.generators.operations.wrong_passwords import wrong_password
from engine.generators.source import name_of
from engine.generators.values.distinct import sized_apart
from engine.generators.values.schema_values import (
    NoValueError,
    farther_inside,
    inside,
    outside,
    unknown_value,
    wrong_type,
)
from graph.facts import Json
from planner.cases import Case, Technique
from planner.contracts.confidential import is_secret
from planner.contracts.entrances import is_registration
from planner.contracts.envelopes import unwrapped
from planner.contracts.lifecycles import act_for, acts_before, lifecycle_of, subject_of
from planner.contracts.operations import Answer, Member, Operation
from planner.contracts.parties import not_own, told_own
from planner.contracts.prerequisites import done_before
from planner.contracts.references import maker_of_reference
from planner.contracts.resources import identity_like
from planner.contracts.schemes import wrong_credentials
from planner.contracts.states import (
    is_its_own_doing,
    is_sent,
    statuses_of_invalid,
    tells_of_twice,
    told_unique,
    unready,
)
from planner.contracts.unknowable import is_open_to_all
from planner.generator import Assertion
from planner.stories.others import told_others
from planner.stories.standing import told_standing

_CREDENTIALS = re.compile(r"\b(?:password|credentials?)\b")
_LACKS = re.compile(r"\bnot (?:found|there|exist)|\bno such\b|\bunknown\b|\bmissing\b")
_PHRASE = "conflict"
_GOOD = 8  # So long most services want a password to be, whatever their contracts say.
_LIMITING = re.compile(
    r"(?i)^(?:capacity|seats|places|max(?:imum)?_\w+|\w+_(?:limit|capacity)|stock|available|quota)$"
)
_COUNTING = re.compile(r"(?i)size|quantit|amount|count|seat|people|guest|person|number|party|units|items")
_GONE = frozenset({"404", "410"})
_INVALID = frozenset({"400", "422"})
_CONTENTS = frozenset({"data", "result", "item", "payload", "content"})
_BOUND_WORDS = {
    "minLength": "shorter_than_{}", "maxLength": "longer_than_{}", "minimum": "less_than_{}", "maximum": "more_than_{}",
    "exclusiveMinimum": "not_more_than_{}", "exclusiveMaximum": "not_less_than_{}", "multipleOf": "no_multiple_of_{}",
    "minItems": "fewer_items_than_{}", "maxItems": "more_items_than_{}", "uniqueItems": "with_an_item_twice",
    "format": "that_is_no_{}", "pattern": "that_does_not_match",
}  # fmt: skip


def error(case: Case, operation: Operation, stage: Stage) -> Parts:
    """A documented error is given under its condition, where the contract or its words tell one."""
    answer = answer_of(operation, str(case.target["status"]))
    words = answer.words.lower()
    name = f"test_{spoken(operation)}_is_refused_with_{answer.status}"
    every = stage.operations.values()
    if _CREDENTIALS.search(words) and way_to_account(operation, every) is not None:
        return wrong_password(case, operation, stage)
    # A criterion that says what is too little, or in the way, is about that, whatever else the answer is for.
    is_criterion = case.technique is Technique.CRITERION
    if is_criterion and (parts := conflicting(operation, answer, stage, name)) is not None:
        return parts
    if (parts := _before_it_was_done(operation, answer, stage, name)) is not None:
        return parts
    if (own := not_own(operation, every)) is not None and own.status == answer.status and told_own(words):
        return refused_to_its_owner(case, operation, stage)
    if told_others(operation, answer, every) and not _LACKS.search(words):
        return refused_to_others(case, operation, stage)
    # Where there is an answer for what never was, 410 is about what was once.
    never_was = answer.status == "404" or all(each.status != "404" for each in operation.answers)
    if answer.status in _GONE and never_was and "{" in operation.path:
        return _missing(operation, answer, stage, f"{name}_where_there_is_nothing")
    twice = operation.method == "POST" and tells_of_twice(words)
    if words.strip() == _PHRASE and not _makes_what_has_a_name(operation):
        twice = False  # The phrase of the status says nothing of what the conflict is.
    twice = twice and is_its_own_doing(operation, words) and is_sent(operation, words)
    # What an account is refused for in conflict with another is that there is one, whatever words say it.
    twice = twice or (answer.status == "409" and is_registration(operation) and unready(operation) is None)
    if twice and answer.status in ("409", *_INVALID):
        return again(operation, answer, stage, f"{name}_the_second_time")
    if answer.status in statuses_of_invalid(operation) and not operation.own_refusal:
        return invalid(operation, answer, stage, name)
    told = told_standing(operation, answer, [*stage.operations.values()])
    if told is not None:
        return _standing_so(case, operation, stage, name, told)
    parts = _as_it_stands(operation, answer, stage, name) or conflicting(operation, answer, stage, name)
    if parts is not None:
        return parts
    raise NoValueError(
        f"how {operation.key} comes to answer {answer.status} ({answer.description or 'without words'})"
        + (
            f": its framework refuses what is invalid with {operation.own_refusal}"
            if operation.own_refusal
            else ""
        )
    )


def _before_it_was_done(operation: Operation, answer: Answer, stage: Stage, name: str) -> Parts | None:
    """What is refused to whoever has not done before what its contract or a story asks for; None where none does."""
    every = stage.operations.values()
    prior = done_before(operation, every)
    if prior is None or prior[1] is not answer:
        return None
    scene = stage.with_acts(stage.scene(operation, as_made=True), acts_before(prior[0], every))
    request = [f"response = {stage.request(operation, scene).call()}"]
    name = f"{name}_before_{spoken(prior[0])}"
    return Parts(name, [*scene.lines], request, problem(answer), scene.cites, negative=True)


def _as_it_stands(operation: Operation, answer: Answer, stage: Stage, name: str) -> Parts | None:
    """What is refused of a thing that an act brought into a state, or that was not brought into the one it needs."""
    every = stage.operations.values()
    found, subject = lifecycle_of(operation, every), subject_of(operation, every)
    acts = [
        (state, act)
        for state, by in found.refused
        if by is answer and subject is not None and (act := act_for(state, subject, every)) is not None
    ]
    needs = found.needs
    if not acts and subject is not None and needs is not None and needs == subject.first(needs.field):
        states = [each for each in subject.states() if each.field == needs.field and each != needs]
        others = [(each, act_for(each, subject, every)) for each in states]
        acts = [(state, act) for state, act in others if act is not None and acts_before(act, every) == []]
    if acts:
        state, act = acts[0]
        scene = stage.brought_by(act, operation)
        name = f"{name}_when_{name_of(state.word)}"
    elif needs is not None and acts_before(operation, every):
        scene, name = stage.scene(operation, as_made=True), f"{name}_unless_{name_of(needs.word)}"
    elif subject is not None and any(
        by is answer and subject.first(state.field) == state for state, by in found.refused
    ):
        scene, name = stage.scene(operation, as_made=True), f"{name}_as_it_was_made"
    else:
        return None
    request = [f"response = {stage.request(operation, scene).call()}"]
    return Parts(name, [*scene.lines], request, problem(answer), scene.cites, negative=True)


def _makes_what_has_a_name(operation: Operation) -> bool:
    """Whether an operation makes a thing of which a text is required, so that two of one name may conflict."""
    shown = unwrapped(operation.success.schema if operation.success is not None else None)[1]
    return identity_like(shown) is not None and any(
        each.required
        and len(each.path) == 2
        and split_null(each.schema)[0].get("type") == "string"
        and "enum" not in split_null(each.schema)[0]
        for each in operation.members()
        if each.location == "body"
    )


def bound_kept(case: Case, operation: Operation, stage: Stage) -> Parts:
    """The last value inside a bound is taken."""
    member, bound = member_of(case, operation), str(case.target["bound"])
    if member.location == "path":
        raise NoValueError(f"something that exists under the last allowed {member.name}")
    if bound in ("minItems", "maxItems") and stage.names_another(member.name, member.schema):
        raise NoValueError(f"the things that so many {member.name} name")
    if bound == "minLength" and is_secret(member.name) and member.schema.get(bound, _GOOD) < _GOOD:
        raise NoValueError(f"a {member.name} that is so short and yet good enough")
    scene, sent = ready(operation, stage)
    if member.name in scene.references:
        raise NoValueError(f"something that exists under the last allowed {member.name}")
    is_most = bound in ("maximum", "exclusiveMaximum") and _COUNTING.search(member.name) is not None
    if is_most and _is_limited_elsewhere(operation, stage):
        raise NoValueError(
            f"what takes as much {member.name}: what {operation.key} names has limits of its own"
        )
    value = inside(member.schema, bound, member.name)
    if member.location == "body" and stage.tag:
        is_own = member.name == told_unique(operation)
        value = sized_apart(member.name, split_null(member.schema)[0], value, stage.tag, is_own=is_own)
    usual = carrying(sent, member, scene, stage)
    sent = with_value(usual, member, value)
    if sent.call() == usual.call() or _is_as_long(usual, member, value):
        usual = with_value(usual, member, farther_inside(member.schema, bound, member.name))
    name = f"test_{spoken(operation)}_takes_{words_of(member)}_at_its_{snake(bound)}"
    asserts = [Assertion(succeeds("response", operation), case.cites)]
    return Parts(name, [*scene.lines], asked("response", sent, usual), asserts, scene.cites)


def _is_limited_elsewhere(operation: Operation, stage: Stage) -> bool:
    """Whether a thing that a body names shows how much it takes: the `capacity` of a pitch."""
    every = stage.operations.values()
    makers = (maker_of_reference(name, each, every) for name, each in operation.required().items())
    return any(_LIMITING.search(name) for found in makers if found is not None for name in found[0].shown())


def _is_as_long(sent: Sent, member: Member, value: Json) -> bool:
    """Whether a request has a text of this length already, so that it would be refused for the same reason."""
    usual = sent.body.get(member.name) if isinstance(sent.body, dict) and len(member.path) == 2 else None
    return isinstance(usual, str) and isinstance(value, str) and len(usual) == len(value)


def bound_broken(case: Case, operation: Operation, stage: Stage) -> Parts:
    """The first value outside a bound is refused."""
    member, bound = member_of(case, operation), str(case.target["bound"])
    told = _BOUND_WORDS[bound].format(name_of(str(case.target["value"])).removeprefix("n"))
    name = f"test_{spoken(operation)}_refuses_{words_of(member)}_{told}"
    return _refusal(case, operation, stage, member, name, lambda: outside(member.schema, bound, member.name))


def required_missing(case: Case, operation: Operation, stage: Stage) -> Parts:
    """A request without a required value is refused."""
    member = member_of(case, operation)
    scene, sent, taken = before(operation, stage, member)
    arrange = [*scene.lines, *taken]
    act = [f"response = {without(sent, member).call()}"]
    name = f"test_{spoken(operation)}_needs_{words_of(member)}"
    asserts = [refused(operation, case, is_controlled=bool(taken))]
    return Parts(name, arrange, act, asserts, scene.cites, negative=True)


def of_wrong_type(case: Case, operation: Operation, stage: Stage) -> Parts:
    """A value of another type is refused."""
    member = member_of(case, operation)
    name = f"test_{spoken(operation)}_refuses_{words_of(member)}_of_another_type"
    location = carrier(operation, member)
    return _refusal(case, operation, stage, member, name, lambda: wrong_type(member.schema, location))


def not_listed(case: Case, operation: Operation, stage: Stage) -> Parts:
    """A value that an enumeration does not list is refused."""
    member = member_of(case, operation)
    name = f"test_{spoken(operation)}_refuses_{words_of(member)}_that_is_not_listed"
    return _refusal(case, operation, stage, member, name, lambda: unknown_value(member.schema))


def _standing_so(case: Case, operation: Operation, stage: Stage, name: str, told: dict[str, Json]) -> Parts:
    """What the words of a conflict say is refused: a thing is made that stands so, and asked for."""
    silent = tuple(msgspec.structs.replace(each, description="") for each in operation.answers)
    asked = msgspec.structs.replace(operation, answers=silent)
    parts = standing(msgspec.structs.replace(case, target={**case.target, **told}), asked, stage)
    parts.name = f"{name}_when_{name_of(str(told['value']))}"
    return parts


def auth_missing(case: Case, operation: Operation, stage: Stage) -> Parts:
    """A request without credentials is refused, a login with the wrong ones."""
    status = case.target.get("status")
    if status == "403":
        name = f"test_{spoken(operation)}_is_refused_with_{status}"
        parts = _before_it_was_done(operation, answer_of(operation, status), stage, name)
        if parts is not None:
            return parts
    if not operation.secured or is_open_to_all(operation):
        return wrong_password(case, operation, stage)
    open_one = msgspec.structs.replace(operation, secured=False)
    sent = stage.request(open_one, Scene(path=any_path(open_one)))
    if status == "403" and told_others(operation, answer_of(operation, status), stage.operations.values()):
        return refused_to_others(case, operation, stage)
    if (own := not_own(operation, stage.operations.values())) is not None and own.status == status:
        return refused_to_its_owner(case, operation, stage)
    if status == "403":
        raise NoValueError(f"credentials that {operation.key} refuses with 403")
    statuses = f"== {status}" if status else "in (401, 403)"
    if case.target.get("given") == "unknown":
        return _auth_unknown(case, operation, sent)
    asserts = [Assertion(f"assert response.status_code {statuses}", case.cites)]
    name = f"test_{spoken(operation)}_is_refused_without_credentials"
    return Parts(name, [], [f"response = {sent.call()}"], asserts, (), negative=True)


def _auth_unknown(case: Case, operation: Operation, sent: Sent) -> Parts:
    """A request with a token that was given to nobody is refused."""
    headers = {**sent.headers, **wrong_credentials(operation)}
    asserts = [Assertion("assert response.status_code == 401", case.cites)]
    name = f"test_{spoken(operation)}_is_refused_with_credentials_that_nobody_has"
    sent = msgspec.structs.replace(sent, headers=headers)
    return Parts(name, [], [f"response = {sent.call()}"], asserts, (), negative=True)


def _missing(operation: Operation, answer: Answer, stage: Stage, name: str) -> Parts:
    if _may_show_nothing(operation) and _is_said_of_anything(answer.status, stage):
        raise NoValueError(
            f"whether {operation.key} answers {answer.status} where there is nothing, or shows nothing"
        )
    try:
        scene = stage.scene(operation)
    except NoValueError:
        scene = stage.anywhere(operation)
        sent = stage.request(
            operation,
            msgspec.structs.replace(scene, path=nowhere(stage, operation, scene, answer.words)),
        )
        act = [f"response = {sent.call()}"]
        return Parts(name, [*scene.lines], act, problem(answer), scene.cites, negative=True)
    known = stage.request(operation, scene)
    unknown = msgspec.structs.replace(known, path=nowhere(stage, operation, scene, answer.words))
    taken = control(operation, known)
    if operation.method == "DELETE" and operation.success is not None:
        taken = [f"removed = {known.call()}", succeeds("removed", operation)]
    act = [f"response = {unknown.call()}"]
    return Parts(name, [*scene.lines, *taken], act, problem(answer), scene.cites, negative=True)


def _is_said_of_anything(status: str, stage: Stage) -> bool:
    """Whether a contract has a status also where nothing is named that could be lacking."""
    readings = (each for each in stage.operations.values() if each.method == "GET" and "{" not in each.path)
    return any(answer.status == status for each in readings for answer in each.answers)


def _may_show_nothing(operation: Operation) -> bool:
    """Whether a reading may succeed with nothing where its thing stands."""
    plain, nullable = split_null((operation.success.schema if operation.success else None) or {})
    fields = plain.get("properties", {})
    return nullable or any(split_null(fields[name])[1] for name in _CONTENTS & set(fields))


def _refusal(
    case: Case, operation: Operation, stage: Stage, member: Member, name: str, value: Callable[[], object]
) -> Parts:
    """A request that is taken, and then the same with one wrong value, which is refused."""
    scene, sent, taken = before(operation, stage, member)
    wrong = with_value(sent, member, value())
    arrange = [*scene.lines, *taken]
    act = [f"response = {wrong.call()}"]
    asserts = [refused(operation, case, is_controlled=bool(taken))]
    return Parts(name, arrange, act, asserts, scene.cites, negative=True)
