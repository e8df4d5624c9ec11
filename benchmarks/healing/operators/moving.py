"""Things that live elsewhere: a definition in another module, a module under another name or split, exports dropped."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from random import Random

from benchmarks.healing.editing import Editor, after_imports, lines_of
from benchmarks.healing.operators.renaming import other_name
from benchmarks.healing.scopes import is_own, root_name, uses
from benchmarks.healing.sources import (
    Change,
    Definition,
    Sources,
    definitions,
    is_mentioned,
    parse,
    unique,
)


def move_one(sources: Sources, random: Random) -> Iterator[Change]:
    """A function or class lives in a new module of the package; where it was, it is gone."""
    found = [each for each in unique(sources) if each.owner is None and each.kind in ("function", "class")]
    for each in random.sample(found, len(found)):
        target = f"{sources.module(each.path).rpartition('.')[2].strip('_')}_parts"
        after = moved(sources, each.path, [each], target)
        if after is not None:
            place = f"{sources.package}.{target}"
            yield Change("symbol moved", each.place, f"{each.place} lives in {place} now", after)


def split(sources: Sources, random: Random) -> Iterator[Change]:
    """Two or three definitions of a module live in a new one."""
    found = [each for each in unique(sources) if each.owner is None and each.kind in ("function", "class")]
    for path in random.sample(sorted(sources.code), len(sources.code)):
        target = f"{sources.module(path).rpartition('.')[2].strip('_')}_more"
        free = [each for each in found if each.path == path and moved(sources, path, [each], target)]
        if len(free) < 2:
            continue
        chosen = random.sample(free, min(3, len(free)))
        after = moved(sources, path, sorted(chosen, key=lambda each: each.node.lineno), target)
        if after is not None:
            names = ", ".join(each.name for each in chosen)
            words = f"{names} live in {sources.package}.{target} now"
            yield Change("module split", sources.module(path), words, after)


def moved(sources: Sources, path: str, chosen: list[Definition], target: str) -> Sources | None:
    """The sources with definitions of one module in a new one; None where they need what stays behind."""
    text, names = sources.code[path], {each.name for each in chosen}
    new_path = f"{path.rpartition('/')[0]}/{target}.py"
    old_module, new_module = sources.module(path), f"{sources.package}.{target}"
    if sources.folder.endswith(".py") or new_path in sources.code:
        return None
    if sources.module(new_path) != new_module:
        return None
    imports = _imports_for(sources, path, text, chosen, names)
    if imports is None:
        return None
    editor = Editor(text)
    parts = []
    for each in chosen:
        first, last = lines_of(each.node)
        parts.append("".join(text.splitlines(keepends=True)[first - 1 : last]))
        editor.remove_lines(first, last)
    if _uses_itself(editor, sources, path, text, chosen, target):
        editor.insert_line(after_imports(text), f"from . import {target}")
    code = {
        where: following(sources, where, each, old_module, new_module, names)
        for where, each in sources.code.items()
    }
    code[path] = _without_exports(editor.result(), names)
    code[new_path] = "\n".join([*imports, "", "", "\n\n".join(parts)])
    tests = {
        where: following(sources, where, each, old_module, new_module, names)
        for where, each in sources.tests.items()
    }
    return sources._replace(code=code, tests=tests)


def _imports_for(
    sources: Sources, path: str, text: str, chosen: list[Definition], names: set[str]
) -> list[str] | None:
    """The imports that definitions need; None where they use what else their module defines."""
    inside = {id(node) for each in chosen for node in ast.walk(each.node)}
    needed = {
        use.node.id for use in uses(sources, path, text) if id(use.node) in inside and not use.is_shadowed
    }
    tree = parse(text)
    here = {each.name for each in definitions(sources) if each.path == path and each.owner is None} - names
    if needed & (here | _bound_in_blocks(tree)):
        return None
    found: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            found.insert(0, ast.unparse(node))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            kept = [each for each in node.names if (each.asname or each.name).partition(".")[0] in needed]
            if kept:
                copied = (
                    ast.Import(kept)
                    if isinstance(node, ast.Import)
                    else ast.ImportFrom(node.module, kept, node.level)
                )
                found.append(ast.unparse(copied))
    return found


def _bound_in_blocks(tree: ast.Module) -> set[str]:
    """Names that a module binds under conditions, which cannot be copied as they are."""
    blocks = [node for node in tree.body if isinstance(node, ast.If | ast.Try | ast.With | ast.For)]
    names = set()
    for node in (each for block in blocks for each in ast.walk(block)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.alias():
                names.add((node.asname or node.name).partition(".")[0])
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
    return names


def _uses_itself(
    editor: Editor, sources: Sources, path: str, text: str, chosen: list[Definition], target: str
) -> bool:
    """Follow the uses in the module that the definitions left; whether there are any."""
    inside = {id(node) for each in chosen for node in ast.walk(each.node)}
    names = {each.name for each in chosen}
    places = [
        use.node
        for use in uses(sources, path, text)
        if use.node.id in names and not use.is_shadowed and id(use.node) not in inside
    ]
    for node in places:
        editor.replace(node, f"{target}.{node.id}")
    return bool(places)


def _without_exports(text: str, names: set[str]) -> str:
    editor = Editor(text)
    for node in parse(text).body:
        if not isinstance(node, ast.Assign) or ast.unparse(node.targets[0]) != "__all__":
            continue
        if isinstance(node.value, ast.List | ast.Tuple):
            kept = [each for each in node.value.elts if getattr(each, "value", None) not in names]
            inside = ", ".join(ast.unparse(each) for each in kept)
            if len(kept) < len(node.value.elts):
                is_tuple = isinstance(node.value, ast.Tuple)
                editor.replace(node.value, f"({inside},)" if is_tuple else f"[{inside}]")
    return editor.result()


def following(sources: Sources, path: str, text: str, old: str, new: str, names: Iterable[str]) -> str:
    """A file that takes names from the module `new` that it took from `old`."""
    editor = Editor(text)
    wanted = frozenset(names)
    needs_module = False
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.ImportFrom) and sources.imported(path, node) == old:
            _split_import(editor, node, wanted, new, text)
        elif isinstance(node, ast.Attribute) and node.attr in wanted and ast.unparse(node.value) == old:
            editor.replace(node, f"{new}.{node.attr}")
            needs_module = True
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            for name in wanted:
                if node.value == f"{old}.{name}" or node.value.startswith(f"{old}.{name}."):
                    editor.replace(node, editor.source(node).replace(f"{old}.{name}", f"{new}.{name}"))
    if needs_module:
        editor.insert_line(after_imports(text), f"import {new}")
    return editor.result()


def _split_import(editor: Editor, node: ast.ImportFrom, names: frozenset[str], new: str, text: str) -> None:
    moved = [each for each in node.names if each.name in names]
    if not moved:
        return
    kept = [each for each in node.names if each.name not in names]
    indent = " " * node.col_offset
    statements = [ast.unparse(ast.ImportFrom(node.module, kept, node.level))] if kept else []
    # Relative within the package, as it was: all modules of a move lie in the package's folder.
    module, level = (new.rpartition(".")[2], 1) if node.level else (new, 0)
    statements.append(ast.unparse(ast.ImportFrom(module, moved, level)))
    editor.replace(node, f"\n{indent}".join(statements))


def rename_module(sources: Sources, random: Random) -> Iterator[Change]:
    """A module of the package has another name."""
    paths = [path for path in sorted(sources.code) if not path.endswith(("__init__.py", "__main__.py"))]
    for path in random.sample(paths, len(paths)) if not sources.folder.endswith(".py") else ():
        old = sources.module(path)
        stem = old.rpartition(".")[2]
        if not is_mentioned(sources.tests, stem):
            continue
        name = other_name(stem, random)
        new = f"{old.rpartition('.')[0]}.{name}"
        code = {
            (f"{path.rpartition('/')[0]}/{name}.py" if where == path else where): _with_module(
                sources, where, text, old, new
            )
            for where, text in sources.code.items()
        }
        tests = {where: _with_module(sources, where, text, old, new) for where, text in sources.tests.items()}
        after = sources._replace(code=code, tests=tests)
        yield Change("module renamed", old, f"{old} is {new} now", after)


def _with_module(sources: Sources, path: str, text: str, old: str, new: str) -> str:
    editor = Editor(text)
    stem, name = old.rpartition(".")[2], new.rpartition(".")[2]
    parent = old.rpartition(".")[0]
    for node in ast.walk(parse(text)):
        match node:
            case ast.ImportFrom() if is_own(sources, path, node):
                module = sources.imported(path, node)
                if module == old or module.startswith(f"{old}."):
                    source = editor.source(node)
                    head, middle, tail = source.partition(" import")
                    editor.replace(node, re.sub(rf"\b{stem}\b", name, head) + middle + tail)
                elif module == parent:
                    for alias in node.names:
                        if alias.name == stem:
                            editor.replace(alias, f"{name} as {alias.asname or stem}")
            case ast.Import():
                for alias in node.names:
                    if alias.name == old or alias.name.startswith(f"{old}."):
                        editor.replace_start(alias, old, new)
            case ast.Attribute(attr=attribute, value=value) if attribute == stem and root_name(value):
                if ast.unparse(value) == parent:
                    editor.replace_end(node, stem, name)
            case ast.Constant(value=str(value)) if value == old or value.startswith(f"{old}."):
                editor.replace(node, editor.source(node).replace(old, new, 1))
    return editor.result()


def drop_exports(sources: Sources, random: Random) -> Iterator[Change]:
    """The package's `__init__` does not export a name any more that one of its modules has."""
    path = sources.path(sources.package)
    if path is None:
        return
    text = sources.code[path]
    nodes = [
        node for node in parse(text).body if isinstance(node, ast.ImportFrom) and is_own(sources, path, node)
    ]
    found = [(node, alias) for node in nodes for alias in node.names if alias.asname in (None, alias.name)]
    for node, alias in random.sample(found, len(found)):
        module = sources.imported(path, node)
        if (
            not is_mentioned(sources.tests, alias.name)
            or module == sources.package
            or _is_used(text, alias.name)
        ):
            continue
        editor = Editor(text)
        kept = [each for each in node.names if each is not alias]
        # The module stays imported, as it was by taking the name from it.
        rest = (
            ast.ImportFrom(node.module, kept, node.level)
            if kept
            else ast.ImportFrom(None, [ast.alias(module.rpartition(".")[2])], 1)
        )
        editor.replace(node, ast.unparse(rest))
        code = {**sources.code, path: _without_exports(editor.result(), {alias.name})}
        tests = {
            where: following(sources, where, each, sources.package, module, [alias.name])
            for where, each in sources.tests.items()
        }
        after = sources._replace(code=code, tests=tests)
        words = f"{sources.package} does not export {alias.name} of {module} any more"
        yield Change("re-export dropped", alias.name, words, after)


def _is_used(text: str, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        for node in ast.walk(parse(text))
    )
