"""Tells changes of what code does from those of names and forms, and how a test writes these."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterable

from healer.judging.uses import Uses
from healer.judging.witnesses import Witnesses
from healer.movements import SHAPES, Cause, Movement

_CALLED = re.compile(r"([A-Za-z_][\w.<>]*)\(\) (?:takes|got|missing|does not)\b")
_PARAMETERS = frozenset({Cause.PARAMETER_RENAMED, Cause.PARAMETER_KEYWORD_ONLY})


def word(movement: Movement) -> str:
    """What a test writes of something that has another name or form now."""
    if movement.cause in _PARAMETERS:
        return str(movement.before)
    *_, holder, last = ("", *movement.subject.split("."))
    return holder if last in ("__init__", "__new__") else last


def does_otherwise(movement: Movement) -> bool:
    """Whether a change is one of what code does, or may do."""
    return not (movement.cause in SHAPES and movement.whole) or movement.cause is Cause.PARAMETERS_REORDERED


def is_of_others(message: str, witnesses: Witnesses) -> bool:
    """Whether a message is about a call of something that neither Python nor the code defines: a stand-in of the tests,
    say, which the code asks for something else now."""
    found = _CALLED.match(message)
    callee = found[1] if found is not None else ""
    is_builtin = hasattr(builtins, callee.partition(".")[0])
    return bool(callee) and not is_builtin and not witnesses.defines(callee)


def gives_by_place(movement: Movement, used: Uses, witnesses: Witnesses) -> bool:
    """Whether the test gives arguments at places that are those of other parameters now."""
    owners = {movement.owner, movement.owner.removesuffix(".__init__")}
    before, after = (each if isinstance(each, list) else [] for each in (movement.before, movement.after))
    calls = [call for name, call in used.ran if witnesses.now(name) in owners]
    last = movement.owner.rpartition(".")[2]
    if witnesses.is_only(last):
        # An object of an unknown class that has what one class of the code has alone.
        calls += [call for name, call in used.untold if name == last]
    return any(
        before[: len(call.args)] != after[: len(call.args)]
        or any(isinstance(each, ast.Starred) for each in call.args)
        for call in calls
    )


def is_side_effect(
    movement: Movement, changed: Iterable[Movement], is_supported: Callable[[Movement], bool]
) -> bool:
    """Whether the change of a body or class is that of a value which a spec changed too, within it."""
    if movement.cause is not Cause.BODY_CHANGED or not movement.facts:
        return False
    is_holder = any(":class:" in each or ":module:" in each for each in movement.facts)
    return is_holder and any(
        other is not movement and other.subject.startswith(f"{movement.subject}.") and is_supported(other)
        for other in changed
    )
