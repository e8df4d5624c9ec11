"""Routers that objects of the project's classes hold or are: what each object gives them when it is made."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from ingest.web.program.calls import has_stars
from ingest.web.program.methods import calls_above, class_around, is_or_inherits, next_above, owner_of_self
from ingest.web.program.program import Program
from ingest.web.program.targets import (
    ClassTarget,
    FunctionTarget,
    ParameterTarget,
    Target,
)
from ingest.web.routing.object_methods import ObjectMethods
from ingest.web.routing.sites import Event, Site, Sites
from ingest.web.syntax.bindings import Bound, Function, parameters
from ingest.web.syntax.naming import name_at
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of
from ingest.web.values.made_objects import Made, MadeObjects
from ingest.web.values.own_attributes import with_names

_DEPTH = 8


class RouterObjects:
    """Finds the objects behind routers, and tells the sites that each of them has apart."""

    def __init__(self, program: Program, sites: Sites) -> None:
        self.program = program
        self.objects = MadeObjects(program, sites.modules)
        self.methods = ObjectMethods(program)
        self.apart: dict[Site, tuple[Site, Made]] = {}
        """The sites that were told apart: each with the one that all objects of its class share."""

    def told_apart(self, node: ast.expr, scope: Scope, shared: list[Site]) -> list[Site]:
        """The sites of `object.router` or `object.router()`: those of one object each, where the objects are known."""
        reached = node.func if isinstance(node, ast.Call) else node
        if not isinstance(reached, ast.Attribute) or len(shared) != 1 or shared[0].call is None:
            return shared
        (site,) = shared
        holder = class_around(site.scope)
        if holder is None or not _is_own(site, holder):
            return shared
        calls = self.objects.calls(reached.value, scope, holder)
        made = [self.objects.made(call, inner) for call, inner in calls]
        found = [self._of(site, each) for each in made if each is not None]
        return found if found and len(found) == len(made) else shared

    def same(self, site: Site) -> tuple[Site, ...]:
        """A site, and the one that it shares with the other objects of its class."""
        return (site, self.apart[site][0]) if site in self.apart else (site,)

    def registered(self, site: Site, events: dict[Site, list[Event]]) -> list[Event]:
        """What is registered on a site; on one that was told apart, what its own class registers, in its own words."""
        if site in self.apart:
            shared, made = self.apart[site]
        elif (found := self._itself(site)) is not None:
            shared, made = site, found
        else:
            return events.get(site, [])
        return [
            self._worded(event, site, made) for event in events.get(shared, []) if self._runs(event, made)
        ]

    def _itself(self, site: Site) -> Made | None:
        """The object that a site is, where a class of the project is a router or application itself."""
        if site.call is None or not isinstance(self.program.resolve(site.call.func, site.scope), ClassTarget):
            return None
        return self.objects.made(site.call, site.scope)

    def constructed(self, site: Site) -> tuple[ast.Call, Scope] | None:
        """The call that reaches the framework's own constructor, with its scope; None where it cannot be seen.

        A class of the project that is a router says most of it in `super().__init__(…)`.
        """
        call, scope = site.call, site.scope
        for _ in range(_DEPTH):
            target = self.program.resolve(call.func, scope) if call is not None else None
            if call is None or not isinstance(target, ClassTarget):
                return (call, scope) if call is not None else None
            inner = self._above(target, call, scope)
            if inner is None:
                return None
            if inner[0] is call:
                return inner
            call, scope = inner
        return None

    def _above(self, target: ClassTarget, call: ast.Call, scope: Scope) -> tuple[ast.Call, Scope] | None:
        """What a class's `__init__` calls above it when a call makes an object; the call itself where it has none."""
        made = self.program.class_member(target, "__init__")
        if not isinstance(made, FunctionTarget) or not isinstance(made.node, Function):
            return call, scope
        names = self.objects.names(made, call, scope)
        above = calls_above(made.node)
        if names is None or len(above) != 1:
            return None
        (inner,) = above
        if has_stars(inner):
            passed = self._passed(inner, made.node, call)
            if passed is None:
                return None
            plain = [keyword for keyword in inner.keywords if keyword.arg is not None]
            for keyword in passed:
                known = self.program.resolve(keyword.value, scope)
                names |= {f"given {keyword.arg}": known} if known is not None else {}
                plain.append(ast.keyword(keyword.arg, name_at(f"given {keyword.arg}", inner)))
            positional = [value for value in inner.args if not isinstance(value, ast.Starred)]
            inner = ast.copy_location(ast.Call(inner.func, positional, plain), inner)
        reached = ast.copy_location(ast.Call(_EXTERNAL, inner.args, inner.keywords), inner)
        return reached, made.body.told({**names, _EXTERNAL.id: next_above(self.program, made)})

    def _passed(
        self, inner: ast.Call, made: ast.FunctionDef | ast.AsyncFunctionDef, call: ast.Call
    ) -> list[ast.keyword] | None:
        """What a call hands on to the class above through `*args` and `**kwargs`; None where that cannot be told."""
        names = [argument.arg for argument, _ in parameters(made)]
        stars = [value.value for value in inner.args if isinstance(value, ast.Starred)]
        doubled = [keyword.value for keyword in inner.keywords if keyword.arg is None]
        own = [made.args.vararg, made.args.kwarg]
        known = {each.arg for each in own if each is not None}
        if not all(isinstance(value, ast.Name) and value.id in known for value in (*stars, *doubled)):
            return None
        if has_stars(call) or (stars and len(call.args) > len(made.args.args) - 1):
            return None
        return [keyword for keyword in call.keywords if keyword.arg not in names]

    def _of(self, site: Site, made: Made) -> Site:
        call = with_names(site.call, made.names.__contains__) if site.call is not None else None
        own = Site(site.node, site.scope.round(made.names), site.kind, call)
        self.apart[own] = (site, made)
        return own

    def _worded(self, event: Event, site: Site, made: Made) -> Event:
        around = class_around(event.scope)
        if around is None or not is_or_inherits(self.program, made.owner, around):
            return replace(event, site=site)
        call = with_names(event.call, made.names.__contains__)
        place = event.scope.told({**made.names, **_itself(event.scope, made.owner)})
        function = event.function
        if isinstance(function, FunctionTarget) and function.scope is event.scope:
            function = replace(function, scope=place)
        return replace(event, site=site, call=call, scope=place, function=function)

    def _runs(self, event: Event, made: Made) -> bool:
        """Whether the code that registers something runs for an object: it is in its class, and not overridden."""
        scope: Scope | None = event.scope
        while scope is not None and not (scope.parent is not None and scope.parent.is_class):
            scope = scope.parent
        around = class_around(scope) if scope is not None else None
        if around is None or scope is None:
            return self._on_object(event, made)
        if not is_or_inherits(self.program, made.owner, around):
            return not _on_self(event) and self._on_object(event, made)
        name = str(getattr(scope.node, "name", ""))
        if not self.methods.runs(made.owner, name):
            return False
        member = self.program.class_member(made.owner, name)
        if not isinstance(member, FunctionTarget) or member.node is scope.node:
            return True
        return isinstance(member.node, Function) and bool(calls_above(member.node))

    def _on_object(self, event: Event, made: Made) -> bool:
        """Whether what is registered outside of the classes (`shop.router.get(…)`) is for this object."""
        held = event.call.func.value if isinstance(event.call.func, ast.Attribute) else None
        if not isinstance(held, ast.Attribute):
            return True
        if not self._can_be(held.value, event.scope, made.owner):
            return False
        calls = self.objects.calls(held.value, event.scope, made.owner)
        return not calls or any(call is made.call for call, _ in calls)

    def _can_be(self, node: ast.expr, scope: Scope, owner: ClassTarget) -> bool:
        """Whether an object of this class can be given for a parameter, as its annotation says."""
        target = self.program.resolve(node, scope)
        if not isinstance(target, ParameterTarget) or target.annotation is None:
            return True
        shape = shape_of(self.program, target.annotation, target.scope.parent or target.scope)
        asked = shape.target
        return not isinstance(asked, ClassTarget) or is_or_inherits(self.program, owner, asked)

    def hands_on(self, site: Site) -> bool:
        """Whether the object that has a router gives itself to what may register more on it."""
        return site in self.apart and self.methods.hands_on(self.apart[site][1].owner)


