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

_RESOLVERS = ("Resolver", "RelativeResolver", "RestyResolver", "MethodResolver", "MethodViewResolver")
_NAMING = ("__init__", "resolve_operation_id", "resolve_operation_id_using_rest_semantics")
"""What a resolver of a project's own changes names by, or takes otherwise than its base."""


def naming_of(program: Program, event: Event) -> Naming | None:
    """How the names of functions are found; None where the project does it by a function of its own."""
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
    first = argument(call, 0, "default_module_name", "root_path")
    named = program.resolve(first, target.scope) if first is not None else None
    module = named.module.name if isinstance(named, ModuleTarget) else text_of(program, first, target.scope)
    collection = argument(call, None, "collection_endpoint_name")
    name = text_of(program, collection, target.scope) if collection is not None else "search"
    if (first is not None and module is None) or name is None:
        return None
    return Naming(kind, module or "", name)


def _kind(program: Program, made: Target | None) -> str:
    """The class of Connexion's that names functions here; a project's own one may leave how they are named alone."""
    if isinstance(made, External):
        return made.name if made.root == "connexion" and made.name in _RESOLVERS else ""
    if not isinstance(made, ClassTarget):
        return ""
    if any(isinstance(program.class_member(made, name), FunctionTarget) for name in _NAMING):
        return ""
    return next((name for name in _RESOLVERS if program.is_a(made, {"connexion"}, {name})), "")
