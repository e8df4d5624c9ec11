"""What functions around a handler make of the exceptions that leave it: their `except` clauses as error handlers."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

import msgspec

from ingest.web.constants.constants import constant
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ParameterTarget, ValueTarget
from ingest.web.raising.error_handlers import Clause, ErrorHandlers
from ingest.web.raising.exceptions import Exit, caught_by
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.comparisons import COMPARED
from ingest.web.values.instances import own_statements

_CATCHING = (ast.Try, ast.TryStar)
_WITH = (ast.With, ast.AsyncWith)
_STATUS = frozenset({"status", "status_code", "code"})


class Catching(msgspec.Struct, frozen=True):
    """A function without the clauses around the call of its handler, and these clauses as error handlers.

    `known` is false where what one of them catches cannot be known.
    """

    function: FunctionTarget
    handlers: ErrorHandlers
    known: bool = True


def catching_of(program: Program, function: FunctionTarget) -> Catching:
    """What a function that calls a handler (one of its parameters, or of a function around it) catches of it."""
    node = function.node
    plain = Catching(function, ErrorHandlers())
    if not isinstance(node, Function):
        return plain
    if not any(isinstance(each, _CATCHING) for each in own_statements(node.body)):
        return plain
    clauses: list[tuple[ast.ExceptHandler, ast.Try | ast.TryStar]] = []
    body = list(_without(program, function, node.body, clauses))
    if not clauses:
        return plain
    bare = copy.copy(node)
    bare.body = body or [ast.copy_location(ast.Pass(), node)]
    handlers = ErrorHandlers(catches_all=True)
    known = True
    for clause, attempt in clauses:
        made = Clause(_as_function(clause, attempt, node.name), function.body)
        for kind in _types(program, clause.type, function):
            if kind is None:
                known = False
            else:
                handlers.put(program, kind, made)
    return Catching(FunctionTarget(bare, function.scope), handlers, known)


def for_status(program: Program, clause: Clause, leaving: Exit) -> FunctionTarget | None:
    """A clause as it runs for one exception: tests of its status and class are settled; None where one is not."""
    node = clause.node
    assert isinstance(node, Function), "clauses are functions"
    name = node.args.args[0].arg
    body = _settled(program, clause, node.body, leaving, name)
    if body is None:
        return None
    if body == node.body:
        return clause
    made = copy.copy(node)
    made.body = body
    return Clause(made, clause.scope)


def for_exception(program: Program, handler: FunctionTarget, leaving: Exit) -> FunctionTarget:
    """An error handler as it runs for one exception: without the branches that its class or status rules out."""
    name = program.remember(("asked about", handler.node), lambda: _asked_about(handler))
    if not name:
        return handler
    key = ("handles", handler.node, leaving.target, leaving.status)
    return program.remember(key, lambda: _for_exception(program, handler, leaving, name))


def _asked_about(handler: FunctionTarget) -> str:
    """The name of the exception of a handler that asks what it is; empty where it does not ask, or binds it anew."""
    node = handler.node
    own = [each.arg for each, _ in parameters(node)]
    if not own or not isinstance(node, Function):
        return ""
    tests = (part.test for part in own_statements(node.body) if isinstance(part, ast.If))
    asks = any(_mentions(test, own[-1]) for test in tests)
    return own[-1] if asks and len(handler.body.bindings.get(own[-1], ())) == 1 else ""


def _for_exception(program: Program, handler: FunctionTarget, leaving: Exit, name: str) -> FunctionTarget:
    node = handler.node
    assert isinstance(node, Function), "only functions have tests"
    body = _ruled_out(program, handler, node.body, leaving, name)
    if body == node.body:
        return handler
    made = copy.copy(node)
    made.body = body or [ast.copy_location(ast.Pass(), node)]
    return FunctionTarget(made, handler.scope)


def _ruled_out(
    program: Program, handler: FunctionTarget, body: list[ast.stmt], leaving: Exit, name: str
) -> list[ast.stmt]:
    """Statements without the branches that cannot be taken for an exception; what cannot be known stays."""
    kept: list[ast.stmt] = []
    for statement in body:
        holds = (
            _holds(program, handler, statement.test, leaving, name)
            if isinstance(statement, ast.If) and _mentions(statement.test, name)
            else None
        )
        if holds is None or not isinstance(statement, ast.If):
            kept.append(statement)
            continue
        branch = statement.body if holds else statement.orelse
        kept += _ruled_out(program, handler, branch, leaving, name)
        if kept and isinstance(kept[-1], ast.Return | ast.Raise):
            break
    return kept


def ends(body: list[ast.stmt]) -> bool:
    """Whether statements always end their function."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return bool(last.orelse) and ends(last.body) and ends(last.orelse)
    if isinstance(last, _WITH):
        return ends(last.body)
    return isinstance(last, ast.Return | ast.Raise)


