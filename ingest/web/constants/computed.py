"""Values that expressions compute from constants: arithmetic, comprehensions, methods of texts and dictionaries.

What a part is worth is read by the caller's `Read`; `...` means that a value cannot be known.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from types import EllipsisType
from typing import Final, TypeAlias

from graph.facts import Json
from ingest.web.constants.text_filling import filled, formatted
from ingest.web.syntax.copies import copy_of

Read: TypeAlias = Callable[[ast.expr], object]
Found: TypeAlias = "Json | EllipsisType"
_SIZE = 10_000
_MOST_ROUNDS = 500
_COPIES = frozenset({"list", "tuple", "set", "frozenset", "sorted"})
_ARITHMETIC: Final[dict[type[ast.operator], Callable[[int, int], int]]] = {
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
}
_COMPARISONS: Final[dict[type[ast.cmpop], Callable[[object, object], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: lambda item, held: item in held,  # type: ignore[operator]  # asked of what can hold it alone
    ast.NotIn: lambda item, held: item not in held,  # type: ignore[operator]  # the same
}
_OF_TEXT = frozenset(
    {
        *("upper", "lower", "title", "capitalize", "casefold", "swapcase", "strip", "lstrip", "rstrip"),
        *("replace", "removeprefix", "removesuffix", "split", "join", "startswith", "endswith"),
    }
)


def computed(node: ast.expr, read: Read) -> Found:
    """The JSON value of an expression that computes; `...` where it cannot be known."""
    match node:
        case ast.BinOp():
            return _arithmetic(node, read)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            return _listed(node, read)
        case ast.DictComp():
            return _tabled(node, read)
        case ast.IfExp():
            told = read(node.test)
            value = ... if told is ... else read(node.body if told else node.orelse)
            return value if _is_json(value) else ...
        case ast.Compare(ops=[how], comparators=[other]) if type(how) in _COMPARISONS:
            return _compared(_COMPARISONS[type(how)], read(node.left), read(other))
        case ast.Subscript(slice=ast.Slice(step=None) as part):
            ends = [None if end is None else read(end) for end in (part.lower, part.upper)]
            return _sliced(read(node.value), *ends)
        case ast.Call(func=ast.Name(id="dict"), args=[]):
            values = {k.arg: read(k.value) for k in node.keywords if k.arg is not None}
            known = len(values) == len(node.keywords) and all(_is_json(v) for v in values.values())
            return values if known else ...
        case ast.Call(func=ast.Name(id="str" | "int" | "float" as kind), args=[argument], keywords=[]):
            return _converted(kind, read(argument))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _COPIES:
            return _copied(name, read(arguments[0]) if len(arguments) == 1 else [] if not arguments else ...)
        case ast.Call(func=ast.Attribute(value=owner, attr="format")):
            given = {each.arg or "": read(each.value) for each in node.keywords}
            return filled(read(owner), [read(argument) for argument in node.args], given)
        case ast.Call(func=ast.Attribute(value=owner, attr=name), keywords=[]):
            return _method(read(owner), name, [read(argument) for argument in node.args])
    return ...


def _compared(compare: Callable[[object, object], bool], left: object, right: object) -> Found:
    if not _is_json(left) or not _is_json(right):
        return ...
    within = compare not in (operator.eq, operator.ne)
    both = isinstance(left, str) if isinstance(right, str) else isinstance(right, list | dict)
    return ... if within and not both else compare(left, right)


def _sliced(value: object, first: object, last: object) -> Found:
    """A part of a text or list, where both ends are known."""
    if not isinstance(first, int | None) or not isinstance(last, int | None):
        return ...
    return value[first:last] if isinstance(value, str | list) else ...


def _arithmetic(node: ast.BinOp, read: Read) -> Found:
    left, right = read(node.left), read(node.right)
    if isinstance(node.op, ast.Mod) and isinstance(left, str):
        return formatted(left, right, several=isinstance(node.right, ast.Tuple))
    if isinstance(node.op, ast.Add):
        if isinstance(left, str) and isinstance(right, str) and len(left) + len(right) < _SIZE:
            return left + right
        if isinstance(left, list) and isinstance(right, list) and len(left) + len(right) < _SIZE:
            return [*left, *right]
        if isinstance(left, int | float) and isinstance(right, int | float):
            return left + right
        return ...
    if isinstance(left, list) and isinstance(right, list) and len(left) + len(right) < _SIZE:
        return _of_sets(node.op, left, right)
    if type(left) is not int or type(right) is not int:
        return ...
    if isinstance(node.op, ast.LShift | ast.Pow):
        small = 0 <= right < 64 and abs(left) < _SIZE
        return (left << right if isinstance(node.op, ast.LShift) else left**right) if small else ...
    compute = _ARITHMETIC.get(type(node.op))
    divided = isinstance(node.op, ast.FloorDiv | ast.Mod)
    return ... if compute is None or (divided and right == 0) else compute(left, right)


def _of_sets(how: ast.operator, left: list[Json], right: list[Json]) -> Found:
    """What two sets give, which are read as lists; lists themselves can only be added."""
    match how:
        case ast.Sub():
            return [each for each in left if each not in right]
        case ast.BitAnd():
            return [each for each in left if each in right]
        case ast.BitOr():
            return [*left, *(each for each in right if each not in left)]
    return ...


def _listed(node: ast.ListComp | ast.SetComp | ast.GeneratorExp, read: Read) -> Found:
    found: list[Json] = []
    rounds = _rounds(node.generators, read)
    if rounds is None:
        return ...
    for given in rounds:
        value = read(_put(node.elt, given))
        if not _is_json(value):
            return ...
        found.append(value)
    return found


def _tabled(node: ast.DictComp, read: Read) -> Found:
    found: dict[str, Json] = {}
    rounds = _rounds(node.generators, read)
    if rounds is None:
        return ...
    for given in rounds:
        name, value = read(_put(node.key, given)), read(_put(node.value, given))
        if not isinstance(name, str | int) or not _is_json(value):
            return ...
        found[str(name)] = value
    return found


def _rounds(generators: list[ast.comprehension], read: Read) -> list[Mapping[str, ast.expr]] | None:
    """What the variables of a comprehension over one known collection stand for, in each round that its conditions
    let through."""
    if len(generators) != 1 or generators[0].is_async:
        return None
    only = generators[0]
    values = read(only.iter)
    names = only.target.elts if isinstance(only.target, ast.Tuple) else [only.target]
    if not isinstance(values, list | dict) or len(values) > _MOST_ROUNDS:
        return None
    rounds: list[Mapping[str, ast.expr]] = []
    for value in values:
        parts = value if isinstance(only.target, ast.Tuple) else [value]
        if not isinstance(parts, list) or len(parts) != len(names):
            return None
        given = {
            n.id: _written(p, only.iter) for n, p in zip(names, parts, strict=True) if isinstance(n, ast.Name)
        }
        if len(given) != len(names):
            return None
        passed = [_holds(_put(test, given), read) for test in only.ifs]
        if None in passed:
            return None
        if all(passed):
            rounds.append(given)
    return rounds


def _holds(test: ast.expr, read: Read) -> bool | None:
    """Whether a condition holds; None where it cannot be known."""
    if isinstance(test, ast.BoolOp):
        parts = [_holds(each, read) for each in test.values]
        decides = isinstance(test.op, ast.Or)
        return decides if decides in parts else None if None in parts else not decides
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _holds(test.operand, read)
        return None if inner is None else not inner
    value = read(test)
    return bool(value) if _is_json(value) else None


def _written(value: Json, place: ast.expr) -> ast.expr:
    """A JSON value as the expression that it is worth, at the place of another one."""
    node: ast.expr
    if isinstance(value, list):
        node = ast.List([_written(each, place) for each in value], ast.Load())
    elif isinstance(value, dict):
        keys: list[ast.expr | None] = [_written(key, place) for key in value]
        node = ast.Dict(keys, [_written(each, place) for each in value.values()])
    else:
        node = ast.Constant(value)
    return ast.copy_location(node, place)


class _Putting(ast.NodeTransformer):
    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.given.get(node.id, node)


def _put(node: ast.expr, given: Mapping[str, ast.expr]) -> ast.expr:
    """The expression with values in the place of names."""
    put: ast.expr = _Putting(given).visit(copy_of(node))
    return put


def _copied(name: str, values: object) -> Found:
    if isinstance(values, dict):
        values = list(values)
    if not isinstance(values, list):
        return ...
    if name != "sorted":
        return values
    plain = all(isinstance(v, str) for v in values) or all(type(v) in (int, float) for v in values)
    return sorted(values) if plain else ...


def _method(owner: object, name: str, arguments: list[object]) -> Found:
    if isinstance(owner, dict) and not arguments and name in ("keys", "values", "items"):
        if name == "items":
            return [[key, value] for key, value in owner.items()]
        return list(owner) if name == "keys" else list(owner.values())
    if isinstance(owner, dict) and name == "get" and arguments and isinstance(arguments[0], str):
        default = arguments[1] if len(arguments) == 2 else None
        # Nobody looks something up in an empty table: it is filled before.
        known = bool(owner) and len(arguments) < 3 and (arguments[0] in owner or _is_json(default))
        return owner.get(arguments[0], default) if known else ...
    if not isinstance(owner, str) or name not in _OF_TEXT or not all(map(_is_text, arguments)):
        return ...
    try:
        found: Json = getattr(owner, name)(*arguments)
    except (TypeError, ValueError):
        return ...
    return found if len(str(found)) < _SIZE else ...


def _is_text(value: object) -> bool:
    listed: Iterable[object] = value if isinstance(value, list) else [value]
    return all(isinstance(each, str) for each in listed)


def _is_json(value: object) -> bool:
    return value is None or isinstance(value, str | int | float | list | dict)


def _converted(kind: str, value: object) -> Found:
    if kind == "str" and isinstance(value, str | int):
        return str(value)
    return value if kind != "str" and isinstance(value, int) else ...
