"""The names under which Pydantic looks for a value: `AliasChoices("a", "b")`, and `AliasPath` into another value."""

from __future__ import annotations

import ast

from ingest.web.constants.constants import MISSING, Constant, constant
from ingest.web.program.program import Program
from ingest.web.program.targets import External
from ingest.web.syntax.scopes import Scope


def choices_of(program: Program, node: ast.expr, scope: Scope) -> tuple[str, ...]:
    """All names of `AliasChoices`; none where one of them is a path, or cannot be known."""
    made = program.resolve(node.func, scope) if isinstance(node, ast.Call) else None
    if not isinstance(node, ast.Call) or not isinstance(made, External) or made.name != "AliasChoices":
        return ()
    names = [constant(program, choice, scope) for choice in node.args]
    return tuple(str(name) for name in names) if all(isinstance(name, str) for name in names) else ()


def first_choice(program: Program, node: ast.expr, scope: Scope) -> Constant:
    """The first of the names that Pydantic's `AliasChoices("a", "b")` looks for; paths into a value are none."""
    if not isinstance(node, ast.Call) or not node.args:
        return MISSING
    made = program.resolve(node.func, scope)
    if not isinstance(made, External) or made.name not in ("AliasChoices", "AliasPath"):
        return MISSING
    if made.name == "AliasPath":
        return constant(program, node.args[0], scope) if len(node.args) == 1 else MISSING
    for choice in node.args:
        if not is_path(program, choice, scope):
            return constant(program, choice, scope)
    return MISSING


def is_path(program: Program, node: ast.expr, scope: Scope) -> bool:
    """Whether this looks into a value, or only that: its field keeps its own name in schemas."""
    if not isinstance(node, ast.Call):
        return False
    made = program.resolve(node.func, scope)
    if not isinstance(made, External) or made.root != "pydantic":
        return False
    if made.name == "AliasChoices":
        return bool(node.args) and all(is_path(program, choice, scope) for choice in node.args)
    return made.name == "AliasPath" and len(node.args) > 1
