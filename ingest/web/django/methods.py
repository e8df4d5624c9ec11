"""Which methods a function view offers that no decorator restricts: those that it asks for, else GET."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function

_BODY: Final = frozenset({"POST", "FILES", "body", "data", "read", "readline"})


def offered(handler: FunctionTarget) -> frozenset[str]:
    """The methods that a view of no restriction surely means to answer.

    None where it reads a body without asking for the method, or hands its request on. One that asks `request.method`
    offers what it asks for, and GET for the rest; one that does not, and reads no body, offers GET. What it does with
    other methods is an accident of Django's, which no contract need tell.
    """
    if not isinstance(handler.node, Function):
        return frozenset()
    named: set[str] = set()
    asked = False
    for part in ast.walk(handler.node):
        if (
            isinstance(part, ast.Attribute)
            and isinstance(part.value, ast.Name)
            and part.value.id == "request"
        ):
            if part.attr in _BODY:
                asked = True
            asked = asked or part.attr == "method"
        match part:
            case ast.Call(args=given) if any(
                isinstance(each, ast.Name) and each.id == "request" for each in given
            ):
                asked = True
            case ast.Compare(left=ast.Attribute(attr="method"), comparators=[right]):
                nodes = right.elts if isinstance(right, ast.Tuple | ast.List | ast.Set) else [right]
                named |= {
                    str(node.value).upper()
                    for node in nodes
                    if isinstance(node, ast.Constant) and isinstance(node.value, str)
                }
    if named:
        return frozenset(named | {"GET"})
    return frozenset() if asked else frozenset({"GET"})
