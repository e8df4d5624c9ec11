"""The models of a Django project: which one a name or a query stands for, and what its columns hold."""

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
from ingest.web.django.querysets import Querysets, label_of
from ingest.web.django.settings import Settings
from ingest.web.django.tables import OUTSIDE, Column, ModelClass, Table, outside
from ingest.web.django.validators import validated
from ingest.web.program.functions import returned
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.modules import Module
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope

_CLASS = re.compile(r"^class (\w+)\b", re.M)
_EXTENDED = re.compile(r"""^\s+target_class\s*(?::[^=]+)?=\s*["']?(?:[\w.]+\.)?(\w+)["']?""", re.M)
_BLOCK: Final = re.compile(r"^(?=class )", re.M)
_SUBCLASSES: Final = re.compile(r"^\s+match_subclasses\s*(?::[^=]+)?=\s*True\b", re.M)
_DOTTED: Final = re.compile(r"\w+\.\w+$")
_DEPTH = 10
_USUAL_SIZES: Final = {"SlugField": 50, "EmailField": 254, "URLField": 200}


class DjangoModels:
    """Reads the models of one program.

    `names` are the modules that may hold models, `extended` the names of classes that an extension of
    drf-spectacular describes.
    """

    def __init__(self, program: Program, settings: Settings, names: tuple[str, ...]) -> None:
        self.program = program
        self.settings = settings
        self.names = names
        self._classes = TableReader(program)
        self._querysets = Querysets(program, self.model)
        self._index: dict[str, list[tuple[str, str]]] | None = None
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

    def model(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> ModelClass | None:
        """The model that an expression names: as a class, as text, or as the user model of the settings."""
        if node is None or depth > _DEPTH:
            return None
        value = text_of(self.program, node, scope)
        target = self.program.resolve(node, scope)
        if value is not None:
            return self._by_name(value, scope)
        if isinstance(target, External) and target.name == "AUTH_USER_MODEL":
            return self.user()
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            return self._called(target.node, target.scope, depth)
        if isinstance(target, ClassTarget):
            return target if self.is_model(target) else None
        return target if isinstance(target, External) and target.root == "django" else None

    def _called(self, call: ast.Call, scope: Scope, depth: int) -> ModelClass | None:
        """The model that a function gives: the users', or the one that it is told by its name (`"shop.Book"`)."""
        made = self.program.resolve(call.func, scope)
        if isinstance(made, External) and made.name == "get_user_model":
            return self.user()
        if not isinstance(made, External | FunctionTarget) or "model" not in last_name(call.func):
            return None
        named = [text_of(self.program, each, scope) for each in call.args[:2]]
        if named and named[0] is not None and _DOTTED.match(named[0]):
            return self._by_name(named[0], scope)
        if len(named) == 2 and all(named):
            swapped = self.settings.value(f"{named[0]}_{named[1]}_MODEL".upper())
            return self._by_name(swapped if isinstance(swapped, str) else f"{named[0]}.{named[1]}", scope)
        if len(call.args) == 1 and named[0] is not None and named[0].isidentifier():
            return self._find(named[0], "", self.program.place(call, scope))
        results = returned(made) if isinstance(made, FunctionTarget) and not call.args else []
        return self._among(results, depth)

    def _among(self, results: list[tuple[ast.expr, Scope]], depth: int) -> ModelClass | None:
        """The model that a function gives: the one that it looks up by a setting, else the one that stands for it where
        there is no such setting."""
        looked_up = [(label_of(node), node, scope) for node, scope in results]
        unset = [
            node for label, node, scope in looked_up if label and constant(self.program, label, scope) is None
        ]
        stated = [(n, s) for label, n, s in looked_up if label and n not in unset]
        wanted = stated or [(node, scope) for node, scope in results if node not in unset]
        found = [self.model(node, scope, depth + 1) for node, scope in wanted]
        return found[0] if found and all(each == found[0] for each in found) else None

    def is_model(self, target: Target | None) -> bool:
        """Whether this is a model class of the project."""
        return isinstance(target, ClassTarget) and self.program.is_a(target, {"django"}, set(OUTSIDE))

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

    def user(self) -> ModelClass | None:
        """The model of the users, as the settings name it."""
        value = self.settings.value("AUTH_USER_MODEL")
        if isinstance(value, str):
            place = Location(min(self.settings.sources, default=""), 1, 1)
            return self._find(value.rpartition(".")[2], value.partition(".")[0], place)
        return External("django.contrib.auth.models.User") if self.settings.found else None

    def _by_name(self, name: str, scope: Scope) -> ModelClass | None:
        label, _, bare = name.rpartition(".")
        here = self.program.module_of(scope)
        if not label and here is not None:
            target = self.program.member(here, bare)
            if isinstance(target, ClassTarget):
                return target
        if label == "auth":
            return External(f"django.contrib.auth.models.{bare}")
        return self._find(bare, label, self.program.place(scope.node, scope))

    def _find(self, name: str, label: str, place: Location) -> ClassTarget | None:
        """The one model class of this name, in whatever case; of several, the one in the application of this label.
        One that an installed application has is told at `place`."""
        if self._index is None:
            self._index = {}
            for module_name in self.names:
                for found in _CLASS.findall(self.program.text(module_name)):
                    self._index.setdefault(found.lower(), []).append((module_name, found))
        places = self._index.get(name.lower(), [])
        if len(places) > 1 and label:
            places = [each for each in places if label in each[0].split(".")]
        modules = [(self.program.module(module), found) for module, found in places]
        if not places and label:
            # Models that only inherit from another application's need not name Django themselves.
            modules = [(self._models(each, place), name) for each in self._installed(label)]
        targets = []
        for module, found in modules:
            target = self.program.member(module, self._spelled(module, found)) if module is not None else None
            if isinstance(target, ClassTarget) and self.is_model(target):
                targets.append(target)
        return targets[0] if len(targets) == 1 else None

    def _models(self, application: str, place: Location) -> Module | None:
        name = f"{application}.models"
        return self.program.module(name) or self.program.installed(name, place)

    def _spelled(self, module: Module, name: str) -> str:
        """A name of a module as it writes it: Django's own names of models are in no case."""
        if name in module.scope.bindings:
            return name
        return next((each for each in module.scope.bindings if each.lower() == name.lower()), name)

    def _installed(self, label: str) -> list[str]:
        """The applications of a label, as the settings name them; by its own name where they do not."""
        names = self.settings.value("INSTALLED_APPS")
        found = [str(name).partition(".apps.")[0] for name in names] if isinstance(names, list) else []
        return [name for name in found if name.rpartition(".")[2] == label] or [label]
