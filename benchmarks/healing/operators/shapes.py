"""How a thing is used: a method that is a property now, a property that is called, functions to be awaited or not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from random import Random

from benchmarks.healing.editing import Editor, after_imports
from benchmarks.healing.operators.calls import calls, with_texts
from benchmarks.healing.scopes import modules, root_name
from benchmarks.healing.sources import Change, Definition, Sources, parse, unique


def to_property(sources: Sources, random: Random) -> Iterator[Change]:
    """A method without parameters is a property now."""
    for each in _methods(sources, random):
        node = each.node
        assert isinstance(node, ast.FunctionDef), "methods only"
        if node.decorator_list or len(node.args.args) != 1 or node.args.kwonlyargs or node.args.vararg:
            continue
        changed = {}
        for path, text in {**sources.code, **sources.tests}.items():
            editor = Editor(text)
            for call in calls(text, each.name):
                if isinstance(call.func, ast.Attribute) and not call.args and not call.keywords:
                    editor.replace_between(editor.span(call.func)[1], editor.span(call)[1], "")
            if path == each.path:
                editor.insert_line(node.lineno, " " * node.col_offset + "@property")
            changed[path] = editor.result()
        after = with_texts(sources, changed)
        yield Change("method to property", each.place, f"{each.place} is a property now", after)


def to_method(sources: Sources, random: Random) -> Iterator[Change]:
    """A property without a setter is a method now."""
    for each in _methods(sources, random):
        node = each.node
        assert isinstance(node, ast.FunctionDef), "methods only"
        if [ast.unparse(decorator) for decorator in node.decorator_list] != ["property"]:
            continue
        changed = {}
        for path, text in {**sources.code, **sources.tests}.items():
            editor = Editor(text)
            _, other = modules(sources, path, text)
            for use in ast.walk(parse(text)):
                if not isinstance(use, ast.Attribute) or use.attr != each.name:
                    continue
                if isinstance(use.ctx, ast.Load) and root_name(use.value) not in other:
                    end = editor.span(use)[1]
                    editor.replace_between(end, end, "()")
            if path == each.path:
                line = node.decorator_list[0].lineno
                editor.remove_lines(line, line)
            changed[path] = editor.result()
        after = with_texts(sources, changed)
        yield Change("property to method", each.place, f"{each.place} is called now", after)


def _methods(sources: Sources, random: Random) -> list[Definition]:
    found = [
        each for each in unique(sources) if each.kind == "method" and isinstance(each.node, ast.FunctionDef)
    ]
    return random.sample(found, len(found))


def to_async(sources: Sources, random: Random) -> Iterator[Change]:
    """A function that nothing in the package calls is a coroutine function now."""
    found = [each for each in unique(sources) if isinstance(each.node, ast.FunctionDef)]
    for each in random.sample(found, len(found)):
        node = each.node
        assert isinstance(node, ast.FunctionDef), "chosen above"
        if node.decorator_list or any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node)):
            continue
        if any(True for text in sources.code.values() for _ in calls(text, each.name)):
            continue
        changed = {}
        for path, text in {**sources.code, **sources.tests}.items():
            editor = Editor(text)
            wrapped = 0
            for call in calls(text, each.name) if path in sources.tests else ():
                begin, end = editor.span(call)
                editor.replace_between(begin, begin, "asyncio.run(")
                editor.replace_between(end, end, ")")
                wrapped += 1
            if wrapped and "import asyncio" not in text:
                editor.insert_line(after_imports(text), "import asyncio")
            if path == each.path:
                place = editor.span(node)[0]
                editor.replace_between(place, place, "async ")
            changed[path] = editor.result()
        after = with_texts(sources, changed)
        yield Change("became async", each.place, f"{each.place} has to be awaited now", after)


def to_sync(sources: Sources, random: Random) -> Iterator[Change]:
    """A coroutine function that awaits nothing is an ordinary one now."""
    found = [each for each in unique(sources) if isinstance(each.node, ast.AsyncFunctionDef)]
    for each in random.sample(found, len(found)):
        if any(
            isinstance(part, ast.Await | ast.AsyncFor | ast.AsyncWith | ast.Yield)
            for part in ast.walk(each.node)
        ):
            continue
        changed = {}
        for path, text in {**sources.code, **sources.tests}.items():
            editor = Editor(text)
            for node in ast.walk(parse(text)):
                inside: ast.expr | None = None
                if isinstance(node, ast.Await):
                    inside = node.value
                elif isinstance(node, ast.Call) and ast.unparse(node.func) == "asyncio.run" and node.args:
                    inside = node.args[0]
                if isinstance(inside, ast.Call) and _ends_in(inside.func, each.name):
                    assert isinstance(node, ast.expr), "an await and a call are expressions"
                    editor.replace(node, editor.source(inside))
            if path == each.path:
                place = editor.span(each.node)[0]
                editor.replace_between(place, place + len("async "), "")
            changed[path] = editor.result()
        after = with_texts(sources, changed)
        yield Change("became sync", each.place, f"{each.place} is not awaited any more", after)


def _ends_in(function: ast.expr, name: str) -> bool:
    return name in (getattr(function, "id", None), getattr(function, "attr", None))
