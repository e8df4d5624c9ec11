"""Undoes renames in a text as it is now, to see by its digest whether it is the text that there was before.

Facts keep no text of a body, only its digest. Where `price` is called `cost` now, a body that followed has another
digest; written back, it has the old one, and that proves that nothing but names changed. Strings are left alone, since
what stands in them is a value.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations as combinations_of
from itertools import product
from typing import TYPE_CHECKING

import msgspec

from graph.facts import Fact, Kind, Tag
from healer.moving.forms import form
from ingest.ingestor import Document, Role
from ingest.python.digests import Digests, digest
from ingest.python.docstrings import docstring, module_docstring
from ingest.python.module import Module, take_apart
from ingest.python.scopes import Scope

if TYPE_CHECKING:
    from tree_sitter import Node

_UNPACKED = frozenset({"list_splat", "dictionary_splat"})
_MOST_CALLS = 4
"""In bodies with more calls to what changed, all of them changed or none."""
_INDENTS = (b"", b"    ", b"        ", b"            ", b"\t", b"\t\t")


class Undo(msgspec.Struct, frozen=True):
    """What to write back: `names` from now to then; `keywords` maps the last name of a function, as it is now, to the
    parameters that may be given by keyword since, with their places then; `orders` to the places, as they are now, in
    the order of then; `properties` are names of what was called before; `awaits` says whether `await` goes; `prefixes`
    are names of modules that need not stand before a name where it was at hand; `literals` maps the spelling now of
    what is assigned to that of then; `groups` are classes whose objects take what was given by keyword."""

    names: Mapping[str, str] = {}
    keywords: Mapping[str, Mapping[str, int]] = {}
    orders: Mapping[str, tuple[int, ...]] = {}
    properties: frozenset[str] = frozenset()
    awaits: bool = False
    prefixes: frozenset[str] = frozenset()
    literals: Mapping[str, str] = {}
    groups: frozenset[str] = frozenset()


class Text:
    """One file of code as it is now, its definitions found by key."""

    def __init__(self, path: str, text: str, module: str) -> None:
        document = Document(path=path, role=Role.PYTHON, text=text, module=module)
        self._module: Module = take_apart(document, Tag.CODE)
        self._digests = Digests(self._module)
        self._scopes = {(scope.kind, scope.key): scope for scope in self._module.scopes.all}
        self._names: list[tuple[int, int, str]] = []
        self._awaits: list[tuple[int, int]] = []
        self._calls: list[Node] = []
        self._attributes: list[tuple[int, str, bool]] = []
        self._prefixed: list[tuple[int, int, str]] = []
        self._assigned: list[tuple[int, int, str]] = []
        self._values = _values(self._module)
        self._walk(self._module.root)
        self._names.sort()

    def digests(self, fact: Fact, undos: Sequence[Undo]) -> Iterator[str]:
        """The digests that the body of a definition has when changes are undone, in each of these ways."""
        for written in self._undone(fact, undos):
            text = b"\n".join(filter(None, (piece.strip() for piece in written)))
            for indented in _reindented(text) if fact.kind is Kind.FUNCTION else (text,):
                yield digest(indented)

    def forms(self, fact: Fact, undos: Sequence[Undo]) -> Iterator[str]:
        """The forms that the body of a definition has when changes are undone, in each of these ways."""
        for written in self._undone(fact, undos):
            if (found := form(written)) is not None:
                yield found

    def size(self, fact: Fact) -> int:
        """How many bytes the body of a definition has, but for blanks around its parts."""
        scope = self._scopes.get((fact.kind, fact.key))
        pieces = self._digests.pieces(scope, self._documented(scope)) if scope is not None else []
        return sum(len(self._module.source.data[first:last].strip()) for first, last in pieces)

    def names(self, fact: Fact) -> frozenset[str]:
        """The names that stand in the body of a definition."""
        scope = self._scopes.get((fact.kind, fact.key))
        pieces = self._digests.pieces(scope, self._documented(scope)) if scope is not None else []
        return frozenset(name for first, last in pieces for _, _, name in self._within(first, last))

    def _undone(self, fact: Fact, undos: Sequence[Undo]) -> Iterator[list[bytes]]:
        """The parts of the body of a definition with changes undone, in each of these ways."""
        scope = self._scopes.get((fact.kind, fact.key))
        if scope is None and fact.key not in self._values:
            return
        pieces = self._digests.pieces(scope, self._documented(scope)) if scope else [self._values[fact.key]]
        for undo, left in self._each(undos, pieces):
            yield [self._written(first, last, undo, left) for first, last in pieces]

    def _each(
        self, undos: Sequence[Undo], pieces: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[Undo, frozenset[int]]]:
        """The ways of undoing, with the calls that each leaves as they are: any of them may have been so before."""
        for undo in undos:
            calls = [
                call.start_byte
                for call in (self._calls if undo.keywords or undo.orders or undo.groups else ())
                if any(first <= call.start_byte < last for first, last in pieces)
                and self._arguments(call, undo)
            ]
            for number in range(len(calls) + 1 if len(calls) <= _MOST_CALLS else 1):
                for left in combinations_of(calls, number):
                    yield undo, frozenset(left)

    def _documented(self, scope: Scope) -> int:
        source = self._module.source
        found = module_docstring(source) if scope.kind is Kind.MODULE else docstring(source, scope.body)
        return found[1] if found is not None else 0

    def _walk(self, root: Node) -> None:
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if node.type == "identifier":
                self._names.append((node.start_byte, node.end_byte, self._module.source.text(node)))
                continue
            if node.type == "await" and node.child_count > 1:
                self._awaits.append((node.start_byte, node.children[1].start_byte))
            elif node.type == "call":
                self._calls.append(node)
            elif node.type == "attribute":
                self._note_attribute(node)
            elif node.type == "assignment" and (value := node.child_by_field_name("right")) is not None:
                self._assigned.append((value.start_byte, value.end_byte, self._module.source.text(value)))
            waiting += node.children

    def _note_attribute(self, node: Node) -> None:
        name, parent, holder = (
            node.child_by_field_name("attribute"),
            node.parent,
            node.child_by_field_name("object"),
        )
        if name is not None and holder is not None:
            self._prefixed.append((holder.start_byte, name.start_byte, self._module.source.text(holder)))
            is_called = (
                parent is not None
                and parent.type == "call"
                and parent.child_by_field_name("function") == node
            )
            self._attributes.append((node.end_byte, self._module.source.text(name), is_called))

    def _written(self, first: int, last: int, undo: Undo, left: frozenset[int] = frozenset()) -> bytes:
        """The text of a place with the changes undone, but for the calls that are left."""
        edits: list[tuple[int, int, bytes]] = []
        if undo.keywords or undo.orders or undo.groups:
            for call in self._calls:
                if first <= call.start_byte < last and call.start_byte not in left:
                    edits += self._arguments(call, undo)
        edits += [
            (start, end, b"")
            for start, end, holder in self._prefixed
            if holder in undo.prefixes and first <= start < last
        ]
        edits += [
            (start, end, undo.names[name].encode())
            for start, end, name in self._within(first, last)
            if name in undo.names
        ]
        edits += [
            (start, end, undo.literals[text].encode())
            for start, end, text in self._assigned
            if text in undo.literals and first <= start < last
        ]
        if undo.awaits:
            edits += [(start, end, b"") for start, end in self._awaits if first <= start < last]
        edits += [
            (end, end, b"()")
            for end, name, is_called in self._attributes
            if name in undo.properties and not is_called and first < end <= last
        ]
        data, place = bytearray(), first
        for start, end, text in sorted(edits, key=lambda edit: (edit[0], -edit[1])):
            if start < place:
                continue  # within what was written anew already
            data += self._module.source.data[place:start] + text
            place = end
        return bytes(data + self._module.source.data[place:last])

    def _within(self, first: int, last: int) -> Sequence[tuple[int, int, str]]:
        return self._names[bisect_left(self._names, (first,)) : bisect_left(self._names, (last,))]

    def _arguments(self, call: Node, undo: Undo) -> list[tuple[int, int, bytes]]:
        """How the arguments of a call were written before its function's parameters changed places or kinds."""
        function, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if function is None or listed is None:
            return []
        name = self._module.source.text(function).rpartition(".")[2]
        arguments = [each for each in listed.named_children if each.type != "comment"]
        edits = []
        for number, each in enumerate(arguments):
            keyword = each.child_by_field_name("name") if each.type == "keyword_argument" else None
            value = each.child_by_field_name("value") if keyword is not None else None
            if keyword is None or value is None:
                continue
            if value.type == "call" and self._last(value) in undo.groups:
                inside = value.child_by_field_name("arguments")
                if inside is not None:
                    text = self._written(inside.start_byte + 1, inside.end_byte - 1, undo)
                    edits.append((each.start_byte, each.end_byte, text))
            if undo.keywords.get(name, {}).get(self._module.source.text(keyword)) == number:
                edits.append((each.start_byte, value.start_byte, b""))
        placed = [each for each in arguments if each.type != "keyword_argument"]
        order = undo.orders.get(name, ())[: len(placed)]
        is_known = all(each.type not in _UNPACKED for each in placed)
        if is_known and len(order) == len(placed) and sorted(order) == list(range(len(placed))):
            for place, number in zip(placed, order, strict=True):
                text = self._written(placed[number].start_byte, placed[number].end_byte, undo)
                edits.append((place.start_byte, place.end_byte, text))
        return edits

    def _last(self, call: Node) -> str:
        function = call.child_by_field_name("function")
        return self._module.source.text(function).rpartition(".")[2] if function is not None else ""


