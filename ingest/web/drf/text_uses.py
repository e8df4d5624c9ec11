"""Whether a view takes a parameter of its path for a text: it gives it, as it is, to what takes texts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from ingest.web.program.calls import has_stars
from ingest.web.program.targets import External, FunctionTarget
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.walks import nodes_of
from ingest.web.values.instances import Instances

_TEXTS: Final = frozenset({"urlsafe_base64_decode", "check_token"})
"""Django's own functions for what links in letters bring."""


def is_hinted(handler: FunctionTarget, name: str) -> bool:
    """Whether a handler says that it takes a parameter as a text."""
    return _says_text(handler, name) is True


def is_handed_as_text(instances: Instances, handler: FunctionTarget, name: str) -> bool:
    """Whether a handler gives a parameter to functions that all say, or are known, to take a text."""
    if not isinstance(handler.node, Function):
        return False
    found: list[bool | None] = []
    for part in nodes_of(handler.node):
        match part:
            case ast.Name(id=used, ctx=ast.Store()) if used == name:
                return False
            case ast.Call():
                found += [_takes_text(instances, handler, part, each) for each in _places(part, name)]
    return any(found) and False not in found


def _places(call: ast.Call, name: str) -> Iterator[int | str]:
    """Where a call gives the parameter itself: by which place, or by which name."""
    for number, each in enumerate(call.args):
        if isinstance(each, ast.Name) and each.id == name:
            yield number
    for keyword in call.keywords:
        if keyword.arg is not None and isinstance(keyword.value, ast.Name) and keyword.value.id == name:
            yield keyword.arg


def _takes_text(
    instances: Instances, handler: FunctionTarget, call: ast.Call, place: int | str
) -> bool | None:
    """Whether what is called takes a text at a place; None where it does not say."""
    if last_name(call.func) in _TEXTS:
        return True
    called = instances.callee(call.func, handler.body)
    if isinstance(called, External) and called.root in ("builtins", "uuid", "decimal"):
        return False if called.name in ("int", "float", "UUID", "Decimal") else None
    if not isinstance(called, FunctionTarget) or not isinstance(called.node, Function) or has_stars(call):
        return None
    if isinstance(place, str):
        return _says_text(called, place)
    taken = [*called.node.args.posonlyargs, *called.node.args.args]
    bound = called.scope.is_class and not any(
        last_name(each) == "staticmethod" for each in called.node.decorator_list
    )
    number = place + bound
    return _says_text(called, taken[number].arg) if number < len(taken) else None


def _says_text(function: FunctionTarget, name: str) -> bool | None:
    """Whether the annotation of a parameter is that of a text; None where there is none."""
    if not isinstance(function.node, Function):
        return None
    for argument, _ in parameters(function.node):
        if argument.arg == name and argument.annotation is not None:
            return isinstance(argument.annotation, ast.Name) and argument.annotation.id == "str"
    return None
