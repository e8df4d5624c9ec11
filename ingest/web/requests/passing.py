"""What handlers do with a whole mapping of the request and take nothing of: links to other pages, logs, questions."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ingest.web.constants.constants import constant
from ingest.web.program.program import Program
from ingest.web.program.targets import External
from ingest.web.syntax.flow_words import LOGGING
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope

_LEVELS = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "log"})
_TELLING = frozenset({"builtins.print", "flask.url_for", "flask.helpers.url_for"})
_FORMING = frozenset({"dict", "str", "repr", "list", "len", "sorted", "tuple", "format"})
_COPYING = frozenset({"copy", "to_dict", "items", "dict", "format", "keys"})
_COPIERS = frozenset({"copy.copy", "copy.deepcopy", "builtins.dict"})
_FILLING = frozenset({"update", "pop", "popitem", "setdefault", "poplist", "setlist", "add", "clear"})


def only_passed(program: Program, parents: Mapping[ast.AST, ast.AST], node: ast.AST, scope: Scope) -> bool:
    """Whether a use of a whole mapping takes nothing of it that changes what is done: it is put into a link or a log,
    or asked whether there is anything in it."""
    inner, outer = node, parents.get(node)
    while outer is not None:
        match outer:
            case ast.Call() if _tells(program, outer, scope):
                return inner is not outer.func
            case ast.Call(func=ast.Name(id=name)) if name not in _FORMING:
                return False
            case ast.Call(func=ast.Attribute(attr=name)) if name not in _COPYING:
                return False
            case ast.Attribute(attr=name) if name not in _COPYING:
                return False
            case ast.UnaryOp(op=ast.Not()) | ast.If() if inner is node:
                return not isinstance(outer, ast.If) or outer.test is inner
            case (
                ast.Call()
                | ast.Attribute()
                | ast.keyword()
                | ast.Dict()
                | ast.JoinedStr()
                | ast.FormattedValue()
                | ast.Tuple()
                | ast.BinOp()
            ):
                inner, outer = outer, parents.get(outer)
            case _:
                return False
    return False


def awaited(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.AST:
    """The expression around a method that is called and awaited: `await request.read()`."""
    for kind in (ast.Call, ast.Await):
        outer = parents.get(node)
        node = outer if isinstance(outer, kind) else node
    return node


def decoded(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.AST:
    """The text that bytes are turned into where they are (`request.data.decode()`), else what is given."""
    method = parents.get(node)
    call = parents.get(method) if isinstance(method, ast.Attribute) and method.attr == "decode" else None
    return call if isinstance(call, ast.Call) and call.func is method else node


def is_asked(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether it is only asked whether there is anything in a mapping: `if request.files:`, `if not data or …:`."""
    inner, outer = node, parents.get(node)
    while isinstance(outer, ast.BoolOp) or (isinstance(outer, ast.UnaryOp) and isinstance(outer.op, ast.Not)):
        inner, outer = outer, parents.get(outer)
    return isinstance(outer, ast.If | ast.While | ast.IfExp | ast.Assert) and outer.test is inner


def is_filled(parents: Mapping[ast.AST, ast.AST], node: ast.AST) -> bool:
    """Whether a mapping is only changed by a use of it, of which nobody takes the result."""
    outer = parents.get(node)
    if isinstance(outer, ast.Subscript) and outer.value is node:
        return isinstance(outer.ctx, ast.Store | ast.Del)
    call = parents.get(outer) if isinstance(outer, ast.Attribute) and outer.attr in _FILLING else None
    return isinstance(call, ast.Call) and isinstance(parents.get(call), ast.Expr)


def copied(
    program: Program, parents: Mapping[ast.AST, ast.AST], node: ast.AST, scope: Scope
) -> tuple[ast.AST, bool]:
    """The expression around a mapping that is still all of it (`dict(request.args)`), and whether that is a copy."""
    whole, copy = node, False
    while True:
        outer = parents.get(whole)
        call = parents.get(outer) if isinstance(outer, ast.Attribute) else outer
        if not isinstance(call, ast.Call) or call.keywords:
            return whole, copy
        if isinstance(outer, ast.Attribute):
            if call.func is not outer or outer.attr not in ("copy", "to_dict") or call.args:
                return whole, copy
        else:
            target = program.resolve(call.func, scope)
            if call.args != [whole] or not isinstance(target, External) or target.dotted not in _COPIERS:
                return whole, copy
        whole, copy = call, True


def names_chosen(
    program: Program, parents: Mapping[ast.AST, ast.AST], node: ast.AST, scope: Scope
) -> list[str] | None:
    """The names that a comprehension over all items of a mapping lets through, where these are constants."""
    method = parents.get(node)
    items = parents.get(method) if isinstance(method, ast.Attribute) and method.attr == "items" else None
    loop = parents.get(items) if isinstance(items, ast.Call) and not items.args else None
    if not isinstance(loop, ast.comprehension) or loop.iter is not items:
        return None
    match loop.target:
        case ast.Tuple(elts=[ast.Name(id=key), _]):
            for test in loop.ifs:
                match test:
                    case ast.Compare(left=ast.Name(id=held), ops=[ast.In()], comparators=[listed]) if (
                        held == key
                    ):
                        names = constant(program, listed, scope)
                        texts = (
                            [each for each in names if isinstance(each, str)]
                            if isinstance(names, list)
                            else []
                        )
                        return texts if isinstance(names, list) and len(texts) == len(names) else None
    return None


def _tells(program: Program, call: ast.Call, scope: Scope) -> bool:
    """Whether what a call is given is written into a log or into the address of another page."""
    target = program.resolve(call.func, scope)
    if isinstance(target, External) and (target.dotted in _TELLING or target.root in LOGGING):
        return True
    function = call.func
    return (
        isinstance(function, ast.Attribute)
        and function.attr in _LEVELS
        and "log" in last_name(function.value).lower()
    )
