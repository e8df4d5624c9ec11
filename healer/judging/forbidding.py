"""Finds the spec that still states a name or form which the code gave up: then the code is wrong, and not the test."""

from __future__ import annotations

from collections.abc import Iterator

from graph.facts import Fact
from healer.judging.statement import Side, Statement
from healer.judging.stating import states
from healer.judging.witnesses import Witnesses, doc, plain, rows
from healer.movements import GONE, Cause, Movement

_CALLED = frozenset({"method", "function", "classmethod", "staticmethod"})


def forbidding(movement: Movement, witnesses: Witnesses) -> Iterator[Statement]:
    """What specs say now that the movement breaks."""
    name = plain(movement.subject.partition("#")[0])
    if movement.cause in GONE:
        if witnesses.is_kept(name):
            return
        for fact in (*witnesses.specs(name), *witnesses.unmet(name), *witnesses.mentions(name)):
            yield Statement(Side.TEST, fact.id, f"{fact.id} still says `{name}`", 0.95)
        return
    for fact in witnesses.about(name):
        told = states(fact, movement) or _shape(fact, movement)
        if told:
            yield Statement(Side.TEST, fact.id, told, 0.95)


def _shape(fact: Fact, movement: Movement) -> str:
    """How a spec of a function states the form that was before; empty where it does not."""
    cause, before = movement.cause, str(movement.before)
    if fact.tag != "spec":
        told = doc(fact).get("params") or {}
        gone = cause in (Cause.PARAMETER_RENAMED, Cause.PARAMETER_REMOVED)
        after = str(movement.after) in told if movement.after is not None else False
        return f"its docstring still describes `{before}`" if gone and before in told and not after else ""
    listed = {name: kind for name, kind, _ in rows(fact)}
    if cause in (Cause.PARAMETER_RENAMED, Cause.PARAMETER_REMOVED):
        return f"its stub still has `{before}`" if before in listed else ""
    if cause is Cause.PARAMETERS_GROUPED and isinstance(movement.before, list):
        kept = [str(name) for name in movement.before if name in listed]
        return f"its stub still has `{kept[0]}`" if kept else ""
    if cause is Cause.PARAMETER_KEYWORD_ONLY:
        return (
            f"its stub takes `{before}` by place" if listed.get(before, "").startswith("positional") else ""
        )
    if cause is Cause.PARAMETER_ADDED:
        return f"its stub knows no `{movement.after}`" if str(movement.after) not in listed else ""
    if cause is Cause.PARAMETERS_REORDERED and isinstance(movement.before, list):
        kept = [name for name in listed if name in movement.before]
        return "its stub still has the parameters in their old order" if kept == movement.before else ""
    kind, is_async = fact.aspects.get("kind"), bool(fact.aspects.get("async"))
    stated = {
        Cause.BECAME_PROPERTY: kind in _CALLED,
        Cause.BECAME_METHOD: kind == "property",
        Cause.BECAME_ASYNC: not is_async,
        Cause.BECAME_SYNC: is_async,
    }
    return "its stub still has the old form" if stated.get(cause, False) else ""
