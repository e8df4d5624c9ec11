"""Which operation a step of a scenario is: by the words of its summary or id, or by the thing that it makes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from crossval.compare.claims import words as words_of
from crossval.compare.components import split_null
from planner.contracts.joining import home_of_joined, joiner_of
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import called, maker_of, singular
from planner.contracts.things import Thing
from planner.contracts.verbs import stem
from planner.stories.scenarios import UnclearStep
from planner.stories.step_words import ARTICLES, Token, choices

_NEW = frozenset({"a", "an", "another", "one", "new"})
_FRESH = frozenset({"new", "empty", "fresh"})
_MAKING = frozenset(map(stem, ("add", "create", "open", "make", "register")))
_PUTTING = frozenset(map(stem, ("put", "add", "place", "set")))
_GENERAL = frozenset(
    {
        *("get", "list", "show", "read", "find", "fetch", "view", "search", "create", "add", "make", "new"),
        *("update", "change", "set", "put", "post", "the"),
    }
)
_REMOVING = frozenset(map(stem, ("delete", "remove", "discard")))
_HOLDING = frozenset({"has", "have", "had", "holds", "contains", "offers", "owns"})
_PARTICLES = frozenset({"in", "out", "up", "off", "down", "over", "back", "on", "away"})


class Acting:
    """Knows the operations of a contract by what people call what they do."""

    def __init__(self, things: Sequence[Thing], operations: Sequence[Operation]) -> None:
        self._things, self._operations = things, operations
        self._nouns = {each.noun for each in things}

    def operation(self, tokens: Sequence[Token], step: str, *, is_given: bool) -> tuple[Operation, set[str]]:
        """The operation that a step is, and the words by which it is known. Raises UnclearStep."""
        said = [each.text for each in tokens if not each.is_value]
        stems = {stem(each): each for each in said}
        found: list[tuple[int, Operation, set[str]]] = []
        for operation in self._operations:
            known = self._known_by(operation, said, stems) or self._joining_by(operation, tokens, said, stems)
            if known is not None:
                found.append((len(known), operation, known))
        most = max((count for count, _, _ in found), default=0)
        best = [each for each in found if each[0] == most]
        if len(best) == 1:
            return best[0][1], best[0][2] | self._subject(said, best[0][2])
        new = dict(self._new(said))
        makers = [each for each in self._things if each.noun in new]
        verbs = {each for each in said if stem(each) in _MAKING}
        if not best and len(makers) == 1 and (is_given or verbs):
            return makers[0].maker, verbs | self._subject(said, verbs) | new[makers[0].noun]
        raise UnclearStep(f"which operation does “{step}”")

    def _new(self, said: Sequence[str]) -> Iterator[tuple[str, set[str]]]:
        """The nouns of things that a step speaks of as new ones: `a cart`, `an empty cart`, `an open cart`."""
        for article, noun in itertools.pairwise(said):
            if article in _NEW:
                yield singular(noun), set()
        for article, word, noun in zip(said, said[1:], said[2:], strict=False):
            thing = next((each for each in self._things if each.noun == singular(noun)), None)
            if article in _NEW and thing is not None and word in _FRESH | _at_first(thing):
                yield singular(noun), {word}

    def _known_by(self, operation: Operation, said: Sequence[str], stems: dict[str, str]) -> set[str] | None:
        """The words of a step that name an operation by its summary or id; None where they do not."""
        if operation.method == "GET" and "{" not in operation.path:
            return None
        if operation.method == "DELETE" and (verbs := _REMOVING & set(stems)):
            is_meant = "it" in said or called(operation.path) in map(singular, said)
            return {stems[each] for each in verbs} if is_meant else None
        for name in ("summary", "operation_id"):
            told = words_of(str(operation.fact.aspects.get(name) or ""))
            verb, *rest = [each for each in told if each not in ARTICLES] or [""]
            is_verb = len(verb) > 2 and verb not in _GENERAL and singular(verb) not in self._nouns
            if not is_verb or stem(verb) not in stems:
                continue
            nouns = [each for each in rest if singular(each) in self._nouns]
            is_meant = all(
                each in said or singular(each) in map(singular, said) or "it" in said for each in nouns
            )
            if is_meant and all(each in said for each in rest if each in _PARTICLES):
                return {stems[stem(verb)], *(each for each in rest if each in said)}
        return None

    def _joining_by(
        self, operation: Operation, tokens: Sequence[Token], said: Sequence[str], stems: dict[str, str]
    ) -> set[str] | None:
        """The words that say that something is put into another thing, or taken out of it: `I put 3 of "A" into it`."""
        joiner = joiner_of(operation.path, self._operations)
        if joiner is None or operation.method not in (joiner.method, "DELETE"):
            return None
        verbs = (_REMOVING if operation.method == "DELETE" else _PUTTING) & set(stems)
        owner = maker_of(operation.path, PARAMETER.findall(operation.path)[0], self._operations)
        home = home_of_joined(operation.path, self._operations)
        if not verbs or owner is None or home is None:
            return None
        nouns = set(map(singular, said))
        is_owned = called(owner[0].path) in nouns or "it" in said
        is_named = called(home) in nouns or any(isinstance(each.value, str) for each in tokens)
        return {stems[each] for each in verbs} if is_owned and is_named else None

    def _subject(self, said: Sequence[str], verbs: set[str]) -> set[str]:
        """Who acts, before the verb: `the customer pays in`."""
        is_acting = len(said) > 2 and said[0] in ARTICLES and singular(said[1]) not in self._nouns
        if is_acting and said[2] in verbs | _HOLDING:
            return {said[1]}
        return set()


def _at_first(thing: Thing) -> set[str]:
    """How a thing stands that was just made: in the states that its fields have by default."""
    told = (split_null(each)[0].get("default") for each in thing.shown().values() if choices(each))
    return {each.lower() for each in told if isinstance(each, str)}
