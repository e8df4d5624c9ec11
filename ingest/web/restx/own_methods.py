"""Methods that the project's own class of namespaces or APIs has beside those of Flask-RESTX: what their decorators
declare in the end, and which of several ways a method goes for what it is told."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ingest.web.constants.constants import Missing, constant
from ingest.web.flask.declared import Decoration
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ValueTarget
from ingest.web.routing.made_views import as_called
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope


def told_by(program: Program, member: FunctionTarget, decoration: Decoration) -> list[Decoration] | None:
    """What a decorator that is a method of the project's own declares by the methods of Flask-RESTX that it gives back,
    or that decorate the function which it puts around the handler; None where that cannot be read."""
    if decoration.call is None or not isinstance(member.node, Function):
        return None
    called = as_called(program, member, decoration.call, decoration.scope)
    assert isinstance(called.node, Function), "copies of functions are functions"
    result = next(results(program, called.node.body, called.body), None)
    if isinstance(result, ast.Name):
        return _around(called, result.id)
    own = _own_call(called, result) if result is not None else None
    written = _without_rest(called, decoration.call, own) if own is not None else None
    if own is None or written is None:
        return None
    assert isinstance(written.func, ast.Attribute), "it is a method that is called"
    return [Decoration(written.func.attr, written, written, called.body)]


def results(program: Program, body: list[ast.stmt], scope: Scope) -> Iterator[ast.expr | None]:
    """What a function gives back that runs so: the first is the one; None where it cannot be told."""
    for statement in body:
        match statement:
            case ast.Return(value=value):
                yield value
            case ast.If(test=test):
                taken = holds(program, test, scope)
                if taken is None and _gives(statement):
                    yield None
                elif taken is not None:
                    yield from results(program, statement.body if taken else statement.orelse, scope)
            case ast.With(body=inner) | ast.Try(body=inner):
                yield from results(program, inner, scope)
            case ast.For() | ast.While() | ast.Match() if _gives(statement):
                yield None


def holds(program: Program, test: ast.expr, scope: Scope) -> bool | None:
    """Whether a test of what a method is told holds, as none does that raises; None where that cannot be known."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            found = holds(program, inner, scope)
            return None if found is None else not found
        case ast.BoolOp(op=op, values=values):
            each = [holds(program, value, scope) for value in values]
            decisive = isinstance(op, ast.Or)
            if decisive in each:
                return decisive
            return None if None in each else not decisive
        case ast.Call(func=ast.Name(id="issubclass"), args=[node, above]):
            return _is_class(program, node, scope, above)
        case ast.Call(func=ast.Name(id="isinstance"), args=[node, ast.Name(id="type")]):
            return _is_class(program, node, scope)
        case ast.Call(func=ast.Name(id="isclass") | ast.Attribute(attr="isclass"), args=[node]):
            return _is_class(program, node, scope)
    value = constant(program, test, scope)
    if not isinstance(value, Missing):
        return bool(value)
    target = program.resolve(test, scope) if isinstance(test, ast.Name) else None
    made = isinstance(target, ValueTarget) and isinstance(target.node, ast.Call)
    return True if made or isinstance(target, ClassTarget | FunctionTarget) else None


def chosen_of(program: Program, node: ast.expr, scope: Scope) -> ast.expr | None:
    """What an expression is that may choose: `parser.copy() if parser else self.parser()`; None where unknown."""
    if not isinstance(node, ast.IfExp):
        return node
    taken = holds(program, node.test, scope)
    return None if taken is None else chosen_of(program, node.body if taken else node.orelse, scope)


def calls_on(program: Program, body: list[ast.stmt], name: str, scope: Scope) -> list[ast.Call] | None:
    """The methods called, as statements, on what a function keeps under a name; None where a test of which the outcome
    is not known decides about one."""
    found: list[ast.Call] = []
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=owner))) as call) if (
                owner == name
            ):
                found.append(call)
            case ast.If(test=test) if _names(statement, name):
                taken = holds(program, test, scope)
                inner = None if taken is None else statement.body if taken else statement.orelse
                more = calls_on(program, inner, name, scope) if inner is not None else None
                if more is None:
                    return None
                found += more
            case ast.For() | ast.While() | ast.With() | ast.Try() | ast.Match() if _names(statement, name):
                return None
    return found


def _names(statement: ast.stmt, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(statement))


def _is_class(program: Program, node: ast.expr, scope: Scope, above: ast.expr | None = None) -> bool | None:
    """Whether an expression stands for a class, and one of those below `above`."""
    target = program.resolve(node, scope)
    if not isinstance(target, ClassTarget):
        return None if isinstance(constant(program, node, scope), Missing) else False
    if above is None:
        return True
    wanted = program.resolve(above, scope)
    if not isinstance(wanted, ClassTarget):
        return None
    return any(
        isinstance(each, ClassTarget) and each.node is wanted.node for each in program.ancestry(target)
    )


def _gives(statement: ast.stmt) -> bool:
    return any(isinstance(each, ast.Return) for each in ast.walk(statement))


def _own_call(called: FunctionTarget, node: ast.expr) -> ast.Call | None:
    """The call of another method of the same object: `self.doc(…)`, `super().response(…)`."""
    first = next(parameters(called.node), None)
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner))) if first and owner == first[0].arg:
            return node
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")))):
            return node
    return None


def _without_rest(called: FunctionTarget, told: ast.Call, own: ast.Call) -> ast.Call | None:
    """The call without the `*values` and `**options` that it hands on, as far as none are given; None where some are,
    or where the method does more with them."""
    args = called.node.args
    names = {each.arg for each in (args.vararg, args.kwarg) if each is not None}
    handed = [each for each in (*own.args, *own.keywords) if _is_handed(each)]
    if not handed:
        return own
    given = {argument.arg for argument, _ in parameters(called.node)}
    uses = sum(isinstance(each, ast.Name) and each.id in names for each in ast.walk(called.node))
    passed = sum(
        _is_handed(part)
        for call in ast.walk(called.node)
        if isinstance(call, ast.Call)
        for part in (*call.args, *call.keywords)
    )
    more = len(told.args) > len(given) - 1 or any(keyword.arg not in given for keyword in told.keywords)
    if more or uses != passed:
        return None
    kept = [each for each in own.keywords if not _is_handed(each)]
    return ast.copy_location(
        ast.Call(own.func, [each for each in own.args if not _is_handed(each)], kept), own
    )


def _is_handed(part: ast.AST) -> bool:
    return isinstance(part, ast.Starred) or (isinstance(part, ast.keyword) and part.arg is None)


def _around(called: FunctionTarget, name: str) -> list[Decoration] | None:
    """What decorates the function that a decorator puts around the handler, the outermost first."""
    inner = _function(called.node, name)
    wrapper = _function(inner, _given(inner)) if inner is not None else None
    if wrapper is None:
        return None
    found = []
    for node in wrapper.decorator_list:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            found.append(Decoration(node.func.attr, node, node, called.body))
    return found


def _function(node: ast.AST, name: str) -> ast.FunctionDef | None:
    """The function of this name that another defines in its own body."""
    body = node.body if isinstance(node, Function) else []
    return next((each for each in body if isinstance(each, ast.FunctionDef) and each.name == name), None)


def _given(node: ast.FunctionDef) -> str:
    """The name of what a function gives back in the end."""
    last = node.body[-1]
    return last.value.id if isinstance(last, ast.Return) and isinstance(last.value, ast.Name) else ""
