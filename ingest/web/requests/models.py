"""Classes that a Flask handler makes of the request's body: Pydantic models, dataclasses, msgspec structs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from graph.facts import Kind, Location, Tag, fact_id
from graph.schema_algebra import Schema
from ingest.web.answers.json_marshmallow import marshmallow_of
from ingest.web.constants.constants import constant, entries
from ingest.web.marshmallow.inputs import parameters_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, ValueTarget
from ingest.web.records.operations import Parameter
from ingest.web.requests.json_schema_checks import SchemaChecks
from ingest.web.schemas.model_fields import Family
from ingest.web.schemas.models import Models
from ingest.web.schemas.named_schemas import NamedSchema
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

if TYPE_CHECKING:
    from ingest.web.marshmallow.schemas import Marshmallow
    from ingest.web.marshmallow.uses import Use

_VALIDATE = frozenset({"model_validate", "parse_obj"})
_VALIDATE_TEXT = frozenset({"model_validate_json", "parse_raw"})
_LOADS = frozenset({"load", "validate"})
_PARTIAL = "which fields may be left out cannot be known"
_MADE = frozenset({Family.PYDANTIC, Family.DATACLASS, Family.ATTRS})


def without(schema: Schema, *keys: str) -> Schema:
    """The schema without these keywords."""
    return {key: value for key, value in schema.items() if key not in keys}


def _as_dictionary(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.AST:
    """A mapping with what only makes a dictionary of it: `request.args.to_dict()`, `dict(request.args)`."""
    outer = parents.get(node)
    if isinstance(outer, ast.Attribute) and outer.attr == "to_dict":
        return parents.get(outer, node)
    named = isinstance(outer, ast.Call) and isinstance(outer.func, ast.Name) and outer.func.id == "dict"
    return outer if named and isinstance(outer, ast.Call) and outer.args == [node] else node


class BodyModels:
    """Recognises where the body becomes a model."""

    def __init__(self, program: Program, instances: Instances, models: Models) -> None:
        self.program = program
        self.instances = instances
        self.models = models
        self.checks = SchemaChecks(instances)

    @cached_property
    def marshmallow(self) -> Marshmallow | None:
        """The reader of marshmallow's schemas, where the project has any."""
        return marshmallow_of(self.program, self.instances)

    def named(self) -> Iterator[NamedSchema]:
        """The schemas that bodies refer to by name."""
        if self.marshmallow is not None:
            yield from self.marshmallow.named()

    def made_of(self, node: ast.AST, parents: Mapping[ast.AST, ast.AST], scope: Scope) -> Schema | None:
        """The schema of what is made of the body here: `Model(**body)`, `Model.model_validate(body)`."""
        if (held := self.checks.of(node, parents, scope)) is not None:
            return held
        outer = parents.get(node)
        if isinstance(outer, ast.keyword) and outer.arg is None:
            call = parents.get(outer)
            alone = isinstance(call, ast.Call) and not call.args and len(call.keywords) == 1
            return self._of(call.func, scope, _MADE) if isinstance(call, ast.Call) and alone else None
        if not isinstance(outer, ast.Call) or not outer.args or outer.args[0] is not node:
            return None
        if isinstance(outer.func, ast.Attribute) and outer.func.attr in _VALIDATE:
            return self._of(outer.func.value, scope, {Family.PYDANTIC})
        if self.program.resolve(outer.func, scope) == External("msgspec.convert"):
            return self._of(argument(outer, 1, "type"), scope, {*_MADE, Family.MSGSPEC})
        if (
            isinstance(outer.func, ast.Attribute)
            and outer.func.attr in _LOADS
            and self.marshmallow is not None
        ):
            use = self.marshmallow.use(outer.func.value, scope)
            options = self._options(outer, scope)
            if use is not None and options is None:
                use = replace(use, unread=_PARTIAL)
            elif use is not None and options and "partial" in options:
                known = constant(self.program, *options["partial"])
                use = (
                    replace(use, partial=known) if isinstance(known, bool) else replace(use, unread=_PARTIAL)
                )
            return self._loaded(self.marshmallow, use) if use is not None and len(outer.args) == 1 else None
        return None

    def _options(self, call: ast.Call, scope: Scope) -> dict[str, tuple[ast.expr, Scope]] | None:
        """The keywords that a call is given, each with its scope; None where they cannot all be seen."""
        found: dict[str, tuple[ast.expr, Scope]] = {}
        for keyword in call.keywords:
            if keyword.arg is not None:
                found[keyword.arg] = (keyword.value, scope)
                continue
            table = entries(self.program, keyword.value, scope)
            if table is None:
                return None
            for key, value, place in table:
                found[str(constant(self.program, key, place))] = (value, place)
        return found

    def _loaded(self, marshmallow: Marshmallow, use: Use) -> Schema:
        """What a schema takes; that it refuses other fields by itself, few contracts by hand care to say."""
        whole = marshmallow.whole(use)
        if whole.get("additionalProperties") is not False:
            return whole
        return {**{k: v for k, v in whole.items() if k != "additionalProperties"}, "x-complete": True}

    def parameters(
        self, node: ast.AST, parents: Mapping[ast.AST, ast.AST], scope: Scope, where: str, place: Location
    ) -> list[Parameter] | None:
        """What is taken of a whole mapping by a model or schema (`Query(**request.args)`); None where none is made."""
        whole = _as_dictionary(node, parents)
        outer = parents.get(whole)
        if (
            isinstance(outer, ast.Assign)
            and len(outer.targets) == 1
            and isinstance(outer.targets[0], ast.Name)
        ):
            loads = [
                each
                for each in parents
                if isinstance(each, ast.Name)
                and each.id == outer.targets[0].id
                and isinstance(each.ctx, ast.Load)
            ]
            whole = loads[0] if len(loads) == 1 else whole
            outer = parents.get(whole)
        call = parents.get(outer) if isinstance(outer, ast.keyword) else outer
        if not isinstance(call, ast.Call) or not isinstance(outer, ast.Call | ast.keyword):
            return None
        if (
            self.marshmallow is not None
            and isinstance(call.func, ast.Attribute)
            and call.func.attr in _LOADS
            and call.args[:1] == [whole]
        ):
            use = self.marshmallow.use(call.func.value, scope)
            return parameters_of(self.marshmallow, use, where, place) if use is not None else None
        made = self.made_of(whole, parents, scope)
        target = self.models.classes.get(str((made or {}).get("$ref", "")).rpartition(":")[2])
        fields = self.models.fields(target) if target is not None else None
        if fields is None or any(each.unnamed for each in fields):
            return None
        return [
            Parameter(where, each.name, each.required, without(each.schema, "x-always"), place)
            for each in fields
            if not each.computed
        ]

    def of_text(self, outer: ast.AST, scope: Scope) -> Schema | None:
        """The schema of what a call makes of the body's bytes: `Model.model_validate_json(request.data)`."""
        if not isinstance(outer, ast.Call):
            return None
        if isinstance(outer.func, ast.Attribute) and outer.func.attr in _VALIDATE_TEXT:
            return self._of(outer.func.value, scope, {Family.PYDANTIC})
        if self.program.resolve(outer.func, scope) == External("msgspec.json.decode"):
            return self._of(argument(outer, None, "type"), scope, {Family.MSGSPEC, Family.DATACLASS})
        if isinstance(outer.func, ast.Attribute) and outer.func.attr == "decode":
            target = self.program.resolve(outer.func.value, scope)
            made = target.node if isinstance(target, ValueTarget) else None
            maker = (
                self.program.resolve(made.func, target.scope)
                if isinstance(target, ValueTarget) and isinstance(made, ast.Call)
                else None
            )
            if maker == External("msgspec.json.Decoder") and isinstance(target, ValueTarget):
                assert isinstance(made, ast.Call), "only calls are resolved"
                return self._of(argument(made, 0, "type"), target.scope, {Family.MSGSPEC, Family.DATACLASS})
        return None

    def _of(
        self, node: ast.expr | None, scope: Scope, families: frozenset[Family] | set[Family]
    ) -> Schema | None:
        target = self.program.resolve(node, scope)
        if not isinstance(target, ClassTarget) or self.models.family(target) not in families:
            return None
        self.models.classes.setdefault(target.qualified, target)
        return {"$ref": fact_id(Tag.CODE, Kind.SCHEMA, target.qualified)}
