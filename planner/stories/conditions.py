"""Which conditions of a sentence say how things stand, and which what is done: the Given and the When of a scenario."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from graph.facts import Fact, Json
from planner.contracts.operations import Operation, State
from planner.stories.acting import Acting
from planner.stories.ears import Condition
from planner.stories.scenarios import UnclearStep
from planner.stories.step_words import tokens_of
from planner.stories.things import with_article

_IS = re.compile(
    r"(?:(?:the|an?|its|that|this)\s+)?(?:(?P<adjective>[\w-]+)\s+)?(?P<noun>[a-z]+)\s+"
    r"(?:is|are|was|has been|have been|stands?|gets?)\s+(?P<not>not\s+|no longer\s+)?"
    r"(?:already\s+|still\s+|currently\s+|yet\s+|being\s+)?"
    r"(?P<word>[\w-]+)(?P<rest>(?:\s+[\w-]+)*?)(?:\s+(?:already|now))?",
    re.I,
)
_COMES = re.compile(
    r"(?:the|an?)\s+(?P<noun>[a-z]+)\s+(?:goes|comes|gets|turns|becomes)\s+(?P<words>[\w-]+(?:\s+[a-z]+){0,2})",
    re.I,
)
_ADJECTIVE = re.compile(r"\b(?:an?|the)\s+(?P<state>[a-z_-]+)\s+(?P<noun>[a-z]+)\b", re.I)
_ALREADY = re.compile(r"\balready\b", re.I)
_DOES = re.compile(
    r"(?:an?|the|some|any)\s+(?P<who>[a-z]+)\s+(?!is\b|are\b|was\b|has\b|goes\b|gets\b)(?P<doing>[a-z]+s)\s+(?P<what>.+)"
    r"|(?:somebody|someone|anybody|anyone)\s+(?P<verb>[a-z]+)\s+(?P<object>.+)",
    re.I,
)
_GERUND = re.compile(r"(?P<doing>[a-z]+ing)(?P<what>\s+.+)?", re.I)
_IT = re.compile(r"\b(?:it|them|one)\b", re.I)


class Steps(msgspec.Struct, frozen=True):
    """The steps that a sentence stands for."""

    given: tuple[str, ...]
    when: str
    then: tuple[str, ...]

    def of(self, criterion: Fact) -> Fact:
        """The criterion with these steps."""
        steps: dict[str, Json] = {"given": [*self.given], "when": [self.when], "then": [*self.then]}
        return msgspec.structs.replace(criterion, aspects={**criterion.aspects, **steps})


def led_to(conditions: Sequence[Condition], doing: str, acting: Acting) -> Steps | None:
    """What has to hold and what is done, by the conditions of a sentence; None where one of them is neither."""
    given: list[str] = []
    again = ""
    for condition in conditions:
        match = _IS.fullmatch(condition.words)
        held = _held(match, acting) if match is not None else None
        is_already = held is not None and _ALREADY.search(condition.words) is not None
        stands = condition.is_state or is_already
        done = _done(condition.words, match, acting) if not stands and not doing else None
        if done is not None:
            doing, before = done
            given += before
        elif held is not None:
            given.append(held)
            if match is not None and is_already:
                again = acting.step_into(match["noun"].lower(), f"{match['word']}{match['rest']}")
        else:
            return None
    doing = doing or again
    if not doing:
        return None
    noun = given[-1].split()[-1] if given else ""
    return Steps(tuple(given), _IT.sub(f"the {noun}", doing) if noun else doing, ())


def _held(match: re.Match[str], acting: Acting) -> str | None:
    """The thing as a condition says that it stands: `a rented vehicle`; None where it says something else."""
    noun = match["noun"].lower()
    state = acting.standing(noun, f"{match['word']}{match['rest']}")
    if state is None or match["adjective"]:
        return None
    return f"{with_article(state.word)} {noun}" if not match["not"] else otherwise(noun, state, acting)


def otherwise(noun: str, state: State, acting: Acting) -> str | None:
    """A thing that does not stand so: a new one, else one that an act brought into another state; else None."""
    other = acting.standing_otherwise(noun, state)
    if other is None:
        return None
    return with_article(noun) if acting.stands_at_first(noun, other) else f"{with_article(other.word)} {noun}"


def _in_its_state(what: str, acting: Acting) -> tuple[str, list[str]]:
    """What something is done with, without the state in which it is, and the thing in that: `a closed pitch`."""
    for match in _ADJECTIVE.finditer(what):
        state = acting.standing(match["noun"].lower(), match["state"])
        if state is not None:
            plain = f"{what[: match.start()]}the {match['noun']}{what[match.end() :]}"
            return plain, [f"{with_article(state.word)} {match['noun'].lower()}"]
    return what, []


def _done(words: str, match: re.Match[str] | None, acting: Acting) -> tuple[str, list[str]] | None:
    """What a condition says is done, as a step, and the thing in the state of which it speaks, if it does."""
    person = _DOES.fullmatch(words)
    if person is not None and not acting.is_thing(person["who"] or ""):
        what, before = _in_its_state(person["what"] or person["object"], acting)
        step = f"I {person['doing'] or person['verb']} {what}"
        return (step, before) if act_of(step, acting) is not None else None
    if (comes := _COMES.fullmatch(words)) is not None:
        step = acting.step_into(comes["noun"].lower(), comes["words"])
        return (step, []) if step and act_of(step, acting) is not None else None
    if match is None:
        gerund = doing_step(words)
        return (gerund, []) if gerund and act_of(gerund, acting) is not None else None
    noun, adjective = match["noun"].lower(), match["adjective"]
    steps = [
        f"I {match['word'].lower()} {thing}{match['rest']}" for thing in (f"the {noun}", with_article(noun))
    ]
    known = [each for each in steps if act_of(each, acting) is not None]
    if match["not"] or not known or (adjective and acting.standing(noun, adjective) is None):
        return None  # “When the third attempt is noted” is not so of each.
    return known[0], [f"{with_article(adjective.lower())} {noun}"] if adjective else []


def doing_step(words: str) -> str:
    """The step that a gerund stands for: `I renting a vehicle`; empty for other words."""
    match = _GERUND.fullmatch(words)
    return f"I {match['doing'].lower()}{match['what'] or ''}" if match is not None else ""


def act_of(step: str, acting: Acting) -> Operation | None:
    """The operation that a step is; None where it is none that is known."""
    try:
        return acting.operation(tokens_of(step), step, is_given=False)[0]
    except UnclearStep:
        return None
