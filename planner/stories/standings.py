"""How things of a contract stand, by what people call it, and the acts that bring them there."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from crossval.compare.claims import words as words_of
from crossval.compare.components import split_null
from planner.contracts.elsewhere import act_elsewhere
from planner.contracts.lifecycles import Subject, act_for, acts_before, subject_of
from planner.contracts.operations import Operation, State
from planner.contracts.resources import singular
from planner.contracts.state_words import says, word_of
from planner.contracts.things import Thing
from planner.contracts.verbs import stem
from planner.stories.step_words import Token, choices

_WITHIN = re.compile(r"(?:in|under)\s+(?P<what>[a-z]{4,})", re.I)


class Stands(msgspec.Struct, frozen=True):
    """How a thing is said to stand, in one word, and the acts that bring it there."""

    word: str
    acts: tuple[Operation, ...]


class Standings:
    """Knows the states of things by their words."""

    def __init__(self, things: Sequence[Thing], operations: Sequence[Operation]) -> None:
        self._things, self._operations = things, operations
        self._nouns = {each.noun for each in things}
        self._nouns_of_states: dict[str, set[str]] | None = None
        self._acts: dict[tuple[str, State], Operation | None] = {}

    def stands(self, tokens: Sequence[Token], maker: Operation) -> Stands | None:
        """How a step says that a new thing stands which acts have to bring about: `a closed ticket`."""
        said = [each.text for each in tokens if not each.is_value]
        subject = next(
            (each for each in map(self._subject_of, self._things) if each and each.maker is maker), None
        )
        if subject is None:
            return None
        found = [state for state in subject.states() if says(" ".join(said), state.word, subject.noun)]
        if len(found) != 1 or found[0] == self._first(subject, found[0].field):
            return None
        act = self._act_for(found[0], subject)
        return Stands(found[0].word.lower(), (*acts_before(act, self._operations), act)) if act else None

    def brought(self, tokens: Sequence[Token], before: Sequence[Operation]) -> tuple[Operation, ...]:
        """The acts by which a thing that was made comes to stand as a step says: `the listing is sold`."""
        said = [each.text for each in tokens if not each.is_value]
        if (
            len(said) < 4
            or said[0] != "the"
            or said[2] not in ("is", "was", "has")
            or len(said) < len(tokens)
        ):
            return ()
        thing = next((each for each in self._things if each.noun == singular(said[1])), None)
        is_made = thing is not None and any(each.key == thing.maker.key for each in before)
        told = [each for each in said[3:] if each not in ("been", "already", "now")]
        state = self.standing(said[1], " ".join(told)) if is_made else None
        words = [Token(each) for each in ("a", state.word, said[1])] if state is not None else []
        stands = self.stands(words, thing.maker) if thing is not None and words else None
        return stands.acts if stands is not None else ()

    def standing(self, noun: str, words: str) -> State | None:
        """The state of a thing of which words tell as one of its own: `in_service` of `in service`; else None."""
        subject = self._subject_called(noun)
        states = subject.states() if subject is not None else ()
        found = [each for each in states if re.fullmatch(word_of(each.word), words.strip(), re.I)]
        if not found and (within := _WITHIN.fullmatch(words.strip())):  # `in quarantine` is quarantined.
            found = [each for each in states if stem(each.word.lower()) == stem(within["what"].lower())]
        return found[0] if len({each.word for each in found}) == 1 else None

    def noun_of_state(self, word: str) -> str:
        """The noun of the only things that stand so by one word; empty where there are none or several."""
        if self._nouns_of_states is None:
            self._nouns_of_states = {}
            for thing in self._things:
                subject = self._subject_of(thing)
                for state in subject.states() if subject is not None else ():
                    if isinstance(state.value, str):
                        self._nouns_of_states.setdefault(state.word.lower(), set()).add(thing.noun)
        found = self._nouns_of_states.get(word, set())
        return next(iter(found)) if len(found) == 1 else ""

    def step_into(self, noun: str, words: str) -> str:
        """The step that brings a thing to stand so, by the summary of the act; empty where none is known to do so."""
        subject, state = self._subject_called(noun), self.standing(noun, words)
        act = self._act_for(state, subject) if subject is not None and state is not None else None
        said = str(act.fact.aspects.get("summary") or "") if act is not None else ""
        return f"I {said.lower()}" if said else ""

    def stands_at_first(self, noun: str, state: State) -> bool:
        """Whether new things are known to stand so."""
        subject = self._subject_called(noun)
        return subject is not None and self._first(subject, state.field) == state

    def state_told(self, noun: str, field: str, value: str) -> tuple[str, State] | None:
        """A state of a thing, behind the key of what makes such things; None where it has no such one."""
        subject = self._subject_called(noun)
        states = subject.states() if subject is not None else ()
        found = [
            each
            for each in states
            if field in ("", each.field)
            and value in (each.word, *([str(each.value).lower()] if field else ()))
        ]
        return (subject.maker.key, found[0]) if subject is not None and len(found) == 1 else None

    def noun_of(self, operation: Operation) -> str:
        """What the thing is called that an operation makes, or is for; empty where that is none that is made."""
        subject = subject_of(operation, self._operations)
        made = next((each.noun for each in self._things if each.maker.key == operation.key), "")
        return made or (subject.noun if subject is not None else "")

    def standing_otherwise(self, noun: str, state: State) -> State | None:
        """Another state than this one in which a thing can be: the first, else one that an act brings about."""
        subject = self._subject_called(noun)
        first = self._first(subject, state.field) if subject is not None else None
        if subject is None or first is None:
            return None
        states = [each for each in subject.states() if each.field == state.field]
        reached = [each for each in states if each not in (state, first) and self._act_for(each, subject)]
        return first if first != state else next(iter(reached), None)

    def day_of(self, words: str) -> tuple[str, str] | None:
        """The noun of the only thing that words may be about which is given one day, and the field of that; or None."""
        said = {stem(each) for each in words_of(words)}
        found = []
        for thing in self._things:
            days = [
                name for name, each in thing.given().items() if split_null(each)[0].get("format") == "date"
            ]
            is_meant = (
                len(days) == 1 and ({stem(each) for each in words_of(days[0])} | {stem(thing.noun)}) & said
            )
            found += [(thing.noun, days[0])] if is_meant else []
        return found[0] if len(found) == 1 else None

    def is_thing(self, noun: str) -> bool:
        """Whether some operation makes things of this noun, in the singular or plural."""
        return singular(noun.lower()) in self._nouns

    def _first(self, subject: Subject, field: str) -> State | None:
        """How a new thing stands in a field: as is told, else in the only way to which no act leads."""
        first = subject.first(field)
        states = [each for each in subject.states() if each.field == field]
        if first is not None or len(states) < 2:
            return first
        left = [each for each in states if self._act_for(each, subject) is None]
        return left[0] if len(left) == 1 else None

    def _subject_called(self, noun: str) -> Subject | None:
        found = [each for each in self._things if each.noun == singular(noun.lower())]
        return self._subject_of(found[0]) if len(found) == 1 else None

    def _act_for(self, state: State, subject: Subject) -> Operation | None:
        """What brings a thing into a state: an act of its own, else one for another thing."""
        known = (subject.maker.key, state)
        if known not in self._acts:
            own = act_for(state, subject, self._operations)
            self._acts[known] = own or act_elsewhere(state, subject, self._operations)
        return self._acts[known]

    def _subject_of(self, thing: Thing) -> Subject | None:
        single = thing.single()
        return subject_of(single, self._operations) if single is not None else None

    def _states(self, thing: Thing) -> set[str]:
        """The states of one word in which a new thing is, or into which acts bring it."""
        subject = self._subject_of(thing)
        if subject is None:
            return _at_first(thing)
        states = subject.states()
        first = (self._first(subject, field) for field in {each.field for each in states})
        acted = (each for each in states if self._act_for(each, subject) is not None)
        return {each.word.lower() for each in (*acted, *first) if each is not None} | _at_first(thing)


def _at_first(thing: Thing) -> set[str]:
    """How a thing stands that was just made: in the states that its fields have by default."""
    told = (split_null(each)[0].get("default") for each in thing.shown().values() if choices(each))
    return {each.lower() for each in told if isinstance(each, str)}
