"""Where things are looked up: modules that are packages now, imports in another style, helpers of tests elsewhere,
constants in another module, and old names that are kept and warn."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from random import Random

from benchmarks.healing.editing import Editor, after_imports
from benchmarks.healing.operators.moving import following, moved
from benchmarks.healing.operators.renaming import other_name, renamed
from benchmarks.healing.sources import Change, FunctionNode, Sources, definitions, parse, unique


def move_constant(sources: Sources, random: Random) -> Iterator[Change]:
    """A constant lives in a new module of the package; where it was, it is gone."""
    found = [each for each in unique(sources) if each.owner is None and each.kind == "attribute"]
    for each in random.sample(found, len(found)):
        target = f"{sources.module(each.path).rpartition('.')[2].strip('_')}_values"
        after = moved(sources, each.path, [each], target)
        if after is not None:
            words = f"{each.place} lives in {sources.package}.{target} now"
            yield Change("constant moved", each.place, words, after)


def module_to_package(sources: Sources, random: Random) -> Iterator[Change]:
    """A module is a package now: its text lies in `core`, and only what is public is handed on."""
    paths = [path for path in sorted(sources.code) if not path.endswith(("__init__.py", "__main__.py"))]
    for path in random.sample(paths, len(paths)) if not sources.folder.endswith(".py") else ():
        text, old = sources.code[path], sources.module(path)
        names = _names(text)
        public = sorted(name for name in names if not name.startswith("_"))
        if not public or not any(old in each for each in sources.tests.values()):
            continue
        folder = path.removesuffix(".py")
        code = {where: each for where, each in sources.code.items() if where != path}
        private = [name for name in names if name.startswith("_")]
        new = f"{old}.core"
        code = {where: following(sources, where, each, old, new, private) for where, each in code.items()}
        code[f"{folder}/core.py"] = _one_deeper(text)
        code[f"{folder}/__init__.py"] = f"from .core import {', '.join(public)}\n"
        tests = {where: _into(sources, where, each, old, private) for where, each in sources.tests.items()}
        words = f"{old} is a package now, its text lies in {new}"
        yield Change("module to package", old, words, sources._replace(code=code, tests=tests))


def _names(text: str) -> list[str]:
    found: list[str] = []
    for node in parse(text).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.append(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found.append(name)
    return list(dict.fromkeys(found))


def _one_deeper(text: str) -> str:
    editor = Editor(text)
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level:
            source = editor.source(node)
            editor.replace(node, source.replace(".", "..", 1))
    return editor.result()


def _into(sources: Sources, path: str, text: str, old: str, private: list[str]) -> str:
    after = following(sources, path, text, old, f"{old}.core", private)
    return re.sub(rf"""(?<=["']){re.escape(old)}\.(?!core\b)(?=\w)""", f"{old}.core.", after)


def other_import(sources: Sources, random: Random) -> Iterator[Change]:
    """A module that tests patch imports a name where it imported the module, or the reverse."""
    for path in random.sample(sorted(sources.code), len(sources.code)):
        text, module = sources.code[path], sources.module(path)
        for node in parse(text).body:
            if isinstance(node, ast.Import) and len(node.names) == 1 and "." not in node.names[0].name:
                yield from _by_name(sources, path, module, node)
            elif isinstance(node, ast.ImportFrom) and not node.level and len(node.names) == 1:
                yield from _by_module(sources, path, module, node)


def _by_name(sources: Sources, path: str, module: str, node: ast.Import) -> Iterator[Change]:
    text, alias = sources.code[path], node.names[0]
    name = alias.asname or alias.name
    uses = [
        each
        for each in ast.walk(parse(text))
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == name
    ]
    taken = sorted({each.attr for each in uses})
    plain = sum(isinstance(each, ast.Name) and each.id == name for each in ast.walk(parse(text)))
    if not taken or plain != len(uses) or any(re.search(rf"(?<!\.)\b{each}\b", text) for each in taken):
        return
    editor = Editor(text)
    for each in uses:
        editor.replace(each, each.attr)
    editor.replace(node, f"from {alias.name} import {', '.join(taken)}")
    yield _patched(
        sources, path, editor.result(), f"{module}.{name}.", f"{module}.", f"{module} takes names of {name}"
    )


def _by_module(sources: Sources, path: str, module: str, node: ast.ImportFrom) -> Iterator[Change]:
    text, alias = sources.code[path], node.names[0]
    name, source = alias.asname or alias.name, node.module or ""
    if "." in source or source in ("__future__", "typing") or re.search(rf"\b{source}\b\s*[=.]", text):
        return
    editor = Editor(text)
    for each in ast.walk(parse(text)):
        if isinstance(each, ast.Name) and each.id == name:
            editor.replace(each, f"{source}.{alias.name}")
    editor.replace(node, f"import {source}")
    old, new = f"{module}.{name}", f"{module}.{source}.{alias.name}"
    yield _patched(sources, path, editor.result(), old, new, f"{module} takes {name} of {source}")


def _patched(sources: Sources, path: str, text: str, old: str, new: str, words: str) -> Change:
    tests = {
        where: re.sub(rf"""(?<=["']){re.escape(old)}""", new, each) for where, each in sources.tests.items()
    }
    after = sources._replace(code={**sources.code, path: text}, tests=tests)
    return Change("import style changed", sources.module(path), words, after)


def move_helper(sources: Sources, random: Random) -> Iterator[Change]:
    """A module that only tests import has another name or lies in a folder of its own."""
    found = [
        path
        for path in sorted(sources.tests)
        if not re.search(r"(^|/)(test_?\w*|\w*_test|conftest|__init__)\.py$", path)
    ]
    for path in random.sample(found, len(found)):
        stem = path.rpartition("/")[2].removesuffix(".py")
        folder = path.rpartition("/")[0]
        new = random.choice([f"{stem}_support", f"shared_{stem}"])
        target = "/".join(filter(None, [folder, f"{new}.py"]))
        tests = {
            (target if where == path else where): re.sub(
                rf"(?m)^(\s*(?:from|import)\b[^\n]*?)\b{stem}\b", rf"\g<1>{new}", text
            )
            for where, text in sources.tests.items()
        }
        damaged: dict[str, str] = {where: text for where, text in sources.tests.items() if where != path}
        damaged[target] = sources.tests[path]
        words = f"the helper {path} is {target} now"
        yield Change("test helper moved", path, words, sources._replace(tests=tests), damaged)


def deprecate(sources: Sources, random: Random, *, by_module: bool) -> Iterator[Change]:
    """A function has another name, and the old one is kept: it warns and hands on."""
    kinds = ("function", "class") if by_module else ("function", "method")
    found = [each for each in unique(sources) if each.kind in kinds]
    for each in random.sample(found, len(found)):
        node = each.node
        if isinstance(node, FunctionNode) and node.decorator_list:
            continue
        new = other_name(each.name, random)
        if new in "".join(sources.code.values()):
            continue
        after = renamed(sources, each.name, new, is_global=each.owner is None)
        text = after.code[each.path]
        editor = Editor(text)
        line = f'warnings.warn("{each.name} is deprecated, use {new}", DeprecationWarning, stacklevel=2)'
        if by_module:
            if "def __getattr__" in text:
                continue
            kept = [
                "",
                "",
                "def __getattr__(name):",
                f'    if name == "{each.name}":',
                f"        {line}",
                f"        return {new}",
                "    raise AttributeError(name)",
            ]
            editor.replace_between(len(text.encode()), len(text.encode()), "\n".join(kept) + "\n")
        else:
            kept = _kept(each.name, new, line, is_method=each.owner is not None)
            now = next(d.node for d in definitions(after) if d.name == new and d.path == each.path)
            assert now.end_lineno is not None, "trees of texts know ends"
            indent = " " * now.col_offset
            whole = "\n".join(f"{indent}{part}" if part else "" for part in ["", "", *kept])
            begin = editor.offset(now.end_lineno, 0) + len(text.splitlines()[now.end_lineno - 1].encode())
            editor.replace_between(begin, begin, whole)
        if not re.search(r"(?m)^import warnings", text):
            editor.insert_line(after_imports(text), "import warnings")
        code = {**after.code, each.path: editor.result()}
        code = (
            {where: _handed_on(sources, where, part, each.name, new) for where, part in code.items()}
            if (not by_module)
            else code
        )
        cause = "old name of a module warns" if by_module else "old name warns"
        yield Change(cause, each.place, f"{each.place} is {new} now, and warns", after._replace(code=code))


def _kept(old: str, new: str, line: str, *, is_method: bool) -> list[str]:
    given, holder = ("self, *args, **kwargs", "self.") if is_method else ("*args, **kwargs", "")
    return [f"def {old}({given}):", f"    {line}", f"    return {holder}{new}(*args, **kwargs)"]


def _handed_on(sources: Sources, path: str, text: str, old: str, new: str) -> str:
    """A package that hands on the new name hands on the old one too."""
    if not path.endswith("__init__.py"):
        return text
    editor = Editor(text)
    for node in parse(text).body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name == new and alias.asname in (None, new):
                    editor.replace(alias, f"{new} as {new}, {old} as {old}")
    return editor.result()
