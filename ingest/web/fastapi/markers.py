"""FastAPI's markers, which say what a parameter is taken from: `Query(…)`, `Body(…)`, `Depends(…)`, …"""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.constants.constants import constant
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape
from ingest.web.program.targets import External, FunctionTarget, ValueTarget
from ingest.web.syntax.bindings import parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.values.as_told import told_by
from ingest.web.values.instances import returned

PLACES: Final = {"Query": "query", "Path": "path", "Header": "header", "Cookie": "cookie"}
"""The markers of single parameters, with the part of the request that each names."""
_MARKERS = frozenset({*PLACES, "Body", "Form", "File", "Depends", "Security"})
_DEPTH = 20


class Markers:
    """Finds them in the expressions of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def name(self, node: ast.expr | None, scope: Scope) -> str:
        """The name of FastAPI's marker that an expression calls (`Query`, `Depends`), else an empty string."""
        if not isinstance(node, ast.Call):
            return ""
        target = self.program.resolve(node.func, scope)
        known = isinstance(target, External) and target.root == "fastapi" and target.name in _MARKERS
        return target.name if known and isinstance(target, External) else ""

    def of(
        self, shape: Shape | None, default: ast.expr | None, scope: Scope
    ) -> tuple[ast.expr | None, Scope]:
        """The marker of a parameter and its scope: the default, else the last in the annotation; None where none is."""
        written = [(node, inner) for node, inner in reversed(shape.metadata if shape is not None else ())]
        for node, inner in [*([(default, scope)] if default is not None else []), *written]:
            found, place = self.unfolded(node, inner)
            if self.name(found, place):
                return found, place
        return None, scope

    def unfolded(self, node: ast.expr, scope: Scope, depth: int = 0) -> tuple[ast.expr, Scope]:
        """What a name is bound to, or a function of the project gives back, where that is one expression."""
        target = self.program.resolve(node, scope) if isinstance(node, ast.Name) else None
        if isinstance(target, ValueTarget) and target.node is not None:
            node, scope = target.node, target.scope
        if not isinstance(node, ast.Call) or depth > _DEPTH or self.name(node, scope):
            return node, scope
        made = self.program.resolve(node.func, scope)
        results = returned(made) if isinstance(made, FunctionTarget) else []
        if not isinstance(made, FunctionTarget) or len(results) != 1:
            return node, scope
        value, inner = results[0]
        takes = made.node.args.vararg is not None or any(parameters(made.node))
        if takes and not has_stars(node) and inner.node is made.node:
            inner = inner.told(told_by(self.program, made, node, scope))
        return self.unfolded(value, inner, depth + 1)

    def keeps_underscores(self, call: ast.Call, scope: Scope) -> bool:
        """Whether a `Header(…)` says that `_` in its name stays `_`."""
        written = argument(call, None, "convert_underscores")
        return written is not None and constant(self.program, written, scope) is False
