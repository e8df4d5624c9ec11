"""How Django Ninja's operations answer lists page by page: what they take for it, and the form of a page."""

from __future__ import annotations

import ast
from typing import Final

import msgspec

from graph.facts import Location
from graph.schema_algebra import Schema, implied, unknown
from ingest.web.constants.constants import constant, text_of
from ingest.web.ninja.decorators import Standing, add_decorator
from ingest.web.program.calls import argument
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.shapes import ShapeKind
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.records.operations import Parameter
from ingest.web.routing.sites import Event, Sites
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of

_ROOT: Final = "ninja"
_EXTRA: Final = "ninja_extra"
_LIMITS: Final = ("exclusiveMaximum", "maximum")
_DECORATORS: Final = frozenset({"paginate"})
_COUNTED: Final[Schema] = {
    "type": "object",
    "properties": {"items": {}, "count": {"type": "integer"}},
    "required": ["count", "items"],
}
_COLLECTIONS: Final = frozenset({ShapeKind.ARRAY, ShapeKind.SET, ShapeKind.TUPLE})
_SOURCES: Final = frozenset({"Query", "Path", "Body", "Form", "Header", "Cookie"})


class Pages(msgspec.Struct):
    """What is taken for a page, and the form of one: an object of which `items` names the list.

    `form` is None where the list is answered as it is; `complete` is false where more may be taken.
    """

    parameters: list[Parameter] = msgspec.field(default_factory=list)
    form: Schema | None = None
    items: str = "items"
    complete: bool = True
    also: list[str] = msgspec.field(default_factory=list)

    def around(self, schema: Schema) -> Schema:
        """The schema of a page of the list of this schema."""
        if self.form is None:
            return schema
        properties = self.form.get("properties")
        if not isinstance(properties, dict):
            return unknown("the form of the pages is not known")
        required = sorted({*self.form.get("required", []), self.items})
        return {**self.form, "properties": {**properties, self.items: schema}, "required": required}


