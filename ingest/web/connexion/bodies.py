"""What a function that Connexion calls takes from the JSON body that it is given as an argument."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from graph.facts import Json
from graph.schema_algebra import Schema
from ingest.web.answers.answers import Answers
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, ParameterTarget
from ingest.web.requests.async_values import refuses
from ingest.web.requests.guards import demands_of
from ingest.web.requests.parts import Part
from ingest.web.requests.read_fields import field_of
from ingest.web.requests.reading import Reading
from ingest.web.requests.values import RequestValues
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances
from ingest.web.values.loop_keys import rounds_of


class _BodyValues(RequestValues):
    """Recognises the body by the argument of the function that holds it, and its fields."""

    def __init__(self, program: Program, instances: Instances, function: FunctionTarget, name: str) -> None:
        super().__init__(program, instances)
        self._argument = (function.node, name)
        kwarg = function.node.args.kwarg
        self._everything = kwarg.arg if kwarg is not None and not name else ""

    def of(
        self, node: ast.expr | None, scope: Scope, names: Mapping[str, Json] | None = None, depth: int = 0
    ) -> Part | None:
        """See `RequestValues.of`."""
        if isinstance(node, ast.Name):
            target = self.program.resolve(node, scope)
            if isinstance(target, ParameterTarget) and (target.scope.node, target.name) == self._argument:
                return Part("json")
        if self._is_keyword(node):
            return Part("json")
        return super().of(node, scope, names, depth)

    def _is_keyword(self, node: ast.expr | None) -> bool:
        """Whether this is `kwargs["body"]`, of a function that takes everything by keyword."""
        if isinstance(node, ast.Subscript):
            owner, key = node.value, node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            owner, key = node.func.value, node.args[0]
            if node.func.attr not in ("get", "pop"):
                return False
        else:
            return False
        named = isinstance(owner, ast.Name) and owner.id == self._everything
        return named and isinstance(key, ast.Constant) and key.value == "body"


class BodyReader:
    """Reads the fields of bodies in functions of one program."""

    def __init__(self, program: Program, instances: Instances, answers: Answers) -> None:
        self.program = program
        self.instances = instances
        self.answers = answers

    def schema(self, function: FunctionTarget, name: str) -> Schema | None:
        """The fields that a function takes from this argument, and what it demands; None where it takes none."""
        if not isinstance(function.node, Function):
            return None
        values = _BodyValues(self.program, self.instances, function, name)
        demands = demands_of(
            function, values, lambda node, scope: refuses(self.program, self.answers, node, scope)
        )
        reading = Reading(json_at=self.program.place(function.node, function.scope))
        parents = {child: outer for outer in ast.walk(function.node) for child in ast.iter_child_nodes(outer)}
        for node in ast.walk(function.node):
            if not isinstance(node, ast.Subscript | ast.Call):
                continue
            if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                # What the function puts there, or takes out, it does not ask for.
                continue
            owner = node.value if isinstance(node, ast.Subscript) else getattr(node.func, "value", node)
            for names in rounds_of(self.program, owner, parents, function.body):
                part = values.of(node, function.body, names)
                if part is None or part.place != "json" or not part.name:
                    continue
                old = reading.fields.get(part.name)
                certain = isinstance(node, ast.Subscript) and (
                    node in demands.passed or self._in_plain_loop(node, parents, demands.passed)
                )
                place = self.program.place(node, function.scope)
                required = True if certain else old.required if old is not None else None
                reading.fields[part.name] = field_of(part.default, place, required)
        reading.demand(demands.found)
        closed = all(_takes_a_field(use) for use in _uses(function.node, name))
        return reading.bodies(closed=closed)[0].schema if reading.fields else None

    def _in_plain_loop(self, node: ast.AST, parents: Mapping[ast.AST, ast.AST], passed: set[ast.AST]) -> bool:
        """Whether what stands here runs in each round of a loop or comprehension that is always reached."""
        outer = parents.get(node)
        while outer is not None and not isinstance(outer, ast.For | ast.DictComp | ast.ListComp | Function):
            if isinstance(outer, ast.If | ast.Try | ast.IfExp | ast.BoolOp | ast.While):
                return False
            node, outer = outer, parents.get(outer)
        if isinstance(outer, ast.For):
            function = parents.get(outer)
            return (
                isinstance(function, Function) and node in outer.body and not _leaves_early(function, outer)
            )
        plain = isinstance(outer, ast.DictComp | ast.ListComp) and not any(g.ifs for g in outer.generators)
        return plain and outer in passed


def _leaves_early(function: ast.FunctionDef | ast.AsyncFunctionDef, loop: ast.For) -> bool:
    """Whether a function may end before it reaches a loop of its body."""
    before = function.body[: function.body.index(loop)]
    return any(isinstance(part, ast.Return) for statement in before for part in ast.walk(statement))


def _uses(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Iterator[tuple[ast.Name, ast.AST]]:
    """Each use of an argument, with what it stands in."""
    for parent in ast.walk(function):
        for child in ast.iter_child_nodes(parent):
            if isinstance(child, ast.Name) and child.id == name:
                yield child, parent


def _takes_a_field(use: tuple[ast.Name, ast.AST]) -> bool:
    """Whether a use looks at one field by a constant name, and at nothing else of the body."""
    node, outer = use
    if isinstance(outer, ast.Subscript):
        return outer.value is node and isinstance(outer.slice, ast.Constant)
    if isinstance(outer, ast.Compare):
        return outer.comparators == [node] and isinstance(outer.left, ast.Constant)
    return isinstance(outer, ast.Attribute) and outer.attr in ("get", "pop")
