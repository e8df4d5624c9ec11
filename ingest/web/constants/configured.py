"""What objects of the project's classes hold where nobody configures them: settings with their defaults.

What an expression is worth is read by the caller's `Read`, which gives `MISSING` for what cannot be known.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeAlias

import msgspec

from ingest.web.constants.told import SETTINGS
from ingest.web.program.calls import argument, given_for, has_stars, last_result
from ingest.web.program.either import attribute_behind
from ingest.web.program.functions import assigned_by, is_property, returned
from ingest.web.program.methods import class_holding, owner_of_self
from ingest.web.program.program import Program
from ingest.web.program.project_calls import Placed, calls_of, given_by_all, has_heirs
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.naming import call_at, last_name, uncalled
from ingest.web.syntax.scopes import Scope

Read: TypeAlias = Callable[[ast.expr, Scope], object]
_DEPTH = 12
_KEEPING = frozenset({"lru_cache", "cache", "classmethod", "staticmethod"})
_FIELDS = frozenset(
    {
        "pydantic.Field",
        "pydantic.fields.Field",
        "dataclasses.field",
        "attrs.field",
        "attr.ib",
        "msgspec.field",
        "pydantic.PrivateAttr",
    }
)
_TRAITS: dict[str, str | int] = {
    "Unicode": "",
    "CUnicode": "",
    "Bool": False,
    "CBool": False,
    "Int": 0,
    "Integer": 0,
}
"""The traits of traitlets that are texts, switches and numbers, with what they are where they name no default."""
_EMPTY: dict[str, Callable[[], ast.expr]] = {
    "builtins.list": lambda: ast.List([], ast.Load()),
    "builtins.tuple": lambda: ast.Tuple([], ast.Load()),
    "builtins.dict": lambda: ast.Dict([], []),
}
_FACTORIES = (External("attr.Factory"), External("attrs.Factory"))
_VALIDATING = frozenset({"field_validator", "validator", "validate", "default"})


class Configured(msgspec.Struct, frozen=True):
    """An object that a call of its class makes."""

    owner: ClassTarget
    call: ast.Call
    scope: Scope


def configured(
    program: Program, node: ast.expr | None, scope: Scope, read: Read, depth: int = 0
) -> Configured | None:
    """The object that an expression stands for where no caller and no environment says else; None where unknown."""
    if node is None or depth > _DEPTH:
        return None
    match node:
        case ast.Name() | ast.Attribute():
            target = program.resolve(node, scope)
            if isinstance(target, ParameterTarget) and (owner := owner_of_self(target)) is not None:
                return _only_one(program, owner) if program.follows else None
            found = followed(program, target)
            if target is None:
                found = _held(program, node, scope, read, depth)
            return configured(program, *found, read, depth + 1) if found is not None else None
        case ast.BoolOp() | ast.IfExp():
            found = chosen(program, node, scope, read)
            return configured(program, *found, read, depth + 1) if found is not None else None
        case ast.Call():
            made = program.resolve(node.func, scope)
            if isinstance(made, ClassTarget):
                return Configured(made, node, scope)
            return _made_by(program, made, node, scope, read, depth)
    return None


def _held(
    program: Program, node: ast.Name | ast.Attribute, scope: Scope, read: Read, depth: int
) -> Placed | None:
    """The expression of what an object holds: `settings.api`, `self.settings`, or a name for one of these."""
    if isinstance(node, ast.Name):
        return attribute_behind(node, scope)
    owner = configured(program, node.value, scope, read, depth + 1)
    return attribute_of(program, owner, node.attr, read) if owner is not None else None


def followed(program: Program, target: Target | None) -> Placed | None:
    """The expression that a name stands for; of a parameter, what all calls of its function give for it."""
    if isinstance(target, ParameterTarget):
        return given_by_all(program, target)
    if isinstance(target, ValueTarget) and target.node is not None:
        return target.node, target.scope
    return None


def chosen(
    program: Program,
    node: ast.BoolOp | ast.IfExp,
    scope: Scope,
    read: Read,
    within: tuple[ast.expr, ...] = (),
) -> Placed | None:
    """Which operand `a or b` and `a if a is not None else b` give, where `a` is or surely is not None.

    `within` are the expressions for which that is asked: what is bound by itself (`a = b or a`) cannot be known.
    """
    within = (*within, node)
    if isinstance(node, ast.IfExp):
        first = _tested(node)
        nothing = first is not None and _is_nothing(program, _earlier(first), scope, read, within)
        inverted = isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.Is)
        if first is None or nothing is None:
            return None
        return (node.body if nothing is inverted else node.orelse), scope
    if not isinstance(node.op, ast.Or):
        return None
    for operand in node.values:
        nothing = _is_nothing(program, _earlier(operand), scope, read, within)
        if nothing is False or operand is node.values[-1]:
            return _earlier(operand), scope
        if nothing is None:
            return None
    return None


def attribute_of(program: Program, found: Configured, name: str, read: Read) -> Placed | None:
    """The expression of an object's attribute: as the call gives it, else as the class has it by default."""
    owner, call, scope = found.owner, found.call, found.scope
    if has_stars(call) or _is_validated(program, owner, name):
        return None
    target = program.class_member(owner, name)
    own = ValueTarget(call, scope)
    if isinstance(target, FunctionTarget) and is_property(target.node):
        result = last_result(target)
        first = next(parameters(target.node), None)
        return (result, target.body.told({first[0].arg: own})) if result is not None and first else None
    if isinstance(target, ValueTarget):
        made = isinstance(program.class_member(owner, "__init__"), FunctionTarget)
        fielded = bool(not made and (owner.node.bases or owner.node.decorator_list))
        given = argument(call, position_of(program, owner, name) if fielded else None, name)
        if given is not None or (call.args and not fielded):
            return (given, scope) if given is not None and fielded else None
        return default_of(program, target)
    return _assigned(program, owner, name, call, scope)


