"""What criteria say of things that stand in a certain way: `A running job cannot be removed`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.lifecycles import act_for, acts_before, lifecycle_of, subject_of
from planner.contracts.operations import Answer, Operation, State
from planner.contracts.resources import singular
from planner.contracts.state_words import SOMETIMES, is_already, says, word_of
from planner.contracts.things import Thing, things
from planner.contracts.verbs import stem
from planner.stories.behaviours import Behaviour, facts_of

_CANNOT = re.compile(
    r"\b(?:can ?not|can[’']t|may not|must not|mustn[’']t|could not)\s+be\s+(?P<done>[a-z]+)", re.I
)
_CAN = re.compile(r"\b(?:can|may)\s+(?:still\s+|also\s+)?be\s+(?P<done>[a-z]+)", re.I)
_DOING = re.compile(
    r"\b(?P<done>[a-z]+ing)\s+(?:an?|the|any)\b.*\b(?:is|are|must be)\s+(?:refused|rejected|forbidden|not allowed)\b",
    re.I,
)
_ONLY = re.compile(
    r"Only\s+(?:an?\s+|the\s+)?(?P<state>[\w-]+)\s+(?P<noun>[\w-]+)\s+(?:can|may)\s+be\s+(?P<done>[a-z]+)",
    re.I,
)
_TAKES = re.compile(
    r"\b(?:takes?|accepts?|allows?)\s+no\s+(?:more\s+|new\s+|further\s+)?"
    r"(?P<what>[a-z]+(?:(?:\s*,\s*|\s+or\s+|\s+and\s+)[a-z]+)*)",
    re.I,
)
_LISTED = re.compile(r"\s*,\s*|\s+(?:or|and)\s+")
_AFTER = re.compile(r"\s*(?:again|any ?more|now|at all)?\s*(?:[(.,;:!—–]|$|with\b|until\b|while\b)", re.I)
_ASKED = re.compile(
    r"\b(?P<method>GET|PUT|POST|PATCH|DELETE)\s+(?P<path>/\S*?)[.,;:]?\s.*?\b(?P<status>4\d\d)\b"
)
_NONE = re.compile(r"^\W*no\b", re.I)
_STATUS = re.compile(r"\b(4\d\d)\b")
_REQUEST = re.compile(r"\b[A-Z]{3,6}\s+/\S*")
_STANDING = ("409", "423")
_REMOVED = ("remov", "delet", "discard", "eras", "dropp")
_CHANGED = ("chang", "updat", "edit", "modif")
_STEM = 4
_SMALL = frozenset(
    [
        "with",
        "when",
        "that",
        "then",
        "this",
        "they",
        "them",
        "from",
        "than",
        "what",
        "have",
        "does",
        "only",
        "must",
        "been",
        "each",
        "once",
    ]
)
"""Words that are no verbs, though some begin as the name of an operation does: `withdrawals`."""
_GENERAL = frozenset(
    {
        "get",
        "add",
        "create",
        "update",
        "list",
        "show",
        "find",
        "make",
        "set",
        "put",
        "post",
        "the",
        "new",
        "all",
    }
)


_OF_ANY_SENTENCE = frozenset({"other", "others", "all", "any", "none", "new", "own", "only", "more"})


def standing(text: str, thing: Thing, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """What a sentence says is refused of a thing that stands so, or is taken; nothing where any of it is unclear."""
    if SOMETIMES.search(_REQUEST.sub("", text)) or len(_STATUS.findall(text)) > 1:
        return
    stands = [(field, value) for field, value in _states(thing) if says(text, value, thing.noun)]
    if not stands:
        yield from _acted(text, thing, operations)
    if len(stands) != 1:
        return
    field, value = stands[0]
    operation, is_refused = done_in(text, thing, operations)
    if operation is None or operation.success is None:
        return
    target: dict[str, Json] = {
        "operation": operation.key,
        "maker": thing.maker.key,
        "field": field,
        "value": value,
        "refused": is_refused,
    }
    if field not in thing.given():
        assert thing.changer is not None, "states are of what is given or changed"
        if thing.changer.key == operation.key:
            return
        target["changer"] = thing.changer.key
    if not is_refused:
        yield Behaviour("standing", {**target, "status": operation.success.status}, facts_of(operation))
        return
    target["status"] = _told_status(text, operation)
    yield Behaviour("standing", target, facts_of(operation, str(target["status"])))


def only_then(text: str, thing: Thing, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """That an operation refuses what was not brought into a state before: `Only a closed ticket can be reopened`."""
    match = _ONLY.match(text)
    if match is None or singular(match["noun"].lower()) != thing.noun:
        return
    operation = named(match["done"].lower(), thing, operations)
    needs = lifecycle_of(operation, operations).needs if operation is not None else None
    if operation is None or needs is None or not re.fullmatch(word_of(needs.word), match["state"], re.I):
        return
    if acts_before(operation, operations):
        yield of_act(operation, thing.maker.key, needs, _told_status(text, operation), "")


def _acted(text: str, thing: Thing, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """What is said to be refused of a thing in the state that an act brings: `A closed ticket cannot be changed`."""
    single = thing.single()
    subject = subject_of(single, operations) if single is not None else None
    stands = [each for each in subject.states() if says(text, each.word, thing.noun)] if subject else []
    act = act_for(stands[0], subject, operations) if subject is not None and len(stands) == 1 else None
    for operation in _refusing(text, thing, operations) if act is not None else ():
        yield of_act(
            operation, thing.maker.key, stands[0], _told_status(text, operation), act.key if act else ""
        )


def _refusing(text: str, thing: Thing, operations: Sequence[Operation]) -> list[Operation]:
    """The operations that a text says are refused: one, or what puts several kinds of things into one."""
    if (takes := _TAKES.search(text)) is not None and _ASKED.search(text) is None:
        named = [_put_into(each, thing, operations) for each in _LISTED.split(takes["what"].lower())]
        return [each for each in named if each is not None]
    operation, is_refused = done_in(text, thing, operations)
    return [operation] if operation is not None and is_refused else []


def of_act(operation: Operation, maker: str, state: State, status: str, act: str) -> Behaviour:
    """That an operation refuses a thing in a state to which an act leads; without an act, in any other one."""
    target: dict[str, Json] = {"operation": operation.key, "maker": maker, "field": state.field}
    target |= {"value": state.value, "refused": True, "status": status, "act": act}
    return Behaviour("standing", target, facts_of(operation, status))


def told_standing(
    operation: Operation, answer: Answer, operations: Sequence[Operation]
) -> dict[str, Json] | None:
    """What the contract's words on a conflict say of how a thing stands that is refused then; None where they say none.

    `Job is running`, `already cancelled`: with what makes such a thing and what changes it, as a criterion's claim has.
    """
    words = answer.words
    if answer.status not in _STANDING or SOMETIMES.search(words) or re.search(r"\bnot\b|n't\b", words, re.I):
        return None
    for thing in things(operations):
        below = f"{thing.maker.path.rstrip('/')}/{{"
        if not operation.path.startswith(below) or operation.path.count("{") != below.count("{"):
            continue
        stands = [
            (field, value)
            for field, value in _states(thing)
            if says(words, value, thing.noun) or is_already(words, value)
        ]
        if len(stands) != 1:
            return None
        field, value = stands[0]
        target: dict[str, Json] = {"maker": thing.maker.key, "field": field, "value": value, "refused": True}
        if field not in thing.given():
            assert thing.changer is not None, "states are of what is given or changed"
            if thing.changer.key == operation.key:
                return None
            target["changer"] = thing.changer.key
        return {**target, "status": answer.status}
    return None


def both_ways(text: str, name: str, schema: dict[str, Json]) -> tuple[str, list[Json]] | None:
    """A field of two words, and these in the order of a text that says a thing can be brought from one to the other.

    `An issue can be closed, and be opened again`.
    """
    values = split_null(schema)[0].get("enum")
    if not isinstance(values, list) or len(values) != 2 or not all(isinstance(each, str) for each in values):
        return None
    places = [re.search(rf"\b{re.escape(each)}(?:e?d)?\b", text, re.IGNORECASE) for each in values]
    if places[0] is None or places[1] is None:
        return None
    return name, values if places[0].start() < places[1].start() else values[::-1]


def one_of_its_words(schema: dict[str, Json]) -> set[str]:
    """The values of an enumeration that are words, but for those that any sentence may have."""
    return {
        each.lower()
        for each in split_null(schema)[0].get("enum", ())
        if isinstance(each, str) and each.isalpha()
    } - _OF_ANY_SENTENCE


def _told_status(text: str, operation: Operation) -> str:
    """The status that a text tells of a refusal, else that of the one conflict; empty where there is none."""
    said, answer = _STATUS.search(text), _conflict(operation)
    return said[1] if said else answer.status if answer is not None else ""


def _conflict(operation: Operation) -> Answer | None:
    """The one documented answer that is about how things stand."""
    found = [answer for answer in operation.answers if answer.status in _STANDING]
    return found[0] if len(found) == 1 else None


def _states(thing: Thing) -> Iterator[tuple[str, str]]:
    """The fields that tell in one of a few words how a thing stands, and can be set, each with each of its words."""
    for field, schema in {**thing.changes(), **thing.given()}.items():
        if field in thing.shown() and schema.get("readOnly") is not True:
            words = split_null(schema)[0].get("enum", ())
            yield from ((field, word) for word in words if isinstance(word, str) and word)


def refused_when(operation: Operation, value: str, noun: str) -> str:
    """The status of the conflict of which the contract says that it is given where a thing stands so; else empty."""
    found = [
        each.status
        for each in operation.answers
        if each.status in _STANDING and not SOMETIMES.search(each.words) and says(each.words, value, noun)
    ]
    return found[0] if len(found) == 1 else ""


def done_in(text: str, thing: Thing, operations: Sequence[Operation]) -> tuple[Operation | None, bool]:
    """The operation that a text says is refused, or else taken."""
    asked = _ASKED.search(text)
    if asked is not None:
        key = f"{asked['method']} {asked['path'].rstrip('/')}"
        return next((each for each in operations if each.key == key), None), True
    if (takes := _TAKES.search(text)) is not None:
        return _put_into(_LISTED.split(takes["what"].lower())[0], thing, operations), True
    refused = _CANNOT.search(text)
    found = refused or _CAN.search(text)
    if found is not None and _AFTER.match(text, found.end()) is None:
        return None, False
    refused = refused or _DOING.search(text)
    found = found or refused
    if found is None:
        return None, False
    is_refused = refused is not None or _NONE.search(text) is not None
    return named(found["done"].lower(), thing, operations), is_refused


def _put_into(word: str, thing: Thing, operations: Sequence[Operation]) -> Operation | None:
    """The operation that puts things of this name into one: `POST /tickets/{id}/comments` of `comments`."""
    single = thing.single()
    path = f"{single.path.rstrip('/')}/{word}" if single is not None else ""
    return next(
        (each for each in operations if each.method == "POST" and each.path.lower() == path.lower()), None
    )


def named_in(text: str, thing: Thing, operations: Sequence[Operation]) -> Operation | None:
    """The one operation on one thing that the verbs of a text name: `when I start a job`."""
    words = (
        {word.lower() for word in re.findall(r"[A-Za-z]+", text)} - {thing.noun, f"{thing.noun}s"} - _SMALL
    )
    found = {
        operation.key: operation
        for word in words
        if (operation := named(word, thing, operations)) is not None
    }
    return next(iter(found.values())) if len(found) == 1 else None


def named(word: str, thing: Thing, operations: Sequence[Operation]) -> Operation | None:
    """The operation on one thing that a verb names: `started` is POST /jobs/{id}/start."""
    one = thing.single()
    collection = one.path.rpartition("/{")[0] if one is not None else thing.maker.path.rstrip("/")
    below = f"{collection}/{{"
    acts = [
        each
        for each in operations
        if each.method in ("POST", "PUT", "PATCH")
        and each.path.startswith(below)
        and (last := each.path.rstrip("/").rpartition("}/")[2]).isalpha()
        and (
            last.lower()[:_STEM] == word[:_STEM]
            or stem(last.lower()) == stem(word)
            or word.startswith(_verb(each))
        )
        and each.path.count("{") == collection.count("{") + 1
    ]
    if acts:
        return acts[0] if len(acts) == 1 else None
    if word.startswith(_REMOVED) or (thing.remover is not None and stem(word) == stem(_verb(thing.remover))):
        return thing.remover
    return thing.changer if word.startswith(_CHANGED) else None


def _verb(operation: Operation) -> str:
    """The verb with which an operation's summary says what it does (`Pay in`); else what no text has."""
    first = str(operation.fact.aspects.get("summary") or "").lower().partition(" ")[0]
    return first if len(first) > 2 and first.isalpha() and first not in _GENERAL else "\0"
