"""What stories tell of things beyond their contract, written into the operations that make, change and list them.

Whoever asks for something has to know how new things stand, what a request changes of them, and which a list shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from graph.facts import Fact, Json, Kind
from planner.contracts.operations import Move, Operation
from planner.contracts.prerequisites import done_by, only_done
from planner.contracts.things import Thing, things
from planner.stories.acting import Acting
from planner.stories.attempts import only_then_done
from planner.stories.effects import effects
from planner.stories.hidden import told_of_list
from planner.stories.others import own_refused
from planner.stories.restated import changes
from planner.stories.starting import starting
from planner.stories.things import mentioned
from planner.stories.told_facts import AROUND


def with_told_things(operations: Sequence[Operation], told: Iterable[Fact]) -> list[Operation]:
    """The operations with what criteria tell of their things: new ones' values, moved numbers, what lists show."""
    told = [fact for fact in told if fact.kind is Kind.CRITERION and fact.aspects.get("text")]
    found = {each.key: each for each in operations}
    every = things(operations)
    acting = Acting(every, operations)
    for fact in told if every else ():
        text = str(fact.aspects["text"])
        about = mentioned(text, every) or mentioned(str(fact.aspects.get(AROUND) or ""), every)
        for thing in about[:1]:
            _begun(found, text, thing)
        for thing in about:
            _listed(found, text, thing)
        _after(found, text)
        for own in own_refused(text, list(found.values())):
            operation = found[str(own.target["operation"])]
            changed = msgspec.structs.replace(operation, foreign=str(own.target["status"]))
            found[operation.key] = changed
        for effect in effects(text, list(found.values())):
            _moved(found, effect.like, effect.target)
    _led(found, told, acting)
    return list(found.values())


def _begun(found: dict[str, Operation], text: str, thing: Thing) -> None:
    maker = found[thing.maker.key]
    begins = {str(each.target["field"]): each.target["value"] for each in starting(text, thing)}
    found[maker.key] = msgspec.structs.replace(maker, begins={**begins, **maker.begins})


def _listed(found: dict[str, Operation], text: str, thing: Thing) -> None:
    lister = found[thing.lister.key] if thing.lister is not None else None
    said = told_of_list(text, lister, list(found.values())) if lister is not None else None
    if lister is not None and said is not None:
        changed = {"hides" if said[1] else "lists": said[0]}
        found[lister.key] = msgspec.structs.replace(lister, **changed)


def _after(found: dict[str, Operation], text: str) -> None:
    every = list(found.values())
    for operation in only_then_done(text, every):
        done, _ = only_done(text) or ("", "")
        before = done_by(done, operation, every)
        if before is not None:
            found[operation.key] = msgspec.structs.replace(operation, after=before.key)


def _led(found: dict[str, Operation], told: Iterable[Fact], acting: Acting) -> None:
    """Write down into which states acts bring things, as sentences tell: new ones begin so."""
    for fact in told:
        for key, change in changes(str(fact.aspects.get("text") or ""), acting):
            state = acting.state_told(change.noun, change.field, change.value.strip('"'))
            operation = found[key]
            if state is None or state in operation.leads:
                continue
            if state[0] == key:
                begins = {state[1].field: state[1].value, **operation.begins}
                found[key] = msgspec.structs.replace(operation, begins=begins)
            else:
                found[key] = msgspec.structs.replace(operation, leads=(*operation.leads, state))


def _moved(found: dict[str, Operation], like: str, target: dict[str, Json]) -> None:
    operation = found.get(str(target["operation"]))
    if operation is not None and like == "moves":
        moves = [msgspec.convert(each, Move) for each in target["moves"]]
        moves = [each for each in moves if each not in operation.moves]
        found[operation.key] = msgspec.structs.replace(operation, moves=(*operation.moves, *moves))
