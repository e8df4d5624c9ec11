"""The mutations of a stub: each changes one thing that its code contradicts, and says as what that must be reported."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from random import Random
from typing import NamedTuple, TypeAlias

from benchmarks.stubs.records import Kind
from benchmarks.stubs.targets import FunctionNode, Target

Mutate: TypeAlias = Callable[[Target, Random], ast.stmt | None]
"""The statement that replaces the target's in the stub; None where the mutation does not apply to it."""


class Operator(NamedTuple):
    """A mutation, and the kinds of report any of which tells it."""

    name: str
    mutate: Mutate
    told_as: frozenset[Kind]


_LONGEST_CONSTANT = 100
"""Stubs do not repeat longer texts."""

_SHAPE = frozenset({Kind.PARAMETERS, Kind.DEFAULT})


def _simple(target: Target) -> tuple[FunctionNode, FunctionNode] | None:
    """Both functions where neither takes starred parameters and both have the same names in the same order."""
    both = target.function
    if both is None:
        return None
    stub, code = (node.args for node in both)
    if stub.vararg or stub.kwarg or code.vararg or code.kwarg:
        return None
    names = [[each.arg for each in (*a.posonlyargs, *a.args, *a.kwonlyargs)] for a in (stub, code)]
    return (copy.deepcopy(both[0]), both[1]) if names[0] == names[1] else None


def _first(target: Target, node: FunctionNode) -> int:
    """The index of the first positional parameter that callers pass."""
    static = any(ast.unparse(each) == "staticmethod" for each in node.decorator_list)
    return 1 if target.owner is not None and not static else 0


def _own(target: Target, node: FunctionNode) -> list[int]:
    """The indices of the positional-or-keyword parameters that callers pass and that have ordinary names."""
    first = max(0, _first(target, node) - len(node.args.posonlyargs))
    return [i for i in range(first, len(node.args.args)) if not node.args.args[i].arg.startswith("_")]


def rename(target: Target, random: Random) -> ast.stmt | None:
    """Give a parameter another name."""
    both = _simple(target)
    own = _own(target, both[0]) if both else []
    if both is None or not own or _is_special(both[0]):
        return None
    argument = both[0].args.args[random.choice(own)]
    argument.arg = f"{argument.arg}_other"
    return both[0]


def remove_parameter(target: Target, random: Random) -> ast.stmt | None:
    """Leave out the last positional parameter."""
    both = _simple(target)
    if both is None or not _own(target, both[0]) or _own(target, both[0])[-1] != len(both[0].args.args) - 1:
        return None
    arguments = both[0].args
    arguments.args.pop()
    if arguments.defaults:
        arguments.defaults.pop()
    return both[0]


def add_parameter(target: Target, random: Random) -> ast.stmt | None:
    """Add a parameter that the code does not take."""
    both = _simple(target)
    if both is None or _is_property(both[0]):
        return None
    added = ast.arg("another_parameter", ast.Name("int"))
    if random.random() < 0.5:
        both[0].args.kwonlyargs.append(added)
        both[0].args.kw_defaults.append(None)
    else:
        both[0].args.args.append(added)
        if both[0].args.defaults:
            both[0].args.defaults.append(ast.Constant(...))
    return both[0]


def reorder(target: Target, random: Random) -> ast.stmt | None:
    """Swap two neighbouring parameters, both required or both with a default."""
    both = _simple(target)
    if both is None or _is_special(both[0]):
        return None
    arguments = both[0].args
    required = len(arguments.args) - len(arguments.defaults)
    own = _own(target, both[0])
    places = [i for i in own[:-1] if i + 1 in own and (i + 1 < required or i >= required)]
    if not places:
        return None
    place = random.choice(places)
    arguments.args[place : place + 2] = reversed(arguments.args[place : place + 2])
    if place >= required:
        index = place - required
        arguments.defaults[index : index + 2] = reversed(arguments.defaults[index : index + 2])
    return both[0]


def drop_default(target: Target, random: Random) -> ast.stmt | None:
    """Make the first optional parameter a required one."""
    both = _simple(target)
    if both is None or not both[0].args.defaults or not both[1].args.defaults:
        return None
    if len(both[0].args.defaults) != len(both[1].args.defaults):
        return None
    both[0].args.defaults.pop(0)
    return both[0]


def change_default(target: Target, random: Random) -> ast.stmt | None:
    """Give a parameter another literal default than the code has."""
    both = _simple(target)
    if both is None or len(both[0].args.defaults) != len(both[1].args.defaults):
        return None
    places = [i for i, each in enumerate(both[1].args.defaults) if _other(each) is not None]
    if not places:
        return None
    place = random.choice(places)
    other = _other(both[1].args.defaults[place])
    assert other is not None, "only places with another value are chosen"
    both[0].args.defaults[place] = other
    return both[0]


def _other(default: ast.expr) -> ast.expr | None:
    """Another value of the same type as a literal's."""
    match default:
        case ast.Constant(value=bool() as value):
            return ast.Constant(not value)
        case ast.Constant(value=int() as value):
            return ast.Constant(value + 7)
        case ast.Constant(value=str() as value):
            return ast.Constant(f"{value}other")
        case ast.Constant(value=None):
            return ast.Constant(7)
        case _:
            return None


