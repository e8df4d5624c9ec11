"""The models of a Django project: what their columns hold."""

from __future__ import annotations

import ast
import re
from typing import Final

from graph.facts import Location
from graph.schema_algebra import Schema, implied, unknown
from ingest.web.constants.constants import MISSING, Constant, constant, text_of
from ingest.web.django.columns import (
    BOUNDS,
    GENERATED,
    KEY,
    PLAIN,
    RELATIONS,
    SIZED,
    UNICODE_SLUG,
    choice_values,
    decimal_pattern,
    enumerated,
    unlimited,
)
from ingest.web.django.declarations import TableReader
from ingest.web.django.named_models import NamedModels
from ingest.web.django.querysets import Querysets
from ingest.web.django.settings import Settings
from ingest.web.django.tables import Column, ModelClass, Table, outside
from ingest.web.django.validators import validated
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External
from ingest.web.syntax.scopes import Scope

_EXTENDED = re.compile(r"""^\s+target_class\s*(?::[^=]+)?=\s*["']?(?:[\w.]+\.)?(\w+)["']?""", re.M)
_BLOCK: Final = re.compile(r"^(?=class )", re.M)
_SUBCLASSES: Final = re.compile(r"^\s+match_subclasses\s*(?::[^=]+)?=\s*True\b", re.M)
_DEPTH = 10
_USUAL_SIZES: Final = {"SlugField": 50, "EmailField": 254, "URLField": 200}


class DjangoModels(NamedModels):
    """Reads the models of one program.

    `names` are the modules that may hold models, `extended` the names of classes that an extension of
    drf-spectacular describes.
    """

    def __init__(self, program: Program, settings: Settings, names: tuple[str, ...]) -> None:
        super().__init__(program, settings, names)
        self._classes = TableReader(program)
        self._querysets = Querysets(program, self.model)
        texts = [program.text(name) for name in names]
        blocks = [b for text in texts if "drf_spectacular" in text for b in _BLOCK.split(text)]
        named = [(found, block) for block in blocks for found in _EXTENDED.findall(block)]
        self.extended = frozenset(name for name, _ in named)
        self._inherited = frozenset(name for name, block in named if _SUBCLASSES.search(block))

    def is_extended(self, target: ClassTarget) -> bool:
        """Whether an extension of drf-spectacular describes a class, itself or by one of its bases."""
        return target.node.name in self.extended or any(
            isinstance(base, ClassTarget) and base.node.name in self._inherited
            for base in self.program.ancestry(target)
        )

    def table(self, model: ModelClass) -> Table:
        """All columns of a model, its own and inherited ones."""
        if isinstance(model, External):
            columns = outside(model, Location("", 1, 1))
            return Table(columns or {}, columns is not None)
        return self.program.remember(("table", model.node), lambda: self._classes.of(model))

    def model_of_queryset(self, node: ast.expr | None, scope: Scope) -> ModelClass | None:
        """The model behind `Model.objects.filter(…)`."""
        return self._querysets.model(node, scope)

    def key(self, model: ModelClass | None, depth: int = 0) -> Schema:
        """The schema of a model's primary key."""
        if model is None or depth > _DEPTH:
            return unknown("the model is not known")
        table = self.table(model)
        for column in table.columns.values():
            if self.flag(column, "primary_key"):
                return unlimited(self.value(column, depth + 1))
        if not table.complete:
            return unknown("a base of the model is not known")
        return dict(KEY)

    def related(self, column: Column) -> ModelClass | None:
        """The model that a relation leads to."""
        if isinstance(leading := column.fixed.get("to"), str):
            return External(leading)
        node = column.given("to", 0)
        if node is None or column.scope is None:
            return None
        if text_of(self.program, node, column.scope) == "self":
            around = column.scope
            if isinstance(around.node, ast.ClassDef) and around.parent is not None:
                return ClassTarget(around.node, around.parent)
            return None
        return self.model(node, column.scope)

    def value(self, column: Column, depth: int = 0) -> Schema:
        """The schema of a column's value without null, as the REST framework writes it."""
        if column.kind in RELATIONS:
            model = self.related(column)
            wanted = column.given("to_field")
            inner = self.key(model, depth + 1)
            if wanted is not None and column.scope is not None and model is not None:
                name = text_of(self.program, wanted, column.scope)
                found = self.table(model).columns.get(name or "")
                inner = (
                    unlimited(self.value(found, depth + 1)) if found else unknown("the column is not known")
                )
            return {"type": "array", "items": inner} if column.kind == "ManyToManyField" else inner
        if column.kind == GENERATED:
            output = self._classes.inner(column, "output_field")
            return unlimited(self.value(output, depth + 1)) if output else unknown("the column is computed")
        if column.kind == "ArrayField":
            return unknown("the items of an array column are not read")
        choices = column.given("choices")
        if choices is not None and column.scope is not None:
            values = choice_values(self.program, choices, column.scope)
            return unknown("the choices are not constant") if values is None else enumerated(values)
        plain = PLAIN.get(column.kind)
        if plain is None:
            return unknown(f"columns of the kind {column.kind or 'that is used here'} are not known")
        return self._limited(dict(plain), column)

    def flag(self, column: Column, name: str) -> bool:
        """Whether a keyword is given as true; what is not constant counts as false."""
        return self.constant(column, name) is True

    def constant(self, column: Column, name: str, position: int | None = None) -> Constant:
        """The constant that a keyword is given, else `MISSING`."""
        if name in column.fixed:
            return column.fixed[name]
        node = column.given(name, position)
        return constant(self.program, node, column.scope) if node is not None and column.scope else MISSING

    def has(self, column: Column, name: str) -> bool:
        """Whether a keyword is given at all."""
        return name in column.fixed or column.given(name) is not None

    def _limited(self, schema: Schema, column: Column) -> Schema:
        if "string" in schema.get("type", "") and column.kind in SIZED:
            size = self.constant(column, "max_length")
            if isinstance(size, int):
                schema["maxLength"] = size
            elif column.kind in _USUAL_SIZES and not self.has(column, "max_length"):
                # Django's own sizes, which contracts rarely repeat.
                schema["maxLength"] = _USUAL_SIZES[column.kind]
                schema = implied(schema, "maxLength")
            elif self.has(column, "max_length"):
                schema = implied(schema, "maxLength")
        if column.kind == "DecimalField":
            schema.update(self._digits(column))
        if column.kind == "SlugField" and self.has(column, "allow_unicode"):
            schema["pattern"] = UNICODE_SLUG if self.flag(column, "allow_unicode") else schema["pattern"]
        written = column.given("validators")
        if written is not None and column.scope is not None:
            validated(self.program, schema, written, column.scope, self.has(column, "max_length"))
        elif "pattern" in column.fixed:
            # What Django's own validator takes; contracts by hand rarely repeat it.
            schema["pattern"] = column.fixed["pattern"]
            schema = implied(schema, "pattern")
        return schema

    def _digits(self, column: Column) -> Schema:
        """The digits of a decimal that is written as text, as drf-spectacular states them; contracts rarely do."""
        digits, places = self.constant(column, "max_digits", 2), self.constant(column, "decimal_places", 3)
        if not isinstance(digits, int) or not isinstance(places, int):
            return {"x-implied": ["pattern", *BOUNDS]}
        return {"pattern": decimal_pattern(digits, places), "x-implied": ["pattern", *BOUNDS]}
