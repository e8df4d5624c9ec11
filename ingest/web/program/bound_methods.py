"""Methods that are called by another name: `get = partial(router.get, status_code=202)`, then `@get("/books")`."""

from __future__ import annotations

import ast
from collections.abc import Collection

from ingest.web.program.program import Program
from ingest.web.program.targets import External
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.scopes import Scope

_PARTIAL = External("functools.partial")


def as_method(program: Program, call: ast.Call, scope: Scope, methods: Collection[str]) -> ast.Call | None:
    """A call of one of these methods, as it is where it names the method itself, else with what it is told before;
    None for any other call."""
    if isinstance(call.func, ast.Attribute):
        return call if call.func.attr in methods else None
    found = scope.find(call.func.id, call.lineno) if isinstance(call.func, ast.Name) else None
    if found is None or found[1].how is not Bound.VALUE:
        return None
    match found[1].value:
        case ast.Attribute(attr=name) as method if name in methods:
            return ast.copy_location(ast.Call(method, call.args, call.keywords), call)
        case ast.Call(func=made, args=[ast.Attribute(attr=name) as method, *first], keywords=told) if (
            name in methods and program.resolve(made, found[0]) == _PARTIAL
        ):
            later = {keyword.arg for keyword in call.keywords}
            kept = [keyword for keyword in told if keyword.arg not in later]
            return ast.copy_location(ast.Call(method, [*first, *call.args], [*kept, *call.keywords]), call)
    return None
