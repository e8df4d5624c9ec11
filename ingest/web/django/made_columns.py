"""What classes of columns set in their `__init__` for Django's own class: `kwargs.setdefault("max_length", 9)`."""

from __future__ import annotations

import ast

from graph.facts import Json
from ingest.web.constants.constants import Missing, constant
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget
from ingest.web.syntax.bindings import Function

_SHOWN = frozenset({"verbose_name", "help_text", "db_comment", "error_messages"})
_WRITTEN = frozenset({"choices", "validators", "to", "to_field", "output_field", "base_field"})
"""Options that are read where they are written."""


def set_by_class(program: Program, column: ClassTarget, call: ast.Call | None) -> dict[str, Json] | None:
    """The options that the class of a column, and what it inherits from, sets by itself where a call of it says nothing
    else; None where it may do more."""
    found: dict[str, Json] = {}
    for owner in program.ancestry(column):
        made = owner.node.body if isinstance(owner, ClassTarget) else []
        own = next((each for each in made if isinstance(each, Function) and each.name == "__init__"), None)
        if own is None or not isinstance(owner, ClassTarget):
            continue
        options = _options(program, owner, own)
        if options is None:
            return None
        for name, (value, always) in options.items():
            if always or argument(call, None, name) is None:
                found.setdefault(name, value)
    return found


def _options(program: Program, owner: ClassTarget, made: Function) -> dict[str, tuple[Json, bool]] | None:
    """The options that a method sets, and whether it does so whatever is given."""
    keywords = made.args.kwarg.arg if made.args.kwarg is not None else ""
    scope = owner.body.child(made)
    found: dict[str, tuple[ast.expr, bool]] = {}
    for statement in made.body:
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=named), attr="setdefault"),
                    args=[ast.Constant(value=str(name)), value],
                )
            ) if named == keywords:
                found[name] = (value, False)
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=named), slice=ast.Constant(value=str(name)))],
                value=value,
            ) if named == keywords:
                found[name] = (value, True)
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__")
                ) as up
            ):
                given = {each.arg: each.value for each in up.keywords if each.arg is not None}
                found |= {name: (value, True) for name, value in given.items()}
            case _:
                return None
    options: dict[str, tuple[Json, bool]] = {}
    for name, (value, always) in found.items():
        said = constant(program, value, scope)
        if name == "default":
            options[name] = (None, always)
        elif name in _WRITTEN or (name not in _SHOWN and isinstance(said, Missing)):
            return None
        elif not isinstance(said, Missing):
            options[name] = (said, always)
    return options
