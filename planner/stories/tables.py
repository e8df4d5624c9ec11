"""Tables below the steps of scenarios: each row of `Given the following pitches:` is a thing that is made."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crossval.compare.claims import words as words_of
from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.resources import singular
from planner.contracts.things import Thing
from planner.stories.amounts import AMOUNT, has_cents, in_cents, without_cents
from planner.stories.scenarios import UnclearStep
from planner.stories.starting import labelled

_THINGS = re.compile(
    r"(?:(?:there\s+(?:is|are)\s+"
    r"|(?:I|we|[A-Z][a-z]+|the\s+[a-z]+)\s+(?:has\s+|have\s+)?[a-z]+(?:ed|s)\s+(?=these|the following))?"
    r"(?:the\s+)?(?:following\s+|these\s+)?)?(?P<noun>[a-z]+)"
    r"(?:\s+(?:exist|are\s+(?:there|[a-z]+ed|known|given)))?\s*:?",
    re.I,
)
_LISTED = re.compile(r"\s+(?:with|and|of)\s+(?:the\s+)?(?:following\s+)?(?P<label>[a-z ]+?)\s*:?\s*$", re.I)
_TRUTH = {"yes": True, "true": True, "x": True, "no": False, "false": False, "-": False, "": False}
_SMALL = frozenset({"has", "is"})


def made_by(step: str, things: Sequence[Thing]) -> tuple[Thing, list[dict[str, Json]]] | None:
    """The things that the rows of a step's table are, each as a body; None where it has no table of things.

    Raises UnclearStep where a column is no field, or a cell no value of it.
    """
    words, _, table = step.partition("\n|")
    match = _THINGS.fullmatch(words.strip()) if table else None
    thing = next((each for each in things if match and each.noun == singular(match["noun"].lower())), None)
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")] for line in f"|{table}".splitlines()
    ]
    if thing is None or len(rows) < 2:
        return None
    fields = [_field(label, thing, step) for label in rows[0]]
    bodies = []
    for row in rows[1:]:
        if len(row) != len(fields):
            raise UnclearStep(f"the cells of “{' | '.join(row)}”")
        bodies.append({name: _cell(cell, name, thing, step) for cell, name in zip(row, fields, strict=True)})
    return thing, bodies


def listed_in(step: str) -> tuple[str, str, list[str]] | None:
    """A step without the list below it, what that is called, and what stands in it: `with the options`; else None."""
    words, _, table = step.partition("\n|")
    match = _LISTED.search(words) if table else None
    rows = [line.strip().strip("|").strip() for line in f"|{table}".splitlines()]
    if match is None or any("|" in each for each in rows):
        return None
    return words[: match.start()], match["label"].lower(), rows


def _field(label: str, thing: Thing, step: str) -> str:
    """The field that a column is for: of its name, however written, or of that without `has` or in cents."""
    told = [*words_of(label)]
    found = [name for name in thing.given() if labelled(name).fullmatch(label)]
    found = found or [name for name in thing.given() if _plain(name) == told]
    if len(found) != 1:
        raise UnclearStep(f"the field that the column “{label}” is for, in “{step.splitlines()[0]}”")
    return found[0]


def _plain(name: str) -> list[str]:
    return without_cents([each for each in words_of(name) if each not in _SMALL])


def _cell(cell: str, name: str, thing: Thing, step: str) -> Json:
    plain = split_null(thing.given()[name])[0]
    bare = cell.strip("\"“”'")
    amount = re.fullmatch(AMOUNT, bare)
    match plain.get("type"):
        case "boolean" if bare.lower() in _TRUTH:
            return _TRUTH[bare.lower()]
        case "integer" if amount is not None and has_cents(name):
            return in_cents(amount)
        case "integer" if re.fullmatch(r"-?\d+", bare):
            return int(bare)
        case "number" if re.fullmatch(r"-?\d+(?:\.\d+)?", bare):
            return float(bare) if "." in bare else int(bare)
        case "string" if bare and ("enum" not in plain or bare in plain["enum"]):
            return bare
    raise UnclearStep(f"the {name} “{cell}” in “{step.splitlines()[0]}”")