def _only_one(program: Program, owner: ClassTarget) -> Configured | None:
    """The object that `self` is where the project makes a single one of a class, or leaves that to others."""
    calls = calls_of(program, owner)
    if not calls and not has_heirs(program, owner):
        # As it is called once its class is there.
        named = ast.copy_location(ast.Name(owner.node.name, ast.Load()), owner.node)
        named.lineno = owner.node.end_lineno or owner.node.lineno
        calls = [(call_at(named, named), owner.scope)]
    return Configured(owner, *calls[0]) if len(calls) == 1 else None


def _made_by(
    program: Program, made: Target | None, call: ast.Call, scope: Scope, read: Read, depth: int
) -> Configured | None:
    """The object that a function gives back, a class method of it included."""
    if not isinstance(made, FunctionTarget) or not isinstance(made.node, Function):
        return None
    if not _decorators(made.node) <= _KEEPING:
        return None
    results = returned(made)
    if len(results) != 1:
        return None
    given = dict(_arguments(program, made, call, scope))
    owner = class_holding(made) if "classmethod" in _decorators(made.node) else None
    first = next(parameters(made.node), None)
    if owner is not None and first is not None:
        given[first[0].arg] = owner
    return configured(program, results[0][0], made.body.round(given) if given else made.body, read, depth + 1)


def _arguments(
    program: Program, made: FunctionTarget, call: ast.Call, scope: Scope
) -> Iterator[tuple[str, Target]]:
    for each, default in parameters(made.node):
        target = ParameterTarget(each.arg, made.body, each.annotation, default)
        value, inner = given_for(target, made, call, scope)
        known = program.resolve(value, inner) if value is not None else None
        if known is not None and len(made.body.bindings.get(each.arg, ())) == 1:
            yield each.arg, known


