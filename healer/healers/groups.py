"""Follows parameters that are the fields of one object now: calls give the object with what they gave before."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from healer.healers.callees import Run, runs
from healer.healers.plan import Plan
from healer.healers.receivers import imported_names
from healer.movements import Cause, Movement
from healer.reading.meanings import Meanings
from healer.reading.source import Edit


def groups(file: Meanings, plan: Plan) -> list[Edit]:
    """The edits by which calls of a file give one object, and the imports that this takes."""
    moved = {each.subject: each for each in plan.of(Cause.PARAMETERS_GROUPED)}
    edits: list[Edit] = []
    needed: dict[str, list[str]] = {}
    for run in runs(file, plan, moved) if moved else ():
        movement = moved[run.callee.function]
        after = movement.after if isinstance(movement.after, list) else []
        module, _, name = str(after[-1]).rpartition(".")
        made = _regrouped(file, run, movement, name)
        if made is not None:
            edits.append(made)
            plan.follow(movement)
            if name not in file.bindings.module.bound and name not in needed.setdefault(module, []):
                needed[module].append(name)
    for module, names in needed.items():
        edits += imported_names(file, module, names) if names else []
    return edits


def _regrouped(file: Meanings, run: Run, movement: Movement, name: str) -> Edit | None:
    """The edit of one call; None where it gives none of them, or nobody knows what it gives."""
    group = [str(each) for each in movement.before or ()]
    parameter = str((movement.after or [""])[0])
    rows = (movement.parameters or {}).get("before", ()) if isinstance(movement.parameters, dict) else ()
    own = [str(row[0]) for row in rows if str(row[1]).startswith("positional")]
    call, source = run.node, file.source
    placed: Sequence[ast.expr] = call.args[run.first + run.callee.given :]
    is_told = all(not isinstance(each, ast.Starred) for each in placed)
    if not is_told or len(placed) > len(own) or any(each.arg is None for each in call.keywords):
        return None
    given = list(zip(own, placed, strict=False))
    inside = [(each, value) for each, value in given if each in group]
    inside += [(str(each.arg), each.value) for each in call.keywords if each.arg in group]
    if not inside:
        return None
    first = next((at for at, (each, _) in enumerate(given) if each in group), len(given))
    kept = [source.segment(value) for _, value in given[:first]]
    kept += [f"{each}={source.segment(value)}" for each, value in given[first:] if each not in group]
    kept += [source.segment(each) for each in call.keywords if each.arg not in group]
    fields = ", ".join(f"{each}={source.segment(value)}" for each, value in inside)
    every: list[ast.expr | ast.keyword] = [*placed, *call.keywords]
    start, end = min(map(source.start, every)), max(map(source.end, every))
    return Edit(start, end, ", ".join([*kept, f"{parameter}={name}({fields})"]))
