"""Which modules the URLconfs of a project include."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from graph.facts import Location
from ingest.web.constants.constants import text_of
from ingest.web.program.known_sources import known_module
from ingest.web.program.program import Program
from ingest.web.program.targets import External, ModuleTarget
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.imported_names import imported, imported_name

KNOWN: Final = {
    "django.contrib.auth.urls": (
        *("login/", "logout/", "password_change/", "password_change/done/", "password_reset/"),
        *("password_reset/done/", "reset/{uidb64}/{token}/", "reset/done/"),
    ),
    "django.conf.urls.i18n": ("setlang/",),
    "rest_framework.urls": ("login/", "logout/"),
}
"""What the URLconfs of the frameworks themselves lead to: pages of a site, which contracts do not tell of."""
_ROUTER: Final = "router"
_MAKING: Final = re.compile(r"(?:^|_)(?:api|router)(?:_|$)")
_FRAMEWORKS: Final = frozenset({"rest_framework", "ninja", "ninja_extra"})


def included(program: Program, modules: list[Module]) -> set[str]:
    """The names of the modules that one of these includes."""
    found: set[str] = set()
    for module in modules:
        for call in module.scope.calls:
            target = program.resolve(call.func, module.scope)
            if isinstance(target, External) and target.name == "include" and call.args:
                inner = included_module(program, call.args[0], module.scope)
                found |= {inner.name} if inner is not None and inner is not module else set()
    return found


def is_inclusion(program: Program, node: ast.expr, scope: Scope) -> bool:
    """Whether an expression is `include(…)`."""
    made = program.resolve(node.func, scope) if isinstance(node, ast.Call) else None
    return isinstance(made, External) and made.name == "include"


def included_module(program: Program, node: ast.expr, scope: Scope) -> Module | None:
    """The module that `include(…)` names, by its dotted name or as itself."""
    name = text_of(program, node, scope)
    if name is not None:
        return program.module(name)
    target = program.resolve(node, scope)
    found = target if isinstance(target, ModuleTarget) else imported(program, target)
    return found.module if found is not None else None


def known_urlconf(program: Program, call: ast.Call, name: str, scope: Scope) -> Module | None:
    """The URLconf of another package that is known as if the project had it, standing where it is included."""
    key = ("known", name, scope.path, call.lineno)
    found = program.remember(key, lambda: known_module(name, scope.path, call.lineno))
    return found if found is not None and "urlpatterns" in found.scope.bindings else None


def urlconf_of(program: Program, node: ast.expr, call: ast.Call, scope: Scope) -> Module | None:
    """The module that a call of `include` names: of the project, or a URLconf of an installed distribution."""
    return included_module(program, node, scope) or _installed_urlconf(program, node, call, scope)


def _installed_urlconf(program: Program, node: ast.expr, call: ast.Call, scope: Scope) -> Module | None:
    """The URLconf of an installed distribution that is included and leads to an API of a framework for that."""
    name = text_of(program, node, scope)
    target = program.resolve(node, scope) if name is None else None
    name = target.dotted if isinstance(target, External) else name
    if not name or name in KNOWN or "." not in name:
        return None
    place = program.place(call, scope)
    found = program.installed(name, place)
    if found is None or "urlpatterns" not in found.scope.bindings:
        return None
    return found if any(map(_has_api, (found, *_imported(program, found, call, scope)))) else None


def installed_routers(program: Program, modules: list[Module]) -> list[Module]:
    """The modules of installed distributions that URLconfs of these modules lead to, and what those import of their
    own package: where their routers are made and filled."""
    found: dict[str, Module] = {}
    waiting = [module for module in modules if "urlpatterns" in module.scope.bindings]
    for module in modules:
        found |= {each.name: each for each in _homes_of_routers(program, module)}
    while waiting:
        module = waiting.pop()
        for call in module.scope.calls:
            target = program.resolve(call.func, module.scope)
            if not isinstance(target, External) or target.name != "include" or not call.args:
                continue
            inner = _installed_urlconf(program, call.args[0], call, module.scope)
            if inner is not None and inner.name not in found:
                found[inner.name] = inner
                found |= {each.name: each for each in _imported(program, inner, call, module.scope)}
                waiting.append(inner)
    return list(found.values())


def _homes_of_routers(program: Program, module: Module) -> Iterator[Module]:
    """The modules of installed distributions from which a module takes routers to register more with them, or functions
    that make a router or an API."""
    called = {call.func.id for call in module.scope.calls if isinstance(call.func, ast.Name)}
    for name, bindings in module.scope.bindings.items():
        for binding in bindings:
            taken = str(binding.member).lower()
            making = name in called and _MAKING.search(taken) is not None
            if binding.how is not Bound.MEMBER or not (taken.endswith(_ROUTER) or making):
                continue
            target = program.member(module, name)
            if not isinstance(target, External):
                continue
            place = Location(module.path, binding.line, binding.line)
            home = program.installed(target.dotted.rpartition(".")[0], place)
            if making and home is not None and not _has_api(home):
                continue
            if home is not None and not isinstance(program.outside.lead(program, target, place), External):
                yield home


def _imported(program: Program, module: Module, call: ast.Call, scope: Scope) -> list[Module]:
    """The modules of its own package that an installed module imports from."""
    place, root = program.place(call, scope), module.name.partition(".")[0]
    names: dict[str, None] = {}
    for binding in (each for bindings in module.scope.bindings.values() for each in bindings):
        if binding.how in (Bound.MEMBER, Bound.MODULE):
            dotted = module.absolute(binding.module, binding.level)
            names |= {dotted: None, f"{dotted}.{binding.member}": None}
    own = [name for name in names if name.partition(".")[0] == root]
    return [found for name in own if (found := program.installed(name, place)) is not None]


def _has_api(module: Module) -> bool:
    """Whether a module imports a framework for APIs."""
    return any(
        (binding.module or "").partition(".")[0] in _FRAMEWORKS and not binding.level
        for bindings in module.scope.bindings.values()
        for binding in bindings
        if binding.how in (Bound.MEMBER, Bound.MODULE)
    )


def is_missing(program: Program, node: ast.expr, scope: Scope) -> bool:
    """Whether a package of the project has no module of the name that is included, where a loop over packages looks
    which of them has one."""
    if not scope._is_round:
        return False
    name = text_of(program, node, scope)
    if name is None:
        name = imported_name(program, program.resolve(node, scope))
    package = name.rpartition(".")[0] if name is not None else ""
    return bool(package) and program.module(package) is not None
