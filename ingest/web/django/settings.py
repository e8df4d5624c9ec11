"""What a Django project's settings say, as far as they stand fixed in the source."""

from __future__ import annotations

import ast
import re

import msgspec

from ingest.web.constants.constants import MISSING, Constant, Missing, constant, entries, text_of
from ingest.web.constants.outside_values import Setting
from ingest.web.django.filled import keys_filled, put_in
from ingest.web.django.split_settings import with_included
from ingest.web.program.program import Program
from ingest.web.program.targets import ValueTarget
from ingest.web.syntax.bindings import Bound, Branch
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import own_statements

_NAMED = re.compile(r"DJANGO_SETTINGS_MODULE")
_FILLED = re.compile(r"\bsettings\.([A-Z_]+)\s*(?:\[[^\]\n]+\]\s*=(?!=)|=(?!=)|\.(?:update|setdefault)\()")
_TESTS = re.compile(r"(?:^|\.)(?:tests?|test_\w+|conftest)(?:\.|$)")
_SETTINGS = re.compile(r"(?:[a-z]+_)?settings(?:_[a-z]+)?$")
_ROOT = re.compile(r"^(?:ROOT_URLCONF|REST_FRAMEWORK)\s*=", re.M)
_USUAL = (
    "settings",
    "settings.base",
    "settings.common",
    "config.settings",
    "config.settings.base",
    "conf.settings",
)
_TELLING = ("ROOT_URLCONF", "REST_FRAMEWORK", "INSTALLED_APPS")


class Given(msgspec.Struct, frozen=True):
    """The value of one setting as source, to be read in a scope."""

    node: ast.expr
    scope: Scope


