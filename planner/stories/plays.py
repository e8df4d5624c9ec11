"""The requests that the steps of a scenario stand for, one after the other, and what is told of their answers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

import msgspec

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.joining import joiner_of
from planner.contracts.lifecycles import acts_before, subject_of
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.references import maker_of_reference
from planner.contracts.referring import unknown_reference
from planner.contracts.resources import maker_of, singular
from planner.contracts.states import OF_STATES
from planner.contracts.things import Thing
from planner.stories.acting import Acting
from planner.stories.exchanges import Exchange, Source
from planner.stories.expectations import Expected, expected_in, status_of_words
from planner.stories.retold import Step
from planner.stories.scenarios import UnclearStep
from planner.stories.shown_fields import counted_field, listing, shown_field
from planner.stories.standing import refused_when
from planner.stories.starting import labelled
from planner.stories.step_words import (
    FILLERS,
    Token,
    body_of,
    choices,
    field_for,
    tokens_of,
    told_value,
    with_choices,
)

_HOLDING = frozenset({"has", "have", "had", "holds", "contains", "offers", "owns"})
_PARTICLES = frozenset({"out", "up", "back", "away", "off"})


class Play:
    """The requests of a scenario so far, each with its operation; of the bodies of `_untold` ones nothing is told.

    Where a sentence stands for the scenario, it `arranges` whatever an act needs that nobody speaks of.
    """

    def __init__(
        self, things: Sequence[Thing], operations: Sequence[Operation], *, arranges: bool = False
    ) -> None:
        self._things, self._operations, self._arranges = things, operations, arranges
        self._nouns = {each.noun for each in things}
        self._acting = Acting(things, operations)
        self._sent: list[tuple[Operation, Exchange]] = []
        self._untold: list[int] = []
        self._stands = False

    @property
    def exchanges(self) -> list[Exchange]:
        """The requests in their order. Raises UnclearStep where nothing is told of any answer."""
        found = [exchange for _, exchange in self._sent]
        if not any(each.is_told for each in found):
            raise UnclearStep("what is answered")
        unclear = [found[n] for n in self._untold if _is_refusal(found[n]) and not self._arranges]
        if any(not (self._stands and _is_conflict(each)) for each in unclear):
            raise UnclearStep("what is sent that is refused")
        return found

    def refusals(self) -> Iterator[list[Exchange]]:
        """The requests with one more at their end, which the contract says is refused where a thing stands as it is
        told to stand then: `The cart is closed`."""
        reader, told = self._sent[-1]
        thing = next((each for each in self._things if each.reader is reader), None)
        if thing is None or _is_refusal(told) or not told.answer or not isinstance(told.answer[0], dict):
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

    def act(self, told: Step, *, is_given: bool) -> None:
        """One step that brings something about."""
        before = len(self._sent)
        self._act(told.words, is_given=is_given)
        if told.by and len(self._sent) > before:
            operation, exchange = self._sent[-1]
            self._sent[-1] = (operation, msgspec.structs.replace(exchange, by=told.by))

    def _act(self, step: str, *, is_given: bool) -> None:
        tokens = tokens_of(step)
        if is_given and (acts := self._acting.brought(tokens, [each for each, _ in self._sent])):
            self._stands = True
            for act in acts:
                self._send(act, [], step, arranges=True)
            return
        operation, used = self._acting.operation(tokens, step, is_given=is_given)
        tokens = with_choices(operation, tokens)
        stands = self._acting.stands(tokens, operation) if is_given else None
        noun = self._acting.noun_of(operation) if is_given else ""
        self._stands = self._stands or any(self._acting.standing(noun, each.text) for each in tokens)
        joiner = self._joiner(operation, tokens) if is_given else None
        is_new = is_given and any(each.maker.key == operation.key for each in self._things)
        if joiner is not None:  # `a cart with 2 of "TEA-100"`
            self._send(operation, [], step)
            tokens = [each for each in tokens if each.text not in used]
            operation = joiner
        self._make_named(operation, tokens, step)
        named = self._send(operation, tokens, step, arranges=is_new)
        for act in stands.acts if stands is not None else ():
            self._send(act, [], step, arranges=True)
        used |= {stands.word} if stands is not None else set()
        places = named | {each.text for each in tokens if each.is_value}
        fillers = FILLERS | _HOLDING if is_given else FILLERS
        left = {each.text for each in tokens if not each.is_value} - used - places - fillers
        left = {each for each in left if singular(each) not in self._nouns | places}
        left -= _PARTICLES if self._arranges else set()
        if left:
            raise UnclearStep(f"what “{' '.join(sorted(left))}” says in “{step}”")

    def _send(
        self, operation: Operation, tokens: Sequence[Token], step: str, *, arranges: bool = False
    ) -> set[str]:
        """The request with the values of a step; gives the words that name fields.

        With `arranges` what it needs is made before, where it is not there.
        """
        arranges = arranges or self._arranges
        if arranges:
            self._arrange(operation, step)
        path, sources, named = self._path(operation, tokens, step)
        told = body_of(operation, [each for each in tokens if each not in named], step)
        names = self._referring(operation, told.lacking, step, arranges=arranges)
        known = {*(told.body or ()), *names}
        if told.lacking and (other := unknown_reference(operation, known, self._nouns)):
            raise UnclearStep(f"the {other} in “{step}”")
        exchange = Exchange(
            method=operation.method,
            path=path,
            body=told.body,
            completed=bool(told.lacking)
            or ((operation.method == "POST" or self._arranges) and operation.body is not None),
            sources=sources,
            names=names,
        )
        self._untold += [len(self._sent)] if told.lacking and not told.body else []
        self._sent.append((operation, exchange))
        return told.words

    def _arrange(self, operation: Operation, step: str) -> None:
        """The requests that make what the path of an operation names, and bring it to where the operation is taken."""
        names = PARAMETER.findall(operation.path)
        for name in names:
            found = maker_of(operation.path, name, self._operations)
            if found is None or self._made_by(found[0]):
                continue
            self._send(found[0], [], step, arranges=True)
            for act in acts_before(operation, self._operations) if name == names[-1] else ():
                self._send(act, [], step, arranges=True)

    def _made_by(self, maker: Operation) -> list[int]:
        """The numbers of the requests for what makes things of a kind."""
        return [number for number, (each, _) in enumerate(self._sent) if each.key == maker.key]

    def _referring(
        self, operation: Operation, lacking: Sequence[str], step: str, *, arranges: bool
    ) -> dict[str, Source]:
        """Where the fields of a body come from that name other things, of those of which a step says nothing."""
        fields = split_null(operation.body.schema)[0].get("properties", {}) if operation.body else {}
        names: dict[str, Source] = {}
        for name in lacking:
            found = maker_of_reference(name, fields[name], self._operations)
            if found is None:
                continue
            if arranges and not self._made_by(found[0]):
                self._send(found[0], [], step, arranges=True)
            made = self._made_by(found[0])
            if len(made) != 1:
                raise UnclearStep(f"the {name} in “{step}”")
            names[name] = (made[0], found[1])
        return names

    def _joiner(self, maker: Operation, tokens: Sequence[Token]) -> Operation | None:
        """What puts that into a new thing which a step says is in it; None where its own request takes all of it."""
        if maker.method != "POST" or maker.body is not None or not any(each.is_value for each in tokens):
            return None
        found = []
        for each in self._operations:
            names = PARAMETER.findall(each.path)
            owner = maker_of(each.path, names[0], self._operations) if names else None
            is_joiner = len(names) == 2 and joiner_of(each.path, self._operations) is each
            if is_joiner and owner is not None and owner[0].key == maker.key:
                found.append(each)
        return found[0] if len(found) == 1 else None

    def _make_named(self, operation: Operation, tokens: Sequence[Token], step: str) -> None:
        """The request that makes what a step puts into something by its name, where none was made before."""
        if joiner_of(operation.path, self._operations) is None or operation.method not in ("PUT", "POST"):
            return
        found = maker_of(operation.path, PARAMETER.findall(operation.path)[-1], self._operations)
        if found is None or any(maker.key == found[0].key for maker, _ in self._sent):
            return
        named = [each for each in tokens if isinstance(each.value, str) and field_for(found[0], each, step)]
        if len(named) == 1 and "{" not in found[0].path:
            self._send(found[0], named, step)

    def expect(self, step: str) -> None:
        """One step that tells of an answer."""
        told = expected_in(step)
        if told is None or not self._sent:
            raise UnclearStep(f"how “{step}” can be seen")
        operation, exchange = self._sent[-1]
        match told.how:
            case "read":
                self._read(step, told, status=told.status)
            case "status":
                self._tell(status=told.status)
            case "refused":
                self._tell(refused=True)
            case "taken" if operation.success is not None and not _is_refusal(exchange):
                self._tell(status=operation.success.status)
            case "words" if status := status_of_words(told.words, operation):
                self._tell(status=status)
            case "shown":
                self._expect_shown(told, step)
            case "counted":
                self._expect_counted(told, step)
            case _:
                raise UnclearStep(f"how “{step}” can be seen")

    def _expect_shown(self, told: Expected, step: str) -> None:
        if told.owner and singular(told.owner) not in self._nouns:
            raise UnclearStep(f"which one is meant by “{step}”")
        value = told.value.strip("\"“”'")
        operation, exchange = self._sent[-1]
        is_shown = not _is_refusal(exchange) and self._shows(operation, told.owner)
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

    def _shows(self, operation: Operation, owner: str) -> bool:
        """Whether an operation answers with a thing that is called so, as far as it is known with which."""
        noun = singular(owner) if owner else ""
        subject = subject_of(operation, self._operations)
        shown = next((each.noun for each in self._things if each.maker is operation), "")
        shown = shown or (subject.noun if subject is not None else noun)
        return (
            not noun or shown == noun or not any(each.noun == noun and each.reader for each in self._things)
        )

    def _expect_counted(self, told: Expected, step: str) -> None:
        if told.owner and singular(told.owner) not in self._nouns:
            raise UnclearStep(f"which one is meant by “{step}”")
        if told.field and self._expect_number(told, step):
            return
        operation, exchange = self._sent[-1]
        place = None if _is_refusal(exchange) else counted_field(told.field, operation)
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
        owners = [
            each for each in self._things if each.noun == singular(told.owner) and each.reader is not None
        ]
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

    def _tell(self, **told: object) -> None:
        operation, exchange = self._sent[-1]
        self._sent[-1] = (operation, msgspec.structs.replace(exchange, **told))

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

    def _ask(self, reader: Operation, step: str, status: str = "") -> None:
        path, sources, _ = self._path(reader, [], step)
        self._sent.append((reader, Exchange(method="GET", path=path, status=status, sources=sources)))

    def _tells(self, told: Expected, reader: Operation) -> bool:
        if told.how == "counted":
            return counted_field(told.field, reader) is not None
        value = told.value.strip("\"“”'")
        return told.how == "shown" and shown_field(told.field, value, reader, self._nouns) is not None

    def _path(
        self, operation: Operation, tokens: Sequence[Token], step: str
    ) -> tuple[str, dict[str, Source], list[Token]]:
        """The path of an operation, in which `{id}` is that of what was made, where other names in braces come from,
        and the values that name what is meant."""
        path, named = operation.path, []
        sources: dict[str, Source] = {}
        for name in PARAMETER.findall(operation.path):
            found = maker_of(operation.path, name, self._operations)
            makes = found[0].key if found is not None else ""
            made = [number for number, (maker, _) in enumerate(self._sent) if maker.key == makes]
            telling = [token for token in tokens if any(self._names(each, token.value) for each in made)]
            if found is None or not made or (len(made) > 1 and len(telling) != 1):
                raise UnclearStep(f"which one is meant by “{step}”")
            meant = next((each for each in made if telling and self._names(each, telling[0].value)), made[-1])
            named += telling[:1]
            is_free = f"{{{found[1]}}}" not in path.replace(f"{{{name}}}", "")
            if is_free and not self._is_hidden(found[1], meant):
                path = path.replace(f"{{{name}}}", f"{{{found[1]}}}")
            else:
                sources[name] = (meant, found[1])
        return path, sources, named

    def _names(self, number: int, value: Json) -> bool:
        """Whether a value names what a request made."""
        body = self._sent[number][1].body
        return isinstance(body, dict) and isinstance(value, str) and value in body.values()

    def _is_hidden(self, key: str, meant: int) -> bool:
        """Whether a request after the one that made a thing is answered with an identity of something else."""
        return any(key in operation.shown() for operation, _ in self._sent[meant + 1 :])


def _untold(exchange: Exchange) -> Exchange:
    return msgspec.structs.replace(exchange, status="", answer=(), counted={}, in_part=False)


def _is_refusal(exchange: Exchange) -> bool:
    return exchange.refused or exchange.status.startswith(("4", "5"))


def _is_conflict(exchange: Exchange) -> bool:
    """Whether a refusal is for how things stand, and not for what is sent, as far as it is told."""
    return exchange.status in ("", *OF_STATES)