def change_parameter_kind(target: Target, random: Random) -> ast.stmt | None:
    """Make the last positional parameter keyword-only."""
    both = _simple(target)
    if both is None or _is_special(both[0]) or not both[0].args.args:
        return None
    arguments = both[0].args
    if len(arguments.args) - 1 not in _own(target, both[0]):
        return None
    moved = arguments.args.pop()
    arguments.kwonlyargs.insert(0, moved)
    arguments.kw_defaults.insert(0, arguments.defaults.pop() if arguments.defaults else None)
    return both[0]


def change_binding(target: Target, random: Random) -> ast.stmt | None:
    """Take away, or add, what makes a method static, a class method or a property."""
    both = target.function
    if both is None or target.owner is None or _is_special(both[0]) or _is_abstract(both[0]):
        return None
    stub = copy.deepcopy(both[0])
    if stub.decorator_list:
        stub.decorator_list = []
        if not stub.args.args and not stub.args.posonlyargs:
            stub.args.args.append(ast.arg("self"))
    elif isinstance(stub, ast.FunctionDef) and not both[1].decorator_list:
        stub.decorator_list = [ast.Name(random.choice(["classmethod", "staticmethod"]))]
    else:
        return None
    return stub


def flip_async(target: Target, random: Random) -> ast.stmt | None:
    """Make an ordinary function a coroutine function, or the other way round."""
    both = target.function
    if both is None or both[0].decorator_list or both[1].decorator_list or both[0].name == "__init__":
        return None
    stub = copy.deepcopy(both[0])
    if isinstance(both[0], ast.AsyncFunctionDef) != isinstance(both[1], ast.AsyncFunctionDef):
        return None
    if isinstance(both[1], ast.AsyncFunctionDef):
        if _is_stream(both[1]) or not _is_surely(stub.returns):
            return None
        return ast.FunctionDef(**dict(ast.iter_fields(stub)))
    if not (_yields(both[1]) or _is_surely(both[1].returns)):
        return None
    return ast.AsyncFunctionDef(**dict(ast.iter_fields(stub)))


_CERTAIN = frozenset({"int", "str", "bool", "bytes", "float", "None", "list", "dict", "set", "tuple"})


def _is_surely(annotation: ast.expr | None) -> bool:
    """Whether an annotation names a builtin type, so that what is returned is not awaitable."""
    if annotation is None:
        return False
    head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return ast.unparse(head) in _CERTAIN


