"""What the configuration of a Flask application says about its documentation: security schemes, and what is global."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from graph.facts import Json
from ingest.web.constants.constants import Missing, constant, entries, status_of, text_of
from ingest.web.flask.apiflask_security import requirements_of
from ingest.web.flask.configuring import configuring
from ingest.web.program.program import Program
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope

_SCHEMES = re.compile(r"security_?schemes?|authorizations", re.IGNORECASE)
_GLOBAL = re.compile(r"API_SPEC_OPTIONS|spec_kwargs|spec_processor")
_DEMANDED = re.compile(r"""["']security["']\s*[:\]]|\bdict\([^)]*\bsecurity=""")
_NAMES = frozenset({"securitySchemes", "SECURITY_SCHEMES", "security_schemes", "authorizations"})
_KEPT = ("type", "scheme", "in", "name")


class Settings:
    """Settings of one project, looked up when first needed in the modules that may hold them."""

    def __init__(self, program: Program, modules: Iterable[Module]) -> None:
        self.program = program
        self._known = list(modules)
        self._found: dict[str, list[Module]] = {}
        self._values: dict[str, list[tuple[ast.expr, Scope]]] = {}

    @cached_property
    def _modules(self) -> list[Module]:
        others = (m for m in configuring(self.program, self._known) if m not in self._known)
        return [*self._known, *others]

    @cached_property
    def schemes(self) -> dict[str, Json]:
        """The security schemes by name, as far as they are constant."""
        found: dict[str, Json] = {}
        for module in self._mentioning(_SCHEMES):
            for node in ast.walk(module.tree):
                for name, scheme in self._described(node, module.scope):
                    found[name] = scheme
        return found

    @cached_property
    def guarded(self) -> bool:
        """Whether the documentation may demand credentials for every operation."""
        return any(_DEMANDED.search(self.program.text(m.name)) for m in self._mentioning(_GLOBAL))

    @cached_property
    def demanded(self) -> list[dict[str, list[str]]] | None:
        """What `API_SPEC_OPTIONS` demands of every operation; None where it says nothing or cannot be known."""
        options = self.given("API_SPEC_OPTIONS")
        for key, value, scope in entries(self.program, *options) or [] if options is not None else []:
            if text_of(self.program, key, scope) == "security":
                return requirements_of(constant(self.program, value, scope))
        return None

    @cached_property
    def paginates(self) -> bool:
        """Whether the project changes the limits of pages."""
        return any(True for _ in self._mentioning(re.compile("DEFAULT_PAGINATION_PARAMETERS")))

    def mentions(self, name: str) -> bool:
        """Whether a setting of this name occurs at all."""
        return self.says(re.compile(re.escape(name)))

    def says(self, pattern: re.Pattern[str]) -> bool:
        """Whether any of the modules says something of this form."""
        return any(True for _ in self._mentioning(pattern))

    def given(self, name: str) -> tuple[ast.expr, Scope] | None:
        """What a setting of this name is given, with the scope it stands in, where that happens once."""
        mentioning = list(self._mentioning(re.compile(re.escape(name))))
        if name not in self._values:
            self._values[name] = [
                (value, module.scope)
                for module in mentioning
                for node in ast.walk(module.tree)
                if (value := _given(node, name)) is not None
            ]
        found = self._values[name]
        return found[0] if len(found) == 1 else None

    def status(self, name: str) -> int | None:
        """The status that a setting of this name is given, where it is constant and given once."""
        found = self.given(name)
        return None if found is None else status_of(self.program, *found)

    def _mentioning(self, pattern: re.Pattern[str]) -> Iterator[Module]:
        if pattern.pattern not in self._found:
            self._found[pattern.pattern] = [
                module for module in self._modules if pattern.search(self.program.text(module.name))
            ]
        for module in self._found[pattern.pattern]:
            self.program.saw(module.path)
            yield module

    def _described(self, node: ast.AST, scope: Scope) -> Iterator[tuple[str, Json]]:
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if called == "security_scheme" and len(node.args) == 2:
                name = text_of(self.program, node.args[0], scope)
                yield from self._schemes({name: constant(self.program, node.args[1], scope)} if name else {})
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in _NAMES:
                    yield from self._schemes(constant(self.program, value, scope))
        else:
            for name in _NAMES:
                given = _given(node, name)
                if given is not None:
                    yield from self._schemes(constant(self.program, given, scope))

    def _schemes(self, value: object) -> Iterator[tuple[str, Json]]:
        if isinstance(value, Missing) or not isinstance(value, dict):
            return
        for name, scheme in value.items():
            if isinstance(scheme, dict) and isinstance(scheme.get("type"), str):
                yield name, {key: scheme[key] for key in _KEPT if key in scheme}


def _given(node: ast.AST, name: str) -> ast.expr | None:
    """The value that a node gives to a setting: by assignment, subscript, attribute or keyword."""
    if isinstance(node, ast.keyword):
        return node.value if node.arg == name else None
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return None
    target = node.targets[0]
    match target:
        case ast.Name(id=found) | ast.Attribute(attr=found):
            return node.value if found == name else None
        case ast.Subscript(slice=ast.Constant(value=found)):
            return node.value if found == name else None
    return None
