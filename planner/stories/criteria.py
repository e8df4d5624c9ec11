"""Reads what a criterion claims as behaviours of operations: each can be tested, and cites the criterion."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Iterator

from crossval.compare.claims import words
from crossval.compare.components import split_null
from graph.facts import Fact, Json
from graph.source import FactSource
from planner.contracts.entrances import entrance
from planner.contracts.filters import ignores_case, listed_fields, told_filter
from planner.contracts.lists import narrowed_field
from planner.contracts.operations import Member, Operation
from planner.contracts.resources import called, list_place
from planner.contracts.things import Thing, things
from planner.stories.acting import Acting
from planner.stories.acts import acted, acted_behaviours
from planner.stories.asked import Asked, asked_in, taken_requests, told_behaviours
from planner.stories.attempts import attempts
from planner.stories.behaviours import Behaviour, facts_of
from planner.stories.carriers import carriers
from planner.stories.closed import closed
from planner.stories.conflicts import kept_from
from planner.stories.effects import effects
from planner.stories.exchanges import UnclearExchange
from planner.stories.hidden import hidden
from planner.stories.members import Spoken, in_its_unit
from planner.stories.orders import told_order
from planner.stories.others import of_others, own_only, own_refused
from planner.stories.outcomes import once, outcomes, told_status
from planner.stories.passwords import of_unshown_password, of_wrong_password
from planner.stories.plain import plainly
from planner.stories.restated import scenarios
from planner.stories.scenarios import UnclearStep, played_behaviour, steps_of
from planner.stories.standing import both_ways, one_of_its_words, only_then, standing
from planner.stories.starting import afterwards, becoming, starting
from planner.stories.things import mentioned, words_in
from planner.stories.told_facts import AROUND, told_facts
from planner.stories.wholes import gone_with_it, without_what_it_needs

_NARROW = re.compile(
    r"\b(?:list|see|find|show|narrow|filter|search|(?<!can )(?<!may )only|limit|leaves? out|exclude)\w*\b",
    re.I,
)
_MAY_HAVE = re.compile(r"\b(?:may|can)\s+(?:also\s+)?(?:have|carry|be given)\b", re.I)
_AGAIN = re.compile(r"\b(?:and|or|then)\b.*\bagain\b", re.I)
_ACCOUNT = re.compile(r"\b(?:accounts?|users?|members?)\b", re.I)
_WHOEVER = re.compile(r"\bwho(?:ever)?\b", re.I)
_NAMED = re.compile(r"`(\w+)`")
_FIRST = re.compile(r"\W*(?:(?:the|an?|all|each|every)\s+)?(?P<noun>[a-z-]+)", re.I)
_PEOPLE = frozenset(
    {"user", "account", "member", "customer", "person", "client", "admin", "employee", "me", "profile"}
)
_LENGTHS = frozenset({"characters", "digits", "letters", "length"})


class Criteria:
    """Knows the things of all contracts, and reads criteria against them."""

    def __init__(self, source: FactSource, operations: list[Operation] | None = None) -> None:
        self.operations = carriers(source) if operations is None else operations
        self.things = things(self.operations)
        self.facts = told_facts(source)
        self._spoken = Spoken(source, self.operations)

    def behaviours(self, criterion: Fact) -> list[Behaviour]:
        """What a criterion claims of operations; empty where that cannot be derived."""
        found = list(told_behaviours(criterion, self.operations, self.taken)) or list(
            self._scenario(criterion)
        )
        if not found:
            readers = (
                self._at_first,
                self._claims,
                self._order,
                self._narrowed,
                self._optional,
                self._own,
                self._of_wholes,
            )
            for read in (*readers, self._toggled, self._standing):
                found += read(criterion)
            about = {str(each.target.get("operation")) for each in found}
            found += [each for each in self._restated(criterion) if each.target["operation"] not in about]
        if not found and (plain := plainly(self._text(criterion))) is not None:
            found = self.behaviours(plain.of(criterion))
        unique = {repr((each.like, each.target)): each for each in found}
        return list(unique.values())

    @functools.cached_property
    def taken(self) -> dict[str, Asked]:
        """By the key of an operation a request of which some criterion tells that it is taken."""
        found = taken_requests(self.facts.values(), self.operations)
        return {key: asked for key, (asked, _) in found.items()}

    def missing(self, criterion: Fact) -> str:
        """Why nothing can be derived from a criterion, in words."""
        try:
            asked_in(criterion, self.operations, taken=self.taken)
        except UnclearExchange as error:
            return str(error)
        if criterion.aspects.get("then"):
            try:
                acted(criterion, self.things, self.operations)
            except UnclearStep as error:
                return str(error)
        text = str(criterion.aspects.get("text") or criterion.name).splitlines()[0]
        if not self._about(criterion):
            return f"the operation that “{text}” is about: no contract names what it speaks of"
        return f"what can be sent and seen to check “{text}”: name a field, a value or a status in it"

    def around(self, criterion: Fact) -> str:
        """The words of a criterion's story."""
        return str(self.facts.get(criterion.id, criterion).aspects.get(AROUND) or "")

    def _text(self, criterion: Fact) -> str:
        return str(criterion.aspects.get("text") or "")

    def _about(self, criterion: Fact) -> list[Thing]:
        """The things that a criterion speaks of, else its story, else the only one that there is."""
        text = self._text(criterion)
        if found := mentioned(text, self.things):
            alone = {each.noun for each in found if "{" not in each.maker.path}
            return [each for each in found if "{" not in each.maker.path or each.noun not in alone]
        first = _FIRST.match(text)
        if first is not None and words_in(first["noun"]) & self._others:
            return []  # Its subject is something else, which nobody makes by itself.
        found = mentioned(self.around(criterion), self.things)
        return found or (self.things if len(self.things) == 1 else [])

    @functools.cached_property
    def _others(self) -> set[str]:
        """The nouns of collections that no operation puts anything into, so that they are no things: `bookings`."""
        own = {each.noun for each in self.things}
        lists = (each for each in self.operations if each.method == "GET" and list_place(each) is not None)
        return {noun for each in lists if (noun := called(each.path)) not in own} - _PEOPLE

    def _thing(self, criterion: Fact) -> Thing | None:
        return next(iter(self._about(criterion)), None)

    def _scenario(self, criterion: Fact) -> Iterator[Behaviour]:
        if not criterion.aspects.get("then") or self._is_unclear(criterion):
            return
        with contextlib.suppress(UnclearStep):
            if criterion.aspects.get("when"):
                yield played_behaviour(*steps_of(criterion, self.things, self.around(criterion)))
                return
        with contextlib.suppress(UnclearStep):
            yield from acted_behaviours(criterion, self.things, self.operations)

    @functools.cached_property
    def _acting(self) -> Acting:
        return Acting(self.things, self.operations)

    def _restated(self, criterion: Fact) -> Iterator[Behaviour]:
        for steps in scenarios(criterion, self._acting):
            with contextlib.suppress(UnclearStep):
                yield from acted_behaviours(steps.of(criterion), self.things, self.operations, arranges=True)

    def _is_unclear(self, criterion: Fact) -> bool:
        """Whether a criterion tells requests that cannot be sent as told: its steps are no others then."""
        try:
            asked_in(criterion, self.operations, taken=self.taken)
        except UnclearExchange:
            return True
        return False

    def _at_first(self, criterion: Fact) -> Iterator[Behaviour]:
        text = self._text(criterion)
        named = set(_NAMED.findall(text))
        owners = [each for each in self.things if named & each.given().keys()] if named else []
        about = owners if len(owners) == 1 else self._about(criterion)[:1]
        for thing in about or self._accounts(text):
            yield from starting(text, thing)
            yield from becoming(text, thing, self.operations)
            yield from afterwards(text, thing, self.operations)

    def _accounts(self, text: str) -> list[Thing]:
        """What anybody makes who registers, where a text is about accounts and no path names one."""
        known = entrance(self.operations)
        if known is None or not (_ACCOUNT.search(text) or _WHOEVER.search(text)):
            return []
        return [Thing("account", known.register)]

    def _claims(self, criterion: Fact) -> Iterator[Behaviour]:
        readers: dict[str, Callable[[Fact, Json], Iterator[Behaviour]]] = {
            "quantity": self._quantity,
            "enumeration": self._listed,
            "required": self._required,
            "outcome": self._outcome,
            "role": self._role,
        }
        for claim in criterion.aspects.get("claims", ()):
            is_of_steps = claim["kind"] == "outcome" and criterion.aspects.get("when")
            if claim["kind"] in readers and not claim.get("negated") and not is_of_steps:
                yield from readers[claim["kind"]](criterion, claim)
        claimed = {claim["kind"] for claim in criterion.aspects.get("claims", ())}
        status = told_status(self._text(criterion))
        if "outcome" not in claimed and status and not criterion.aspects.get("when"):
            yield from self._outcome(criterion, {"value": status})
        yield from once(self._text(criterion), self._about(criterion)[:1], self.operations)

    def _members(self, criterion: Fact, claim: Json) -> list[tuple[Operation, Member]]:
        about, said = self._about(criterion), f"{self.around(criterion)} {self._text(criterion)}"
        return self._spoken.of(criterion, claim, about, said)

    def _quantity(self, criterion: Fact, claim: Json) -> Iterator[Behaviour]:
        if claim.get("condition") or claim["comparator"] not in (">=", "<=", "<", ">"):
            return
        found = [(*each, claim["value"]) for each in self._members(criterion, claim)]
        for operation, member, value in found or in_its_unit(claim, criterion, self._about(criterion)):
            plain = split_null(member.schema)[0]
            kind = plain.get("type")
            low = claim["comparator"][0] == ">"
            if kind == "string":
                bound = "minLength" if low else "maxLength"
                if claim.get("unit") not in _LENGTHS:
                    continue
            elif kind == "array":
                bound = "minItems" if low else "maxItems"
            elif kind in ("integer", "number"):
                if mentioned(str(claim.get("unit") or ""), self.things):
                    continue  # "A page has at most 20 listings" bounds no number that is sent.
                bound = "minimum" if low else "maximum"
            else:
                continue
            if len(claim["comparator"]) == 1:
                value += 1 if low else -1
            target = {"operation": operation.key, "place": member.place, "bound": bound, "value": value}
            yield Behaviour("bound", target, (member.fact,))

    def _listed(self, criterion: Fact, claim: Json) -> Iterator[Behaviour]:
        """That a value which is not in a list is refused, where the contract lists the same ones."""
        for operation, member in self._members(criterion, claim):
            listed = split_null(member.schema)[0].get("enum")
            if isinstance(listed, list) and {*map(str, listed)} == {*map(str, claim["value"])}:
                yield Behaviour(
                    "unlisted", {"operation": operation.key, "place": member.place}, (member.fact,)
                )

    def _required(self, criterion: Fact, claim: Json) -> Iterator[Behaviour]:
        for operation, member in self._members(criterion, claim):
            like = "required" if claim["value"] is True else "optional"
            yield Behaviour(like, {"operation": operation.key, "place": member.place}, (member.fact,))

    def _outcome(self, criterion: Fact, claim: Json) -> Iterator[Behaviour]:
        named = mentioned(str(claim.get("subject") or ""), self.things)
        for thing in (named or self._about(criterion))[:1]:
            text = self._text(criterion)
            yield from outcomes(str(claim["value"]), text, thing, self.things, self.operations)
            yield from of_others(str(claim["value"]), text, thing, self.operations)
        yield from of_wrong_password(str(claim["value"]), self._text(criterion), self.operations)

    def _role(self, criterion: Fact, claim: Json) -> Iterator[Behaviour]:
        for thing in self._about(criterion)[:1]:
            for operation in thing.operations():
                if operation.secured:
                    yield Behaviour("auth", {"operation": operation.key}, (operation.fact.id,))

    def _order(self, criterion: Fact) -> Iterator[Behaviour]:
        thing = self._thing(criterion)
        order = told_order(self._text(criterion), thing) if thing is not None else None
        if thing is not None and thing.lister is not None and order is not None:
            target = {"operation": thing.maker.key, "read": thing.lister.key, **order}
            yield Behaviour("order", target, facts_of(thing.lister))

    def _narrowed(self, criterion: Fact) -> Iterator[Behaviour]:
        text, thing = self._text(criterion), self._thing(criterion)
        if thing is None or thing.lister is None:
            return
        if not _NARROW.search(re.sub(rf"\b{thing.noun}s?\b", "", text, flags=re.I)):
            return  # A `listing` is no list.
        told = words_in(text) | {each.lower() for each in _NAMED.findall(text)}
        for member in thing.lister.parameters:
            settable = {**thing.given(), **thing.changes()}
            name = narrowed_field(member, settable)
            is_named = member.name.lower() in told or told & one_of_its_words(member.schema)
            filtering = told_filter(member, thing.given(), listed_fields(thing))
            is_search = filtering is not None and filtering.how == "part" and ignores_case(text)
            if member.location == "query" and (
                is_search or (is_named and (filtering or name in thing.shown()))
            ):
                target: dict[str, Json] = {"operation": thing.lister.key, "place": member.place}
                yield Behaviour(
                    "filter", {**target, "caseless": True} if is_search else target, (member.fact,)
                )

    def _own(self, criterion: Fact) -> Iterator[Behaviour]:
        thing = self._thing(criterion)
        text = self._text(criterion)
        yield from of_unshown_password(text, self.operations)
        if thing is not None:
            yield from own_only(text, thing, self.operations)
        for each in mentioned(text, self.things) or ([thing] if thing is not None else []):
            yield from hidden(text, each, self.operations)

    def _of_wholes(self, criterion: Fact) -> Iterator[Behaviour]:
        """What a request changes of its thing, what a thing cannot be without, and what goes with it."""
        thing, text = self._thing(criterion), self._text(criterion)
        yield from effects(text, self.operations)
        if thing is not None:
            yield from without_what_it_needs(text, thing)
            yield from gone_with_it(text, thing, self.things)

    def _optional(self, criterion: Fact) -> Iterator[Behaviour]:
        text, thing = self._text(criterion), self._thing(criterion)
        if thing is None or not _MAY_HAVE.search(text):
            return
        told = words_in(text)
        for member in thing.maker.members():
            is_open = member.location == "body" and len(member.path) == 2 and not member.required
            if is_open and set(words(member.name)) <= told:
                target = {"operation": thing.maker.key, "place": member.place}
                yield Behaviour("optional", target, (member.fact,))

    def _standing(self, criterion: Fact) -> Iterator[Behaviour]:
        thing, text = self._thing(criterion), self._text(criterion)
        if thing is not None:
            yield from standing(text, thing, self.operations)
            yield from only_then(text, thing, self.operations)
        for each in [thing] if thing is not None else self.things[:1]:
            yield from kept_from(text, each, self.operations)
        yield from attempts(text, self.operations)
        yield from own_refused(text, self.operations)
        yield from closed(text, self.operations)

    def _toggled(self, criterion: Fact) -> Iterator[Behaviour]:
        text, thing = self._text(criterion), self._thing(criterion)
        if thing is None or thing.changer is None or thing.reader is None or not _AGAIN.search(text):
            return
        flags = [
            name for name, each in thing.changes().items() if split_null(each)[0].get("type") == "boolean"
        ]
        choices = [both for name, each in thing.changes().items() if (both := both_ways(text, name, each))]
        ways: list[tuple[str, list[Json]]] = [(flags[0], [True, False])] if len(flags) == 1 else choices
        if len(ways) == 1 and ways[0][0] in thing.shown():
            target: dict[str, Json] = {"operation": thing.changer.key, "read": thing.reader.key}
            target |= {"field": ways[0][0], "values": ways[0][1]}
            yield Behaviour("toggled", target, facts_of(thing.changer))
