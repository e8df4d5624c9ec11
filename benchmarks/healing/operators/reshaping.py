"""Interfaces of another shape: methods and functions in each other's place, options in one object, attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from random import Random

from benchmarks.healing.editing import Editor, after_imports, lines_of
from benchmarks.healing.operators.calls import Called, called, calls, with_texts
from benchmarks.healing.operators.renaming import other_name
from benchmarks.healing.sources import (
    BUILTIN,
    Change,
    Definition,
    FunctionNode,
    Sources,
    bound,
    definitions,
    is_mentioned,
    parse,
    unique,
)

_FEWEST = 2


def method_to_function(sources: Sources, random: Random) -> Iterator[Change]:
    """A method is a function of its module now, which is given the object."""
    found = [each for each in unique(sources) if each.kind == "method"]
    for each in random.sample(found, len(found)):
        node, owner = each.node, each.owner
        if not isinstance(node, ast.FunctionDef) or owner is None or not _is_plain_method(node):
            continue
        if owner not in parse(sources.code[each.path]).body:
            continue
        changed = {}
        for path, text in {**sources.code, **sources.tests}.items():
            editor = Editor(text)
            count = sum(_given_object(editor, call, each.name) for call in calls(text, each.name))
            if path == each.path:
                _take_out(editor, text, node, owner)
            elif count:
                editor.insert_line(after_imports(text), _import(sources, each))
            changed[path] = editor.result()
        words = f"{each.place} is a function of {sources.module(each.path)} now"
        yield Change("method to function", each.place, words, with_texts(sources, changed))


def _is_plain_method(node: ast.FunctionDef) -> bool:
    text = ast.unparse(node)
    is_bound = bool(node.args.args) and node.args.args[0].arg == "self" and not node.decorator_list
    return is_bound and "super()" not in text and "__" not in text


def _given_object(editor: Editor, call: ast.Call, name: str) -> bool:
    if not isinstance(call.func, ast.Attribute):
        return False
    begin, end = editor.span(call.func)
    given = editor.source(call.func.value)
    comma = ", " if call.args or call.keywords else ""
    editor.replace_between(begin, end + 1, f"{name}({given}{comma}")
    return True


def _take_out(editor: Editor, text: str, node: ast.FunctionDef, owner: ast.ClassDef) -> None:
    first, last = lines_of(node)
    lines = text.splitlines(keepends=True)[first - 1 : last]
    depth = node.col_offset
    moved = "".join(line[depth:] if line[:depth].isspace() else line for line in lines)
    if owner.body == [node]:
        editor.replace_between(editor.offset(first, depth), editor.span(node)[1], "pass")
    else:
        editor.remove_lines(first, last)
    end = editor.offset(lines_of(owner)[1], 0) + len(
        text.splitlines(keepends=True)[lines_of(owner)[1] - 1].encode()
    )
    editor.replace_between(end, end, f"\n\n{moved}\n")


def _import(sources: Sources, each: Definition) -> str:
    return f"from {sources.module(each.path)} import {each.name}"


def function_to_method(sources: Sources, random: Random) -> Iterator[Change]:
    """A function whose first parameter is of a class of its module is a method of that class now."""
    found = [each for each in unique(sources) if each.kind == "function"]
    for each in random.sample(found, len(found)):
        node = each.node
        if not isinstance(node, ast.FunctionDef) or node.decorator_list or not node.args.args:
            continue
        owner = _class_of(sources, each.path, node.args.args[0])
        if owner is None or is_mentioned(_others(sources, each), each.name):
            continue
        changed = {}
        for path, text in {**sources.code, **sources.tests}.items():
            editor = Editor(text)
            done = [_on_object(editor, call) for call in calls(text, each.name)]
            if not all(done):
                break
            if path == each.path:
                _take_in(editor, text, node, owner)
            else:
                _without_import(editor, text, each.name)
            changed[path] = editor.result()
        else:
            words = f"{each.place} is a method of {owner.name} now"
            yield Change("function to method", each.place, words, with_texts(sources, changed))


def _others(sources: Sources, each: Definition) -> dict[str, str]:
    return {path: text for path, text in sources.code.items() if path != each.path}


def _class_of(sources: Sources, path: str, argument: ast.arg) -> ast.ClassDef | None:
    wanted = ast.unparse(argument.annotation).strip("'\"") if argument.annotation else ""
    body = parse(sources.code[path]).body
    return next((node for node in body if isinstance(node, ast.ClassDef) and node.name == wanted), None)


def _on_object(editor: Editor, call: ast.Call) -> bool:
    if not call.args or isinstance(call.args[0], ast.Starred):
        return False
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    first = call.args[0]
    given = editor.source(first)
    shown = given if isinstance(first, ast.Name | ast.Attribute | ast.Call | ast.Subscript) else f"({given})"
    rest: list[ast.expr | ast.keyword] = [*call.args[1:], *call.keywords]
    end = editor.span(rest[0])[0] if rest else editor.span(call)[1] - 1
    editor.replace_between(editor.span(call)[0], end, f"{shown}.{name}(")
    return True


def _take_in(editor: Editor, text: str, node: ast.FunctionDef, owner: ast.ClassDef) -> None:
    first, last = lines_of(node)
    inner = Editor(text)
    old = node.args.args[0]
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id == old.arg:
            inner.replace(each, "self")
    inner.replace(old, "self")
    moved = inner.result().splitlines(keepends=True)[first - 1 : last]
    editor.remove_lines(first, last)
    after = lines_of(owner)[1] + 1
    editor.insert_line(
        after, "\n" + "".join(f"    {line}" if line.strip() else line for line in moved).rstrip("\n")
    )


def _without_import(editor: Editor, text: str, name: str) -> None:
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names):
            kept = [alias for alias in node.names if alias.name != name]
            left = ast.unparse(ast.ImportFrom(node.module, kept, node.level)) if kept else "pass"
            editor.replace(node, left)


def options(sources: Sources, random: Random) -> Iterator[Change]:
    """Optional parameters of a function are the fields of one object now."""
    for each in called(sources, random):
        chosen = _optional(each)
        names = [argument.arg for argument in chosen]
        if len(chosen) < _FEWEST or not _are_read_only(each.node, names) or each.node.args.vararg:
            continue
        path, title = each.definition.path, each.name.strip("_").title().replace("_", "") + "Options"
        changed, count = {}, 0
        for where, text in {**sources.code, **sources.tests}.items():
            editor = Editor(text)
            done = [_regrouped(editor, each, call, names, title) for call in calls(text, each.name)]
            if None in done:
                break
            if where == path:
                _with_options(editor, each, chosen, title)
            elif any(done):
                editor.insert_line(after_imports(text), f"from {sources.module(path)} import {title}")
            count += any(done) and where in sources.tests
            changed[where] = editor.result()
        else:
            if count:
                words = f"{', '.join(names)} of {each.definition.place} are fields of {title} now"
                yield Change("options object", each.definition.place, words, with_texts(sources, changed))


def _optional(each: Called) -> list[ast.arg]:
    """The last optional parameters, whose defaults are plain values."""
    every = [*each.own, *each.node.args.kwonlyargs]
    if each.node.args.kwonlyargs or each.node.args.kwarg:
        return []
    return [argument for argument in every if isinstance(each.default(argument.arg), ast.Constant)]


def _are_read_only(node: FunctionNode, names: list[str]) -> bool:
    return not any(
        (isinstance(each, ast.Name) and each.id in names and not isinstance(each.ctx, ast.Load))
        or (isinstance(each, FunctionNode | ast.Lambda) and each is not node)
        or (isinstance(each, ast.Name) and each.id in ("locals", "options"))
        for each in ast.walk(node)
    )


def _regrouped(editor: Editor, each: Called, call: ast.Call, names: list[str], title: str) -> bool | None:
    """Whether a call gave some of the options; None where it cannot be told."""
    own = [argument.arg for argument in each.own]
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return None
    placed = [(own[n], value) for n, value in enumerate(call.args) if n < len(own) and own[n] in names]
    keyed = [(str(k.arg), k.value) for k in call.keywords if k.arg in names]
    if not placed and not keyed:
        return False
    kept = [editor.source(a) for n, a in enumerate(call.args) if n >= len(own) or own[n] not in names]
    kept += [editor.source(k) for k in call.keywords if k.arg not in names]
    inside = ", ".join(f"{name}={editor.source(value)}" for name, value in (*placed, *keyed))
    function = editor.source(call.func)
    editor.replace(call, f"{function}({', '.join([*kept, f'options={title}({inside})'])})")
    return True


def _with_options(editor: Editor, each: Called, chosen: list[ast.arg], title: str) -> None:
    names = {argument.arg for argument in chosen}
    fields = []
    for argument in chosen:
        default = each.default(argument.arg)
        assert default is not None, "chosen by it"
        type_ = editor.source(argument.annotation) if argument.annotation else "object"
        fields.append(f"    {argument.arg}: {type_} = {editor.source(default)}")
    for node in ast.walk(each.node):
        if isinstance(node, ast.Name) and node.id in names:
            editor.replace(node, f"options.{node.id}")
    last = each.default(chosen[-1].arg)
    assert last is not None, "chosen by it"
    editor.replace_between(editor.span(chosen[0])[0], editor.span(last)[1], f"options={title}()")
    place = lines_of(each.definition.owner or each.node)[0]
    lines = [
        "import dataclasses",
        "",
        "",
        "@dataclasses.dataclass(frozen=True)",
        f"class {title}:",
        *fields,
        "",
        "",
    ]
    editor.insert_line(place, "\n".join(lines))


def rename_instance_attribute(sources: Sources, random: Random) -> Iterator[Change]:
    """An attribute that instances are given in `__init__` has another name."""
    found = sorted(
        {
            (path, each.owner.name if each.owner else "", target.attr)
            for each in definitions(sources)
            if each.name == "__init__" and (path := each.path)
            for node in ast.walk(each.node)
            if isinstance(node, ast.Assign | ast.AnnAssign)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self"
        }
    )
    defined = {each.name for each in definitions(sources)}
    for _, owner, name in random.sample(found, len(found)):
        if name in defined | BUILTIN or not is_mentioned(sources.tests, name):
            continue
        if sum(found_name == name for _, _, found_name in found) != 1:
            continue
        new = other_name(name, random)
        if any(bound(text)[new] for text in sources.code.values()):
            continue
        changed = {}
        for path, text in {**sources.code, **sources.tests}.items():
            editor = Editor(text)
            for node in ast.walk(parse(text)):
                if isinstance(node, ast.Attribute) and node.attr == name:
                    editor.replace_end(node, name, new)
            changed[path] = editor.result()
        words = f"the attribute {name} of {owner} is {new} now"
        yield Change("instance attribute renamed", f"{owner}.{name}", words, with_texts(sources, changed))
