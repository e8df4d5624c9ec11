"""Reads scenarios told in people's own words as requests: each step is an operation, its values are what is sent.

An operation is known by the words of its summary (`I pay in 1000` is `Pay in`), a thing by its noun (`an account of
"Grace" in "EUR"`), a value by the field that can take it. Whatever is left over of a step makes it unclear: a request
that leaves out what a sentence says would be another one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

import msgspec

from crossval.compare.claims import words as words_of
from graph.facts import Fact, Json
from planner.contracts.envelopes import unwrapped
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import called, maker_of, singular
from planner.contracts.things import Thing
from planner.stories.behaviours import Behaviour, facts_of
from planner.stories.exchanges import Exchange, filled, rows_of
from planner.stories.scenarios import UnclearStep
from planner.stories.step_words import FILLERS, Token, body_of, choices, stem, tokens_of, told_value

_ARTICLES = frozenset(
    {"a", "an", "the", "another", "one", "my", "our", "his", "her", "their", "that", "this"}
)
_NEW = frozenset({"a", "an", "another", "one", "new"})
_MAKING = frozenset(map(stem, ("add", "create", "open", "make", "register")))
_GENERAL = frozenset(
    {
        *("get", "list", "show", "read", "find", "fetch", "view", "search", "create", "add", "make", "new"),
        *("update", "change", "set", "put", "post", "the"),
    }
)
_REMOVING = frozenset(map(stem, ("delete", "remove", "discard")))
_HOLDING = frozenset({"has", "have", "had", "holds", "contains", "offers", "owns"})
_PARTICLES = frozenset({"in", "out", "up", "off", "down", "over", "back", "on", "away"})
_VALUE = r"(?P<value>[\"“'].+[\"”']|-?\d+(?:\.\d+)?"
_STATUS = re.compile(
    r"(?:it|this|that|the (?:request|answer|response|call|operation)|I|we) (?:is|was|am|are|should be|gets?) "
    r"(?:answered|rejected|refused|told)(?: with)?(?: (?:the )?status)? (?P<status>[2-5]\d\d)"
    r"|the (?:(?:response|answer|http) )?status(?: code)? (?:is|should be) (?P<code>[2-5]\d\d)"
    r"|the (?:response|answer) (?:has|should have) (?:the )?status(?: code)?(?: of)? (?P<had>[2-5]\d\d)",
    re.I,
)
_REFUSED = re.compile(
    r"(?:it|this|that|the \w+) (?:is|was|should be) (?:rejected|refused|not allowed|denied)", re.I
)
_ASKED = re.compile(
    r"(?:asking for|reading|getting|looking for|requesting) (?:it|the \w+)(?: again)? is (?:answered|refused) with "
    r"(?P<status>[2-5]\d\d)",
    re.I,
)
_SHOWN = re.compile(
    r"(?:(?:the|its|his|her|my|their) )?(?:(?P<owner>\w+)(?:'s|’s) )?(?P<field>[\w ]+?) "
    rf"(?:is|are|should be|becomes|equals|will be)(?: now| still| then)? {_VALUE}|[\w-]+)",
    re.I,
)
_HAS = re.compile(
    rf"(?P<owner>)(?:the \w+|it) (?:has|should have)(?: now| still)? an? (?P<field>[\w ]+?) of {_VALUE})",
    re.I,
)


def acted(
    criterion: Fact, things: Sequence[Thing], operations: Sequence[Operation], row: int = 0
) -> list[Exchange]:
    """The requests of a scenario, the last with what is told of its answer, with an outline's row of examples put in.

    Raises UnclearStep where any is unclear.
    """
    told = {
        name: [filled(str(each), criterion, row).strip(" .") for each in criterion.aspects.get(name) or ()]
        for name in ("given", "when", "then")
    }
    if not told["when"] or not told["then"] or any("<" in each for steps in told.values() for each in steps):
        raise UnclearStep("a When and a Then, and a value for each place to fill in")
    play = _Play(things, operations)
    for step in told["given"]:
        play.act(step, is_given=True)
    for step in told["when"]:
        play.act(step, is_given=False)
    for step in told["then"]:
        play.expect(step)
    return play.exchanges


def acted_behaviours(
    criterion: Fact, things: Sequence[Thing], operations: Sequence[Operation]
) -> Iterator[Behaviour]:
    """What a scenario claims, one behaviour for each row of its examples. Raises UnclearStep where any is unclear."""
    rows = rows_of(criterion)
    played = [acted(criterion, things, operations, row) for row in range(rows)]
    for row, exchanges in enumerate(played):
        found = _behaviour(exchanges, operations)
        yield msgspec.structs.replace(found, target={**found.target, "row": row}) if rows > 1 else found


def _behaviour(exchanges: Sequence[Exchange], operations: Sequence[Operation]) -> Behaviour:
    """The behaviour that such requests claim: of the last operation of whose answer something is told."""
    last = next(each for each in reversed(exchanges) if each.is_told)
    operation = next(
        each for each in operations if each.method == last.method and _shape(each.path) == _shape(last.path)
    )
    target: dict[str, Json] = {"operation": operation.key, "exchanges": msgspec.to_builtins(list(exchanges))}
    return Behaviour("told", target, facts_of(operation, last.status))


def _shape(path: str) -> str:
    return PARAMETER.sub("{}", path)


class _Play:
    """The requests so far, each with its operation."""

    def __init__(self, things: Sequence[Thing], operations: Sequence[Operation]) -> None:
        self._things, self._operations = things, operations
        self._nouns = {each.noun for each in things}
        self._sent: list[tuple[Operation, Exchange]] = []

    @property
    def exchanges(self) -> list[Exchange]:
        """The requests in their order. Raises UnclearStep where nothing is told of any answer."""
        found = [exchange for _, exchange in self._sent]
        if not any(each.is_told for each in found):
            raise UnclearStep("what is answered")
        return found

    def act(self, step: str, *, is_given: bool) -> None:
        """One step that brings something about."""
        tokens = tokens_of(step)
        operation, used = self._operation(tokens, step, is_given=is_given)
        path, named = self._path(operation, tokens, step)
        body, places = body_of(operation, [each for each in tokens if each not in named], step)
        fillers = FILLERS | _HOLDING if is_given else FILLERS
        left = {each.text for each in tokens if not each.is_value} - used - places - fillers
        left = {each for each in left if singular(each) not in self._nouns | places}
        if left:
            raise UnclearStep(f"what “{' '.join(sorted(left))}” says in “{step}”")
        self._sent.append((operation, Exchange(method=operation.method, path=path, body=body)))

    def expect(self, step: str) -> None:
        """One step that tells of an answer."""
        operation, exchange = self._sent[-1]
        if match := _ASKED.fullmatch(step):
            self._read(step, status=match["status"])
        elif match := _STATUS.fullmatch(step):
            self._tell(
                msgspec.structs.replace(exchange, status=match["status"] or match["code"] or match["had"])
            )
        elif _REFUSED.fullmatch(step):
            self._tell(msgspec.structs.replace(exchange, refused=True))
        elif match := _SHOWN.fullmatch(step) or _HAS.fullmatch(step):
            if match["owner"] and singular(match["owner"].lower()) not in self._nouns:
                raise UnclearStep(f"which one is meant by “{step}”")
            field = None if _is_refusal(exchange) else self._shown(match, operation)
            if field is None:
                self._read(step)
                operation, exchange = self._sent[-1]
                field = self._shown(match, operation)
            if field is None:
                raise UnclearStep(f"the field that “{step}” is about")
            value = told_value(match["value"], field[1], step)
            before = exchange.answer[0] if exchange.answer else {}
            told = ({**(before if isinstance(before, dict) else {}), field[0]: value},)
            self._tell(msgspec.structs.replace(exchange, answer=told, in_part=True))
        else:
            raise UnclearStep(f"how “{step}” can be seen")

    def _tell(self, exchange: Exchange) -> None:
        self._sent[-1] = (self._sent[-1][0], exchange)

    def _read(self, step: str, status: str = "") -> None:
        """The request that reads the thing which was made last."""
        makers = [each.key for each, _ in self._sent]
        thing = next((each for each in self._things if each.maker.key in makers and each.reader), None)
        several = sum(each.maker.key in makers for each in self._things) > 1
        if thing is None or thing.reader is None or several:
            raise UnclearStep(f"how “{step}” can be seen")
        path, _ = self._path(thing.reader, [], step)
        self._sent.append((thing.reader, Exchange(method="GET", path=path, status=status)))

    def _operation(self, tokens: Sequence[Token], step: str, *, is_given: bool) -> tuple[Operation, set[str]]:
        """The operation that a step is, and the words by which it is known."""
        said = [each.text for each in tokens if not each.is_value]
        stems = {stem(each): each for each in said}
        found: list[tuple[int, Operation, set[str]]] = []
        for operation in self._operations:
            known = self._known_by(operation, said, stems)
            if known is not None:
                found.append((len(known), operation, known))
        most = max((count for count, _, _ in found), default=0)
        best = [each for each in found if each[0] == most]
        if len(best) == 1:
            return best[0][1], best[0][2] | self._subject(said, best[0][2])
        new = {singular(noun) for article, noun in itertools.pairwise(said) if article in _NEW}
        makers = [each.maker for each in self._things if each.noun in new]
        verbs = {each for each in said if stem(each) in _MAKING}
        if not best and len(makers) == 1 and (is_given or verbs):
            return makers[0], verbs | self._subject(said, verbs)
        raise UnclearStep(f"which operation does “{step}”")

    def _known_by(self, operation: Operation, said: Sequence[str], stems: dict[str, str]) -> set[str] | None:
        """The words of a step that name an operation by its summary or id; None where they do not."""
        if operation.method == "GET" and "{" not in operation.path:
            return None
        if operation.method == "DELETE" and (verbs := _REMOVING & set(stems)):
            is_meant = "it" in said or called(operation.path) in map(singular, said)
            return {stems[each] for each in verbs} if is_meant else None
        for name in ("summary", "operation_id"):
            told = words_of(str(operation.fact.aspects.get(name) or ""))
            verb, *rest = [each for each in told if each not in _ARTICLES] or [""]
            if verb in _GENERAL or len(verb) < 3 or stem(verb) not in stems:
                continue
            nouns = [each for each in rest if singular(each) in self._nouns]
            is_meant = all(
                each in said or singular(each) in map(singular, said) or "it" in said for each in nouns
            )
            if is_meant and all(each in said for each in rest if each in _PARTICLES):
                return {stems[stem(verb)], *(each for each in rest if each in said)}
        return None

    def _subject(self, said: Sequence[str], verbs: set[str]) -> set[str]:
        """Who acts, before the verb: `the customer pays in`."""
        is_acting = len(said) > 2 and said[0] in _ARTICLES and singular(said[1]) not in self._nouns
        if is_acting and said[2] in verbs | _HOLDING:
            return {said[1]}
        return set()

    def _path(self, operation: Operation, tokens: Sequence[Token], step: str) -> tuple[str, list[Token]]:
        """The path of an operation, in which `{id}` is that of what was made, and the values that name it."""
        path, named = operation.path, []
        for name in PARAMETER.findall(operation.path):
            found = maker_of(operation.path, name, self._operations)
            made = [each for maker, each in self._sent if found is not None and maker.key == found[0].key]
            telling = [
                token
                for token in tokens
                if token.is_value and any(_names(each, token.value) for each in made)
            ]
            if found is None or not made or (len(made) > 1 and not telling):
                raise UnclearStep(f"which one is meant by “{step}”")
            meant = next((each for each in made if telling and _names(each, telling[0].value)), made[-1])
            if meant is not made[-1] or self._is_hidden(found[1], made[-1]):
                raise UnclearStep(f"which one is meant by “{step}”")
            named += telling[:1]
            path = path.replace(f"{{{name}}}", f"{{{found[1]}}}")
        return path, named

    def _is_hidden(self, key: str, made: Exchange) -> bool:
        """Whether a request after the one that made a thing is answered with an identity of something else."""
        at = max(number for number, (_, exchange) in enumerate(self._sent) if exchange is made)
        later = self._sent[at + 1 :]
        return any(f"{{{key}}}" not in exchange.path and key in _fields(each) for each, exchange in later)

    def _shown(self, match: re.Match[str], operation: Operation) -> tuple[str, dict[str, Json]] | None:
        """The field of an operation's answer of which a step tells the value, with its schema."""
        value = match["value"].strip("\"“”'")
        return self._field(match["field"], operation) or self._choice(match["field"], value, operation)

    def _choice(self, words: str, value: str, operation: Operation) -> tuple[str, dict[str, Json]] | None:
        """The one field of which a value is a choice, where words only name the thing: `the loan is "open"`."""
        named = [each for each in words_of(words) if each not in _ARTICLES]
        if unwrapped(operation.success.schema if operation.success is not None else None)[0]:
            return None
        nouns = self._nouns | {"it", called(operation.path)}
        if not named or any(singular(each) not in nouns for each in named):
            return None
        found = [(name, each) for name, each in _fields(operation).items() if value in choices(each)]
        return found[0] if len(found) == 1 else None

    def _field(self, words: str, operation: Operation) -> tuple[str, dict[str, Json]] | None:
        """The field of an operation's answer that words name, with its schema."""
        within, _ = unwrapped(operation.success.schema if operation.success is not None else None)
        if within:
            return None
        told = [
            each for each in words_of(words) if singular(each) not in self._nouns and each not in _ARTICLES
        ]
        found = [(name, each) for name, each in _fields(operation).items() if list(words_of(name)) == told]
        return found[0] if len(found) == 1 else None


def _is_refusal(exchange: Exchange) -> bool:
    return exchange.refused or exchange.status.startswith(("4", "5"))


def _names(made: Exchange, value: Json) -> bool:
    return isinstance(made.body, dict) and isinstance(value, str) and value in made.body.values()


def _fields(operation: Operation) -> dict[str, dict[str, Json]]:
    schema = unwrapped(operation.success.schema if operation.success is not None else None)[1]
    found = schema.get("properties", {})
    return found if isinstance(found, dict) else {}
