"""What a function returns as an answer: plain data, or a response with a status of its own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from graph.facts import Location
from ingest.web.answers.made_statuses import carried_status
from ingest.web.answers.response_tests import is_response_here
from ingest.web.answers.returned_statuses import told_by_return
from ingest.web.constants.constants import status_of
from ingest.web.program.calls import given_for, named_arguments
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ParameterTarget, ValueTarget
from ingest.web.syntax.bindings import Binding, Bound, Branch
from ingest.web.syntax.changes import is_filled
from ingest.web.syntax.scopes import Scope
from ingest.web.values.alternatives import alternatives_of, apart_by_status, statuses_among
from ingest.web.values.instances import Instances, is_property, returned
from ingest.web.values.taken_branches import as_called

_DEPTH = 10
_DATA = (ast.Dict, ast.DictComp, ast.Name)
"""Expressions of objects to which whoever is given them may add something."""


class Answer(msgspec.Struct, frozen=True):
    """One thing that is returned. `status` is None for plain data, or where `known` is false.

    `attribute` names the attribute of a handled exception that gives the status (`exc.status_code`); `inner` is what is
    answered with a status that is not constant. `calls` are those of the helpers that make it, outermost first. `bare`
    is data of which the framework, and not the function, makes a response; a `page` is filled in for people to look at.
    """

    place: Location
    known: bool = True
    status: int | None = None
    media_type: str | None = None
    attribute: str = ""
    via: tuple[str, ...] = ()
    data: ast.expr | None = None
    scope: Scope | None = None
    inner: Answer | None = None
    calls: tuple[tuple[FunctionTarget, ast.Call, Scope], ...] = ()
    bare: bool = False
    page: bool = False

    def within(self, called: FunctionTarget, call: ast.Call, scope: Scope) -> Answer:
        """This answer as what a call of the helper that makes it gives."""
        inner = self.inner.within(called, call, scope) if self.inner is not None else None
        return replace(self, calls=((called, call, scope), *self.calls), inner=inner)


Settle: TypeAlias = "Callable[[FunctionTarget, list[Answer]], list[Answer]]"
Recognise: TypeAlias = Callable[[ast.expr, Scope], "Answer | ast.expr | None"]
"""Reads one expression of a framework: an answer, the inner expression that it wraps, or None for what it is not."""


class Answers:
    """Follows returned expressions through names, conditions and the project's functions.

    `settle` tells what becomes of the answers of a helper by what else it does with them.
    """

    def __init__(
        self, program: Program, instances: Instances, recognise: Recognise, settle: Settle | None = None
    ) -> None:
        self.program = program
        self.instances = instances
        self.recognise = recognise
        self._settle = settle
        self._active: list[ast.AST] = []

    def of_function(self, function: FunctionTarget, depth: int = 0) -> list[Answer]:
        """What the function's own `return` statements give."""
        if function.node in self._active:
            # What a function gives by calling itself, it gives without that too.
            return []
        if not self._active and depth == 0:
            return self.program.remember((self, function.node), lambda: self._given(function, depth))
        return self._given(function, depth)

    def _given(self, function: FunctionTarget, depth: int) -> list[Answer]:
        self._active.append(function.node)
        try:
            given = [found for value, scope in returned(function) for found in self.of(value, scope, depth)]
            return self._settle(function, given) if depth and self._settle is not None else given
        finally:
            self._active.pop()

    def of(self, node: ast.expr, scope: Scope, depth: int = 0) -> list[Answer]:
        """What an expression that is returned can be."""
        place = self.program.place(node, scope)
        if depth > _DEPTH:
            return [Answer(place, known=False)]
        if isinstance(node, ast.Call) and (apart := apart_by_status(self.program, node, scope)):
            return [answer for each in apart for answer in self.of(each, scope, depth + 1)]
        found = self.recognise(node, scope)
        if isinstance(found, Answer):
            return self._each(found)
        if found is not None:
            return [replace(each, bare=False) for each in self.of(found, scope, depth + 1)]
        match node:
            case ast.Await(value=inner):
                return self.of(inner, scope, depth + 1)
            case ast.IfExp():
                return [*self.of(node.body, scope, depth + 1), *self.of(node.orelse, scope, depth + 1)]
            case ast.BoolOp():
                return [a for value in node.values for a in self.of(value, scope, depth + 1)]
            case ast.Name():
                return self._name(node, scope, depth)
            case ast.Call():
                return self._call(node, scope, depth)
            case ast.Attribute():
                return self._held(node, scope, depth)
        return [Answer(place, data=node, scope=scope)]

    def _held(self, node: ast.Attribute, scope: Scope, depth: int) -> list[Answer]:
        """What an attribute can be that holds an answer: a property of an object, or a value of a module or class."""
        plain = [Answer(self.program.place(node, scope), data=node, scope=scope)]
        held = self.program.resolve(node, scope)
        owner = self.instances.of(node.value, scope) if held is None else None
        if isinstance(owner, ClassTarget):
            held = self.instances.attribute(owner, node.attr)
        if isinstance(held, FunctionTarget) and is_property(held.node):
            inner = self.of_function(held, depth + 1)
            found = [replace(each, via=(held.qualified, *each.via)) for each in inner]
        elif isinstance(held, ValueTarget) and isinstance(held.node, ast.Call | ast.Tuple):
            found = self.of(held.node, held.scope, depth + 1)
        else:
            return plain
        return found if found and all(each.known and each.status is not None for each in found) else plain

    def _each(self, answer: Answer) -> list[Answer]:
        """An answer once for each status of which a condition or a branch chooses its own: `return made, code`."""
        if answer.known or answer.data is None or answer.scope is None:
            return [answer]
        if not statuses_among(self.program, answer.data, answer.scope):
            return [answer]
        chosen = alternatives_of(self.program, answer.data, answer.scope)
        return [self._told(answer, each, answer.scope) for each in chosen]

    def _name(self, node: ast.Name, scope: Scope, depth: int) -> list[Answer]:
        bindings = scope.bindings.get(node.id)
        if not bindings:
            target = self.program.resolve(node, scope)
            if isinstance(target, ValueTarget) and target.node is not None:
                return self.of(target.node, target.scope, depth + 1)
            return [Answer(self.program.place(node, scope), data=node, scope=scope)]
        found: list[Answer] = []
        for binding in _in_force(node, bindings):
            parts = self._parts(binding, scope, depth) if binding.how is Bound.OTHER else None
            if parts is not None:
                found.extend(parts)
            elif binding.how is Bound.VALUE and binding.value is not None and binding.value is not node:
                given = self.of(binding.value, scope, depth + 1)
                # What has a name may be changed before it is answered, so the name is what is told.
                found.extend(
                    replace(a, data=node)
                    if a.data is binding.value
                    else replace(a, data=node, scope=scope, calls=())
                    if a.known and isinstance(a.data, _DATA) and is_filled(node.id, scope)
                    else a
                    for a in given
                )
            else:
                found.append(Answer(self.program.place(node, scope), data=node, scope=scope))
        return self._tested(found, node, scope)

    def _tested(self, found: list[Answer], node: ast.Name, scope: Scope) -> list[Answer]:
        """What is left of what a name can be where a test has told responses from data."""
        plain = [each.known and (each.bare or each.status is None) for each in found]
        if not any(plain) or all(plain):
            return found
        held = is_response_here(self.instances, node, scope)
        return [each for each, data in zip(found, plain, strict=True) if held is None or data is not held]

    def _parts(self, binding: Binding, scope: Scope, depth: int) -> list[Answer] | None:
        """What one of several values can be that a function gives at once: `found, problem = look_for(key)`.

        None stands for nothing to be answered, as whoever asks tests it before.
        """
        if not isinstance(binding.given, tuple):
            return None
        call, index = binding.given
        called = self.instances.callee(call.func, scope)
        if not isinstance(called, FunctionTarget) or called.node in self._active:
            return None
        found: list[Answer] = []
        self._active.append(called.node)
        try:
            for value, inner in returned(called):
                if not isinstance(value, ast.Tuple) or len(value.elts) <= index:
                    return None
                part = value.elts[index]
                if not is_none(part):
                    found += self.of(part, inner, depth + 1)
        finally:
            self._active.pop()
        if not found or not all(answer.known and answer.status is not None for answer in found):
            return None
        return [replace(a, via=(called.qualified, *a.via)).within(called, call, scope) for a in found]

    def _call(self, node: ast.Call, scope: Scope, depth: int) -> list[Answer]:
        called = self.instances.callee(node.func, scope)
        plain = Answer(self.program.place(node, scope), data=node, scope=scope)
        if not isinstance(called, FunctionTarget) or isinstance(called.node, ast.Lambda):
            return [plain]
        called = told_by_return(self.program, as_called(self.program, called, node, scope))
        if (passed := _given_back(called, node)) is not None:
            return self.of(passed, scope, depth + 1)
        inner = self.of_function(called, depth + 1)
        # Nobody answers with nothing: it stands for "go on", and whoever asks tests it before.
        inner = [answer for answer in inner if not _is_nothing(answer)] or inner
        if all(answer.known and answer.status is None for answer in inner):
            return [plain]
        return [
            plain
            if a.known and a.status is None
            else replace(a, via=(called.qualified, *a.via)).within(called, node, scope)
            for a in self._bound(inner, called, node, scope)
        ]

    def led_to(
        self, answers: list[Answer], calls: Iterable[tuple[FunctionTarget, ast.Call, Scope]]
    ) -> list[Answer]:
        """These answers as the calls, outermost first, make them that led to where they stand."""
        for called, call, around in reversed(list(calls)):
            found = self._bound(answers, called, call, around)
            answers = [each.within(called, call, around) for each in found]
        return answers

    def _bound(
        self, answers: list[Answer], called: FunctionTarget, node: ast.Call, scope: Scope
    ) -> list[Answer]:
        """The answers of a helper whose status is one of its parameters, with what this call gives for it."""
        return [
            each
            for a in answers
            for each in (self._rebound(a, called, node, scope) if not a.known and a.data else [a])
        ]

    def _rebound(self, answer: Answer, called: FunctionTarget, node: ast.Call, scope: Scope) -> list[Answer]:
        if answer.data is None or answer.scope is None:
            return [answer]
        target = self.program.resolve(answer.data, answer.scope)
        if not isinstance(target, ParameterTarget) or target.scope is not called.body:
            return [answer]
        value, place = given_for(target, called, node, scope)
        chosen: list[ast.expr | None] = [value]
        if value is not None:
            chosen = [*alternatives_of(self.program, value, place)] or chosen
        return [self._told(answer, each, place) for each in chosen]

    def _told(self, answer: Answer, value: ast.expr | None, place: Scope) -> Answer:
        """An answer of a helper with what is given for its status."""
        status = status_of(self.program, value, place)
        if status is None and value is not None:
            status = carried_status(self.instances, value, place)
        if status is None:
            return replace(answer, data=value, scope=place)
        told = answer.inner or replace(answer, data=None, scope=None)
        return replace(told, place=answer.place, via=answer.via, known=True, status=status)


def _is_nothing(answer: Answer) -> bool:
    """Whether it is None that is given."""
    plain = answer.known and answer.status is None
    return plain and is_none(answer.data)


def _in_force(node: ast.Name, bindings: list[Binding]) -> list[Binding]:
    """What a name may be bound to: not its own later self, and what it was no more after `answer = told(answer)`."""
    earlier = [b for b in bindings if b.value is None or not any(p is node for p in ast.walk(b.value))]
    last = earlier[-1] if earlier else None
    if last is None or last.branch is not Branch.ALWAYS or not isinstance(last.value, ast.Call):
        return earlier
    again = any(isinstance(p, ast.Name) and p.id == node.id for p in [*last.value.args])
    return [last] if again else earlier


def _given_back(called: FunctionTarget, call: ast.Call) -> ast.expr | None:
    """What a call gives to a function that only gives it back: `with_headers(response)`."""
    names = {value.id if isinstance(value, ast.Name) else "" for value, _ in returned(called)}
    name = names.pop() if len(names) == 1 else ""
    if [each.how for each in called.body.bindings.get(name, ())] != [Bound.PARAMETER]:
        return None
    return next((value for each, value in named_arguments(call, called) if each == name), None)
