"""Classes that a Flask handler makes of the request's body: Pydantic models, dataclasses, msgspec structs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from graph.facts import Kind, Tag, fact_id
from graph.schema_algebra import Schema
from ingest.web.calls import argument
from ingest.web.instances import Instances
from ingest.web.json_marshmallow import marshmallow_of
from ingest.web.json_schema_checks import SchemaChecks
from ingest.web.model_fields import Family
from ingest.web.models import Models
from ingest.web.named_schemas import NamedSchema
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import ClassTarget, External, ValueTarget

if TYPE_CHECKING:
    from ingest.web.marshmallow import Marshmallow
    from ingest.web.marshmallow_uses import Use

_VALIDATE = frozenset({"model_validate", "parse_obj"})
_VALIDATE_TEXT = frozenset({"model_validate_json", "parse_raw"})
_LOADS = frozenset({"load", "validate"})
_MADE = frozenset({Family.PYDANTIC, Family.DATACLASS, Family.ATTRS})


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
            return self._loaded(self.marshmallow, use) if use is not None and len(outer.args) == 1 else None
        return None

    def _loaded(self, marshmallow: Marshmallow, use: Use) -> Schema:
        """What a schema takes; that it refuses other fields by itself, few contracts by hand care to say."""
        whole = marshmallow.whole(use)
        if whole.get("additionalProperties") is not False:
            return whole
        return {**{k: v for k, v in whole.items() if k != "additionalProperties"}, "x-complete": True}

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
