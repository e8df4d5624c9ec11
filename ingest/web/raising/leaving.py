"""How exceptions leave one function: where it raises them, catches them, and calls what raises them."""

from __future__ import annotations

import ast
from collections.abc import Callable

from msgspec.structs import replace

from ingest.web.program.heirs import as_overridden
from ingest.web.program.implementations import implementations
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.raising.decorated_helpers import wrappers_around
from ingest.web.raising.exception_statuses import as_caught, with_given_status
from ingest.web.raising.exceptions import ExceptionClass, Exit, caught_by, of_rows, response_of
from ingest.web.raising.given_exceptions import as_called, raised_as_given
from ingest.web.raising.library_exceptions import raised_by_library
from ingest.web.raising.raising import made_exits, raised_by_framework
from ingest.web.raising.raising_statements import is_abstract, is_taken_by_key, leaves, lets_go
from ingest.web.raising.request_mappings import is_of_mapping, is_of_text, is_picked
from ingest.web.raising.risks import Risks
from ingest.web.raising.summaries import UNTOLD, Doubt, Summary
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import children_of
from ingest.web.values.alternatives import apart_by_status, by_owner
from ingest.web.values.instances import Instances, own_statements
from ingest.web.values.modes import Mode, asks_route, carried, modes_of

_BY_ROUTE = "whether this is reached depends on the route"
_WIDEST = (External("builtins.Exception"), External("builtins.BaseException"))
_THREADED = frozenset({"run_in_threadpool", "to_thread", "run_sync", "run_in_executor"})


