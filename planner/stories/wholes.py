"""What sentences say of what a thing is made of: of one that lacks a part, and of parts that go with the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crossval.compare.claims import words
from graph.facts import Json
from planner.contracts.resources import singular
from planner.contracts.things import Thing
from planner.stories.behaviours import Behaviour, facts_of

_WITHOUT = re.compile(
    r"\b(?:an?|any|the)\s+(?P<noun>[\w-]+)\s+(?:without|with no|that (?:has|have) no|lacking)\s+"
    r"(?:an?\s+|any\s+|its\s+|the\s+)?`?(?P<field>[\w -]+?)`?\s+(?:is|are|must be|shall be|gets?|will be)\s+"
    r"(?:refused|rejected|invalid|not accepted|answered with 4\d\d)\b",
    re.I,
)
_GOES_WITH = re.compile(
    r"(?:deleting|removing)\s+(?:an?|the)\s+(?P<noun>[\w-]+)\s+(?:also\s+)?(?:deletes|removes)\s+"
    r"(?:all\s+)?(?:of\s+)?(?:its|their|the)\s+(?P<parts>[\w-]+)\W*",
    re.I,
)


def without_what_it_needs(text: str, thing: Thing) -> Iterator[Behaviour]:
    """That a thing is not made without a part: `A ticket without a text is refused`."""
    match = _WITHOUT.search(text)
    if match is None or singular(match["noun"].lower()) != thing.noun:
        return
    told = words(match["field"])
    for member in thing.maker.members():
        is_field = member.location == "body" and len(member.path) == 2 and member.required
        if is_field and words(member.name) == told:
            target: dict[str, Json] = {"operation": thing.maker.key, "place": member.place}
            yield Behaviour("required", target, (member.fact,))


def gone_with_it(text: str, thing: Thing, every: Sequence[Thing]) -> Iterator[Behaviour]:
    """That what a thing holds is found no more when it was removed: `Deleting a ticket deletes its comments`."""
    match = _GOES_WITH.fullmatch(text.strip())
    if match is None or singular(match["noun"].lower()) != thing.noun or thing.remover is None:
        return
    parts = [
        each for each in every if each.noun == singular(match["parts"].lower()) and each.lister is not None
    ]
    for part in parts:
        lister = part.lister
        lacking = facts_of(lister, "404") if lister is not None else ()
        if lister is not None and lacking and lister.path.startswith(f"{thing.remover.path.rstrip('/')}/"):
            yield Behaviour("gone", {"operation": thing.remover.key, "read": lister.key}, lacking)
