"""What describes a value (`Field(…)`, `Query(…)`), where it stands or where a function of the project gives it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from typing import Final, Literal, TypeAlias

from ingest.web.program.calls import argument, given_for, has_stars, only_result
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ParameterTarget, Target, ValueTarget
from ingest.web.schemas.annotated_types import written_out
from ingest.web.syntax.bindings import parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import returned

Placed: TypeAlias = tuple[ast.expr, Scope]
_DEPTH = 4
_FIELDS = frozenset(
    {
        *("dataclasses.field", "msgspec.field", "msgspec.Meta"),
        *("attr.ib", "attr.attrib", "attr.field", "attrs.field"),
    }
)
_LITESTAR = frozenset(
    {
        "Parameter",
        "QueryParameter",
        "HeaderParameter",
        "CookieParameter",
        "PathParameter",
        "Body",
        "Dependency",
    }
)


class _Unsettled(Enum):
    """The type of `UNSETTLED`."""

    UNSETTLED = "unsettled"


UNSETTLED: Final = _Unsettled.UNSETTLED
"""Something describes the value, but what it says, and whether it names a default, cannot be known."""


def is_description(program: Program, node: ast.expr, scope: Scope) -> bool:
    """Whether an expression describes a value (`Field(…)`, `Query(…)`) and is none itself."""
    if not isinstance(node, ast.Call):
        return False
    target = program.resolve(node.func, scope)
    return isinstance(target, External) and (
        (
            target.root in ("pydantic", "sqlmodel", "ninja")
            and target.name
            in ("Field", "StringConstraints", "Strict", *(("P",) if target.root == "ninja" else ()))
        )
        or (
            target.root in ("fastapi", "ninja")
            and target.name
            in ("Query", "Path", "Header", "Cookie", "Body", "Form", "File", "Depends", "Security")
        )
        or target.dotted in _FIELDS
        or (target.root == "litestar" and target.name in _LITESTAR)
    )


def described_by(
    program: Program, default: ast.expr, scope: Scope
) -> Placed | Literal[_Unsettled.UNSETTLED] | None:
    """The description that a default is or is bound to, or that a function of the project gives; None of a value."""
    found = list(_results(program, default, scope, 0))
    described = [placed for placed in found if placed is not None and is_description(program, *placed)]
    if not described:
        return UNSETTLED if None in found else None
    if len(found) > 1:
        return UNSETTLED
    node, inner = described[0]
    return (node, inner) if inner is scope or _is_settled(program, node, inner) else UNSETTLED


def is_demanded(program: Program, node: ast.expr, scope: Scope) -> bool:
    """Whether what stands for a default says that there is none: `...`."""
    written, _ = written_out(program, node, scope) if isinstance(node, ast.Name) else (node, scope)
    return isinstance(written, ast.Constant) and written.value is ...


def _results(program: Program, node: ast.expr, scope: Scope, depth: int) -> Iterator[Placed | None]:
    """What an expression may be; None for what a function makes of a description of its own."""
    made = program.resolve(node.func, scope) if isinstance(node, ast.Call) else None
    target = program.resolve(node, scope) if isinstance(node, ast.Name | ast.Attribute) else None
    if depth > _DEPTH:
        yield node, scope
    elif isinstance(target, ValueTarget) and target.node is not None and target.node is not node:
        yield from _results(program, target.node, target.scope, depth + 1)
    elif isinstance(made, FunctionTarget) and isinstance(node, ast.Call):
        results = [
            result
            for value, _ in returned(made)
            for result in _results(program, value, _called(made, node, scope), depth + 1)
        ]
        seen = any(result is None or is_description(program, *result) for result in results)
        hidden = not seen and any(is_description(program, call, made.body) for call in made.body.calls)
        yield from [None] if hidden else results
    else:
        yield node, scope


def _called(function: FunctionTarget, call: ast.Call, scope: Scope) -> Scope:
    """The body of a function as a call sees it: where all it does is to give a result, with what its parameters are."""
    if only_result(function) is None or has_stars(call):
        return function.body
    given: dict[str, Target] = {}
    for parameter, default in parameters(function.node):
        target = ParameterTarget(parameter.arg, function.body, None, default)
        value, place = given_for(target, function, call, scope)
        if value is not None:
            given[parameter.arg] = ValueTarget(value, place)
    return function.body.round(given) if given else function.body


def _is_settled(program: Program, node: ast.expr, scope: Scope) -> bool:
    """Whether a description in a function says in any case whether the value has a default."""
    if not isinstance(node, ast.Call) or has_stars(node):
        return False
    defaults = [argument(node, 0, "default"), argument(node, None, "default_factory", "factory")]
    return all(_is_seen(program, default, scope) for default in defaults if default is not None)


def _is_seen(program: Program, node: ast.expr, scope: Scope) -> bool:
    """Whether it is known what an expression is made by: no parameter that stays open, and no choice."""
    if isinstance(node, ast.Name):
        target = program.resolve(node, scope)
        return target is not None and not isinstance(target, ParameterTarget)
    return not isinstance(node, ast.IfExp | ast.BoolOp)
