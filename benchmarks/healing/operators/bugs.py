"""Mutants of code: one place changed, everything else as it was."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from random import Random

from benchmarks.healing.editing import Editor
from benchmarks.healing.operators.calls import with_texts
from benchmarks.healing.operators.values import other_value
from benchmarks.healing.sources import Change, FunctionNode, Sources, definitions

KINDS = ("operator", "constant", "condition", "exception", "return", "default")
_OPERATORS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*"}
_COMPARISONS = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}


def mutants(sources: Sources, random: Random, kind: str) -> Iterator[Change]:
    """Changes of one kind, in random order: the tests stay as they are, since the code is wrong."""
    found = []
    for each in definitions(sources):
        if isinstance(each.node, FunctionNode) or each.kind == "attribute":
            text = sources.code[each.path]
            for node, changed in _places(Editor(text), each.node, kind):
                found.append((each, node, changed))
    for each, node, changed in random.sample(found, len(found)):
        editor = Editor(sources.code[each.path])
        old = editor.source(node)
        editor.replace(node, changed)
        after = with_texts(sources, {each.path: editor.result()})
        words = f"{each.path}:{node.lineno}: {' '.join(old.split())[:60]} -> {' '.join(changed.split())[:60]}"
        yield Change(f"bug: {kind}", each.place, words, after)


def _places(editor: Editor, whole: ast.stmt, kind: str) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    docstrings = {id(node.value) for node in ast.walk(whole) if isinstance(node, ast.Expr)}
    if kind == "default":
        if isinstance(whole, FunctionNode):
            for default in [*whole.args.defaults, *filter(None, whole.args.kw_defaults)]:
                if isinstance(default, ast.Constant) and (other := other_value(default)):
                    yield default, other
        return
    body = whole.body if isinstance(whole, FunctionNode) else [whole]
    parts = [part for statement in body for part in ast.walk(statement)]
    # Pieces of formatted strings have places of their own from Python 3.12 on; what is changed is the whole string.
    formatted = {
        id(piece): part for part in parts if isinstance(part, ast.JoinedStr) for piece in part.values
    }
    for node in parts:
        match kind, node:
            case "operator", ast.BinOp(left=left, op=operation, right=right) if type(operation) in _OPERATORS:
                sign = _OPERATORS[type(operation)]
                yield node, f"({editor.source(left)} {sign} {editor.source(right)})"
            case "operator", ast.Compare(left=left, ops=[operation], comparators=[right]):
                sign = _COMPARISONS[type(operation)]
                yield node, f"({editor.source(left)} {sign} {editor.source(right)})"
            case "constant", ast.Constant() if id(node) not in docstrings and (other := other_value(node)):
                yield formatted.get(id(node), node), other
            case "condition", ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                yield test, f"(not ({editor.source(test)}))"
            case "exception", ast.Raise(exc=ast.Call(func=ast.Name() as raised)):
                yield raised, "RuntimeError" if raised.id != "RuntimeError" else "LookupError"
            case "exception", ast.Raise():
                yield node, "pass"
            case "return", ast.Return(value=ast.expr() as value):
                changed = "False" if isinstance(value, ast.Constant) and value.value is None else "None"
                yield value, changed
