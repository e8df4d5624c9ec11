"""One spelling for types that annotations spell in several ways: `Optional[int]`, `Union[int, None]`, `int | None`."""

from __future__ import annotations

import ast
from functools import lru_cache

_LOWER = {"List", "Dict", "Set", "FrozenSet", "Tuple", "Type"}
_NAMED = {"Deque": "deque", "DefaultDict": "defaultdict", "Text": "str", "AbstractSet": "Set"}
_MODULES = frozenset(
    {"typing", "t", "typing_extensions", "collections", "collections.abc", "abc", "builtins"}
)
_LONGEST = 2000


@lru_cache(maxsize=4096)
def spelled(text: str) -> str:
    """A type's text in one spelling; what cannot be parsed as it is."""
    try:
        return _of(ast.parse(text.strip(), mode="eval").body) if len(text) <= _LONGEST else text
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text


def _of(node: ast.expr) -> str:
    """The type in one spelling; the order of a union's members means nothing."""
    members = dict.fromkeys(_members(node))
    return " | ".join(sorted(members))


def _members(node: ast.expr) -> list[str]:
    """The members of a union, or the one type that it is."""
    match node:
        case ast.Constant(value=str(text)):
            return _members(ast.parse(text.strip(), mode="eval").body)
        case ast.BinOp(op=ast.BitOr()):
            return [*_members(node.left), *_members(node.right)]
        case ast.Subscript(value=of, slice=inner):
            listed = list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
            match _of(of):
                case "Optional":
                    return [*(member for each in listed for member in _members(each)), "None"]
                case "Union":
                    return [member for each in listed for member in _members(each)]
                case "Literal" | "Annotated" as name:  # what stands in these are values
                    return [f"{name}[{', '.join(map(ast.unparse, listed))}]"]
                case name:
                    return [f"{name}[{', '.join(map(_of, listed))}]"]
        case ast.List(elts=elements):
            return [f"[{', '.join(map(_of, elements))}]"]
        case ast.Name(id=name):
            return [_name(name)]
        case ast.Attribute(value=module, attr=name) if ast.unparse(module) in _MODULES:
            return [_name(name)]
    return [ast.unparse(node)]


def _name(name: str) -> str:
    return name.lower() if name in _LOWER else _NAMED.get(name, name)
