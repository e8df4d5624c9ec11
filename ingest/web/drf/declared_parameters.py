"""The parameters that drf-spectacular's `extend_schema` declares for an operation."""

from __future__ import annotations

import ast

from graph.facts import Json
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import Missing, constant, elements, text_of
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, ValueTarget
from ingest.web.records.operations import Parameter
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.serializers.yasg import is_yasg, stated_parameter, written_schema
from ingest.web.syntax.scopes import Scope

_LOCATIONS = frozenset({"query", "path", "header", "cookie"})


class DeclaredParameters:
    """Reads the declared parameters of one program."""

    def __init__(self, program: Program, models: SerializerModels) -> None:
        self.program = program
        self.models = models

    def of(self, given: tuple[ast.expr, Scope] | None) -> tuple[list[Parameter], set[str], bool]:
        """The declared parameters, the keys of those that are taken away, and whether all could be read."""
        if given is None:
            return [], set(), True
        listed = elements(self.program, *self._unordered(*given))
        if listed is None:
            return [], set(), False
        found: list[Parameter] = []
        removed: set[str] = set()
        complete = True
        for node, scope in listed:
            target = self.program.resolve(node, scope)
            if isinstance(target, ValueTarget) and target.node is not None:
                node, scope = target.node, target.scope
            made = self.program.resolve(node.func, scope) if isinstance(node, ast.Call) else target
            if isinstance(node, ast.Call) and isinstance(made, External) and made.name == "OpenApiParameter":
                parameter, gone = self._parameter(node, scope)
                if parameter is None or not self._is_typed(argument(node, 1, "type"), scope):
                    complete = False
                elif gone:
                    removed.add(parameter.key)
                elif argument(node, None, "response") is None:
                    found.append(parameter)
            elif isinstance(node, ast.Call) and is_yasg(made, "Parameter"):
                stated = stated_parameter(self.program, node, scope, self._typed)
                complete = complete and stated is not None
                found += [stated] if stated is not None else []
            elif isinstance(made, ClassTarget) and self.models.is_serializer(made):
                exploded = self._exploded(made)
                # Versions of drf-spectacular differ in whether fields that are only read are parameters.
                fields = self.models.fields(made) or []
                complete = complete and exploded is not None
                complete = complete and not any(each.schema.get("readOnly") for each in fields)
                found += exploded or []
            else:
                complete = False
        return found, removed, complete

    def _typed(self, node: ast.expr, scope: Scope) -> Schema | None:
        """The schema of a part of what drf-yasg is told of a parameter."""
        return written_schema(self.program, node, scope, self._typed) or self.models.of_value(node, scope)

    def _unordered(self, node: ast.expr, scope: Scope) -> tuple[ast.expr, Scope]:
        """The list that `sorted(…)`, `list(…)` or `tuple(…)` is given: the order of parameters tells nothing."""
        target = self.program.resolve(node, scope)
        made = target.node if isinstance(target, ValueTarget) else None
        match made:
            case ast.Call(func=ast.Name(id="sorted" | "list" | "tuple"), args=[listed]):
                assert isinstance(target, ValueTarget), "only a value has such a node"
                return listed, target.scope
        return node, scope

    def _parameter(self, node: ast.Call, scope: Scope) -> tuple[Parameter | None, bool]:
        name = text_of(self.program, argument(node, 0, "name"), scope)
        written = argument(node, 2, "location")
        place = "query" if written is None else self._location(written, scope)
        if name is None or place is None or has_stars(node):
            return None, False
        given = argument(node, 1, "type")
        schema = {"type": "string"} if given is None else self.models.of_value(given, scope) or {}
        options = {k.arg: constant(self.program, k.value, scope) for k in node.keywords if k.arg is not None}
        if any(
            isinstance(options.get(k), Missing) for k in ("required", "many", "exclude", "enum", "explode")
        ):
            schema = unknown("the parameter is not constant")
        if argument(node, None, "enum") is not None and "x-unknown" not in schema:
            values = options.get("enum")
            schema = (
                _narrowed(schema, "enum", values)
                if isinstance(values, list)
                else unknown("the values are not constant")
            )
        if isinstance(options.get("pattern"), str):
            schema = _narrowed(schema, "pattern", options["pattern"])
        if options.get("allow_blank") is False and schema.get("type") == "string":
            schema = {"minLength": 1, **schema}
        if options.get("many") is True:
            schema = {"type": "array", "items": schema}
        default: Json = options.get("default")
        if default is not None and not isinstance(default, Missing):
            schema = {**schema, "default": default}
        needed = argument(node, 3, "required")
        required = place == "path" or (needed is not None and constant(self.program, needed, scope) is True)
        parameter = Parameter(
            place,
            name,
            required,
            normalise(schema),
            self.program.place(node, scope),
            options.get("deprecated") is True,
        )
        return parameter, options.get("exclude") is True

    def _is_typed(self, node: ast.expr | None, scope: Scope) -> bool:
        """Whether a parameter's type is one that drf-spectacular takes: others it leaves out."""
        target = self.program.resolve(node, scope) if node is not None else None
        if isinstance(target, ClassTarget) and not self.models.is_serializer(target):
            return False
        if isinstance(target, ValueTarget) and target.node is not None:
            node, scope = target.node, target.scope
        if isinstance(node, ast.Subscript | ast.BinOp):
            return False
        if isinstance(node, ast.Call) and self.models.reader.is_field(node, scope):
            made = self.program.resolve(node.func, scope)
            return self.models.is_serializer(made) or self.models.reader.is_stated(node, scope)
        return True

    def _location(self, node: ast.expr, scope: Scope) -> str | None:
        value = text_of(self.program, node, scope)
        if value is None and isinstance(node, ast.Attribute):
            value = node.attr.lower()
        return value if value in _LOCATIONS else None

    def _exploded(self, serializer: ClassTarget) -> list[Parameter] | None:
        """The fields of a serializer as query parameters."""
        fields = self.models.fields(serializer)
        if fields is None:
            return None
        return [
            Parameter(
                "query",
                each.name,
                each.required,
                {key: value for key, value in each.schema.items() if key not in ("x-always", "writeOnly")},
                each.place,
            )
            for each in fields
            if not each.schema.get("readOnly")
        ]


def _narrowed(schema: Schema, keyword: str, value: Json) -> Schema:
    """The schema with what is said of its values: of a list, of what stands in it."""
    items = schema.get("items")
    if schema.get("type") == "array" and isinstance(items, dict):
        return {**schema, "items": {**items, keyword: value}}
    return {**schema, keyword: value}
