"""aiohttp-pydantic: views whose methods are given what their signature asks for, checked by Pydantic before."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.constants.constants import Missing, constant
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, FunctionTarget, Target
from ingest.web.records.operations import Body, Operation, Parameter, Response
from ingest.web.schemas.model_fields import Family
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of

_PACKAGES = frozenset({"aiohttp_pydantic"})
_MISTAKES: Schema = {"type": "array", "items": {"type": "object"}}
Taken = tuple[ast.arg, ast.expr | None]


class PydanticViews:
    """Reads the methods of such views of one program."""

    def __init__(self, program: Program, models: Models) -> None:
        self.program = program
        self.models = models

    def is_view(self, target: Target | None) -> bool:
        """Whether this is such a view."""
        return self.program.is_a(target, _PACKAGES, {"PydanticView"})

    def take(self, operation: Operation, handler: FunctionTarget) -> None:
        """Fills in what the signature of a method takes: what stands in the path before the `/`, models that are the
        body, the query, and headers behind the `*`. What does not fit is answered with 400."""
        if not isinstance(handler.node, Function):
            return
        scope, place = handler.scope, self.program.place(handler.node, handler.scope)
        path, rest, named = _split(handler.node)
        found: list[Parameter] = []
        for argument, _ in path:
            found.append(Parameter("path", argument.arg, True, self._schema(argument, None, scope), place))
        for argument, default in rest:
            held = self._classes(argument, scope)
            if held and all(self.models.family(each) is Family.PYDANTIC for each in held):
                operation.bodies = [
                    Body("application/json", default is None, self._body(argument, scope), place)
                ]
            elif len(held) == 1 and self.program.is_a(held[0], _PACKAGES, {"Group"}):
                found += self._group("query", held[0])
            else:
                found.append(self._parameter("query", argument, default, scope, place))
        for argument, default in named:
            held = self._classes(argument, scope)
            if len(held) == 1 and self.program.is_a(held[0], _PACKAGES, {"Group"}):
                found += self._group("header", held[0])
            else:
                found.append(self._parameter("header", argument, default, scope, place))
        typed = {parameter.key for parameter in found}
        operation.parameters = [*(p for p in operation.parameters if p.key not in typed), *found]
        if found or operation.bodies:
            operation.responses.append(Response("400", "framework", place, {"application/json": _MISTAKES}))

    def _classes(self, argument: ast.arg, scope: Scope) -> list[ClassTarget]:
        """The classes that an annotation names; none where it names anything else as well."""
        if argument.annotation is None:
            return []
        members = shape_of(self.program, argument.annotation, scope).members
        found = [each.target for each in members if each.kind is ShapeKind.CLASS]
        known = [each for each in found if isinstance(each, ClassTarget)]
        return known if len(known) == len(members) else []

    def _body(self, argument: ast.arg, scope: Scope) -> Schema:
        assert argument.annotation is not None, "a model was named"
        return self.models.schema(_bare(shape_of(self.program, argument.annotation, scope)))

    def _group(self, where: str, group: ClassTarget) -> Iterator[Parameter]:
        """The parameters that a class stands for."""
        for statement in group.node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                named = ast.copy_location(ast.arg(statement.target.id, statement.annotation), statement)
                place = self.program.place(statement, group.scope)
                yield self._parameter(where, named, statement.value, group.body, place)

    def _parameter(
        self, where: str, argument: ast.arg, default: ast.expr | None, scope: Scope, place: Location
    ) -> Parameter:
        name = argument.arg.replace("_", "-") if where == "header" else argument.arg
        schema = self._schema(argument, default, scope)
        return Parameter(
            where, name, None if isinstance(default, ast.Call) else default is None, schema, place
        )

    def _schema(self, argument: ast.arg, default: ast.expr | None, scope: Scope) -> Schema:
        if isinstance(default, ast.Call):
            return unknown("the default says more of the value")
        if argument.annotation is None:
            return {"type": "string"}
        schema = self.models.schema(_bare(shape_of(self.program, argument.annotation, scope)))
        value = constant(self.program, default, scope) if default is not None else None
        return schema if value is None or isinstance(value, Missing) else {**schema, "default": value}


def _split(node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[list[Taken], list[Taken], list[Taken]]:
    """The arguments but `self`: those by position alone, those by either, and those by name alone."""
    first, both = node.args.posonlyargs, node.args.args
    listed = [*first, *both]
    defaults = [*([None] * (len(listed) - len(node.args.defaults))), *node.args.defaults]
    pairs = list(zip(listed, defaults, strict=True))
    whole = pairs[: len(first)], pairs[len(first) :]
    path, rest = (whole[0][1:], whole[1]) if first else ([], whole[1][1:])
    return path, rest, list(zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True))


def _bare(shape: Shape) -> Shape:
    """The shape without None, which stands for what is left out."""
    members = shape.members
    return members[0] if len(members) == 1 else shape
