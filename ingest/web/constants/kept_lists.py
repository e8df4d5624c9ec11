"""Lists that an object keeps under a name of its own, and what its methods add: `self.routes = […]`."""

from __future__ import annotations

import ast

import msgspec

from ingest.web.program.functions import assigned_in
from ingest.web.program.methods import owner_of_self
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, ParameterTarget
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope


class KeptList(msgspec.Struct, frozen=True):
    """What such a list begun with, and the calls of `append` and `extend` on it, each with its scope."""

    begun: ast.expr
    scope: Scope
    added: list[tuple[ast.Call, Scope]]


def kept_list(program: Program, node: ast.Attribute, scope: Scope) -> KeptList | None:
    """The list of an object that a method names, where one method makes it once; None for anything else."""
    target = program.resolve(node.value, scope)
    owner = owner_of_self(target) if isinstance(target, ParameterTarget) else None
    if owner is None:
        return None
    return program.remember(("kept list", owner.node, node.attr), lambda: _of(owner, node.attr))


def _of(owner: ClassTarget, name: str) -> KeptList | None:
    made = [(value, scope) for _, value, scope in assigned_in(owner).get(name, ()) if value is not None]
    if len(made) != 1:
        return None
    added: list[tuple[ast.Call, Scope]] = []
    for method in owner.node.body:
        first = next(parameters(method), None) if isinstance(method, Function) else None
        if not isinstance(method, Function) or first is None:
            continue
        if any(
            isinstance(e, ast.AugAssign) and _is_kept(e.target, first[0].arg, name) for e in ast.walk(method)
        ):
            return None
        inner = owner.body.child(method)
        added += [(call, inner) for call in inner.calls if _adds(call, first[0].arg, name)]
    return KeptList(*made[0], added)


def _adds(call: ast.Call, first: str, name: str) -> bool:
    function = call.func
    adding = (
        isinstance(function, ast.Attribute) and function.attr in ("append", "extend") and len(call.args) == 1
    )
    return adding and isinstance(function, ast.Attribute) and _is_kept(function.value, first, name)


def _is_kept(node: ast.expr, first: str, name: str) -> bool:
    held = isinstance(node, ast.Attribute) and node.attr == name
    return (
        held
        and isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == first
    )
