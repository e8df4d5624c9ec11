"""How acts bring things from one state into another, and in which states operations are refused: by contracts' words.

`POST /tickets/{id}/close` leaves a ticket whose `status` is one of open and closed as a closed one; "A closed ticket
cannot be changed" says when `PATCH /tickets/{id}` is answered with its conflict, "The ticket is not closed" what has
to be done before it can be reopened.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import msgspec

from crossval.compare.claims import words
from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.codes import in_words
from planner.contracts.operations import Answer, Operation, State
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import called, collection_of, maker_of
from planner.contracts.state_words import denies, is_refusing, refuses, says, says_new, says_now, word_of
from planner.contracts.states import CLAUSE, OF_STATES
from planner.contracts.verbs import brings_about

_LEADS = re.compile(
    r"\W*(?:from\s+)?(?P<before>[\w-]+(?:(?:,\s*|\s+or\s+)[\w-]+)*)\s*(?:->|→|=>|\bto\b)\s*(?P<after>[\w-]+)(?=\W|$)",
    re.I,
)
_ONLY = re.compile(r"\b(?:only|must)\b", re.I)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_ACTING = frozenset({"POST", "PUT", "PATCH"})


class Subject(msgspec.Struct, frozen=True):
    """The kind of thing that a path names last: its noun, the path of a single one, and what makes it."""

    noun: str
    single: str
    maker: Operation

    def states(self) -> list[State]:
        """The states that are shown of it and which nobody gives it when it is made: those of words before flags."""
        given = self.maker.given()
        shown = {name: split_null(each)[0] for name, each in self.maker.shown().items() if name not in given}
        told = [
            State(field, word)
            for field, schema in shown.items()
            for word in schema.get("enum", ())
            if isinstance(word, str) and word
        ]
        words = {each.word.lower() for each in told}
        flags = [State(field, is_so) for field in shown for is_so in (True, False) if _is_flag(shown[field])]
        return [*told, *(each for each in flags if State(each.field, True).word not in words)]

    def first(self, field: str = "") -> State | None:
        """How a new one stands in a field, or in the first of which stories or the contract say so."""
        fields = [field] if field else dict.fromkeys(each.field for each in self.states())
        return next((found for each in fields if (found := self._first_in(each))), None)

    def _first_in(self, field: str) -> State | None:
        """How a new one stands in a field by what stories say, by its default, or in the contract's words."""
        states = [each for each in self.states() if each.field == field]
        begins, default = self.maker.begins, split_null(self.maker.shown()[field])[0].get("default")
        if known := [each for each in states if each.field in begins and begins[each.field] == each.value]:
            return known[0]
        described = [self.maker.success.words if self.maker.success else ""]
        described += [*_sentences(self.maker), str(self.maker.fact.aspects.get("summary") or "")]
        told = [
            each
            for each in states
            if default == each.value or any(says_new(text, each.word, self.noun) for text in described)
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
    if operation.method not in (*_ACTING, "DELETE") or tail.count("/") != 1:
        return None
    subject = subject_of(operation, operations)
    if subject is None:
        return None
    stated = [state for maker, state in operation.leads if maker == subject.maker.key]
    if not stated and (leads := transition(operation, subject)) is not None:
        stated = [leads[1]]
    is_listed = any(each.key == f"GET {operation.path}" for each in operations)
    if len(stated) == 1 and not is_listed:
        return stated[0]
    path, name = operation.path.rstrip("/"), "_".join(words(tail))
    there = {each.method for each in operations if each.path.rstrip("/") == path}
    is_undone = there <= {"POST", "PUT", "DELETE"} and not {"POST", "PUT"} <= there
    if any(each.path.startswith(path) and each.path.rstrip("/") != path for each in operations):
        return None  # It is a collection within the thing.
    if len(there) > 1 and not is_undone:
        return None
    states = subject.states()
    if operation.method == "DELETE" or len(there) > 1:
        flags = [each for each in states if each.value is True and _is_called(name, each)]
        return State(flags[0].field, operation.method != "DELETE") if len(flags) == 1 else None
    described = operation.success.words
    told = [each for each in states if says_now(described, each.word, subject.noun)]
    told = told or [each for each in states if _is_called(name, each)]
    return told[0] if len(told) == 1 else None


def transition(operation: Operation, subject: Subject) -> tuple[list[State], State] | None:
    """From which states to which one a summary says that an act leads: `planned -> firing`, `scheduled to running`."""
    match = _LEADS.match(str(operation.fact.aspects.get("summary") or ""))
    if match is None:
        return None
    states = subject.states()
    before = [_told(each, states) for each in re.split(r"\s+or\s+|,\s*", match["before"])]
    after = _told(match["after"], states)
    if after is None or not all(each is not None and each.field == after.field for each in before):
        return None
    return [each for each in before if each is not None], after


def _of_which(operation: Operation, subject: Subject) -> State | None:
    """The state in which a thing is that an act is for, by its summary: `Check in the party of a confirmed stay`."""
    if operation.method not in _ACTING or not operation.path.startswith(f"{subject.single}/"):
        return None
    summary = str(operation.fact.aspects.get("summary") or "")
    name = "_".join(words(operation.path.rpartition("/")[2]))
    if name.endswith("_out"):  # Nobody checks out who is not in.
        other = f"{name.removesuffix('out')}in"
        return next((each for each in subject.states() if _is_called(other, each)), None)
    found = [
        state
        for state in subject.states()
        if re.search(rf"\ban?\s+{word_of(state.word)}\s+{re.escape(subject.noun)}\b", summary, re.I)
    ]
    return found[0] if len(found) == 1 else None


def _told(word: str, states: Collection[State]) -> State | None:
    """The state that a word tells; None where it tells none, or several."""
    found = [each for each in states if re.fullmatch(word_of(each.word), word.strip(), re.I)]
    return found[0] if len(found) == 1 else None


def _is_called(name: str, state: State) -> bool:
    """Whether the end of an act's path says that a thing comes to stand so: `close`, `check_in`, `mark_as_read`."""
    verb, _, particle = name.partition("_")
    done, _, behind = "_".join(words(state.word)).partition("_")
    if brings_about(verb, state.word) or (behind and particle == behind and brings_about(verb, done)):
        return True
    if isinstance(state.value, str):
        return False
    word = state.word if state.value else f"un{state.word.removeprefix('not_')}"
    return name == word or name.endswith(f"_{word}") or (state.value and word.endswith(f"_{name}"))


def _is_flag(schema: dict[str, Json]) -> bool:
    return schema.get("type") == "boolean" and "enum" not in schema


def _marked_by(operation: Operation, operations: Collection[Operation]) -> State | None:
    """The state in which a DELETE leaves its thing that removes nothing: its answer shows it, and says so."""
    subject = subject_of(operation, operations)
    if subject is None or operation.success is None:
        return None
    shown, described = operation.shown(), operation.success.words
    told = [each for each in subject.states() if each.field in shown]
    told = [each for each in told if says_now(described, each.word, subject.noun)]
    return told[0] if len(told) == 1 else None


def act_for(state: State, subject: Subject, operations: Collection[Operation]) -> Operation | None:
    """The one act that brings a thing into a state."""
    below = f"{subject.single}/"
    acts = [
        each
        for each in operations
        if (each.path.startswith(below) and each.method in (*_ACTING, "DELETE"))
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
    if (told := transition(operation, subject)) is not None and len(told[0]) == 1:
        return Lifecycle(told[0][0])
    if (state := _of_which(operation, subject)) is not None:
        return Lifecycle(state)
    needs, refused = [], []
    for answer in conflicts:
        general = _sentences(operation) if len(conflicts) == 1 else []
        for state in subject.states():
            clauses = CLAUSE.split(answer.words)
            if any(
                denies(each, state.word, subject.noun) for each in [*clauses, *filter(_ONLY.search, general)]
            ):
                needs.append(state)
            elif any(refuses(each, state.word, subject.noun) for each in clauses) or any(
                says(each, state.word, subject.noun) for each in filter(is_refusing, general)
            ):
                refused.append((state, answer))
    # What is needed of a flag is not refused as well.
    flags = {each.field for each in needs if isinstance(each.value, bool)}
    refused = [each for each in refused if each[0].field not in flags]
    return Lifecycle(needs[0] if len(set(needs)) == 1 else None, tuple(refused))


def acts_before(operation: Operation, operations: Collection[Operation]) -> list[Operation]:
    """The acts that have to come before an operation, since what was only just made is refused; in their order."""
    return chain_of(operation, operations, (operation.key,)) or []


def chain_of(
    operation: Operation, operations: Collection[Operation], seen: tuple[str, ...]
) -> list[Operation] | None:
    """The acts that bring about what an operation needs; None where nothing tells which these are."""
    life = lifecycle_of(operation, operations)
    needs = life.needs
    subject = subject_of(operation, operations) if needs is not None or life.refused else None
    if subject is not None and needs is None:
        return _way_out(life, subject, operations, seen)
    if needs is None or subject is None or subject.first(needs.field) == needs:
        return []
    act = act_for(needs, subject, operations)
    if act is None and subject.first(needs.field) is None and transition(operation, subject) is not None:
        return []  # Where all transitions are told, what none leads to is how things stand at first.
    if act is None or act.key in seen:
        return None
    chain = chain_of(act, operations, (*seen, act.key))
    return None if chain is None else [*chain, act]


def _way_out(
    life: Lifecycle, subject: Subject, operations: Collection[Operation], seen: tuple[str, ...]
) -> list[Operation]:
    """The one act, taken at once, that brings a new thing out of the states in which an operation is refused.

    None of them where a new thing is in no such state, or several acts do.
    """
    refused = [state for state, _ in life.refused]
    first = next((each for each in refused if subject.first(each.field) == each), None)
    if first is None:
        return []
    others = [each for each in subject.states() if each.field == first.field and each not in refused]
    acts = [act for each in others if (act := act_for(each, subject, operations)) is not None]
    ready = [
        each for each in acts if each.key not in seen and chain_of(each, operations, (*seen, each.key)) == []
    ]
    return ready if len(ready) == 1 else []


def _sentences(operation: Operation) -> list[str]:
    told = in_words(" ".join(str(operation.fact.aspects.get("description") or "").split()))
    return [each for each in _SENTENCE.split(told) if each]
