"""What the parameters of a path hold by which a view of the REST framework looks its rows up."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema, implied, unknown
from ingest.web.django.columns import unlimited
from ingest.web.django.tables import Column
from ingest.web.drf.views import Policies, View
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.records.operations import Parameter
from ingest.web.serializers.serializers import SerializerModels


class LookupReader:
    """Reads what the views of one program look their rows up by."""

    def __init__(self, policies: Policies, models: SerializerModels) -> None:
        self.policies = policies
        self.models = models

    def schema(self, parameter: Parameter, view: View, stated: bool) -> Schema:
        """The schema of a path parameter, which is `stated` where the route says that it is a text: views may make more
        of a text than the text."""
        if parameter.schema.get("type") != "string" and "x-unknown" not in parameter.schema:
            return parameter.schema
        if parameter.schema.get("format"):
            return parameter.schema
        found = self._found_by(parameter, view)
        if "x-unknown" in found:
            return unknown("the view makes something else of the text") if stated else found
        other = found.get("type") != "string" or "format" in found
        # Where the route says that it is a text, and where what writes contracts has no request to ask for the rows,
        # a contract may say either.
        return {**found, "x-text-too": True} if other and (stated or self._model(view) is None) else found

    def _found_by(self, parameter: Parameter, view: View) -> Schema:
        """What a view looks its rows up by, where that is a parameter of the path."""
        open_ = unknown("the view may make something else of the text")
        if view.target is None or self.policies.member(view, "get_object") is not None:
            return open_
        lookup = self.policies.text(view, "lookup_field") or "pk"
        named = self.policies.text(view, "lookup_url_kwarg") or lookup
        model = self._model(view) or self._model(view, asked=True)
        if parameter.name != named or model is None or not isinstance(lookup, str):
            return open_
        tables = self.models.tables
        if lookup == "pk":
            return tables.key(model)
        column = self.models.relations.follow(model, lookup.split("__"))
        if not isinstance(column, Column):
            return tables.key(model) if lookup == "id" else open_
        value = unlimited(tables.value(column))
        if value.get("type") == "string":
            # What the route lets through may be told, or not.
            value = implied(value, "pattern")
        return value

    def _model(self, view: View, asked: bool = False) -> ClassTarget | External | None:
        """The model of a view's rows; `asked` tells to read them, too, where the request decides which they are."""
        queryset = self.policies.member(view, "queryset")
        if isinstance(queryset, ValueTarget) and queryset.node is not None:
            found = self.models.tables.model_of_queryset(queryset.node, queryset.scope)
            if found is not None:
                return found
        chosen = self.policies.member(view, "get_queryset")
        if not isinstance(chosen, FunctionTarget) or queryset is not None:
            return None
        parts = list(ast.walk(chosen.node))
        asking = (isinstance(part, ast.Attribute) and part.attr in ("kwargs", "request") for part in parts)
        if not asked and any(asking):
            # What writes contracts has no request to ask, and so may not come to know the model.
            return None
        answered = [part.value for part in parts if isinstance(part, ast.Return)]
        models = [self.models.tables.model_of_queryset(value, chosen.body) for value in answered]
        return models[0] if models and all(each == models[0] for each in models) else None
