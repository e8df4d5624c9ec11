"""Relations between Django's models, from both of their ends."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from ingest.web.constants.constants import text_of
from ingest.web.django.columns import RELATIONS
from ingest.web.django.declarations import is_marked
from ingest.web.django.models import DjangoModels
from ingest.web.django.tables import Column, ModelClass
from ingest.web.program.targets import ClassTarget, External, FunctionTarget

_CLASS: Final = re.compile(r"^class (\w+)\b", re.M)
_DISPLAY: Final = re.compile(r"get_(\w+)_display")


class Reverse(msgspec.Struct, frozen=True):
    """The rows of another model that point to this one; `many` where there may be several."""

    model: ClassTarget
    many: bool


class Relations:
    """Follows the relations between the models of one program."""

    def __init__(self, tables: DjangoModels) -> None:
        self.tables = tables
        self.program = tables.program
        self._reverse: dict[str, dict[str, Reverse | None]] | None = None

    def reverse(self, model: ModelClass, name: str) -> Reverse | None:
        """What a name of a model stands for where it is a relation that another model declares."""
        if self._reverse is None:
            self._reverse = self._index()
        found: dict[str, Reverse | None] = {}
        for owner in self.program.ancestry(model) if isinstance(model, ClassTarget) else [model]:
            found = {**self._reverse.get(_identity(owner), {}), **found} if owner is not None else found
        return found.get(name)

    def follow(
        self, model: ModelClass | None, path: list[str]
    ) -> Column | Reverse | FunctionTarget | str | None:
        """What names lead to from a model: a column, other rows, a method or property, or a text."""
        for place, name in enumerate(path):
            if model is None:
                return None
            last = place == len(path) - 1
            column = self.tables.table(model).columns.get(name)
            back = self.reverse(model, name) if column is None else None
            if last:
                return column or back or self._other(model, name)
            if column is not None and column.kind in RELATIONS - {"ManyToManyField"}:
                model = self.tables.related(column)
            elif back is not None and not back.many:
                model = back.model
            else:
                return None
        return None

    def _other(self, model: ModelClass, name: str) -> FunctionTarget | str | None:
        shown = _DISPLAY.fullmatch(name)
        if shown is not None and shown.group(1) in self.tables.table(model).columns:
            return "text"
        found = self.program.class_member(model, name) if isinstance(model, ClassTarget) else None
        return found if isinstance(found, FunctionTarget) else None

    def _index(self) -> dict[str, dict[str, Reverse | None]]:
        """The relations by the model that they lead to and the name that they have there; None where two share it."""
        found: dict[str, dict[str, Reverse | None]] = {}
        for model in self._models():
            for column in self.tables.table(model).columns.values():
                name = self._name(model, column) if column.kind in RELATIONS else None
                target = self.tables.related(column) if name is not None else None
                if name is not None and target is not None:
                    table = found.setdefault(_identity(target), {})
                    many = column.kind != "OneToOneField"
                    table[name] = None if name in table else Reverse(model, many)
        return found

    def _name(self, model: ClassTarget, column: Column) -> str | None:
        """The name of a relation at its other end; None where it has none, or none that is known."""
        if column.call is None or column.scope is None:
            return None
        written = column.given("related_name")
        bare = model.node.name.lower()
        if written is None:
            return bare if column.kind == "OneToOneField" else f"{bare}_set"
        name = text_of(self.program, written, column.scope)
        name = name.replace("%(class)s", bare) if name is not None else None
        return name if name is not None and name.isidentifier() else None

    def _models(self) -> list[ClassTarget]:
        """All concrete models of the modules that write relations down."""
        found = []
        for place in self.tables.names:
            text = self.program.text(place)
            if not any(f"{kind}(" in text for kind in RELATIONS):
                continue
            module = self.program.module(place)
            for name in _CLASS.findall(text):
                target = self.program.member(module, name) if module is not None else None
                if self.tables.is_model(target) and isinstance(target, ClassTarget):
                    if is_marked(self.program, target, "abstract"):
                        continue
                    found.append(target)
        return list({target.node: target for target in found}.values())


def _identity(model: ModelClass | ClassTarget | External) -> str:
    return model.qualified if isinstance(model, ClassTarget) else model.dotted
