"""What a test function asserts, in its order."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

import msgspec

_UNITTEST = {
    "assertEqual": "==",
    "assertEquals": "==",
    "assertDictEqual": "==",
    "assertListEqual": "==",
    "assertTupleEqual": "==",
    "assertSetEqual": "==",
    "assertSequenceEqual": "==",
    "assertMultiLineEqual": "==",
    "assertIs": "is",
    "assertIsNone": "is",
    "assertAlmostEqual": "approx",
    "assertAlmostEquals": "approx",
    "assertIn": "in",
    "assertGreater": ">",
    "assertGreaterEqual": ">=",
    "assertLess": "<",
    "assertLessEqual": "<=",
    "assertRegex": "match",
    "assertCountEqual": "unordered",
    "assertIsInstance": "isinstance",
    "assertNotEqual": "!=",
    "assertIsNot": "is not",
    "assertIsNotNone": "is not",
    "assertNotIn": "not in",
    "assertTrue": "truth",
    "assertFalse": "truth",
    "assertRaises": "raises",
    "assertRaisesRegex": "raises",
    "assertWarns": "warns",
    "assertWarnsRegex": "warns",
}
_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.Is: "is",
    ast.In: "in",
    ast.Lt: "<",
    ast.Gt: ">",
    ast.LtE: "<=",
    ast.GtE: ">=",
    ast.NotEq: "!=",
    ast.IsNot: "is not",
    ast.NotIn: "not in",
}
_EXPECTING = {
    "raises": "raises",
    "RaisesExc": "raises",
    "RaisesGroup": "raises",
    "warns": "warns",
    "deprecated_call": "warns",
}
STRENGTH = {
    "==": 6,
    "is": 6,
    "raises": 6,
    "warns": 6,
    "call": 6,
    "approx": 5,
    "unordered": 4,
    "in": 3,
    "match": 3,
    "<": 3,
    ">": 3,
    "<=": 3,
    ">=": 3,
    "isinstance": 2,
    "!=": 2,
    "is not": 2,
    "not in": 2,
    "truth": 1,
    "or": 0,
}
"""How much a form of assertion says beside the others; what is not listed says most."""
_BLOCKS = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.ExceptHandler, ast.Match, ast.IfExp)
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Assertion(msgspec.Struct, frozen=True):
    """One assertion: its `form` (a comparison, `raises`, `truth`…), and how many things stand between the test and it.

    `shape` is how it is built, with all ways to a value alike; `expects` are the exceptions that it names, `matches`
    says that their words count. `node` is the expression, and `source` its text.
    """

    form: str
    guards: int
    shape: str
    node: ast.AST
    source: str
    expects: tuple[str, ...] = ()
    matches: bool = False


def assertions(function: ast.AST, were: Mapping[str, str] | None = None) -> list[Assertion]:
    """All assertions of a function, in the order in which they stand; those joined by `and` count each.

    `were` maps names to those of before: a `raises` of the project's own that has another name asserts what it did.
    """
    former = were or {}
    found: list[Assertion] = []
    returned = False

    def visit(node: ast.AST, guards: int) -> None:
        nonlocal returned
        if isinstance(node, ast.Assert):
            found.extend(_asserted(node.test, guards + returned))
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                visit(item.context_expr, guards)
            inside = guards + sum(_is_suppressing(item.context_expr) for item in node.items)
            for each in node.body:
                visit(each, inside)
            return
        elif isinstance(node, ast.Try | ast.TryStar):
            for each in node.body:
                visit(each, guards + bool(node.handlers))
            for other in (*node.handlers, *node.orelse, *node.finalbody):
                visit(other, guards + (other not in node.finalbody))
            return
        elif isinstance(node, ast.Call):
            found.extend(_called(node, guards + returned, former))
        elif isinstance(node, ast.Return):
            returned = True
        inner = guards + isinstance(node, _BLOCKS + _INNER)
        for child in ast.iter_child_nodes(node):
            if not isinstance(node, ast.Assert):
                visit(child, inner)

    for each in getattr(function, "body", []):
        visit(each, 0)
    return found


def _asserted(test: ast.expr, guards: int) -> Iterator[Assertion]:
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            for each in values:
                yield from _asserted(each, guards)
            return
        case ast.BoolOp(op=ast.Or()) | ast.IfExp():
            form = "or"
        case ast.Compare(ops=operators):
            form = min((_OPERATORS[type(each)] for each in operators), key=lambda each: STRENGTH[each])
            if form == "==" and {"approx", "isclose"}.intersection(names_in(test)):
                form = "approx"
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(ops=[_])):
            form = "!="
        case ast.Call(func=ast.Name(id="isinstance")):
            form = "isinstance"
        case ast.Call(func=ast.Attribute(attr="match" | "search" | "fullmatch")):
            form = "match"
        case _:
            form = "truth"
    yield Assertion(form, guards, _shape(test), test, ast.unparse(test))


def _called(call: ast.Call, guards: int, former: Mapping[str, str]) -> Iterator[Assertion]:
    """What a call asserts: those of unittest and of mocks, and contexts that expect an exception."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    name = former.get(name, name)
    form = _UNITTEST.get(name) or _EXPECTING.get(name)
    if form is None and (name.startswith("assert") or name == "fail"):
        form = "call"
    if form is None:
        return
    expects: tuple[str, ...] = ()
    matches = False
    if form in ("raises", "warns"):
        first = call.args[0] if call.args else None
        listed = first.elts if isinstance(first, ast.Tuple) else [first] if first is not None else []
        expects = tuple(ast.unparse(each) for each in listed)
        matches = name.endswith("Regex") or any(each.arg in ("match", "check") for each in call.keywords)
    yield Assertion(form, guards, f"{form}({len(call.args)})", call, ast.unparse(call), expects, matches)


def _shape(node: ast.AST) -> str:
    """How an expression is built; each way to a value, by names, attributes, calls, items or `await`, is one `_`."""
    if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Await):
        inner: ast.AST = node
        while isinstance(inner, ast.Attribute | ast.Call | ast.Subscript | ast.Await):
            inner = inner.func if isinstance(inner, ast.Call) else inner.value
        return "_" if isinstance(inner, ast.Name) else f"_<{_shape(inner)}>"
    if isinstance(node, ast.Constant):
        return "_"
    parts = [_shape(each) for each in ast.iter_child_nodes(node) if not isinstance(each, ast.expr_context)]
    return f"{type(node).__name__}({','.join(parts)})" if parts else type(node).__name__


def names_in(node: ast.AST) -> Iterator[str]:
    """The names that stand in an expression, those after a dot too."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr


def _is_suppressing(context: ast.expr) -> bool:
    return isinstance(context, ast.Call) and ast.unparse(context.func).rpartition(".")[2] == "suppress"
