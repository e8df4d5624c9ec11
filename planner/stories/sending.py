"""The requests of a scenario so far, and how the next one is put together: what its path and its body name."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.joining import joiner_of
from planner.contracts.lifecycles import acts_before
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.references import maker_of_reference
from planner.contracts.referring import unknown_reference
from planner.contracts.resources import maker_of
from planner.contracts.things import Thing
from planner.stories.acting import Acting
from planner.stories.bodies import body_of, field_for
from planner.stories.exchanges import Exchange, Source
from planner.stories.scenarios import UnclearStep
from planner.stories.step_words import Token, tokens_of


class Sending:
    """The requests of a scenario so far, each with its operation; of the bodies of `_untold` ones nothing is told.

    Where a sentence stands for the scenario, it `arranges` whatever an act needs that nobody speaks of; `_stands` says
    whether a step tells how something stands. `unseen` has what is told that no answer can show.
    """

    def __init__(
        self, things: Sequence[Thing], operations: Sequence[Operation], *, arranges: bool = False
    ) -> None:
        self._things, self._operations, self._arranges = things, operations, arranges
        self._nouns = {each.noun for each in things}
        self._acting = Acting(things, operations)
        self._sent: list[tuple[Operation, Exchange]] = []
        self._untold: list[int] = []
        self.unseen: list[str] = []
        self._stands = False
        self._actor: int | None = None

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
        references = self._references(operation)
        chosen = self._chosen(references, [each for each in tokens if each not in named])
        rest = [each for each in tokens if each not in named and each not in chosen.values()]
        told = body_of(operation, rest, step, naming=references)
        names = self._referring(operation, told.lacking, step, chosen, arranges=arranges)
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
        self._untold += [len(self._sent)] if told.lacking and not told.body and not chosen else []
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

    def _references(self, operation: Operation) -> dict[str, str]:
        """The fields of a body that name a thing by its number, or one that was made, each with what makes such."""
        fields = operation.given()
        found: dict[str, str] = {}
        for name, each in fields.items():
            maker = maker_of_reference(name, each, self._operations)
            is_number = split_null(each)[0].get("type") == "integer"
            if maker is not None and (is_number or self._made_by(maker[0])):
                found[name] = maker[0].key
        return found

    def _chosen(self, references: Mapping[str, str], tokens: Sequence[Token]) -> dict[int, Token]:
        """The requests that made what a step names, of those that may be meant, each with the value that names it."""
        makers = set(references.values())
        numbers = [number for number, (each, _) in enumerate(self._sent) if each.key in makers]
        found = {number: token for number in numbers for token in tokens if self._names(number, token.value)}
        if self._actor is not None and self._sent[self._actor][0].key in makers:
            found[self._actor] = Token("")
        return found

    def _referring(
        self,
        operation: Operation,
        lacking: Sequence[str],
        step: str,
        chosen: Collection[int],
        *,
        arranges: bool,
    ) -> dict[str, Source]:
        """Where the fields of a body come from that name other things, of those of which a step says nothing."""
        fields = operation.given()
        names: dict[str, Source] = {}
        for name in lacking:
            found = maker_of_reference(name, fields[name], self._operations)
            if found is None:
                continue
            if arranges and not self._made_by(found[0]):
                self._send(found[0], [], step, arranges=True)
            made = self._made_by(found[0])
            meant = [each for each in made if each in chosen]
            made = meant if len(meant) == 1 else made
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

    def _tell(self, **told: object) -> None:
        operation, exchange = self._sent[-1]
        self._sent[-1] = (operation, msgspec.structs.replace(exchange, **told))

    def _ask(self, reader: Operation, step: str, status: str = "") -> None:
        path, sources, _ = self._path(reader, tokens_of(step), step)
        self._sent.append((reader, Exchange(method="GET", path=path, status=status, sources=sources)))

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
