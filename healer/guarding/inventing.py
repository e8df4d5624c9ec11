"""Finds what an edit invents: names of the code that no fact knows, modules that are not there, unbound names."""

from __future__ import annotations

import ast
import builtins
import sys
from collections import Counter
from collections.abc import Callable, Iterator

from healer.reading.meaning import Sort
from healer.reading.meanings import Meanings
from healer.reading.suite import Suite, is_of_tests
from healer.reading.world import World

_PATCHING = frozenset({"patch", "setattr", "delattr"})
_BUILTIN = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "__path__", "__class__"}
_ANYTHING = frozenset({"__getattr__", "__getattribute__"})


def invented(path: str, before: str, after: str, suite: Suite, exists: Callable[[str], bool]) -> list[str]:
    """What the text after an edit speaks of, and the one before did not, that is nowhere, in the order of the text.

    The suite's world is the code of now; `exists` says of a module's first name whether it is installed.
    """
    old, new = suite.of_text(path, before), suite.of_text(path, after)
    if new is None:
        return ["it is no Python"]
    known = Counter(_unknown(old, suite.world, exists)) if old is not None else Counter()
    found = []
    for each in _unknown(new, suite.world, exists):
        if known[each]:
            known[each] -= 1
        else:
            found.append(each)
    return list(dict.fromkeys(found))


def _unknown(file: Meanings, world: World, exists: Callable[[str], bool]) -> Iterator[str]:
    for _, statement in file.bindings.imports():
        for alias in statement.names:
            target = file.imported(alias)
            if not _is_there(target, isinstance(statement, ast.ImportFrom), file, world, exists):
                yield target
    for node in ast.walk(file.source.tree):
        if isinstance(node, ast.Attribute):
            yield from _attribute(file, node, world)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            if file.bindings.scope(node) is None and node.id not in _BUILTIN and not _is_starred(file):
                yield node.id
        elif isinstance(node, ast.Call):
            yield from _patched(node, world)


def _is_there(
    target: str, is_from: bool, file: Meanings, world: World, exists: Callable[[str], bool]
) -> bool:
    module = world.module_of(target)
    if module:
        return bool(world.resolve(target)) or world.is_open(module)
    top = target.partition(".")[0]
    if top in sys.stdlib_module_names:
        return _is_standard(target, is_from)
    if file.around.is_helper(target):
        return True
    return exists(top)


def _is_standard(target: str, is_from: bool) -> bool:
    """Whether the standard library has a name, as far as that can be told without importing what is not yet."""
    import importlib.util

    module = target.rpartition(".")[0] if is_from and "." in target else target
    try:
        found = importlib.util.find_spec(module)
    except (ImportError, AttributeError, ValueError):
        return False
    if found is None:
        return False
    loaded = sys.modules.get(module)
    return not is_from or loaded is None or hasattr(loaded, target.rpartition(".")[2]) or module == target


def _attribute(file: Meanings, node: ast.Attribute, world: World) -> Iterator[str]:
    """A name below a module or class of the code that neither has."""
    base = file.owner(file.of(node.value))
    if base is None or base.node is not None:
        return
    holder = (
        world.resolve(base.name) if base.sort is Sort.NAME else base.name if base.sort is Sort.OBJECT else ""
    )
    if not holder or (node.attr.startswith("__") and node.attr.endswith("__")):
        return
    if world.is_class(holder):
        lineage = world.lineage(holder)
        if world.member(holder, node.attr) or any(map(world.is_open, lineage)):
            return
        if any(world.member(holder, each) for each in _ANYTHING):
            return
        yield f"{holder}.{node.attr}"
    elif isinstance(node.ctx, ast.Load) and world.is_module(holder) and not world.is_open(holder):
        yield from [] if world.resolve(f"{holder}.{node.attr}") else [f"{holder}.{node.attr}"]


def _patched(node: ast.Call, world: World) -> Iterator[str]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    first = node.args[0] if node.args else None
    if name in _PATCHING and isinstance(first, ast.Constant) and isinstance(first.value, str):
        module = world.module_of(first.value)
        if module and not world.is_open(module) and not world.resolve(first.value):
            yield first.value


def _is_starred(file: Meanings) -> bool:
    return any(alias.name == "*" for _, statement in file.bindings.imports() for alias in statement.names)


def is_editable(path: str, reach: list[str]) -> bool:
    """Whether a file may be edited for a failure: it is one of its tests, or of what only these use."""
    return path in reach and is_of_tests(path)
