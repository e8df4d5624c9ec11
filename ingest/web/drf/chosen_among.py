"""The classes that a view's `get_serializer_class` names at all, whatever decides which of them it gives."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ingest.web.constants.constants import elements, entries
from ingest.web.drf.views import Policies, View
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.naming import is_self
from ingest.web.syntax.walks import nodes_of

_CHOOSER = "get_serializer_class"
_STATED = "serializer_class"


def named_serializers(program: Program, policies: Policies, view: View) -> list[ClassTarget]:
    """The classes that a view's method names, by themselves, by attributes of the view, or in tables of either, and
    those of the classes above where it asks them."""
    found: list[ClassTarget] = []
    for base in program.ancestry(view.target) if view.target is not None else []:
        if not isinstance(base, ClassTarget) or _CHOOSER not in base.body.bindings:
            continue
        method = program.class_member(base, _CHOOSER)
        if not isinstance(method, FunctionTarget):
            break
        parts = list(nodes_of(method.node))
        for part in parts:
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                found += _classes(program, program.resolve(part, method.body))
            elif isinstance(part, ast.Attribute):
                own = is_self(part.value)
                target = policies.member(view, part.attr) if own else program.resolve(part, method.body)
                found += _classes(program, target)
        if not any(isinstance(part, ast.Name) and part.id == "super" for part in parts):
            break
        found += _classes(program, policies.member(view, _STATED))
    return list({target.qualified: target for target in found}.values())


def _classes(program: Program, target: Target | None) -> Iterator[ClassTarget]:
    """A class, or the classes in a table or list."""
    if isinstance(target, ClassTarget):
        yield target
    elif isinstance(target, ValueTarget) and isinstance(target.node, ast.Dict):
        for _, value, scope in entries(program, target.node, target.scope) or []:
            inner = program.resolve(value, scope)
            yield from [inner] if isinstance(inner, ClassTarget) else []
    elif isinstance(target, ValueTarget) and isinstance(target.node, ast.List | ast.Tuple):
        for value, scope in elements(program, target.node, target.scope) or []:
            inner = program.resolve(value, scope)
            yield from [inner] if isinstance(inner, ClassTarget) else []
