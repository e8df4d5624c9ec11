"""Finds test functions in a file by its syntax tree, and exchanges or removes them as text."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

import msgspec

from healer.editing.exchanging import Refused
from healer.editing.texts import rows

Function = ast.FunctionDef | ast.AsyncFunctionDef
_BLOCKS = ("body", "orelse", "finalbody", "handlers")


class Span(msgspec.Struct, frozen=True):
    """The rows of a function, from 0, the last one excluded, with its decorators; `alone` says that its block holds
    nothing else but words, so that it cannot be removed by itself."""

    first: int
    last: int
    indent: int
    alone: bool = False


def parsed(words: str) -> ast.Module:
    """The tree of a module. Raises Refused where it is no Python."""
    try:
        return ast.parse(words)
    except SyntaxError as error:
        raise Refused(f"it is no Python: {error.msg} in line {error.lineno}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise Refused(f"it is no Python that can be read: {error}") from error


def named_functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Each function of a module and of its classes with its name (`test_it`, `TestClass.test_it`), outer ones first.

    Those inside other functions are parts of these.
    """
    waiting: list[tuple[str, list[ast.stmt]]] = [("", tree.body)]
    while waiting:
        prefix, body = waiting.pop(0)
        for node in body:
            if isinstance(node, Function):
                yield prefix + node.name, node
            elif isinstance(node, ast.ClassDef):
                waiting.append((f"{prefix}{node.name}.", node.body))
            else:
                for name in _BLOCKS:
                    for part in getattr(node, name, []):
                        waiting.append((prefix, part.body if isinstance(part, ast.ExceptHandler) else [part]))


def named_classes(tree: ast.Module) -> Iterator[tuple[str, ast.ClassDef]]:
    """Each class at the top of a module, or inside such a class, with its name, outer ones first."""
    waiting: list[tuple[str, list[ast.stmt]]] = [("", tree.body)]
    while waiting:
        prefix, body = waiting.pop(0)
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield prefix + node.name, node
                waiting.append((f"{prefix}{node.name}.", node.body))


def with_function(words: str, name: str, source: str) -> str:
    """The text with another source for one function, at its own indentation.

    Raises Refused where the function is not there exactly once, or the source is not that one function.
    """
    tree = parsed(words)
    span = _span(tree, name)
    fresh = _function_source(source, name, span.indent)
    lines = rows(words)
    standing = lines[span.first : span.last]
    if standing and not standing[-1].endswith(("\n", "\r")):
        fresh = fresh.rstrip("\n")
    return "".join([*lines[: span.first], fresh, *lines[span.last :]])


def without_functions(words: str, names: Collection[str]) -> str:
    """The text without some functions or classes, and without a class that then holds none of them.

    A name that does not occur was removed before. Raises Refused where one occurs twice.
    """
    for name in names:
        tree = parsed(words)
        is_class = any(each == name for each, _ in named_classes(tree))
        if not is_class and not any(each == name for each, _ in named_functions(tree)):
            continue
        span = _class_span(tree, name) if is_class else _span(tree, name)
        if span.alone and "." in name:
            span = _class_span(tree, name.rpartition(".")[0])
        elif span.alone:
            raise Refused(f"{name} is all that its block holds")
        lines = rows(words)
        first = _with_comments(lines, span)
        after = lines[span.last :]
        while after and not after[0].strip() and (first == 0 or not lines[first - 1].strip()):
            after.pop(0)
        words = "".join([*lines[:first], *after])
        if not after:
            words = words.rstrip() + "\n" if words.strip() else ""
    return words


def _span(tree: ast.Module, name: str) -> Span:
    found = [node for each, node in named_functions(tree) if each == name]
    if len(found) != 1:
        raise Refused(f"the function {name} occurs {len(found)} times instead of once")
    return _span_of(found[0], _block_of(tree, found[0]))


def _class_span(tree: ast.Module, name: str) -> Span:
    body: list[ast.stmt] = tree.body
    for part in name.split("."):
        found = next((node for node in body if isinstance(node, ast.ClassDef) and node.name == part), None)
        if found is None:
            raise Refused(f"the class {name} is not at the top of the file")
        block, body = body, found.body
    assert found is not None, "a name has parts"
    return _span_of(found, block)


def _span_of(node: Function | ast.ClassDef, block: list[ast.stmt]) -> Span:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    last = node.end_lineno or node.lineno
    for other in block:
        if other is not node and first <= (other.end_lineno or other.lineno) and other.lineno <= last:
            raise Refused(f"{node.name} shares a line with something else")
    alone = all(other is node or _is_words(other) for other in block)
    return Span(first - 1, last, node.col_offset, alone)


def _block_of(tree: ast.Module, wanted: ast.AST) -> list[ast.stmt]:
    """The statements among which one stands."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and any(each is wanted for each in block):
                return block
    return []


def _is_words(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _function_source(source: str, name: str, indent: int) -> str:
    """The source of one function at an indentation; lines inside its texts stay as they are."""
    source = source.strip("\n") + "\n"
    lead = len(source) - len(source.lstrip(" \t"))
    first_line = source.split("\n", 1)[0]
    if "\t" in first_line[:lead]:
        raise Refused("the function is indented by tabs")
    wrapped = f"if True:\n{source}" if lead else source
    tree = parsed(wrapped)
    body = (
        tree.body[0].body if lead and isinstance(tree.body[0], ast.If) and len(tree.body) == 1 else tree.body
    )
    if len(body) != 1 or not isinstance(body[0], Function) or body[0].name != name.rpartition(".")[2]:
        raise Refused(f"what is given is not the one function {name}")
    inside = _rows_inside_texts(body[0])
    shift = indent - lead
    done = []
    for number, line in enumerate(rows(source), start=2 if lead else 1):
        if number in inside or not line.strip():
            done.append(line)
        elif shift >= 0:
            done.append(" " * shift + line)
        else:
            done.append(line[-shift:] if not line[:-shift].strip() else line.lstrip(" "))
    return "".join(done)


def _rows_inside_texts(function: Function) -> set[int]:
    """The numbers of the lines that begin inside a text of several lines."""
    inside: set[int] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        ):
            inside.update(range(node.lineno + 1, (node.end_lineno or node.lineno) + 1))
    return inside


def _with_comments(lines: list[str], span: Span) -> int:
    """The first row of a function with the comments right above it."""
    first = span.first
    while first > 0 and lines[first - 1].startswith(" " * span.indent + "#"):
        first -= 1
    return first
