"""What the parameters of a path hold by which a view of the REST framework looks its rows up."""

from __future__ import annotations

from graph.schema_algebra import Schema, implied, unknown
from ingest.web.django.columns import RELATIONS, unlimited
from ingest.web.django.tables import Column, ModelClass
from ingest.web.drf.path_uses import compared
from ingest.web.drf.rows import RowReader
from ingest.web.drf.text_uses import is_handed_as_text, is_hinted
from ingest.web.drf.views import Policies, View
from ingest.web.program.targets import FunctionTarget
from ingest.web.records.operations import Parameter
from ingest.web.serializers.serializers import SerializerModels


class LookupReader:
    """Reads what the views of one program look their rows up by."""

    def __init__(self, policies: Policies, models: SerializerModels) -> None:
        self.policies = policies
        self.models = models
        self.rows = RowReader(policies, models.tables)

    def schema(
        self, parameter: Parameter, view: View, handler: FunctionTarget | None, stated: bool
    ) -> Schema:
        """The schema of a path parameter, which is `stated` where the route says that it is a text: views may make more
        of a text than the text."""
        if parameter.schema.get("type") != "string" and "x-unknown" not in parameter.schema:
            return parameter.schema
        if parameter.schema.get("format"):
            return parameter.schema
        found = self._found_by(parameter, view)
        told = "x-unknown" not in found and not stated and self.rows.model(view, asked=False) is not None
        if "x-unknown" in found:
            found = self._compared(parameter, view, handler)
        if "x-unknown" in found:
            if handler is not None and self._is_text(handler, parameter.name, stated):
                return implied({"type": "string"}, "pattern")
            return unknown("the view makes something else of the text") if stated else found
        other = found.get("type") != "string" or "format" in found
        # Where the route says that it is a text, and where what writes contracts has no request to ask for the rows,
        # a contract may say either.
        return {**found, "x-text-too": True} if other and not told else found

    def _found_by(self, parameter: Parameter, view: View) -> Schema:
        """What a view looks its rows up by, where that is a parameter of the path."""
        open_ = unknown("the view may make something else of the text")
        if view.target is None or self.policies.member(view, "get_object") is not None:
            return open_
        lookup = self.policies.text(view, "lookup_field") or "pk"
        named = self.policies.text(view, "lookup_url_kwarg") or lookup
        model = self.rows.model(view)
        if parameter.name != named or model is None or not isinstance(lookup, str):
            return open_
        return self._value(model, lookup.split("__"))

    def _compared(self, parameter: Parameter, view: View, handler: FunctionTarget | None) -> Schema:
        """What a view itself compares a parameter of the path with."""
        program = self.policies.program
        uses = compared(program, self.models, view.target, handler, parameter.name)
        found = [self._value(model, path) for model, path in uses]
        if found and all(each == found[0] for each in found):
            return found[0]
        return unknown("the view may make something else of the text")

    def _is_text(self, handler: FunctionTarget, name: str, stated: bool) -> bool:
        hinted = stated and is_hinted(handler, name)
        return hinted or is_handed_as_text(self.models.instances, handler, name)

    def _value(self, model: ModelClass, path: list[str]) -> Schema:
        """What a column holds, as a text of a path: a key where rows of another model are looked up by theirs."""
        tables = self.models.tables
        if path in (["pk"], ["id"]) and (path == ["pk"] or "id" not in tables.table(model).columns):
            return tables.key(model)
        column = self._column(model, path)
        if column is None:
            return unknown("the view may make something else of the text")
        value = unlimited(tables.value(column))
        # What the route lets through may be told, or not.
        return implied(value, "pattern") if value.get("type") == "string" else value

    def _column(self, model: ModelClass, path: list[str]) -> Column | None:
        """The column of one value that names lead to; a relation for the key of the row that it leads to: `author_id`,
        `author__id`."""
        found = self.models.relations.follow(model, path)
        *before, last = path
        if not isinstance(found, Column) and (last in ("pk", "id") or last.endswith("_id")):
            owner = before if last in ("pk", "id") else [*before, last.removesuffix("_id")]
            found = self.models.relations.follow(model, owner)
            if not isinstance(found, Column) or found.kind not in RELATIONS:
                return None
        return found if isinstance(found, Column) and found.kind != "ManyToManyField" else None
