"""Values that stand fixed in the source: literals, names bound to them, enums, joined strings."""

from __future__ import annotations

import ast
import re
from http import HTTPStatus
from typing import Final, TypeAlias

from graph.facts import Json
from ingest.web.calls import argument, only_result
from ingest.web.computed import computed
from ingest.web.enums import is_enum, members_of_call, members_of_class
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import ClassTarget, External, FunctionTarget, LoopTarget, Target, ValueTarget

_DEPTH = 30
_STATUS = re.compile(r"(?:HTTP|WS)_(\d{3,4})(?:_[A-Z_]+)?$")
_ARGUMENTS_OF = (External("typing.get_args"), External("typing_extensions.get_args"))
_SETTINGS = (External("os.environ.get"), External("os.getenv"))
_STATUS_MODULES = frozenset(
    {"starlette.status", "fastapi.status", "rest_framework.status", "litestar.status_codes"}
)


class Missing:
    """The type of `MISSING`: a value that reading alone cannot know."""

    def __bool__(self) -> bool:
        return False


MISSING: Final = Missing()
Constant: TypeAlias = "Json | Missing"


def constant(program: Program, node: ast.expr | None, scope: Scope, depth: int = 0) -> Constant:
    """The JSON value of an expression, or `MISSING`; tuples and sets are lists, enum members their values."""
    if node is None or depth > _DEPTH:
        return MISSING
    match node:
        case ast.Constant():
            return _plain(node.value)
        case ast.Name():
            return of_target(program, program.resolve(node, scope), depth + 1)
        case ast.Attribute():
            return _attribute(program, node, scope, depth)
        case ast.JoinedStr():
            return _joined(program, node, scope, depth)
        case ast.UnaryOp(op=ast.USub()):
            value = constant(program, node.operand, scope, depth + 1)
            return -value if isinstance(value, int | float) and not isinstance(value, bool) else MISSING
        case ast.List() | ast.Tuple() | ast.Set():
            return _sequence(program, node.elts, scope, depth)
        case ast.Dict():
            return _mapping(program, node, scope, depth)
        case ast.Subscript():
            return _member(constant(program, node.value, scope, depth + 1), node.slice, program, scope, depth)
        case ast.Call() if (told := _told(program, node, scope, depth)) is not MISSING:
            return told
    found = computed(node, lambda part: _worth(program, part, scope, depth + 1))
    return MISSING if found is ... else found


def of_target(program: Program, target: Target | None, depth: int = 0) -> Constant:
    """The JSON value that a resolved name stands for, or `MISSING`."""
    if isinstance(target, ValueTarget):
        return constant(program, target.node, target.scope, depth + 1)
    if isinstance(target, External):
        return _external(target)
    return MISSING


def status_of(program: Program, node: ast.expr | None, scope: Scope) -> int | None:
    """The HTTP status that an expression stands for, or None where it cannot be known."""
    return _status(constant(program, node, scope), node)


def status_of_target(program: Program, target: Target | None) -> int | None:
    """The HTTP status that a resolved name stands for, or None where it cannot be known."""
    if isinstance(target, ValueTarget):
        return status_of(program, target.node, target.scope)
    return _status(of_target(program, target), None)


def _status(value: Constant, node: ast.expr | None) -> int | None:
    if isinstance(value, Missing) and isinstance(node, ast.Attribute) and (named := _STATUS.match(node.attr)):
        # `status.HTTP_404_NOT_FOUND` of whatever stands in for a framework's module.
        value = int(named.group(1))
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 100 <= value <= 599 else None


def text_of(program: Program, node: ast.expr | None, scope: Scope) -> str | None:
    """The string that an expression stands for, or None where it cannot be known."""
    value = constant(program, node, scope)
    return value if isinstance(value, str) else None


