"""What the `Meta` of a model serializer says: which fields there are, and what holds for them."""

from __future__ import annotations

import ast

from graph.facts import Json
from ingest.web.constants.constants import MISSING, Missing, constant, elements, entries, of_target, text_of
from ingest.web.django.settings import Given
from ingest.web.django.tables import ModelClass, Table
from ingest.web.program.targets import ClassTarget, Target, ValueTarget
from ingest.web.serializers.existing_names import existing
from ingest.web.serializers.meta_lists import MetaLists
from ingest.web.serializers.reading import SerializerReading
from ingest.web.syntax.scopes import Scope

_ADDRESS = "url"
_FILLING = frozenset({"append", "extend", "insert", "remove"})
Options = dict[str, tuple[ast.expr, Scope]]


class MetaReader:
    """Reads the `Meta` of the model serializers of one program."""

    def __init__(self, models: SerializerReading) -> None:
        self.models = models
        self.program = models.program

    def names(
        self,
        serializer: ClassTarget,
        model: ModelClass | None,
        table: Table | None,
        declared: dict[str, tuple[ast.Call, Scope]],
    ) -> list[str] | None:
        """The names of all fields in order; None where they cannot all be known."""
        listed = self.models.meta(serializer, "fields")
        left_out = self.models.meta(serializer, "exclude")
        if any(isinstance(each, ValueTarget) and _is_filled(each.scope) for each in (listed, left_out)):
            filled = self._filled(listed, model, "fields") if left_out is None else None
            return list(dict.fromkeys(filled)) if filled is not None else None
        if listed is not None:
            value = of_target(self.program, listed)
            if isinstance(value, list) and all(isinstance(name, str) for name in value):
                return list(dict.fromkeys(value))
            if value != "__all__":
                return None
        if table is None or not table.complete or (listed is None and left_out is None):
            return None
        names = self.every(serializer, table, declared)
        if left_out is not None:
            value = of_target(self.program, left_out)
            if isinstance(value, Missing):
                value = existing(self.program, left_out)
            if not isinstance(value, list):
                return None
            names = [name for name in names if name not in value]
        return names

    def every(
        self, serializer: ClassTarget, table: Table, declared: dict[str, tuple[ast.Call, Scope]]
    ) -> list[str]:
        """The names of the key, of what is declared and of all columns."""
        tables = self.models.tables
        key = next((c.name for c in table.columns.values() if tables.flag(c, "primary_key")), "id")
        key = self.address(serializer) if self.is_hyperlinked(serializer) else key
        plain = [c.name for c in table.columns.values() if not tables.flag(c, "primary_key")]
        plain = [name for name in plain if not tables.flag(table.columns[name], "parent_link")]
        return list(dict.fromkeys([key, *declared, *plain]))

    def address(self, serializer: ClassTarget) -> str:
        """The name of the field for a row's own address, which any serializer of a model may list."""
        own = self.program.class_member(serializer, "url_field_name")
        given = self.models.settings.rest("URL_FIELD_NAME")
        for found in (own, given):
            if isinstance(found, ValueTarget | Given):
                return text_of(self.program, found.node, found.scope) or _ADDRESS
        return _ADDRESS

    def is_hyperlinked(self, serializer: ClassTarget) -> bool:
        """Whether relations are written as addresses."""
        return self.program.is_a(serializer, {"rest_framework"}, {"HyperlinkedModelSerializer"})

    def extra(self, serializer: ClassTarget) -> dict[str, Options] | None:
        """`extra_kwargs` by field; None where they are not constant."""
        target = self.models.meta(serializer, "extra_kwargs")
        if not isinstance(target, ValueTarget):
            return {} if target is None else None
        table = entries(self.program, target.node, target.scope)
        if table is None:
            return None
        found: dict[str, Options] = {}
        for key, value, scope in table:
            name = text_of(self.program, key, scope)
            options = entries(self.program, value, scope)
            if name is None or options is None:
                return None
            found[name] = {
                text: (node, inner)
                for key_node, node, inner in options
                if (text := text_of(self.program, key_node, inner)) is not None
            }
        return found

    def closed(self, serializer: ClassTarget) -> set[str] | None:
        """`read_only_fields`; None where they are not constant."""
        target = self.models.meta(serializer, "read_only_fields")
        if target is None:
            return set()
        value = (
            constant(self.program, target.node, target.scope) if isinstance(target, ValueTarget) else MISSING
        )
        if isinstance(target, ValueTarget) and _is_filled(target.scope):
            filled = self._filled(target, self.models.model_of(serializer), "read_only_fields")
            return set(filled) if filled is not None else None
        return {str(name) for name in value} if isinstance(value, list) else None

    def _filled(self, target: Target | None, model: ModelClass | None, name: str) -> list[str] | None:
        """The names in a list that statements of the class body fill."""
        if not isinstance(target, ValueTarget) or not target.scope.is_class:
            return None
        return MetaLists(self.models, model, target.scope).found.get(name)

    def unique(self, model: ModelClass | None, names: list[str]) -> set[str]:
        """The columns that are demanded because they are unique only together with others."""
        meta = self.program.class_member(model, "Meta") if isinstance(model, ClassTarget) else None
        if not isinstance(meta, ClassTarget):
            return set()
        groups: list[list[Json]] = []
        together = self.program.class_member(meta, "unique_together")
        if isinstance(together, ValueTarget):
            value = constant(self.program, together.node, together.scope)
            if isinstance(value, list):
                groups += (
                    [value]
                    if value and isinstance(value[0], str)
                    else [g for g in value if isinstance(g, list)]
                )
        constraints = self.program.class_member(meta, "constraints")
        if isinstance(constraints, ValueTarget):
            for node, scope in elements(self.program, constraints.node, constraints.scope) or []:
                keywords = {k.arg: k.value for k in node.keywords} if isinstance(node, ast.Call) else {}
                value = constant(self.program, keywords.get("fields"), scope)
                if isinstance(value, list) and len(value) > 1 and "condition" not in keywords:
                    groups.append(value)
        return {str(name) for group in groups if set(group) <= set(names) for name in group}

    def depth(self, serializer: ClassTarget) -> int | None:
        """To which depth relations are written out; None where that is not known."""
        depth = self.models.meta(serializer, "depth")
        if depth is None:
            return 0
        found = constant(self.program, depth.node, depth.scope) if isinstance(depth, ValueTarget) else None
        return found if isinstance(found, int) else None


def _is_filled(scope: Scope) -> bool:
    """Whether statements of a class body add to lists of it: `fields.append("email")`."""
    return scope.is_class and any(
        isinstance(call.func, ast.Attribute) and call.func.attr in _FILLING for call in scope.calls
    )
