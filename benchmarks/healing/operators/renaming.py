"""Names that change: functions, classes, constants, methods, members of enums, parameters, fixtures, modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from random import Random

from benchmarks.healing.editing import Editor
from benchmarks.healing.scopes import is_own, modules, root_name, uses
from benchmarks.healing.sources import Change, Definition, FunctionNode, Sources, parse, unique

_BY_NAME = frozenset({"setattr", "getattr", "hasattr", "delattr", "object"})


def renamed(sources: Sources, old: str, new: str, *, is_global: bool) -> Sources:
    """All sources with a name of the package changed wherever it means that; `is_global` says that a module has it."""
    return sources._replace(
        code={
            path: _in_file(sources, path, text, old, new, is_global) for path, text in sources.code.items()
        },
        tests={
            path: _in_file(sources, path, text, old, new, is_global) for path, text in sources.tests.items()
        },
    )


def _in_file(sources: Sources, path: str, text: str, old: str, new: str, is_global: bool) -> str:
    if old not in text:
        return text
    editor = Editor(text)
    own, other = modules(sources, path, text)
    is_code = path in sources.code
    if is_global and _has(sources, path, text, old):
        for use in uses(sources, path, text):
            if use.node.id == old and not use.is_shadowed:
                editor.replace(use.node, new)
    for node in ast.walk(parse(text)):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node.name == old and is_code:
                editor.replace_name(node, old, new)
            case ast.ClassDef(bases=bases) if bases and not is_global:
                _members(editor, node, old, new)
            case ast.Attribute(attr=attribute) if attribute == old:
                root = root_name(node.value)
                if root in own if is_global else root not in other:
                    editor.replace_end(node, old, new)
            case ast.ImportFrom() if is_global and is_own(sources, path, node):
                for alias in node.names:
                    if alias.name == old:
                        editor.replace_start(alias, old, new)
                        if alias.asname == old:  # `from a import b as b` exports it
                            editor.replace_end(alias, old, new)
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List() | ast.Tuple() as listed):
                for each in listed.elts:
                    if isinstance(each, ast.Constant) and each.value == old:
                        editor.replace(each, f'"{new}"')
            case ast.Assign(targets=[ast.Name(id=name) as target]) if (
                name == old and not is_global and is_code
            ):
                editor.replace(target, new)
            case ast.AnnAssign(target=ast.Name(id=name) as target) if (
                name == old and not is_global and is_code
            ):
                editor.replace(target, new)
            case ast.Call(func=function, args=[_, ast.Constant(value=value) as word, *_]) if value == old:
                if (
                    function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
                ) in _BY_NAME:
                    editor.replace(word, f'"{new}"')
            case ast.Constant(value=str(value)) if (
                value.startswith(f"{sources.package}.") and " " not in value
            ):
                dotted(editor, node, old, new)
            case ast.Expr(value=ast.Constant(value=str()) as word):
                quoted(editor, word, old, new)
    return editor.result()


def _has(sources: Sources, path: str, text: str, name: str) -> bool:
    """Whether a file binds the name to what the package defines."""
    if path in sources.code:
        return True
    aliases = (
        alias
        for node in ast.walk(parse(text))
        if isinstance(node, ast.ImportFrom) and is_own(sources, path, node)
        for alias in node.names
    )
    return any(
        alias.name == "*" or (alias.name == name and alias.asname in (None, name)) for alias in aliases
    )


def _members(editor: Editor, node: ast.ClassDef, old: str, new: str) -> None:
    """Rename what a class (of the tests) overrides."""
    for each in node.body:
        if isinstance(each, FunctionNode) and each.name == old:
            editor.replace_name(each, old, new)
        elif isinstance(each, ast.Assign):
            for target in each.targets:
                if isinstance(target, ast.Name) and target.id == old:
                    editor.replace(target, new)


def dotted(editor: Editor, node: ast.Constant, old: str, new: str) -> None:
    """Change a part of a dotted name in a text, such as the target of a patch."""
    source = editor.source(node)
    changed = re.sub(rf"(?<=\.){re.escape(old)}(?![\w])", new, source)
    if changed != source:
        editor.replace(node, changed)


def quoted(editor: Editor, node: ast.Constant, old: str, new: str) -> None:
    """Change a name that prose mentions as a name: in backticks, called, or behind a dot."""
    source = editor.source(node)
    word = rf"(?<![\w]){re.escape(old)}(?![\w])"
    changed = re.sub(rf"(?<=[`.~]){word}|{word}(?=\(|`)|(?<=>>> ){word}", new, source)
    if changed != source:
        editor.replace(node, changed)


def other_name(name: str, random: Random) -> str:
    """Another name that a person might have given: a word more or less, or the words in another order."""
    lead = "_" if name.startswith("_") else ""
    words = [word for word in name.strip("_").split("_") if word]
    if name.isupper():
        choices = [f"{name}_VALUE", f"DEFAULT_{name}", "_".join(reversed(words))]
    elif name[:1].isupper():
        choices = [f"{name}Type", f"Basic{name}", f"{name}Impl"]
    else:
        choices = [f"{lead}{name.strip('_')}_{word}" for word in ("value", "item", "now")]
        choices += [lead + "_".join(reversed(words)), f"{lead}do_{name.strip('_')}"]
    choices = [each for each in choices if each != name and each.isidentifier()]
    return random.choice(choices)


def rename_definitions(sources: Sources, random: Random, kind: str) -> Iterator[Change]:
    """A function, a class, a method or a published attribute has another name."""
    found = [each for each in unique(sources) if each.kind == kind and not _is_member(each)]
    for each in random.sample(found, len(found)):
        new = other_name(each.name, random)
        if new in "".join(sources.code.values()):
            continue
        after = renamed(sources, each.name, new, is_global=each.owner is None)
        yield Change(f"{kind} renamed", each.place, f"{each.place} is {new} now", after)


def rename_members(sources: Sources, random: Random) -> Iterator[Change]:
    """A member of an enum has another name and the same value."""
    found = [each for each in unique(sources) if _is_member(each)]
    for each in random.sample(found, len(found)):
        new = other_name(each.name, random)
        after = renamed(sources, each.name, new, is_global=False)
        yield Change("enum member renamed", each.place, f"{each.place} is {new} now", after)


def _is_member(definition: Definition) -> bool:
    bases = definition.owner.bases if definition.owner else ()
    is_value = definition.kind == "attribute"
    return is_value and any(ast.unparse(base).endswith(("Enum", "Flag")) for base in bases)


def rename_patched(sources: Sources, random: Random) -> Iterator[Change]:
    """A name that tests replace by its text, with `mock.patch` or `monkeypatch`, has another name."""
    for each in [*unique(sources)]:
        pattern = re.compile(
            rf"""["']{sources.package}\.[\w.]*\b{each.name}["']|(setattr|object)\([\w.]+,\s*["']{each.name}["']"""
        )
        if any(pattern.search(text) for text in sources.tests.values()):
            new = other_name(each.name, random)
            after = renamed(sources, each.name, new, is_global=each.owner is None)
            yield Change("patch target renamed", each.place, f"{each.place} is {new} now", after)