class PageReader:
    """Reads the pagination of the operations of one program."""

    def __init__(self, program: Program, sites: Sites, models: SerializerModels) -> None:
        self.program = program
        self.sites = sites
        self.models = models

    def of(self, handler: FunctionTarget, event: Event) -> tuple[Pages | None, Standing]:
        """The pages of an operation, None where it has none; and what other decorators leave to be seen of it."""
        found: Pages | None = None
        standing = Standing()
        for node in handler.node.decorator_list if isinstance(handler.node, Function) else []:
            call = uncalled(node)
            if node is event.call:
                continue
            if isinstance(call, ast.Attribute) and self.sites.of(call.value, handler.scope):
                continue
            target = self.program.resolve(call, handler.scope)
            if isinstance(target, External) and target.root == _ROOT and target.name in _DECORATORS:
                found = self._said(node, handler)
            elif isinstance(target, External) and target.root == _EXTRA and target.name in _DECORATORS:
                found = self._extra(node, handler)
            elif not (isinstance(target, External) and target.dotted.startswith("ninja.decorators.")):
                add_decorator(standing, self.program, node, handler)
        if found is None and standing.formed:
            found = Pages(form=unknown("a decorator may change the form of the answers"), complete=False)
        if found is None and self._always(event):
            found = self._usual(self.program.place(event.call, event.scope))
        return found, standing

    def is_list(self, node: ast.expr, scope: Scope) -> bool:
        """Whether a declared answer is a list, so that it comes in pages."""
        return shape_of(self.program, node, scope).kind in _COLLECTIONS

    def _always(self, event: Event) -> bool:
        """Whether the router makes pages of every list by itself."""
        call, scope = event.site.call, event.site.scope
        router = argument(call, None, "default_router") if call is not None else None
        if router is not None:
            routers = self.sites.of(router, scope)
            call, scope = (routers[0].call, routers[0].scope) if routers else (None, scope)
        made = self.program.resolve(call.func, scope) if call is not None else None
        if not self.program.is_a(made, {_ROOT}, {"RouterPaginated"}):
            return False
        written = argument(event.call, None, "response")
        return written is not None and self.is_list(written, event.scope)

    def _said(self, node: ast.expr, handler: FunctionTarget) -> Pages:
        place = self.program.place(node, handler.scope)
        written = argument(node, 0, "func_or_pgn_class") if isinstance(node, ast.Call) else None
        if written is None:
            return self._usual(place)
        pages = self._class(self.program.resolve(written, handler.scope), place)
        keywords = {each.arg for each in node.keywords} if isinstance(node, ast.Call) else set()
        pages.complete = pages.complete and keywords <= {"page_size", "pass_parameter", "func_or_pgn_class"}
        return pages

    def _extra(self, node: ast.expr, handler: FunctionTarget) -> Pages:
        """The pages of Ninja Extra, whose answers are of the form that the operation declares."""
        call = node if isinstance(node, ast.Call) else None
        written = argument(call, 0, "func_or_pgn_class") if call is not None else None
        target = self.program.resolve(written, handler.scope) if written is not None else None
        if call is None or not isinstance(target, External):
            return Pages(complete=False)
        place = self.program.place(node, handler.scope)
        known = {each.arg for each in call.keywords} <= {"page_size", "max_page_size", "pass_parameter"}
        if target.root == _ROOT:
            pages = self._built_in(target.name, place)
            return Pages(pages.parameters, None, complete=pages.complete and known, also=pages.also)
        if target.name != "PageNumberPaginationExtra":
            return Pages(complete=False)
        page: Schema = {"type": "integer", "default": 1, "exclusiveMinimum": 0}
        size: Schema = {"type": "integer", "exclusiveMinimum": 0}
        given, most = (argument(call, None, name) for name in ("page_size", "max_page_size"))
        default = constant(self.program, given, handler.scope) if given is not None else None
        if isinstance(default, int):
            size["default"] = default
        limit = 200 if most is None else constant(self.program, most, handler.scope)
        size = {**size, "exclusiveMaximum": limit + 1} if isinstance(limit, int) else implied(size, *_LIMITS)
        taken = [
            Parameter("query", name, False, each, place)
            for name, each in (("page", page), ("page_size", size))
        ]
        return Pages(taken, None, complete=known)

    def _usual(self, place: Location) -> Pages:
        """The pages of the class that the settings name, else those with limit and offset."""
        said = self.models.settings.value("NINJA_PAGINATION_CLASS")
        if isinstance(said, str):
            module_name, _, name = said.rpartition(".")
            module = self.program.module(module_name)
            own = self.program.member(module, name) if module is not None else None
            return self._class(own if own is not None else External(said), place)
        return self._class(External("ninja.pagination.LimitOffsetPagination"), place)

    def _class(self, target: Target | None, place: Location) -> Pages:
        if isinstance(target, External) and target.root == _ROOT:
            return self._built_in(target.name, place)
        if not isinstance(target, ClassTarget):
            return Pages(form=unknown("the form of the pages is not known"), complete=False)
        ancestors = self.program.ancestry(target)
        outside = [base for base in ancestors if isinstance(base, External) and base.root == _ROOT]
        if not outside or None in ancestors:
            return Pages(form=unknown("the form of the pages is not known"), complete=False)
        pages = self._built_in(outside[0].name, place)
        if outside[0].name in ("PaginationBase", "AsyncPaginationBase"):
            pages = Pages(form=_COUNTED)
        self._taken(target, pages)
        self._given(target, pages)
        return pages

    def _taken(self, target: ClassTarget, pages: Pages) -> None:
        """What a class of the project's own takes, by its inner class `Input`."""
        inner = self.program.class_member(target, "Input")
        source = self.program.class_member(target, "InputSource")
        place = "query"
        if isinstance(source, ValueTarget) and isinstance(source.node, ast.Call):
            made = self.program.resolve(source.node.func, source.scope)
            known = isinstance(made, External) and made.name in _SOURCES
            place = made.name.lower() if known and isinstance(made, External) else ""
        if isinstance(inner, ClassTarget):
            fields = self.models.fields(inner)
            if fields is None or place not in ("query", "header", "cookie"):
                pages.parameters, pages.complete = [], False
                return
            pages.parameters = [
                Parameter(place, each.name, each.required, _without_mark(each.schema), each.place)
                for each in fields
            ]
        elif not isinstance(inner, External) or self._initialises(target):
            pages.parameters, pages.complete = [], False

    def _initialises(self, target: ClassTarget) -> bool:
        return isinstance(self.program.class_member(target, "__init__"), FunctionTarget)

    def _given(self, target: ClassTarget, pages: Pages) -> None:
        """The form of a page of the project's own, by the inner class `Output`."""
        output = self.program.class_member(target, "Output")
        named = self.program.class_member(target, "items_attribute")
        if isinstance(named, ValueTarget):
            name = text_of(self.program, named.node, named.scope)
            pages.items = name or "items"
        if isinstance(output, ClassTarget):
            pages.form = self.models.whole(output)
        elif isinstance(output, ValueTarget):
            empty = is_none(output.node)
            pages.form = None if empty else unknown("the form of the pages is not known")
        elif not isinstance(output, External):
            pages.form = unknown("the form of the pages is not known")

    def _built_in(self, name: str, place: Location) -> Pages:
        if name == "LimitOffsetPagination":
            size = self.models.settings.value("NINJA_PAGINATION_PER_PAGE")
            limit: Schema = {"type": "integer", "minimum": 1, "x-implied": ["maximum"]}
            if not self.models.settings.binds("NINJA_PAGINATION_PER_PAGE"):
                limit["default"] = 100
            elif isinstance(size, int):
                limit["default"] = size
            offset = {"type": "integer", "minimum": 0, "default": 0}
            taken = [
                Parameter("query", "limit", False, limit, place),
                Parameter("query", "offset", False, offset, place),
            ]
            return Pages(taken, _COUNTED)
        if name == "PageNumberPagination":
            page = {"type": "integer", "minimum": 1, "default": 1}
            # Later versions of Ninja take the size of a page, too.
            return Pages([Parameter("query", "page", False, page, place)], _COUNTED, also=["query.page_size"])
        return Pages(form=unknown("the form of the pages is not known"), complete=False)


def _without_mark(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key != "x-always"}
