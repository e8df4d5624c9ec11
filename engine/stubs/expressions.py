"""Source texts as they may stand in a stub: annotations, defaults, and the types that literals show."""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Iterator, Sequence

from graph.compiled import compiled

INCOMPLETE = "Incomplete"

_LONGEST_DEFAULT = 60
_PARAMETER = compiled(r"\s*\*{0,2}\s*(\w+)\s*(?::([^=]*))?(?:=(.*))?\Z")
_COLLECTIONS = {ast.List: "list", ast.Set: "set", ast.ListComp: "list", ast.SetComp: "set"}


def parse(text: str) -> ast.expr | None:
    """The syntax tree of one expression, or None where the text is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(f"(\n{text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def roots(expression: ast.expr) -> Iterator[str]:
    """The first components of all names in an expression."""
    return (node.id for node in ast.walk(expression) if isinstance(node, ast.Name))


def annotation(text: str, knows: Callable[[str], bool]) -> str | None:
    """An annotation with quoted names unquoted; None where it is none, or holds names that `knows` denies."""
    parsed = parse(text)
    if parsed is None:
        return None
    unquoted = _Unquote().visit(parsed)
    if not _is_type(unquoted) or not all(map(knows, roots(unquoted))):
        return None
    return ast.unparse(unquoted)


class _Unquote(ast.NodeTransformer):
    """Turns quoted types into types; the strings of `Literal` and what `Annotated` adds stay."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str):
            return node
        parsed = parse(node.value)
        return node if parsed is None else self.visit(parsed)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        last = ast.unparse(node.value).rpartition(".")[2]
        if last == "Literal":
            return node
        if last == "Annotated" and isinstance(node.slice, ast.Tuple):
            node.slice.elts[0] = self.visit(node.slice.elts[0])
            return node
        return self.generic_visit(node)  # type: ignore[return-value]


def _is_type(expression: ast.expr) -> bool:
    """Whether an expression has the form of a type; what only running it would tell has not."""
    match expression:
        case ast.Name() | ast.Constant(value=None):
            return True
        case ast.Attribute(value=inner):
            return _is_type(inner)
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return _is_type(left) and _is_type(right)
        case ast.Subscript(value=inner):
            return _is_type(inner)
        case _:
            return False


def default(text: str) -> str:
    """A default as a stub shows it: a short literal as it is, `...` for everything else."""
    return text if len(text) <= _LONGEST_DEFAULT and is_literal(parse(text)) else "..."


def is_literal(expression: ast.expr | None) -> bool:
    """Whether an expression is a number, text, truth value, None, or a tuple, list, set or dict of such."""
    match expression:
        case ast.Constant(value=value):
            return not isinstance(value, float) or math.isfinite(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return True
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return all(map(is_literal, items))
        case ast.Dict(keys=keys, values=values):
            return all(is_literal(item) for item in (*keys, *values))
        case _:
            return False


def is_scalar(expression: ast.expr | None) -> bool:
    """Whether an expression is one literal number, text or truth value."""
    if isinstance(expression, ast.UnaryOp):
        return is_literal(expression)
    return isinstance(expression, ast.Constant) and is_literal(expression) and expression.value is not None


def call_shape(expression: ast.expr) -> ast.expr:
    """A decorator or field call with every argument that is no literal and no name replaced by `...`."""
    if not isinstance(expression, ast.Call):
        return expression
    arguments = [_shaped(argument) for argument in expression.args]
    keywords = [ast.keyword(each.arg, _shaped(each.value)) for each in expression.keywords]
    return ast.Call(call_shape(expression.func), arguments, keywords)


def _shaped(argument: ast.expr) -> ast.expr:
    plain = is_literal(argument) or isinstance(argument, ast.Name | ast.Attribute)
    return argument if plain else ast.Constant(...)


def literal_type(expression: ast.expr | None, is_builtin: Callable[[str], bool]) -> str | None:
    """The type that an expression shows by its form, with `Incomplete` for parts that it does not; None if unknown."""
    match expression:
        case ast.Constant(value=None):
            return f"{INCOMPLETE} | None"
        case ast.Constant(value=value):
            kind = type(value).__name__
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            kind = type(value).__name__
        case ast.JoinedStr():
            kind = "str"
        case ast.UnaryOp(op=ast.Not()):
            kind = "bool"
        case ast.List(elts=items) | ast.Set(elts=items):
            kind = f"{_COLLECTIONS[type(expression)]}[{_common(items, is_builtin)}]"
        case ast.ListComp() | ast.SetComp():
            kind = f"{_COLLECTIONS[type(expression)]}[{INCOMPLETE}]"
        case ast.Tuple(elts=items):
            kind = _tuple(items, is_builtin)
        case ast.Dict(keys=keys, values=values):
            kind = f"dict[{_common(keys, is_builtin)}, {_common(values, is_builtin)}]"
        case ast.DictComp():
            kind = f"dict[{INCOMPLETE}, {INCOMPLETE}]"
        case ast.Call(func=ast.Name(id=name)) if name in _CONSTRUCTORS:
            kind = _CONSTRUCTORS[name]
        case _:
            return None
    return kind if is_builtin(kind.partition("[")[0]) else None


_CONSTRUCTORS = {
    **{name: name for name in ("str", "bytes", "bytearray", "int", "float", "bool", "object")},
    **{name: f"{name}[{INCOMPLETE}]" for name in ("list", "set", "frozenset")},
    "dict": f"dict[{INCOMPLETE}, {INCOMPLETE}]",
    "tuple": f"tuple[{INCOMPLETE}, ...]",
}


def _common(items: Sequence[ast.expr | None], is_builtin: Callable[[str], bool]) -> str:
    """The one scalar type that all items show, or `Incomplete`."""
    kinds = {literal_type(item, is_builtin) if is_scalar(item) else None for item in items}
    return (kinds.pop() or INCOMPLETE) if len(kinds) == 1 else INCOMPLETE


def _tuple(items: Sequence[ast.expr], is_builtin: Callable[[str], bool]) -> str:
    if not items or len(items) > 8 or any(isinstance(item, ast.Starred) for item in items):
        return f"tuple[{_common(items, is_builtin)}, ...]"
    kinds = [literal_type(item, is_builtin) if is_scalar(item) else None for item in items]
    return f"tuple[{', '.join(kind or INCOMPLETE for kind in kinds)}]"


def type_parameters(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names that type parameters as written (`[T: Cart, *Ts, **P = [int]]`) make, and those that they need.

    Only Python 3.12 could parse them as a whole.
    """
    names: set[str] = set()
    needed: set[str] = set()
    for part in _parts(text[1:-1]):
        match = _PARAMETER.match(part)
        if match is not None:
            names.add(match[1])
            said = [parse(each) for each in match.groups()[1:] if each]
            needed.update(root for each in said if each is not None for root in roots(each))
    return frozenset(names), frozenset(needed)


def _parts(text: str) -> Iterator[str]:
    """What stands between commas that are within no brackets."""
    depth = start = 0
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            yield text[start:place]
            start = place + 1
    yield text[start:]
