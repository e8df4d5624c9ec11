"""Models as FastAPI answers with them: where routes leave out what is null, no answer promises null."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from graph.schema_algebra import Schema
from ingest.web.bindings import Function, parameters
from ingest.web.model_fields import Family
from ingest.web.models import Models
from ingest.web.modules import Module
from ingest.web.program import Program
from ingest.web.shapes import Shape

_OPTION = "response_model_exclude_none"


class FastApiModels(Models):
    """The models of a project; FastAPI exports null also where it is left out, so a contract may tell it or not."""

    def __init__(self, program: Program, modules: Iterable[Module]) -> None:
        super().__init__(program)
        self.leaves_out_null = any(_leaves_out(each, program.text(each.name)) for each in modules)

    def shown(self, schema: Schema, family: Family, shape: Shape) -> Schema:
        """See `Models.shown`."""
        if not self.leaves_out_null or family is not Family.PYDANTIC or not shape.nullable:
            return schema
        return {**schema, "x-implied": sorted({*schema.get("x-implied", ()), "null"})}


def _leaves_out(module: Module, text: str) -> bool:
    """Whether a call, or what a function of the project takes by default, may leave out what is null."""
    if _OPTION not in text:
        return False
    for node in ast.walk(module.tree):
        values: list[ast.expr | None] = []
        if isinstance(node, ast.keyword) and node.arg == _OPTION:
            values = [node.value]
        elif isinstance(node, Function):
            values = [default for argument, default in parameters(node) if argument.arg == _OPTION]
        if any(_may_hold(value) for value in values if value is not None):
            return True
    return False


def _may_hold(value: ast.expr) -> bool:
    handed_on = isinstance(value, ast.Name) and value.id == _OPTION
    return not handed_on and not (isinstance(value, ast.Constant) and value.value is False)
