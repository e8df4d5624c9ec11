"""Routers of the REST framework: which paths lead to which actions of a viewset."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from graph.facts import Location
from ingest.web.constants.constants import Missing, constant, elements, text_of
from ingest.web.django.patterns import Pattern, of_regex, of_value
from ingest.web.drf.action_paths import Action, Reading, of_path
from ingest.web.drf.bases import offers
from ingest.web.drf.nesting import nested
from ingest.web.drf.own_routers import OwnRoute, OwnRouter, own_router
from ingest.web.drf.views import REST, Policies, View
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.routing.sites import Event, Site, Sites
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope

ROUTERS = frozenset({"DefaultRouter", "SimpleRouter", "ExtendedDefaultRouter", "ExtendedSimpleRouter"})
NESTED = frozenset({"NestedSimpleRouter", "NestedDefaultRouter"})
ROUTER_ROOTS = frozenset({REST, "rest_framework_nested", "rest_framework_extensions"})
_USUAL = {
    "list": ("GET", False),
    "create": ("POST", False),
    "retrieve": ("GET", True),
    "update": ("PUT", True),
    "partial_update": ("PATCH", True),
    "destroy": ("DELETE", True),
}
_DEEPEST = 8
_METHODS = frozenset({"get", "post", "put", "patch", "delete"})


class Registration(msgspec.Struct, frozen=True):
    """A viewset at a prefix below a router; `pattern` is None where the prefix is not constant."""

    pattern: Pattern | None
    viewset: Target | None
    place: Location
    scope: Scope


class RouterReader:
    """Reads the routers of one program."""

    def __init__(self, program: Program, sites: Sites, policies: Policies) -> None:
        self.program = program
        self.sites = sites
        self.policies = policies
        self._registered: dict[Site, list[Event]] | None = None
        self._inside: dict[ast.Call, Pattern | None] = {}
        self._extended: dict[Site, list[Site]] = {}

    def registrations(self, router: Site, above: tuple[Site, ...] = ()) -> Iterator[Registration]:
        """All viewsets that are registered with a router, in source order."""
        if self._registered is None:
            self._collect()
        assert self._registered is not None
        outer = self._outer(router, above)
        for event in self._registered.get(router, []):
            place = self.program.place(event.call, event.scope)
            prefix = text_of(self.program, *self._picked(argument(event.call, 0, "prefix"), event.scope))
            node, scope = self._picked(argument(event.call, 1, "viewset"), event.scope)
            target = self.program.resolve(node, scope) if node is not None else None
            listed = any(isinstance(each, ast.Starred) for each in event.call.args)
            pattern = self.reading(router)(prefix) if prefix is not None and not listed else None
            if outer is None or (node is None and prefix is None):
                pattern = None
            if pattern is not None and event.call in self._inside:
                above_it = self._inside[event.call]
                pattern = above_it.then(pattern) if above_it is not None else None
            yield Registration(outer.then(pattern) if outer and pattern else None, target, place, event.scope)
        for other in self._extended.get(router, []):
            if other not in above and other is not router:
                yield from self.registrations(other, (*above, router))

    def reading(self, router: Site) -> Reading:
        """How the router takes prefixes and paths of actions: as regular expressions, or as routes of `path(…)`."""
        written = argument(router.call, None, "use_regex_path")
        plain = written is not None and constant(self.program, written, router.scope) is False
        return of_path if plain else of_regex

    def _picked(self, node: ast.expr | None, scope: Scope) -> tuple[ast.expr | None, Scope]:
        """What stands for `row[0]`, where the row is written down; else the expression itself."""
        match node:
            case ast.Subscript(value=row, slice=ast.Constant(value=int(index))):
                parts = elements(self.program, row, scope)
                if parts is not None and -len(parts) <= index < len(parts):
                    return parts[index]
        return node, scope

    def slash(self, router: Site) -> str | None:
        """What the router ends its paths with; None where that is not constant."""
        own = self.own(router)
        if own.ends:
            return own.slash
        written = argument(router.call, None, "trailing_slash")
        if written is None:
            return "/"
        value = constant(self.program, written, router.scope)
        return "/" if value is True else "" if value is False else None

    def own(self, router: Site) -> OwnRouter:
        """What the class of a router changes of what the framework's routes."""
        if router.call is None:
            return OwnRouter()
        return own_router(self.program, self.program.resolve(router.call.func, router.scope))

    def actions(self, viewset: ClassTarget) -> list[Action] | None:
        """The actions of a viewset; None where it inherits from what cannot be read."""
        found: dict[str, Action] = {}
        for owner in self.program.ancestry(viewset):
            if owner is None:
                return None
            if isinstance(owner, External):
                for name in offers(owner):
                    found.setdefault(name, Action(_USUAL[name][0], name, detail=_USUAL[name][1]))
                continue
            for statement in owner.node.body:
                if isinstance(statement, Function) and statement.name in _USUAL:
                    method, detail = _USUAL[statement.name]
                    found.setdefault(statement.name, Action(method, statement.name, detail=detail))
        return [*self._extra(viewset), *found.values()]

    def in_row(self, row: OwnRoute, viewset: ClassTarget, actions: list[Action]) -> Iterator[Action]:
        """The actions of a viewset that a row of a router's own `routes` makes reachable."""
        if row.mapping is None:
            yield from (each for each in actions if each.extra and each.detail is row.detail)
        for method, name in (row.mapping or {}).items():
            offered = any(each.handler == name for each in actions)
            if offered or isinstance(self.program.class_member(viewset, name), FunctionTarget):
                yield Action(method.upper(), name, detail=row.detail)

    def hides_actions(self, viewset: ClassTarget) -> bool:
        """Whether a function of the project that itself uses `@action` decorates a method, so that there may be actions
        which are not seen."""
        for owner in self.program.ancestry(viewset):
            if not isinstance(owner, ClassTarget):
                continue
            methods = [statement for statement in owner.node.body if isinstance(statement, Function)]
            for decorator in [each for method in methods for each in method.decorator_list]:
                made = uncalled(decorator)
                found = self.program.resolve(made, owner.body)
                if isinstance(found, FunctionTarget) and self._acts(found):
                    return True
        return False

    def _acts(self, function: FunctionTarget) -> bool:
        return any(self._is_action(call, inner) for inner in function.body.descend() for call in inner.calls)

    def lookup(self, viewset: ClassTarget, begun: str = "") -> Pattern:
        """The part of the path that names one object, whose name begins with `begun`; the rest of the name is only a
        guess where that is not constant."""
        view = View(viewset)
        name = (
            self.policies.text(view, "lookup_url_kwarg") or self.policies.text(view, "lookup_field") or "pk"
        )
        regex = self.policies.text(view, "lookup_value_regex")
        return of_value(
            begun + ("pk" if isinstance(name, Missing) else name),
            None if isinstance(regex, Missing) else regex,
        )

    def _extra(self, viewset: ClassTarget) -> Iterator[Action]:
        """The actions that `@action` makes, with those that `.mapping` adds."""
        seen: set[str] = set()
        for owner in self.program.ancestry(viewset):
            for statement in owner.node.body if isinstance(owner, ClassTarget) else []:
                if not isinstance(statement, Function) or statement.name in seen:
                    continue
                seen.add(statement.name)
                assert isinstance(owner, ClassTarget)
                for decorator in statement.decorator_list:
                    if isinstance(decorator, ast.Call) and self._is_action(decorator, owner.body):
                        yield from self._made(statement, decorator, owner)

    def _is_action(self, call: ast.Call, scope: Scope) -> bool:
        target = self.program.resolve(call.func, scope)
        return isinstance(target, External) and target.root == REST and target.name == "action"

    def _made(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, call: ast.Call, owner: ClassTarget
    ) -> Iterator[Action]:
        scope = owner.body
        written = argument(call, 0, "methods")
        methods = constant(self.program, written, scope) if written is not None else ["get"]
        detail = constant(self.program, argument(call, 1, "detail"), scope)
        url = argument(call, 2, "url_path")
        named = url is not None and constant(self.program, url, scope) not in (None, "")
        path = text_of(self.program, url, scope) if named else node.name
        if not isinstance(methods, list) or not isinstance(detail, bool):
            return
        over = {k.arg: (k.value, scope) for k in call.keywords if k.arg is not None}
        for method in [each for each in methods if str(each).lower() in _METHODS]:
            yield Action(str(method).upper(), node.name, over, detail, path, True)
        for statement in owner.node.body:
            for added, names in self._mapped(statement, node.name):
                yield from (Action(name.upper(), added, over, detail, path, True) for name in names)

    def _mapped(self, statement: ast.stmt, action: str) -> Iterator[tuple[str, list[str]]]:
        """The functions that `@action_name.mapping.post` adds to an action."""
        for decorator in statement.decorator_list if isinstance(statement, Function) else []:
            match decorator:
                case ast.Attribute(attr=verb, value=ast.Attribute(attr="mapping", value=ast.Name(id=name))):
                    if name == action and verb in _METHODS and isinstance(statement, Function):
                        yield statement.name, [verb]

    def _outer(self, router: Site, above: tuple[Site, ...]) -> Pattern | None:
        """The prefix of a nested router: that of its parent's viewset with one object of it."""
        if router.kind != "nested" or router.call is None:
            return Pattern()
        given = argument(router.call, 0, "parent_router")
        parents = self.sites.of(given, router.scope) if given is not None else []
        prefix = text_of(self.program, argument(router.call, 1, "parent_prefix"), router.scope)
        if len(parents) != 1 or prefix is None or parents[0] in above:
            return None
        lookup = self._nesting(router, parents[0])
        outer = self._outer(parents[0], (*above, router))
        wanted = Pattern(prefix) if outer is None else outer.then(Pattern(prefix))
        for registration in self.registrations(parents[0], (*above, router)):
            same = registration.pattern is not None and registration.pattern.path == wanted.path
            if same and lookup is not None and isinstance(registration.viewset, ClassTarget):
                inner = self.lookup(registration.viewset, f"{lookup}_")
                return wanted.then(Pattern("/")).then(inner).then(Pattern("/"))
        return None

    def _nesting(self, router: Site, parent: Site) -> str | None:
        """What the names of a nested router's own lookups begin with; None where it is not constant."""
        written = argument(router.call, None, "lookup")
        if written is not None:
            return text_of(self.program, written, router.scope)
        depth = 1
        while parent.kind == "nested" and parent.call is not None and depth < _DEEPEST:
            above = argument(parent.call, 0, "parent_router")
            sites = self.sites.of(above, parent.scope) if above is not None else []
            if len(sites) != 1:
                return None
            parent, depth = sites[0], depth + 1
        return f"nested_{depth}"

    def _collect(self) -> None:
        self._registered = {}
        for event in self.sites.events({"register"}):
            self._registered.setdefault(event.site, []).append(event)
        for event, pattern in nested(self.program, self.sites):
            self._registered.setdefault(event.site, []).append(event)
            self._inside[event.call] = pattern
        for module in self.sites.modules:
            for scope in module.scope.descend():
                for call in scope.calls:
                    match call:
                        case ast.Call(
                            func=ast.Attribute(
                                attr="extend", value=ast.Attribute(attr="registry", value=ours)
                            ),
                            args=[ast.Attribute(attr="registry", value=theirs)],
                        ):
                            for site in self.sites.of(ours, scope):
                                self._extended.setdefault(site, []).extend(self.sites.of(theirs, scope))