_EXTERNAL = ast.Name("super().__init__", ast.Load(), lineno=1, end_lineno=1, col_offset=0, end_col_offset=0)


def _on_self(event: Event) -> bool:
    """Whether a method registers on what its own object is or holds (`self.router`), not on what it is given."""
    if not isinstance(event.call.func, ast.Attribute):
        return False
    node, scope = event.call.func.value, event.scope
    for _ in range(_DEPTH):
        while isinstance(node, ast.Attribute):
            node = node.value
        found = scope.find(node.id, node.lineno) if isinstance(node, ast.Name) else None
        if found is None or not isinstance(node, ast.Name):
            return False
        scope, binding = found
        if binding.how is Bound.PARAMETER:
            return owner_of_self(ParameterTarget(node.id, scope, None, None)) is not None
        if binding.value is None:
            return False
        node = binding.value
    return False


def _itself(scope: Scope, owner: ClassTarget) -> dict[str, Target]:
    """The `self` of a method that a class above defines, as the objects of this class have it."""
    inherited = isinstance(scope.node, Function) and scope.parent is not None and scope.parent.is_class
    if not inherited or scope.parent is None or scope.parent.node is owner.node:
        return {}
    return {"self": ParameterTarget("self", owner.body.child(scope.node), None, None)}


def _is_own(site: Site, holder: ClassTarget) -> bool:
    """Whether a router is made for each object of a class: in one of its methods or by a field's factory."""
    return site.scope.node is not holder.node or site.call not in site.scope.calls
