"""What objects are given to hold when they are made: `Section(books.router, "/books").router`."""

from __future__ import annotations

import ast
from functools import partial

from ingest.web.configured import Configured, attribute_of, configured
from ingest.web.constants import constant
from ingest.web.program import Program
from ingest.web.project_calls import Placed, calls_of, has_heirs
from ingest.web.scopes import Scope
from ingest.web.targets import ClassTarget


def held_values(program: Program, node: ast.Attribute, scope: Scope, owner: ClassTarget) -> list[Placed]:
    """The expressions that the call which makes an object of a class gives it for an attribute; of an object that is
    not known, those of all calls of a class without heirs. None where it makes what it holds by itself."""
    read = partial(constant, program)
    if (made := configured(program, node.value, scope, read)) is not None:
        known = [made]
    elif has_heirs(program, owner):
        return []
    else:
        known = [Configured(owner, call, inner) for call, inner in calls_of(program, owner)]
    held = [(each, attribute_of(program, each, node.attr, read)) for each in known]
    return [
        placed
        for each, placed in held
        if placed is not None and (placed[1] is each.scope or not isinstance(placed[0], ast.Call))
    ]
