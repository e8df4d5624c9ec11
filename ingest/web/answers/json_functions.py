"""What the project's functions give, as JSON: whole results, and one of several that are given at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from graph.schema_algebra import Schema, unknown
from ingest.web.answers.json_changes import Changed
from ingest.web.answers.stores import Stores
from ingest.web.answers.verdicts import call_behind
from ingest.web.program.calls import given_for, has_stars
from ingest.web.program.project_calls import calls_of
from ingest.web.program.targets import External, FunctionTarget, ParameterTarget, Target
from ingest.web.schemas.json_results import Schemas, agreed
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import call_at, name_at, uncalled
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import is_property, returned
from ingest.web.values.narrowing import Tested

_MANY = 8
_KEEPING = frozenset({"staticmethod", "classmethod", "override", "final", "cache", "lru_cache"})


class Functions:
    """Works out what functions give: by the form of what is returned (`schema`), and by what is changed later."""

    def __init__(self, stores: Stores, changed: Changed, schema: Schemas) -> None:
        self._stores = stores
        self._instances = stores.instances
        self._changed = changed
        self._schema = schema
        self._active: list[ast.AST] = []
        self._tested: dict[ast.Call, Tested] = {}
        self._asked: set[tuple[ast.AST, str]] = set()

    def element(self, node: ast.Name, scope: Scope, depth: int) -> Schema | None:
        """One of several values that a function gives at once: `order, problem = checked(data)`."""
        body = getattr(scope.node, "body", [])
        behind = call_behind(node, body) if isinstance(body, list) else None
        called = self._instances.callee(behind[0].func, scope) if behind is not None else None
        if behind is None or behind[1] is None or not isinstance(called, FunctionTarget):
            return None
        index, parts = behind[1], [(value, inner) for value, inner in returned(called)]
        told = [
            (value.elts[index], inner)
            for value, inner in parts
            if isinstance(value, ast.Tuple) and len(value.elts) > index
        ]
        kept = [(v, s) for v, s in told if not (isinstance(v, ast.Constant) and v.value is None)]
        if len(told) < len(parts) or len(kept) != 1 or called.node in self._active:
            return None
        self._active.append(called.node)
        try:
            found = self._schema(*kept[0], depth + 1)
        finally:
            self._active.pop()
        plain = found.get("type") in ("object", "array") and "$ref" not in found
        return self._changed.as_left(found, node.id, scope, depth) if plain else found

    def given_everywhere(self, target: ParameterTarget, depth: int) -> Schema:
        """What all calls of a plain function have in common in what they give for one of its parameters."""
        node, outside = target.scope.node, target.scope.parent
        nothing = unknown("what is given here is not known")
        if not isinstance(node, Function) or node.decorator_list or outside is None or outside.is_class:
            return nothing
        function = FunctionTarget(node, outside)
        calls = [each for each in calls_of(self._stores.program, function) if not _is_of_tests(each[1])]
        key = (node, target.name)
        if not calls or len(calls) > _MANY or key in self._asked:
            return nothing
        self._asked.add(key)
        try:
            found = [self._given(target, function, call, scope, depth) for call, scope in calls]
        finally:
            self._asked.discard(key)
        whole = found[0]
        for other in found[1:]:
            whole = agreed(whole, other)
        return whole

    def _given(
        self, target: ParameterTarget, function: FunctionTarget, call: ast.Call, scope: Scope, depth: int
    ) -> Schema:
        value, inner = given_for(target, function, call, scope)
        if has_stars(call) or value is None:
            return unknown("what is given here is not known")
        self._stores.program.saw(inner.path)
        return self._schema(value, inner, depth + 1)

    def told(self, node: ast.Name, scope: Scope) -> Target | None:
        """The function that the call which is being read gives for a parameter (`shown(rows, lambda row: …)`)."""
        found = self._instances.program.resolve(node, scope)
        given = self._stores.argument(node.id, found.scope) if isinstance(found, ParameterTarget) else None
        if given is None:
            return None
        value, around = given
        return (
            FunctionTarget(value, around)
            if isinstance(value, ast.Lambda)
            else self._instances.callee(value, around)
        )

    @contextmanager
    def called_with(
        self, function: FunctionTarget, name: str, value: ast.expr, scope: Scope
    ) -> Iterator[None]:
        """While this lasts, a parameter of a function stands for this value."""
        # No call of the code: it stands where the value does, and what it calls has no name.
        call = call_at(name_at("", value), value, **{name: value})
        self._stores.calls.append((function, call, scope))
        try:
            yield
        finally:
            self._stores.calls.pop()

    @contextmanager
    def tested(self, made: ast.expr, use: ast.Name, scope: Scope) -> Iterator[None]:
        """While this lasts, a call gives nothing that tests of the variable which holds its result have left out."""
        call = made.value if isinstance(made, ast.Await) else made
        tests = Tested(use, scope.node) if isinstance(call, ast.Call) else None
        if tests is None or not tests.tests or not isinstance(call, ast.Call):
            yield
            return
        before = self._tested.get(call)
        self._tested[call] = tests
        try:
            yield
        finally:
            self._tested.pop(call)
            if before is not None:
                self._tested[call] = before

    def returned(
        self, target: FunctionTarget, depth: int, call: ast.Call | None = None, scope: Scope | None = None
    ) -> Schema:
        """What a function gives, by the arguments of the call where it is known."""
        if target.node in self._active or not (is_property(target.node) or self._is_plain(target)):
            return unknown("the value is worked out by a function that cannot be followed")
        self._active.append(target.node)
        calls = len(self._stores.calls)
        if call is not None and scope is not None and not has_stars(call):
            self._stores.calls.append((target, call, scope))
        try:
            given = list(returned(target))
            tests = self._tested.get(call) if call is not None else None
            if tests is not None:
                given = [(tests.left_of(value), inner) for value, inner in given]
            kept = [each for each in given if tests is None or not tests.leave_out(each[0])]
            found = [self._schema(value, inner, depth + 1) for value, inner in kept or given]
        finally:
            del self._stores.calls[calls:]
            self._active.pop()
        if not found:
            return unknown("the function returns nothing that can be seen")
        whole = found[0]
        for other in found[1:]:
            whole = agreed(whole, other)
        return whole

    def _is_plain(self, target: FunctionTarget) -> bool:
        """Whether no decorator of a function changes what it gives."""
        if not isinstance(target.node, Function):
            return True
        calls = [uncalled(each) for each in target.node.decorator_list]
        found = [self._instances.program.resolve(each, target.scope) for each in calls]
        return all(isinstance(each, External) and each.name in _KEEPING for each in found)


def _is_of_tests(scope: Scope) -> bool:
    """Whether code stands among tests, which call functions in ways that the program does not."""
    return any(part.startswith(("test", "conftest")) for part in scope.path.split("/"))
