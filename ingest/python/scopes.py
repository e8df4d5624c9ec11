"""The scopes of one file: its module, classes and functions, and which of them a place belongs to."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import msgspec

from graph.facts import Json, Kind, Tag, fact_id
from graph.patterns import pattern
from ingest.python.guards import guard_of, module_guard
from ingest.python.query import Captures
from ingest.python.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_WRAPPED = pattern(
    rb"\n[ \t]+(?P<name>\w+)[ \t]*=[ \t]*(?P<how>(?:class|static)method)\([ \t]*(?P=name)[ \t]*\)"
)


class Scope(msgspec.Struct, eq=False):
    """One module, class or function.

    `qualified` is its dotted name; `key` is that with `~2`, `~3`, … where the file defines it again, `id` the
    id of its fact.
    It is defined from byte `outer` (its first decorator) or `start` (its `def` or `class`) to `end`; names are
    looked up in it from byte `body` on. `calls` maps what it calls, as written, to the place of the first call;
    `bound` holds the names that it binds other than by definition or import, `outside` those that it declares
    global or nonlocal. `form` is a function's kind, `signature` its parameters, `receiver` what a method calls
    its instance or class. `always_raises` is what the end of a constructor or setter without `return` raises, `?` where
    that is not told. `returned` holds the types that returned values show, each with a line; `ends` is the
    line of the end that a body which returns values can reach as well, `ends_unless` the name whose values decide
    that; `gives` is what all its `return`s give alike, `only_stores` says that it is the parameter, with which nothing
    else is done but to keep it. `deleted` ones the scope around removes again. `lost` scopes
    stand where the grammar lost its place: nothing is said about them.
    """

    kind: Kind
    name: str
    qualified: str
    key: str
    id: str
    parent: Scope | None
    node: Node
    outer: int
    start: int
    body: int
    end: int
    parameters: Node | None = None
    decorators: tuple[str, ...] = ()
    guard: tuple[str, ...] = ()
    form: str = ""
    receiver: str = ""
    bases: tuple[str, ...] = ()
    generator: bool = False
    deleted: bool = False
    lost: bool = False
    bound: set[str] = msgspec.field(default_factory=set)
    outside: set[str] = msgspec.field(default_factory=set)
    calls: dict[bytes, int] = {}
    signature: list[Json] = []
    raises: list[tuple[str, int]] = []
    always_raises: str = ""
    returned: list[Json] = []
    ends: int = 0
    ends_unless: str = ""
    gives: Json = None
    only_stores: bool = False

    def inner(self, name: str) -> str:
        """The qualified name of something that this scope defines."""
        if self.kind is Kind.FUNCTION:
            return f"{self.qualified}.<locals>.{name}"
        return f"{self.qualified}.{name}"


class Scopes:
    """All scopes of a file in source order, the module first."""

    def __init__(self, source: Source, root: Node, found: Captures, module: str, tag: Tag) -> None:
        self.source = source
        end = len(source.data)
        self.tag = tag
        self.module = Scope(
            kind=Kind.MODULE,
            name=module.rpartition(".")[2],
            qualified=module,
            key=module,
            id=fact_id(tag, Kind.MODULE, module),
            parent=None,
            node=root,
            outer=0,
            start=0,
            body=0,
            end=end,
            guard=module_guard(source),
        )
        self._prefixes = {kind: fact_id(tag, kind, "") for kind in (Kind.CLASS, Kind.FUNCTION)}
        self.all = [self.module]
        self.members: dict[tuple[Scope, str], Scope] = {}
        self.bounds, self.owners = [0], [self.module]
        self._keys: dict[tuple[Kind, str], int] = {}
        self._broken = root.has_error
        self._decorated = _decorators(source, found)
        self._columns = {self.module: 0}
        self._open = [self.module]
        for definition in sorted(_definitions(found), key=_place):
            self._add(definition)
        self._close(end + 1)
        self._wrap_later()

    def at(self, place: int) -> Scope:
        """The innermost scope whose body a byte belongs to."""
        return self.owners[bisect_right(self.bounds, place) - 1]

    def defining(self, place: int) -> Scope:
        """The innermost scope whose definition, decorators and header included, a byte belongs to."""
        scope = self.at(place)
        for child in self.all[self.all.index(scope) + 1 :]:
            if child.outer > place or child.outer >= scope.end:
                break
            if child.end > place:
                scope = child
        return scope

    def guard(self, node: Node, place: int, scope: Scope) -> tuple[str, ...] | None:
        """The conditions under which a statement of this scope runs; None where the grammar lost its place."""
        column = self._columns.get(scope)
        if column is None:
            column = self._columns[scope] = self.source.column(scope.body)
        if self.source.column(place) == column:
            return scope.guard
        own = guard_of(self.source, node, scope.node)
        return None if own is None else scope.guard + own

    def _wrap_later(self) -> None:
        """Tell which methods their class decorates below them, as code from before decorators does."""
        if b"method(" not in self.source.data:
            return
        for match in _WRAPPED.finditer(self.source.data):
            name = match["name"].decode("ascii", "replace")
            method = self.members.get((self.at(match.start("name")), name))
            if method is not None and method.kind is Kind.FUNCTION and method.parent is not self.module:
                method.decorators = (match["how"].decode("ascii"), *method.decorators)

    def number(self, kind: Kind, qualified: str) -> str:
        """The key of one more definition of this name: the name itself, then with `~2`, `~3`, …"""
        count = self._keys[kind, qualified] = self._keys.get((kind, qualified), 0) + 1
        return qualified if count == 1 else f"{qualified}~{count}"

    def _add(self, definition: _Definition) -> None:
        start, node, name_node, parameters, body = definition
        self._close(start)
        parent = self._open[-1]
        outer, decorators, outer_node = self._decorated.get(start, (start, (), node))
        guard = self.guard(outer_node, outer, parent)
        lost = parent.lost or guard is None
        if self._broken and not lost:
            lost = self._has_broken_header(node) or self._misplaced(outer_node, outer, parent)
        name = self.source.text(name_node)
        kind = Kind.CLASS if parameters is None else Kind.FUNCTION
        qualified = parent.inner(name)
        key = qualified if lost else self.number(kind, qualified)
        scope = Scope(
            kind=kind,
            name=name,
            qualified=qualified,
            key=key,
            id=self._prefixes[kind] + key,
            parent=parent,
            node=node,
            outer=outer,
            start=start,
            body=body.start_byte,
            end=node.end_byte,
            parameters=parameters,
            decorators=decorators,
            guard=guard or (),
            lost=lost,
        )
        if not lost:
            self.all.append(scope)
            self.members.setdefault((parent, name), scope)
        self._open.append(scope)
        self.bounds.append(scope.body)
        self.owners.append(scope)

    def _misplaced(self, node: Node, place: int, scope: Scope) -> bool:
        """Whether a definition stands directly in a block but not at the block's column, or at column 0 in a scope:
        what it really belongs to was lost in a broken part of the file."""
        column = self.source.column(place)
        if column == 0:
            return scope is not self.module
        direct = node.parent is not None and node.parent.type in ("module", "block")
        return direct and column != self._column_of(node)

    def _has_broken_header(self, node: Node) -> bool:
        """Whether the grammar stumbled over a definition before its body: then its header is not known."""
        return any(child.has_error or child.is_missing for child in node.children if child.type != "block")

    def _column_of(self, node: Node) -> int:
        """The column of the block that a statement stands in."""
        block = node.parent
        return self.source.column(block.start_byte) if block is not None and block.type == "block" else 0

    def _close(self, place: int) -> None:
        """Leave the scopes that end before a place."""
        stack = self._open
        while len(stack) > 1 and stack[-1].end <= place:
            self.bounds.append(stack.pop().end)
            self.owners.append(stack[-1])


_Definition = tuple[int, "Node", "Node", "Node | None", "Node"]


def _place(definition: _Definition) -> int:
    return definition[0]


def _definitions(found: Captures) -> list[_Definition]:
    """Start, node, name, parameters (None for classes) and body of every definition."""
    functions = zip(
        found.get("function", ()),
        found.get("function.name", ()),
        found.get("function.parameters", ()),
        found.get("function.body", ()),
        strict=True,
    )
    classes = zip(
        found.get("class", ()), found.get("class.name", ()), found.get("class.body", ()), strict=True
    )
    definitions: list[_Definition] = [
        (node.start_byte, node, name, parameters, body) for node, name, parameters, body in functions
    ]
    definitions += [(node.start_byte, node, name, None, body) for node, name, body in classes]
    return definitions


def _decorators(source: Source, found: Captures) -> dict[int, tuple[int, tuple[str, ...], Node]]:
    """Place of a decorated `def` or `class` → place of its first decorator, their texts, the node around all."""
    decorated = {}
    for node in found.get("decorated", ()):
        texts = []
        for child in node.named_children:
            expression = child.named_child(0) if child.type == "decorator" else None
            if expression is not None:
                texts.append(source.flat(expression))
        definition = node.child_by_field_name("definition")
        if definition is not None:
            decorated[definition.start_byte] = (node.start_byte, tuple(texts), node)
    return decorated
