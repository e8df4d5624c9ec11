"""Which of Connexion's resolvers an application uses, and with what it is made."""

from __future__ import annotations

import ast

from ingest.web.connexion.names import Naming
from ingest.web.constants.constants import text_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    ModuleTarget,
    Target,
    ValueTarget,
)
from ingest.web.routing.sites import Event
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_RESOLVERS = ("Resolver", "RelativeResolver", "RestyResolver", "MethodResolver", "MethodViewResolver")
_NAMING = ("__init__", "resolve_operation_id", "resolve_operation_id_using_rest_semantics")
"""What a resolver of a project's own changes names by, or takes otherwise than its base."""


def naming_of(instances: Instances, event: Event) -> Naming | None:
    """How the names of functions are found; None where the project does it by a function of its own."""
    program = instances.program
    written = argument(event.call, None, "resolver") or argument(event.site.call, None, "resolver")
    if written is None:
        return Naming()
    target = program.resolve(written, event.scope)
    call = target.node if isinstance(target, ValueTarget) else None
    if not isinstance(target, ValueTarget) or not isinstance(call, ast.Call):
        return None
    made = program.resolve(call.func, target.scope)
    kind = _kind(program, made)
    if not kind:
        return None
    if kind == "Resolver" and (function := argument(call, 0, "function_resolver")) is not None:
        owner = _owner(instances, function, target.scope)
        return Naming("RelativeResolver", owner) if owner else None
    first = argument(call, 0, "default_module_name", "root_path")
    named = program.resolve(first, target.scope) if first is not None else None
    module = named.module.name if isinstance(named, ModuleTarget) else text_of(program, first, target.scope)
    collection = argument(call, None, "collection_endpoint_name")
    name = text_of(program, collection, target.scope) if collection is not None else "search"
    if (first is not None and module is None) or name is None:
        return None
    return Naming(kind, module or "", name)


def _owner(instances: Instances, function: ast.expr, scope: Scope) -> str:
    """What has the functions that are asked for by their names: `lambda name: getattr(backend, name)`; empty for
    whatever else finds them."""
    match function:
        case ast.Lambda(
            args=ast.arguments(args=[ast.arg(arg=asked)]),
            body=ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Name(id=name)]),
        ) if asked == name:
            found = instances.program.resolve(owner, scope)
            if isinstance(found, ModuleTarget):
                return found.module.name
            made = instances.of(owner, scope)
            return made.qualified if isinstance(made, ClassTarget) else ""
    return ""


def _kind(program: Program, made: Target | None) -> str:
    """The class of Connexion's that names functions here; a project's own one may leave how they are named alone."""
    if isinstance(made, External):
        return made.name if made.root == "connexion" and made.name in _RESOLVERS else ""
    if not isinstance(made, ClassTarget):
        return ""
    if any(isinstance(program.class_member(made, name), FunctionTarget) for name in _NAMING):
        return ""
    return next((name for name in _RESOLVERS if program.is_a(made, {"connexion"}, {name})), "")
