"""Which of Connexion's resolvers an application uses, and with what it is made."""

from __future__ import annotations

import ast

from ingest.web.connexion.names import Naming
from ingest.web.constants.constants import text_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import External, ModuleTarget, ValueTarget
from ingest.web.routing.sites import Event

_RESOLVERS = ("Resolver", "RelativeResolver", "RestyResolver", "MethodResolver", "MethodViewResolver")


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
    if not (isinstance(made, External) and made.root == "connexion" and made.name in _RESOLVERS):
        return None
    first = argument(call, 0, "default_module_name", "root_path")
    named = program.resolve(first, target.scope) if first is not None else None
    module = named.module.name if isinstance(named, ModuleTarget) else text_of(program, first, target.scope)
    collection = argument(call, None, "collection_endpoint_name")
    name = text_of(program, collection, target.scope) if collection is not None else "search"
    if (first is not None and module is None) or name is None:
        return None
    return Naming(made.name, module or "", name)
