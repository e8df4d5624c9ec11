"""What plain Django views read from their request, and the JSON that they answer with."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema
from ingest.web.answers.answer_contents import content_of
from ingest.web.answers.answers import Answer
from ingest.web.django.answers import AnswerReader
from ingest.web.django.settings import Settings
from ingest.web.django_views.values import ViewValues
from ingest.web.program.targets import FunctionTarget
from ingest.web.raising.own_guards import REFUSALS
from ingest.web.records.operations import Operation, Parameter
from ingest.web.requests.async_requests import RequestReader
from ingest.web.requests.flows import Flows
from ingest.web.requests.path_checks import typed_path
from ingest.web.requests.reading import Reading
from ingest.web.requests.request_words import DJANGO
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.walks import nodes_of

_TOKENS = "django.middleware.csrf.CsrfViewMiddleware"
_GUARDING = frozenset({"LoginRequiredMiddleware", "RemoteUserMiddleware", "PersistentRemoteUserMiddleware"})


class ViewRequests:
    """Reads the requests of plain views of one program."""

    def __init__(self, answers: AnswerReader, settings: Settings, models: SerializerModels) -> None:
        self.program = answers.program
        self.instances = answers.instances
        self.exits = answers.exits
        self.requests = RequestReader(self.program, self.instances, DJANGO, answers.answers)
        self.values = ViewValues(self.program, self.instances, models)
        self.middleware = settings.middleware()
        self.transparent = self.middleware is not None and all(
            name.startswith("django.") and name.rpartition(".")[2] not in _GUARDING
            for name in self.middleware
        )

    def fill(self, operation: Operation, handler: FunctionTarget, plain: bool, exempt: bool) -> None:
        """Fills in what one method of a view takes.

        `plain` tells that nothing is around the view which may read the request, `exempt` that no token against
        forged requests is asked for. A view that tells its methods apart in another way than by an `if` at its top
        level is left alone: which method reads what is not known.
        """
        if _asks_method(handler):
            return
        summary = self.exits.of(handler)
        reading = self._reading(handler, plain and self.transparent)
        if plain and self.transparent:
            flows = Flows(self.program, self.instances, (handler, *summary.followed))
            operation.parameters = typed_path(operation.parameters, flows)
        operation.parameters += reading.parameters.values()
        operation.parameters_complete = reading.complete and plain
        operation.bodies = reading.bodies(closed=plain and not summary.doubts)
        refused = {int(r.status) for r in operation.responses if r.status.isdigit()} & REFUSALS
        told = any(parameter.place in ("header", "cookie") for parameter in reading.parameters.values())
        forged = operation.method != "GET" and not exempt and _TOKENS in (self.middleware or ())
        if plain and self.transparent and not (reading.guarded or refused or told or forged):
            operation.security = []

    def _reading(self, handler: FunctionTarget, alone: bool) -> Reading:
        """What a function reads of a request, the same for all methods and routes that it serves; `alone` tells that
        nothing around it reads any of that."""

        def read() -> Reading:
            reading = self.requests.read(handler, self.exits.of(handler).followed)
            if alone:
                reading.release()
            return reading

        return self.program.remember(("request of", handler.node, alone), read)

    def content(
        self, answer: Answer, handler: FunctionTarget, path: list[Parameter]
    ) -> dict[str, Schema] | None:
        """What is known of the content of an answer of one method of a view, which is given parts of the path."""
        return content_of(answer, lambda media_type: self._schema(answer, media_type, handler, path))

    def _schema(
        self, answer: Answer, media_type: str, handler: FunctionTarget, path: list[Parameter]
    ) -> Schema | None:
        known = media_type == "application/json" and not _asks_method(handler)
        if not known or answer.data is None or answer.scope is None:
            return None
        # A converter gives the view a number or a UUID, which is put into JSON as it came.
        self.values.given = {
            (handler.node, parameter.name): parameter.schema
            for parameter in path
            if "type" in parameter.schema and "x-unknown" not in parameter.schema
        }
        return self.values.schema(answer.data, answer.scope)


def _asks_method(handler: FunctionTarget) -> bool:
    """Whether a function still asks for the method of its request."""
    if not isinstance(handler.node, Function):
        return True
    return any(
        isinstance(node, ast.Attribute) and node.attr == "method" and isinstance(node.value, ast.Name)
        for statement in handler.node.body
        for node in nodes_of(statement)
    )
