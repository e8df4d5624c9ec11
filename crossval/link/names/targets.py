"""The interpreter that stubs and code are compared for, and which conditions hold there."""

from __future__ import annotations

import ast
import operator
import sys
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from crossval.compare.annotations import parse_expression
from graph.compiled import compiled
from graph.facts import Fact

_VERSION = compiled(r"(\d+)\.(\d+)(?:\.\d+)?")
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
# How `six` and the modules that projects have in its place call the two Pythons.
_OF_MAJOR_VERSION = {"PY2": 2, "PY3": 3, "IS_PY2": 2, "IS_PY3": 3, "is_py2": 2, "is_py3": 3}
_OS_NAMES = {"win32": "nt"}


class Target(msgspec.Struct, frozen=True):
    """A Python version and a platform in the spelling of `sys.platform`."""

    python: tuple[int, int]
    platform: str

    def holds(self, condition: str, *, type_checking: bool) -> bool | None:
        """Whether a condition is true for this target; None where that depends on more than version and platform.

        `type_checking` says what `TYPE_CHECKING` is: true in a stub, false where code runs.
        """
        tree = parse_expression(condition)
        return None if tree is None else self._holds(tree, type_checking)

    def excludes(self, module: Fact) -> bool:
        """Whether a module of the code says at its top that it is for others: `assert sys.platform == "win32"`."""
        guard = module.aspects.get("guard")
        return isinstance(guard, str) and self.holds(guard, type_checking=False) is False

    def _holds(self, node: ast.expr, type_checking: bool) -> bool | None:
        match node:
            case ast.Constant(value=bool() | int() as value):
                return bool(value)
            case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
                return type_checking
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _OF_MAJOR_VERSION:
                return self.python[0] == _OF_MAJOR_VERSION[name]
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                held = self._holds(operand, type_checking)
                return None if held is None else not held
            case ast.BoolOp(op=operation, values=values):
                decisive = isinstance(operation, ast.Or)
                each = [self._holds(value, type_checking) for value in values]
                if decisive in each:
                    return decisive
                return None if None in each else not decisive
            case ast.Compare(left=left, ops=[comparison], comparators=[right]):
                return self._compared(left, comparison, right)
            case ast.Call(
                func=ast.Attribute(value=value, attr="startswith"), args=[ast.Constant(value=str() as prefix)]
            ) if _dotted(value) == "sys.platform":
                return self.platform.startswith(prefix)
            case _:
                return None

    def _compared(self, left: ast.expr, comparison: ast.cmpop, right: ast.expr) -> bool | None:
        compare = _COMPARISONS.get(type(comparison))
        if compare is None:
            return None
        ours, theirs = self._value(left), self._value(right)
        if isinstance(ours, tuple) and isinstance(theirs, tuple):
            # Which micro version runs is not part of the target.
            by_micro = min(len(ours), len(theirs)) > len(self.python) and ours[:2] == theirs[:2]
            return None if by_micro else bool(compare(ours, theirs))
        return (
            bool(compare(ours, theirs))
            if isinstance(ours, str | int) and type(ours) is type(theirs)
            else None
        )

    def _value(self, node: ast.expr) -> object:
        match node:
            case ast.Constant(value=str() | int() as value):
                return value
            case ast.Tuple(elts=[*items]) if all(
                isinstance(item, ast.Constant) and isinstance(item.value, int) for item in items
            ):
                return tuple(item.value for item in items if isinstance(item, ast.Constant))
            case ast.Subscript(value=value, slice=index) if _dotted(value) == "sys.version_info":
                return self._part(index)
        match _dotted(node):
            case "sys.version_info":
                return (*self.python, 0)
            case "sys.version_info.major":
                return self.python[0]
            case "sys.version_info.minor":
                return self.python[1]
            case "sys.platform":
                return self.platform
            case "__name__":
                return ""  # Whatever imports a module, it is not run: any name but `__main__` says so.
            case "os.name":
                return _OS_NAMES.get(self.platform, "posix")
            case _:
                return None

    def _part(self, index: ast.expr) -> object:
        match index:
            case ast.Constant(value=int() as place) if place in (0, 1):
                return self.python[place]
            case ast.Slice(lower=None, upper=ast.Constant(value=int() as end), step=None) if end in (1, 2):
                return self.python[:end]
            case _:
                return None


def running() -> Target:
    """The interpreter and the platform that crossfact itself runs on."""
    return Target(sys.version_info[:2], sys.platform)


def read_target(python_version: str, platform: str) -> Target | None:
    """The target that two settings name, each empty for the running one; None where the version is no version."""
    default = running()
    if not python_version:
        return Target(default.python, platform or default.platform)
    match = _VERSION.fullmatch(python_version)
    return None if match is None else Target((int(match[1]), int(match[2])), platform or default.platform)


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            owner = _dotted(value)
            return f"{owner}.{name}" if owner else ""
        case _:
            return ""
