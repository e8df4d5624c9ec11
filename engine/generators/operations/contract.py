"""Tests of a contract's operations: each answer, each bound from both sides, what the state must show."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from engine.generators.kept import OfLast
from engine.generators.operations import effects, lists, refusals, removal, state
from engine.generators.operations.accounts import of_others
from engine.generators.operations.answers import (
    equal,
    imports_of,
    place_in,
    shape,
    unshadowed,
    without_weaker,
)
from engine.generators.operations.arranging import arranged, without_unused
from engine.generators.operations.echoes import echoed, unshown
from engine.generators.operations.invalid import unknown_field
from engine.generators.operations.listing import peopled
from engine.generators.operations.logins import is_let_in_surely, way_to_account
from engine.generators.operations.others import STRANGER
from engine.generators.operations.parts import (
    Parts,
    answer_of,
    group_of,
    header_assertions,
    member_of,
    named,
    ready,
    spoken,
    status_assertion,
    succeeds,
    words_of,
)
from engine.generators.operations.references import CALLER
from engine.generators.operations.requests import Sent, answered, asked, without
from engine.generators.operations.scenes import Scene, content_of
from engine.generators.operations.stage import Stage
from engine.generators.source import function, literal
from engine.generators.values.schema_values import NoValueError
from graph.facts import Json, Kind, Location, Tag
from graph.source import FactSource
from planner.cases import Case, Technique
from planner.contracts.changing import changes_parts
from planner.contracts.entrances import shown_to_itself
from planner.contracts.envelopes import is_sure, unwrapped
from planner.contracts.invitations import with_invitations
from planner.contracts.operations import Answer, Operation
from planner.contracts.readiness import unready_as_made
from planner.contracts.told_relations import with_relations
from planner.contracts.transforming import kept_fields
from planner.contracts.unknowable import asks_for_version, names_account
from planner.contracts.untold_credentials import is_untold, with_untold_credentials
from planner.contracts.untold_refusals import with_own_refusals
from planner.generator import Assertion, Context, Declined, Draft
from planner.stories.carriers import carriers
from planner.stories.told_facts import told_facts
from planner.stories.told_values import with_told_values

_UNKNOWN_TO_IT = ("400", "404", "422")
_NOT_LET_IN = ("400", "401", "403")
_OF_VERSIONS = ("412",)
_FORBIDDEN, _UNKNOWN, _LIMITED = "403", "401", "429"
_ACCOUNT, _ADDED = 'account["', " = added("
_ASKED = re.compile(r"(\w+) = client\.")
Writer = Callable[[Case, Operation, Stage], Parts]


class ContractGenerator:
    """Writes one test per documented behaviour of an operation, with a client that the shared conftest gives."""

    name = "contract"

    def __init__(self) -> None:
        self._stages = Stages()

    def takes(self, case: Case) -> bool:
        """See `Generator.takes`."""
        return case.technique in WRITERS and isinstance(case.target.get("operation"), str)

    def generate(self, case: Case, context: Context) -> Draft | Declined:
        """See `Generator.generate`."""
        return written(case, context, self._stages.of(context.source), WRITERS[case.technique])


class Stages(OfLast[FactSource, Stage]):
    """The stage of the contracts that were asked for last: it is made once for all cases of a run."""

    def __init__(self) -> None:
        super().__init__(stage_of)


def stage_of(source: FactSource) -> Stage:
    """The operations of the project's contracts, with what its stories tell to be taken."""
    told = [fact for fact in told_facts(source).values() if fact.kind is Kind.CRITERION]
    every = with_own_refusals(with_untold_credentials(carriers(source), source), source)
    return Stage(with_told_values(with_relations(with_invitations(every), source), told))