def _decorators(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    parts = [uncalled(each) for each in node.decorator_list]
    return {last_name(each) for each in parts}


def position_of(program: Program, owner: ClassTarget, name: str) -> int | None:
    """At which position a call of a class without an `__init__` of its own gives a field."""
    names: dict[str, None] = {}
    for base in reversed(program.ancestry(owner)):
        for statement in base.node.body if isinstance(base, ClassTarget) else ():
            target = statement.target if isinstance(statement, ast.AnnAssign) else None
            names |= {target.id: None} if isinstance(target, ast.Name) else {}
    return list(names).index(name) if name in names else None


def is_field(made: Target | None) -> bool:
    """Whether a function declares a field of a class, with its default or what makes that."""
    return isinstance(made, External) and made.dotted in _FIELDS


def default_of(program: Program, target: ValueTarget) -> Placed | None:
    """The default of a field of a class, also where `Field(…)` describes it; what a factory makes is one expression
    however often it is asked for."""
    return program.remember(("default", target.node, target.scope), lambda: _default(program, target))


def _default(program: Program, target: ValueTarget) -> Placed | None:
    node, scope = target.node, target.scope
    made = program.resolve(node.func, scope) if isinstance(node, ast.Call) else None
    if isinstance(node, ast.Call) and isinstance(made, External) and made.root == "traitlets":
        told = argument(node, 0, "default_value")
        known = told is not None or made.name in _TRAITS
        return (told or ast.copy_location(ast.Constant(_TRAITS[made.name]), node), scope) if known else None
    if not isinstance(node, ast.Call) or not is_field(made):
        return (node, scope) if node is not None else None
    factory = argument(node, None, "default_factory", "factory")
    value = argument(node, 0, "default")
    if isinstance(value, ast.Call) and program.resolve(value.func, scope) in _FACTORIES:
        factory = argument(value, 0, "factory")
    if isinstance(factory, ast.Lambda):
        return factory.body, scope.child(factory)
    if factory is not None:
        made = program.resolve(factory, scope)
        empty = _EMPTY.get(made.dotted) if isinstance(made, External) else None
        return call_at(factory, node) if empty is None else ast.copy_location(empty(), node), scope
    unset = isinstance(value, ast.Constant) and value.value is ...
    return None if value is None or unset else (value, scope)


def _assigned(program: Program, owner: ClassTarget, name: str, call: ast.Call, scope: Scope) -> Placed | None:
    """What `__init__` assigns to an attribute, with what the call gives for its parameters."""
    made = program.class_member(owner, "__init__")
    if not isinstance(made, FunctionTarget) or not isinstance(made.node, Function):
        return None
    values = [value for attribute, _, value in assigned_by(made.node) if attribute == name]
    if len(values) != 1 or values[0] is None:
        return None
    given = dict(_arguments(program, made, call, scope))
    return values[0], made.body.round(given) if given else made.body


def _is_validated(program: Program, owner: ClassTarget, name: str) -> bool:
    """Whether a validator of the class may give a field another value."""
    for base in program.ancestry(owner):
        for method in base.node.body if isinstance(base, ClassTarget) else ():
            if not isinstance(method, Function):
                continue
            for decorator in method.decorator_list:
                call = decorator if isinstance(decorator, ast.Call) else None
                made = program.resolve(call.func if call else decorator, base.body)  # type: ignore[union-attr]  # only classes of the project have a body
                if isinstance(made, External) and made.name in _VALIDATING:
                    told = {
                        each.value for each in (call.args if call else ()) if isinstance(each, ast.Constant)
                    }
                    if told & {name, "*"}:
                        return True
    return False


def _tested(node: ast.IfExp) -> ast.expr | None:
    """What a conditional expression asks about: `a`, `a is None`, `a is not None`."""
    if not isinstance(node.test, ast.Compare):
        return node.test
    plain = isinstance(node.test.ops[0], ast.Is | ast.IsNot) and len(node.test.ops) == 1
    other = node.test.comparators[0]
    return node.test.left if plain and isinstance(other, ast.Constant) and other.value is None else None


def _is_nothing(
    program: Program, node: ast.expr, scope: Scope, read: Read, within: tuple[ast.expr, ...]
) -> bool | None:
    """Whether an operand is None (or empty text, or false); None where that cannot be known."""
    if len(within) > _DEPTH:
        return None
    if isinstance(node, ast.Call):
        called = program.resolve(node.func, scope)
        if called in SETTINGS:
            return argument(node, 1, "default") is None
        return False if isinstance(called, ClassTarget) else None
    if isinstance(node, ast.Dict | ast.List | ast.Tuple | ast.Set):
        # `{}` is not None, though it holds nothing.
        tests = [getattr(each, "test", None) for each in within if isinstance(each, ast.BoolOp | ast.IfExp)]
        return False if len(tests) == 1 and isinstance(tests[0], ast.Compare) else None
    found: Placed | None = None
    if isinstance(node, ast.Name | ast.Attribute):
        found = followed(program, program.resolve(node, scope))
    elif isinstance(node, ast.BoolOp | ast.IfExp):
        found = chosen(program, node, scope, read, within)
    if found is not None:
        return None if found[0] in within else _is_nothing(program, *found, read, (*within, found[0]))
    value = read(node, scope)
    return not value if value is None or isinstance(value, str | bool) else None


def _earlier(node: ast.expr) -> ast.expr:
    """A name as it was before the statement in which it stands, which may bind it anew."""
    if not isinstance(node, ast.Name):
        return node
    return ast.Name(node.id, node.ctx, lineno=node.lineno - 1, end_lineno=node.lineno - 1)