def _without(
    program: Program,
    function: FunctionTarget,
    body: list[ast.stmt],
    clauses: list[tuple[ast.ExceptHandler, ast.Try | ast.TryStar]],
) -> Iterator[ast.stmt]:
    for statement in body:
        if isinstance(statement, _CATCHING) and _calls_on(program, function, statement.body):
            clauses.extend((each, statement) for each in statement.handlers)
            inner = [*statement.body, *statement.orelse, *statement.finalbody]
            yield from _without(program, function, inner, clauses)
        elif isinstance(statement, _WITH):
            new = copy.copy(statement)
            new.body = list(_without(program, function, statement.body, clauses))
            yield new
        else:
            yield statement


def _calls_on(program: Program, function: FunctionTarget, body: list[ast.stmt]) -> bool:
    """Whether statements call the handler."""
    calls = (part for each in body for part in ast.walk(each) if isinstance(part, ast.Call))
    return any(
        isinstance(call.func, ast.Name)
        and isinstance(program.resolve(call.func, function.body), ParameterTarget)
        for call in calls
    )


def _as_function(
    clause: ast.ExceptHandler, attempt: ast.Try | ast.TryStar, name: str
) -> ast.FunctionDef | ast.AsyncFunctionDef:
    """The clause as a function of the exception; what it puts where the handler's answer would be, it returns."""
    body, last = list(clause.body), clause.body[-1]
    if isinstance(last, ast.Assign) and len(last.targets) == 1 and isinstance(last.targets[0], ast.Name):
        answered = last.targets[0].id
        if any(
            isinstance(target, ast.Name) and target.id == answered
            for each in attempt.body
            if isinstance(each, ast.Assign)
            for target in each.targets
        ):
            body.append(ast.copy_location(ast.Return(last.value), last))
    only = ast.copy_location(ast.arg(clause.name or "_caught"), clause)
    arguments = ast.arguments(
        posonlyargs=[], args=[only], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )
    made = ast.FunctionDef(
        name=name, args=arguments, body=body, decorator_list=[], returns=None, type_comment=None
    )
    return ast.copy_location(made, clause)


def _types(
    program: Program, node: ast.expr | None, function: FunctionTarget
) -> list[ClassTarget | External | None]:
    if node is None:
        return [External("builtins.BaseException")]
    if isinstance(node, ast.Tuple):
        return [found for each in node.elts for found in _types(program, each, function)]
    target = program.resolve(node, function.body)
    if isinstance(target, ValueTarget) and isinstance(target.node, ast.Tuple):
        return [
            found
            for each in target.node.elts
            for found in [program.resolve(each, target.scope)]
            if found is None or isinstance(found, ClassTarget | External)
        ]
    return [target if isinstance(target, ClassTarget | External) else None]


def _settled(
    program: Program, clause: Clause, body: list[ast.stmt], leaving: Exit, name: str
) -> list[ast.stmt] | None:
    kept: list[ast.stmt] = []
    for statement in body:
        if not isinstance(statement, ast.If) or not _mentions(statement.test, name):
            kept.append(statement)
            continue
        holds = _holds(program, clause, statement.test, leaving, name)
        if holds is None:
            if not _leads_on(statement):
                return None
            # Whether it holds or not, the same answers follow.
            kept.append(statement)
            continue
        branch = _settled(program, clause, statement.body if holds else statement.orelse, leaving, name)
        if branch is None:
            return None
        kept += branch
        if branch and isinstance(branch[-1], ast.Return | ast.Raise):
            break
    return kept


def _leads_on(statement: ast.If) -> bool:
    """Whether a condition decides nothing about what is answered: it neither returns nor raises."""
    return not any(isinstance(each, ast.Return | ast.Raise) for each in own_statements([statement]))


def _mentions(node: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


def _holds(program: Program, clause: FunctionTarget, test: ast.expr, leaving: Exit, name: str) -> bool | None:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            found = _holds(program, clause, inner, leaving, name)
            return None if found is None else not found
        case ast.BoolOp(op=joined, values=values):
            decides = isinstance(joined, ast.Or)
            each = [_holds(program, clause, value, leaving, name) for value in values]
            return decides if decides in each else None if None in each else not decides
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=held), kinds]) if held == name:
            types = _types(program, kinds, clause)
            return caught_by(program, leaving.target, types)
        case ast.Compare(
            left=ast.Attribute(value=ast.Name(id=held), attr=attribute), ops=[operator], comparators=[right]
        ) if held == name and attribute in _STATUS and leaving.status is not None:
            other = constant(program, right, clause.body)
            if isinstance(other, int) and type(operator) in COMPARED:
                return COMPARED[type(operator)](leaving.status, other)
            if isinstance(other, list) and isinstance(operator, ast.In | ast.NotIn):
                return (leaving.status in other) is isinstance(operator, ast.In)
    return None