class Settings:
    """The settings of a project; `found` tells whether there are any in the code."""

    def __init__(self, program: Program, names: tuple[str, ...]) -> None:
        self.program = program
        self._entries: dict[tuple[str, str], Given | Missing | None] = {}
        with program.trail() as paths:
            self.modules = _modules(program, names)
            self.roots()
        self._filled = self._fillings(names)
        self.sources = frozenset(paths) if self.modules else frozenset()

    @property
    def found(self) -> bool:
        """Whether some module of the project holds settings."""
        return bool(self.modules)

    def roots(self) -> list[str]:
        """The modules that `ROOT_URLCONF` names, in any of the settings."""
        values = [
            text_of(self.program, g.node, g.scope) for m in self.modules if (g := self._in(m, "ROOT_URLCONF"))
        ]
        return list(dict.fromkeys(value for value in values if value))

    def value(self, name: str) -> Constant:
        """The constant that a setting is bound to; `MISSING` where it is not, or not constant."""
        given = self._given(name)
        return constant(self.program, given.node, given.scope) if given is not None else MISSING

    def under(self, key: str) -> str | None:
        """The one text that the settings have under a key, be it in a table or as a setting whose name ends so
        (`SHOP = {"BOOK_MODEL": …}`, `SHOP_BOOK_MODEL`); None where there is none, or several."""
        found: set[str] = set()
        names = [name for module in self.modules for name in module.scope.bindings if name.isupper()]
        for name in dict.fromkeys(names):
            given = self._given(name)
            if given is not None and (name == key or name.endswith(f"_{key}")):
                found.add(text_of(self.program, given.node, given.scope) or "")
            pairs = entries(self.program, given.node, given.scope) if given is not None else None
            for written, value, scope in pairs or []:
                if text_of(self.program, written, scope) == key:
                    found.add(text_of(self.program, value, scope) or "")
        return found.pop() or None if len(found) == 1 else None

    def binds(self, name: str) -> bool:
        """Whether a setting is given at all, constant or not."""
        return any(self._binds(module, name) for module in self.modules)

    def agreed(self, name: str) -> Setting | bool:
        """The expression of a setting on which the settings agree; False where none binds it, True where they do not
        agree or it is not known."""
        binding = [module for module in self.modules if self._binds(module, name)]
        given = [each for module in binding if (each := self._in(module, name)) is not None]
        values = [constant(self.program, each.node, each.scope) for each in given]
        known = len(given) == len(binding) and all(value == values[0] for value in values)
        if not binding or not known or isinstance(values[0], Missing):
            return bool(binding)
        return given[0].node, given[0].scope

    def middleware(self) -> list[str] | None:
        """The classes of `MIDDLEWARE`; None where settings do not agree on them or cannot be known."""
        found: list[str] | None = None
        for module in self.modules:
            given = self._in(module, "MIDDLEWARE")
            value = constant(self.program, given.node, given.scope) if given is not None else []
            if not isinstance(value, list) or _is_changed(module, "MIDDLEWARE"):
                return None
            names = [str(name) for name in value]
            if (given is None and self._binds(module, "MIDDLEWARE")) or found not in (None, names):
                return None
            found = names
        return found

    def rest(self, name: str) -> Given | Missing | None:
        """An entry of `REST_FRAMEWORK`: None where the framework's default holds, `MISSING` where it is not known."""
        return self.entry("REST_FRAMEWORK", name)

    def entry(self, table: str, name: str) -> Given | Missing | None:
        """An entry of a dictionary among the settings: None where it has none, `MISSING` where that is not known."""
        if (table, name) not in self._entries:
            self._entries[table, name] = self._entry(table, name)
        return self._entries[table, name]

    def _entry(self, table: str, name: str) -> Given | Missing | None:
        if not self.found:
            return MISSING
        found = self._stated(table, name)
        # Applications may fill in at the start what the settings leave out.
        filled = self._filled.get(table, set())
        return MISSING if found is None and (filled is None or name in filled) else found

    def _fillings(self, names: tuple[str, ...]) -> dict[str, set[str] | None]:
        """The keys that applications put into each table of the settings; None of one where these are not known."""
        found: dict[str, set[str] | None] = {}
        for name in (each for each in names if not _TESTS.search(each)):
            for table in dict.fromkeys(_FILLED.findall(self.program.text(name))):
                module, before = self.program.module(name), found.get(table, set())
                keys = keys_filled(module.tree, table) if module is not None else None
                found[table] = None if keys is None or before is None else before | keys
        return found

    def _stated(self, table: str, name: str) -> Given | Missing | None:
        """What the settings themselves say of an entry."""
        module = next((m for m in self.modules if self._binds(m, table)), None)
        if module is None:
            return None
        given = self._in(module, table)
        later = put_in(module.tree.body, table)
        found = entries(self.program, given.node, given.scope) if given is not None else None
        if found is None or later is None:
            return MISSING
        entered: list[tuple[ast.expr, ast.expr | None, Scope]] = [*found]
        entered += [(put.key, put.value, module.scope) for put in later]
        for key, value, scope in reversed(entered):
            text = text_of(self.program, key, scope)
            if text is None:
                return MISSING
            if text == name:
                return Given(value, scope) if value is not None else MISSING
        return None

    def _given(self, name: str) -> Given | None:
        for module in self.modules:
            given = self._in(module, name)
            if given is not None:
                return given
        return None

    def _in(self, module: Module, name: str) -> Given | None:
        target = self.program.member(module, name)
        if isinstance(target, ValueTarget) and target.node is not None:
            return Given(target.node, target.scope)
        taken = module.scope.bindings.get(name, []) if target is None else []
        if len(taken) == 1 and taken[0].how is Bound.MEMBER and taken[0].member == name:
            origin = self.program.module(module.absolute(taken[0].module, taken[0].level))
            return self._in(origin, name) if origin is not None and origin is not module else None
        begun = _begun(module, name) if target is None else None
        if begun is not None and constant(self.program, begun, module.scope) in ("", None):
            return Given(begun, module.scope)
        return None

    def _binds(self, module: Module, name: str) -> bool:
        return name in module.scope.bindings or self.program.member(module, name) is not None


