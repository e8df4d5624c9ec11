"""What each layer of a Litestar application (application, router, controller, handler) gives to those within."""

from __future__ import annotations

import ast
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from graph.facts import Json
from ingest.web.constants.constants import constant, elements, entries
from ingest.web.litestar.names import PACKAGE, class_option, joined, option, paths_of
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.nulls import stands_for_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, Target, ValueTarget, unsubscripted
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.routing.sites import Sites
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_ANSWERING = ("before_request", "after_request")
Written: TypeAlias = tuple[ast.expr, Scope]


class Layer(msgspec.Struct, frozen=True):
    """What a route inherits from the handlers, controllers, routers and the application around it.

    `tags` and `security` are None where they cannot be known; `complete` tells that all dependencies were read,
    `transparent` that nothing around may answer instead, `guarded` that credentials may be asked for unseen.
    """

    prefix: str = ""
    dependencies: dict[str, Written] = msgspec.field(default_factory=dict)
    parameters: dict[str, Written] = msgspec.field(default_factory=dict)
    tags: tuple[str, ...] | None = ()
    security: tuple[Json, ...] | None = ()
    handlers: ErrorHandlers = msgspec.field(default_factory=ErrorHandlers)
    guards: tuple[Written, ...] = ()
    dto: Target | None = None
    return_dto: Target | None = None
    in_schema: bool = True
    complete: bool = True
    transparent: bool = True
    guarded: bool = False
    sources: frozenset[str] = frozenset()


class Layers:
    """Reads the options of layers in one program."""

    def __init__(self, program: Program, instances: Instances, sites: Sites) -> None:
        self.program = program
        self.instances = instances
        self.sites = sites

    def within(
        self, layer: Layer, owner: ast.Call | ClassTarget | None, scope: Scope, with_path: bool = True
    ) -> Layer | None:
        """The layer within an owner of options; None where its path cannot be known."""

        def said(name: str) -> Target | None:
            if isinstance(owner, ClassTarget):
                return class_option(self.program, owner, name)
            position = 0 if name == "path" and not self._is_application(owner, scope) else None
            return option(self.program, owner, name, position, scope)

        prefix = layer.prefix
        if with_path:
            paths = paths_of(self.program, said("path"))
            if paths is None or len(paths) != 1:
                return None
            prefix = joined(prefix, paths[0])
        dependencies, known = self._named(said("dependencies"), layer.dependencies)
        parameters, more = self._named(said("parameters"), layer.parameters)
        guards = self._listed(said("guards"))
        middleware = said("middleware")
        shown = said("include_in_schema")
        dto, return_dto = said("dto"), said("return_dto")
        return replace(
            layer,
            prefix=prefix,
            dependencies=dependencies,
            parameters=parameters,
            tags=_joined_texts(layer.tags, self._constants(said("tags"))),
            security=_joined_texts(layer.security, self._constants(said("security"))),
            handlers=self._handling(layer.handlers, said("exception_handlers")),
            guards=(*layer.guards, *(guards or ())),
            dto=layer.dto if dto is None else dto,
            return_dto=layer.return_dto if return_dto is None else return_dto,
            in_schema=layer.in_schema if shown is None else self._value(shown) is not False,
            complete=layer.complete and known and more and self._foreign_only(said("on_app_init")),
            transparent=layer.transparent
            and all(said(name) is None for name in _ANSWERING)
            and self._harmless(middleware),
            guarded=layer.guarded
            or guards is None
            or bool(guards)
            or said("on_app_init") is not None
            or not self._harmless(middleware),
        )

    def _is_application(self, owner: ast.Call | None, scope: Scope) -> bool:
        return owner is not None and self.sites.kind_of(self.program.resolve(owner.func, scope)) == "Litestar"

    def _foreign_only(self, target: Target | None) -> bool:
        """Whether all that changes the application at its start is Litestar's own (authentication, say)."""
        listed = self._listed(target)
        for node, scope in listed or ():
            owner = self.program.resolve(node.value, scope) if isinstance(node, ast.Attribute) else None
            call = owner.node if isinstance(owner, ValueTarget) else None
            if not isinstance(owner, ValueTarget) or not isinstance(call, ast.Call):
                return False
            made = self.program.resolve(unsubscripted(call.func), owner.scope)
            added = any(argument(call, None, name) is not None for name in ("dependencies", "route_handlers"))
            if not (isinstance(made, External) and made.root in PACKAGE) or added or has_stars(call):
                return False
        return listed is not None

    def _value(self, target: Target | None) -> Json:
        value = constant(self.program, target.node, target.scope) if isinstance(target, ValueTarget) else None
        return value if value is None or isinstance(value, bool | str | int | list | dict) else None

    def _constants(self, target: Target | None) -> tuple[Json, ...] | None:
        if target is None or stands_for_none(target):
            return ()
        value = self._value(target)
        return tuple(value) if isinstance(value, list) else None

    def _named(self, target: Target | None, outer: dict[str, Written]) -> tuple[dict[str, Written], bool]:
        """A dictionary of named things over those of the layers around, and whether all of it could be read."""
        if target is None or stands_for_none(target):
            return outer, True
        table = entries(self.program, target.node, target.scope) if isinstance(target, ValueTarget) else None
        names = [(constant(self.program, k, s), v, s) for k, v, s in table or []]
        found = {name: (value, scope) for name, value, scope in names if isinstance(name, str)}
        return {**outer, **found}, table is not None and len(found) == len(names)

    def _listed(self, target: Target | None) -> tuple[Written, ...] | None:
        if target is None or stands_for_none(target):
            return ()
        found = elements(self.program, target.node, target.scope) if isinstance(target, ValueTarget) else None
        return None if found is None else tuple(found)

    def _handling(self, outer: ErrorHandlers, target: Target | None) -> ErrorHandlers:
        if not isinstance(target, ValueTarget) or stands_for_none(target):
            return outer
        inner = outer.copy()
        for key, value, scope in entries(self.program, target.node, target.scope) or []:
            inner.register(self.program, key, scope, self.instances.callee(value, scope))
        return inner

    def _harmless(self, target: Target | None) -> bool:
        """Whether all middleware is Litestar's own, which answers only what no contract of a handler tells."""
        for node, scope in self._listed(target) or ():
            made = self.instances.of(node, scope) or self.program.resolve(node, scope)
            if not (isinstance(made, External) and made.root in PACKAGE) or made.name == "DefineMiddleware":
                return False
        return target is None or self._listed(target) is not None


def _joined_texts(outer: tuple[Json, ...] | None, inner: tuple[Json, ...] | None) -> tuple[Json, ...] | None:
    return None if outer is None or inner is None else (*outer, *inner)
