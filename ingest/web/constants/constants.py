"""Values that stand fixed in the source: literals, names bound to them, enums, joined strings."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias, TypeVar

from graph.facts import Json
from ingest.web.constants.computed import computed
from ingest.web.constants.configured import attribute_of, chosen, configured, followed
from ingest.web.constants.enums import is_enum, members_of_call, members_of_class
from ingest.web.constants.gathered import gathered, keywords_of
from ingest.web.constants.made_tables import made_by_function, made_in_rounds
from ingest.web.constants.outside_values import method_named, setting_named, status_in, status_named
from ingest.web.constants.told import told
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, ParameterTarget, Target, ValueTarget
from ingest.web.syntax.scopes import Scope

_DEPTH = 30
_GATHERING = (ast.Call, ast.ListComp, ast.SetComp, ast.GeneratorExp)
_Part = TypeVar("_Part")


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
        case ast.Constant(value=written):
            return written if written is None or isinstance(written, str | bool | int | float) else MISSING
        case ast.Name():
            return of_target(program, program.resolve(node, scope), depth + 1)
        case ast.Attribute():
            return _attribute(program, node, scope, depth)
        case ast.JoinedStr():
            return _joined(program, node, scope, depth)
        case ast.UnaryOp(op=ast.USub()):
            value = constant(program, node.operand, scope, depth + 1)
            return -value if isinstance(value, int | float) and not isinstance(value, bool) else MISSING
        case ast.UnaryOp(op=ast.Not()):
            value = constant(program, node.operand, scope, depth + 1)
            return MISSING if isinstance(value, Missing) else not value
        case ast.List() | ast.Tuple() | ast.Set():
            return _sequence(program, node.elts, scope, depth)
        case ast.Dict():
            return _mapping(program, node, scope, depth)
        case ast.Subscript() if not isinstance(node.slice, ast.Slice):
            owner = constant(program, node.value, scope, depth + 1)
            if isinstance(owner, Missing) and (held := entry_of(program, node, scope, depth)) is not None:
                return constant(program, *held, depth + 1)
            return _member(owner, node.slice, program, scope, depth)
        case ast.BoolOp() | ast.IfExp() if program.follows:
            taken = chosen(
                program, node, scope, lambda part, place: constant(program, part, place, depth + 1)
            )
            if taken is not None:
                return constant(program, *taken, depth + 1)
        case ast.Call() if (given := _told(program, node, scope, depth)) is not None:
            return constant(program, *given, depth + 1)
    found = computed(node, lambda part: _worth(program, part, scope, depth + 1))
    return MISSING if found is ... else found


def _told(program: Program, node: ast.Call, scope: Scope, depth: int) -> tuple[ast.expr, Scope] | None:
    return told(program, node, scope, lambda part, place: constant(program, part, place, depth + 1))


def of_target(program: Program, target: Target | None, depth: int = 0) -> Constant:
    """The JSON value that a resolved name stands for, or `MISSING`."""
    if isinstance(target, ValueTarget):
        return constant(program, target.node, target.scope, depth + 1)
    if isinstance(target, External):
        status = status_named(target)
        if (method := method_named(target)) is not None:
            return method
        said = setting_named(program, target) if status is None else None
        return (
            constant(program, *said, depth + 1) if said is not None else MISSING if status is None else status
        )
    given = followed(program, target) if isinstance(target, ParameterTarget) and program.follows else None
    return constant(program, *given, depth + 1) if given is not None else MISSING


def setting_of(program: Program, node: ast.expr | None, scope: Scope) -> str | None:
    """As `text_of`; parameters of functions around stand for what all calls give for them, else for their defaults."""
    with program.following():
        return text_of(program, node, scope)


def status_of(program: Program, node: ast.expr | None, scope: Scope) -> int | None:
    """The HTTP status that an expression stands for, or None where it cannot be known."""
    return status_in(constant(program, node, scope), node)


def status_of_target(program: Program, target: Target | None) -> int | None:
    """The HTTP status that a resolved name stands for, or None where it cannot be known."""
    if isinstance(target, ValueTarget):
        return status_of(program, target.node, target.scope)
    return status_in(of_target(program, target), None)


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
    if isinstance(node, _GATHERING):
        read, look = partial(elements, program, depth=depth + 1), partial(entries, program, depth=depth + 1)
        return gathered(node, scope, program, read, look)
    return _put_together(program, node, scope, depth, ast.Add, elements)


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
    if (options := keywords_of(node)) is not None:
        return entries(program, options, scope, depth + 1)
    if isinstance(node, ast.DictComp):
        return made_in_rounds(
            program, node, scope, lambda listed: elements(program, listed, scope, depth + 1)
        )
    if isinstance(node, ast.Call) and (made := made_by_function(program, node, scope)) is not None:
        return entries(program, *made, depth + 1)
    if isinstance(node, ast.IfExp):
        # `(TABLE if given is None else given)`, where nobody gives another one, or all give the same.
        with program.following():
            taken = chosen(
                program, node, scope, lambda part, place: constant(program, part, place, depth + 1)
            )
            target = program.resolve(*taken) if taken is not None else None
            if isinstance(target, ParameterTarget):
                taken = followed(program, target)
        return entries(program, *taken, depth + 1) if taken is not None else None
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        # `(more or {})`: what nobody gave has no entries.
        first = node.values[0]
        absent = constant(program, first, scope) is None
        return entries(program, node.values[-1] if absent else first, scope, depth + 1)
    return _put_together(program, node, scope, depth, ast.BitOr, entries)


def entry_of(
    program: Program, node: ast.Subscript, scope: Scope, depth: int = 0
) -> tuple[ast.expr, Scope] | None:
    """The expression that a dictionary in the source has under a constant key."""
    key = constant(program, node.slice, scope, depth + 1) if depth < _DEPTH else MISSING
    pairs = None if isinstance(key, Missing) else entries(program, node.value, scope, depth + 1)
    found = [
        (value, place) for k, value, place in pairs or [] if constant(program, k, place, depth + 1) == key
    ]
    return found[-1] if found else None


def _put_together(
    program: Program,
    node: ast.expr | None,
    scope: Scope,
    depth: int,
    joint: type[ast.operator],
    read: Callable[[Program, ast.expr | None, Scope, int], list[_Part] | None],
) -> list[_Part] | None:
    """What `read` finds in both sides of such an operator, or in what a name stands for."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, joint):
        left = read(program, node.left, scope, depth + 1)
        right = read(program, node.right, scope, depth + 1)
        return None if left is None or right is None else [*left, *right]
    if isinstance(node, ast.Name | ast.Attribute):
        target = program.resolve(node, scope)
        if isinstance(target, ValueTarget) and target.node is not node:
            return read(program, target.node, target.scope, depth + 1)
    held = entry_of(program, node, scope, depth) if isinstance(node, ast.Subscript) else None
    return read(program, *held, depth + 1) if held is not None else None


