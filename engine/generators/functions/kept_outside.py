"""What examples and objects keep outside of a test, where the next one finds it: what is closed and opened again."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence

from engine.generators.functions.calls import parameters_of
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.needed_steps import Step
from engine.generators.functions.shown_calls import bound_arguments
from graph.facts import Fact
from planner.functions.drawn_values import words_of

_CLOSING = frozenset({"close", "commit", "flush", "save", "sync"})
_PLACES = frozenset({"path", "file", "filename", "filepath", "dir", "directory", "folder", "database", "db"})
_MEMORY = re.compile(r"['\"]:memory:['\"]")


def refuse_reopened(before: Sequence[Step], kept: Collection[Step]) -> None:
    """Raise NoTestError for steps that make again what was closed or saved above: it goes on with what that kept."""
    made: set[str] = set()
    saved: set[str] = set()
    for each in before:
        if each in kept and each.source in saved:
            raise NoTestError(f"an example that does not go on with what `{each.source[:60]}` kept before")
        if isinstance(each.tree.body[0], ast.Assign) and _is_told(each.tree):
            made.add(each.source)
        if any(isinstance(node, ast.Attribute) and node.attr in _CLOSING for node in ast.walk(each.tree)):
            saved |= made


def refuse_stored(made: str, fact: Fact, surface: Surface) -> None:
    """Raise NoTestError for an object, as source, that is told the place where it keeps what it is given: what another
    test put in is still there."""
    call = ast.parse(made, mode="eval").body
    own = next((each for each in surface.members(fact) if each.name == "__init__"), None)
    given = (
        bound_arguments(call, parameters_of(own)) if own is not None and isinstance(call, ast.Call) else None
    )
    for name, value in (given or {}).items():
        if set(words_of(name)) & _PLACES and not _MEMORY.fullmatch(value):
            raise NoTestError(
                f"whether a {fact.name} holds nothing yet: it keeps what it is given in its `{name}`"
            )


def _is_told(tree: ast.Module) -> bool:
    """Whether something is made of a text, which may name where it lies."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    given = (each for call in calls for each in call.args)
    return any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in given)
