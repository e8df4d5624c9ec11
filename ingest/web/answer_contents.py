"""What the answers of one status contain together, and what `jsonify` is given for one of them."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema
from ingest.web.json_results import agreed, as_display


def jsonified(node: ast.Call) -> ast.expr | None:
    """What `jsonify` is given: one value, several as a list, or keywords as an object."""
    if node.keywords and not node.args:
        return as_display(node)
    if len(node.args) > 1:
        return ast.copy_location(ast.List(elts=list(node.args), ctx=ast.Load()), node)
    return node.args[0] if node.args else None


def together(contents: list[dict[str, Schema] | None]) -> dict[str, Schema] | None:
    """The content of one status that is answered in several places."""
    known = [content for content in contents if content is not None]
    if len(known) < len(contents):
        return None
    whole = dict(known[0])
    for content in known[1:]:
        for media_type, schema in content.items():
            whole[media_type] = agreed(whole[media_type], schema) if media_type in whole else schema
    return whole
