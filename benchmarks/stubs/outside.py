"""What the text cannot tell: what is compiled, and bases, decorators and results of calls from outside the package."""

from __future__ import annotations

import ast
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from benchmarks.stubs.agreement import Disagreement
from benchmarks.stubs.corpus import Pair
from benchmarks.stubs.records import Kind
from benchmarks.stubs.targets import FunctionNode, bound_names, flat
from benchmarks.stubs.texts import (
    base_names,
    body_around,
    is_outside,
    module_body,
    owning_class,
    parsed,
    with_heirs,
)

_MOST_IMPORTS = 3
_READ = frozenset({"staticmethod", "classmethod", "property", "partial", "partialmethod", "namedtuple"})


def is_given_by_a_call(pair: Pair, each: Disagreement) -> bool:
    """Whether only running shows how something is called: a call gives it, or a decorator from outside replaces it."""
    if each.report.kind not in (Kind.PARAMETERS, Kind.DEFAULT, Kind.KIND, Kind.TYPE):
        return False
    body, name = body_around(pair, each.report.symbol), each.report.symbol.rpartition(".")[2]
    found = [node for node in flat(body or []) if name in _bound(node)]
    if each.report.kind is Kind.TYPE and any(_makes_an_own(pair, each.report.symbol, node) for node in found):
        return False
    return bool(found) and all(_shows_nothing(pair, each.report.symbol, node) for node in found)


def _makes_an_own(pair: Pair, symbol: str, node: ast.stmt) -> bool:
    """Whether an assignment calls a class of the same module, so that the text shows the type."""
    parts = symbol.split(".")
    bodies = (module_body(pair, ".".join(parts[:length])) for length in range(2, len(parts) + 1))
    own = {each.name for body in bodies for each in flat(body or []) if isinstance(each, ast.ClassDef)}
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) in own
    )


def _shows_nothing(pair: Pair, symbol: str, node: ast.stmt) -> bool:
    match node:
        case ast.Assign(value=ast.Call(func=func)):
            return ast.unparse(func).rpartition(".")[2] not in _READ
        case ast.FunctionDef(decorator_list=decorators) | ast.AsyncFunctionDef(decorator_list=decorators):
            called = [each.func if isinstance(each, ast.Call) else each for each in decorators]
            return any(is_outside(pair, symbol, func) for func in called)
        case _:
            return False


def is_compiled(pair: Pair, each: Disagreement) -> bool:
    """Whether a name belongs to a module without source, or to what a module of the package has from such a one."""
    names = each.report.symbol.split(".")
    return any(
        _is_without_source(pair.runtime, tuple(names[:length]))
        or _is_from_compiled(pair, names[: length + 1], 0)
        for length in range(1, len(names) + 1)
    )


def _is_from_compiled(pair: Pair, names: list[str], followed: int) -> bool:
    """Whether the last name is one that a module binds to something of a module without source."""
    symbol = ".".join(names)
    body = module_body(pair, symbol)
    place = pair.runtime.joinpath(*names[:-1])
    if body is None or followed > _MOST_IMPORTS or not (place.is_dir() or place.with_suffix(".py").is_file()):
        return False
    package = names[:-1] if place.is_dir() else names[:-2]
    heads = {names[-1]}
    for node in flat(body):
        if isinstance(node, ast.Assign) and names[-1] in _bound(node):
            heads.add(ast.unparse(node.value).partition("(")[0].partition(".")[0])
    for node in flat(body):
        if not isinstance(node, ast.ImportFrom):
            continue
        above = package[: len(package) - node.level + 1] if node.level else []
        target = [*above, *filter(None, (node.module or "").split("."))]
        for alias in node.names:
            if alias.name == "*" and _is_without_source(pair.runtime, tuple(target)):
                return names[-1] not in bound_names(body)
            if (alias.asname or alias.name) in heads:
                whole = [*target, alias.name]
                if any(
                    _is_without_source(pair.runtime, tuple(whole[:end])) for end in range(1, len(whole) + 1)
                ):
                    return True
                if (
                    whole != names
                    and whole[0] == pair.module
                    and _is_from_compiled(pair, whole, followed + 1)
                ):
                    return True
    return False