def _yields(node: FunctionNode) -> bool:
    """Whether the function itself yields, and not one that it defines."""
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(each, FunctionNode | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(each)
    return False


def _is_stream(node: FunctionNode) -> bool:
    return isinstance(node, ast.AsyncFunctionDef) and _yields(node)


def change_return(target: Target, random: Random) -> ast.stmt | None:
    """Annotate another return type than the one that both sides agree on."""
    both = target.function
    if both is None or both[0].returns is None or both[1].returns is None:
        return None
    other = _other_type(both[0].returns, both[1].returns)
    if other is None:
        return None
    stub = copy.deepcopy(both[0])
    stub.returns = other
    return stub


def change_type(target: Target, random: Random) -> ast.stmt | None:
    """Annotate a parameter with another type than the one that both sides agree on."""
    both = _simple(target)
    if both is None:
        return None
    places = []
    for place in _own(target, both[0]):
        if place >= len(both[1].args.args):
            continue
        ours, theirs = both[0].args.args[place].annotation, both[1].args.args[place].annotation
        if ours is None or theirs is None or (other := _other_type(ours, theirs)) is None:
            continue
        # Without `| None` an annotation means the same where the default is None.
        if not (isinstance(ours, ast.BinOp) and place >= len(both[0].args.args) - len(both[0].args.defaults)):
            places.append((place, other))
    if not places:
        return None
    place, other = random.choice(places)
    both[0].args.args[place].annotation = other
    return both[0]


def change_attribute(target: Target, random: Random) -> ast.stmt | None:
    """Annotate an attribute with another type than the one that both sides agree on."""
    if not isinstance(target.stub, ast.AnnAssign) or not isinstance(target.code, ast.AnnAssign):
        return None
    other = _other_type(target.stub.annotation, target.code.annotation)
    return None if other is None else ast.AnnAssign(target.stub.target, other, None, target.stub.simple)


def change_value(target: Target, random: Random) -> ast.stmt | None:
    """Give a constant another value than the code's."""
    if target.owner is not None or not isinstance(target.stub, ast.AnnAssign | ast.Assign):
        return None
    value = target.code.value if isinstance(target.code, ast.AnnAssign | ast.Assign) else None
    name = target.symbol.rpartition(".")[2]
    if not name.isupper() or value is None or not isinstance(value, ast.Constant) or value.value is None:
        return None
    other = _other(value)
    if other is None or len(str(value.value)) > _LONGEST_CONSTANT:
        return None
    return ast.AnnAssign(ast.Name(name), ast.Name(type(value.value).__name__), other, 1)


_OTHER_TYPES = {"int": "bytes", "str": "int", "bool": "bytes", "bytes": "str", "float": "str", "None": "int"}


def _other_type(ours: ast.expr, theirs: ast.expr) -> ast.expr | None:
    """Another builtin type, where both sides write the same builtin type, with or without `None` or arguments."""
    if ast.unparse(ours).strip("'\"") != ast.unparse(theirs).strip("'\""):
        return None
    match ours:
        case ast.Name(id=name) if name in _OTHER_TYPES:
            return ast.Name(_OTHER_TYPES[name])
        case ast.Constant(value=None):
            return ast.Name("int")
        case ast.Subscript(value=ast.Name(id="list" | "set" | "dict" | "tuple" as name)):
            return ast.Name("int" if name == "dict" else "str")
        case ast.BinOp(left=ast.Name(id=name), op=ast.BitOr(), right=ast.Constant(value=None)) if (
            name in _OTHER_TYPES
        ):
            return ast.Name(name)
        case _:
            return None


def remove_function(target: Target, random: Random) -> ast.stmt | None:
    """Leave a function or method out of the stub, of overriding ones none: stubs need not repeat those."""
    both = target.function
    if both is None or both[0].name == "__init__" or target.inherited:
        return None
    return ast.Expr(ast.Constant(...))


def remove_class(target: Target, random: Random) -> ast.stmt | None:
    """Leave a class out of the stub."""
    return None if target.class_ is None or target.inherited else ast.Expr(ast.Constant(...))


def remove_attribute(target: Target, random: Random) -> ast.stmt | None:
    """Leave an attribute out of the stub that the code sets where it can be seen."""
    if not isinstance(target.stub, ast.AnnAssign | ast.Assign) or target.inherited:
        return None
    if not isinstance(target.code, ast.AnnAssign | ast.Assign):
        return None
    return ast.Expr(ast.Constant(...))


def remove_base(target: Target, random: Random) -> ast.stmt | None:
    """Leave out a base that both sides name."""
    both = target.class_
    if both is None:
        return None
    shared = {ast.unparse(base) for base in both[1].bases}
    places = [
        i
        for i, base in enumerate(both[0].bases)
        if isinstance(base, ast.Name | ast.Attribute) and ast.unparse(base) in shared
        if ast.unparse(base) != "object" and not ast.unparse(base).rpartition(".")[2].startswith("_")
    ]
    if not places:
        return None
    stub = copy.deepcopy(both[0])
    stub.bases.pop(random.choice(places))
    return stub


def add_base(target: Target, random: Random) -> ast.stmt | None:
    """Name a base that the code does not have."""
    both = target.class_
    if both is None or any(not isinstance(base, ast.Name) or base.id != "object" for base in both[1].bases):
        return None
    if both[1].keywords or both[0].bases:
        return None
    stub = copy.deepcopy(both[0])
    stub.bases = [ast.Name("ValueError")]
    return stub


def _is_special(node: FunctionNode) -> bool:
    return node.name.startswith("__") and node.name != "__init__"


def _is_property(node: FunctionNode) -> bool:
    return any(ast.unparse(each).rpartition(".")[2] == "property" for each in node.decorator_list)


def _is_abstract(node: FunctionNode) -> bool:
    return any("abstract" in ast.unparse(each) for each in node.decorator_list)


def _kinds(*kinds: Kind) -> frozenset[Kind]:
    return frozenset(kinds)


OPERATORS = (
    Operator("parameter renamed", rename, _SHAPE),
    Operator("parameter removed", remove_parameter, _SHAPE),
    Operator("parameter added", add_parameter, _SHAPE),
    Operator("parameters reordered", reorder, _SHAPE),
    Operator("default dropped", drop_default, _SHAPE),
    Operator("default changed", change_default, _SHAPE | {Kind.TYPE}),
    Operator("parameter's kind changed", change_parameter_kind, _SHAPE),
    Operator("method's kind changed", change_binding, _kinds(Kind.BINDING, Kind.KIND, Kind.PROPERTY)),
    Operator("async flipped", flip_async, _kinds(Kind.ASYNC, Kind.RETURNS)),
    Operator("return type changed", change_return, _kinds(Kind.RETURNS, Kind.TYPE)),
    Operator("parameter's type changed", change_type, _kinds(Kind.TYPE)),
    Operator("attribute's type changed", change_attribute, _kinds(Kind.TYPE)),
    Operator("constant's value changed", change_value, _kinds(Kind.VALUE, Kind.TYPE)),
    Operator("function removed", remove_function, _kinds(Kind.NOT_IN_STUB)),
    Operator("class removed", remove_class, _kinds(Kind.NOT_IN_STUB)),
    Operator("attribute removed", remove_attribute, _kinds(Kind.NOT_IN_STUB)),
    Operator("base removed", remove_base, _kinds(Kind.BASES)),
    Operator("base added", add_base, _kinds(Kind.BASES)),
)
