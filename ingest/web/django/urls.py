"""Django's URLconfs: every route that can be reached from a root, with its prefixes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from graph.facts import Location, Unknown
from graph.schema_algebra import unknown
from ingest.web.constants.constants import elements, text_of
from ingest.web.django.announced import announced
from ingest.web.django.converters import Converters
from ingest.web.django.included import (
    KNOWN,
    included_module,
    is_inclusion,
    is_missing,
    known_urlconf,
    urlconf_of,
)
from ingest.web.django.lists import assembled, each_round, in_each_round, is_named
from ingest.web.django.patterns import Pattern, beginning, of_regex, of_route, variants
from ingest.web.django.routes import Around, Route
from ingest.web.django.spaces import space_of
from ingest.web.django.yasg_exports import as_told, is_exporter
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ModuleTarget, ValueTarget
from ingest.web.routing.made_views import as_called
from ingest.web.routing.sites import Sites
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import returned

_DEPTH = 40
_PATHS = frozenset({"path", "re_path", "url"})
_EMPTY = frozenset({"static", "staticfiles_urlpatterns"})
_SUFFIXED = "format_suffix_patterns"
_WRAPPERS = frozenset({_SUFFIXED, "list", "tuple", "sorted"})


class UrlReader:
    """Walks the URLconfs of one program."""

    def __init__(self, program: Program, sites: Sites) -> None:
        self.program = program
        self.sites = sites
        self.converters = Converters(program, sites.modules)
        self.unknown: list[Unknown] = []

    def walk(self, roots: list[Module]) -> Iterator[Route]:
        """Every route of these URLconfs in the order in which Django tries them."""
        for root in roots:
            around = Around(Pattern("/"), root.path, frozenset({root.path}), above=(root.name,))
            yield from self._module(root, around, 0)

    def listed(self, node: ast.expr, scope: Scope, around: Around) -> Iterator[Route]:
        """The routes of an expression that stands for a list of patterns below those of a place."""
        yield from self._list(node, scope, replace(around, skipped=""), 0)

    def _module(self, module: Module, around: Around, depth: int) -> Iterator[Route]:
        sources = around.sources | {module.path}
        yield from self._named("urlpatterns", module.scope, replace(around, sources=sources), depth)

    def _named(self, name: str, scope: Scope, around: Around, depth: int) -> Iterator[Route]:
        """The routes of a list that is bound to a name, with all that is added to it later."""
        owner: Scope | None = scope
        while owner is not None and name not in owner.bindings:
            owner = owner.parent
        if owner is None or depth > _DEPTH or isinstance(owner.node, ast.Lambda):
            yield from self._outside(around, None, scope)
            return
        binding = owner.bindings[name][-1]
        if binding.how is Bound.MEMBER:
            here = self.program.module_of(owner)
            module = self.program.near(here.absolute(binding.module, binding.level), owner) if here else None
            if module is not None:
                inside = replace(around, sources=around.sources | {module.path})
                yield from self._named(binding.member, module.scope, inside, depth + 1)
                return
        parts = assembled(self.program, name, owner)
        if not parts:
            yield from self._outside(around, None, scope)
        found: list[Route] = []
        for node, certain in parts:
            inside = replace(around, certain=around.certain and certain, skipped=name)
            if found and self._is_suffixing(node, owner, name):
                yield from [_suffixed(route) for route in found if route.view is not None]
                continue
            for place in each_round(self.program, node, owner):
                sure = around.certain and (certain or in_each_round(self.program, node, owner, place))
                inside = replace(inside, certain=sure)
                for route in self._list(node, place, inside, depth + 1):
                    found.append(route)
                    yield route

    def _is_suffixing(self, node: ast.expr, scope: Scope, name: str) -> bool:
        """Whether a list is given suffixes for its formats: `urlpatterns = format_suffix_patterns(urlpatterns)`."""
        match node:
            case ast.Call(func=function, args=[ast.Name(id=given), *_]) if given == name:
                target = self.program.resolve(function, scope)
                return isinstance(target, External) and target.name == _SUFFIXED
        return False

    def _list(self, node: ast.expr, scope: Scope, around: Around, depth: int) -> Iterator[Route]:
        """The routes of an expression that stands for a list of patterns."""
        if depth > _DEPTH:
            return
        match node:
            case ast.List() | ast.Tuple():
                for element in node.elts:
                    if isinstance(element, ast.Starred):
                        yield from self._list(element.value, scope, around, depth + 1)
                    else:
                        yield from self._entry(element, scope, around, depth + 1)
            case ast.BinOp(op=ast.Add()):
                yield from self._list(node.left, scope, around, depth + 1)
                yield from self._list(node.right, scope, around, depth + 1)
            case ast.ListComp() | ast.GeneratorExp() if listed := elements(self.program, node, scope):
                for element, place in listed:
                    yield from self._entry(element, place, around, depth + 1)
            case ast.IfExp():
                unsure = replace(around, certain=False)
                yield from self._list(node.body, scope, unsure, depth + 1)
                yield from self._list(node.orelse, scope, unsure, depth + 1)
            case ast.Name():
                if node.id != around.skipped:
                    yield from self._named(node.id, scope, around, depth + 1)
            case ast.Attribute():
                yield from self._attribute(node, scope, around, depth)
            case ast.Call():
                yield from self._made(node, scope, around, depth)
            case _:
                yield from self._outside(around, node, scope)

    def _attribute(self, node: ast.Attribute, scope: Scope, around: Around, depth: int) -> Iterator[Route]:
        place = self.program.place(node, scope)
        if node.attr in ("urls", "get_urls"):
            with self.program.trail() as paths:
                sites = self.sites.of(node.value, scope)
            inside = replace(around, sources=around.sources | paths)
            for site in sites:
                yield Route(around.pattern, place, inside, scope=scope, site=site)
            if not sites:
                yield from self._outside(around, node, scope)
            return
        owner = self.program.resolve(node.value, scope)
        if isinstance(owner, ModuleTarget):
            yield from self._named(node.attr, owner.module.scope, around, depth + 1)
            return
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and target.node is not None:
            yield from self._list(target.node, target.scope, around, depth + 1)
        else:
            yield from self._outside(around, node, scope)

    def _made(self, node: ast.Call, scope: Scope, around: Around, depth: int) -> Iterator[Route]:
        target = self.program.resolve(node.func, scope)
        if isinstance(target, External) and target.name in _EMPTY:
            return
        if isinstance(target, External) and target.name in _WRAPPERS and node.args:
            for route in self._list(node.args[0], scope, around, depth + 1):
                yield route
                if target.name == _SUFFIXED and route.view is not None:
                    yield _suffixed(route)
        elif isinstance(target, FunctionTarget):
            made = target if has_stars(node) else as_called(self.program, target, node, scope)
            for value, inner in returned(made):
                yield from self._list(value, inner, replace(around, skipped=""), depth + 1)
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "get_urls":
            yield from self._attribute(node.func, scope, around, depth)
        else:
            yield from self._outside(around, node, scope)

    def _entry(self, node: ast.expr, scope: Scope, around: Around, depth: int) -> Iterator[Route]:
        """The routes of one element of a list of patterns."""
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            node, scope = target.node, target.scope
        made = self.program.resolve(node.func, scope) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and isinstance(made, FunctionTarget) and depth < _DEPTH:
            # A function of the project that makes an entry: `book_paths("books/", "book")`.
            called = made if has_stars(node) else as_called(self.program, made, node, scope)
            for value, inner in returned(called):
                yield from self._entry(value, inner, around, depth + 1)
            return
        known = isinstance(made, External) and made.root == "django" and made.name in _PATHS
        if not isinstance(node, ast.Call) or not known or not isinstance(made, External):
            yield from self._outside(around, node, scope)
            return
        with self.program.trail() as paths:
            text = text_of(self.program, argument(node, 0, "route", "regex"), scope)
            plain = text is None or made.name == "path"
            piece = of_regex(text or "") if not plain else None
            if text is not None and made.name == "path":
                piece = of_route(text, self.converters.of)
                if is_exporter(self.program):
                    told = {name: as_told(schema) for name, schema in piece.parameters.items()}
                    piece = replace(piece, parameters=told)
        view = argument(node, 1, "view")
        if piece is None and text is not None and view is not None and (several := variants(text)):
            for each in several:
                # A contract may have one of the paths, and need not have the other.
                inside = replace(around, pattern=around.pattern.then(each), certain=False)
                yield from self._view(view, node, scope, inside, depth)
            return
        if piece is None and text is not None:
            begun = around.pattern.then(beginning(text))
            yield from self._outside(replace(around, pattern=begun), node, scope)
            return
        if piece is None or view is None:
            yield from self._outside(around, node, scope)
            if view is not None and around.pattern.path == "/" and is_inclusion(self.program, view, scope):
                # The prefix of a whole site is chosen where it is installed, and none where nobody does.
                yield from self._view(view, node, scope, replace(around, certain=False), depth)
            return
        sources = around.sources | paths | {scope.path}
        inside = replace(around, pattern=around.pattern.then(piece), sources=sources)
        yield from self._view(view, node, scope, inside, depth)

    def _view(
        self, view: ast.expr, call: ast.Call, scope: Scope, around: Around, depth: int
    ) -> Iterator[Route]:
        """What a pattern leads to: another list of patterns, or a view."""
        target = self.program.resolve(view, scope)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call | ast.Tuple):
            view, inner = target.node, target.scope
        else:
            inner = scope
        made = self.program.resolve(view.func, inner) if isinstance(view, ast.Call) else None
        if isinstance(view, ast.Call) and isinstance(made, External) and made.name == "include":
            yield from self._include(view, inner, around, depth)
        elif isinstance(view, ast.Tuple) and view.elts:
            yield from self._list(view.elts[0], inner, replace(around, skipped=""), depth + 1)
        elif isinstance(view, ast.Attribute) and view.attr == "urls":
            yield from self._attribute(view, inner, around, depth)
        else:
            place = self.program.place(call, scope)
            yield Route(around.pattern, place, around, view=view, scope=inner)

    def _include(self, call: ast.Call, scope: Scope, around: Around, depth: int) -> Iterator[Route]:
        node = argument(call, 0, "arg")
        target = self.program.resolve(node, scope) if isinstance(node, ast.Name) else None
        if isinstance(target, ValueTarget) and is_named(target.node):
            node, scope = target.node, target.scope
        if isinstance(node, ast.Tuple) and node.elts:
            node = node.elts[0]
        module = urlconf_of(self.program, node, call, scope) if node is not None else None
        around = replace(around, spaces=around.spaces + space_of(self.program, call, scope, module))
        if module is not None:
            if module.name in around.above or depth > _DEPTH:
                self._note(self.program.place(call, scope), "the URLconf includes itself")
                return
            inside = replace(around, above=(*around.above, module.name), skipped="")
            yield from self._module(module, inside, depth + 1)
        elif (name := text_of(self.program, node, scope) or "") in KNOWN:
            place = self.program.place(call, scope)
            yield from (Route(around.pattern.then(Pattern(each)), place, around) for each in KNOWN[name])
        elif (known := known_urlconf(self.program, call, name, scope)) is not None:
            yield from self._module(known, replace(around, skipped=""), depth + 1)
            yield from self._outside(around, call, scope)
        elif (
            node is not None and not isinstance(node, ast.Constant) and is_missing(self.program, node, scope)
        ):
            return
        else:
            if isinstance(target, External) or name:
                yield from self._announced(
                    target.dotted if isinstance(target, External) else name, around, depth
                )
            if node is None or isinstance(node, ast.Constant):
                yield from self._outside(around, call, scope)
            else:
                yield from self._list(node, scope, replace(around, skipped=""), depth + 1)

    def _announced(self, name: str, around: Around, depth: int) -> Iterator[Route]:
        """What the project hands to an installed package whose URLconf is included, for that to route it."""
        for each in announced(self.program, name.partition(".")[0]):
            text = text_of(self.program, each.route, each.scope)
            plain = each.way == "path"
            piece = (
                (of_route(text, self.converters.of) if plain else of_regex(text))
                if text is not None
                else None
            )
            module = included_module(self.program, each.included, each.scope)
            if piece is not None and module is not None and module.name not in around.above:
                sources = around.sources | {each.scope.path}
                pattern, above = around.pattern.then(piece), (*around.above, module.name)
                inside = replace(around, pattern=pattern, sources=sources, above=above, skipped="")
                yield from self._module(module, inside, depth + 1)

    def _outside(self, around: Around, node: ast.expr | None, scope: Scope) -> Iterator[Route]:
        """All that may be routed here by code that cannot be read."""
        place = Location(scope.path, 1, 1) if node is None else self.program.place(node, scope)
        self._note(place, f"what is routed below {around.pattern.path} cannot be known")
        yield Route(around.pattern, place, around, below=True)

    def _note(self, place: Location, reason: str) -> None:
        self.unknown.append(Unknown(f"URLconf {place.path}", "inclusion", place.path, place.line, reason))


def _suffixed(route: Route) -> Route:
    """The route at which the same view answers in the format that the end of the path names (`books.json`)."""
    pattern = replace(route.pattern, path=route.pattern.path.rstrip("/"))
    suffix = Pattern("{format}", {"format": unknown("the formats are those of the view")})
    around = replace(route.around, certain=False)
    return replace(route, pattern=pattern.then(suffix), around=around)
