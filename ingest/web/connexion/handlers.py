"""What a function that Connexion calls takes of its operation's request, held against what the contract promises."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import msgspec

from graph.facts import Fact, Json, Kind, Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.connexion.bodies import BodyReader
from ingest.web.connexion.documented import documented_kind
from ingest.web.connexion.headers import headers_read, only_headers
from ingest.web.connexion.models import modelled
from ingest.web.connexion.names import argument_names
from ingest.web.program.calls import is_static
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, FunctionTarget
from ingest.web.records.operations import Body, Operation, Parameter
from ingest.web.requests.argument_uses import annotation_beyond, kind_by_use
from ingest.web.schemas.model_fields import Family
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.values.annotations import shape_of

_CONTEXT = frozenset({"context_", "user", "token_info", "body", "request"})
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
_BY_HAND = frozenset({"request", "context", "g"})


class _Argument(msgspec.Struct, frozen=True):
    name: str
    annotation: ast.expr | None
    default: ast.expr | None
    place: Location


class HandlerReader:
    """Reads the arguments of handlers of one program."""

    def __init__(self, program: Program, models: Models, bodies: BodyReader) -> None:
        self.program = program
        self.models = models
        self.bodies = bodies

    def take(
        self,
        operation: Operation,
        handler: FunctionTarget,
        promised: Fact,
        parts: list[Fact],
        followed: tuple[FunctionTarget, ...],
    ) -> None:
        """Fills in the parameters and bodies that a handler takes."""
        arguments = {argument.name: argument for argument in self._arguments(handler)}
        everything = _takes_everything(handler)
        used = self._take_parameters(operation, handler, parts, arguments, everything)
        self._take_by_hand(operation, followed)
        bodies = [part for part in parts if part.kind is Kind.BODY]
        left = [a for a in arguments.values() if a.name not in used and a.name not in _CONTEXT]
        left = self._take_bodies(operation, handler, bodies, arguments.get("body"), left, everything)
        # What checks credentials may give further arguments; those without a default count without it only.
        free = promised.aspects.get("security") == []
        operation.parameters += [
            Parameter("query", a.name, a.default is None, self._schema(a, handler), a.place)
            for a in left
            if (a.default is None and free)
            or (
                a.default is not None
                and self._is_value(a, handler, arguments, used)
                and not _is_called_by_others(handler)
            )
        ]

    def _take_parameters(
        self,
        operation: Operation,
        handler: FunctionTarget,
        parts: list[Fact],
        arguments: dict[str, _Argument],
        everything: bool,
    ) -> set[str]:
        """Fills in the parameters that the contract promises; gives the names of arguments that are for them."""
        used: set[str] = set()
        for part in parts:
            if part.kind is not Kind.PARAMETER:
                continue
            names = argument_names(part.name)
            found = next((arguments[name] for name in sorted(names) if name in arguments), None)
            if part.aspects.get("in") not in ("path", "query"):
                # Headers and cookies are never given as arguments; the function may ask for them by itself.
                if found is None:
                    operation.parameters.append(self._parameter(part, None, operation.source, handler))
                continue
            used |= names
            if found is not None or everything:
                operation.parameters.append(self._parameter(part, found, operation.source, handler))
        return used

    def _take_by_hand(self, operation: Operation, followed: tuple[FunctionTarget, ...]) -> None:
        """What functions ask the request for by themselves: headers, where it is nothing else, count as parameters."""
        by_hand = any(_asks_by_hand(function) for function in followed)
        if by_hand and all(only_headers(self.program, function) for function in followed):
            by_hand = False
            operation.parameters = [p for p in operation.parameters if p.place != "header"]
            operation.parameters += [
                Parameter("header", name, required, {"type": "string", "x-unchecked": ["type"]}, place)
                for name, required, place in headers_read(self.program, followed)
            ]
        operation.parameters_complete = not by_hand

    def _take_bodies(
        self,
        operation: Operation,
        handler: FunctionTarget,
        bodies: list[Fact],
        own: _Argument | None,
        left: list[_Argument],
        everything: bool,
    ) -> list[_Argument]:
        """Fills in the bodies; gives those of the arguments left that are for none. `own` is called `body`."""
        if bodies:
            one = own or (left[0] if len(left) == 1 else None)
            # Forms, and bodies in older versions, are given field by field.
            if own is None and not everything and left and all(map(_is_form, bodies)):
                operation.bodies = [self._form(body, left, handler) for body in bodies]
                return []
            if one is not None or everything or left:
                operation.bodies = [self._body(body, one, operation.source, handler) for body in bodies]
            form = any(str(body.aspects.get("media_type")) in _FORMS for body in bodies)
            return [] if form or one is None else [a for a in left if a is not one]
        candidates = left if own is None else [*left, own]
        asked_for = [a for a in candidates if a.default is None and self._is_body(a, handler)]
        if asked_for:
            place = asked_for[0].place
            operation.bodies = [Body("application/json", True, unknown("it is read by hand"), place)]
        return [a for a in left if a not in asked_for]

    def _is_body(self, taken: _Argument, handler: FunctionTarget) -> bool:
        """Whether an argument can only be a body: by its usual name, or since fields are taken of it."""
        return taken.name == "body" or self.bodies.schema(handler, taken.name) is not None

    def _arguments(self, handler: FunctionTarget) -> list[_Argument]:
        pairs = list(parameters(handler.node))
        if handler.scope.is_class and isinstance(handler.node, Function) and not is_static(handler):
            pairs = pairs[1:]
        return [
            _Argument(node.arg, node.annotation, default, self.program.place(node, handler.scope))
            for node, default in pairs
        ]

    def _parameter(
        self, part: Fact, taken: _Argument | None, place: Location, handler: FunctionTarget
    ) -> Parameter:
        required: bool | None = None
        schema = unknown("Connexion gives what the contract says")
        if taken is not None:
            defaults = "default" in (part.aspects.get("schema") or {})
            enforced = part.aspects.get("required") is True
            required = True if enforced else taken.default is None and not defaults
            schema, place = self._schema(taken, handler), taken.place
            if taken.annotation is None:
                promised = part.aspects.get("schema")
                by_default = _of_default(taken.default, promised)
                told = by_default or documented_kind(handler, taken.name, promised)
                schema = told or self._of_use(taken, handler, promised) or schema
        deprecated = part.aspects.get("deprecated") is True
        return Parameter(str(part.aspects["in"]), part.name, required, schema, place, deprecated)

    def _of_use(self, taken: _Argument, handler: FunctionTarget, promised: Json) -> Schema | None:
        """The type without which the function fails; where any number will do, the one that the contract says."""
        kind = kind_by_use(self.program, handler, taken.name)
        if kind == "number" and isinstance(promised, dict) and promised.get("type") == "integer":
            kind = "integer"
        if not kind:
            return None
        return {"type": kind, "x-unchecked": ["type"]} if kind == "string" else {"type": kind}

    def _body(self, part: Fact, taken: _Argument | None, place: Location, handler: FunctionTarget) -> Body:
        schema = unknown("Connexion gives what the contract says")
        media_type = str(part.aspects["media_type"])
        if taken is not None:
            place = taken.place
            shape = shape_of(self.program, taken.annotation, handler.scope) if taken.annotation else None
            target = shape.target if shape is not None and shape.kind is ShapeKind.CLASS else None
            if isinstance(target, ClassTarget) and self.models.family(target) is Family.TYPED_DICT:
                schema = self.models.schema(shape) if shape is not None else schema
            elif media_type not in _FORMS or taken.name == "body":
                fields = modelled(self.models, handler, taken.name) or self.bodies.schema(handler, taken.name)
                schema = fields or schema
                if fields and not _is_json(media_type) and media_type not in _FORMS:
                    # Only JSON and forms reach the handler as something that has fields.
                    media_type = "application/json"
        elif handler.node.args.kwarg is not None and media_type not in _FORMS:
            schema = self.bodies.schema(handler, "") or schema
        required = part.aspects.get("required")
        return Body(media_type, required is True, schema, place)

    def _form(self, part: Fact, taken: list[_Argument], handler: FunctionTarget) -> Body:
        """A form whose fields are given as arguments of their names; fields without one are given to nobody."""
        schemas = {
            each.name: {**self._schema(each, handler), "x-line": each.place.line}
            for each in taken
            if each.name not in _CONTEXT
        }
        needed = sorted(each.name for each in taken if each.default is None and each.name in schemas)
        whole: Schema = {"type": "object", "properties": schemas, "x-complete": True}
        schema = normalise({**whole, "required": needed} if needed else whole)
        media_type = str(part.aspects["media_type"])
        return Body(media_type, part.aspects.get("required") is True, schema, taken[0].place)

    def _is_value(
        self, taken: _Argument, handler: FunctionTarget, arguments: Mapping[str, _Argument], used: set[str]
    ) -> bool:
        """Whether an argument with a default is one that only a request could give: text, a number, a flag.

        Where no argument is annotated, it is one like those beside it, which the contract names.
        """
        if taken.annotation is None:
            alike = any(a.name in used and a.annotation is None and a.default for a in arguments.values())
            plain = isinstance(taken.default, ast.Constant) and not getattr(
                handler.node, "decorator_list", ()
            )
            return plain and alike
        shape = shape_of(self.program, taken.annotation, handler.scope)
        return all(part.kind in (ShapeKind.SCALAR, ShapeKind.LITERAL) for part in shape.members)

    def _schema(self, taken: _Argument, handler: FunctionTarget) -> Schema:
        """The schema of an argument, as its annotation says, or that of the functions that it is only handed on to;
        what only its default can be is left out."""
        annotation, scope = taken.annotation, handler.scope
        if annotation is None:
            annotation, scope = annotation_beyond(self.bodies.instances, handler, taken.name)
        if annotation is None:
            return unknown("the argument has no annotation")
        shape = shape_of(self.program, annotation, scope)
        members = shape.members
        only = members[0] if len(members) == 1 else shape
        plain = only.kind in (ShapeKind.SCALAR, ShapeKind.ARRAY, ShapeKind.LITERAL)
        if not plain:
            return unknown("the annotation is no plain type")
        schema = self.models.schema(_bare(only))
        # Connexion gives what it has checked already: text stays text.
        return {**schema, "x-unchecked": ["type"]} if schema.get("type") == "string" else schema


def _of_default(default: ast.expr | None, promised: Json) -> Schema | None:
    """The type of the default that stands for a missing value; a whole number may stand for any number."""
    value = default.value if isinstance(default, ast.Constant) else None
    kind = {str: "string", bool: "boolean", int: "integer", float: "number"}.get(type(value))
    wide = isinstance(promised, dict) and promised.get("type") == "number"
    return None if kind is None or (wide and kind == "integer") else {"type": kind}


def _is_form(body: Fact) -> bool:
    return str(body.aspects.get("media_type")) in _FORMS


def _is_json(media_type: str) -> bool:
    return media_type.split(";")[0].strip().endswith(("/json", "+json")) or "*" in media_type


def _bare(shape: Shape) -> Shape:
    return Shape(shape.kind, shape.arguments, shape.target, shape.schema, shape.values)


def _takes_everything(handler: FunctionTarget) -> bool:
    """Whether a handler may use whatever it is given beside its arguments: it looks at its `**kwargs`."""
    rest = handler.node.args.kwarg
    return rest is not None and any(
        isinstance(node, ast.Name) and node.id == rest.arg for node in ast.walk(handler.node)
    )


def _is_called_by_others(handler: FunctionTarget) -> bool:
    """Whether functions of its module call the handler: an argument with a default may be meant for these alone."""
    name = getattr(handler.node, "name", "")
    top = handler.scope
    while top.parent is not None:
        top = top.parent
    return any(
        (isinstance(call.func, ast.Name) and call.func.id == name)
        or (isinstance(call.func, ast.Attribute) and call.func.attr == name)
        for scope in top.descend()
        for call in scope.calls
    )


def _asks_by_hand(function: FunctionTarget) -> bool:
    """Whether a function looks at the request itself."""
    for node in ast.walk(function.node):
        if isinstance(node, ast.Name) and node.id in _BY_HAND:
            return True
        if isinstance(node, ast.Attribute) and node.attr == "request":
            return True
    return False
