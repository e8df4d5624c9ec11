"""What a mutation can be applied to: definitions that a stub and its code both have once, found with `ast` alone.

Nothing of crossfact is used here, so that what it fails to see is not left out.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Definition: TypeAlias = FunctionNode | ast.ClassDef | ast.Assign | ast.AnnAssign

_OF_BUILTINS = frozenset(
    name for each in vars(builtins).values() if isinstance(each, type) for name in dir(each)
) | frozenset(name for each in vars(collections.abc).values() for name in dir(each))
_PLAIN = frozenset({"property", "classmethod", "staticmethod", "abstractmethod"})


class Target(NamedTuple):
    """One definition with both its nodes; `file` is the stub's, `symbol` the qualified name.

    `inherited` says that the stub may answer the name without this definition: from a base, or by `__getattr__`.
    """

    file: Path
    symbol: str
    stub: Definition
    code: Definition
    owner: ast.ClassDef | None
    inherited: bool = False

    @property
    def function(self) -> tuple[FunctionNode, FunctionNode] | None:
        """Both nodes where both are functions."""
        if isinstance(self.stub, FunctionNode) and isinstance(self.code, FunctionNode):
            return self.stub, self.code
        return None

    @property
    def class_(self) -> tuple[ast.ClassDef, ast.ClassDef] | None:
        """Both nodes where both are classes."""
        if isinstance(self.stub, ast.ClassDef) and isinstance(self.code, ast.ClassDef):
            return self.stub, self.code
        return None


def targets(stubs: Path, runtime: Path) -> list[Target]:
    """All public definitions that a stub and the code of the same module have exactly once, in the order of names."""
    found: list[Target] = []
    members: Counter[str] = Counter()
    for file in sorted(stubs.rglob("*.pyi")):
        relative = file.relative_to(stubs)
        code = _code_of(relative, runtime)
        if code is None:
            continue
        try:
            ours = ast.parse(file.read_text(encoding="utf-8"))
            theirs = ast.parse(code.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        members.update(_members_of(ours))
        module = ".".join(relative.with_suffix("").parts).removesuffix(".__init__")
        found.extend(_shared(file, module, ours, theirs, _listed(theirs)))
    found = [target._replace(inherited=_is_inherited(target, members)) for target in found]
    return sorted(found, key=lambda target: target.symbol)


def _members_of(module: ast.Module) -> Iterator[str]:
    for class_ in (node for node in ast.walk(module) if isinstance(node, ast.ClassDef)):
        yield from {name for node in flat(class_.body) for name in _names(node)}


def _is_inherited(target: Target, members: Counter[str]) -> bool:
    """Whether a base may have the member: another class of the stubs does, or a class that is not among the stubs."""
    if target.inherited or target.owner is None:
        return target.inherited
    if "__getattr__" in _members_of(ast.Module([target.owner], [])):
        return True
    if all(ast.unparse(base) == "object" for base in target.owner.bases):
        return False
    name = target.symbol.rpartition(".")[2]
    return members[name] > 1 or members["__getattr__"] > 0 or name in _OF_BUILTINS


def _code_of(relative: Path, runtime: Path) -> Path | None:
    candidates = [runtime / relative.with_suffix(".py")]
    if relative.stem == "__init__":
        candidates.append((runtime / relative.parent).with_suffix(".py"))
    return next((path for path in candidates if path.is_file()), None)


def _listed(module: ast.Module) -> frozenset[str] | None:
    """The literal `__all__` of a module, None where it has none, empty where it is computed."""
    for node in module.body:
        if isinstance(node, ast.Assign) and "__all__" in map(ast.unparse, node.targets):
            try:
                return frozenset(ast.literal_eval(node.value))
            except (ValueError, TypeError):
                return frozenset()
    return None


def _shared(
    file: Path, module: str, ours: ast.Module, theirs: ast.Module, listed: frozenset[str] | None
) -> Iterator[Target]:
    in_stub, in_code = _named(ours.body), _named(theirs.body)
    for name in in_stub.keys() & in_code.keys():
        if name.startswith("_") or (listed is not None and name not in listed):
            continue
        stub, code = in_stub[name], in_code[name]
        if not _is_plain(stub) or not _is_plain(code):
            continue
        yield Target(file, f"{module}.{name}", stub, code, None, "__getattr__" in in_stub)
        if isinstance(stub, ast.ClassDef) and isinstance(code, ast.ClassDef):
            yield from _members(file, f"{module}.{name}", stub, code)


def _members(file: Path, symbol: str, stub: ast.ClassDef, code: ast.ClassDef) -> Iterator[Target]:
    in_stub, in_code = _named(stub.body), _named(code.body)
    for name in in_stub.keys() & in_code.keys():
        if name.startswith("_") and name != "__init__":
            continue
        if _is_plain(in_stub[name]) and _is_plain(in_code[name]):
            yield Target(file, f"{symbol}.{name}", in_stub[name], in_code[name], stub)


def _named(body: list[ast.stmt]) -> dict[str, Definition]:
    """The definitions whose name the body binds exactly once, in whatever block."""
    bound: Counter[str] = Counter()
    found: dict[str, Definition] = {}
    for node in flat(body):
        for name in _names(node):
            bound[name] += 1
            if node in body and isinstance(node, Definition):
                found[name] = node
    return {name: node for name, node in found.items() if bound[name] == 1}


def flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module or class, those within blocks that are no definitions included."""
    for node in body:
        yield node
        for block in ("body", "orelse", "finalbody", "handlers"):
            if not isinstance(node, FunctionNode | ast.ClassDef):
                for inner in getattr(node, block, []):
                    yield from flat(inner.body if isinstance(inner, ast.ExceptHandler) else [inner])


def bound_names(body: list[ast.stmt]) -> frozenset[str]:
    """Every name that the statements of a module or class bind, in whatever block; `*` for a star import."""
    names = {name for node in flat(body) for name in _names(node)}
    for node in flat(body):
        if isinstance(node, FunctionNode | ast.ClassDef):
            continue
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store | ast.Del):
                names.add(each.id)
            elif isinstance(each, ast.Global):
                names.update(each.names)
    return frozenset(names)


def _names(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=places):
            for place in places:
                yield from (each.id for each in ast.walk(place) if isinstance(each, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.ImportFrom(names=names) | ast.Import(names=names):
            yield from (each.asname or each.name.partition(".")[0] for each in names)


def _is_plain(node: Definition) -> bool:
    """Whether no decorator changes what the definition is, and an assignment has one plain name."""
    if isinstance(node, ast.Assign):
        return len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
    if isinstance(node, ast.AnnAssign):
        return True
    names = {ast.unparse(each).rpartition(".")[2] for each in node.decorator_list}
    return names <= _PLAIN if isinstance(node, FunctionNode) else not names