class Leaving:
    """Walks one function's body. `of` tells what may leave the functions that it calls."""

    def __init__(
        self,
        program: Program,
        instances: Instances,
        risks: Risks,
        of: Callable[[FunctionTarget], Summary],
        function: FunctionTarget,
        *,
        any_route: bool = False,
    ) -> None:
        self.program = program
        self.instances = instances
        self.risks = risks
        self.of = of
        self.scope = function.body
        self.any_route = any_route
        self.doubts: list[Doubt] = []
        self.followed: dict[ast.AST, FunctionTarget] = {}
        self._noted: set[ast.AST] = set()
        self.raised: list[Exit] = []
        self.caught: list[tuple[str | None, list[Exit]]] = []

    def block(self, statements: list[ast.stmt]) -> list[Exit]:
        """What leaves these statements."""
        found: list[Exit] = []
        for number, statement in enumerate(statements):
            found.extend(self._statement(statement))
            if isinstance(statement, ast.If) and leaves(statement):
                rest = self.block(statements[number + 1 :])
                return [*found, *self._reached(rest, statement.test, False)]
        return found

    def _branch(self, node: ast.If) -> list[Exit]:
        outer, self.raised = self.raised, []
        self.expression(node.test)
        found, self.raised = self.raised, outer
        for body, holds in ((node.body, True), (node.orelse, False)):
            found.extend(self._reached(self.block(body), node.test, holds))
        return found

    def _reached(self, exits: list[Exit], test: ast.expr, holds: bool) -> list[Exit]:
        """The exceptions of a branch, with what parameters must be for it."""
        if not exits:
            return exits
        if not self.any_route and asks_route(test, self.scope):
            self.doubts.extend(Doubt(leaving.place, _BY_ROUTE) for leaving in exits)
            return []
        modes = tuple(modes_of(self.program, test, self.scope, holds))
        return [replace(leaving, modes=(*leaving.modes, *modes)) for leaving in exits] if modes else exits

    def _statement(self, node: ast.stmt) -> list[Exit]:
        if isinstance(node, Function | ast.ClassDef):
            return []
        if isinstance(node, ast.If):
            return self._branch(node)
        if isinstance(node, ast.Try | ast.TryStar):
            return self._attempt(node)
        outer, self.raised = self.raised, []
        for child in children_of(node):
            if isinstance(child, ast.expr | ast.withitem | ast.keyword):
                self.expression(child)
        found, self.raised = self.raised, outer
        if isinstance(node, ast.Raise):
            found.extend(self._thrown(node))
        elif isinstance(node, ast.With | ast.AsyncWith):
            found.extend(self._within(node))
        elif isinstance(node, ast.Match):
            for case in node.cases:
                found.extend(self.block(case.body))
        else:
            for name in ("body", "orelse"):
                found.extend(self.block(getattr(node, name, [])))
        return found

    def _attempt(self, node: ast.Try | ast.TryStar) -> list[Exit]:
        doubts, noted = len(self.doubts), set(self._noted)
        open_exits = self.block(node.body)
        if self._catches_all(node):
            # Whatever cannot be known of these calls does not leave them.
            del self.doubts[doubts:]
            self._noted = noted
        found: list[Exit] = []
        for handler in node.handlers:
            types, place = self._handled(handler), self.program.place(handler, self.scope)
            caught: list[Exit] = []
            left: list[Exit] = []
            for leaving in open_exits:
                answer = types is None or caught_by(self.program, leaving.target, types, place)
                if answer is None:
                    self._doubt(handler, f"whether this catches {leaving.name} cannot be known")
                else:
                    (caught if answer else left).append(leaving)
            self.caught.append((handler.name, caught))
            found.extend(self.block(handler.body))
            self.caught.pop()
            open_exits = left
        return [*open_exits, *found, *self.block(node.orelse), *self.block(node.finalbody)]

    def _catches_all(self, node: ast.Try | ast.TryStar) -> bool:
        """Whether the handlers catch whatever is raised, and none of them lets go on what it caught."""
        for handler in node.handlers:
            if any(lets_go(each, handler.name) for each in own_statements(handler.body)):
                return False
            types = self._handled(handler)
            if types is None or any(isinstance(each, External) and each in _WIDEST for each in types):
                return True
        return False

    def _handled(self, handler: ast.ExceptHandler) -> list[ExceptionClass | None] | None:
        """The types that a handler names; None where it catches everything."""
        return None if handler.type is None else self._types(handler.type, self.scope)

    def _types(self, node: ast.expr, scope: Scope) -> list[ExceptionClass | None]:
        if isinstance(node, ast.Tuple):
            return [found for element in node.elts for found in self._types(element, scope)]
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Tuple):
            return self._types(target.node, target.scope)
        return [target if isinstance(target, ClassTarget | External) else of_rows(node)]

    def _within(self, node: ast.With | ast.AsyncWith) -> list[Exit]:
        found = self.block(node.body)
        for item in node.items:
            call = item.context_expr
            if not isinstance(call, ast.Call):
                continue
            if self.program.resolve(call.func, self.scope) == External("contextlib.suppress"):
                types = [t for argument in call.args for t in self._types(argument, self.scope)]
                found = [e for e in found if not caught_by(self.program, e.target, types)]
        return found

    def _thrown(self, node: ast.Raise) -> list[Exit]:
        if node.exc is None:
            return list(self.caught[-1][1]) if self.caught else []
        if isinstance(node.exc, ast.Name):
            for name, exits in reversed(self.caught):
                if name == node.exc.id:
                    return list(exits)
        found = made_exits(self.instances, node.exc, self.scope)
        found = found or raised_as_given(self.instances, node.exc, self.scope)
        if found is None:
            self._doubt(node, UNTOLD)
            return []
        place = self.program.place(node, self.scope)
        return [replace(each, place=place) for leaving in found for each in self._as_caught(leaving)]

    def _as_caught(self, leaving: Exit) -> list[Exit]:
        return as_caught(self.program, leaving, self.caught) if leaving.scope is self.scope else [leaving]

    def expression(self, node: ast.AST) -> None:
        """Notes what the calls within an expression may raise."""
        if isinstance(node, ast.Lambda):
            return
        for child in children_of(node):
            self.expression(child)
        if isinstance(node, ast.Call):
            self._called(node)

    def _called(self, node: ast.Call) -> None:
        for apart in apart_by_status(self.program, node, self.scope) or [node]:
            for each in by_owner(apart):
                self._made(each)

    def _made(self, node: ast.Call) -> None:
        checked = raised_by_library(self.instances, node, self.scope)
        if checked is not None:
            place = self.program.place(node, self.scope)
            self.raised.append(Exit(checked, False, None, place, call=node, scope=self.scope))
        target = self.instances.callee(node.func, self.scope)
        told = raised_by_framework(self.program, node, target, self.scope)
        if told is not None:
            self.raised.append(told)
            return
        if isinstance(target, External):
            if target.name in _THREADED:
                for argument in node.args:
                    self._passed(argument)
            elif is_picked(node.func, self.scope):
                self._doubt(node, "what was taken out of a table is called")
            return
        if isinstance(target, ClassTarget):
            made = self.program.class_member(target, "__init__")
            target = made if isinstance(made, FunctionTarget) else None
            if target is None:
                return
        if target is None:
            if checked is None:
                self._unresolved(node)
            return
        if not any(self._is_environment(each) for each in node.args):
            self._follow(self._as_held(target, node.func), node)

    def _as_held(self, target: FunctionTarget, called: ast.expr) -> FunctionTarget:
        """A method that a class above defines, as the class has it on which it is called here, or on whose object."""
        if not isinstance(called, ast.Attribute) or not target.scope.is_class:
            return target
        owner = self.program.resolve(called.value, self.scope)
        if not isinstance(owner, ClassTarget):
            owner = self.instances.of(called.value, self.scope)
        return as_overridden(self.program, target, owner) if isinstance(owner, ClassTarget) else target

    def _is_environment(self, node: ast.expr) -> bool:
        """Whether a call is given the environment: what it refuses there is no request."""
        return self.program.resolve(node, self.scope) == External("os.environ")

    def _passed(self, node: ast.expr) -> None:
        target = self.instances.callee(node, self.scope)
        if isinstance(target, FunctionTarget):
            self._follow(target, None)

    def _follow(self, target: FunctionTarget, call: ast.Call | None) -> None:
        if self.program.is_outside(target.scope) and not self.program.is_outside(self.scope):
            # A method of another distribution's class of data: what that does by itself is no answer.
            return
        if is_abstract(target):
            if self.risks.overridden(getattr(target.node, "name", "")):
                written = implementations(self.program, target)
                # Which of several is called, settings may say: what only some of them do is not certain.
                if len({frozenset((e.name, e.status) for e in self.of(each).exits) for each in written}) == 1:
                    for each in written:
                        self._follow(each, call)
                    return
                self.doubts.append(
                    Doubt(self.program.place(target.node, target.scope), f"{target.qualified} is abstract")
                )
            return
        summary = self.of(target)
        for leaving in self._told_by(summary, target, call):
            if (modes := self._modes_here(leaving, target, call)) is not None:
                self.raised.append(replace(self._rebound(leaving, target, call), modes=modes))
        if target.node not in self._noted:
            for wrapper in wrappers_around(self.instances, target):
                self._follow(wrapper, None)
            self._noted.add(target.node)
            self.doubts.extend(summary.doubts)
            for each in summary.followed:
                self.followed.setdefault(each.node, each)

    def _told_by(self, summary: Summary, called: FunctionTarget, call: ast.Call | None) -> list[Exit]:
        """The exceptions of a called function, of which some may be what this call gives it."""
        found: list[Exit] = []
        for leaving in summary.exits:
            told = as_called(self.instances, leaving, called, call, self.scope)
            if told is None:
                self.doubts.append(Doubt(leaving.place, UNTOLD))
            found += told or ()
        return found

    def _modes_here(
        self, leaving: Exit, called: FunctionTarget, call: ast.Call | None
    ) -> tuple[Mode, ...] | None:
        """What parameters must be here for an exception of a called function; None where it is never raised."""
        found = [carried(self.program, mode, called, call, self.scope) for mode in leaving.modes]
        return None if False in found else tuple(mode for mode in found if isinstance(mode, Mode))

    def _rebound(self, leaving: Exit, called: FunctionTarget, call: ast.Call | None) -> Exit:
        """The exception of a helper whose status is one of its parameters, with what this call gives for it."""
        if call is not None and response_of(leaving) is not None:
            return replace(leaving, calls=((called, call, self.scope), *leaving.calls))
        return with_given_status(self.program, leaving, called, call, self.scope)

    def _unresolved(self, node: ast.Call) -> None:
        name = last_name(node.func)
        if is_of_mapping(node.func, self.scope) or is_of_text(node) or is_taken_by_key(node):
            return
        if not name or self.risks.has(name, isinstance(node.func, ast.Attribute), node):
            self._doubt(node, f"what {name or 'this call'} calls cannot be known")

    def _doubt(self, node: ast.AST, reason: str) -> None:
        self.doubts.append(Doubt(self.program.place(node, self.scope), reason))
