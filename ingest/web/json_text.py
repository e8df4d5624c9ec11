"""Texts that hold JSON: which value was turned into one (`json.dumps(book)`, `book.model_dump_json()`)."""

from __future__ import annotations

import ast

from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import External

_DUMPS = frozenset({"json.dumps", "flask.json.dumps", "orjson.dumps", "ujson.dumps", "simplejson.dumps"})
_TEXTS = frozenset({"encode", "decode"})


def data_of_text(program: Program, node: ast.expr | None, scope: Scope) -> ast.expr | None:
    """The expression whose value a text tells as JSON; None where that cannot be known."""
    if not isinstance(node, ast.Call):
        return None
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in _TEXTS:
        return data_of_text(program, function.value, scope)
    if isinstance(function, ast.Attribute) and function.attr == "model_dump_json":
        dump = ast.copy_location(ast.Attribute(function.value, "model_dump", ast.Load()), function)
        return ast.copy_location(ast.Call(dump, [], node.keywords), node)
    target = program.resolve(function, scope)
    dumped = isinstance(target, External) and target.dotted in _DUMPS and len(node.args) == 1
    return node.args[0] if dumped else None
