"""What plug-ins and functions that start a Litestar application add to its handlers: `app_config.route_handlers`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

import msgspec
from msgspec.structs import replace

from ingest.web.constants.chosen import is_chosen
from ingest.web.constants.configured import configured
from ingest.web.constants.constants import constant
from ingest.web.constants.possible import possible_elements
from ingest.web.program.calls import argument, is_static
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.values.as_told import as_told
from ingest.web.values.instances import Instances
from ingest.web.values.rounds import rounds

_DEPTH = 4
_STARTING = "on_app_init"
_LIST = "route_handlers"


class Added(msgspec.Struct, frozen=True):
    """A list that is added to an application's handlers, with where it is written, and whether it surely is."""

    node: ast.expr
    scope: Scope
    sure: bool


class Started:
    """Finds what the functions of one program add that run when an application is made."""

    def __init__(self, program: Program, instances: Instances) -> None:
        self.program = program
        self.instances = instances
        self._known: dict[tuple[ast.Call | None, Scope], tuple[list[Added], frozenset[str]]] = {}
        self._used: set[str] = set()

    def added(self, call: ast.Call | None, scope: Scope) -> list[Added]:
        """What the plug-ins and `on_app_init` of an application add to its handlers."""
        return self._read(call, scope)[0]

    def changed(self, call: ast.Call | None, scope: Scope) -> frozenset[str]:
        """The options of an application that its plug-ins may change: `guards`, `openapi_config`."""
        return self._read(call, scope)[1]

    def _read(self, call: ast.Call | None, scope: Scope) -> tuple[list[Added], frozenset[str]]:
        if (call, scope) not in self._known:
            self._used = set()
            found = self._found(call, scope)
            self._known[call, scope] = found, frozenset(self._used)
        return self._known[call, scope]

    def _found(self, call: ast.Call | None, scope: Scope) -> list[Added]:
        found: list[Added] = []
        for name in ("plugins", _STARTING):
            listed = possible_elements(self.program, argument(call, None, name), scope)
            for node, place, sure in listed or ():
                written = node if name == _STARTING else ast.Attribute(node, _STARTING, ast.Load())
                adding = self._by(ast.copy_location(written, node), place, 0)
                found += [replace(each, sure=each.sure and sure) for each in adding]
        return found

    def of_class(self, owner: ClassTarget) -> list[Added]:
        """What a plug-in of this class adds, whichever application it is given to."""
        function = self.program.class_member(owner, _STARTING)
        return list(self._within(function, {}, 0)) if isinstance(function, FunctionTarget) else []

    def _by(self, node: ast.expr, scope: Scope, depth: int) -> Iterator[Added]:
        """What a function adds that is given the application's configuration."""
        function = self.instances.callee(node, scope)
        if not isinstance(function, FunctionTarget):
            return
        given: dict[str, Target] = {}
        first = next(parameters(function.node), None) if function.scope.is_class else None
        if isinstance(node, ast.Attribute) and first is not None and not is_static(function):
            # The object itself is known where a call makes it: so are its attributes.
            made = configured(self.program, node.value, scope, partial(constant, self.program))
            given = {first[0].arg: ValueTarget(made.call, made.scope)} if made is not None else {}
        yield from self._within(function, given, depth)

    def _within(self, function: FunctionTarget, given: dict[str, Target], depth: int) -> Iterator[Added]:
        if not isinstance(function.node, Function) or depth > _DEPTH:
            return
        own = [each.arg for each, _ in parameters(function.node)]
        own = own[1:] if function.scope.is_class and not is_static(function) else own
        if not own:
            return
        scope = as_told(self.program, function, given)
        surely = getattr(scope.node, "body", [])
        for node in ast.walk(scope.node):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == own[0]
            ):
                self._used.add(node.attr)
            if isinstance(node, ast.AugAssign) and _is_list(node.target, own[0]):
                yield Added(node.value, scope, node in surely)
        for call in scope.calls:
            sure = not is_chosen(self.program, call, scope)
            for place in rounds(self.program, call, scope):
                match call.func:
                    case ast.Attribute(value=value, attr=how) if _is_list(value, own[0]) and call.args:
                        last = call.args[-1]
                        listed = last if how == "extend" else ast.List([last], ast.Load())
                        yield Added(ast.copy_location(listed, last), place, sure)
                    case ast.Attribute() | ast.Name() if _hands_on(call, own[0]):
                        for each in self._by(call.func, place, depth + 1):
                            yield replace(each, sure=each.sure and sure)


def _is_list(node: ast.expr, name: str) -> bool:
    """Whether this is the list of handlers of the configuration of this name."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr == _LIST
        and isinstance(node.value, ast.Name)
        and node.value.id == name
    )


def _hands_on(call: ast.Call, name: str) -> bool:
    given = [*call.args, *(each.value for each in call.keywords)]
    return any(isinstance(each, ast.Name) and each.id == name for each in given)
