"""Follows names to the application that they stand for, so that its framework is told by what makes it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from graph.facts import Fact, Kind, Tag, Verb
from graph.source import FactSource

WRAPPED_WSGI = "wsgi"
"""What an application of Flask is for tests when something else, which knows WSGI only, stands before it."""
_ANYWHERE = {
    "FastAPI": "fastapi",
    "Starlette": "starlette",
    "Flask": "flask",
    "APIFlask": "flask",
    "Litestar": "litestar",
    "get_wsgi_application": "django",
    "get_asgi_application": "django",
}
_OF_PACKAGES = {
    ("Application", "aiohttp"): "aiohttp",
    ("OpenAPI", "flask_openapi3"): "flask",
    ("App", "connexion"): "starlette",
    ("FlaskApp", "connexion"): "starlette",
    ("AsyncApp", "connexion"): "starlette",
}
_WITHIN = {("connexion", "App"): "flask", ("connexion", "FlaskApp"): "flask"}
"""What `.app` of an object of these is."""
_ASGI = ("fastapi", "starlette", "litestar")
_STEPS = 12


def of_constructor(name: str) -> str:
    """The framework that something makes applications of (`fastapi.FastAPI`); empty for anything else."""
    package, last = name.partition(".")[0], name.rpartition(".")[2]
    return _ANYWHERE.get(last) or _OF_PACKAGES.get((last, package), "")


def outermost(frameworks: Iterable[str]) -> str:
    """The framework of the one application that all the others of these lie in; empty where that cannot be known.

    What speaks ASGI takes in what speaks WSGI (`app.mount("/old", WSGIMiddleware(flask))`), hardly ever the other
    way round.
    """
    made = set(filter(None, frameworks))
    if made == {"fastapi", "starlette"}:
        return "fastapi"
    outer = made & set(_ASGI) if len(made) > 1 else made
    return outer.pop() if len(outer) == 1 else ""


class Names:
    """The names of the code: what modules import, what their attributes are, and what their functions call."""

    def __init__(self, source: FactSource) -> None:
        self._imports: dict[str, dict[str, str]] = {}
        self._facts: dict[str, list[Fact]] = {}
        self._modules: dict[str, str] = {}
        kinds = {Kind.MODULE, Kind.ATTRIBUTE, Kind.FUNCTION, Kind.CLASS}
        for fact in source.facts(tag=Tag.CODE, kinds=kinds):
            key = fact.unnumbered
            if fact.kind is Kind.MODULE:
                found = {str(row[0]): str(row[1]) for row in fact.aspects.get("imports", ())}
                self._imports.setdefault(key, {}).update(found)
                continue
            self._facts.setdefault(key, []).append(fact)
            self._modules[key] = source.module_of(fact)
        self._related: dict[tuple[Verb, str], list[str]] = {}
        for relation in source.relations({Verb.CALLS, Verb.INHERITS}):
            first = relation.first.rpartition(":")[2].partition("~")[0]
            self._related.setdefault((relation.verb, first), []).append(relation.second.rpartition(":")[2])

    def is_there(self, place: str) -> bool:
        """Whether the code has, under this place (`todo.main:app`, `shop:create_app()`), anything by that name."""
        module, _, text = place.partition(":")
        called = text.removesuffix("()")
        return self.target(module, called) in self._facts or bool(self.of(module, text))

    def is_class(self, whole: str) -> bool:
        """Whether the code has a class by this whole name."""
        return any(each.kind is Kind.CLASS for each in self._facts.get(whole, ()))

    def is_function(self, whole: str) -> bool:
        """Whether the code has a function by this whole name."""
        return any(each.kind is Kind.FUNCTION for each in self._facts.get(whole, ()))

    def imports(self, module: str, place: str) -> bool:
        """Whether a module imports what is at a place (`todo.main:app`), or the module that it is in."""
        holder, _, name = place.partition(":")
        return not {f"{holder}.{name}", holder}.isdisjoint(self._imports.get(module, {}).values())

    def modules(self) -> Iterable[str]:
        """The modules of the code."""
        return self._imports.keys()

    def imported_as(self, module: str, holder: str, name: str) -> str:
        """What a module calls the thing of this name that another one holds, where it imports it so; else empty."""
        imported = self._imports.get(module, {}).items()
        return next((alias for alias, whole in imported if whole == f"{holder}.{name}"), "")

    def reached(self, module: str) -> set[str]:
        """The modules of the code that are loaded with a module: itself, what it imports, and the packages of these."""
        found: set[str] = set()
        waiting = [module]
        while waiting:
            one = waiting.pop()
            while one and one not in self._imports:  # A thing in a module.
                one = one.rpartition(".")[0]
            if one and one not in found:
                found.add(one)
                waiting += [*self._imports[one].values(), one.rpartition(".")[0]]
        return found

    def framework(self, place: str) -> str:
        """The framework of the application at a place, by what makes it; empty where that cannot be known."""
        module, _, text = place.partition(":")
        return self.of(module, text)

    def of(self, module: str, text: str, steps: int = _STEPS) -> str:
        """The framework of the application that an expression in a module makes or names."""
        try:
            tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            return ""
        return self._expression(module, tree, steps)

    def target(self, module: str, dotted: str) -> str:
        """The whole name of what a module calls by this name, through the imports and aliases of the code."""
        for _ in range(_STEPS):
            whole = f"{module}.{dotted}"
            if whole in self._facts and not self._alias(whole):
                return whole
            after = self._alias(whole) or self._through_imports(module, dotted)
            if not after:
                return whole
            if after in self._facts and not self._alias(after):
                return after
            module, dotted = self._split(after)
            if not module:
                return after
        return ""

    def _alias(self, whole: str) -> str:
        """What a name at the top of a module is only another name of (`application = core.app`)."""
        value = self._value(whole)
        if re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", value) is None:
            return ""
        module = self._modules[whole]
        head = value.partition(".")[0]
        if head in self._imports.get(module, {}):
            return self._through_imports(module, value)
        named = f"{module}.{value}"
        return named if named in self._facts and named != whole else ""

    def _through_imports(self, module: str, dotted: str) -> str:
        head, dot, rest = dotted.partition(".")
        imported = self._imports.get(module, {}).get(head)
        return f"{imported}{dot}{rest}" if imported else ""

    def _split(self, whole: str) -> tuple[str, str]:
        """A whole name as the module of the code that it begins with, and the rest."""
        module, rest = whole, ""
        while module and module not in self._imports:
            module, _, last = module.rpartition(".")
            rest = f"{last}.{rest}" if rest else last
        return (module, rest) if rest else ("", whole)

    def _value(self, whole: str) -> str:
        facts = [each for each in self._facts.get(whole, ()) if each.kind is Kind.ATTRIBUTE]
        return str(facts[0].aspects.get("value", "")) if facts else ""

    def _expression(self, module: str, tree: ast.expr, steps: int) -> str:
        if steps <= 0:
            return ""
        if isinstance(tree, ast.Await):
            return self._expression(module, tree.value, steps - 1)
        if isinstance(tree, ast.Call):
            return self._call(module, tree, steps - 1)
        if not isinstance(tree, ast.Name | ast.Attribute):
            return ""
        whole = self.target(module, ast.unparse(tree))
        if whole in self._facts:
            return self._attribute(whole, steps - 1)
        return self._within(module, tree, steps - 1) if isinstance(tree, ast.Attribute) else ""

    def _attribute(self, whole: str, steps: int) -> str:
        """The framework of what an attribute is, in each of the branches that make it."""
        module = self._modules[whole]
        facts = [each for each in self._facts[whole] if each.kind is Kind.ATTRIBUTE]
        values = [str(each.aspects.get("value", "")) for each in facts]
        if not facts or not all(
            values
        ):  # Made more than once: by what the module imports, and nobody else tells.
            known = outermost(map(of_constructor, self._imports.get(module, {}).values())) if facts else ""
            return WRAPPED_WSGI if known == "flask" else known
        found = {self.of(module, value, steps) for value in values}
        return found.pop() if len(found) == 1 else outermost(found)

    def _call(self, module: str, tree: ast.Call, steps: int) -> str:
        if not isinstance(tree.func, ast.Name | ast.Attribute):
            return ""
        whole = self.target(module, ast.unparse(tree.func))
        known = self.made_by(whole, steps)
        if known or whole in self._facts:
            return known
        inner = outermost(self._handed_on(module, tree, steps))
        return WRAPPED_WSGI if inner == "flask" else inner

    def _handed_on(self, module: str, tree: ast.Call, steps: int) -> Iterator[str]:
        """The frameworks of what is handed to something that stands before an application."""
        for each in (*tree.args, *(keyword.value for keyword in tree.keywords)):
            parts = each.values if isinstance(each, ast.Dict) else [each]
            yield from (self._expression(module, part, steps) for part in parts if part is not None)

    def _within(self, module: str, tree: ast.Attribute, steps: int) -> str:
        """The framework of an attribute of an object that the code makes: `server.app`, `Server().app`."""
        maker: ast.expr = tree.value
        if isinstance(maker, ast.Name | ast.Attribute):
            holder = self.target(module, ast.unparse(maker))
            try:
                maker = ast.parse(self._value(holder), mode="eval").body
            except (SyntaxError, ValueError, RecursionError):
                return ""
            module = self._modules.get(holder, module)
        if not isinstance(maker, ast.Call) or not isinstance(maker.func, ast.Name | ast.Attribute):
            return ""
        whole = self.target(module, ast.unparse(maker.func))
        if tree.attr == "app" and (known := _WITHIN.get((whole.partition(".")[0], whole.rpartition(".")[2]))):
            return known
        held = f"{whole}.{tree.attr}"
        return self._attribute(held, steps) if held in self._facts and steps > 0 else ""

    def made_by(self, whole: str, steps: int = _STEPS) -> str:
        """The framework of what calling this gives: a constructor, a class of the code, a factory."""
        facts = self._facts.get(whole, [])
        if not facts:
            return of_constructor(whole)
        if steps <= 0:
            return ""
        if facts[0].kind is Kind.CLASS:
            bases = self._related.get((Verb.INHERITS, whole), [])
            return outermost(self.made_by(base, steps - 1) for base in bases)
        if facts[0].kind is not Kind.FUNCTION:
            return ""
        module = self._modules[whole]
        said = str(facts[0].aspects.get("returns", "")).strip("\"'")
        told = of_constructor(self.target(module, said)) if said else ""
        if told:
            return told
        calls = self._related.get((Verb.CALLS, whole), [])
        calls = [*calls, *(f"{each}.__init__" for each in calls)]
        direct = outermost(of_constructor(each) or self._class(each, steps - 1) for each in calls)
        return direct or outermost(self.made_by(each, steps - 1) for each in calls if each in self._facts)

    def _class(self, whole: str, steps: int) -> str:
        facts = self._facts.get(whole, [])
        return self.made_by(whole, steps) if facts and facts[0].kind is Kind.CLASS else ""