def written(case: Case, context: Context, stage: Stage, writer: Writer) -> Draft | Declined:
    """The draft that a writer makes of a case about an operation, or what it lacks."""
    operation = stage.operations.get(str(case.target["operation"]))
    if operation is None:
        return Declined(case.id, f"the operation {case.target['operation']}, which no contract has")
    try:
        account = context.options.get("account", "unknown")
        has_own_caller = context.options.get("caller") == "own"
        own = stage.of(case.id, has_account=account != "unknown", has_own_caller=has_own_caller)
        parts = writer(case, operation, own)
    except NoValueError as error:
        return Declined(case.id, str(error))
    lines = (*parts.arrange, *parts.act)
    if any(_needs_credentials(line) for line in lines) and context.options.get("auth") == "unknown":
        return Declined(
            case.id,
            f"credentials: fill in the fixture `auth` in {context.folder}/conftest.py "
            "and remove the file's first line",
        )
    if any(_is_of_stranger(line) for line in lines) and not _has_stranger(context):
        return Declined(case.id, "a second caller: the contract does not tell how one gets an account")
    if any(_ADDED in line for line in lines) and context.options.get("added") == "unknown":
        return Declined(case.id, f"the fixture `added` in {context.folder}/conftest.py, which is an own one")
    if "404" not in " ".join(each.text for each in parts.assertions):
        parts.arrange, parts.act = (of_others(each, operation, stage) for each in (parts.arrange, parts.act))
    if names_account(operation):
        parts.act = list(_unready(parts, _UNKNOWN_TO_IT))
    if asks_for_version(operation):
        parts.act = list(_unready(parts, _OF_VERSIONS))
    refused: set[str] = set()
    if context.options.get("auth") in ("entered", "made"):
        # Where the fixture sees that the service knows its caller, what it may not do is about the caller's rights.
        is_made = context.options.get("auth") == "made"
        every = stage.operations.values()
        is_known = is_made or shown_to_itself(every) is not None or any(map(is_untold, every))
        refused = {_FORBIDDEN, _UNKNOWN} if is_known else {_FORBIDDEN}
    is_limited = any(answer.status == _LIMITED for answer in operation.answers)
    if (refusal := unready_as_made(operation, stage.operations.values())) is not None:
        parts.act = list(_unready(parts, refusal.partition(" ")[:1]))
    found = way_to_account(operation, stage.operations.values())
    is_sure = found is None or is_let_in_surely(found, stage.operations.values())
    if not is_sure or (account == "unsure" and any(_ACCOUNT in line for line in parts.act)):
        parts.act = list(_unready(parts, _NOT_LET_IN))
    if context.options.get("arranged") != "unknown":
        unknown = "which account is there" if names_account(operation) else ""
        parts.arrange = arranged(parts.arrange, parts.act, unknown)
    parts.arrange, parts.act = (
        _deciding(each, parts, refused=refused, is_limited=is_limited) for each in (parts.arrange, parts.act)
    )
    parts.arrange = without_unused(parts.arrange, [*parts.act, *(each.text for each in parts.assertions)])
    return _draft(case, operation, parts, context)


def _unready(parts: Parts, statuses: Collection[str]) -> Iterator[str]:
    """The act, whose refusal leaves the test undecided where it is for how something else stands."""
    is_about_it = parts.negative or any(
        status in each.text for each in parts.assertions for status in statuses
    )
    for line in parts.act:
        yield line
        asked = None if is_about_it else _ASKED.match(line)
        if asked is not None:
            is_one = f"== {min(statuses)}" if len(statuses) == 1 else f"in ({', '.join(statuses)})"
            yield f"if {asked[1]}.status_code {is_one}:"
            yield f'    pytest.skip("a state in which this is not refused is needed: " + str({asked[1]}.content))'


def _deciding(lines: list[str], parts: Parts, *, refused: set[str], is_limited: bool) -> list[str]:
    """The lines, of which requests whose refusal says nothing of the operation leave the test undecided.

    An account that anybody can make need not be allowed to do all, and who asks often is told to wait.
    """
    asserted = " ".join(each.text for each in parts.assertions)
    found = []
    for line in lines:
        found.append(line)
        asked = _ASKED.match(line)
        if asked is not None and _needs_credentials(line) and (left := refused - set(asserted.split())):
            why = "the caller that `auth` makes may not do this: fill in one that may"
            is_one = f"== {min(left)}" if len(left) == 1 else f"in ({', '.join(sorted(left))})"
            found += [f"if {asked[1]}.status_code {is_one}:", f'    pytest.skip("{why}")']
        if asked is not None and is_limited and _LIMITED not in asserted:
            why = "the service takes no more requests for now: tests need one without that limit"
            found += [f"if {asked[1]}.status_code == {_LIMITED}:", f'    pytest.skip("{why}")']
    return found


def _needs_credentials(line: str) -> bool:
    return "headers=auth" in line or "**auth" in line


def _has_stranger(context: Context) -> bool:
    return context.options.get("auth") == "entered" or STRANGER in context.options


def _is_of_stranger(line: str) -> bool:
    return f"headers={STRANGER}" in line or f"**{STRANGER}" in line


def _draft(case: Case, operation: Operation, parts: Parts, context: Context) -> Draft:
    cites = tuple(dict.fromkeys((*case.cites, *parts.cites)))
    secured = any(_needs_credentials(line) for line in (*parts.arrange, *parts.act))
    has_stranger = any(_is_of_stranger(line) for line in (*parts.arrange, *parts.act))
    has_arranged = any("arranged(client." in line for line in parts.arrange)
    has_account = any(_ACCOUNT in line for line in (*parts.arrange, *parts.act))
    has_added = any(_ADDED in line for line in parts.arrange)
    asked = {
        "auth": secured,
        STRANGER: has_stranger,
        "account": has_account,
        CALLER: any(f"{CALLER}.pk" in line for line in (*parts.arrange, *parts.act)),
        "arranged": has_arranged,
        "added": has_added,
    }
    fixtures = ("client", *(name for name, is_asked in asked.items() if is_asked))
    place = _stated(case, operation, context.source)
    source = function(
        parts.name,
        fixtures,
        marks=case.cites,
        words=case.description,
        maintain=f"it follows {', '.join(cites)} ({place.path}:{place.line}); change it when that changes.",
        arrange=parts.arrange,
        act=parts.act,
        asserts=[line for assertion in parts.assertions for line in assertion.lines],
    )
    return Draft(
        case=case.id,
        module_path=f"{context.folder}/test_{group_of(operation.path)}.py",
        name=parts.name,
        source=source,
        imports=("import pytest", *imports_of(parts.assertions)),
        fixtures=fixtures,
        assertions=tuple(parts.assertions),
        negative=parts.negative,
    )


