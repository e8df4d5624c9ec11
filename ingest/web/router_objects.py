"""Routers that objects of the project's classes hold or are: what each object gives them when it is made."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ingest.web.bindings import Function, parameters
from ingest.web.calls import given_for, has_stars
from ingest.web.instances import Instances, own_statements, returned
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.sites import Event, Site, Sites
from ingest.web.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    LoopTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)

_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Made:
    """One object: its class, and what the names of its `__init__` and its own attributes stand for.

    Attributes are among the names as `self.name`.
    """

    owner: ClassTarget
    names: dict[str, Target]


class RouterObjects:
    """Finds the objects behind routers, and tells the sites that each of them has apart."""

    def __init__(self, program: Program, instances: Instances, sites: Sites) -> None:
        self.program = program
        self.instances = instances
        self.sites = sites
        self.apart: dict[Site, tuple[Site, Made]] = {}
        """The sites that were told apart: each with the one that all objects of its class share."""

    def told_apart(self, node: ast.expr, scope: Scope, shared: list[Site]) -> list[Site]:
        """The sites of `object.router` or `object.router()`: those of one object each, where the objects are known."""
        reached = node.func if isinstance(node, ast.Call) else node
        if not isinstance(reached, ast.Attribute) or len(shared) != 1 or shared[0].call is None:
            return shared
        (site,) = shared
        holder = _class_around(site.scope)
        if holder is None or not _is_own(site, holder):
            return shared
        made = [self._made(call, inner) for call, inner in self._objects(reached.value, scope, holder)]
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
        return self._made(site.call, site.scope)

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
        names = self._names(made, call, scope)
        above = [part for part in _calls(made.node) if _is_above(part)]
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
                name = ast.copy_location(ast.Name(f"given {keyword.arg}", ast.Load()), inner)
                plain.append(ast.keyword(keyword.arg, name))
            positional = [value for value in inner.args if not isinstance(value, ast.Starred)]
            inner = ast.copy_location(ast.Call(inner.func, positional, plain), inner)
        reached = ast.copy_location(ast.Call(_EXTERNAL, inner.args, inner.keywords), inner)
        return reached, made.body.round({**names, _EXTERNAL.id: self._next(made)})

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

    def _next(self, made: FunctionTarget) -> Target:
        """The class after the one whose `__init__` this is, in the order in which Python asks them."""
        owner = _class_around(made.body)
        above = self.program.ancestry(owner)[1:] if owner is not None else []
        for base in above:
            if isinstance(base, External) or (
                isinstance(base, ClassTarget) and self.program.class_member(base, "__init__") is not None
            ):
                return base
        return External("builtins.object")

    def _of(self, site: Site, made: Made) -> Site:
        call = _Attributes(made.names).visit(copy.deepcopy(site.call)) if site.call is not None else None
        own = Site(site.node, site.scope.round(made.names), site.kind, call)
        self.apart[own] = (site, made)
        return own

    def _worded(self, event: Event, site: Site, made: Made) -> Event:
        if _class_around(event.scope) is None:
            return replace(event, site=site)
        call = _Attributes(made.names).visit(copy.deepcopy(event.call))
        function = event.function
        if isinstance(function, FunctionTarget) and function.scope is event.scope:
            function = replace(function, scope=event.scope.round(made.names))
        return replace(event, site=site, call=call, scope=event.scope.round(made.names), function=function)

    def _runs(self, event: Event, made: Made) -> bool:
        """Whether the code that registers something runs for an object: it is in its class, and not overridden."""
        scope: Scope | None = event.scope
        while scope is not None and not (scope.parent is not None and scope.parent.is_class):
            scope = scope.parent
        around = _class_around(scope) if scope is not None else None
        if around is None or scope is None:
            return True
        if not any(isinstance(c, ClassTarget) and c.node is around.node for c in self._ancestry(made.owner)):
            return False
        member = self.program.class_member(made.owner, getattr(scope.node, "name", ""))
        if not isinstance(member, FunctionTarget) or member.node is scope.node:
            return True
        return any(_is_above(part, member.body.node) for part in _calls(member.node))

    def _ancestry(self, owner: ClassTarget) -> list[ClassTarget | External | None]:
        return self.program.ancestry(owner)

    def _made(self, call: ast.Call, scope: Scope) -> Made | None:
        """The object that a call makes."""
        owner = self.program.resolve(call.func, scope)
        if not isinstance(owner, ClassTarget):
            return None
        names: dict[str, Target] = {}
        made = self.program.class_member(owner, "__init__")
        at, inner, place = made, call, scope
        for _ in range(_DEPTH):
            if not isinstance(at, FunctionTarget) or not isinstance(at.node, Function):
                break
            given = self._names(at, inner, place)
            if given is None:
                return None
            names = {**given, **names}
            for name, value in _own_values(at):
                known = self.program.resolve(value, at.body.round(given))
                if known is not None and not isinstance(known, ParameterTarget):
                    names.setdefault(f"self.{name}", known)
            above = [part for part in _calls(at.node) if _is_above(part)]
            following = self._next(at)
            if len(above) != 1 or has_stars(above[0]) or not isinstance(following, ClassTarget):
                break
            inner, place = above[0], at.body.round(given)
            at = self.program.class_member(following, "__init__")
        for name in self._constants(owner):
            member = self.program.class_member(owner, name)
            if member is not None:
                names.setdefault(f"self.{name}", member)
        return Made(owner, names)

    def _constants(self, owner: ClassTarget) -> Iterator[str]:
        """The names of the values that a class and its bases have."""
        for base in self._ancestry(owner):
            if isinstance(base, ClassTarget):
                for statement in base.node.body:
                    named = statement.targets if isinstance(statement, ast.Assign) else []
                    if isinstance(statement, ast.AnnAssign):
                        named = [statement.target]
                    yield from (part.id for part in named if isinstance(part, ast.Name))

    def _names(self, made: FunctionTarget, call: ast.Call, scope: Scope) -> dict[str, Target] | None:
        """What the parameters of a function stand for in a call; None where that cannot be known."""
        if any(isinstance(a, ast.Starred) for a in call.args):
            return None
        found: dict[str, Target] = {}
        for node, default in list(parameters(made.node))[1:]:
            target = ParameterTarget(node.arg, made.body, node.annotation, default)
            value, place = given_for(target, made, call, scope)
            known = self.program.resolve(value, place) if value is not None else None
            if known is not None and not isinstance(known, ParameterTarget):
                found[node.arg] = known
        return found

    def _objects(
        self, node: ast.expr, scope: Scope, holder: ClassTarget, depth: int = 0
    ) -> list[tuple[ast.Call, Scope]]:
        """The calls that make the objects which an expression stands for; empty where they are not known."""
        target = self.program.resolve(node, scope)
        if depth > _DEPTH:
            return []
        match target:
            case ValueTarget(node=ast.Call() as call, scope=inner):
                made = self.program.resolve(call.func, inner)
                if isinstance(made, ClassTarget):
                    return [(call, inner)]
                if isinstance(made, FunctionTarget) and len(results := returned(made)) == 1:
                    return self._objects(*results[0], holder, depth + 1)
            case LoopTarget(iterable=ast.List() | ast.Tuple() as listed, scope=inner):
                each = [self._objects(part, inner, holder, depth + 1) for part in listed.elts]
                return [call for calls in each for call in calls] if all(each) else []
            case ParameterTarget() if self._is_self(target, holder):
                return [
                    (call, inner)
                    for call, inner, made in self._all
                    if any(isinstance(c, ClassTarget) and c.node is holder.node for c in self._ancestry(made))
                ]
        return []

    def _is_self(self, target: ParameterTarget, holder: ClassTarget) -> bool:
        around = target.scope.parent
        first = next(parameters(target.scope.node), None) if isinstance(target.scope.node, Function) else None
        return (
            around is not None
            and around.node is holder.node
            and first is not None
            and first[0].arg == target.name
        )

    @cached_property
    def _all(self) -> list[tuple[ast.Call, Scope, ClassTarget]]:
        """Every call in the modules that makes an object of a class of the project."""
        found = []
        with self.program.aside():
            for module in self.sites.modules:
                for scope in module.scope.descend():
                    for call in scope.calls:
                        made = self.program.resolve(call.func, scope)
                        if isinstance(made, ClassTarget):
                            found.append((call, scope, made))
        return found


_EXTERNAL = ast.Name("super().__init__", ast.Load(), lineno=1, end_lineno=1, col_offset=0, end_col_offset=0)


class _Attributes(ast.NodeTransformer):
    """Puts for `self.name` the name by which a round of a scope knows it."""

    def __init__(self, names: dict[str, Target]) -> None:
        self.names = names

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        known = isinstance(node.value, ast.Name) and f"self.{node.attr}" in self.names
        if not known or not isinstance(node.value, ast.Name) or node.value.id != "self":
            return node
        return ast.copy_location(ast.Name(f"self.{node.attr}", ast.Load()), node)


def _is_own(site: Site, holder: ClassTarget) -> bool:
    """Whether a router is made for each object of a class: in one of its methods, not in its body."""
    return site.scope.node is not holder.node


def _own_values(made: FunctionTarget) -> Iterator[tuple[str, ast.expr]]:
    """What an `__init__` assigns to attributes of its object."""
    assert isinstance(made.node, Function)
    for statement in own_statements(made.node.body):
        named = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            named = [statement.target]
        value = getattr(statement, "value", None)
        for part in named:
            if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "self" and value is not None:
                yield part.attr, value


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Call))


def _is_above(call: ast.Call, method: ast.AST | None = None) -> bool:
    """Whether this is `super().__init__(…)`, or the same of another method."""
    name = getattr(method, "name", "__init__")
    return (
        isinstance(call.func, ast.Attribute)
        and call.func.attr == name
        and isinstance(call.func.value, ast.Call)
        and ast.unparse(call.func.value.func) == "super"
    )


def _class_around(scope: Scope) -> ClassTarget | None:
    inner: Scope | None = scope
    while inner is not None:
        if isinstance(inner.node, ast.ClassDef) and inner.parent is not None:
            return ClassTarget(inner.node, inner.parent)
        inner = inner.parent
    return None
