"""Generic classes: what they are called with their arguments, and what their type variables stand for."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind, unknown_shape
from ingest.web.program.targets import ClassTarget, External, unsubscripted
from ingest.web.values.annotations import shape_of

_DEPTH = 8
_UNNAMED = re.compile(r"[^a-zA-Z0-9.\-_]")


def generic_name(shape: Shape) -> str:
    """The name that Pydantic gives to a generic class with these arguments; empty where one has no plain name."""
    names = [_title(part) for part in shape.arguments]
    return _UNNAMED.sub("_", f"{_title(shape, False)}[{', '.join(names)}]") if all(names) else ""


def _title(shape: Shape, whole: bool = True) -> str:
    if isinstance(shape.target, ClassTarget):
        name = shape.target.node.name
        if not shape.arguments or not whole:
            return name
        inner = [_title(part) for part in shape.arguments]
        return f"{name}[{', '.join(inner)}]" if all(inner) else ""
    plain = shape.kind is ShapeKind.SCALAR and isinstance(shape.target, External)
    return shape.target.name if plain and isinstance(shape.target, External) else ""


def type_variables(program: Program, target: ClassTarget, arguments: tuple[Shape, ...]) -> dict[str, Shape]:
    """Which type each type variable of a generic class stands for."""
    if program.is_a(target, {"sqlmodel"}, {"SQLModel"}):
        # Its metaclass puts no argument for a variable: the field keeps the bound of it, or anything.
        arguments = tuple(unknown_shape("SQLModel gives type variables no type") for _ in arguments)
    names: list[str] = []
    for base in target.node.bases:
        if isinstance(base, ast.Subscript):
            nodes = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
            generic = program.resolve(base.value, target.scope)
            if isinstance(generic, External) and generic.name in ("Generic", "Protocol"):
                return {n.id: a for n, a in zip(nodes, arguments, strict=False) if isinstance(n, ast.Name)}
            names.extend(n.id for n in nodes if isinstance(n, ast.Name) and n.id not in names)
    return dict(zip(names, arguments, strict=False))


def type_arguments(
    program: Program, base: ast.expr, target: ClassTarget, variables: Mapping[str, Shape]
) -> tuple[Shape, ...]:
    """What a base class is given in brackets where another class names it."""
    if not isinstance(base, ast.Subscript):
        return ()
    nodes = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
    return tuple(shape_of(program, node, target.scope, variables) for node in nodes)


def variables_in(
    program: Program,
    owner: ClassTarget,
    holder: ClassTarget,
    variables: Mapping[str, Shape] | None = None,
    depth: int = 0,
) -> dict[str, Shape]:
    """What the type variables of a class stand for in one that inherits it: `Shelf` in `class Shelves(Rows[Shelf])`."""
    for base in owner.node.bases if depth < _DEPTH else ():
        above = program.resolve(unsubscripted(base), owner.scope)
        if not isinstance(above, ClassTarget) or above.node is owner.node:
            continue
        given = type_variables(program, above, type_arguments(program, base, owner, variables or {}))
        if above.node is holder.node:
            return given
        if found := variables_in(program, above, holder, given, depth + 1):
            return found
    return {}