def _attribute(program: Program, node: ast.Attribute, scope: Scope, depth: int) -> Constant:
    if node.attr == "value":
        inner = constant(program, node.value, scope, depth + 1)
        if inner is not MISSING:
            return inner
    owner = program.resolve(node.value, scope)
    if node.attr == "__name__" and isinstance(owner, ClassTarget):
        return owner.node.name
    if isinstance(owner, ValueTarget) and (held := program.attribute(owner, node.attr)) is not None:
        return of_target(program, held, depth + 1)
    if isinstance(owner, ValueTarget | ParameterTarget):
        made = owner.node if isinstance(owner, ValueTarget) else None
        members = called_enum_members(program, made, owner.scope, depth)
        if members is not None:
            return members.get(node.attr, MISSING)
    if owner is None or isinstance(owner, ValueTarget | ParameterTarget):
        return _of_instance(program, node, scope, depth)
    target = program.attribute(owner, node.attr)
    if isinstance(owner, ClassTarget) and is_enum(program, owner):
        members = enum_members(program, owner, depth)
        return members.get(node.attr, MISSING) if members is not None else MISSING
    return of_target(program, target, depth + 1)


def _of_instance(program: Program, node: ast.Attribute, scope: Scope, depth: int) -> Constant:
    """What an attribute of an object is by default, for `settings.PREFIX` where `settings = Settings()` or `get()`."""

    def read(inner: ast.expr, place: Scope) -> object:
        return constant(program, inner, place, depth + 3)

    if depth > _DEPTH:
        return MISSING
    made = configured(program, node.value, scope, read)
    found = attribute_of(program, made, node.attr, read) if made is not None else None
    return constant(program, *found, depth + 3) if found is not None else MISSING


def enum_members(program: Program, target: ClassTarget, depth: int = 0) -> dict[str, Json] | None:
    """The members of an enum with their values, not through many others; None where one of them cannot be known."""
    return members_of_class(program, target, partial(constant, program, depth=depth + _DEPTH // 3))


def called_enum_members(
    program: Program, node: ast.expr | None, scope: Scope, depth: int = 0
) -> dict[str, Json] | None:
    """The members of an enum that a call makes (`Enum("Color", "RED GREEN")`); None where they cannot be known."""
    return members_of_call(program, node, scope, partial(constant, program, depth=depth + _DEPTH // 3))


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
    known = isinstance(target, ClassTarget) and is_enum(program, target)
    members = enum_members(program, target, depth) if known and isinstance(target, ClassTarget) else None
    return ... if members is None else list(members.values())


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
