"""Tests of what a removal leaves: what was removed is not found any more, and stands in no list."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.accounts import check_shown
from engine.generators.operations.lists import reading_all
from engine.generators.operations.parts import Parts, problem, ready, spoken, status_assertion, succeeds
from engine.generators.operations.scenes import Scene
from engine.generators.operations.stage import Stage
from engine.generators.source import literal
from engine.generators.values.schema_values import NoValueError
from planner.cases import Case, Technique
from planner.contracts.envelopes import unwrapped
from planner.contracts.lists import is_paged, limit_of
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import maker_of
from planner.generator import Assertion

# What tells how a thing stands, so that one that is cancelled may still be there.
_MARKS = frozenset(
    {"status", "state", "deleted", "is_deleted", "deleted_at", "archived", "active", "is_active", "cancelled"}
)
_MARKING = re.compile(
    r"\b(?:cancel\w*|stays|kept|keeps|remains?|marks?|marked|soft|archiv\w+|deactivat\w+|disabl\w+|inactive|retir\w+|suspend\w*)\b",
    re.IGNORECASE,
)


_STAYS = re.compile(
    r"\b(?:deleted|removed)\s+(?:ones|\w+s)\s+(?:are|stay|remain)\b|\b(?:also|including|even)\s+(?:\w+\s+)?(?:deleted|removed)\b",
    re.IGNORECASE,
)


def gone(case: Case, operation: Operation, stage: Stage) -> Parts:
    """What was removed is not found any more."""
    reader = stage.operations.get(str(case.target["read"]))
    if any(True for _ in _marks(operation)):
        raise NoValueError(
            f"whether {operation.key} removes a thing or marks it: its answer shows how it stands"
        )
    told = [str(operation.fact.aspects.get(name) or "") for name in ("summary", "description")]
    if case.technique is not Technique.CRITERION:
        # Where no story says that it is gone: what it is called, and what its answer is said to be.
        told += [_spaced(str(operation.fact.aspects.get("operation_id") or ""))]
        told += [operation.success.words] if operation.success is not None else []
    if marking := _MARKING.search(" ".join(told).replace("_", " ")):
        raise NoValueError(f"whether {operation.key} removes a thing or marks it: “{marking[0]}”")
    if reader is not None and reader.success is not None and _STAYS.search(reader.success.words):
        raise NoValueError(
            f"whether {operation.key} removes a thing: {reader.key} still shows such: “{reader.success.words}”"
        )
    if reader is not None and case.target.get("list"):
        return _unlisted(case, operation, reader, stage)
    if reader is None:
        raise NoValueError(f"an operation that shows that {operation.key} removed something")
    missing = next((a for a in reader.answers if a.status in ("404", "410")), None)
    scene, sent = ready(operation, stage)
    if missing is None and not scene.created:
        raise NoValueError(f"something that {operation.key} removes: no operation makes one")
    read = stage.request(reader, named_for(reader, operation, scene, stage)).call()
    there = [] if missing is not None else [f"before = {read}", succeeds("before", reader)]
    removed = [f"removed = {sent.call()}", *_is_taken(operation)]
    lacks = Assertion("assert response.status_code >= 400", case.cites, inferred=True)
    asserts = [lacks] if missing is None else problem(missing)[:1]
    name = f"test_what_{spoken(operation)}_removed_is_gone"
    return Parts(name, [*scene.lines, *there, *removed], [f"response = {read}"], asserts, scene.cites)


def named_for(reader: Operation, operation: Operation, scene: Scene, stage: Stage) -> Scene:
    """The scene in which what reads a thing names it by the field that its own path takes: a slug beside numbers."""
    every, names = stage.operations.values(), PARAMETER.findall(reader.path)
    if reader.path == operation.path or not names or not scene.created:
        return scene
    ours, theirs = (maker_of(each.path, names[-1], every) for each in (reader, operation))
    if ours is None or theirs is None or ours[1] == theirs[1]:
        return scene
    path = {**scene.path, names[-1]: f"{scene.created}[{literal(ours[1])}]"}
    return msgspec.structs.replace(scene, path=path)


def _is_taken(operation: Operation) -> list[str]:
    """That a removal succeeds; where the contract tells of no success, its refusal leaves the test undecided."""
    if operation.success is not None:
        return [succeeds("removed", operation)]
    told = f"with which status {operation.key} succeeds, the contract does not tell; it answered: "
    return [
        "if 400 <= removed.status_code < 500:",
        f"    pytest.skip({literal(told)} + str(removed.content))",
    ]


def _spaced(name: str) -> str:
    """A name with blanks between its words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[-.]", " ", name)


def _marks(operation: Operation) -> Iterator[str]:
    """The fields of an answer that tell how a thing stands; one that only ever has one value tells nothing."""
    shown = unwrapped(operation.success.schema if operation.success else None)[1].get("properties", {})
    for name in _MARKS & set(shown):
        plain = split_null(shown[name])[0]
        if "const" not in plain and len(plain.get("enum") or (1, 2)) > 1:
            yield name


def _unlisted(case: Case, operation: Operation, lister: Operation, stage: Stage) -> Parts:
    """What was removed stood in the list before, and does no more."""
    scene, sent = ready(operation, stage)
    where = stage.list_in(lister)
    key = scene.path.get("".join(PARAMETER.findall(operation.path)[-1:]), "")
    name = key.removeprefix(scene.created).strip("[]\"'")
    if (
        lister.success is None
        or where is None
        or not scene.created
        or not key.startswith(f"{scene.created}[")
    ):
        raise NoValueError(f"a list that shows that {operation.key} removed something")
    check_shown(lister, stage.operations.get(f"POST {lister.path}"), stage)
    if limit_of(lister) is None and is_paged(lister):
        raise NoValueError(f"whether {lister.key} lists a thing on the page that it shows")
    read = reading_all(lister, scene, stage).call()
    arrange = [
        *scene.lines,
        f"before = {read}",
        f"assert {key} in [each.get({literal(name)}) for each in before.json(){where}]",
        f"removed = {sent.call()}",
        *_is_taken(operation),
    ]
    asserts = [
        status_assertion("response", lister.success),
        Assertion(
            f"assert {key} not in [each.get({literal(name)}) for each in response.json(){where}]",
            case.cites,
            inferred=True,
        ),
    ]
    title = f"test_what_{spoken(operation)}_removed_is_not_listed"
    return Parts(title, arrange, [f"response = {read}"], asserts, scene.cites)
