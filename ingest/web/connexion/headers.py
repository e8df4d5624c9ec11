"""The headers that a function which Connexion calls takes from the request by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from graph.facts import Location
from ingest.web.constants.constants import text_of
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget

_REQUESTS = frozenset({"connexion.request", "flask.request", "connexion.context.request"})
_NAMES = frozenset({"request", "context", "environ", "scope"})
_OWN = frozenset({"authorization", "content-type", "accept"})


def only_headers(program: Program, function: FunctionTarget) -> bool:
    """Whether all that a function asks of the request are headers by constant names."""
    parents = {child: outer for outer in ast.walk(function.node) for child in ast.iter_child_nodes(outer)}
    for node in ast.walk(function.node):
        outer = parents.get(node)
        if _is_request(program, node, function):
            if not (isinstance(outer, ast.Attribute) and outer.attr == "headers"):
                return False
            if _name(program, outer, parents, function) is None:
                return False
        elif getattr(node, "id", getattr(node, "attr", "")) in _NAMES:
            # It may be the request by another way.
            return False
    return True


def headers_read(
    program: Program, functions: Iterable[FunctionTarget]
) -> Iterator[tuple[str, bool | None, Location]]:
    """The name of each such header, whether it must be there (None: not known), and where it is read."""
    for function in functions:
        parents = {child: outer for outer in ast.walk(function.node) for child in ast.iter_child_nodes(outer)}
        for node in ast.walk(function.node):
            outer = parents.get(node)
            if not _is_request(program, node, function) or not isinstance(outer, ast.Attribute):
                continue
            name = _name(program, outer, parents, function)
            if name is not None and name.lower() not in _OWN:
                optional = isinstance(parents.get(outer), ast.Attribute)
                yield name, None if optional else True, program.place(node, function.scope)


def _is_request(program: Program, node: ast.AST, function: FunctionTarget) -> bool:
    if not isinstance(node, ast.Name | ast.Attribute):
        return False
    target = program.resolve(node, function.body)
    return isinstance(target, External) and target.dotted in _REQUESTS


def _name(
    program: Program, headers: ast.Attribute, parents: dict[ast.AST, ast.AST], function: FunctionTarget
) -> str | None:
    """The constant name that is taken of `request.headers` here."""
    outer = parents.get(headers)
    if isinstance(outer, ast.Subscript) and outer.value is headers:
        return text_of(program, outer.slice, function.body)
    call = parents.get(outer) if isinstance(outer, ast.Attribute) and outer.attr == "get" else None
    if isinstance(call, ast.Call) and call.func is outer and call.args:
        return text_of(program, call.args[0], function.body)
    return None
