"""Which part of a request an expression is, where the request is an argument of the handler or held by a view."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from graph.facts import Json
from graph.schema_algebra import Schema
from ingest.web.answers.answers import Answers
from ingest.web.program.calls import named_arguments
from ingest.web.program.methods import class_around
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ParameterTarget
from ingest.web.raising.exception_statuses import is_http, status_of_raise
from ingest.web.requests.parts import Part
from ingest.web.requests.request_words import Vocabulary
from ingest.web.requests.values import RequestValues
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.naming import is_self
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances, returned
from ingest.web.values.specialised import called_by

_DEPTH = 6


class AsyncValues(RequestValues):
    """Recognises parts of the request; `known` are the arguments of functions that hold it."""

    def __init__(self, program: Program, instances: Instances, words: Vocabulary) -> None:
        super().__init__(program, instances)
        self.words = words
        self.known: set[tuple[ast.AST, str]] = set()
        self.keeping: dict[ast.ClassDef, set[str]] = {}
        self.made: list[ClassTarget] = []

    def is_kept(self, node: ast.AST, scope: Scope) -> bool:
        """Whether a node is the request as an object keeps it that was made with it: `self.request`."""
        if not self.keeping or not isinstance(node, ast.Attribute) or not is_self(node.value):
            return False
        owner = class_around(scope) if isinstance(node.ctx, ast.Load) else None
        above = self.program.ancestry(owner) if owner is not None else []
        return any(
            isinstance(each, ClassTarget) and node.attr in self.keeping.get(each.node, ()) for each in above
        )

    def is_request(self, node: ast.expr, scope: Scope) -> bool:
        """Whether this expression is the request."""
        if not isinstance(node, ast.Name):
            return self.words.is_owned(node) or self.is_kept(node, scope)
        target = self.program.resolve(node, scope)
        if isinstance(target, ParameterTarget):
            return (target.scope.node, target.name) in self.known
        # What a helper's copy is given may have a name of its own (`View.request`), as what a view calls so has.
        found = scope.find(node.id, node.lineno)
        if found is None or (found[0].node, node.id) in self.known:
            return found is not None
        value = found[1].value if found[1].how is Bound.VALUE else None
        return value is not None and self.words.is_owned(value)

    def aliases_of_request(self, scope: Scope, name: str) -> frozenset[str]:
        """The names that a function gives once and for all to the request, which is its argument of this name."""
        return frozenset(
            alias
            for alias, bindings in scope.bindings.items()
            if len(bindings) == 1
            and bindings[0].how is Bound.VALUE
            and (value := bindings[0].value) is not None
            and (
                self.words.is_owned(value)
                or self.is_kept(value, scope)
                or (isinstance(value, ast.Name) and value.id == name != "")
            )
        )

    def of(
        self, node: ast.expr | None, scope: Scope, names: Mapping[str, Json] | None = None, depth: int = 0
    ) -> Part | None:
        """See `RequestValues.of`."""
        if isinstance(node, ast.Await):
            return self.of(node.value, scope, names, depth + 1)
        return super().of(node, scope, names, depth)

    def is_loaded(self, node: ast.Call, scope: Scope) -> bool:
        """See `RequestValues.is_loaded`."""
        given = node.args[0] if node.args else None
        if not isinstance(given, ast.Attribute) or given.attr != self.words.content:
            return False
        return is_loads(self.program, node, scope) and self.is_request(given.value, scope)

    def enter(self, called: FunctionTarget, call: ast.Call, scope: Scope) -> None:
        """See `RequestValues.enter`: a function that is given the request holds it too."""
        given = named_arguments(call, called)
        self.known |= {(called.node, name) for name, value in given if self.is_request(value, scope)}

    def _named(self, node: ast.Name, scope: Scope, depth: int) -> Part | None:
        """See `RequestValues._named`; also what `async with request.form() as form` gives."""
        bindings = scope.bindings.get(node.id, [])
        entered = bindings[0].given if len(bindings) == 1 else None
        if isinstance(entered, ast.withitem):
            return self.of(entered.context_expr, scope, None, depth + 1)
        return super()._named(node, scope, depth)

    def _helped(self, node: ast.Call, scope: Scope, depth: int) -> Part | None:
        """See `RequestValues._helped`."""
        called = called_by(self.instances, node, scope)
        if isinstance(called, FunctionTarget):
            self.enter(called, node, scope)
        return super()._helped(node, scope, depth)

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Part | None:
        owner = node.value
        if isinstance(owner, ast.Attribute) and owner.attr in self.words.urls and node.attr == "query":
            return Part("query") if self.is_request(owner.value, scope) else None
        if not self.is_request(owner, scope):
            return None
        return Part(self.words.mappings[node.attr]) if node.attr in self.words.mappings else None

    def _call(
        self, node: ast.Call, scope: Scope, names: Mapping[str, Json] | None, depth: int
    ) -> Part | None:
        function = node.func
        if isinstance(function, ast.Attribute) and self.is_request(function.value, scope):
            if function.attr in (self.words.json, self.words.form):
                return Part("json" if function.attr == self.words.json else "form")
            return None
        return super()._call(node, scope, names, depth)


def is_loads(program: Program, call: ast.Call, scope: Scope) -> bool:
    """Whether this is `json.loads(…)` of one value and nothing else."""
    plain = len(call.args) == 1 and not call.keywords
    return plain and program.resolve(call.func, scope) == External("json.loads")


def refuses(program: Program, answers: Answers, node: ast.stmt, scope: Scope) -> bool:
    """Whether a statement ends the handler with an answer that is no success."""
    if isinstance(node, ast.Return) and node.value is not None:
        found = answers.of(node.value, scope)
        return bool(found) and all(a.known and a.status is not None and a.status >= 400 for a in found)
    if not isinstance(node, ast.Raise) or node.exc is None:
        return False
    return _refusing(answers.instances, node.exc, scope, 0)


def _refusing(instances: Instances, node: ast.expr, scope: Scope, depth: int) -> bool:
    """Whether raising what an expression makes refuses the request; functions may make it."""
    call = node if isinstance(node, ast.Call) else None
    program = instances.program
    target = called_by(instances, call, scope) if call is not None else program.resolve(node, scope)
    if isinstance(target, FunctionTarget) and depth < _DEPTH:
        made = returned(target)
        return bool(made) and all(_refusing(instances, value, inner, depth + 1) for value, inner in made)
    if not isinstance(target, ClassTarget | External):
        return False
    if not is_http(program, target):
        return True
    status = status_of_raise(program, target, call, scope)
    return status is not None and status >= 400


def with_default(schema: Schema, default: object) -> Schema:
    """The schema with the default that stands in for a missing value, as a number where it is one."""
    if schema.get("type") == "integer" and isinstance(default, str):
        return {**schema, "default": int(default)} if default.lstrip("-").isdigit() else schema
    return {**schema, "default": default} if "x-unknown" not in schema else schema


def is_test(outer: ast.AST | None, node: ast.Name) -> bool:
    """`data is None` tells nothing that is certain of what is in it."""
    return isinstance(outer, ast.Compare) and outer.left is node
