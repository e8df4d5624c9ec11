"""The operations of all viewsets that are registered with one router of the REST framework."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ingest.web.django.outside import outside
from ingest.web.django.patterns import Pattern
from ingest.web.django.routes import Route
from ingest.web.drf.action_paths import Action, at
from ingest.web.drf.bases import answers_itself
from ingest.web.drf.operations import RestReader
from ingest.web.drf.own_routers import filled
from ingest.web.drf.routers import Registration, RouterReader
from ingest.web.drf.views import View
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget
from ingest.web.records.operations import Operation
from ingest.web.routing.sites import Site


class Registered:
    """Reads what routers route, in one program."""

    def __init__(self, program: Program, routers: RouterReader, rest: RestReader) -> None:
        self.program = program
        self.routers = routers
        self.rest = rest

    def operations(self, route: Route, router: Site) -> Iterator[Operation]:
        """The operations of a router whose paths begin with those of a route."""
        own, slash = self.routers.own(router), self.routers.slash(router)
        if slash is None or not own.known or router.kind in ("ninja", ""):
            yield outside(route, "below")
            return
        if not own.whole:
            # What a class of the project makes of the routes may be less, and may be more.
            yield outside(route, "below")
            route = replace(route, around=replace(route.around, certain=False))
        for registration in self.routers.registrations(router):
            if registration.pattern is None:
                yield outside(route, "below")
                continue
            base = route.pattern.then(registration.pattern)
            inner = replace(route, pattern=base, place=registration.place)
            viewset = registration.viewset
            actions = self.routers.actions(viewset) if isinstance(viewset, ClassTarget) else None
            if actions is None or not isinstance(viewset, ClassTarget):
                yield outside(inner, "below")
                continue
            with self.program.trail() as paths:
                routed = self._routed(router, registration, viewset, actions, base, slash)
                found = list(self._registered(inner, viewset, routed))
            for operation in found:
                operation.sources |= set(paths) | {registration.scope.path}
                yield operation

    def _routed(
        self,
        router: Site,
        registration: Registration,
        viewset: ClassTarget,
        actions: list[Action],
        base: Pattern,
        slash: str,
    ) -> Iterator[tuple[Action, list[Pattern]]]:
        """The actions of a viewset, each with its paths; none where these are not constant."""
        lookup, read = self.routers.lookup(viewset), self.routers.reading(router)
        prefixed = bool(registration.pattern and registration.pattern.path)
        rows = self.routers.own(router).rows
        if not rows:
            for action in actions:
                yield action, at(action, base, lookup, slash, prefixed, read)
        for row in rows:
            for action in self.routers.in_row(row, viewset, actions):
                inner = read(action.url_path) if action.url_path is not None else Pattern()
                whole = filled(row.url, base, lookup, inner, slash, prefixed) if inner is not None else None
                yield action, [whole] if whole is not None else []

    def _registered(
        self, route: Route, viewset: ClassTarget, routed: Iterator[tuple[Action, list[Pattern]]]
    ) -> Iterator[Operation]:
        names = self.rest.policies.value(View(viewset), "http_method_names")
        for action, patterns in routed:
            if isinstance(names, list) and action.method.lower() not in names:
                continue
            if not patterns:
                yield outside(route, "below")
            # Of several paths, a contract may have one and need not have the others.
            certain = route.around.certain and len(patterns) < 2
            for pattern in patterns:
                inner = replace(route, pattern=pattern, around=replace(route.around, certain=certain))
                yield self.rest.of_action(inner, View(viewset, action.over), action.handler, action.method)
        others = any(map(answers_itself, self.program.ancestry(viewset)))
        if others or self.routers.hides_actions(viewset):
            yield outside(route, "below")
