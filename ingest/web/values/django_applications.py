"""The applications of a Django project as its registry hands them out: `for config in apps.get_app_configs()`."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.constants.constants import constant, text_of
from ingest.web.constants.outside_values import setting
from ingest.web.constants.possible import possible_elements
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, Target, ValueTarget
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.symbol_table import Loop

_REGISTRY: Final = frozenset({"django.apps.apps", "django.apps.registry.apps"})
_CONFIG: Final = "AppConfig"
_KEPT: Final = "the applications of the project"


def listed_applications(program: Program, loop: Loop, scope: Scope) -> list[dict[str, Target]] | None:
    """What the name of a loop over the registry stands for, application by application: its configuration as a class
    with `name` and `label`; None for any other loop, and where `INSTALLED_APPS` is not known."""
    if not isinstance(loop.target, ast.Name) or not _is_registry(program, loop.iter, scope):
        return None
    configs = program.remember(_KEPT, lambda: _configs(program, scope))
    return None if configs is None else [{loop.target.id: each} for each in configs]


def asks_for_application(test: ast.expr) -> bool:
    """Whether a test asks for an application: `apps.is_installed("shop")`, `"shop" in settings.INSTALLED_APPS`."""
    match test:
        case ast.Call(func=ast.Attribute(attr="is_installed"), args=[_]):
            return True
        case ast.Compare(ops=[ast.In()], comparators=[ast.Attribute(attr="INSTALLED_APPS")]):
            return True
    return False


def is_installed(program: Program, test: ast.expr, scope: Scope) -> bool:
    """Whether the settings are known to name the application that a test asks for."""
    asked: ast.expr | None = None
    match test:
        case ast.Call(func=ast.Attribute(value=ast.expr() as owner), args=[ast.expr() as asked]):
            found = program.resolve(owner, scope)
            if not isinstance(found, External) or found.dotted not in _REGISTRY:
                return False
        case ast.Compare(left=ast.expr() as asked):
            pass
    name, given = text_of(program, asked, scope), setting(program, "INSTALLED_APPS")
    listed = possible_elements(program, *given) if isinstance(given, tuple) else None
    names = {text_of(program, node, place) for node, place, sure in listed or [] if sure}
    return name is not None and any(
        each == name or (each or "").startswith(f"{name}.apps.") for each in names
    )


def _is_registry(program: Program, node: ast.expr, scope: Scope) -> bool:
    """Whether an expression is `apps.get_app_configs()` or `apps.app_configs.values()`."""
    match node:
        case ast.Call(func=ast.Attribute(attr="get_app_configs", value=owner), args=[]):
            pass
        case ast.Call(
            func=ast.Attribute(attr="values", value=ast.Attribute(attr="app_configs", value=owner)), args=[]
        ):
            pass
        case _:
            return False
    found = program.resolve(owner, scope)
    return isinstance(found, External) and found.dotted in _REGISTRY


def _configs(program: Program, scope: Scope) -> list[ClassTarget] | None:
    given = setting(program, "INSTALLED_APPS")
    listed = possible_elements(program, *given) if isinstance(given, tuple) else None
    names = [text_of(program, node, place) for node, place, _ in listed or []]
    if listed is None or None in names:
        return None
    return [_config(program, name, scope) for name in names if name is not None]


def _config(program: Program, name: str, scope: Scope) -> ClassTarget:
    """The configuration of an entry of `INSTALLED_APPS`: the class that it names, else that of its `apps` module."""
    package, _, last = name.rpartition(".")
    module = program.module(package) if package else None
    own = program.member(module, last) if module is not None else None
    if not isinstance(own, ClassTarget):
        own, package = _only(program, name), name
    stated = constant(program, *_value(program, own, "name")) if own is not None else None
    package = stated if isinstance(stated, str) else package.removesuffix(".apps")
    label = constant(program, *_value(program, own, "label")) if own is not None else None
    label = label if isinstance(label, str) else package.rpartition(".")[2]
    base = f"({own.node.name})" if own is not None else ""
    (made,) = ast.parse(f"class ApplicationConfig{base}:\n    name = {package!r}\n    label = {label!r}").body
    assert isinstance(made, ast.ClassDef), "this is what was written"
    return ClassTarget(made, own.scope if own is not None else scope)


def _only(program: Program, package: str) -> ClassTarget | None:
    """The configuration that Django finds in the `apps` module of a package: the only one, or the default."""
    module = program.module(f"{package}.apps")
    found = [program.member(module, name) for name in module.scope.bindings] if module is not None else []
    classes = [
        each for each in found if isinstance(each, ClassTarget) and program.is_a(each, {"django"}, {_CONFIG})
    ]
    own = [each for each in classes if each.scope.module == f"{package}.apps"]
    chosen = [each for each in own if constant(program, *_value(program, each, "default")) is True]
    if len(own) > 1:
        return chosen[0] if len(chosen) == 1 else None
    return own[0] if own else None


def _value(program: Program, owner: ClassTarget, name: str) -> tuple[ast.expr | None, Scope]:
    found = program.class_member(owner, name)
    return (found.node, found.scope) if isinstance(found, ValueTarget) else (None, owner.scope)