def rename_fixtures(sources: Sources, random: Random) -> Iterator[Change]:
    """A fixture in a conftest or a test module has another name; only its definition is changed in the damage."""
    found = [
        (path, node)
        for path, text in sorted(sources.tests.items())
        for node in ast.walk(parse(text))
        if isinstance(node, FunctionNode) and any("fixture" in ast.unparse(d) for d in node.decorator_list)
    ]
    for path, node in random.sample(found, len(found)):
        if any("name=" in ast.unparse(each) for each in node.decorator_list):
            continue
        new = other_name(node.name, random)
        tests = {
            where: _with_fixture(text, node.name, new)
            if where == path or path.endswith("conftest.py")
            else text
            for where, text in sources.tests.items()
        }
        words = f"the fixture {node.name} is {new} now"
        editor = Editor(sources.tests[path])
        editor.replace_name(node, node.name, new)
        damaged = {**sources.tests, path: editor.result()}
        yield Change("fixture renamed", f"{path}::{node.name}", words, sources._replace(tests=tests), damaged)


def _with_fixture(text: str, old: str, new: str) -> str:
    editor = Editor(text)
    for node in ast.walk(parse(text)):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                named = [a for a in [*node.args.args, *node.args.kwonlyargs] if a.arg == old]
                for argument in named:
                    editor.replace_start(argument, old, new)
                if named:
                    for each in ast.walk(node):
                        if isinstance(each, ast.Name) and each.id == old:
                            editor.replace(each, new)
                if node.name == old:
                    editor.replace_name(node, old, new)
            case ast.Call(func=ast.Attribute(attr="usefixtures" | "getfixturevalue"), args=words):
                for word in words:
                    if isinstance(word, ast.Constant) and word.value == old:
                        editor.replace(word, f'"{new}"')
    return editor.result()
