"""How acts bring things from one state into another, and in which states operations are refused: by contracts' words.

`POST /tickets/{id}/close` leaves a ticket whose `status` is one of open and closed as a closed one; "A closed ticket
cannot be changed" says when `PATCH /tickets/{id}` is answered with its conflict, "The ticket is not closed" what has
to be done before it can be reopened.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import msgspec

from crossval.compare.components import split_null
from planner.contracts.operations import Answer, Operation, State
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import called, collection_of, maker_of
from planner.contracts.states import CLAUSE, OF_STATES
from planner.contracts.verbs import brings_about

SOMETIMES = re.compile(
    r"\b(?:unless|except|only|by|without|as an?|other than|from|into|to|if|twice|together|more than|within)\b",
    re.I,
)
"""What may say that it is so for some callers, or under a further condition."""
_CANNOT = re.compile(
    r"\b(?:can ?not|can[’']t|may not|must not|nobody|no one|not possible|refused|rejected|no)\b", re.I
)
_ONLY = re.compile(r"\b(?:only|must)\b", re.I)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_ACTING = frozenset({"POST", "PUT", "PATCH"})


class Subject(msgspec.Struct, frozen=True):
    """The kind of thing that a path names last: its noun, the path of a single one, and what makes it."""

    noun: str
    single: str
    maker: Operation

    def states(self) -> Iterator[State]:
        """The states that are shown of it and which nobody gives it when it is made."""
        shown = self.maker.shown()
        given = split_null(self.maker.body.schema)[0].get("properties", {}) if self.maker.body else {}
        for field, schema in shown.items():
            words = split_null(schema)[0].get("enum", ()) if field not in given else ()
            yield from (State(field, word) for word in words if isinstance(word, str) and word)

    def first(self) -> State | None:
        """How a new one stands, where stories or the contract say so: by a default, or in words."""
        shown = self.maker.shown()
        known = [each for each in self.states() if self.maker.begins.get(each.field) == each.value]
        if known:
            return known[0]
        described = [self.maker.success.description if self.maker.success else ""]
        described += _sentences(self.maker)
        told = [
            state
            for state in self.states()
            if split_null(shown[state.field])[0].get("default") == state.value
            or any(says(words, state.value, self.noun) for words in described)
        ]
        return told[0] if len(told) == 1 else None


class Lifecycle(msgspec.Struct, frozen=True):
    """When an operation is taken: the state that its thing has to be in, and those in which it is refused."""

    needs: State | None = None
    refused: tuple[tuple[State, Answer], ...] = ()
    """The states in which it is refused, each with the answer that says how."""


def subject_of(operation: Operation, operations: Collection[Operation]) -> Subject | None:
    """What the path of an operation names last, where that is made by another one."""
    before, brace, _ = operation.path.rstrip("/").rpartition("}")
    single = f"{before}{brace}"
    names = PARAMETER.findall(single)
    found = maker_of(single, names[-1], operations) if names else None
    if found is None or found[0].key == operation.key:
        return None
    return Subject(called(collection_of(found[0].path)).replace("_", ""), single, found[0])


def brought_about(operation: Operation, operations: Collection[Operation]) -> State | None:
    """The state in which an act leaves its thing: as stories tell, by the words of its success, else by its verb."""
    tail = operation.path.rstrip("/").rpartition("}")[2]
    if operation.success is None:
        return None
    if operation.method == "DELETE" and not tail:
        return _marked_by(operation, operations)
    if operation.method not in _ACTING or tail.count("/") != 1:
        return None
    subject = subject_of(operation, operations)
    if subject is None:
        return None
    stated = [state for maker, state in operation.leads if maker == subject.maker.key]
    is_listed = any(each.key == f"GET {operation.path}" for each in operations)
    if len(stated) == 1 and not is_listed:
        return stated[0]
    others = [each for each in operations if each.path.startswith(operation.path.rstrip("/"))]
    if any(each.key != operation.key for each in others):
        return None  # It is a collection within the thing.
    described, verb = operation.success.description, tail.strip("/").partition("-")[0].partition("_")[0]
    states = list(subject.states())
    told = [each for each in states if _says_now(described, each.value, subject.noun)]
    told = told or [each for each in states if brings_about(verb, each.value)]
    return told[0] if len(told) == 1 else None


def _marked_by(operation: Operation, operations: Collection[Operation]) -> State | None:
    """The state in which a DELETE leaves its thing that removes nothing: its answer shows it, and says so."""
    subject = subject_of(operation, operations)
    if subject is None or operation.success is None:
        return None
    shown, described = operation.shown(), operation.success.description
    told = [each for each in subject.states() if each.field in shown]
    told = [each for each in told if _says_now(described, each.value, subject.noun)]
    return told[0] if len(told) == 1 else None


def act_for(state: State, subject: Subject, operations: Collection[Operation]) -> Operation | None:
    """The one act that brings a thing into a state."""
    below = f"{subject.single}/"
    acts = [
        each
        for each in operations
        if (each.path.startswith(below) and each.method in _ACTING)
        or (each.path.rstrip("/") == subject.single and each.method == "DELETE")
    ]
    found = [each for each in acts if brought_about(each, operations) == state]
    return found[0] if len(found) == 1 else None


def lifecycle_of(operation: Operation, operations: Collection[Operation]) -> Lifecycle:
    """What the words of a contract say of the states in which an operation is taken."""
    conflicts = [each for each in operation.answers if each.status in OF_STATES]
    subject = subject_of(operation, operations) if conflicts else None
    if subject is None:
        return Lifecycle()
    needs, refused = [], []
    for answer in conflicts:
        general = _sentences(operation) if len(conflicts) == 1 else []
        for state in subject.states():
            clauses = CLAUSE.split(answer.description)
            if any(
                _denies(each, state.value, subject.noun)
                for each in [*clauses, *filter(_ONLY.search, general)]
            ):
                needs.append(state)
            elif any(_refuses(each, state.value, subject.noun) for each in clauses) or any(
                says(each, state.value, subject.noun) for each in filter(_is_refusing, general)
            ):
                refused.append((state, answer))
    return Lifecycle(needs[0] if len(set(needs)) == 1 else None, tuple(refused))


def acts_before(operation: Operation, operations: Collection[Operation]) -> list[Operation]:
    """The acts that have to come before an operation, since what was only just made is refused; in their order."""
    return chain_of(operation, operations, (operation.key,)) or []


def chain_of(
    operation: Operation, operations: Collection[Operation], seen: tuple[str, ...]
) -> list[Operation] | None:
    """The acts that bring about what an operation needs; None where nothing tells which these are."""
    needs = lifecycle_of(operation, operations).needs
    subject = subject_of(operation, operations) if needs is not None else None
    if needs is None or subject is None or subject.first() == needs:
        return []
    act = act_for(needs, subject, operations)
    if act is None or act.key in seen:
        return None
    chain = chain_of(act, operations, (*seen, act.key))
    return None if chain is None else [*chain, act]


def says(text: str, value: str, noun: str) -> bool:
    """Whether a text speaks of a thing that stands so: `a running job`, `a job that is running`."""
    word = word_of(value)
    many = f"{re.escape(noun.removesuffix('y'))}ies|" if noun.endswith("y") else ""
    thing = rf"\b(?:{many}{re.escape(noun)}(?:e?s)?)\b"
    ahead = rf"(?<!not )(?<!non-)(?<!un)\b{word}\s+{thing}"
    now = r"(?:already\s+|still\s+|currently\s+)?(?:[a-z]+\s+or\s+)?"
    behind = (
        rf"{thing},?\s+(?:(?:that|which|who)\s+)?(?:is|are|has been|have been)\s+{now}{word}\b(?!\s+by\b)"
    )
    return re.search(f"{ahead}|{behind}", text, re.IGNORECASE) is not None


def is_already(words: str, value: str) -> bool:
    """Whether words say of a thing without naming it that it stands so: `Already cancelled`, `It is still running`."""
    said = rf"\W*(?:it\s+|this\s+)?(?:is\s+)?(?:already|still|currently)\s+{word_of(value)}\b"
    return re.match(said, words, re.IGNORECASE) is not None


def _says_now(text: str, value: str, noun: str) -> bool:
    """Whether the words of an answer say how a thing stands now: `The ticket, now closed`, `The closed ticket`."""
    word = word_of(value)
    now = rf"\b(?:now|is|as)\s+{word}\b|\b{word}\s+(?:again|now)\b"
    return says(text, value, noun) or re.search(now, text, re.IGNORECASE) is not None


def _refuses(clause: str, value: str, noun: str) -> bool:
    return not SOMETIMES.search(clause) and (says(clause, value, noun) or is_already(clause, value))


def _denies(text: str, value: str, noun: str) -> bool:
    """Whether words say that a thing does not stand so, or has to: `is not closed`, `Only a closed ticket …`."""
    word = word_of(value)
    lacks = rf"\b(?:not|n[’']t)\s+(?:yet\s+|been\s+|currently\s+)*{word}\b"
    only = rf"\bonly\s+(?:an?\s+|the\s+)?{word}\s+{re.escape(noun)}"
    must = rf"\bmust\s+(?:first\s+|already\s+)?(?:be|have been)\s+{word}\b"
    return re.search(f"{lacks}|{only}|{must}", text, re.IGNORECASE) is not None


def _is_refusing(sentence: str) -> bool:
    return _CANNOT.search(sentence) is not None and not SOMETIMES.search(sentence)


def _sentences(operation: Operation) -> list[str]:
    told = " ".join(str(operation.fact.aspects.get("description") or "").split())
    return [each for each in _SENTENCE.split(told) if each]


def word_of(value: str) -> str:
    """The pattern of a word, or of several, however they are joined: `in_progress` is found in `in progress`."""
    return r"[\s_-]+".join(re.escape(part) for part in re.split(r"[\s_-]+", value) if part)
