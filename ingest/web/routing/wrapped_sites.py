"""Applications that another package wraps and gives back by the same name: `app = cors(app)`."""

from __future__ import annotations

import ast

from ingest.web.program.program import Program
from ingest.web.program.targets import External
from ingest.web.syntax.scopes import Scope


def wrapped_again(program: Program, call: ast.Call, scope: Scope) -> ast.expr | None:
    """What a name stood for before a call was given it, and made what it stands for since; None for other calls."""
    first = call.args[0] if call.args else None
    bindings = scope.bindings.get(first.id, []) if isinstance(first, ast.Name) else []
    places = [number for number, each in enumerate(bindings) if each.value is call]
    if not places or places[0] == 0 or not isinstance(program.resolve(call.func, scope), External):
        return None
    return bindings[places[0] - 1].value
