"""Which standard type an expression gives by its form alone, whatever the names in it mean."""

from __future__ import annotations

import ast

_DISPLAYS: dict[type[ast.expr], str] = {
    ast.List: "list",
    ast.ListComp: "list",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.Tuple: "tuple",
    ast.JoinedStr: "str",
}
_OF_TEXT = {
    **dict.fromkeys(
        ("capitalize", "center", "expandtabs", "format", "format_map", "join", "ljust", "lower", "lstrip"),
        "str",
    ),
    **dict.fromkeys(("replace", "rjust", "rstrip", "strip", "title", "translate", "upper", "zfill"), "str"),
    **dict.fromkeys(("split", "rsplit", "splitlines"), "list"),
    **dict.fromkeys(("partition", "rpartition"), "tuple"),
    "encode": "bytes",
}


def built_type(node: ast.expr | None) -> str:
    """The name of the type that a display, a comprehension, a formatted text, `not x` or `x is y` surely has.

    Empty where the form says nothing.
    """
    match node:
        case ast.Call(func=ast.Attribute(value=text, attr=name)) if _is_text(text):
            return _OF_TEXT.get(name, "")
        case ast.BinOp(left=text, op=ast.Mod()) if _is_text(text):
            return "str"
        case ast.UnaryOp(op=ast.Not()):
            return "bool"
        case ast.Compare(ops=[ast.Is() | ast.IsNot() | ast.In() | ast.NotIn()]):
            return "bool"
        case _:
            return "" if node is None else _DISPLAYS.get(type(node), "")


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
