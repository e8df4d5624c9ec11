"""Settings that lie in several files, which `django-split-settings` runs one after the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from ingest.web.constants.constants import text_of
from ingest.web.constants.possible import Element, possible_elements
from ingest.web.program.program import Program
from ingest.web.program.targets import External
from ingest.web.syntax.modules import Module
from ingest.web.values.rounds import rounds

_INCLUDE: Final = External("split_settings.tools.include")
_OPTIONAL: Final = External("split_settings.tools.optional")


def with_included(program: Program, module: Module) -> list[Module]:
    """A module of settings and those that it includes: what is read last comes first, what only a condition includes
    comes last."""
    included = list(_included(program, module))
    certain = [each for each, sure in reversed(included) if sure]
    unsure = [each for each, sure in reversed(included) if not sure]
    return list(dict.fromkeys([*certain, module, *unsure]))


def _included(program: Program, module: Module) -> Iterator[tuple[Module, bool]]:
    package = module.name if module.package else module.name.rpartition(".")[0]
    for call in module.scope.calls:
        if program.resolve(call.func, module.scope) != _INCLUDE:
            continue
        for node, scope, sure in _files(program, call, module):
            if isinstance(node, ast.Call) and node.args and program.resolve(node.func, scope) == _OPTIONAL:
                node, sure = node.args[0], False
            path = text_of(program, node, scope)
            if path is None or not path.endswith(".py") or path.startswith(("/", ".")):
                continue
            name = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            found = program.module(f"{package}.{name}" if package else name)
            if found is not None:
                yield found, sure


def _files(program: Program, call: ast.Call, module: Module) -> Iterator[Element]:
    for node in call.args:
        if isinstance(node, ast.Starred):
            yield from _listed(program, node.value, module)
        else:
            yield node, module.scope, True


def _listed(program: Program, node: ast.expr, module: Module) -> list[Element]:
    """The files of a list: those that it begins with, and what is added to it, be it in loops over what is written
    down."""
    name = node.id if isinstance(node, ast.Name) else ""
    bound = module.scope.bindings.get(name, ())
    begun = possible_elements(program, bound[0].value if bound else node, module.scope)
    found = list(begun or [])
    for call in module.scope.calls:
        match call.func:
            case ast.Attribute(attr="append", value=ast.Name(id=grown)) if grown == name and call.args:
                found += [(call.args[0], place, False) for place in rounds(program, call, module.scope)]
    return found
