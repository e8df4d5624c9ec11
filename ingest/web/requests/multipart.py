"""What aiohttp's handlers take of a form that they read part by part: `async for part in await request.multipart()`."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import msgspec

from ingest.web.constants.constants import constant
from ingest.web.program.program import Program
from ingest.web.syntax.scopes import Scope


class Parts(msgspec.Struct, frozen=True):
    """The names of the parts that code asks for, and whether it takes others too."""

    names: dict[str, ast.AST]
    open: bool


def parts_read(
    program: Program, reader: ast.AST, parents: Mapping[ast.AST, ast.AST], scope: Scope
) -> Parts | None:
    """The parts that are taken of what reads a form, which an expression makes; None where that cannot be followed."""
    outer = parents.get(reader)
    whole = outer if isinstance(outer, ast.Await) else reader
    held = parents.get(whole)
    names: set[str] = set()
    if isinstance(held, ast.Assign) and len(held.targets) == 1 and isinstance(held.targets[0], ast.Name):
        # Statements of the function itself have nothing around them.
        every = {*parents, *parents.values()}
        names = {name for node in every if (name := _part(node, held.targets[0].id)) is not None}
    elif isinstance(held, ast.AsyncFor) and isinstance(held.target, ast.Name):
        names = {held.target.id}
    return _asked(program, names, parents, scope) if names else None


def _part(node: ast.AST, reader: str) -> str | None:
    """The name that is given to one part of what is read: `part = await reader.next()`."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Await(value=ast.Call(func=function)))
            | ast.NamedExpr(target=ast.Name(id=name), value=ast.Await(value=ast.Call(func=function)))
        ):
            match function:
                case ast.Attribute(value=ast.Name(id=held), attr="next") if held == reader:
                    return name
        case ast.AsyncFor(target=ast.Name(id=name), iter=ast.Name(id=held)) if held == reader:
            return name
    return None


def _asked(program: Program, parts: set[str], parents: Mapping[ast.AST, ast.AST], scope: Scope) -> Parts:
    found: dict[str, ast.AST] = {}
    open_to_others = False
    for node in parents:
        match node:
            case ast.Attribute(value=ast.Name(id=held), attr="name") if held in parts:
                told = _compared(program, node, parents.get(node), scope)
                open_to_others = open_to_others or told is None
                found.update(dict.fromkeys(told or (), node))
    return Parts(found, open_to_others or not found)


def _compared(program: Program, node: ast.AST, outer: ast.AST | None, scope: Scope) -> list[str] | None:
    """The texts that the name of a part is held against; None where something else is done with it."""
    if not isinstance(outer, ast.Compare) or len(outer.ops) != 1:
        return None
    other = outer.comparators[0] if outer.left is node else outer.left
    value = constant(program, other, scope)
    values = value if isinstance(value, list) else [value]
    texts = [each for each in values if isinstance(each, str)]
    return texts if len(texts) == len(values) else None
