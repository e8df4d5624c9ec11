"""What a request changes of another thing than its own: `Booking a visit raises the doctor's `visits` by one`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.lifecycles import subject_of
from planner.contracts.operations import Operation
from planner.contracts.references import fields_naming
from planner.contracts.resources import singular
from planner.contracts.things import Thing, things
from planner.stories.acting import Acting
from planner.stories.behaviours import Behaviour, facts_of
from planner.stories.conditions import act_of, doing_step, led_to
from planner.stories.ears import required_in
from planner.stories.starting import labelled

_BY = re.compile(
    r"(?:(?P<up>raise|increase|increment)|(?P<down>lower|decrease|decrement|reduce))s?\s+(?:the\s+)?(?P<owner>[a-z]+)['’]s\s+"
    r"`?(?P<field>[\w ]+?)`?\s+by\s+(?P<by>one|1|\d+)",
    re.I,
)
_PARTS = re.compile(r",\s*(?:and\s+)?|;\s*|\s+and\s+(?=[a-z]+\s)", re.I)
_DOING = re.compile(rf"(?P<doing>[a-z]+ing\s+[^,;]+?)\s+(?P<response>{_BY.pattern})", re.I)


def counted_elsewhere(text: str, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """The number of another thing that a sentence says a request changes; nothing where it is not known which."""
    if _BY.search(text) is None:
        return
    every = things(operations)
    acting = Acting(every, operations)
    act, match = _told(text, acting)
    operation = act_of(act, acting) if act else None
    if match is None or operation is None or operation.success is None:
        return
    owner = next((each for each in every if each.noun == singular(match["owner"].lower())), None)
    reader = owner.reader if owner is not None else None
    if owner is None or reader is None or owner.maker.key == operation.key:
        return
    numbers = [name for name, each in reader.shown().items() if split_null(each)[0].get("type") == "integer"]
    named = [name for name in numbers if labelled(name).fullmatch(match["field"].strip())]
    through = _through(operation, owner, operations)
    if len(named) == 1 and through is not None:
        by = 1 if match["by"].lower() == "one" else int(match["by"])
        move: dict[str, Json] = {"field": named[0], "by": by, "sign": -1 if match["down"] else 1}
        move |= {"maker": owner.maker.key, "through": through} if through else {}
        target: dict[str, Json] = {"operation": operation.key, "read": reader.key, "moves": [move]}
        yield Behaviour("moves", target, facts_of(operation))


def _told(text: str, acting: Acting) -> tuple[str, re.Match[str] | None]:
    """What is done, as a step, and what that changes; empty where something has to hold as well."""
    plain = " ".join(text.split()).rstrip(".! ")
    if (doing := _DOING.fullmatch(plain)) is not None:
        return doing_step(doing["doing"]), _BY.fullmatch(doing["response"])
    required = required_in(plain)
    if required is None:
        return "", None
    steps = led_to(required.conditions, doing_step(required.doing) if required.doing else "", acting)
    if steps is None or any(not _is_at_first(each, acting) for each in steps.given):
        return "", None
    parts = (_BY.fullmatch(each.strip()) for each in _PARTS.split(required.response))
    return steps.when, next((each for each in parts if each is not None), None)


def _is_at_first(thing: str, acting: Acting) -> bool:
    """Whether a new thing is what a step speaks of: `a stored parcel`."""
    _, *words, noun = thing.split()
    state = acting.standing(noun, words[-1]) if words else None
    return not words or (state is not None and acting.stands_at_first(noun, state))


def _through(operation: Operation, owner: Thing, operations: Sequence[Operation]) -> str | None:
    """The field by which a request names another thing, empty where its path does; None where nothing does."""
    if owner.reader is not None and operation.path.startswith(f"{owner.reader.path.rstrip('/')}/"):
        return ""
    subject = subject_of(operation, operations)
    shown = subject.maker.shown() if subject is not None else {}
    for fields in (operation.required(), shown):
        if found := fields_naming(owner.maker, fields, operations):
            return found[0] if len(found) == 1 else None
    return None