def _modules(program: Program, names: tuple[str, ...]) -> list[Module]:
    """The settings that `manage.py` names, which everybody runs; else those that other entry points name, else those
    with usual names."""
    wanted: dict[bool, list[str]] = {True: [], False: []}
    for name in names:
        if _NAMED.search(program.text(name)) and (module := program.module(name)) is not None:
            wanted[name.rpartition(".")[2] == "manage"] += _named(program, module)
    known = [
        [m for n in dict.fromkeys(wanted[k]) if (m := program.module(n)) is not None] for k in (True, False)
    ]
    found = known[0] or known[1]
    if found:
        return [each for module in found for each in with_included(program, module)]
    packages = sorted({".".join(name.split(".")[:depth]) for name in names for depth in (0, 1, 2)})
    for package in packages:
        for usual in _USUAL:
            module = program.module(f"{package}.{usual}" if package else usual)
            whole = with_included(program, module) if module is not None else []
            if any(program.member(each, n) is not None for each in whole for n in _TELLING):
                found += whole
    return list(dict.fromkeys(found)) or _other(program, names)


def _other(program: Program, names: tuple[str, ...]) -> list[Module]:
    """The one module of settings of another name (`settings_global`), as those have it whose last part is written
    where they are installed; none where there are several."""
    named = [name for name in names if _SETTINGS.match(name.rpartition(".")[2]) and not _TESTS.search(name)]
    found = [
        module
        for name in named
        if _ROOT.search(program.text(name)) and (module := program.module(name)) is not None
    ]
    return with_included(program, found[0]) if len(found) == 1 else []


def _named(program: Program, module: Module) -> list[str]:
    found: list[str] = []
    for scope in module.scope.descend():
        for call in scope.calls:
            if len(call.args) == 2 and text_of(program, call.args[0], scope) == "DJANGO_SETTINGS_MODULE":
                value = text_of(program, call.args[1], scope)
                found += [value] if value else []
    for statement in own_statements(module.tree.body):
        match statement:
            case ast.Assign(targets=[ast.Subscript(slice=key)], value=given):
                value = text_of(program, given, module.scope)
                named = text_of(program, key, module.scope) == "DJANGO_SETTINGS_MODULE"
                found += [value] if value and named else []
    return found


def _begun(module: Module, name: str) -> ast.expr | None:
    """What a name is bound to before statements change it that run only where it is not empty; None where others do:
    `PREFIX = env("PREFIX", "")`, `if PREFIX: PREFIX = PREFIX.strip("/") + "/"`."""
    first, *later = module.scope.bindings.get(name, [None])
    changing = [
        node
        for statement in module.tree.body
        if isinstance(statement, ast.If) and not statement.orelse and _asks_for(statement.test, name)
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name
    ]
    if first is None or first.branch is not Branch.ALWAYS or len(changing) < len(later):
        return None
    return first.value


def _asks_for(test: ast.expr, name: str) -> bool:
    """Whether a condition is that something is not empty: `PREFIX`, `len(PREFIX) > 0`, `PREFIX != ""`."""
    match test:
        case ast.Compare(left=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=asked)]), ops=[ast.Gt()]):
            return asked == name
        case ast.Compare(left=ast.Name(id=asked), ops=[ast.NotEq()], comparators=[ast.Constant(value="")]):
            return asked == name
        case ast.Name(id=asked):
            return asked == name
    return False


def _is_changed(module: Module, name: str) -> bool:
    """Whether a module changes a list after it was made."""
    for statement in own_statements(module.tree.body):
        if isinstance(statement, ast.Assign | ast.AugAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in targets:
                if isinstance(target, ast.Subscript) and getattr(target.value, "id", "") == name:
                    return True
    return any(
        isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") == name
        for call in module.scope.calls
    )