def elements(
    program: Program, node: ast.expr | None, scope: Scope, depth: int = 0
) -> list[tuple[ast.expr, Scope]] | None:
    """The element expressions of a list, tuple or set that stands in the source, following names and `+`."""
    if depth > _DEPTH:
        return None
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        found: list[tuple[ast.expr, Scope]] = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                inner = elements(program, element.value, scope, depth + 1)
                if inner is None:
                    return None
                found.extend(inner)
            else:
                found.append((element, scope))
        return found
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left = elements(program, node.left, scope, depth + 1)
        right = elements(program, node.right, scope, depth + 1)
        return None if left is None or right is None else [*left, *right]
    if isinstance(node, ast.Name | ast.Attribute):
        target = program.resolve(node, scope)
        if isinstance(target, ValueTarget) and not isinstance(target.node, ast.Name | ast.Attribute):
            return elements(program, target.node, target.scope, depth + 1)
    return None


def entries(
    program: Program, node: ast.expr | None, scope: Scope, depth: int = 0
) -> list[tuple[ast.expr, ast.expr, Scope]] | None:
    """The keys and values of a dictionary that stands in the source, following names, `**` and `|`."""
    if depth > _DEPTH:
        return None
    if isinstance(node, ast.Dict):
        found: list[tuple[ast.expr, ast.expr, Scope]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                found.append((key, value, scope))
                continue
            inner = entries(program, value, scope, depth + 1)
            if inner is None:
                return None
            found.extend(inner)
        return found
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        left = entries(program, node.left, scope, depth + 1)
        right = entries(program, node.right, scope, depth + 1)
        return None if left is None or right is None else [*left, *right]
    if isinstance(node, ast.Name | ast.Attribute):
        target = program.resolve(node, scope)
        if isinstance(target, ValueTarget) and not isinstance(target.node, ast.Name | ast.Attribute):
            return entries(program, target.node, target.scope, depth + 1)
    return None


def alternatives(program: Program, target: Target | None) -> list[tuple[ast.expr, Scope]] | None:
    """The expressions that a loop's variable stands for, where the loop runs over a literal."""
    return elements(program, target.iterable, target.scope) if isinstance(target, LoopTarget) else None


def _plain(value: object) -> Constant:
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return MISSING


def _external(target: External) -> Constant:
    module, _, name = target.dotted.rpartition(".")
    if target.dotted.startswith("http.HTTPStatus."):
        member = HTTPStatus.__members__.get(target.dotted.split(".")[2])
        return int(member) if member is not None else MISSING
    if module in _STATUS_MODULES and (found := _STATUS.match(name)):
        return int(found.group(1))
    return MISSING


def _attribute(program: Program, node: ast.Attribute, scope: Scope, depth: int) -> Constant:
    if node.attr == "value":
        inner = constant(program, node.value, scope, depth + 1)
        if inner is not MISSING:
            return inner
    owner = program.resolve(node.value, scope)
    if isinstance(node.value, ast.Call):
        return _of_instance(program, ValueTarget(node.value, scope), node.attr, depth)
    if isinstance(owner, ValueTarget):
        members = called_enum_members(program, owner.node, owner.scope)
        return (
            _of_instance(program, owner, node.attr, depth)
            if members is None
            else members.get(node.attr, MISSING)
        )
    if owner is None:
        return MISSING
    target = program.attribute(owner, node.attr)
    if isinstance(owner, ClassTarget) and is_enum(program, owner):
        members = enum_members(program, owner)
        return members.get(node.attr, MISSING) if members is not None else MISSING
    return of_target(program, target, depth + 1)


def _of_instance(program: Program, owner: ValueTarget, name: str, depth: int) -> Constant:
    """The class's own value of an attribute, for `settings.PREFIX` where `settings = Settings()` or `get()`."""
    node, scope = owner.node, owner.scope
    for _ in range(_DEPTH):
        if not isinstance(node, ast.Call) or node.args or node.keywords:
            return MISSING
        made = program.resolve(node.func, scope)
        if isinstance(made, ClassTarget):
            return of_target(program, program.class_member(made, name), depth + 1)
        node, scope = (only_result(made), made.body) if isinstance(made, FunctionTarget) else (None, scope)
    return MISSING


def enum_members(program: Program, target: ClassTarget) -> dict[str, Json] | None:
    """The members of an enum with their values; None where one of them cannot be known."""
    return members_of_class(program, target, lambda node, scope: constant(program, node, scope))


def called_enum_members(program: Program, node: ast.expr | None, scope: Scope) -> dict[str, Json] | None:
    """The members of an enum that a call makes (`Enum("Color", "RED GREEN")`); None where they cannot be known."""
    return members_of_call(program, node, scope, lambda inner, place: constant(program, inner, place))


def _joined(program: Program, node: ast.JoinedStr, scope: Scope, depth: int) -> Constant:
    parts: list[str] = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            if part.format_spec is not None or part.conversion not in (-1, 115):
                return MISSING
            part = part.value
        value = constant(program, part, scope, depth + 1)
        if not isinstance(value, str | int) or isinstance(value, bool):
            return MISSING
        parts.append(str(value))
    return "".join(parts)


def _worth(program: Program, node: ast.expr, scope: Scope, depth: int) -> object:
    """The JSON value of a part of an expression that computes; an enum stands for the values of its members."""
    value = constant(program, node, scope, depth)
    if not isinstance(value, Missing):
        return value
    target = program.resolve(node, scope) if isinstance(node, ast.Name | ast.Attribute) else None
    members = None
    if isinstance(target, ClassTarget) and is_enum(program, target):
        members = enum_members(program, target)
    return ... if members is None else list(members.values())


def _told(program: Program, node: ast.Call, scope: Scope, depth: int) -> Constant:
    """What a setting of the environment is where nobody sets it, or the values that `get_args` gives of a `Literal`."""
    called = program.resolve(node.func, scope)
    if called in _SETTINGS:
        default = argument(node, 1, "default")
        return constant(program, default, scope, depth + 1) if default is not None else MISSING
    if called not in _ARGUMENTS_OF or len(node.args) != 1:
        return MISSING
    target = program.resolve(node.args[0], scope)
    if not isinstance(target, ValueTarget) or not isinstance(target.node, ast.Subscript):
        return MISSING
    named = program.resolve(target.node.value, target.scope)
    written = target.node.slice
    values = written.elts if isinstance(written, ast.Tuple) else [written]
    literal = isinstance(named, External) and named.name == "Literal"
    return _sequence(program, values, target.scope, depth) if literal else MISSING


def _member(owner: Constant, key: ast.expr, program: Program, scope: Scope, depth: int) -> Constant:
    """The member of a constant dictionary or list."""
    if not isinstance(owner, dict | list):
        return MISSING
    wanted = constant(program, key, scope, depth + 1)
    if isinstance(owner, dict):
        return owner.get(str(wanted), MISSING) if isinstance(wanted, str | int) else MISSING
    inside = isinstance(wanted, int) and -len(owner) <= wanted < len(owner)
    return owner[wanted] if inside and isinstance(wanted, int) else MISSING


def _sequence(program: Program, nodes: list[ast.expr], scope: Scope, depth: int) -> Constant:
    values: list[Json] = []
    for node in nodes:
        spread = isinstance(node, ast.Starred)
        value = constant(program, node.value if isinstance(node, ast.Starred) else node, scope, depth + 1)
        if isinstance(value, Missing) or (spread and not isinstance(value, list)):
            return MISSING
        values.extend(value if spread and isinstance(value, list) else [value])
    return values


def _mapping(program: Program, node: ast.Dict, scope: Scope, depth: int) -> Constant:
    found: dict[str, Json] = {}
    for key, expression, inner in entries(program, node, scope, depth + 1) or []:
        name = constant(program, key, inner, depth + 1)
        value = constant(program, expression, inner, depth + 1)
        if not isinstance(name, str | int) or isinstance(value, Missing):
            return MISSING
        found[str(name)] = value
    return found if found or not node.keys else MISSING
