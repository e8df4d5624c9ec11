"""What the statements of a program put into its stores: whole values, fields of values, and what is taken out again."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from typing import Protocol

from ingest.web.constants.constants import constant
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances
from ingest.web.values.kept_places import PUTS, Placed, Written, begin, changes_in, named_values, near

_FRAMEWORKS = ("aiohttp", "starlette", "flask", "connexion")


class Reader(Protocol):
    """What tells which store an expression is, or is taken from."""

    program: Program
    instances: Instances
    homes: dict[ast.expr, Scope]

    def key(self, node: ast.expr, scope: Scope, depth: int = 0) -> Hashable | None:
        """What identifies the store that an expression stands for."""
        ...

    def element(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Hashable | None:
        """The store that an expression takes one value from."""
        ...


class StoreWrites:
    """Gathers what is put into the stores of one program."""

    def __init__(self, stores: Reader) -> None:
        self._stores = stores

    def initial(self, key: Hashable) -> list[Placed]:
        """What is set as the store itself, for those that an application holds."""
        return self._stores.program.remember(("initial", key), lambda: list(self._set(key)))

    def _set(self, key: Hashable) -> Iterator[Placed]:
        for node, scope in self._sites(key):
            for target in node.targets if isinstance(node, ast.Assign) else []:
                if not isinstance(target, ast.Name) and self._stores.key(target, scope) == key:
                    yield node.value, scope  # type: ignore[attr-defined]  # only assignments have targets

    def of(self, key: Hashable) -> Written:
        """All that is put into one store."""
        found = Written()
        for beginning, home in (
            [(key, self._stores.homes[key])] if isinstance(key, ast.expr) else self.initial(key)
        ):
            begin(found, beginning, home)
        for node, scope in self._sites(key):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Subscript):
                        self._put(found, key, target, node.value, scope)
            elif isinstance(node, ast.Delete):
                for target in node.targets:
                    if isinstance(target, ast.Subscript) and self._stores.element(target.value, scope) == key:
                        self._drop(found, target.slice, scope)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                self._called(found, key, node, node.func, scope)
        return found

    def _put(
        self, found: Written, key: Hashable, target: ast.Subscript, value: ast.expr, scope: Scope
    ) -> None:
        if self._stores.key(target.value, scope) == key:
            found.open = found.open or isinstance(target.slice, ast.Slice)
            found.values.append((value, scope))
            return
        put = named_values(self._stores.program, target.slice, value, scope)
        if self._stores.element(target.value, scope) == key:
            found.loose = found.loose or put is None
            for name, each in put or []:
                found.fields.setdefault(name, []).append((each, scope))
        elif put is not None and self._stores.instances.of(target.value, scope) is None:
            # It may be a value of this store that came here as an argument.
            for name, _ in put:
                found.fields.setdefault(name, []).append(None)

    def _drop(self, found: Written, node: ast.expr, scope: Scope) -> None:
        name = constant(self._stores.program, node, scope)
        found.open = found.open or not isinstance(name, str)
        found.removed.add(str(name))

    def _called(
        self, found: Written, key: Hashable, node: ast.Call, function: ast.Attribute, scope: Scope
    ) -> None:
        if self._stores.key(function.value, scope) == key:
            if function.attr in PUTS:
                value = argument(node, PUTS[function.attr], "default")
                found.values += [(value, scope)] if value is not None else []
            elif function.attr in ("update", "extend"):
                begin(found, argument(node, 0), scope)
                found.open = found.open or bool(node.keywords)
        elif self._stores.element(function.value, scope) == key:
            first = argument(node, 0)
            if function.attr == "pop" and first is not None:
                self._drop(found, first, scope)
            elif function.attr == "update":
                self._updated(found, node, scope)
            else:
                found.open = True

    def _updated(self, found: Written, call: ast.Call, scope: Scope) -> None:
        """Fields that `value.update({…})`, `value.update(changes)` or `value.update(name=…)` set."""
        for given in call.args:
            if not isinstance(given, ast.Dict):
                found.merged.append((given, scope))
                continue
            for name, value in zip(given.keys, given.values, strict=True):
                known = constant(self._stores.program, name, scope) if name is not None else None
                if name is None:
                    found.merged.append((value, scope))
                elif isinstance(known, str):
                    found.fields.setdefault(known, []).append((value, scope))
                else:
                    found.loose = True
        for keyword in call.keywords:
            if keyword.arg is None:
                found.merged.append((keyword.value, scope))
            else:
                found.fields.setdefault(keyword.arg, []).append((keyword.value, scope))

    def _sites(self, key: Hashable) -> Iterator[tuple[ast.AST, Scope]]:
        for module in self._modules(key):
            yield from changes_in(self._stores.program, module)

    def _modules(self, key: Hashable) -> list[Module]:
        """The modules that may reach the store."""
        if not isinstance(key, ast.expr):
            return self._stores.program.importers(_FRAMEWORKS)
        return near(self._stores.program, self._stores.homes[key].module)
