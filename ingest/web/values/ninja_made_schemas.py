"""Schemas that Ninja's `create_schema` makes of a model, as the classes that one would write for them."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.constants.constants import text_of
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope

MAKING: Final = "create_schema"
_BASE: Final = "ModelSchema"
_SAID: Final = (("model", 0, "model"), ("fields", None, "fields"), ("exclude", None, "exclude"))
_OPTIONAL: Final = ("optional_fields", None, "fields_optional")
_UNREAD: Final = ("depth", "custom_fields", "base_class")


def made_schema(program: Program, call: ast.Call, scope: Scope) -> ClassTarget | None:
    """The class that `create_schema(Book, exclude=["id"])` stands for; None where it makes another one."""
    made = program.resolve(call.func, scope)
    if not isinstance(made, External) or made.root != "ninja" or has_stars(call):
        return None
    model = argument(call, 0, "model")
    if model is None or any(argument(call, None, name) is not None for name in _UNREAD):
        return None
    told = [
        ast.Assign(targets=[ast.Name(id=own, ctx=ast.Store())], value=value)
        for name, position, own in (*_SAID, _OPTIONAL)
        if (value := argument(call, position, name)) is not None and not is_none(value)
    ]
    if not any(argument(call, None, name) is not None for name in ("fields", "exclude")):
        everything = ast.Constant(value="__all__")
        told.append(ast.Assign(targets=[ast.Name(id="fields", ctx=ast.Store())], value=everything))
    meta = ast.ClassDef(name="Meta", bases=[], keywords=[], body=list(told), decorator_list=[])
    called = text_of(program, argument(call, 1, "name"), scope)
    named = model.func if isinstance(model, ast.Call) else model
    # Several may be made of one model, so the line tells them apart.
    name = called or f"{last_name(named) or 'Made'}Schema{call.lineno}"
    base = ast.Name(id=_BASE, ctx=ast.Load())
    node = ast.ClassDef(name=name, bases=[base], keywords=[], body=[meta], decorator_list=[])
    for part in ast.walk(node):
        if not hasattr(part, "lineno"):
            ast.copy_location(part, call)
    return ClassTarget(node, scope.round({_BASE: External(f"ninja.{_BASE}")}))
