"""Which serializer a view uses for an action, and what a handler passes to serializers itself."""

from __future__ import annotations

import ast
from typing import Final

from graph.schema_algebra import Schema, unknown
from ingest.web.constants.constants import Missing, constant
from ingest.web.django.columns import RELATIONS
from ingest.web.drf.bases import offers
from ingest.web.drf.callers import SAFE
from ingest.web.drf.chosen import Choosing
from ingest.web.drf.chosen_among import named_serializers
from ingest.web.drf.given_classes import class_given
from ingest.web.drf.handed_classes import ACTIONS, handed, is_requests, passed_on
from ingest.web.drf.lists import Listing
from ingest.web.drf.makers import is_asked_class, passes_on, sets_depth
from ingest.web.drf.stubs import is_filled, is_left_alone
from ingest.web.drf.views import Policies, View
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.naming import is_self
from ingest.web.syntax.scopes import Scope

_SIDED: Final = "drf_rw_serializers"
"""The package whose views take one form and give another."""
_MOST: Final = 8
_ONE_SIDED: Final = {"get_read_serializer": "read", "get_write_serializer": "write"}


class SerializerChoice:
    """Chooses serializers for the views of one program."""

    def __init__(self, program: Program, policies: Policies, models: SerializerModels) -> None:
        self.program = program
        self.policies = policies
        self.models = models

    def of(self, view: View, action: str, method: str) -> Schema | None:
        """The schema of the serializer that a view uses; None where it has none."""
        if self._is_sided(view):
            return self._sided(view, action, method, "read" if method in SAFE else "write")
        return self._one(view, action, method)

    def answering(self, view: View, action: str, method: str) -> Schema | None:
        """The same of the answers, where a view has one serializer for what it takes and one for what it gives."""
        if self._is_sided(view):
            return self._sided(view, action, method, "read")
        return self.of(view, action, method)

    def _is_sided(self, view: View) -> bool:
        bases = self.program.ancestry(view.target) if view.target is not None else []
        return any(isinstance(base, External) and base.package == _SIDED for base in bases)

    def _sided(self, view: View, action: str, method: str, side: str) -> Schema | None:
        """The serializer for what a view takes (`write`) or gives (`read`), else the one for both."""
        chooser, attribute = f"get_{side}_serializer_class", f"{side}_serializer_class"
        if isinstance(self.policies.member(view, chooser), FunctionTarget):
            chosen = Choosing(self.policies, view, action, method).chosen(chooser, attribute)
            if isinstance(chosen, ClassTarget) and self.models.is_serializer(chosen):
                return self.models.reference(chosen)
            return unknown("which serializer is used depends on the request")
        stated = self.policies.member(view, attribute)
        if isinstance(stated, ClassTarget) and self.models.is_serializer(stated):
            return self.models.reference(stated)
        return self._one(view, action, method)

    def _one(self, view: View, action: str, method: str) -> Schema | None:
        maker = self.policies.member(view, "get_serializer")
        if maker is not None and not (isinstance(maker, FunctionTarget) and passes_on(maker)):
            return unknown("the view makes its serializers itself")
        chooser = self.policies.member(view, "get_serializer_class")
        if isinstance(chooser, FunctionTarget):
            chosen = Choosing(self.policies, view, action, method).chosen(
                "get_serializer_class", "serializer_class"
            )
            if isinstance(chosen, ClassTarget) and self.models.is_serializer(chosen):
                if sets_depth(chooser) and self._relates(chosen):
                    return unknown("how deeply relations are written out depends on the request")
                return self.models.reference(chosen)
            return self._among(view)
        return self._stated(view)

    def _relates(self, serializer: ClassTarget) -> bool:
        """Whether a serializer may have fields for relations that its `Meta` makes."""
        model, fields = self.models.model_of(serializer), self.models.fields(serializer)
        if model is None or fields is None:
            return True
        columns = self.models.tables.table(model).columns
        return any(field.name in columns and columns[field.name].kind in RELATIONS for field in fields)

    def _among(self, view: View) -> Schema:
        """One of the serializers that a view's `get_serializer_class` names, where the request decides which."""
        open_ = unknown("which serializer is used depends on the request")
        found = named_serializers(self.program, self.policies, view)
        forms = [self.models.reference(each) for each in found if self.models.is_serializer(each)]
        names = sorted({str(form["$ref"]) for form in forms if "$ref" in form})
        return {**open_, "x-among": names} if 1 < len(names) <= _MOST else open_

    def _stated(self, view: View) -> Schema | None:
        target = self.policies.member(view, "serializer_class")
        if target is None:
            return None
        if isinstance(target, ClassTarget) and self.models.is_serializer(target):
            return self.models.reference(target)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Constant):
            return None
        usual = class_given(self.program, target)
        known = usual is not None and self.models.is_serializer(usual)
        return self.models.reference(usual) if known and usual else unknown("the serializer is not known")

    def given(
        self, node: ast.expr | None, scope: Scope, view: View, action: str, method: str, listing: Listing
    ) -> Schema | None:
        """The schema of data that a handler answers with; None where it cannot be known."""
        match node:
            case ast.Attribute(attr="data", value=inner):
                call = self._call(inner, scope)
                return self._made(call[0], call[1], view, action, method) if call is not None else None
            case ast.Attribute(attr="validated_data", value=inner):
                call = self._call(inner, scope)
                made = self._made(call[0], call[1], view, action, method) if call is not None else None
                # What is taken says nothing of what is given, but where a package is known to give its tokens so.
                return made if made is not None and self.models.is_known(made) else None
            case ast.Call(func=ast.Attribute(attr="get_paginated_response"), args=[inner, *_]):
                whole = self.given(inner, scope, view, action, method, listing)
                items = whole.get("items") if whole is not None else None
                return listing.answer(items) if isinstance(items, dict) else None
            case ast.Call() if (name := self._handed_to(node, view, action, method)) is not None:
                serializer = self.answering(view, action, method)
                if serializer is None or name == "destroy":
                    return None
                return listing.answer(serializer) if name == "list" else serializer
            case ast.Name(id=name) if not is_filled(scope.node, name):
                bound = scope.bindings.get(name, [])
                held = bound[0].value if len(bound) == 1 and bound[0].how is Bound.VALUE else None
                answer = isinstance(held, ast.Call) and is_left_alone(scope.node, name)
                if isinstance(held, ast.Attribute) or answer:
                    return self.given(held, scope, view, action, method, listing)
        return None

    def taken(self, handler: FunctionTarget, view: View, action: str, method: str) -> Schema | None:
        """The schema of the one serializer that a handler gives the request's data to; None where there is no such."""
        found: list[Schema] = []
        further = passed_on(self.policies, view, handler)
        asked = [(call, each.body) for each in (handler, *further) for call in each.body.calls]
        for call, scope in asked:
            if _is_super(call) and self._handed_to(call, view, action, method) is not None:
                schema = self.of(view, action, method)
            elif is_requests(argument(call, None, "data")):
                schema = self._made(call, scope, view, action, method)
            else:
                continue
            if schema is not None and schema not in found:
                found.append(schema)
        for each in handed(self.policies, view, handler):
            kind = self._kind(each.node, each.scope, view, action, method)
            schema = self._filled(kind, each.call, each.within)
            if schema is not None and schema not in found:
                found.append(schema)
        return found[0] if len(found) == 1 else None

    def _handed_to(self, call: ast.Call, view: View, action: str, method: str) -> str | None:
        """The framework's own action that a call leaves the request to: `self.list(request)`, or `super().get(request)`
        where no class of the project between has such a method."""
        if not isinstance(call.func, ast.Attribute):
            return None
        name = call.func.attr
        if name in ACTIONS:
            return name
        if name != method.lower() or action not in ACTIONS or not _is_super(call) or view.target is None:
            return None
        bases = self.program.ancestry(view.target)
        own = [each for each in bases if isinstance(each, ClassTarget) and name in each.body.bindings]
        known = {each for base in bases if isinstance(base, External) for each in offers(base)}
        return action if len(own) == 1 and action in known and None not in bases else None

    def _call(self, node: ast.expr, scope: Scope) -> tuple[ast.Call, Scope] | None:
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            return target.node, target.scope
        return None

    def _made(self, call: ast.Call, scope: Scope, view: View, action: str, method: str) -> Schema | None:
        """The schema of a serializer that is made by a call."""
        return self._filled(self._kind(call.func, scope, view, action, method), call, scope)

    def _kind(self, node: ast.expr, scope: Scope, view: View, action: str, method: str) -> Schema | None:
        """The schema of the class of serializers that is called, be it by the view's own `get_serializer`."""
        target = self.program.resolve(node, scope)
        if isinstance(target, ClassTarget) and self.models.is_serializer(target):
            return self.models.reference(target)
        if isinstance(node, ast.Attribute) and node.attr in ("get_serializer", "serializer_class"):
            return self.of(view, action, method) if is_self(node.value) else None
        if is_asked_class(node, scope):
            return self.of(view, action, method)
        if isinstance(node, ast.Attribute) and node.attr in _ONE_SIDED and self._is_sided(view):
            return self._sided(view, action, method, _ONE_SIDED[node.attr]) if is_self(node.value) else None
        return None

    def _filled(self, schema: Schema | None, call: ast.Call, scope: Scope) -> Schema | None:
        """The schema of a serializer as a call makes it of its class: a part of it, or many."""
        if schema is None:
            return None
        partial = argument(call, None, "partial")
        loose = constant(self.program, partial, scope) if partial is not None else False
        if loose is True:
            schema = self.models.partial(schema)
        elif isinstance(loose, Missing):
            return None
        return self.models.listed(schema, call, scope)


def _is_super(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super"))):
            return True
    return False