def _stated(case: Case, operation: Operation, source: FactSource) -> Location:
    """Where it is said what a case tests: in its contract, or in the story where only the code has the operation."""
    if operation.fact.tag is Tag.SPEC:
        return operation.fact.source
    told = source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION, Kind.PAGE})
    return next((fact.source for fact in told if fact.id in case.cites), operation.fact.source)


def _success(case: Case, operation: Operation, stage: Stage) -> Parts:
    answer = answer_of(operation, str(case.target["status"]))
    scene = peopled(operation, stage)
    sent = stage.request(operation, scene)
    status = status_assertion("response", answer)
    if operation.success is answer:
        status = Assertion(succeeds("response", operation), (answer.fact,))
    assertions = [status, *header_assertions("response", answer)]
    if answer.schema is not None:
        thing = named(operation, answer, scene)
        echo = list(_echo(kept_fields(operation, sent.body), answer, thing))
        shown = without_weaker(list(shape(answer.schema, thing, answer.fact)), echo)
        body = [*unshadowed(shown, scene.lines), *echo]
        if body:
            assertions += [Assertion(f"{thing} = response.json()", (answer.fact,)), *body]
    elif answer.media_type and answer.media_type != "*/*":
        told = f'assert response.headers["content-type"].startswith({literal(answer.media_type)})'
        assertions.append(Assertion(told, (answer.fact,)))
    name = f"test_{spoken(operation)}_is_answered_with_{answer.status.lower()}"
    act = asked("response", sent, whole=_whole(operation, scene, stage))
    return Parts(name, [*scene.lines], act, assertions, scene.cites)


def _whole(operation: Operation, scene: Scene, stage: Stage) -> Sent | None:
    """The request with all that may be left out, for an operation that makes something."""
    try:
        return stage.request(operation, scene, whole=True) if operation.method == "POST" else None
    except NoValueError:
        return None


def _echo(sent: Json, answer: Answer, thing: str) -> Iterator[Assertion]:
    """What was sent comes back, in the envelope where there is one; a secret does not."""
    place, schema = unwrapped(answer.schema)
    content = f"{thing}[{literal(place)}]" if place else thing
    echo = [*echoed(sent, schema, content, answer.fact), *unshown(sent, schema, content, answer.fact)]
    if echo and not is_sure(answer.schema, place):
        yield Assertion(f"assert {thing}.get({literal(place)})", (answer.fact,), inferred=True)
    yield from echo


def _default(case: Case, operation: Operation, stage: Stage) -> Parts:
    member, answer = member_of(case, operation), operation.success
    if member.location != "body" or (answer is not None and answer.is_open and len(member.path) == 2):
        return effects.explicit_default(case, operation, stage)
    content, shown = content_of("response", answer)
    properties = shown.get("properties", {})
    if answer is None or member.required or len(member.path) != 2 or member.name not in properties:
        raise NoValueError(f"an answer that shows {member.name}")
    if changes_parts(operation, stage.operations.values()):
        raise NoValueError(f"whether {operation.key} keeps a {member.name} that it is not sent, or resets it")
    scene, sent = ready(operation, stage)
    sent, value = without(sent, member), case.target["value"]
    is_sure = member.name in shown.get("required", ())
    place = place_in(content, member.name, sure=is_sure, lacking=None if is_sure else value)
    asserts = [
        Assertion(f"assert {answered('response', answer.status)}", (answer.fact,)),
        Assertion(f"assert {equal(place, value)}", case.cites),
    ]
    name = f"test_{spoken(operation)}_gives_{words_of(member)}_its_default"
    act = asked("response", sent)
    return Parts(name, [*scene.lines], act, asserts, (*scene.cites, answer.fact))


WRITERS: dict[Technique, Writer] = {
    Technique.SUCCESS: _success,
    Technique.ERROR: refusals.error,
    Technique.BOUND_KEPT: refusals.bound_kept,
    Technique.BOUND_BROKEN: refusals.bound_broken,
    Technique.REQUIRED_MISSING: refusals.required_missing,
    Technique.WRONG_TYPE: refusals.of_wrong_type,
    Technique.UNKNOWN_VALUE: refusals.not_listed,
    Technique.UNKNOWN_FIELD: unknown_field,
    Technique.DEFAULT: _default,
    Technique.AUTH_MISSING: refusals.auth_missing,
    Technique.READ_BACK: state.read_back,
    Technique.GONE: removal.gone,
    Technique.REPEATABLE: state.repeatable,
    Technique.LIMITED: lists.limited,
    Technique.PAGED: lists.paged,
    Technique.SORTED: lists.sorted_as_asked,
    Technique.NARROWED: lists.filtered,
    Technique.WHOLE: effects.whole,
    Technique.EFFECT: effects.effect,
    Technique.SAYS: effects.says,
}
"""What writes the test of each technique."""
