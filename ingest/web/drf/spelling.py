"""How names are spelled on the wire: as serializers have them, or as `djangorestframework-camel-case` writes them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, auto
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from graph.schema_algebra import Schema, unknown
from ingest.web.constants.constants import constant
from ingest.web.django.settings import Given
from ingest.web.drf.entries import Entry
from ingest.web.drf.views import REST, Policies, View
from ingest.web.program.targets import External, FunctionTarget, Target
from ingest.web.records.operations import Operation
from ingest.web.schemas.camel_case import camelised, in_camel_case
from ingest.web.serializers.serializers import SerializerModels

_ROOT: Final = "djangorestframework_camel_case"
_JSON: Final = "application/json"
_HOOK: Final = "drf_spectacular.contrib.djangorestframework_camel_case.camelize_serializer_fields"
_MIDDLEWARE: Final = "djangorestframework_camel_case.middleware.CamelCaseMiddleWare"
_KINDS: Final = {
    _JSON: ("JSON", "UnicodeJSON", "ORJSON", "UJSON", "I18nJSON"),
    "application/x-www-form-urlencoded": ("Form",),
    "multipart/form-data": ("MultiPart",),
}


class Spelling(Enum):
    """What is known of the names on one side of an operation."""

    PLAIN = auto()
    CAMEL = auto()
    OPEN = auto()


class _Noted(msgspec.Struct, frozen=True):
    operation: Operation
    view: View
    by_hand: bool


class Spellings:
    """Notes how the views of a program spell names, and writes their bodies and answers so in the end."""

    def __init__(self, policies: Policies, models: SerializerModels) -> None:
        self.policies = policies
        self.models = models
        self._noted: list[_Noted] = []

    def note(self, operation: Operation, entry: Entry) -> None:
        """Keeps with which view an operation is served."""
        made = (
            [] if entry.handler is None else [self._made(entry.handler, i) for i in entry.handler.body.calls]
        )
        self._noted.append(_Noted(operation, entry.view, any(made)))

    def settle(self, operations: Iterable[Operation]) -> None:
        """Writes the names of all that was noted as they are sent, where that is known."""
        told = {id(each.operation) for each in self._noted}
        sides = [(each, *side) for each in self._noted for side in self._sides(each)]
        if all(spelling is Spelling.PLAIN for _, _, _, spelling in sides):
            return
        others = any(id(operation) not in told and _refers(operation) for operation in operations)
        everywhere = not others and all(spelling is not Spelling.PLAIN for _, _, _, spelling in sides)
        for each, side, media_type, spelling in sides:
            self._write(each.operation, side, media_type, partial(self._sent, spelling, everywhere))
        self.models.camel = everywhere
        middleware = self.policies.settings.middleware()
        if middleware is None or _MIDDLEWARE in middleware:
            for each in self._noted:
                self._open_query(each.operation)

    def _made(self, handler: FunctionTarget, call: ast.Call) -> bool:
        """Whether a call makes an answer that no renderer writes."""
        made = self.policies.program.resolve(call.func, handler.body)
        return isinstance(made, External) and made.root == "django" and made.name.endswith("Response")

    def _sides(self, each: _Noted) -> Iterator[tuple[str, str, Spelling]]:
        for body in each.operation.bodies:
            yield "request", body.media_type, self._spelled(each.view, "parser_classes", body.media_type)
        for media_type in {m for r in each.operation.responses for m in r.content or ()}:
            spelling = self._spelled(each.view, "renderer_classes", media_type)
            doubtful = each.by_hand and spelling is Spelling.CAMEL
            yield "response", media_type, Spelling.OPEN if doubtful else spelling

    def _spelled(self, view: View, policy: str, media_type: str) -> Spelling:
        """How what writes or takes a media type spells names; the first in the list does it."""
        listed = self.policies.classes(view, policy)
        if listed is None:
            return Spelling.OPEN if self._is_used() else Spelling.PLAIN
        kinds = [each + policy.removesuffix("_classes").capitalize() for each in _KINDS.get(media_type, ())]
        first = next((each for each in listed[0] if _may_be(each, kinds)), None)
        camel = [isinstance(each, External) and each.root == _ROOT for each in listed[0]]
        if isinstance(first, External) and first.root == _ROOT:
            return Spelling.CAMEL if self._is_usual() else Spelling.OPEN
        # A form that is taken as it is stands in the contract by the names that JSON has.
        return Spelling.OPEN if any(camel) or self._is_hooked() else Spelling.PLAIN

    def _is_usual(self) -> bool:
        return self.policies.settings.entry("JSON_CAMEL_CASE", "JSON_UNDERSCOREIZE") is None

    def _is_used(self) -> bool:
        return bool(self.policies.program.importers_named((_ROOT,))) or self._is_hooked()

    def _is_hooked(self) -> bool:
        """Whether the contract that drf-spectacular writes has names in camel case."""
        given = self.policies.settings.entry("SPECTACULAR_SETTINGS", "POSTPROCESSING_HOOKS")
        if not isinstance(given, Given):
            return False
        hooks = constant(self.policies.program, given.node, given.scope)
        return isinstance(hooks, list) and _HOOK in hooks

    def _write(
        self, operation: Operation, side: str, media_type: str, sent: Callable[[Schema], Schema]
    ) -> None:
        if side == "request":
            operation.bodies = [
                replace(b, schema=sent(b.schema)) if b.media_type == media_type else b
                for b in operation.bodies
            ]
            return
        for number, answer in enumerate(operation.responses):
            if answer.content and media_type in answer.content:
                content = {**answer.content, media_type: sent(answer.content[media_type])}
                operation.responses[number] = replace(answer, content=content)

    def _sent(self, spelling: Spelling, everywhere: bool, schema: Schema) -> Schema:
        """The schema of what is sent, in which classes are written out unless they are spelled alike everywhere;
        unknown where it has names of which the spelling is open."""
        if spelling is Spelling.PLAIN or not self._differs(schema, set()):
            return schema
        if spelling is Spelling.OPEN:
            return unknown("how names are spelled on the wire is not known")
        return in_camel_case(schema if everywhere else self._written_out(schema, ()))

    def _differs(self, value: object, seen: set[str]) -> bool:
        """Whether some name that a schema leads to is sent otherwise."""
        if isinstance(value, list):
            return any(self._differs(part, seen) for part in value)
        if not isinstance(value, dict):
            return False
        target = self.models.named(value)
        if target is not None and target.qualified not in seen:
            seen.add(target.qualified)
            if self._differs(self.models.whole(target), seen):
                return True
        names = value.get("properties")
        changed = isinstance(names, dict) and any(camelised(name) != name for name in names)
        return changed or any(self._differs(part, seen) for part in value.values())

    def _written_out(self, schema: Schema, around: tuple[str, ...]) -> Schema:
        """A schema with what it refers to in its place; unknown where a class holds itself."""
        target = self.models.named(schema)
        if target is None:
            return {key: self._inner(value, around) for key, value in schema.items()}
        if not self._differs(schema, set()):
            return schema
        if target.qualified in around:
            return unknown("a class that is written in another spelling holds itself")
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        inlined = {**self.models.inlined(target), **rest}
        return {key: self._inner(value, (*around, target.qualified)) for key, value in inlined.items()}

    def _inner(self, value: object, around: tuple[str, ...]) -> object:
        if isinstance(value, dict):
            return self._written_out(value, around)
        return [self._inner(part, around) for part in value] if isinstance(value, list) else value

    def _open_query(self, operation: Operation) -> None:
        """Leaves open the parameters that the middleware takes in both spellings."""
        known = [p for p in operation.parameters if p.place != "query" or camelised(p.name) == p.name]
        read = [key.removeprefix("query.") for key in operation.taken]
        if len(known) < len(operation.parameters) or any(camelised(name) != name for name in read):
            operation.parameters = known
            operation.parameters_complete, operation.read_by_hand = False, []


def _may_be(listed: Target | None, kinds: list[str]) -> bool:
    """Whether what is listed may be the one that is asked for, by the names of these that are known."""
    if not isinstance(listed, External) or listed.root not in (REST, _ROOT):
        return True
    return listed.name.removeprefix("CamelCase") in kinds


def _refers(operation: Operation) -> bool:
    """Whether an operation of another framework takes or gives anything."""
    return bool(operation.bodies) or any(response.content for response in operation.responses)