def combinations(undo: Undo, also: Sequence[Mapping[str, str]] = ()) -> list[Undo]:
    """The ways of undoing that are worth a try: nothing, and everything with or without each part."""
    names: list[Mapping[str, str]] = [{}]
    for each in (undo.names, *({**undo.names, **more} for more in also)):
        if each not in names:
            names.append(each)
    calls: list[tuple[Mapping[str, Mapping[str, int]], Mapping[str, tuple[int, ...]]]]
    calls = [(undo.keywords, undo.orders)]
    if undo.keywords and undo.orders:
        calls.append(({}, undo.orders))
    if undo.keywords or undo.orders:
        calls.append(({}, {}))
    properties = dict.fromkeys((undo.properties, frozenset()))
    awaits = dict.fromkeys((undo.awaits, False))
    prefixes = dict.fromkeys((undo.prefixes, frozenset()))
    literals = [undo.literals, {}] if undo.literals else [undo.literals]
    return [
        Undo(one, keywords, orders, called, waited, before, spelled, undo.groups)
        for one, (keywords, orders), called, waited, before, spelled in product(
            names, calls, properties, awaits, prefixes, literals
        )
    ]


def _values(module: Module) -> dict[str, tuple[int, int]]:
    """Where the values of attributes stand that are assigned once, by key."""
    found: dict[str, tuple[int, int]] = {}
    twice = set()
    for item in module.assignments:
        key = item.scope.inner(item.name)
        value = item.node.child_by_field_name("right") if item.node is not None else None
        while value is not None and value.type == "assignment":
            value = value.child_by_field_name("right")
        if value is None or key in found:
            twice.add(key)
        else:
            found[key] = value.start_byte, value.end_byte
    return {key: place for key, place in found.items() if key not in twice}


def _reindented(text: bytes) -> Iterator[bytes]:
    """A body as it is, and as it would stand at other depths."""
    yield text
    lines = text.split(b"\n")
    if len(lines) == 1 or b'"""' in text or b"'''" in text:
        return  # lines of a string are no lines of code
    own = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    for indent in _INDENTS:
        shifted = [lines[0], *(indent + line[own:] if line.strip() else line for line in lines[1:])]
        yield b"\n".join(shifted)
