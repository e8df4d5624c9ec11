"""Steps that ask for lists, and what steps say of them: `the pitches "T1, T2" are listed in this order`.

A list is asked for with filters in the words of its parameters (`with minimum capacity 5`), and in an order (`sorted by
nightly rate`). Of what it shows only those things are looked at that the scenario made: other tests may make more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crossval.compare.claims import words as words_of
from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.filters import listed_fields
from planner.contracts.lists import limit_of, most_of
from planner.contracts.operations import Member, Operation
from planner.contracts.resources import singular
from planner.contracts.sorting import sorter_of
from planner.contracts.things import TITLES, Thing
from planner.stories.doing import Doing
from planner.stories.exchanges import Exchange, Listed
from planner.stories.scenarios import UnclearStep
from planner.stories.shown_fields import listing
from planner.stories.step_words import choices
from planner.stories.voices import as_act

_ASKS = re.compile(
    r"(?:I|we|he|she|they)\s+(?:lists?|listed|looks?(?:\s+(?:for|at|up|through))?|search(?:es|ed)?(?:\s+(?:for|among))?"
    r"|filters?|filtered|finds?|asks?\s+for|browses?|views?|gets?|fetch(?:es)?|requests?|opens?)\s+"
    r"(?:(?:all|the|her|his|my|their|every|a|list|of)\s+)*(?P<noun>[a-z]+)(?P<rest>(?:\s+.*)?)",
    re.I,
)
_SORTED = re.compile(
    r"\s*(?:sorted|ordered|in the order)\s+(?:by|of)\s+(?:their\s+|the\s+)?(?P<by>[a-z_ ]+?)"
    r"(?:,?\s+(?P<down>descending|downwards|the (?:highest|largest|latest|newest|dearest) first)|,?\s+ascending)?\s*$",
    re.I,
)
_FILTER = re.compile(
    r"\s*,?\s*(?:(?:and\s+)?(?:with|by|of|for|where|whose|having|in|at|on|from)|and)\s+(?:the\s+|an?\s+)?(?P<name>[a-z_]+(?:\s+(?!is\b|of\b)[a-z_]+){0,2}?)"
    r"(?:\s+(?:is|of)|\s*[=:])?\s+(?P<value>[\"“][^\"”]*[\"”]|-?\d+(?:\.\d+)?(?:-\d\d-\d\d)?|[A-Za-z_]+)(?=\s*(?:,|and\b|$|sorted|ordered))",
    re.I,
)
_ADJECTIVE = re.compile(r"^(?:only\s+)?(?:the\s+|all\s+)?(?P<state>[a-z_-]+)\s+(?P<noun>[a-z]+)$", re.I)
_NAMES = r"[\"“][^\"”]+[\"”](?:\s*(?:,|and|,\s*and)\s*[\"“][^\"”]+[\"”])*"
_DAYS = r"\d{4}-\d\d-\d\d(?:\s*,\s*(?:and\s+)?\d{4}-\d\d-\d\d)*"
_SHOWN = r"(?:listed|found|shown|returned|in the (?:list|results?)|there|on the list)"
_ARE_LISTED = re.compile(
    rf"(?P<only>only\s+)?(?:the\s+)?(?:(?P<noun>[a-z]+)\s+)?(?P<names>{_NAMES})\s+"
    rf"(?:is|are|was|were|comes?|should be)\s+(?P<not>not\s+|no longer\s+)?(?P<also>still\s+|now\s+)?{_SHOWN}"
    r"(?:\s+(?:among|in|with)\s+(?:the\s+)?(?!th(?:is|at)\s+order)(?P<among>[a-z _-]+?))?"
    r"(?P<ordered>,?\s+in (?:this|that) order)?",
    re.I,
)
_LIST_SHOWS = re.compile(
    r"(?:the|that|this|her|his|my|their)\s+(?:list|overview|results?|answer|page)(?:\s+of\s+(?:the\s+)?(?P<noun>[a-z]+))?\s+"
    rf"(?:shows?|contains?|has|lists?|is|are|includes?)\s+(?P<only>(?:only|just|exactly)\s+)?(?P<names>{_NAMES})"
    r"(?P<ordered>,?\s+in (?:this|that) order)?",
    re.I,
)
_OF_DAYS = re.compile(
    r"the\s+(?P<noun>[a-z]+)(?:\s+of\s+(?:the\s+[a-z]+\s+)?[\"“][^\"”]+[\"”])?\s+are\s+(?:of|from|on|for)\s+"
    rf"(?P<names>{_DAYS})(?P<ordered>,?\s+in (?:this|that) order)?",
    re.I,
)
_THERE_ARE = re.compile(
    r"there (?:is|are)(?:\s+(?:still|now|only))*\s+(?P<count>\d+|no|one)\s+(?P<noun>[a-z]+)", re.I
)
_QUOTED = re.compile(r"[\"“]([^\"”]+)[\"”]")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_TRUTH = {"yes": "true", "true": "true", "no": "false", "false": "false"}
_SAME = {"min": "minimum", "max": "maximum"}
_NUMBERS = {"no": 0, "one": 1}


class Listings(Doing):
    """The requests of steps, also of those that ask for lists, and what is told of these."""

    def _act(self, step: str, *, is_given: bool) -> None:
        if not is_given and any(self._lists_after(each) for each in (step, as_act(step)) if each):
            return
        super()._act(step, is_given=is_given)

    def _lists_after(self, step: str) -> bool:
        """Whether a step asks for a list, which is asked for then. Raises UnclearStep for filters nobody knows."""
        match = _ASKS.fullmatch(step)
        lister = self._lister_of(match["noun"]) if match is not None else None
        if match is None or lister is None or singular(match["noun"].lower()) == match["noun"].lower():
            return False
        self._ask_for(lister, dict(_filtered(match["rest"], lister, step)), step)
        return True

    def _ask_for(self, lister: Operation, query: dict[str, Json], step: str) -> None:
        """The request for a list, as much of it as there may be."""
        limit = limit_of(lister)
        if limit is not None and limit.name not in query:
            query = {**query, limit.name: str(most_of(limit))}
        self._ask(lister, step)
        self._tell(query=query)

    def _lister_of(self, noun: str) -> Operation | None:
        found = [each.lister for each in self._things if each.noun == singular(noun.lower()) and each.lister]
        return found[0] if len(found) == 1 else None

    def _expect_list(self, step: str) -> bool:
        """Whether a step tells what a list shows, which is told of the last one then, or of one that is asked for."""
        match = _ARE_LISTED.fullmatch(step) or _LIST_SHOWS.fullmatch(step) or _OF_DAYS.fullmatch(step)
        if match is None:
            return self._expect_number_of_all(step)
        told = match.groupdict()
        names = [each for quoted in _QUOTED.findall(told["names"]) for each in self._split(quoted)]
        names = names or _DAY.findall(told["names"])
        found = self._listed_thing(told.get("noun") or "", names)
        if found is None:
            return False
        thing, field, among = found
        if thing.lister is None:
            return False
        words, last = told.get("among") or "", self._sent[-1][1]
        narrowed = self._state_asked(words, thing, step) if words else {}
        is_asked = self._asked_last(thing) and narrowed.items() <= last.query.items()
        if not is_asked or last.listed is not None:  # Of each list one thing is told.
            self._ask_for(thing.lister, narrowed or (last.query if is_asked else {}), step)
        is_whole = bool(told.get("only")) or match.re is not _ARE_LISTED or bool(told.get("ordered"))
        expected = [] if told.get("not") else names
        self._tell_listed(
            thing,
            field,
            expected,
            among if is_whole and not told.get("not") else names,
            bool(told.get("ordered")),
        )
        return True

    def _expect_number_of_all(self, step: str) -> bool:
        """Whether a step tells how many things there are, which are all that were made: `there are still 4 pitches`."""
        match = _THERE_ARE.fullmatch(step)
        noun = singular(match["noun"].lower()) if match is not None else ""
        things = [each for each in self._things if each.noun == noun and each.lister is not None]
        lister = things[0].lister if len(things) == 1 else None
        if match is None or lister is None:
            return False
        thing, count = things[0], match["count"].lower()
        bodies = self._bodies(thing)
        field = next((each for each in _by_title(thing) if _tells_apart(each, bodies)), None)
        if field is None or len(bodies) != _NUMBERS.get(count, int(count) if count.isdigit() else -1):
            return False
        self._ask_for(lister, {}, step)
        values = [body[field] for body in bodies]
        self._tell_listed(thing, field, values, values, is_ordered=False)
        return True

    def _tell_listed(
        self, thing: Thing, field: str, values: Sequence[Json], among: Sequence[Json], is_ordered: bool
    ) -> None:
        operation, exchange = self._sent[-1]
        sorter = sorter_of(operation)
        is_sorted = sorter is not None and sorter.name in exchange.query
        listed = Listed(
            place=listing(operation) or "",
            field=field,
            values=tuple(values),
            among=tuple(among),
            ordered=is_ordered or (is_sorted and len(values) > 1),
        )
        self._tell(listed=listed)

    def _asked_last(self, thing: Thing) -> bool:
        """Whether the last request asked for the list of such things."""
        return thing.lister is not None and self._sent[-1][0].key == thing.lister.key

    def _listed_thing(self, noun: str, names: Sequence[str]) -> tuple[Thing, str, list[Json]] | None:
        """The things that were made with these values in one field, that field, and what all of them have in it."""
        asked = self._sent[-1][0]
        found = []
        for thing in self._things:
            if thing.lister is None or (noun and thing.noun != singular(noun.lower())):
                continue
            bodies, shown = self._bodies(thing), listed_fields(thing)
            for field in _by_title(thing):
                values = [body[field] for body in bodies if field in body]
                if (
                    field in shown
                    and names
                    and set(names) <= {each for each in values if isinstance(each, str)}
                ):
                    found.append((thing, field, values))
                    break
        found = [each for each in found if each[0].lister is asked] or found
        return found[0] if len(found) == 1 else None

    def _bodies(self, thing: Thing) -> list[dict[str, Json]]:
        """The bodies with which things of this kind were made, but for those that are told to be refused."""
        made = [self._sent[number][1] for number in self._made_by(thing.maker)]
        return [each.body for each in made if isinstance(each.body, dict) and not is_refusal(each)]

    def _split(self, quoted: str) -> list[str]:
        """The names in quotes, which may be several: `"T1, T2"`."""
        made = {
            value
            for _, each in self._sent
            if isinstance(each.body, dict)
            for value in each.body.values()
            if isinstance(value, str)
        }
        return [quoted] if quoted in made else [each.strip() for each in quoted.split(",")]

    def _state_asked(self, words: str, thing: Thing, step: str) -> dict[str, Json]:
        """The filter for what is told in front of the noun: `among the closed pitches`. Raises UnclearStep."""
        match = _ADJECTIVE.fullmatch(words)
        if match is None:
            return {}
        for member in _filters(thing.lister):
            if found := [
                each for each in choices(member.schema) if str(each).lower() == match["state"].lower()
            ]:
                return {member.name: str(found[0])}
        raise UnclearStep(f"how the list is narrowed in “{step}”")


def _filtered(rest: str, lister: Operation, step: str) -> Iterator[tuple[str, Json]]:
    """The parameters with their values that words behind a list tell. Raises UnclearStep."""
    if (match := _SORTED.search(rest)) is not None:
        yield _sorted_by(match, lister, step)
        rest = rest[: match.start()]
    while rest.strip(" ,"):
        match = _FILTER.match(rest)
        if match is None:
            raise UnclearStep(f"how the list is narrowed in “{step}”")
        yield _filter(match["name"], match["value"].strip('"“”'), lister, step)
        rest = rest[match.end() :]


def _filter(name: str, value: str, lister: Operation, step: str) -> tuple[str, Json]:
    told = _plain(name)
    found = [each for each in _filters(lister) if _plain(each.name) == told]
    if len(found) != 1:
        raise UnclearStep(f"the parameter {name} in “{step}”")
    plain = split_null(found[0].schema)[0]
    if plain.get("type") == "boolean":
        value = _TRUTH.get(value.lower(), value.lower())
    elif chosen := [str(each) for each in choices(plain) if str(each).lower() == value.lower()]:
        value = chosen[0]
    return found[0].name, value


def _sorted_by(match: re.Match[str], lister: Operation, step: str) -> tuple[str, Json]:
    """The parameter that sorts a list by a field, with its value. Raises UnclearStep."""
    member, told = sorter_of(lister), _plain(match["by"])
    values = [each for each in choices(member.schema) if isinstance(each, str)] if member is not None else []
    sign = "-" if match["down"] else ""
    found = [
        each
        for each in values
        if each.startswith("-") == bool(sign) and _plain(each) in (told, told | {"cent"})
    ]
    if member is None or len(found) != 1:
        raise UnclearStep(f"how the list is sorted in “{step}”")
    return member.name, found[0]


def _filters(lister: Operation | None) -> list[Member]:
    return [each for each in lister.parameters if each.location == "query"] if lister is not None else []


def _plain(name: str) -> set[str]:
    """The words of a field's or parameter's name, without those that say nothing beside its type."""
    return {
        _SAME.get(each, singular(each))
        for each in words_of(name)
        if each not in ("has", "is", "the", "their")
    }


def _by_title(thing: Thing) -> list[str]:
    """The fields that a thing is given, the one first that says what it is."""
    return sorted(thing.given(), key=lambda name: TITLES.index(name) if name in TITLES else len(TITLES))


def _tells_apart(field: str, bodies: Sequence[dict[str, Json]]) -> bool:
    """Whether each of these has another text in a field."""
    values = [each.get(field) for each in bodies]
    return all(isinstance(each, str) for each in values) and len(set(map(str, values))) == len(values)


def is_refusal(exchange: Exchange) -> bool:
    """Whether an exchange is told to be refused."""
    return exchange.refused or exchange.status.startswith(("4", "5"))
