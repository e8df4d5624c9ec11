"""Which marshmallow schema an expression means, and in which variation: `PetSchema(only=…, many=True)`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from graph.facts import Location
from ingest.web.constants.constants import Missing, constant, entries
from ingest.web.marshmallow.field_types import ROOTS, SCHEMA_NAMES
from ingest.web.marshmallow.fields import SchemaField
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    Target,
    ValueTarget,
    unsubscripted,
)
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances, returned

_DEPTH = 8
Table = tuple[tuple[ast.expr, ast.expr, Scope], ...]


class Use(msgspec.Struct, frozen=True):
    """One use of a schema: of a class, or of a table of fields, with what the use changes.

    `paginated` is where APIFlask's own `PaginationSchema` is used, which the project does not define.
    """

    target: ClassTarget | None = None
    table: Table | None = None
    only: frozenset[str] | None = None
    exclude: frozenset[str] = frozenset()
    partial: bool | frozenset[str] = False
    many: bool = False
    unknown: str = ""
    unread: str = ""
    paginated: Location | None = None

    @property
    def plain(self) -> bool:
        """Whether the class is used as it stands, if perhaps many times."""
        changed = self.only is not None or self.exclude or self.partial or self.unknown or self.unread
        return not changed

    def is_partial(self, attribute: str) -> bool:
        """Whether this field may be left out although it is required."""
        return self.partial if isinstance(self.partial, bool) else attribute in self.partial


class UseReader:
    """Reads the uses of schemas of one program."""

    def __init__(self, program: Program, instances: Instances) -> None:
        self.program = program
        self.instances = instances
        self._by_name: dict[str, list[ClassTarget]] | None = None

    def is_schema(self, target: Target | None) -> bool:
        """Whether this is a schema class."""
        return isinstance(target, ClassTarget) and any(
            isinstance(base, External) and base.root in ROOTS and base.name in SCHEMA_NAMES
            for base in self.ancestry(target)
        )

    def ancestry(self, target: ClassTarget) -> list[ClassTarget | External | None]:
        """The class and its ancestors, nearest first, with bases such as `ma.Schema` of an extension's object."""
        return self.program.remember(("schema classes", target.node), lambda: self._ancestry(target, ()))

    def read(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Use | None:
        """The use that an expression makes, or None where it is no schema that is known."""
        if node is None or depth > _DEPTH:
            return None
        target = self._target(node, scope)
        if isinstance(target, ClassTarget):
            return Use(target) if self.is_schema(target) else None
        if isinstance(target, External):
            return self._outside(target, node, scope)
        if not isinstance(target, ValueTarget):
            return None
        if isinstance(target.node, ast.Dict):
            table = entries(self.program, target.node, target.scope)
            return Use(table=tuple(table)) if table is not None else None
        if isinstance(target.node, ast.Call):
            return self._called(target.node, target.scope, depth)
        return None

    def nested(self, call: ast.Call, scope: Scope) -> Use | None:
        """The use within `Nested(…)`, whatever way it is spelled."""
        node = argument(call, 0, "nested")
        use: Use | None
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            use = self._registered(node.value, scope)
        elif isinstance(node, ast.Lambda):
            use = self.read(node.body, scope.child(node))
        else:
            use = self.read(node, scope)
        return self._varied(use, call, scope) if use is not None else None

    def is_pluck(self, call: ast.Call, scope: Scope) -> bool:
        """Whether a call makes the field that takes one field out of a schema."""
        target = self._target(call.func, scope)
        return self.program.is_a(target, ROOTS, {"Pluck"})

    def pagination(self, place: Location) -> list[SchemaField]:
        """The fields of APIFlask's own `PaginationSchema`."""
        kinds = [(name, {"type": "integer"}) for name in ("page", "per_page", "pages", "total")]
        kinds += [
            (name, {"type": "string", "format": "uri"})
            for name in ("current", "next", "prev", "first", "last")
        ]
        return [SchemaField(name, name, {**kind, "x-always": True}, False, place) for name, kind in kinds]

    def _target(self, node: ast.expr, scope: Scope) -> Target | None:
        found = self.program.resolve(node, scope)
        if found is None and isinstance(node, ast.Attribute):
            # What a method has put on its object: `self.schema = PetSchema()`.
            owner = self.instances.of(node.value, scope)
            held = self.instances.attribute(owner, node.attr) if isinstance(owner, ClassTarget) else None
            found = held if isinstance(held, ValueTarget) else None
        return found if found is not None else self.instances.callee(node, scope)

    def _ancestry(
        self, target: ClassTarget, seen: tuple[ast.ClassDef, ...]
    ) -> list[ClassTarget | External | None]:
        found: list[ClassTarget | External | None] = [target]
        for expression in target.node.bases:
            base = self._target(unsubscripted(expression), target.scope)
            if isinstance(base, ClassTarget) and base.node not in (*seen, target.node):
                found.extend(c for c in self._ancestry(base, (*seen, target.node)) if c not in found)
            else:
                found.append(base if isinstance(base, External) else None)
        return found

    def _outside(self, target: External, node: ast.expr, scope: Scope) -> Use | None:
        if target.root != "apiflask":
            return None
        if target.name == "EmptySchema":
            return Use(table=())
        if target.name == "PaginationSchema":
            return Use(table=(), paginated=self.program.place(node, scope))
        return None

    def _called(self, call: ast.Call, scope: Scope, depth: int) -> Use | None:
        made = self._target(call.func, scope)
        if isinstance(made, FunctionTarget):
            values = returned(made)
            return self.read(*values[0], depth + 1) if len(values) == 1 else None
        if isinstance(made, External) and made.name == "from_dict" and made.root in ROOTS:
            table = entries(self.program, argument(call, 0, "fields"), scope)
            return Use(table=tuple(table)) if table is not None else None
        use = self.read(call.func, scope, depth + 1)
        return self._varied(use, call, scope) if use is not None else None

    def _varied(self, use: Use, call: ast.Call, scope: Scope) -> Use:
        """The use with what the keywords of a call change about it."""
        if has_stars(call):
            return replace(use, unread="the options of the schema are computed")
        for keyword in call.keywords:
            value = constant(self.program, keyword.value, scope)
            if keyword.arg in ("only", "exclude"):
                if value is None:
                    continue
                names = [value] if isinstance(value, str) else value
                if not isinstance(names, list) or any("." in str(name) for name in names):
                    return replace(use, unread=f"what {keyword.arg} lists is not constant or lies deeper")
                chosen = frozenset(map(str, names))
                if keyword.arg == "exclude":
                    use = replace(use, exclude=use.exclude | chosen)
                else:
                    use = replace(use, only=chosen if use.only is None else use.only & chosen)
            elif keyword.arg == "many":
                if not isinstance(value, bool):
                    return replace(use, unread="whether there are many is not constant")
                use = replace(use, many=value)
            elif keyword.arg == "partial":
                if isinstance(value, Missing):
                    return replace(use, unread="which fields may be left out is not constant")
                use = replace(
                    use, partial=frozenset(map(str, value)) if isinstance(value, list) else bool(value)
                )
            elif keyword.arg == "unknown":
                named = self.program.resolve(keyword.value, scope)
                word = named.name if isinstance(named, External) else value
                use = replace(use, unknown=str(word).lower())
        return use

    def _registered(self, name: str, scope: Scope) -> Use | None:
        """The schema class that a text names, as marshmallow's registry finds it."""
        if name == "self":
            around = scope.node
            inside = isinstance(around, ast.ClassDef) and scope.parent is not None
            return Use(ClassTarget(around, scope.parent)) if inside else None  # type: ignore[arg-type]  # inside says so
        module, _, last = name.rpartition(".")
        found = self._index().get(last, [])
        if module:
            found = [target for target in found if target.scope.module == module]
        return Use(found[0]) if len(found) == 1 else None

    def _index(self) -> dict[str, list[ClassTarget]]:
        if self._by_name is None:
            self._by_name = {}
            with self.program.aside():
                for target in _classes([*self.program.importers(sorted(ROOTS)), *self.program.modules]):
                    if self.is_schema(target):
                        self._by_name.setdefault(target.node.name, []).append(target)
        return self._by_name


def _classes(modules: Iterable[Module]) -> Iterator[ClassTarget]:
    for module in {module.name: module for module in modules}.values():
        for bindings in module.scope.bindings.values():
            for binding in bindings:
                if binding.how is Bound.CLASS and isinstance(binding.node, ast.ClassDef):
                    yield ClassTarget(binding.node, module.scope)
