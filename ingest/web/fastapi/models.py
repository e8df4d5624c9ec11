"""Models as FastAPI answers with them: where a route leaves out what is null, its models promise no null."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from graph.schema_algebra import Schema, implied
from ingest.web.constants.constants import constant
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape
from ingest.web.program.targets import ClassTarget, FunctionTarget, LoopTarget, ValueTarget
from ingest.web.routing.sites import Event
from ingest.web.schemas.facets import Facets
from ingest.web.schemas.model_fields import Family
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope

_OPTION = "response_model_exclude_none"
_MOST = 2000


class FastApiModels(Models):
    """The models of a project; FastAPI exports null also where it is left out, so a contract may tell it or not."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.all_leave_out_null = False
        self.leaving_out_null: set[ast.ClassDef] = set()

    def answer(self, modules: Iterable[Module], events: Iterable[Event]) -> None:
        """Notes which models leave out what is null: those of the routes that say so, and all of them where something
        else than a route's own call may say it, such as the default of a function."""
        told: set[ast.keyword] = set()
        for event in events:
            for keyword in event.call.keywords:
                if keyword.arg == _OPTION:
                    told.add(keyword)
                    self._of_route(event, keyword.value)
        self.all_leave_out_null |= any(
            _leaves_out(each, self.program.text(each.name), told) for each in modules
        )

    def _of_route(self, event: Event, option: ast.expr) -> None:
        if constant(self.program, option, event.scope) is False:
            return
        model, scope = argument(event.call, None, "response_model"), event.scope
        handler = argument(event.call, 1, "endpoint") if event.function is None else None
        function = event.function or self.program.resolve(handler, scope)
        if model is None and isinstance(function, FunctionTarget):
            model, scope = getattr(function.node, "returns", None), function.scope
        elif model is None:
            self.all_leave_out_null = True
        with self.program.aside():
            self.leaving_out_null |= {each.node for each in _within(self.program, model, scope)}

    def schema(self, shape: Shape, facets: Facets | None = None, depth: int = 0) -> Schema:
        """See `TypeSchemas.schema`; with Pydantic 1, FastAPI tells null nowhere."""
        found = super().schema(shape, facets, depth)
        return implied(found, "null") if self.first_pydantic and shape.nullable else found

    def shown(self, schema: Schema, family: Family, shape: Shape, owner: ClassTarget) -> Schema:
        """See `Models.shown`."""
        left_out = self.all_leave_out_null or owner.node in self.leaving_out_null
        if not left_out or family is not Family.PYDANTIC or not shape.nullable:
            return schema
        return implied(schema, "null")


def _within(program: Program, annotation: ast.expr | None, scope: Scope) -> list[ClassTarget]:
    """The classes that an annotation names, those that their fields name, and the bases of all of them."""
    found: dict[ast.ClassDef, ClassTarget] = {}
    waiting = [(annotation, scope)] if annotation is not None else []
    seen: set[tuple[ast.expr, Scope]] = set()
    while waiting and len(seen) < _MOST:
        node, around = waiting.pop()
        if (node, around) in seen:
            continue
        seen.add((node, around))
        for part in _names(node):
            target = program.resolve(part, around)
            if isinstance(target, ValueTarget | LoopTarget):
                inner = target.node if isinstance(target, ValueTarget) else target.iterable
                waiting += [(inner, target.scope)] if inner is not None else []
            for base in program.ancestry(target) if isinstance(target, ClassTarget) else ():
                if isinstance(base, ClassTarget) and base.node not in found:
                    found[base.node] = base
                    fields = [each for each in base.node.body if isinstance(each, ast.AnnAssign)]
                    waiting += [(each.annotation, base.body) for each in fields]
                    waiting += [(each, base.scope) for each in base.node.bases]
    return list(found.values())


def _names(node: ast.expr) -> Iterator[ast.expr]:
    """The names and attributes in an annotation, those in texts too."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name | ast.Attribute):
            yield part
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            try:
                written = ast.parse(part.value, mode="eval").body
            except (SyntaxError, ValueError):
                continue
            yield from (
                ast.copy_location(each, part)
                for each in ast.walk(written)
                if isinstance(each, ast.Name | ast.Attribute)
            )


def _leaves_out(module: Module, text: str, told: set[ast.keyword]) -> bool:
    """Whether anything but what routes are told may leave out what is null."""
    if _OPTION not in text:
        return False
    for node in ast.walk(module.tree):
        values: list[ast.expr | None] = []
        if isinstance(node, Function):
            values = [default for argument, default in parameters(node) if argument.arg == _OPTION]
        elif isinstance(node, ast.keyword) and node.arg == _OPTION and node not in told:
            values = [node.value]
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            values = [v for key, v in pairs if isinstance(key, ast.Constant) and key.value == _OPTION]
        if any(_may_hold(value) for value in values if value is not None):
            return True
    return False


def _may_hold(value: ast.expr) -> bool:
    handed_on = isinstance(value, ast.Name) and value.id == _OPTION
    return not handed_on and not (isinstance(value, ast.Constant) and value.value is False)
