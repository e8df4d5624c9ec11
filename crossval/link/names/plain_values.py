"""Attributes that surely hold a plain value of a builtin type, which does not tell which module made it."""

from __future__ import annotations

import ast

from crossval.compare.annotations import parse_expression
from graph.facts import Fact, Kind

_CALLS = frozenset(
    {"bool", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple", "abs", "any", "all"}
    | {"isinstance", "issubclass", "hasattr", "callable", "len", "ord", "chr", "repr", "sorted", "time.time"}
    | {"os.getenv", "os.environ.get", "os.getcwd", "os.getpid", "os.cpu_count"}
    | {"sys.getdefaultencoding", "sys.getfilesystemencoding", "locale.getpreferredencoding"}
    | {
        f"os.path.{name}"
        for name in ("abspath", "basename", "dirname", "exists", "expanduser", "join", "realpath")
    }
    | {f"platform.{name}" for name in ("machine", "python_implementation", "python_version", "system")}
)
STANDARD_VALUES = frozenset(
    {"sys.platform", "sys.version", "sys.byteorder", "sys.maxsize", "os.name", "os.sep", "os.linesep"}
    | {"sys.version_info.major", "sys.version_info.minor"}
)
_OF_TEXT = frozenset(
    {"join", "split", "strip", "lower", "upper", "format", "encode", "splitlines", "replace"}
)
_DISPLAYS = (
    ast.List | ast.Set | ast.Dict | ast.ListComp | ast.SetComp | ast.DictComp | ast.JoinedStr | ast.Tuple
)


def holds_plain_value(fact: Fact) -> bool:
    """Whether an attribute's one value is a literal, or comes from what always gives one: a comparison, `dict(…)`."""
    text: str = fact.aspects.get("value") or ""
    if fact.kind is not Kind.ATTRIBUTE or not text:
        return False
    return _is_plain(text)


def _is_plain(text: str) -> bool:
    # A text that is cut tells by its first sign alone.
    tree = parse_expression(text)
    return _begins_plainly(text) if tree is None else _plain(tree)


def _begins_plainly(text: str) -> bool:
    return text.lstrip("bBrRuU")[:1] in {"'", '"'} or text[:1] in set("0123456789-[{(")


def _plain(node: ast.expr) -> bool:
    match node:
        case ast.Constant() | ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.UnaryOp(operand=operand):
            return _plain(operand)
        case ast.BoolOp(values=values):
            return all(map(_plain, values))
        case ast.IfExp(body=body, orelse=other):
            return _plain(body) and _plain(other)
        case ast.BinOp(left=left, right=right):
            # `"%s" % anything` is a text; of other operators both sides have to be known.
            text = isinstance(left, ast.Constant) and isinstance(left.value, str | bytes)
            return _plain(left) and (_plain(right) or (text and isinstance(node.op, ast.Mod)))
        case ast.Subscript(value=value):
            return ast.unparse(value) == "sys.version_info"
        case ast.Attribute():
            return ast.unparse(node) in STANDARD_VALUES
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _OF_TEXT and _is_text(value):
            return True
        case ast.Call(func=func):
            return ast.unparse(func) in _CALLS
        case _:
            return isinstance(node, _DISPLAYS)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
