"""Steps of scenarios in the words of a contract: who acts is set apart, and kinds of things stand for the things.

`The seller accepts the offer` is `I accept the offer` by the seller, where things show who their `seller` is; `a bike`
is `a vehicle "bike"`, where `bike` is one of the kinds of vehicles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.lifecycles import Subject
from planner.contracts.parties import owners
from planner.contracts.resources import singular
from planner.contracts.things import Thing
from planner.stories.step_words import choices

_WITH = re.compile(
    r"(?:an?|the)\s+(?P<role>[a-z]+)\s+(?:with|who\s+(?:has|made|owns|offers))\s+(?=an?\b)", re.I
)
NAMED = "@"
"""What stands before the name of somebody who is called by one, and not by what they own."""
_NAME = r"(?:[\"“][^\"”]+[\"”]|[A-Z][a-z]+)"
_PEOPLE = re.compile(
    rf"(?:[Tt]he\s+)?(?:[a-z]+\s+)?(?P<names>{_NAME}(?:\s*(?:,|and|,\s*and)\s*{_NAME})*)"
    r"\s+(?:is|are)\s+(?:both\s+)?(?:already\s+)?(?:logged|signed)\s+in"
)
_IS_SOMEBODY = re.compile(
    rf"(?P<names>{_NAME}(?:\s*(?:,|and|,\s*and)\s*{_NAME})*)\s+(?:is|are)\s+(?:both\s+)?(?:the\s+|an?\s+)?(?P<role>[a-z]+)"
)
_TRIES = re.compile(r"\b(?:tries|try|tried|attempts?|attempted)\s+to\s+(?=[a-z])")
_BARE = (
    r"(?P<before>^|\b(?:to|of|for|from|in|on|with|and|out|up|off|into|about)\s+|^(?:I|[A-Za-z][\w-]*)\s+[a-z]+s\s+)"
    r"(?P<noun>{0})(?=\s+[\"“])"
)
_EACH = re.compile(_NAME)
_BY_MAIL = re.compile(r"(?:(?:the\s+)?[a-z]+\s+)?[\"“](?P<mail>[^\"”\s]+@[^\"”\s]+)[\"”]\s+(?=[a-z]+)")
_SOMEBODY = re.compile(r"^(?:somebody|someone|anybody|anyone|everybody|everyone)\s+(?=[a-z])", re.I)
_ACTS = re.compile(
    r"(?:an?|the)\s+(?P<role>[a-z]+)\s+(?!is\b|are\b|was\b|with\b|of\b|should\b|will\b)(?=[a-z]+\b)", re.I
)
_KIND = (
    r"\b(?P<article>an?|the|another|this|that)"
    r"(?P<between>\s+(?:[a-z_-]+\s+)?)(?P<kind>{0})\b(?P<behind>\s+(?:{1})\b)?"
)
_FRESH = ("new", "fresh")
_ALONE = re.compile(r"(?:an?|another|the)\s+(?P<role>[a-z]+)", re.I)


class Step(msgspec.Struct, frozen=True):
    """A step in the words of a contract; `by` names who acts, empty where nobody is told of."""

    words: str
    by: str = ""


class Retelling:
    """Knows by which names people call the owners of things, and the kinds of things."""

    def __init__(self, things: Sequence[Thing]) -> None:
        self._nouns = {each.noun for each in things}
        self._roles = {name for each in things for name in owners(Subject(each.noun, "", each.maker))}
        self._roles -= {name for each in things for name, one in each.shown().items() if not _is_name(one)}
        self._roles -= self._nouns
        self._people: list[str] = []
        self._states = {each.noun: {*_FRESH, *_words(each.shown())} for each in things}
        self._kinds = {word: noun for word, noun in _kinds(things) if singular(word) not in self._nouns}
        self._stands = {word for words in self._states.values() for word in words}
        self._bare = re.compile(_BARE.format("|".join(map(re.escape, self._nouns)) or "(?!)"), re.I)
        self._kind = re.compile(
            _KIND.format("|".join(map(re.escape, self._kinds)), "|".join(map(re.escape, self._nouns))), re.I
        )

    def declares(self, step: str) -> bool:
        """Whether a step says no more than which people are let in: `the users "ada" and "bob" are logged in`.

        They act by these names thereafter.
        """
        match = _PEOPLE.fullmatch(step.strip())
        if match is not None:
            self._people += [_first_name(each) for each in _EACH.findall(match["names"])]
        return match is not None

    def introduces(self, step: str) -> bool:
        """Whether a step says no more than who somebody is: `Hollis is the steward`, `Rosa and Amit are members`.

        Not where such people are things that somebody has to make.
        """
        match = _IS_SOMEBODY.fullmatch(step.strip())
        if match is None or singular(match["role"]) in self._nouns:
            return False
        if match["role"] in self._stands and not re.search(r"\sthe\s", step):
            return False  # `Ada is active`
        self._people += [_first_name(each) for each in _EACH.findall(match["names"])]
        return True

    def is_person(self, step: str) -> bool:
        """Whether a step says no more than that there is somebody: `a buyer`."""
        match = _ALONE.fullmatch(step.strip())
        return match is not None and match["role"].lower() in self._roles

    def told(self, step: str) -> Step:
        """The step in the words of the contract."""
        step = _TRIES.sub("", _SOMEBODY.sub("I ", step))
        step = self.with_articles(step)
        mail = _BY_MAIL.match(step)
        if mail is not None and self._people:
            self._people += [_first_name(mail["mail"])]
            step = f"{_first_name(mail['mail'])} {step[mail.end() :]}"
        if self._people:  # `bob's comment`
            owned = rf"\b(?:{'|'.join(map(re.escape, self._people))})['’]s\s+(?=[a-z])"
            step = re.sub(owned, "the ", step, flags=re.I)
        first, _, rest = step.partition(" ")
        if first.lower() in self._people and rest:
            rest = re.sub(r"^(?:has|have)\s+(?!an?\b|the\b|no\b|\d)", "", rest)
            return Step(self._of_things(f"I {rest}"), f"{NAMED}{first.lower()}")
        match = _WITH.match(step)
        if match is not None and match["role"].lower() in self._roles:
            return Step(self._of_things(step[match.end() :]), match["role"].lower())
        match = _ACTS.match(step)
        if match is not None and match["role"].lower() in self._roles:
            return Step(self._of_things(f"I {step[match.end() :]}"), match["role"].lower())
        return Step(self._of_things(step))

    def with_articles(self, step: str) -> str:
        """The step with an article in front of each noun that has none before a name: `the plot "A-01"`."""
        return self._bare.sub(lambda match: f"{match['before']}the {match['noun']}", step)

    def _of_things(self, step: str) -> str:
        return self._kind.sub(self._as_thing, step) if self._kinds else step

    def _as_thing(self, match: re.Match[str]) -> str:
        """A kind of thing as the thing, with the kind as a value where it is a new one."""
        word, noun = match["kind"], self._kinds[match["kind"].lower()]
        state = match["between"].strip().lower()
        if match["behind"] and match["behind"].strip().lower() != noun:
            return match[0]
        if state and state not in self._states[noun]:
            return match[0]  # “of the kind car”
        article = match["article"]
        if article.lower() in ("a", "an") or match["behind"]:
            article = "an" if not match["between"].strip() and noun[0] in "aeiou" else article
            return f'{article}{match["between"]}{noun} "{word}"'
        return f"{article}{match['between']}{noun}"


def _first_name(told: str) -> str:
    """How somebody is called who is told of by a name or an e-mail address, in small letters."""
    return re.split(r"[@.+]", told.strip('"“”').lower())[0]


def _kinds(things: Sequence[Thing]) -> Iterator[tuple[str, str]]:
    """The words that say of which kind a thing is made, each with its noun: those that no two things share."""
    found: dict[str, set[str]] = {}
    for thing in things:
        for word in _words(thing.given()):
            if word.replace("_", "").isalpha() and len(word) > 2:
                found.setdefault(word, set()).add(thing.noun)
    yield from ((word, min(nouns)) for word, nouns in found.items() if len(nouns) == 1)


def _words(fields: Mapping[str, dict[str, Json]]) -> Iterator[str]:
    """The words of which fields have one, in small letters."""
    for schema in fields.values():
        yield from (value.lower() for value in choices(schema) if isinstance(value, str))


def _is_name(schema: dict[str, Json]) -> bool:
    """Whether a field may show who somebody is: a text of no few words."""
    plain = split_null(schema)[0]
    return plain.get("type") in ("string", None) and not {"enum", "format", "pattern"} & set(plain)
