"""Whether what decorates a helper hands its arguments on as they are, without a look at them."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.program.handler_nodes import parents_within
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.walks import nodes_of

_PLAIN: Final = frozenset(
    {"builtins.staticmethod", "builtins.classmethod", "functools.lru_cache", "functools.cache"}
    | {"contextlib.contextmanager", "contextlib.asynccontextmanager", "typing.override", "abc.abstractmethod"}
)
"""Decorators that look at no argument."""


def hands_on(program: Program, function: FunctionTarget) -> bool:
    """Whether all decorators of a function call it with what it was called with, and check nothing of that."""
    written = function.node.decorator_list if isinstance(function.node, Function) else []
    return all(_is_blind(program, function, each) for each in written)


def _is_blind(program: Program, function: FunctionTarget, decorator: ast.expr) -> bool:
    target = program.resolve(uncalled(decorator), function.scope)
    if isinstance(target, External):
        return target.dotted in _PLAIN
    if not isinstance(target, FunctionTarget) or not isinstance(target.node, Function):
        return False
    return program.remember(("blind", target.node), lambda: _only_hands_on(program, target))


def _only_hands_on(program: Program, decorator: FunctionTarget) -> bool:
    """Whether the wrappers that a decorator makes take anything at all, and only give it to what they wrap."""
    inside = [each for each in nodes_of(decorator.node) if isinstance(each, Function)]
    wrappers = [each for each in inside if each.args.vararg is not None and each.args.kwarg is not None]
    return bool(wrappers) and all(_is_given_whole(program, each) for each in wrappers)


def _is_given_whole(program: Program, wrapper: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    taken = wrapper.args
    names = {each.arg for each in (taken.vararg, taken.kwarg) if each is not None}
    parents = parents_within(program, wrapper)
    uses = [each for each in parents if isinstance(each, ast.Name) and each.id in names]
    return not taken.args[1:] and all(
        isinstance(outer := parents[each], ast.Starred)
        or (isinstance(outer, ast.keyword) and outer.arg is None)
        for each in uses
    )
