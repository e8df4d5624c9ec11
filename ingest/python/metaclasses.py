"""What a metaclass does to the members of the classes that it makes, where its text tells all of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graph.indents import dedented
from ingest.python.scopes import Scope, Scopes
from ingest.python.source import Source

CHANGED = "*"
_BASES = ("type", "meta", "metaclass")
_MAKERS = ("__new__", "__init__")
_READING = frozenset({"get", "items", "keys", "values", "copy"})
_LOOKING = frozenset(
    {
        "getattr",
        "hasattr",
        "id",
        "isinstance",
        "issubclass",
        "len",
        "list",
        "repr",
        "sorted",
        "str",
        "tuple",
        "vars",
    }
)
_KEEPING = frozenset({"append", "add"})
_ROWS = 4


def members_set(source: Source, scopes: Scopes, class_: Scope) -> list[str] | None:
    """The names that a metaclass's own `__new__` and `__init__` set in what the class statement has, or in the class,
    `*` for any that is there; None for what is no metaclass or has none of the two, and where they may do more."""
    if not any(base.rpartition(".")[2].lower().endswith(_BASES) for base in class_.bases):
        return None
    makers = [maker for name in _MAKERS if (maker := scopes.members.get((class_, name))) is not None]
    if not makers or (class_, "__prepare__") in scopes.members:
        return None
    names: set[str] = set()
    for maker in makers:
        if len(maker.signature) < _ROWS or maker.decorators:
            return None
        found = _Maker(maker.name, [row[0] for row in maker.signature[:_ROWS]]).read(_body(source, maker))
        if found is None:
            return None
        names |= found
    return sorted(names)


def _body(source: Source, function: Scope) -> str:
    start = source.line_start(source.line(function.start))
    return dedented(source.slice(start, function.end))


class _Maker:
    """One `__new__` or `__init__`, read for what it does with the class and with the names that this gets."""

    def __init__(self, name: str, parameters: list[str]) -> None:
        first, _, self._bases, self._members = parameters
        self._is_new = name == "__new__"
        self._classes = set() if self._is_new else {first}
        self._above: dict[ast.AST, ast.AST] = {}
        self._values: dict[str, list[ast.expr]] = {}

    def read(self, text: str) -> set[str] | None:
        """The names that it sets; None where it may do anything else."""
        try:
            function = ast.parse(text).body[0]
        except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
            return None
        for node in ast.walk(function):
            if node is not function and isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
                return None
            self._above.update((child, node) for child in ast.iter_child_nodes(node))
            if isinstance(node, ast.Assign):
                bound = [each.id for each in node.targets if isinstance(each, ast.Name)]
                if _makes(node.value):
                    self._classes |= set(bound)
                for each in bound:
                    self._values.setdefault(each, []).append(node.value)
        if not self._makes_as_told():
            return None
        names: set[str] = set()
        annotations = [each for each in ast.walk(function) if isinstance(each, ast.arg) and each.annotation]
        told = {node for each in annotations for node in ast.walk(each)}
        for name in (node for node in ast.walk(function) if isinstance(node, ast.Name) and node not in told):
            found = self._use(name)
            if found is None:
                return None
            names.update(found)
        return names

    def _makes_as_told(self) -> bool:
        """Whether what makes the class gets the bases and the members that the statement has, and gives the class."""
        calls = [node for node in self._above if _makes(node)]
        if not self._is_new:
            return True
        return bool(calls) and all(
            isinstance(self._above[call], ast.Return | ast.Assign | ast.Expr) and self._gets_all(call)
            for call in calls
        )

    def _gets_all(self, call: ast.AST) -> bool:
        given = call.args if isinstance(call, ast.Call) else []
        return [each.id for each in given[-2:] if isinstance(each, ast.Name)] == [self._bases, self._members]

    def _use(self, name: ast.Name) -> tuple[str, ...] | None:
        """The names that this use of a variable sets; None where it may do more."""
        above = self._above[name]
        if name.id in {self._bases, self._members} and not isinstance(name.ctx, ast.Load):
            return None
        if name.id == self._members:
            return self._of_members(name, above)
        return self._of_class(name, above) if name.id in self._classes else ()

    def _of_members(self, name: ast.Name, above: ast.AST) -> tuple[str, ...] | None:
        if isinstance(above, ast.Subscript) and above.value is name:
            return () if isinstance(above.ctx, ast.Load) else self._set(above.slice, above.ctx)
        if isinstance(above, ast.Attribute):
            called = self._above[above]
            return () if above.attr in _READING and isinstance(called, ast.Call) else None
        looked_at = isinstance(above, ast.Compare | ast.For | ast.comprehension)
        return () if looked_at or self._hands_on(name, above) else None

    def _of_class(self, name: ast.Name, above: ast.AST) -> tuple[str, ...] | None:
        if isinstance(name.ctx, ast.Store):
            return () if isinstance(above, ast.Assign) and _makes(above.value) else None
        if isinstance(above, ast.Attribute):
            if isinstance(above.ctx, ast.Store):
                return (above.attr,)
            called = self._above[above]
            is_called = isinstance(called, ast.Call) and called.func is above
            return () if isinstance(above.ctx, ast.Load) and not is_called else None
        if isinstance(above, ast.Assign):  # it is kept under a key or as an attribute of something else
            return () if not any(isinstance(each, ast.Name) for each in above.targets) else None
        kept = isinstance(above, ast.Return | ast.Compare | ast.Tuple)
        return () if kept or self._hands_on(name, above) else None

    def _hands_on(self, name: ast.Name, above: ast.AST) -> bool:
        """Whether a variable is given to what makes the class, keeps it, or only looks at it."""
        if not isinstance(above, ast.Call) or above.func is name:
            return False
        if isinstance(above.func, ast.Name):
            return above.func.id in _LOOKING
        kept = isinstance(above.func, ast.Attribute) and above.func.attr in _KEEPING
        return _makes(above) or (kept and name.id in self._classes)

    def _set(self, key: ast.expr, ctx: ast.expr_context) -> tuple[str, ...] | None:
        """What an item of the members that is set is called; `*` where a loop goes over what is there."""
        if not isinstance(ctx, ast.Store):
            return None
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return (key.value,)
        return (CHANGED,) if isinstance(key, ast.Name) and key.id in self._looped(key) else None

    def _looped(self, node: ast.AST) -> Iterator[str]:
        """The variables of the loops around a node that go over the names of the members."""
        while node in self._above:
            node = self._above[node]
            if isinstance(node, ast.For) and self._goes_over_members(node.iter):
                target = node.target.elts[0] if isinstance(node.target, ast.Tuple) else node.target
                if isinstance(target, ast.Name):
                    yield target.id

    def _goes_over_members(self, iterated: ast.expr) -> bool:
        """Whether a loop goes over what the class statement has, or over a list of some of it."""
        values = self._values.get(iterated.id, []) if isinstance(iterated, ast.Name) else []
        if len(values) == 1 and isinstance(chosen := values[0], ast.ListComp):
            each = chosen.generators[0]
            kept = len(chosen.generators) == 1 and ast.unparse(chosen.elt) == ast.unparse(each.target)
            return kept and self._names_members(each.iter)
        return self._names_members(iterated)

    def _names_members(self, node: ast.AST) -> bool:
        return any(isinstance(each, ast.Name) and each.id == self._members for each in ast.walk(node))


def _makes(value: ast.AST) -> bool:
    """Whether a call makes the class as the metaclass above does: `super().__new__(…)`, `type.__new__(…)`."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return False
    if value.func.attr not in _MAKERS:
        return False
    holder = value.func.value
    if isinstance(holder, ast.Call):
        return isinstance(holder.func, ast.Name) and holder.func.id == "super"
    return ast.unparse(holder).rpartition(".")[2].lower().endswith(_BASES)
