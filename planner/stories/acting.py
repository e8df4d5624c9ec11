"""Which operation a step of a scenario is: by the words of its summary or id, or by the thing that it makes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence

from crossval.compare.claims import words as words_of
from planner.contracts.joining import home_of_joined, joiner_of
from planner.contracts.lifecycles import subject_of
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import called, maker_of, singular
from planner.contracts.verbs import stem
from planner.stories.scenarios import UnclearStep
from planner.stories.standings import Standings
from planner.stories.step_words import ARTICLES, Token

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
_PERSONS = frozenset({"i", "we", "he", "she", "they"})
_CHANGING = frozenset(map(stem, ("change", "update", "edit", "modify")))
_REMOVING = frozenset(map(stem, ("delete", "remove", "discard")))
_TRANSITION = re.compile(r"\W*(?:[\w ]+\W*\s*(?:->|→|=>)|(?:\w+ or )?\w+(?:ed|en|ing)\s+to\s+\w+\W*$)", re.I)
"""A summary that tells how something stands before and behind an act, and not what is done."""
_OTHERWISE = (
    _REMOVING
    | _CHANGING
    | frozenset(
        map(
            stem,
            (
                *(
                    "get",
                    "list",
                    "show",
                    "read",
                    "find",
                    "fetch",
                    "view",
                    "search",
                    "see",
                    "look",
                    "ask",
                    "want",
                ),
                *(
                    "have",
                    "own",
                    "need",
                    "try",
                    "wait",
                    "use",
                    "like",
                    "know",
                    "cancel",
                    "close",
                    "move",
                    "give",
                ),
            ),
        )
    )
)
"""Verbs of which nobody makes a new thing."""
_HOLDING = frozenset({"has", "have", "had", "holds", "contains", "offers", "owns"})
_HAPPENING = frozenset(
    {
        *("arrives", "arrived", "comes", "came", "made", "booked", "received", "recorded", "happens"),
        *("entered", "added", "created", "registered", "submitted", "placed"),
    }
)
_INTO = frozenset({"to", "into", "on", "in", "onto", "under"})
_PARTICLES = frozenset({"in", "out", "up", "off", "down", "over", "back", "on", "away"})


class Acting(Standings):
    """Knows the operations of a contract by what people call what they do."""

    def operation(self, tokens: Sequence[Token], step: str, *, is_given: bool) -> tuple[Operation, set[str]]:
        """The operation that a step is, and the words by which it is known. Raises UnclearStep."""
        said = [each.text for each in tokens if not each.is_value]
        stems = {stem(each): each for each in said}
        new = dict(self._new(said))
        makers = [each for each in self._things if each.noun in new]
        makers = [each for each in makers if "{" not in each.maker.path] or makers
        if is_given and len(makers) == 1 and new[makers[0].noun]:  # `a closed ticket` is a new one.
            return makers[0].maker, self._subject(said, set()) | new[makers[0].noun]
        found: list[tuple[int, Operation, set[str]]] = []
        for operation in self._operations:
            known = self._known_by(operation, said, stems) or self._joining_by(operation, tokens, said, stems)
            if known is not None:
                found.append((len(known), operation, known))
        most = max((count for count, _, _ in found), default=0)
        best = [each for each in found if each[0] == most]
        if len(best) == 1:
            happening = {each for each in said if said[0] in _NEW and each in _HAPPENING}
            return best[0][1], best[0][2] | self._subject(said, best[0][2]) | happening
        verb = stem(said[1]) if len(said) > 1 and said[0] in _PERSONS else ""
        called_so = [each for _, each, _ in best if stem(called(each.path)) == verb and each.method == "POST"]
        if len(called_so) == 1:  # `harvests_create`, and `harvests_void`
            return called_so[0], {said[1]}
        verbs = {each for each in said if stem(each) in _MAKING or each in _HAPPENING}
        if not best and len(makers) == 1 and (is_given or verbs):
            return makers[0].maker, verbs | self._subject(said, verbs) | new[makers[0].noun]
        own = [each for each in self._operations if self._is_of_its_own(each) and called(each.path) in new]
        if not best and not makers and len(own) == 1:
            noun = called(own[0].path)
            return own[0], {each for each in said if each in _HAPPENING or singular(each) == noun}
        called_so = [each.maker for each in self._things if len(verb) > 3 and each.noun.startswith(verb)]
        called_so = called_so or [
            each
            for each in self._operations
            if len(verb) > 3 and called(each.path).startswith(verb) and self._is_of_its_own(each)
        ]
        if not best and len(called_so) == 1:  # `I reserve the pitch` makes a reservation.
            return called_so[0], {said[1]}
        is_told = any(each.is_value for each in tokens)  # Of “the depot is unknown” nobody makes any.
        if not best and is_told and len(makers) == 1 and said[0] in _PERSONS and verb not in _OTHERWISE:
            return makers[0].maker, {said[1]} | new[makers[0].noun]  # `I install a hive`
        if not best and len(sole := self._only_one_that(verb)) == 1:  # `I enrol "bea"`
            return sole[0], {said[1]}
        if not best and verb in _MAKING | _PUTTING and len(inside := self._made_inside(said)) == 1:
            return inside[0], {said[1]}  # `I add "Firewood" to the reservation`
        raise UnclearStep(f"which operation does “{step}”")

    def _only_one_that(self, verb: str) -> list[Operation]:
        """The operations whose summaries begin with a verb that says more than that something is made or changed."""
        if len(verb) < 4 or verb in _OTHERWISE | _MAKING | _PUTTING:
            return []
        summaries = (words_of(str(each.fact.aspects.get("summary") or "")) for each in self._operations)
        told = [stem(words[0]) if words else "" for words in summaries]
        return [
            each
            for each, begins in zip(self._operations, told, strict=True)
            if begins == verb and each.method != "GET"
        ]

    def _made_inside(self, said: Sequence[str]) -> list[Operation]:
        """What makes things within the one that a step names last: `to her reservation`."""
        owners = {
            singular(each)
            for into, article, each in zip(said, said[1:], said[2:], strict=False)
            if into in _INTO and article in ARTICLES
        }
        within = [each for each in self._things if each.noun in owners]
        found = []
        for each in self._operations:
            names = PARAMETER.findall(each.path)
            if each.method != "POST" or len(names) != 1 or each.body is None or each.path.endswith("}"):
                continue
            owner = maker_of(each.path, names[0], self._operations)
            is_noun = singular(called(each.path)) != called(each.path) or called(each.path) in self._nouns
            if owner is not None and is_noun and any(one.maker.key == owner[0].key for one in within):
                found.append(each)
        return found

    def _is_of_its_own(self, operation: Operation) -> bool:
        """Whether an operation makes something of a thing that stands nowhere by itself: a delivery."""
        return (
            operation.method == "POST"
            and subject_of(operation, self._operations) is not None
            and all(each.maker is not operation for each in self._things)
        )

    def _new(self, said: Sequence[str]) -> Iterator[tuple[str, set[str]]]:
        """The nouns of things that a step speaks of as new ones: `a cart`, `an empty cart`, `an open cart`."""
        for article, noun in itertools.pairwise(said):
            if article in _NEW:
                yield singular(noun), set()
        for article, word, noun in zip(said, said[1:], said[2:], strict=False):
            thing = next((each for each in self._things if each.noun == singular(noun)), None)
            if article in _NEW and thing is not None and word in _FRESH | self._states(thing):
                yield singular(noun), {word}

    def _known_by(self, operation: Operation, said: Sequence[str], stems: dict[str, str]) -> set[str] | None:
        """The words of a step that name an operation by its summary or id; None where they do not."""
        if operation.method == "GET" and "{" not in operation.path:
            return None
        if operation.method == "DELETE" and (verbs := _REMOVING & set(stems)):
            is_meant = "it" in said or called(operation.path) in map(singular, said)
            return {stems[each] for each in verbs} if is_meant else None
        if any(each.changer is operation for each in self._things) and (verbs := _CHANGING & set(stems)):
            is_meant = "it" in said or called(operation.path) in map(singular, said)
            return {stems[each] for each in verbs} if is_meant else None
        names = [str(operation.fact.aspects.get(name) or "") for name in ("summary", "operation_id")]
        names = [each for each in names if not _TRANSITION.match(each)]
        for told in (*map(words_of, names), self._act_words(operation, stems)):
            verb, *rest = [each for each in told if each not in ARTICLES] or [""]
            is_said = (
                operation.method != "GET" and said[0] in _PERSONS and [*map(stem, said[1:2])] == [stem(verb)]
            )
            is_noun = singular(verb) in self._nouns and not is_said
            is_verb = len(verb) > 2 and verb not in _GENERAL and not is_noun
            if not is_verb or stem(verb) not in stems:
                continue
            owners = {called(operation.path[: place.start()]) for place in PARAMETER.finditer(operation.path)}
            implied = owners if said[0] in _PERSONS and len(said) == 2 else set()  # `I comment "…"`
            nouns = [each for each in rest if singular(each) in self._nouns - implied]
            is_meant = all(
                each in said or singular(each) in map(singular, said) or "it" in said for each in nouns
            )
            particles = [
                each
                for each, behind in itertools.zip_longest(rest, rest[1:], fillvalue="")
                if each in _PARTICLES
                and singular(behind) not in self._nouns  # `Comment on a ticket` has none.
            ]
            if is_meant and all(each in said for each in particles):
                return {stems[stem(verb)], *(each for each in rest if each in said)}
        return None

    def _act_words(self, operation: Operation, stems: Collection[str]) -> tuple[str, ...]:
        """What the path of an act calls it, with the noun of its thing: `return rental` of `/rentals/{id}/return`.

        Nothing where that is no verb of the step: which thing it is of takes a look at all operations.
        """
        tail = operation.path.rstrip("/").rpartition("}/")[2]
        is_act = operation.method in ("POST", "PUT", "PATCH") and "{" in operation.path and tail.isalpha()
        is_act = is_act and stem(tail.lower()) in stems
        subject = subject_of(operation, self._operations) if is_act and singular(tail) == tail else None
        is_listed = any(each.key == f"GET {operation.path}" for each in self._operations)
        return (tail.lower(), subject.noun) if subject is not None and not is_listed else ()

    def _joining_by(
        self, operation: Operation, tokens: Sequence[Token], said: Sequence[str], stems: dict[str, str]
    ) -> set[str] | None:
        """The words that say that something is put into another thing, or taken out of it: `I put 3 of "A" into it`."""
        joiner = joiner_of(operation.path, self._operations)
        is_within = len(PARAMETER.findall(operation.path)) > 1
        if joiner is None or not is_within or operation.method not in (joiner.method, "DELETE"):
            return None
        verbs = set((_REMOVING if operation.method == "DELETE" else _PUTTING) & set(stems))
        if operation.method == "DELETE" and "out" in said:
            verbs = verbs or {"take", "tak", "get", "pull", "lift"} & set(stems)
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
