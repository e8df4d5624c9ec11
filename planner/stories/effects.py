"""What sentences say that a request changes of the thing it is for: `A delivery adds its amount to the quantity`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.lifecycles import subject_of
from planner.contracts.operations import Operation
from planner.contracts.resources import called, singular
from planner.contracts.verbs import stem
from planner.stories.behaviours import Behaviour, facts_of
from planner.stories.counters import counted_elsewhere
from planner.stories.starting import labelled

_BY = r"(?:one|1|\d+|(?:its|the|that|this|their)\s+`?(?P<{0}>[a-z_]+)`?)"
_RAISES = re.compile(
    r"(?:(?:each|every|an?|the|adding an?|making an?)\s+)?(?P<what>[a-z]+)\s+"
    r"(?:(?P<up>raises|increases|increments)|(?P<down>lowers|decreases|reduces|decrements))\s+"
    rf"(?:the\s+|its\s+)?`?(?P<field>[\w ]+?)`?\s+by\s+(?P<by>{_BY.format('amount')})(?P<rest>.*)",
    re.I,
)
_ADDS = re.compile(
    r"(?:(?:each|every|an?|the)\s+)?(?P<what>[a-z]+)\s+"
    rf"(?:(?P<up>adds)|(?P<down>takes|subtracts|deducts))\s+(?P<by>{_BY.format('amount')})\s+"
    r"(?:to|from)\s+(?:the\s+|its\s+)?`?(?P<field>[\w ]+?)`?(?P<rest>(?:\s+and\s+.*)?)",
    re.I,
)
_LEAVES = re.compile(
    r"\s+(?:and|but)\s+(?:leaves|keeps)\s+(?:the\s+|its\s+)?`?(?P<field>[\w ]+?)`?\s+(?:as it is|unchanged|alone)",
    re.I,
)
_UNDOES = re.compile(
    r"(?P<doing>[a-z]+ing)\s+an?\s+(?P<what>[a-z]+)\s+makes\s+(?:(?:its|the)\s+`?(?P<amount>[a-z_]+)`?|it)\s+"
    r"`?(?P<field>[\w]+?)`?\s+again",
    re.I,
)
_NUMBERS = ("integer", "number")


def effects(text: str, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """The numbers that a text says a request changes; nothing where it is not known which, or by how much."""
    text = " ".join(text.split()).rstrip(".! ")
    match = _RAISES.fullmatch(text) or _ADDS.fullmatch(text)
    if match is None:
        yield from _undone(text, operations)
        yield from counted_elsewhere(text, operations)
        return
    found = _acting(match["what"], operations)
    field = _field(match["field"], found) if found is not None else None
    if found is None or field is None:
        return
    operation, reader = found
    by = _amount(match["by"], match["amount"], operation)
    moves = [{"field": field, "by": by, "sign": -1 if match["down"] else 1}] if by is not None else []
    if moves and (rest := match["rest"].strip()):
        left = _LEAVES.fullmatch(match["rest"])
        other = _field(left["field"], found) if left is not None else None
        moves = [*moves, {"field": other, "by": 0, "sign": 1}] if other is not None and rest else []
    if moves:
        target: dict[str, Json] = {"operation": operation.key, "read": reader.key, "moves": moves}
        yield Behaviour("moves", target, facts_of(operation))


def _undone(text: str, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """What removing a thing gives back: `Cancelling a reservation makes its amount available again`."""
    match = _UNDOES.fullmatch(text)
    found = _acting(match["what"], operations) if match is not None else None
    field = _field(match["field"], found) if match is not None and found is not None else None
    if match is None or found is None or field is None:
        return
    made, reader = found
    noun = singular(match["what"].lower())
    removers = [each for each in operations if each.method == "DELETE" and _is_single(each.path, noun)]
    if len(removers) == 1:
        target: dict[str, Json] = {
            "operation": removers[0].key,
            "made": made.key,
            "read": reader.key,
            "field": field,
        }
        yield Behaviour("undoes", target, facts_of(removers[0]))


Found = tuple[Operation, Operation]
"""What changes a thing, and what reads it."""


def _acting(word: str, operations: Sequence[Operation]) -> Found | None:
    """The one operation on a thing that a noun or a verb names, with what reads that."""
    noun, found = singular(word.lower()), []
    for each in operations:
        subject = subject_of(each, operations) if each.method == "POST" else None
        if subject is None or each.path == subject.single or each.success is None:
            continue
        verb = str(each.fact.aspects.get("operation_id") or "")
        if called(each.path) == noun or (word.endswith("ing") and stem(word.lower()) == stem(verb.lower())):
            reader = next((one for one in operations if one.key == f"GET {subject.single}"), None)
            found += [(each, reader)] if reader is not None and reader.success is not None else []
    return found[0] if len(found) == 1 else None


def _field(words: str, found: Found) -> str | None:
    """The number that is shown of a thing which words name."""
    shown = found[1].shown()
    named = [
        name
        for name, each in shown.items()
        if labelled(name).fullmatch(words.strip()) and split_null(each)[0].get("type") in _NUMBERS
    ]
    return named[0] if len(named) == 1 else None


def _amount(by: str, name: str | None, operation: Operation) -> int | str | None:
    """By how much: a number, or the field of the body that has it; None where the body has none of that name."""
    if name is None:
        return 1 if by.lower() == "one" else int(by)
    fields = operation.given()
    named = [each for each in fields if labelled(each).fullmatch(name)]
    return named[0] if len(named) == 1 and split_null(fields[named[0]])[0].get("type") in _NUMBERS else None


def _is_single(path: str, noun: str) -> bool:
    above, _, last = path.rstrip("/").rpartition("/")
    return last.startswith("{") and called(above) == noun
