"""What the project's own decorators put around plain Django views: what they answer, and what they catch."""

from __future__ import annotations

import ast

import msgspec

from graph.facts import Location
from graph.schema_algebra import Schema
from ingest.web.constants.constants import elements
from ingest.web.django.answers import AnswerReader
from ingest.web.program.calls import argument
from ingest.web.program.targets import External, FunctionTarget
from ingest.web.raising.decorators import around_of
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.raising.raised import RaisedReader
from ingest.web.records.operations import Response
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope

_METHOD = External("django.utils.decorators.method_decorator")
_HARMLESS = frozenset(
    {"csrf_exempt", "csrf_protect", "ensure_csrf_cookie", "never_cache", "cache_page", "wraps"}
)


class Around(msgspec.Struct):
    """What lies around a view: Django's own decorators by name, functions, what they answer, and what they catch."""

    names: set[str] = msgspec.field(default_factory=set)
    wrappers: list[FunctionTarget] = msgspec.field(default_factory=list)
    answers: list[Response] = msgspec.field(default_factory=list)
    caught: ErrorHandlers = msgspec.field(default_factory=ErrorHandlers)


class DecoratorReader:
    """Reads the decorators of the views of one program."""

    def __init__(self, answers: AnswerReader) -> None:
        self.program = answers.program
        self.answers = answers
        self._raised = RaisedReader(answers.program, answers.answers)

    def around(self, handler: FunctionTarget) -> Around | None:
        """What lies around a view; None where that cannot be known."""
        if not isinstance(handler.node, Function):
            return None
        written = [(node, handler.scope) for node in handler.node.decorator_list]
        owner = handler.scope.node
        if isinstance(owner, ast.ClassDef):
            written += [(node, handler.scope) for node in owner.decorator_list]
        found = Around()
        for node, scope in (each for pair in written for each in self._meant(*pair)):
            target = self.program.resolve(uncalled(node), scope)
            if isinstance(target, External) and target.root == "django":
                if target.name not in _HARMLESS and not target.name.startswith("require_"):
                    return None
                found.names.add(target.name)
                continue
            around = around_of(self.program, self.answers.answers, node, scope)
            if around is None or around.opaque or around.applied:
                return None
            found.wrappers += around.wrappers
            found.caught = found.caught.around(around.caught)
            for each in around.given:
                content: dict[str, Schema] | None = {each.media_type: {}} if each.media_type else None
                found.answers.append(
                    Response(str(each.status), "returned", each.place, content, via=(handler.qualified,))
                )
        return found

    def raised(
        self, handler: FunctionTarget, around: Around | None
    ) -> tuple[list[Response], list[tuple[Location, str]]]:
        """The answers that exceptions of a view, and of what lies around it, lead to."""
        if around is None or not around.wrappers:
            return self.answers.raised(handler, framework=False)
        found: list[Response] = []
        doubts: list[tuple[Location, str]] = []
        for function in (handler, *around.wrappers):
            summary = self.answers.exits.of(function)
            doubts += [(doubt.place, doubt.reason) for doubt in summary.doubts]
            thrown, unclear = self._raised.responses(summary.exits, around.caught)
            found += thrown
            doubts += unclear
        return found, doubts

    def _meant(self, node: ast.expr, scope: Scope) -> list[tuple[ast.expr, Scope]]:
        """The decorators that `method_decorator` makes of others, of one or of a list; any other as it is."""
        if not isinstance(node, ast.Call) or self.program.resolve(node.func, scope) != _METHOD:
            return [(node, scope)]
        inner = argument(node, 0, "decorator")
        if inner is None:
            return [(node, scope)]
        listed = elements(self.program, inner, scope) if not isinstance(inner, ast.Call) else None
        return listed or [(inner, scope)]
