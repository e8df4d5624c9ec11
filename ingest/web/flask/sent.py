"""What a Flask handler sends as it is: files, and texts of the request itself."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from graph.facts import Location
from ingest.web.answers.answers import Answer
from ingest.web.constants.constants import text_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, Target
from ingest.web.records.operations import Response
from ingest.web.requests.values import RequestValues
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of

_SENDING: Final = {"send_file": 1, "send_from_directory": 2}
"""At which position each takes the media type."""
_BY_ITSELF: Final = ("206", "304", "404", "416")
"""What is answered where a part is asked for, nothing changed, there is no such file, or no such part of it."""
_TEXTS: Final = frozenset({"query", "form", "header", "cookie"})


def sent_file(
    program: Program, target: Target | None, call: ast.Call, scope: Scope, place: Location
) -> Answer | None:
    """The answer that sends a file, where a call does so."""
    if not _sends(target):
        return None
    assert isinstance(target, External)
    kind = argument(call, _SENDING[target.name], "mimetype")
    return Answer(place, status=200, media_type=text_of(program, kind, scope) if kind else None)


def sent_text(values: RequestValues, node: ast.expr, scope: Scope, place: Location) -> Answer | None:
    """The answer that sends a text of the request back: `return request.form["name"]`."""
    part = values.of(node, scope)
    told = part is not None and part.name and part.place in _TEXTS and part.type == "string"
    return Answer(place, status=200, media_type="text/html") if told else None


def is_grown_text(node: ast.Name, scope: Scope) -> bool:
    """Whether a name holds a text that a function begins, and to which it adds: `page += "</body>"`."""
    bindings = scope.bindings.get(node.id, ())
    begun = [each.value for each in bindings if each.how is Bound.VALUE]
    added = [each.given for each in bindings if each.how is not Bound.VALUE]
    return (
        bool(begun and added)
        and all(map(_is_text, begun))
        and all(isinstance(each, ast.AugAssign) and isinstance(each.op, ast.Add) for each in added)
    )


def _is_text(node: ast.expr | None) -> bool:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.BinOp(op=ast.Add() | ast.Mod(), left=left):
            return _is_text(left)
    return False


def by_itself(program: Program, functions: Iterable[FunctionTarget], source: Location) -> list[Response]:
    """What Flask may answer by itself where one of these functions sends files."""
    sending = any(_sends_files(program, function) for function in functions)
    return [Response(status, "framework", source) for status in _BY_ITSELF] if sending else []


def _sends_files(program: Program, function: FunctionTarget) -> bool:
    def found() -> bool:
        calls = (each for each in nodes_of(function.node) if isinstance(each, ast.Call))
        return any(_sends(program.resolve(call.func, function.body)) for call in calls)

    return program.remember(("sends files", function.node), found)


def _sends(target: Target | None) -> bool:
    return isinstance(target, External) and target.root == "flask" and target.name in _SENDING
