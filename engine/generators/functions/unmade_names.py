"""Lines of pages that nobody can run as they stand: they read a name which only lines below them make."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from engine.generators.functions.example_names import bound, loaded
from engine.generators.functions.needed_steps import Step

_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def runnable(steps: Sequence[Step]) -> list[Step]:
    """The steps without those that read what is not made yet: there it is the reader's own, and so is what comes of it.

    A function reads when it is called, and may stand above what it reads.
    """
    later = [bound(each.tree) for each in steps]
    below: set[str] = set()
    for number in range(len(later) - 1, -1, -1):
        later[number], below = below, below | later[number]
    kept: list[Step] = []
    made: set[str] = set()
    for each, rest in zip(steps, later, strict=True):
        own = bound(each.tree)
        if isinstance(each.tree.body[0], _DEFINING) or not (loaded(each.tree) - own - made) & rest:
            kept.append(each)
            made |= own
        else:
            made -= own
    return kept
