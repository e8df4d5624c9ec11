"""What a handler reads from the request that it is given (aiohttp, Starlette), itself and through its helpers."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator

from ingest.web.answers.answers import Answers
from ingest.web.program.calls import parameter_names
from ingest.web.program.methods import class_around
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.requests.async_bodies import Around
from ingest.web.requests.async_values import AsyncValues, refuses
from ingest.web.requests.async_walk import Walk
from ingest.web.requests.demanding import demands_with_helpers
from ingest.web.requests.flows import Flows
from ingest.web.requests.handing import hand_on
from ingest.web.requests.models import BodyModels
from ingest.web.requests.reading import Reading
from ingest.web.requests.request_words import Vocabulary
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import parameters
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.walks import nodes_of
from ingest.web.values.instances import Instances, is_property
from ingest.web.values.specialised import with_told

_FUNCTIONS = 200


class RequestReader:
    """Reads the uses of requests in functions of one program."""

    def __init__(
        self,
        program: Program,
        instances: Instances,
        vocabulary: Vocabulary,
        answers: Answers,
        models: Models | None = None,
    ) -> None:
        self.program = program
        self.instances = instances
        self.vocabulary = vocabulary
        self.answers = answers
        self.models = BodyModels(program, instances, models or Models(program))
        self.values = AsyncValues(program, instances, vocabulary)

    def read(self, handler: FunctionTarget, followed: tuple[FunctionTarget, ...] = ()) -> Reading:
        """What a handler takes; `followed` are the functions that it calls. `values` tells of it afterwards."""
        reading = Reading()
        names = _holding(handler)
        values = self.values = AsyncValues(self.program, self.instances, self.vocabulary)
        values.known.add((handler.node, names[0] if names else ""))
        functions = with_told(self.instances, (handler, *followed))
        handed = hand_on(values, functions)
        demands = demands_with_helpers(
            handler, values, lambda node, scope: refuses(self.program, self.answers, node, scope)
        )
        waiting = [(handler, names[0] if names else "")]
        if self.vocabulary.owner:
            waiting += [(f, "") for f in functions if f.scope.is_class and f.node is not handler.node]
        for function in self.properties(functions, demands.passed):
            waiting.append((function, ""))
            demands.passed |= set(nodes_of(function.node))
        seen: set[tuple[ast.AST, str]] = set()
        walks: list[Walk] = []
        giving: list[tuple[FunctionTarget, int | None]] = []
        flows = Flows(self.program, self.instances, functions)
        around = Around(values, handed, demands.passed, flows, giving, handler.node)
        held = {node for node, _ in values.aliases}
        waiting += [(function, "") for function in functions if function.node in held]
        for function, name in waiting:
            if (function.node, name) not in seen and len(seen) < _FUNCTIONS:
                seen.add((function.node, name))
                self.program.saw(function.scope.path)
                walk = Walk(self, reading, function, name, around)
                walk.walk()
                waiting += walk.passed
                walks.append(walk)
                waiting += [(member, "") for member in self.kept_by(values, walks)]
        for function, number in giving:
            for walk in walks:
                walk.given_back(function, number)
        for walk in walks:
            walk.convert()
        reading.demand(demands.found)
        for walk in walks:
            walk.doubt()
        reading.helpers = demands.helpers
        return reading

    def kept_by(self, values: AsyncValues, walks: Iterable[Walk]) -> Iterator[FunctionTarget]:
        """The members that functions name of objects which keep the request."""
        if not values.keeping:
            return
        named = {part.attr for walk in walks for part in walk.parents if isinstance(part, ast.Attribute)}
        for owner in values.made:
            for name in sorted(named):
                member = self.program.class_member(owner, name)
                if isinstance(member, FunctionTarget):
                    yield member

    def properties(
        self, functions: Iterable[FunctionTarget], certain: Container[ast.AST]
    ) -> Iterator[FunctionTarget]:
        """The properties of views that are certain to be asked for, and have but one way to their end."""
        found: set[ast.AST] = set()
        for function in functions if self.vocabulary.owner else ():
            owner = class_around(function.body)
            for node in self._attributes(function) if owner is not None else ():
                if node not in certain or owner is None:
                    continue
                member = self.program.class_member(owner, node.attr)
                straight = (
                    isinstance(member, FunctionTarget) and is_property(member.node) and _is_straight(member)
                )
                if isinstance(member, FunctionTarget) and straight and member.node not in found:
                    found.add(member.node)
                    yield member

    def _attributes(self, function: FunctionTarget) -> list[ast.Attribute]:
        """The attributes that a function names of what has a name itself (`self.payload`)."""

        def found() -> list[ast.Attribute]:
            parts = [each for each in nodes_of(function.node) if isinstance(each, ast.Attribute)]
            return [each for each in parts if isinstance(each.value, ast.Name)]

        return self.program.remember(("attributes of", function.node), found)


def _holding(function: FunctionTarget) -> list[str]:
    """The parameters of a function, the one that holds the request first; a wrapper of methods has another before."""
    names = parameter_names(function)
    names = names[1:] if names[:1] == ["self"] else names
    if not (names and function.scope.is_class) or names[0] == "request":
        return names
    said = next(each.annotation for each, _ in parameters(function.node) if each.arg == names[0])
    # What a method of a view is given besides is no request: `get(self, book_id: int)`.
    other = said is not None and not isinstance(said, ast.Constant)
    return [] if other and not last_name(said).endswith("Request") else names


def _is_straight(function: FunctionTarget) -> bool:
    body = function.node.body
    plain = (ast.Return, ast.Assign, ast.AnnAssign, ast.Expr)
    return isinstance(body, list) and all(isinstance(statement, plain) for statement in body)
