"""The ways in which Python binds a name, and which of several bindings is in force."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, TypeAlias

import msgspec

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Bound(StrEnum):
    """In which way a name is bound."""

    MODULE = "import"
    MEMBER = "from"
    FUNCTION = "function"
    CLASS = "class"
    VALUE = "value"
    PARAMETER = "parameter"
    LOOP = "loop"
    GIVEN = "given"
    OTHER = "other"


class Branch(StrEnum):
    """Whether a binding always happens when its scope runs."""

    ALWAYS = "always"
    TRIED = "tried"
    HANDLER = "handler"
    SOMETIMES = "sometimes"


class Binding(msgspec.Struct, frozen=True):
    """One place that binds a name. `value` is the assigned expression, or the iterable of a loop.

    `given` is what the name stands for in one round of a loop, where that is settled already; of a name that stands
    for a part of what a call gives (`app, api = make()`), the call and the number of the part.
    """

    how: Bound
    node: ast.AST
    line: int
    branch: Branch
    value: ast.expr | None = None
    annotation: ast.expr | None = None
    module: str | None = None
    member: str = ""
    level: int = 0
    given: Any = None
    until: int = 0
    """Of one in a branch, the last line of it: down to there it always happens before what follows."""


def standing_for(node: ast.AST, target: Any) -> Binding:
    """The binding of a name that is settled already, wherever in this code it is used."""
    return Binding(Bound.GIVEN, node, 0, Branch.ALWAYS, given=target)


def is_builtin(name: str) -> bool:
    """Whether Python itself binds the name."""
    return hasattr(builtins, name)


def parameters(node: Function | ast.Lambda) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """Each parameter but `*args` and `**kwargs`, with its default."""
    positional = [*node.args.posonlyargs, *node.args.args]
    missing = len(positional) - len(node.args.defaults)
    yield from zip(positional, [*([None] * missing), *node.args.defaults], strict=True)
    yield from zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)


def choose(bindings: list[Binding], line: int | None) -> Binding | None:
    """The binding in force at a line (None: after all), or None where only a run can tell."""
    if line is not None:
        bindings = [b for b in bindings if b.line <= line] or bindings
    if len(bindings) == 1:
        return bindings[0]
    if line is not None and bindings and bindings[-1].line < line <= bindings[-1].until:
        return bindings[-1]
    main = [b for b in bindings if b.branch is not Branch.HANDLER] or bindings
    if len(main) == 1 or main[-1].branch is Branch.ALWAYS:
        return main[-1]
    return None
