"""FOCA: services on Connexion whose contracts are named by a file of settings, and whose exceptions by a table."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from graph.facts import Fact
from ingest.web.connexion.names import Naming
from ingest.web.constants.constants import constant
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope

APPLICATIONS = ("foca", "Foca")
_STATUS = ("status", "status_code", "code")


def naming_by_ids(operations: Iterable[Fact], modules: Iterable[Module]) -> Naming | None:
    """How functions are found where the settings name their module: the one that has a function for each operation."""
    names = [str(each.aspects.get("operation_id") or "") for each in operations]
    if not names or not all(name.isidentifier() for name in names):
        return None
    found = [module.name for module in modules if all(_is_function(module.scope, name) for name in names)]
    return Naming("RelativeResolver", found[0]) if len(found) == 1 else None


def _is_function(scope: Scope, name: str) -> bool:
    bindings = scope.bindings.get(name, [])
    return len(bindings) == 1 and bindings[0].how is Bound.FUNCTION


def exception_table(program: Program, modules: Iterable[Module]) -> ErrorHandlers | None:
    """The statuses that the table of exceptions of a service gives them; None where there is no such table."""
    for module in modules:
        for name, bindings in module.scope.bindings.items():
            value = bindings[0].value if len(bindings) == 1 else None
            if "exception" in name.lower() and isinstance(value, ast.Dict) and value.keys:
                table = _table(program, value, module.scope)
                if table is not None:
                    return table
    return None


def _table(program: Program, node: ast.Dict, scope: Scope) -> ErrorHandlers | None:
    found = ErrorHandlers()
    for key, value in zip(node.keys, node.values, strict=True):
        row = constant(program, value, scope)
        status = next((row[name] for name in _STATUS if name in row), None) if isinstance(row, dict) else None
        if key is None or not str(status).isdigit():
            return None
        found.register(program, key, scope, _answering(int(str(status)), key, scope))
    return found


def _answering(status: int, key: ast.expr, scope: Scope) -> FunctionTarget:
    """A handler that answers this status."""
    made = ast.parse(f"def handler(error):\n    return None, {status}\n").body[0]
    assert isinstance(made, ast.FunctionDef), "the text is one of a function"
    for part in ast.walk(made):
        if "lineno" in part._attributes:
            ast.copy_location(part, key)
    return FunctionTarget(made, scope)
