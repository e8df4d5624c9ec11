"""Which functions of a test file are tests, the way pytest and unittest collect them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from graph.compiled import compiled
from graph.facts import Kind
from ingest.python.module import Module
from ingest.python.scopes import Scope

PYTEST, UNITTEST = "pytest", "unittest"

_PREFIX = "test"
_NAMED = compiled(r"\bname\s*=\s*(?:\"(\w+)\"|'(\w+)'|)")
_SET_UP = ("setUpClass", "setup_class", "setUp", "asyncSetUp", "setup_method", "setup")


class Collected(msgspec.Struct, frozen=True):
    """One test: its function, the classes that it is collected in (outermost first), and who collects it."""

    function: Scope
    classes: tuple[Scope, ...]
    framework: str

    @property
    def name(self) -> str:
        """`TestCart::test_total`: what stands behind the file in the test's id."""
        return "::".join([*(scope.name for scope in self.classes), self.function.name])


class Family:
    """The scopes of a test file by what they belong to."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._children: dict[Scope, list[Scope]] = {}
        self._set_ups: dict[Scope, list[Scope]] = {}
        self.qualified: dict[str, Scope] = {}
        for scope in module.scopes.all[1:]:
            assert scope.parent is not None, "only the module has no parent"
            self._children.setdefault(scope.parent, []).append(scope)
            self.qualified.setdefault(scope.qualified, scope)

    def collect(self) -> Iterator[Collected]:
        """All tests of the file; a class also has the tests of its bases in the file."""
        top = self._children.get(self._module.scopes.module, [])
        for scope in top:
            if scope.kind is Kind.CLASS:
                yield from self._of_class(scope, ())
            elif _is_test(scope):
                yield Collected(scope, (), PYTEST)

    def within(self, function: Scope) -> list[Scope]:
        """A function and everything defined in it."""
        found, waiting = [], [function]
        while waiting:
            scope = waiting.pop()
            found.append(scope)
            waiting += reversed(self._children.get(scope, []))
        return found

    def before(self, test: Collected) -> list[Scope]:
        """The fixtures and set-up methods of the file that run before a test."""
        found = []
        for parameter in test.function.signature:
            fixture = self._fixture(parameter[0], test)
            if fixture is not None:
                found.append(fixture)
        for owner in test.classes:
            found += self._set_up(owner)
        return found

    def _set_up(self, owner: Scope) -> list[Scope]:
        """The set-up methods of a class and its bases."""
        methods = self._set_ups.get(owner)
        if methods is None:
            members = self._module.scopes.members
            pairs = [(base, name) for base in self._module.names.lineage(owner) for name in _SET_UP]
            methods = self._set_ups[owner] = [members[pair] for pair in pairs if pair in members]
        return methods

    def _fixture(self, name: str, test: Collected) -> Scope | None:
        members = self._module.scopes.members
        for owner in (*reversed(test.classes), self._module.scopes.module):
            scope = members.get((owner, name))
            if scope is not None and is_fixture(scope):
                return scope
        return None

    def _of_class(self, owner: Scope, around: tuple[Scope, ...]) -> Iterator[Collected]:
        lineage = self._module.names.lineage(owner)
        if any(_is_test_case(base) for scope in lineage for base in scope.bases):
            framework = UNITTEST
        elif owner.name.startswith("Test") and (owner, "__init__") not in self._module.scopes.members:
            framework = PYTEST
        else:
            return
        classes = (*around, owner)
        seen: set[str] = set()
        for base in lineage:
            own = [scope for scope in self._children.get(base, []) if scope.name not in seen]
            seen.update(scope.name for scope in own)
            for scope in own:
                if scope.kind is Kind.FUNCTION and _is_test(scope):
                    yield Collected(scope, classes, framework)
                elif scope.kind is Kind.CLASS and base is owner and framework is PYTEST:
                    yield from self._of_class(scope, classes)


def is_fixture(scope: Scope) -> bool:
    """Whether a function is a fixture of pytest."""
    return any("fixture" in decorator.partition("(")[0] for decorator in scope.decorators)


def fixture_name(scope: Scope) -> str:
    """By which name tests ask for a fixture; empty for what is none, or has a computed name."""
    for decorator in scope.decorators:
        callee, _, arguments = decorator.partition("(")
        if callee.rpartition(".")[2] == "fixture":
            named = _NAMED.search(arguments)
            return scope.name if named is None else named[1] or named[2] or ""
    return ""


def _is_test(scope: Scope) -> bool:
    return scope.name.startswith(_PREFIX) and not is_fixture(scope) and "property" not in scope.decorators


def _is_test_case(base: str) -> bool:
    return base.rpartition(".")[2].endswith("TestCase")