@cache
def _is_without_source(runtime: Path, names: tuple[str, ...]) -> bool:
    """Whether a module is there in compiled form alone."""
    place = runtime.joinpath(*names)
    if place.with_suffix(".py").is_file() or any(place.glob("*.py")) or not place.parent.is_dir():
        return False
    return any((place.parent / f"{place.name}{suffix}").is_file() for suffix in EXTENSION_SUFFIXES)


def is_inherited_from_outside(pair: Pair, each: Disagreement) -> bool:
    """Whether a class of stub or code lacks the name, and may have it from a base that is neither here nor standard."""
    name = each.report.symbol.rpartition(".")[2]
    if each.report.kind is Kind.METACLASS or each.report.message.endswith("is not a type"):
        return _derives_from_outside(pair, f"{each.report.symbol}.?", frozenset())
    for stub in (True, False):
        class_ = owning_class(pair, each.report.symbol, stub=stub)
        if class_ is None or name in bound_names(class_.body):
            continue
        if any(is_outside(pair, each.report.symbol, base, stub=stub) for base in class_.bases):
            return True
        module = each.report.symbol.split(".")[:-2]
        heads = [ast.unparse(base).partition("[")[0].partition(".")[0] for base in class_.bases]
        if not stub and any(_is_from_compiled(pair, [*module, head], 0) for head in heads):
            return True
    return False


def is_of_an_alias_from_outside(pair: Pair, each: Disagreement) -> bool:
    """Whether a name is, or belongs to, what code or stub merely have from outside: `Int8 = np.int8`."""
    symbol = each.report.symbol
    return any(
        _is_alias_from_outside(pair, name, stub=stub)
        for name in (symbol, symbol.rpartition(".")[0])
        for stub in (True, False)
    )


def _is_alias_from_outside(pair: Pair, symbol: str, *, stub: bool) -> bool:
    body, name = body_around(pair, symbol, stub=stub), symbol.rpartition(".")[2]
    values = [
        node.value for node in flat(body or []) if isinstance(node, ast.Assign) and name in _bound(node)
    ]
    return bool(values) and all(
        isinstance(value, ast.Name | ast.Attribute) and is_outside(pair, symbol, value, stub=stub)
        for value in values
    )


def _derives_from_outside(pair: Pair, symbol: str, seen: frozenset[str]) -> bool:
    """Whether the code's class, or one of the same module that it derives from, has a base from outside."""
    class_ = owning_class(pair, symbol, stub=False)
    if class_ is None or class_.name in seen:
        return False
    if any(is_outside(pair, symbol, base) for base in class_.bases):
        return True
    module = symbol.rsplit(".", 2)[0]
    inner = [ast.unparse(base) for base in class_.bases]
    return any(_derives_from_outside(pair, f"{module}.{base}.?", seen | {class_.name}) for base in inner)


def _bound(node: ast.stmt) -> list[str]:
    if isinstance(node, FunctionNode | ast.ClassDef):
        return [node.name]
    return [ast.unparse(target) for target in node.targets] if isinstance(node, ast.Assign) else []


def is_made_by_a_metaclass(pair: Pair, each: Disagreement) -> bool:
    """Whether a call gives the attribute, and the metaclass of its class may make something else of that."""
    owner, _, name = each.report.symbol.rpartition(".")
    if each.report.kind not in (Kind.PROPERTY, Kind.TYPE) or owner.rpartition(".")[2] not in _of_metaclasses(
        pair
    ):
        return False
    return any(
        isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(node.value, ast.Call)
        and name in map(ast.unparse, node.targets if isinstance(node, ast.Assign) else [node.target])
        for node in body_around(pair, each.report.symbol) or []
    )


@cache
def _of_metaclasses(pair: Pair) -> frozenset[str]:
    """The names of the package's classes that a metaclass makes, other than that of abstract classes."""
    found: set[str] = set()
    bases: dict[str, set[str]] = {}
    for file in pair.runtime.rglob("*.py"):
        for node in ast.walk(ast.Module(parsed(file) or [], [])):
            if isinstance(node, ast.ClassDef):
                bases.setdefault(node.name, set()).update(base_names(node))
                words = [ast.unparse(word.value) for word in node.keywords if word.arg == "metaclass"]
                if any(word.rpartition(".")[2] != "ABCMeta" for word in words):
                    found.add(node.name)
    return with_heirs(found, bases)
