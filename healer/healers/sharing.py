"""Follows helpers of tests that lie elsewhere now: the imports of tests, and uses of whole dotted names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from healer.healers.importing import Statement, Statements
from healer.healers.plan import Plan
from healer.movements import Cause, Movement
from healer.reading.meanings import Meanings
from healer.reading.source import Edit


def helpers(file: Meanings, plan: Plan) -> list[Edit]:
    """The edits by which a file takes what tests share from where it is now."""
    moved = plan.of(Cause.MODULE_RENAMED, Cause.MOVED, side="test")
    if not moved:
        return []
    statements = Statements(file)
    edits: list[Edit] = []
    for _, node in list(file.bindings.imports()):
        for alias in node.names:
            for movement in moved:
                made = _followed(file, statements.of(node), alias, movement)
                if made is not None:
                    edits += made
                    plan.follow(movement)
                    break
    return [*edits, *statements.edits()]


def _followed(
    file: Meanings, statement: Statement, alias: ast.alias, movement: Movement
) -> list[Edit] | None:
    """The edits of uses that go with what becomes of one import; None where it is about something else."""
    target, before, after = file.imported(alias), str(movement.before), str(movement.after)
    if isinstance(statement.node, ast.Import):
        new = now(target, before, after)
        if not new:
            return None
        is_dotted = alias.asname is None and "." in target
        statement.rename(alias, new if alias.asname or is_dotted else f"{new} as {target}")
        return list(_dotted(file, target, new)) if is_dotted else []
    module, _, name = target.rpartition(".")
    holder = target if alias.name == "*" else module
    if movement.cause is Cause.MODULE_RENAMED and (new := now(holder, before, after)):
        statement.into(new, alias, ast.unparse(alias))
        return []
    if alias.name == "*" or not (new := now(target, before, after)):
        return None
    place, _, last = new.rpartition(".")
    statement.into(place, alias, f"{last} as {alias.asname or name}" if last != name else ast.unparse(alias))
    return []


def now(path: str, before: str, after: str) -> str:
    """A name as tests have to write it now: they may write it from one of the folders on; empty where it is not it."""
    if path == before:
        return after
    lead = before.removesuffix(f".{path}")
    if lead == before or not path:
        return ""
    return after[len(lead) + 1 :] if after.startswith(f"{lead}.") else after


def _dotted(file: Meanings, old: str, new: str) -> Iterator[Edit]:
    for node in file.source.nodes:
        if isinstance(node, ast.Attribute) and ast.unparse(node) == old:
            yield Edit(file.source.start(node), file.source.end(node), new)
