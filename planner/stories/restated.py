"""Sentences that can be said again as scenarios: `An empty cart cannot be checked out (409)`, `WHEN … THE SYSTEM …`.

What holds becomes a Given, what is done the When, and what is required then the Then. A condition that is neither
leaves the sentence alone; of what is required, each part that can be seen is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from crossval.compare.claims import words as words_of
from graph.facts import Fact
from planner.contracts.codes import without_codes
from planner.contracts.operations import Operation
from planner.contracts.resources import singular
from planner.stories.acting import Acting
from planner.stories.conditions import Steps, act_of, doing_step, led_to, otherwise
from planner.stories.ears import Requirement, required_in
from planner.stories.relative import alternatives, states_ahead
from planner.stories.sets import Set, set_in
from planner.stories.things import with_article

_STATUS = (
    r"(?:\s*\(\s*(?P<plain>4\d\d)(?:\s+[\w ]+)?\s*\)"
    r"|\s*[;,:–—-]\s*(?:and\s+)?(?:it|this|that|the \w+|doing so|trying)\s+(?:is|will be|shall be|gets?)\s+"
    r"(?:answered|rejected|refused)(?:\s+with\s+(?P<with>4\d\d))?"
    r"|\s+(?:is|are|must be|shall be|will be)\s+(?:answered|rejected|refused)(?:\s+with\s+(?P<ending>4\d\d))?)"
)
_PARTICLES = r"(?:in|out|up|off|down|over|back|on|away)"
_PARTICLE = rf"(?:\s+(?P<more>{_PARTICLES}))?"
_NOT = r"(?:can ?not|can[’']t|may not|must not|shall not|(?:can|may)\s+(?:be\s+)?(?P<neither>neither))"
_CANNOT = re.compile(
    r"(?P<thing>(?:an?|the)\s+[\w-]+(?:\s+[\w-]+)?"
    rf"(?:\s+(?:that|which|who)\s+(?:is|has been|was)\s+(?P<state>[\w, -]+?))?)\s+{_NOT}"
    rf"\s+(?:be\s+)?(?P<done>[a-z]+{_PARTICLE}(?:(?:,|\s+or|\s+nor)\s+(?:be\s+)?[a-z]+)*)"
    rf"(?P<into>\s+{_PARTICLES}\s+(?!the\b|an?\b)[a-z]+)?"
    rf"(?P<again>\s+(?:again|twice|a second time|more than once))?(?:{_STATUS})?",
    re.I,
)
_DOING = re.compile(
    rf"(?P<done>[a-z]+ing){_PARTICLE}\s+(?:the\s+(?P<part>[a-z]+)\s+(?:of|for|from)\s+)?"
    rf"(?P<thing>an?\s+(?:[\w-]+\s+)?[\w-]+)(?P<again>\s+(?:again|twice))?{_STATUS}",
    re.I,
)
_NONE_MADE = re.compile(
    r"no\s+(?:more\s+|further\s+|new\s+)?(?P<made>[a-z]+)\s+(?:can|may|must|shall)\s+be\s+(?P<done>[a-z]+)\s+"
    r"(?:for|to|in|on|of|with)\s+"
    rf"(?P<thing>an?\s+[\w-]+\s+[\w-]+)(?:{_STATUS})?",
    re.I,
)
_ELSE = (
    r"(?:\s*\(\s*(?P<told>4\d\d)[^)]*\)"
    r"|\s*[;,:–—-]?\s*(?:otherwise|else|any other|all others?|others?|every other)"
    r"(?:\s+(?:one|request|attempt|the answer|it))?\s+(?:is|are|gets?)\s+"
    r"(?:(?:answered|refused|rejected)\s+(?:with\s+)?)?(?P<status>4\d\d))"
)
_STATE, _DONE = r"(?P<state>[a-z][\w-]*)", rf"(?P<done>[a-z]+(?:\s+{_PARTICLES})?)"
_ONLY = (
    re.compile(rf"only\s+(?:an?\s+)?{_STATE}\s+(?P<noun>[a-z]+)\s+(?:can|may)\s+be\s+{_DONE}{_ELSE}", re.I),
    re.compile(rf"an?\s+{_STATE}\s+(?P<noun>[a-z]+)\s+(?:can|may)\s+be\s+{_DONE}{_ELSE}", re.I),
    re.compile(
        rf"an?\s+(?P<noun>[a-z]+)\s+(?:(?:can|may)\s+(?:only\s+)?be\s+{_DONE}\s+(?:only\s+)?(?:once|after|when|if)"
        rf"|(?:can ?not|may not|must not)\s+be\s+{_DONE.replace('done', 'undone')}\s+(?:before|until|unless))"
        rf"\s+it\s+(?:is|was|has been)\s+{_STATE}{_ELSE}",
        re.I,
    ),
)
_OR = re.compile(r",?\s+(?:or|nor)\s+|,\s+", re.I)
_ANSWERS = re.compile(
    r"(?:respond|answer|reply|return|fail|give|be answered|be refused|be rejected|is answered|is refused|is rejected)s?"
    r"(?:\s+(?:it|this|that|the request))?(?:\s+with)?"
    r"(?:\s+(?:an?|the|http|status|code|error))*\s+(?P<status>[2-5]\d\d)\b"
    r"(?:\s+(?!and\b|for\b)[\w-]+){0,3}?(?P<rest>(?:,|;|\s+and|\s+but)\s+.+)?",
    re.I,
)
_REFUSES = re.compile(
    r"(?:refuse|reject|deny|forbid|decline)s?(?:\s+"
    r"(?:(?:the|this|that|any|such an?)\s+(?:request|attempt)|it|this|(?P<act>to\s+.+?)"
    r"|(?:any\s+|all\s+)?(?:new|more|further)\s+(?P<made>[a-z]+)"
    r"(?:\s+(?:for|in|to|of|on|with)\s+(?:it|the\s+[a-z]+))?))?"
    r"(?:\s+with\s+(?:an?\s+)?(?:http\s+|status\s+)?(?P<status>4\d\d)(?:\s+[\w-]+){0,2})?"
    r"(?P<rest>(?:,|;|\s+and|\s+but)\s+.+)?",
    re.I,
)
_GONE = re.compile(
    r"(?:respond|answer|reply|return|give)s?(?:\s+with)?(?:\s+(?:a|http|status))*\s+(?P<status>404|410)\s+(?:for|to)\s+"
    r"(?:it|the\s+[a-z]+)(?:\s+from\s+then\s+on)?",
    re.I,
)
_PAST = re.compile(
    r"(?:the|an?)\s+(?P<what>[a-z]+(?:\s+[a-z]+){0,2}?)\s+(?:lies|is|was|are)\s+(?:in\s+the\s+past|before\s+today|gone\s+by|over\s+already)",
    re.I,
)
_FUTURE = re.compile(
    r"(?:the|an?)\s+(?P<what>[a-z]+(?:\s+[a-z]+){0,2}?)\s+(?:must|has\s+to|shall)\s+(?:lie|be)\s+in\s+the\s+future\b.*?\b(?P<status>4\d\d)\b.*",
    re.I,
)
_PASSED = re.compile(
    r"an?\s+(?P<what>[a-z]+)\s+(?:that|which)\s+(?:has\s+(?:already\s+)?(?:passed|gone\s+by)|is\s+(?:already\s+)?(?:over|past))\s+"
    r"(?:can ?not|can[’']t|may not)\s+be\s+[a-z]+\s*[:(,;–-]?\s*(?P<status>4\d\d).*",
    re.I,
)
_LONG_AGO = "2001-01-01"
_MOST = 6
"""How many scenarios one sentence may stand for."""


def scenarios(criterion: Fact, acting: Acting) -> list[Steps]:
    """The scenarios that the sentence of a criterion stands for; empty where it has steps, or is of no known form."""
    text = " ".join(str(criterion.aspects.get("text") or "").split()).rstrip(".! ")
    if criterion.aspects.get("then") or not text:
        return []
    found: list[Steps] = list(_gone_by(text, acting))
    for each in alternatives(states_ahead(without_codes(text), acting), acting):
        refused = list(_refused(each, acting))
        required = required_in(each) if not refused else None
        found += refused or (_required(required, acting) if required is not None else ())
    return found if len(found) <= _MOST else []


def _gone_by(text: str, acting: Acting) -> Iterator[Steps]:
    """What a sentence refuses for a day that has passed: `IF the date lies in the past THEN …`."""
    match = _FUTURE.fullmatch(text) or _PASSED.fullmatch(text)
    status, what = (match["status"], match["what"]) if match is not None else ("", "")
    required = required_in(without_codes(text)) if match is None else None
    if required is not None and len(required.conditions) == 1:
        said = _PAST.fullmatch(required.conditions[0].words)
        refused = _REFUSES.fullmatch(required.response) or _ANSWERS.fullmatch(required.response)
        if said is not None and refused is not None and refused["status"]:
            status, what = refused["status"], said["what"]
    day = acting.day_of(what) if status.startswith("4") else None
    if day is not None:
        making = f'I add {with_article(day[0])} with {" ".join(words_of(day[1]))} "{_LONG_AGO}"'
        yield Steps((), making, (f"it is refused with {status}",))


def changes(text: str, acting: Acting) -> Iterator[tuple[str, Set]]:
    """What a sentence says that an act sets, each behind the key of the operation: nothing where it is so sometimes."""
    required = required_in(text)
    for operation, steps, told in _setting(required, acting) if required is not None else ():
        if len(steps.given) <= 1:
            yield from ((operation.key, each) for each in told)


def _refused(text: str, acting: Acting) -> Iterator[Steps]:
    """The refusals of a sentence: each thing that cannot be done, in each of the states that it names."""
    if (match := _NONE_MADE.fullmatch(text)) is not None:
        if acting.is_thing(match["made"]):
            made = with_article(singular(match["made"].lower()))
            yield Steps((match["thing"].lower(),), f"I add {made}", (_outcome(match),))
        return
    yield from _only(text, acting)
    match = _CANNOT.fullmatch(text) or _DOING.fullmatch(text)
    if match is None:
        return
    told = match.groupdict()
    noun, things = _things(told, acting)
    for thing in things:
        for done in _OR.split(told["done"].lower()):
            verb, _, particle = done.removeprefix("be ").partition(" ")
            part = f"the {told['part']} of" if told.get("part") else None
            into = (told.get("into") or "").strip()
            doing = " ".join(filter(None, ("I", verb, particle or told["more"], part, "the", noun, into)))
            is_twice = told["again"] and told.get("state") is None and not _is_standing(thing, noun, acting)
            yield Steps((thing, *((doing,) if is_twice else ())), doing, (_outcome(match),))


def _only(text: str, acting: Acting) -> Iterator[Steps]:
    """What is refused of a thing that stands in any other way than the one in which alone it is taken."""
    match = next((found for each in _ONLY if (found := each.fullmatch(text)) is not None), None)
    if match is None:
        return
    noun = singular(match["noun"].lower())
    state = acting.standing(noun, match["state"])
    thing = otherwise(noun, state, acting) if state is not None else None
    if thing is not None and (status := match["status"] or match.groupdict().get("told")):
        done = match["done"] or match.groupdict().get("undone") or ""
        yield Steps((thing,), f"I {done.lower()} the {noun}", (f"it is refused with {status}",))


def _things(told: dict[str, str | None], acting: Acting) -> tuple[str, list[str]]:
    """The noun of the thing of a refusal, and the thing in each of its states."""
    words = re.split(r"\s+(?:that|which|who)\s+", str(told["thing"]).lower())[0].split()
    noun, state = words[-1], told.get("state")
    if not state:
        return noun, [" ".join(words)]
    named = [acting.standing(noun, each) for each in _OR.split(state)]
    return noun, [f"{with_article(each.word)} {noun}" for each in named if each] if all(named) else []


def _is_standing(thing: str, noun: str, acting: Acting) -> bool:
    """Whether the words of a thing say how it stands: `an archived note`."""
    return any(acting.standing(noun, each) is not None for each in thing.split()[1:-1])


def _outcome(match: re.Match[str]) -> str:
    status = next((each for name in ("plain", "with", "ending") if (each := match[name])), None)
    return f"it is refused with {status}" if status else "it is refused"


def _required(required: Requirement, acting: Acting) -> Iterator[Steps]:
    yield from (
        msgspec.structs.replace(steps, then=tuple(map(_seen, told)))
        for _, steps, told in _setting(required, acting)
    )
    if (gone := _GONE.fullmatch(required.response)) is not None:
        steps = led_to(required.conditions, "", acting)
        if steps is not None:
            yield msgspec.structs.replace(steps, then=(f"reading it is answered with {gone['status']}",))
        return
    match = _REFUSES.fullmatch(required.response) or _ANSWERS.fullmatch(required.response)
    if match is None:
        return
    told = match.groupdict()
    act, made = told.get("act") or "", singular((told.get("made") or "").lower())
    doing = f"I {act[3:]}" if act else doing_step(required.doing) if required.doing else ""
    doing = f"I add {with_article(made)}" if made and acting.is_thing(made) else doing
    steps = led_to(required.conditions, doing, acting)
    if steps is None:
        return
    then = [f"it is refused with {match['status']}" if match["status"] else "it is refused"]
    if match["status"] and match["status"][0] != "4":
        then = [f"it is answered with {match['status']}"]
    noun = steps.given[0].split()[-1] if steps.given else ""
    then += map(_seen, set_in(match["rest"] or "", noun, acting))
    yield msgspec.structs.replace(steps, then=tuple(then))


def _setting(required: Requirement, acting: Acting) -> Iterator[tuple[Operation, Steps, Sequence[Set]]]:
    """What a sentence says is set by an act, with the operation that it is and the steps that lead to it."""
    steps = led_to(required.conditions, doing_step(required.doing) if required.doing else "", acting)
    operation = act_of(steps.when, acting) if steps is not None else None
    if steps is None or operation is None:
        return
    said = next((each for each in steps.when.split() if acting.is_thing(each)), "")
    if told := list(set_in(required.response, said or acting.noun_of(operation), acting)):
        yield operation, steps, told


def _seen(told: Set) -> str:
    return f"the {told.noun}{f'’s {told.field}' if told.field else ''} is {told.value}"
