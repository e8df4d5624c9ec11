"""Writes for each module of a package a stub that says what its code says: names, shapes, values, exceptions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.healing.sources import FunctionNode, Sources, parse

_CATCHES_ALL = frozenset({"NotImplementedError"})


def stubs(sources: Sources) -> dict[str, str]:
    """A stub beside each module, by path."""
    return {f"{path}i": stub(text) for path, text in sources.code.items() if not path.endswith("__main__.py")}


def stub(text: str) -> str:
    """The stub of one module. What stands under conditions is left out."""
    body = list(_statements(parse(text).body))
    return "\n".join(["from typing import Any", "", *body]) + "\n"


def _statements(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        match node:
            case ast.ImportFrom(module="__future__"):
                continue
            case ast.Import() | ast.ImportFrom():
                yield ast.unparse(_exporting(node))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield _function(node)
            case ast.ClassDef():
                yield _class(node)
            case _:
                yield from _value(node)


def _exporting(node: ast.Import | ast.ImportFrom) -> ast.stmt:
    """What a module takes from its neighbours it may pass on: a stub has to say so."""
    if isinstance(node, ast.Import) or not node.level:
        return node
    names = [
        ast.alias(each.name, each.asname or (each.name if each.name != "*" else None)) for each in node.names
    ]
    return ast.ImportFrom(node.module, names, node.level)


def _value(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            yield ast.unparse(node)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)) if _is_plain(value):
            yield f"{name}: {type(value).__name__} = {value!r}"
        case ast.Assign(targets=[ast.Name(id=name)]):
            yield f"{name}: Any"
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=value)) if _is_plain(value):
            yield f"{name}: {ast.unparse(node.annotation)} = {value!r}"
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield f"{name}: {ast.unparse(node.annotation)}"


def _is_plain(value: object) -> bool:
    return isinstance(value, bool | int | float | str | bytes)


def _class(node: ast.ClassDef) -> str:
    is_enum = any(ast.unparse(base).endswith(("Enum", "Flag")) for base in node.bases)
    bases = ", ".join(ast.unparse(each) for each in [*node.bases, *node.keywords])
    lines = [f"@{ast.unparse(each)}" for each in node.decorator_list]
    lines.append(f"class {node.name}({bases}):" if bases else f"class {node.name}:")
    inside = [ast.unparse(each) for each in node.body if is_enum and isinstance(each, ast.Assign)]
    inside += _statements([each for each in node.body if not (is_enum and isinstance(each, ast.Assign))])
    lines += [f"    {line}" for text in inside or ["..."] for line in text.splitlines()]
    return "\n".join(lines)


def _function(node: FunctionNode) -> str:
    lines = [f"@{ast.unparse(each)}" for each in node.decorator_list]
    returns = ast.unparse(node.returns) if node.returns is not None else _returned(node)
    arrow = f" -> {returns}" if returns else ""
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    lines.append(f"{word} {node.name}({_arguments(node.args)}){arrow}:")
    raised = [f":raises {name}: where it cannot go on" for name in raises(node)]
    summary = (
        (ast.get_docstring(node) or f"See {node.name}.").splitlines()[0].replace("\\", "").replace('"""', "")
    )
    lines += [
        f'    """{summary}',
        *([""] if raised else []),
        *(f"    {each}" for each in raised),
        '    """',
        "    ...",
    ]
    return "\n".join(lines)


def _arguments(arguments: ast.arguments) -> str:
    def plain(value: ast.expr | None) -> ast.expr | None:
        if value is None or isinstance(value, ast.Constant):
            return value
        return ast.Constant(...)

    every = ast.arguments(
        arguments.posonlyargs,
        arguments.args,
        arguments.vararg,
        arguments.kwonlyargs,
        [plain(each) for each in arguments.kw_defaults],
        arguments.kwarg,
        [each for default in arguments.defaults if (each := plain(default)) is not None],
    )
    return ast.unparse(every)


def _returned(node: FunctionNode) -> str:
    """The type of what a function returns, where each `return` shows the same builtin one."""
    shown = set()
    for each in ast.walk(node):
        if isinstance(each, FunctionNode | ast.Lambda | ast.Yield | ast.YieldFrom) and each is not node:
            return ""
        if isinstance(each, ast.Return):
            match each.value:
                case ast.List() | ast.ListComp():
                    shown.add("list[Any]")
                case ast.Tuple():
                    shown.add("tuple[Any, ...]")
                case ast.Call(func=ast.Name(id="tuple")):
                    shown.add("tuple[Any, ...]")
                case ast.Call(func=ast.Name(id="list")):
                    shown.add("list[Any]")
                case _:
                    return ""
    return shown.pop() if len(shown) == 1 else ""


def raises(node: FunctionNode) -> list[str]:
    """The names of the exceptions that a function raises outside of any `try`, each once, in order."""
    found: list[str] = []
    waiting: list[ast.AST] = list(reversed(node.body))
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Try | FunctionNode | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(each, ast.Raise) and each.exc is not None:
            raised = each.exc.func if isinstance(each.exc, ast.Call) else each.exc
            name = ast.unparse(raised)
            if name[:1].isupper() and name not in _CATCHES_ALL and name not in found:
                found.append(name)
        waiting += reversed(list(ast.iter_child_nodes(each)))
    return found
