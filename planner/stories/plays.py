"""The requests that the steps of a scenario stand for, one after the other, and what is told of their answers."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

import msgspec

from crossval.compare.claims import words as words_of
from crossval.compare.components import split_null
from planner.contracts.operations import Operation
from planner.contracts.resources import singular
from planner.contracts.states import OF_STATES, statuses_of_invalid
from planner.stories.amounts import AMOUNT, in_cents
from planner.stories.exchanges import Exchange
from planner.stories.expectations import Expected, expected_in, status_told
from planner.stories.listings import is_refusal
from planner.stories.scenarios import UnclearStep
from planner.stories.shown_fields import counted_field, listing, shown_field
from planner.stories.standing import refused_when
from planner.stories.starting import labelled
from planner.stories.step_words import ARTICLES, choices, told_value
from planner.stories.telling import Telling

_AMOUNT = re.compile(rf"[€$£]?{AMOUNT}")
_NAMED = re.compile(r"(?P<thing>the\s+[a-z]+)\s+[\"“](?P<name>[^\"”]+)[\"”]", re.I)
_STANDS = re.compile(
    r"(?:it|the (?P<noun>[a-z]+)) (?:is|should be|becomes|stays|remains)(?: now| still)? (?P<words>[\w -]+)",
    re.I,
)


class Play(Telling):
    """The requests that steps stand for, as they are read one after the other."""

    @property
    def exchanges(self) -> list[Exchange]:
        """The requests in their order. Raises UnclearStep where nothing is told of any answer."""
        found = [exchange for _, exchange in self._sent]
        if not any(each.is_told for each in found):
            raise UnclearStep("what is answered")
        unclear = [found[n] for n in self._untold if is_refusal(found[n]) and not self._arranges]
        if any(not ((self._stands and _is_conflict(each)) or _is_for_caller(each)) for each in unclear):
            raise UnclearStep("what is sent that is refused")
        return found

    def refusals(self) -> Iterator[list[Exchange]]:
        """The requests with one more at their end, which the contract says is refused where a thing stands as it is
        told to stand then: `The cart is closed`."""
        reader, told = self._sent[-1]
        thing = next((each for each in self._things if each.reader is reader), None)
        if thing is None or is_refusal(told) or not told.answer or not isinstance(told.answer[0], dict):
            return
        acts = [(operation, _untold(exchange)) for operation, exchange in self._sent]
        while acts and acts[-1][1].method == "GET":
            acts.pop()
        for field, value in told.answer[0].items():
            is_state = value in choices(thing.shown().get(field, {}))
            for operation in self._operations if is_state else ():
                status = refused_when(operation, str(value), thing.noun)
                play = Play(self._things, self._operations, arranges=self._arranges)
                play._sent = list(acts)
                with contextlib.suppress(UnclearStep):
                    if status and operation.method != "GET":
                        play._send(operation, [], operation.key)
                        play._tell(status=status)
                        yield [exchange for _, exchange in play._sent]

    def is_seen(self, step: str) -> bool:
        """Whether what a part of a step tells can be seen, which is noted then; nothing is asked for what cannot."""
        try:
            self.expect(step)
        except UnclearStep:
            return False
        return True

    def expect(self, step: str) -> None:
        """One step that tells of an answer. Raises UnclearStep where that cannot be seen; nothing is asked for then."""
        before = list(self._sent)
        try:
            self._expect(step)
        except UnclearStep:
            self._sent = before
            if not self._expect_list(step) and not self._expect_clause(step):
                raise

    def _expect(self, step: str) -> None:
        if not self._sent:
            raise UnclearStep(f"how “{step}” can be seen")
        operation, exchange = self._sent[-1]
        if self._is_read(step):
            return
        plain = self._unnamed(step)
        told = self._flagged(plain, operation) or expected_in(plain)
        if told is None:
            raise UnclearStep(f"how “{step}” can be seen")
        match told.how:
            case "read":
                self._read(step, told, status=told.status)
            case "status":
                self._tell(status=told.status)
            case "refused":
                self._tell(refused=True)
            case "invalid" if len(invalid := statuses_of_invalid(operation)) == 1:
                self._tell(status=invalid[0])
            case "taken" if operation.success is not None and not is_refusal(exchange):
                self._tell(status=operation.success.status)
            case "words" if status := status_told(told.words, operation):
                self._tell(status=status)
            case "shown":
                self._expect_shown(told, step)
            case "counted":
                self._expect_counted(told, step)
            case _:
                raise UnclearStep(f"how “{step}” can be seen")

    def _is_read(self, step: str) -> bool:
        """Whether a step tells how reading a thing that it names is answered, which is read then."""
        match = _NAMED.match(step)
        made = self._made_so(match["name"]) if match is not None else None
        told = expected_in(f"{match['thing']}{step[match.end() :]}") if match is not None and made else None
        reader = next((each.reader for each in self._things if made and each.maker.key == made[0]), None)
        if made is None or told is None or told.how != "read" or reader is None:
            return False
        self._ask_about(made[1], reader, step)
        self._tell(status=told.status)
        return True

    def _unnamed(self, step: str) -> str:
        """The step without the name of the thing that it speaks of, which is read then if there are several such."""
        match = _NAMED.match(step)
        made = self._made_so(match["name"]) if match is not None else None
        if match is None or made is None:
            return step
        operation = self._sent[made[1]][0]
        if len(self._made_by(operation)) > 1 and made[1] != len(self._sent) - 1:
            reader = next((each.reader for each in self._things if each.maker.key == made[0]), None)
            if reader is None:
                raise UnclearStep(f"how “{step}” can be seen")
            self._ask(reader, step)
        return f"{match['thing']}{step[match.end() :]}"

    def _flagged(self, step: str, operation: Operation) -> Expected | None:
        """What a step says of a flag: `the doctor is no longer on leave`; None where it tells of something else."""
        match = _STANDS.fullmatch(step)
        noun = match["noun"] or self._acting.noun_of(operation) if match is not None else ""
        state = self._acting.standing(noun, match["words"]) if match is not None and noun else None
        if state is None or isinstance(state.value, str):
            return None
        return Expected("shown", owner=noun.lower(), field=state.field, value=str(state.value).lower())

    def _expect_shown(self, told: Expected, step: str) -> None:
        if told.owner and singular(told.owner) not in self._nouns:
            raise UnclearStep(f"which one is meant by “{step}”")
        told = self._in_cents(told)
        value = told.value.strip("\"“”'")
        operation, exchange = self._sent[-1]
        is_shown = not is_refusal(exchange) and self._shows(operation, told.owner)
        field = shown_field(told.field, value, operation, self._nouns) if is_shown else None
        if field is None:
            self._read(step, told)
            operation, exchange = self._sent[-1]
            field = shown_field(told.field, value, operation, self._nouns)
        if field is None:
            raise UnclearStep(f"the field that “{step}” is about")
        before = exchange.answer[0] if exchange.answer else {}
        shown = {field[0]: told_value(told.value, field[1], step)}
        self._tell(answer=({**(before if isinstance(before, dict) else {}), **shown},), in_part=True)

    def _in_cents(self, told: Expected) -> Expected:
        """What is told of an amount, of the field that has it in cents, where only such a one is shown."""
        amount = _AMOUNT.fullmatch(told.value)
        shown = {name for each, _ in self._sent for name in each.shown()}
        shown |= {name for each in self._things for name in each.shown()}
        words = [each for each in words_of(told.field) if each not in ARTICLES]
        if amount is None or any(list(words_of(each)) == words for each in shown):
            return told
        if not any(list(words_of(each)) == [*words, "cent"] for each in shown):
            return told
        return msgspec.structs.replace(told, field=f"{told.field} cents", value=str(in_cents(amount)))

    def _shows(self, operation: Operation, owner: str) -> bool:
        """Whether an operation answers with a thing that is called so, as far as it is known with which."""
        noun = singular(owner) if owner else ""
        shown = self._acting.noun_of(operation) or noun
        return (
            not noun or shown == noun or not any(each.noun == noun and each.reader for each in self._things)
        )

    def _expect_counted(self, told: Expected, step: str) -> None:
        if told.owner and singular(told.owner) not in self._nouns:
            raise UnclearStep(f"which one is meant by “{step}”")
        if told.field and self._expect_number(told, step):
            return
        operation, exchange = self._sent[-1]
        place = None if is_refusal(exchange) else counted_field(told.field, operation)
        if place is None:
            lister = self._lister_within(told)
            if lister is not None:
                self._ask(lister, step)
                place = listing(lister)
            else:
                self._read(step, told)
                place = counted_field(told.field, self._sent[-1][0])
        if place is None:
            raise UnclearStep(f"the list that “{step}” is about")
        self._tell(counted={**self._sent[-1][1].counted, place: told.count})

    def _expect_number(self, told: Expected, step: str) -> bool:
        """Whether what is counted is a number of a thing that was made, which is then told: `it has 6 available`."""
        noun = singular(told.owner) if told.owner else self._acting.noun_of(self._sent[-1][0])
        owners = [each for each in self._things if each.noun == noun and each.reader is not None]
        fields = owners[0].reader.shown() if len(owners) == 1 and owners[0].reader is not None else {}
        numbers = {
            name: each for name, each in fields.items() if split_null(each)[0].get("type") == "integer"
        }
        named = [name for name in numbers if labelled(name).fullmatch(told.field)]
        if len(named) != 1:
            return False
        words = Expected("shown", owner=told.owner, field=named[0].replace("_", " "), value=str(told.count))
        self._expect_shown(words, step)
        return True

    def _lister_within(self, told: Expected) -> Operation | None:
        """What lists the things that words name, where they stand within another one that was made."""
        noun = singular(told.field.lower()) if told.field else ""
        listers = [each.lister for each in self._things if each.noun == noun and each.lister is not None]
        found = [each for each in listers if "{" in each.path]
        return found[0] if len(found) == 1 else None

    def _read(self, step: str, told: Expected, status: str = "") -> None:
        """The request that reads a thing that was made: the one that is named, or the only one that has the field."""
        makers = [each.key for each, _ in self._sent]
        made = [each for each in self._things if each.maker.key in makers]
        owner = singular(told.owner) if told.owner else ""
        words = {singular(each) for each in told.field.lower().split()} | {owner}
        named = [each for each in made if each.noun in words]
        found = named or [each for each in made if each.reader and self._tells(told, each.reader)] or made
        if len(found) != 1 or found[0].reader is None:
            raise UnclearStep(f"how “{step}” can be seen")
        self._ask(found[0].reader, step, status)

    def _tells(self, told: Expected, reader: Operation) -> bool:
        if told.how == "counted":
            return counted_field(told.field, reader) is not None
        value = told.value.strip("\"“”'")
        return told.how == "shown" and shown_field(told.field, value, reader, self._nouns) is not None


def _untold(exchange: Exchange) -> Exchange:
    return msgspec.structs.replace(exchange, status="", answer=(), counted={}, in_part=False, listed=None)


def _is_for_caller(exchange: Exchange) -> bool:
    """Whether a refusal is for who asks, of whom the step tells."""
    return exchange.status in ("401", "403") and bool(exchange.by)


def _is_conflict(exchange: Exchange) -> bool:
    """Whether a refusal is for how things stand, and not for what is sent, as far as it is told."""
    return exchange.status in ("", *OF_STATES)
