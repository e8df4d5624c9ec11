"""Parameters that have another name, order or kind, are gone, or must be given."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from random import Random

from benchmarks.healing.editing import Editor
from benchmarks.healing.operators.calls import Called, called, calls, with_texts
from benchmarks.healing.operators.renaming import other_name
from benchmarks.healing.sources import Change, FunctionNode, Sources


def rename_parameter(sources: Sources, random: Random) -> Iterator[Change]:
    """A parameter that tests pass by keyword has another name."""
    for each in called(sources, random):
        for argument in [*each.own, *each.node.args.kwonlyargs]:
            old = argument.arg
            if not _is_passed_by_keyword(sources, each, old) or _has_nested(each.node):
                continue
            new = other_name(old, random)
            changed = {}
            for path, text in {**sources.code, **sources.tests}.items():
                editor = Editor(text)
                for call in calls(text, each.name):
                    for keyword in call.keywords:
                        if keyword.arg == old:
                            editor.replace_start(keyword, old, new)
                if path == each.definition.path:
                    _rename_inside(editor, each.node, old, new)
                changed[path] = editor.result()
            words = f"{old} of {each.definition.place} is {new} now"
            yield Change("parameter renamed", _subject(each, old), words, with_texts(sources, changed))


def _rename_inside(editor: Editor, node: FunctionNode, old: str, new: str) -> None:
    for each in ast.walk(node):
        match each:
            case ast.arg(arg=name) if name == old:
                editor.replace_start(each, old, new)
            case ast.Name(id=name) if name == old:
                editor.replace(each, new)
    docstring = node.body[0]
    if isinstance(docstring, ast.Expr) and isinstance(docstring.value, ast.Constant):
        source = editor.source(docstring.value)
        editor.replace(docstring.value, re.sub(rf"(?<![\w.]){re.escape(old)}(?![\w])", new, source))


def reorder(sources: Sources, random: Random) -> Iterator[Change]:
    """Two neighbouring parameters that tests pass by position are swapped."""
    for each in called(sources, random):
        own = each.own
        for index in range(len(own) - 1):
            first, second = own[index], own[index + 1]
            if (each.default(first.arg) is None) != (each.default(second.arg) is None):
                continue
            if each.node.args.posonlyargs or each.node.args.vararg:
                continue
            changed = {}
            for path, text in {**sources.code, **sources.tests}.items():
                editor = Editor(text)
                for call in calls(text, each.name):
                    _swap(editor, call, index, first.arg)
                if path == each.definition.path:
                    _swap_parameters(editor, each, first, second)
                changed[path] = editor.result()
            words = f"{second.arg} comes before {first.arg} in {each.definition.place} now"
            after = with_texts(sources, changed)
            yield Change("parameters reordered", _subject(each, first.arg), words, after)


def _swap_parameters(editor: Editor, each: Called, first: ast.arg, second: ast.arg) -> None:
    one, other = each.default(first.arg), each.default(second.arg)
    begin = editor.span(first)[0]
    middle = editor.span(one if one is not None else first)[1]
    start = editor.span(second)[0]
    end = editor.span(other if other is not None else second)[1]
    left, right = editor._bytes[begin:middle].decode(), editor._bytes[start:end].decode()
    editor.replace_between(begin, middle, right)
    editor.replace_between(start, end, left)


def _swap(editor: Editor, call: ast.Call, index: int, name: str) -> None:
    if any(isinstance(each, ast.Starred) for each in call.args[: index + 2]):
        return
    if len(call.args) > index + 1:
        one, other = call.args[index], call.args[index + 1]
        one_text, other_text = editor.source(one), editor.source(other)
        editor.replace(one, other_text)
        editor.replace(other, one_text)
    elif len(call.args) == index + 1:
        # What follows by keyword may stand where it stood; the one that was first has to be named.
        editor.replace(call.args[index], f"{name}={editor.source(call.args[index])}")


def keyword_only(sources: Sources, random: Random) -> Iterator[Change]:
    """A parameter that tests pass by position, and those behind it, can only be passed by keyword."""
    for each in called(sources, random):
        own = each.own
        arguments = each.node.args
        if arguments.vararg or arguments.kwonlyargs or arguments.posonlyargs:
            continue
        for index in range(1 if len(own) > 1 else 0, len(own)):
            names = [argument.arg for argument in own]
            changed = {}
            touched = 0
            for path, text in {**sources.code, **sources.tests}.items():
                editor = Editor(text)
                for call in calls(text, each.name):
                    if any(isinstance(argument, ast.Starred) for argument in call.args):
                        continue
                    for number in range(index, min(len(call.args), len(names))):
                        argument = call.args[number]
                        editor.replace(argument, f"{names[number]}={editor.source(argument)}")
                        touched += path in sources.tests
                if path == each.definition.path:
                    begin = editor.span(own[index])[0]
                    editor.replace_between(begin, begin, "*, ")
                changed[path] = editor.result()
            if touched:
                words = f"{names[index]} of {each.definition.place} is passed by keyword only now"
                after = with_texts(sources, changed)
                yield Change("parameter keyword-only", _subject(each, names[index]), words, after)


def remove(sources: Sources, random: Random) -> Iterator[Change]:
    """An optional parameter is gone; the function does what it did by default."""
    for each in called(sources, random):
        for argument in each.own[1:]:
            default = each.default(argument.arg)
            if not isinstance(default, ast.Constant) or not _is_passed_by_keyword(
                sources, each, argument.arg
            ):
                continue
            changed = {}
            for path, text in {**sources.code, **sources.tests}.items():
                editor = Editor(text)
                for call in calls(text, each.name):
                    for keyword in call.keywords:
                        if keyword.arg == argument.arg:
                            _cut(editor, *editor.span(keyword))
                if path == each.definition.path:
                    _cut(editor, editor.span(argument)[0], editor.span(default)[1])
                    first = _first_statement(each.node)
                    line = f"{' ' * first.col_offset}{argument.arg} = {editor.source(default)}"
                    editor.insert_line(first.lineno, line)
                changed[path] = editor.result()
            words = f"{each.definition.place} has no parameter {argument.arg} any more"
            after = with_texts(sources, changed)
            yield Change("parameter removed", _subject(each, argument.arg), words, after)


def require(sources: Sources, random: Random) -> Iterator[Change]:
    """A parameter has no default any more: who relied on it passes that value."""
    for each in called(sources, random):
        own = each.own
        index = next((i for i, argument in enumerate(own) if each.default(argument.arg) is not None), None)
        if index is None or each.node.args.vararg:
            continue
        name = own[index].arg
        default = each.default(name)
        if not isinstance(default, ast.Constant):
            continue
        changed = {}
        touched = 0
        for path, text in {**sources.code, **sources.tests}.items():
            editor = Editor(text)
            for call in calls(text, each.name):
                is_given = len(call.args) > index or any(k.arg in (name, None) for k in call.keywords)
                if is_given or any(isinstance(argument, ast.Starred) for argument in call.args):
                    continue
                given = f"{name}={editor.source(default) if path == each.definition.path else ast.unparse(default)}"
                end = editor.span(call)[1] - 1
                inside = editor._bytes[editor.span(call.func)[1] + 1 : end].decode()
                comma = ", " if (call.args or call.keywords) and not inside.rstrip().endswith(",") else ""
                editor.replace_between(end, end, comma + given)
                touched += path in sources.tests
            if path == each.definition.path:
                editor.replace_between(editor.span(own[index])[1], editor.span(default)[1], "")
            changed[path] = editor.result()
        if touched:
            words = f"{name} of {each.definition.place} must be given now"
            after = with_texts(sources, changed)
            yield Change("parameter required", _subject(each, name), words, after)


def _cut(editor: Editor, begin: int, end: int) -> None:
    """Take out one item of a list, with the comma before it (or behind it)."""
    text = editor._bytes
    start = begin
    while text[start - 1 : start].isspace():
        start -= 1
    if text[start - 1 : start] == b",":
        editor.replace_between(start - 1, end, "")
        return
    while text[end : end + 1] in (b",", b" "):
        end += 1
    editor.replace_between(begin, end, "")


def _first_statement(node: FunctionNode) -> ast.stmt:
    is_docstring = isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
    return node.body[1] if is_docstring and len(node.body) > 1 else node.body[0]


def _is_passed_by_keyword(sources: Sources, each: Called, name: str) -> bool:
    return any(
        keyword.arg == name
        for text in sources.tests.values()
        for call in calls(text, each.name)
        for keyword in call.keywords
    )


def _has_nested(node: FunctionNode) -> bool:
    return any(isinstance(each, FunctionNode | ast.Lambda) for each in ast.walk(node) if each is not node)


def _subject(each: Called, name: str) -> str:
    return f"{each.definition.place}#{name}"
