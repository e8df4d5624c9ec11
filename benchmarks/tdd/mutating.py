"""Mutants of an application's source: each changes one place, by operators that know what web applications say."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Iterator

import msgspec

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_BOUNDS = frozenset({"ge", "gt", "le", "lt", "min_length", "max_length", "pattern", "regex"})
_ROUTES = frozenset({"get", "post", "put", "patch", "delete", "options", "head", "trace", "api_route"})
_STATUSES = {200: 202, 201: 200, 202: 200, 204: 200, 400: 409, 401: 403, 403: 401, 404: 400, 422: 400}


class Mutant(msgspec.Struct, frozen=True):
    """A source in which one place is changed: by which operator, on which line of the original."""

    operator: str
    line: int
    text: str


Change = Callable[[], None]
_Place = tuple[str, int, Change]


def mutants(text: str, limit: int, seed: int) -> list[Mutant]:
    """At most `limit` mutants of a source, chosen by the seed, fairly among operators; none that says the same."""
    tree = ast.parse(text)
    whole = ast.unparse(tree)
    by_operator: dict[str, list[Mutant]] = {}
    for number in range(sum(1 for _ in _places(tree))):
        changed = copy.deepcopy(tree)
        operator, line, change = list(_places(changed))[number]
        change()
        ast.fix_missing_locations(changed)
        source = ast.unparse(changed)
        if source != whole:
            by_operator.setdefault(operator, []).append(Mutant(operator, line, source))
    chance = random.Random(seed)
    queues = [chance.sample(each, len(each)) for _, each in sorted(by_operator.items())]
    chance.shuffle(queues)
    chosen: list[Mutant] = []
    while len(chosen) < limit and any(queues):
        chosen += [queue.pop() for queue in queues if queue][: limit - len(chosen)]
    return chosen


def stub(text: str) -> str:
    """The same routes and signatures, and every handler raises NotImplementedError."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _handles(node):
            node.body = [ast.Raise(ast.Name("NotImplementedError", ast.Load()))]
    return ast.unparse(ast.fix_missing_locations(tree))


def _handles(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in _ROUTES
        for each in node.decorator_list
    )


def _places(tree: ast.Module) -> Iterator[_Place]:
    for node in ast.walk(tree):
        match node:
            case ast.If() | ast.IfExp():
                yield "condition negated", node.lineno, _negate(node)
            case ast.Compare():
                yield "comparison", node.lineno, _compare(node)
            case ast.Return(value=ast.expr()):
                yield "returns None", node.lineno, _set(node, "value", ast.Constant(None))
            case ast.keyword(arg="status_code"):
                yield from _status(node)
            case ast.Call():
                yield from _of_call(node)
            case ast.ClassDef():
                yield from _of_class(node)
            case ast.Dict() if len(node.keys) > 1 and all(isinstance(k, ast.Constant) for k in node.keys):
                yield "key removed", node.lineno, _drop_key(node)
            case ast.arguments():
                yield from _of_arguments(node)
        yield from _of_block(node)


def _negate(node: ast.If | ast.IfExp) -> Change:
    return lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), node.test))


def _compare(node: ast.Compare) -> Change:
    return lambda: setattr(node, "ops", [_COMPARED[type(node.ops[0])](), *node.ops[1:]])


def _set(node: ast.AST, name: str, value: object) -> Change:
    return lambda: setattr(node, name, value)


def _status(node: ast.keyword) -> Iterator[_Place]:
    value = node.value
    if isinstance(value, ast.Constant) and isinstance(value.value, int):
        yield "status", value.lineno, _set(node, "value", ast.Constant(_STATUSES.get(value.value, 418)))
    elif isinstance(value, ast.Attribute) and value.attr.startswith("HTTP_"):
        code = int(value.attr.split("_")[1])
        yield "status", value.lineno, _set(node, "value", ast.Constant(_STATUSES.get(code, 418)))


def _of_call(node: ast.Call) -> Iterator[_Place]:
    for keyword in node.keywords:
        if keyword.arg in _BOUNDS:
            yield "bound removed", node.lineno, _remove(node.keywords, keyword)
            if isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, int | float):
                other = ast.Constant(keyword.value.value + 1)
                yield "bound off by one", node.lineno, _set(keyword, "value", other)
        elif keyword.arg == "default" and isinstance(keyword.value, ast.Constant):
            yield "default", node.lineno, _set(keyword, "value", _other(keyword.value))
        elif keyword.arg == "response_model":
            yield "answer unfiltered", node.lineno, _set(keyword, "value", ast.Constant(None))
    if (
        getattr(node.func, "id", "") == "HTTPException"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    ):
        code = node.args[0].value
        if isinstance(code, int):
            other = ast.Constant(_STATUSES.get(code, 418))
            yield "status", node.lineno, _place(node.args, 0, other)


def _of_class(node: ast.ClassDef) -> Iterator[_Place]:
    if not node.bases:
        return
    for each in node.body:
        if isinstance(each, ast.AnnAssign):
            if each.value is None:
                yield "required made optional", each.lineno, _set(each, "value", ast.Constant(None))
            elif isinstance(each.value, ast.Constant):
                yield "optional made required", each.lineno, _set(each, "value", None)
            if len(node.body) > 1:
                yield "field removed", each.lineno, _remove(node.body, each)


def _of_arguments(node: ast.arguments) -> Iterator[_Place]:
    for number, default in enumerate(node.defaults):
        if isinstance(default, ast.Constant) and default.value is not ...:
            other = _other(default)
            yield "default", default.lineno, _place(node.defaults, number, other)


def _of_block(node: ast.AST) -> Iterator[_Place]:
    for name in ("body", "orelse"):
        block = getattr(node, name, None)
        if not isinstance(block, list) or isinstance(node, ast.Module | ast.ClassDef):
            continue
        for each in block:
            if isinstance(each, ast.Raise):
                yield "raise dropped", each.lineno, _replace(block, each)
            elif isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Subscript):
                yield "state not kept", each.lineno, _replace(block, each)
            elif isinstance(each, ast.Delete | ast.AugAssign) or (
                isinstance(each, ast.Expr) and isinstance(each.value, ast.Call)
            ):
                yield "statement dropped", each.lineno, _replace(block, each)


def _replace(block: list[ast.stmt], statement: ast.stmt) -> Change:
    return lambda: block.__setitem__(block.index(statement), ast.Pass())


def _remove(items: list[ast.keyword] | list[ast.stmt], item: ast.keyword | ast.stmt) -> Change:
    return lambda: items.remove(item)  # type: ignore[arg-type]


def _place(items: list[ast.expr], number: int, value: ast.expr) -> Change:
    return lambda: items.__setitem__(number, value)


def _drop_key(node: ast.Dict) -> Change:
    def change() -> None:
        del node.keys[-1], node.values[-1]

    return change


def _other(constant: ast.Constant) -> ast.Constant:
    """Another constant of the same type; for None a text."""
    match constant.value:
        case bool(value):
            return ast.Constant(not value)
        case int(value) | float(value):
            return ast.Constant(value + 1)
        case str(value):
            return ast.Constant(f"{value}x")
    return ast.Constant("something")
