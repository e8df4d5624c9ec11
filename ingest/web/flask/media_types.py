"""Media types that a function sets on a response after it made it: `response.headers["Content-Type"] = "text/csv"`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from ingest.web.answers.answers import Answer
from ingest.web.answers.json_text import data_of_text
from ingest.web.constants.constants import text_of
from ingest.web.program.functions import own_statements
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget

_ATTRIBUTES = frozenset({"mimetype", "content_type"})


def retyped(program: Program, function: FunctionTarget, answers: list[Answer]) -> list[Answer]:
    """These answers of a function with the media type that it sets on its only one.

    Where there are several, or only a run tells which type is set, their content is not known.
    """
    if isinstance(function.node, ast.Lambda):
        return answers
    body = function.node.body
    found = [told for statement in own_statements(body) for told in _set_by(statement)]
    if not found:
        return answers
    name, value, statement = found[0]
    if len(answers) > 1 or len(found) > 1 or statement not in body:
        return [replace(each, media_type=None, data=None) for each in answers]
    media_type = text_of(program, value, function.body)
    made = [data_of_text(program, each, function.body) for each in _texts(name, body)]
    data = made[0] if len(made) == 1 else None
    return [
        replace(each, media_type=media_type, data=data, scope=function.body, calls=()) for each in answers
    ]


def _set_by(statement: ast.stmt) -> Iterator[tuple[str, ast.expr, ast.stmt]]:
    """What an assignment sets as the media type of what a name stands for."""
    for target in statement.targets if isinstance(statement, ast.Assign) else []:
        match target:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if attribute in _ATTRIBUTES:
                pass
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=name), attr="headers"),
                slice=ast.Constant(value=str(header)),
            ) if header.lower() == "content-type":
                pass
            case _:
                continue
        assert isinstance(statement, ast.Assign)
        yield name, statement.value, statement


def _texts(name: str, body: list[ast.stmt]) -> Iterator[ast.expr]:
    """What the calls are given first by which a name gets what it stands for: `make_response(json.dumps(data))`."""
    for statement in own_statements(body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.Call(args=[first, *_])) if bound == name:
                yield first
