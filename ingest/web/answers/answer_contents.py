"""What an answer made by hand contains, those of one status together, and what `jsonify` is given for one of them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from graph.schema_algebra import Schema, unknown
from ingest.web.answers.answers import Answer
from ingest.web.answers.json_text import is_json
from ingest.web.answers.json_values import JsonValues
from ingest.web.schemas.json_results import agreed, as_display

_BODILESS: Final = frozenset({204, 205, 304})


def content_of(answer: Answer, read: Callable[[str], Schema | None]) -> dict[str, Schema] | None:
    """What is known of the content of an answer: nothing of one without a media type, unless it has no content at all.

    `read` gives the schema of what is answered with a media type, None where that cannot be read.
    """
    if answer.status in _BODILESS:
        return {}
    if answer.media_type is None:
        return None
    media_type = answer.media_type.split(";")[0].strip()
    schema = read(media_type)
    return {media_type: unknown("the answer is built by hand") if schema is None else schema}


def told_by_hand(answer: Answer, media_type: str, values: JsonValues) -> Schema | None:
    """The schema of an answer with a media type, where that is a text or JSON of a value that is known."""
    if media_type.startswith("text/"):
        if answer.data is not None and answer.scope is not None and not answer.page:
            made = values.within(answer.calls, answer.data, answer.scope)
            if made.get("type") in ("object", "array"):
                # JSON under the type of a text: whether a contract tells of the text or of the value, nothing says.
                return None
        return {"type": "string", "x-page": True} if answer.page else {"type": "string"}
    if not is_json(media_type) or answer.data is None or answer.scope is None:
        return None
    return values.within(answer.calls, answer.data, answer.scope)


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
