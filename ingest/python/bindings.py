"""Which names the scopes of a file bind by assignment, and which of these are attributes of a module or class."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from graph.facts import Kind
from graph.patterns import pattern
from ingest.python.query import Captures
from ingest.python.scopes import Scope, Scopes
from ingest.python.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = pattern(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")
_NAMES = pattern(rb"(?<![\w.\x80-\xff])[A-Za-z_\x80-\xff][\w\x80-\xff]*")
_CAPTURES = pattern(rb"(?<![\w.\x80-\xff])[A-Za-z_\x80-\xff][\w\x80-\xff]*(?!\s*[\w(.=\x80-\xff])")
_MEMBER = pattern(rb"([A-Za-z_\x80-\xff][\w\x80-\xff]*)\s*\.\s*([A-Za-z_\x80-\xff][\w\x80-\xff]*)")
_REMOVED = pattern(
    rb"\bdelattr\([ \t]*([A-Za-z_]\w*)[ \t]*,[ \t]*(?:f?[\"'](\w*)(?:[\"'][ \t]*[+%]|\{)|[A-Za-z_])[^\n]*"
)
_MADE = pattern(
    rb"[ \t]*(?::[^=\n]*)?=[ \t]*((?:super\([^()\n]*\)\.|[\w.]+\.)?__new__|type\(\w+\)|\w+\.__class__|\w+)\("
)
_PATTERNS = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"})


class Assignment(msgspec.Struct, frozen=True):
    """One assignment to an attribute of a module or class.

    `node` is the whole assignment; None where the value cannot be told apart (`a, b = f()`), and then `place` may be
    where that stands. `changes` marks an augmented one. `instance` is true for `self.x = …`, `target` for what
    `for`, `with` and `:=` bind.
    """

    scope: Scope
    name: str
    node: Node | None
    start: int
    end: int
    instance: bool = False
    changes: bool = False
    target: bool = False
    place: Node | None = None


def read_bindings(source: Source, found: Captures, scopes: Scopes) -> list[Assignment]:
    """Fill in what each function binds and declares global; return the assignments to attributes, in source order."""
    for scope in scopes.all:
        scope.bound.update(parameter[0] for parameter in scope.signature)
    for capture, words in (("bind", _NAMES), ("bind.case", _CAPTURES)):
        for node in found.get(capture, ()):
            scopes.at(node.start_byte).bound.update(_words(source, node, words))
    for capture in ("global", "nonlocal"):
        for node in found.get(capture, ()):
            scopes.at(node.start_byte).outside.update(_words(source, node, _NAMES))
    assignments = [
        *_targets(source, found, scopes),
        *_plain(source, found, scopes),
        *_members(source, found, scopes),
        *_patterns(source, found, scopes),
        *_aliases(source, found, scopes),
    ]
    for scope in scopes.all:
        scope.bound -= scope.outside
    deleted = _deleted(source, found, scopes)
    _mark_perhaps_deleted(source, scopes)
    assignments.sort(key=lambda assignment: assignment.start)
    return [assignment for assignment in assignments if (assignment.scope, assignment.name) not in deleted]


def _plain(source: Source, found: Captures, scopes: Scopes) -> Iterator[Assignment]:
    """`name = …` and `name += …`."""
    data, bounds, owners = source.data, scopes.bounds, scopes.owners
    for capture in ("assign.name", "augment"):
        for node in found.get(capture, ()):
            start = node.start_byte
            scope = owners[bisect_right(bounds, start) - 1]
            match = _NAME.match(data, start)
            if match is None:
                continue
            name = match[0].decode("utf-8", "replace")
            if scope.kind is Kind.FUNCTION:
                scope.bound.add(name)
            else:
                yield Assignment(scope, name, node, start, node.end_byte, changes=capture == "augment")


def _targets(source: Source, found: Captures, scopes: Scopes) -> Iterator[Assignment]:
    """`for name in …`, `with … as name` and `(name := …)` in a module or class; what they hold last is not told."""
    for node in found.get("bind", ()):
        scope = scopes.at(node.start_byte)
        if scope.kind is Kind.FUNCTION or not _stays(node):
            continue
        for name in sorted(_words(source, node, _NAMES)):
            yield Assignment(scope, name, None, node.start_byte, node.end_byte, target=True)


def _stays(node: Node) -> bool:
    """Whether a bound name is still there behind the statement: not so in comprehensions, lambdas and handlers."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "as_pattern":
        around = parent.parent
        return around is not None and around.type == "with_item"
    return parent.type == "for_statement" or parent.type == "named_expression"


def _members(source: Source, found: Captures, scopes: Scopes) -> Iterator[Assignment]:
    """`self.name = …`, in a method or in a function within it, and `Class.name = …` anywhere."""
    for node in found.get("assign.attribute", ()):
        start = node.start_byte
        match = _MEMBER.match(source.data, start)
        if match is None:
            continue
        scope, owner, name = scopes.at(start), match[1].decode("utf-8", "replace"), match[2]
        method = receiving(scope, owner)
        if method is not None:
            yield _member(method, name.decode("utf-8", "replace"), node, start)
            continue
        class_ = class_of_module(scopes, scope, owner)
        if class_ is not None:
            yield Assignment(class_, name.decode("utf-8", "replace"), None, start, node.end_byte)
            continue
        made = made_instance(source, scopes, scope, owner)
        if made is not None:
            yield Assignment(made, name.decode("utf-8", "replace"), None, start, node.end_byte, instance=True)


def made_instance(source: Source, scopes: Scopes, scope: Scope, variable: str) -> Scope | None:
    """The class of which a function makes an instance for a variable: `self = super().__new__(cls)`, `new = cls()`."""
    if scope.kind is not Kind.FUNCTION or variable not in scope.bound:
        return None
    made = _made_first(source, scope, variable.encode())
    if made is None:
        return None
    maker = made.decode("utf-8", "replace")
    owner = scope.parent if scope.parent is not None and scope.parent.kind is Kind.CLASS else None
    own = (scope.receiver, "cls", f"type({scope.receiver})", f"{scope.receiver}.__class__")
    if owner is not None and (maker.endswith("__new__") or maker in own):
        return owner
    return class_of_module(scopes, scope, maker)


def _made_first(source: Source, scope: Scope, variable: bytes) -> bytes | None:
    """What is called where the first line of a function's body that makes something for a variable does so."""
    data, start, end = source.data, source.line_start(source.line(scope.body)), scope.end
    place = data.find(variable, start, end)
    while place >= 0:
        behind = place + len(variable)
        making = _MADE.match(data, behind, end)
        if making is not None and not data[data.rfind(b"\n", 0, place) + 1 : place].strip(b" \t"):
            return making[1]
        place = data.find(variable, behind, end)
    return None


def class_of_module(scopes: Scopes, scope: Scope, name: str) -> Scope | None:
    """The class of the file's top level that a name means within a scope."""
    found = scopes.members.get((scopes.module, name))
    if found is None or found.kind is not Kind.CLASS:
        return None
    holder: Scope | None = scope
    while holder is not None:
        if name in holder.bound or (holder is not scopes.module and (holder, name) in scopes.members):
            return None
        holder = holder.parent
    return found


def _member(method: Scope, name: str, node: Node | None, start: int) -> Assignment:
    assert method.parent is not None, "a method has a class"
    instance = "classmethod" not in method.decorators
    end = start + len(name) if node is None else node.end_byte
    return Assignment(method.parent, name, node, start, end, instance=instance, target=not instance)


def receiving(scope: Scope, receiver: str) -> Scope | None:
    """The method around a place whose instance or class has this name."""
    holder: Scope | None = scope
    while holder is not None and holder.kind is Kind.FUNCTION:
        if holder.receiver == receiver:
            return holder
        if receiver in holder.bound:
            return None
        holder = holder.parent
    return None


def _patterns(source: Source, found: Captures, scopes: Scopes) -> Iterator[Assignment]:
    """`a, (b, self.c) = …`: what each name gets is not told apart."""
    for targets in found.get("assign.pattern", ()):
        scope = scopes.at(targets.start_byte)
        waiting = [targets]
        while waiting:
            node = waiting.pop()
            if node.type in _PATTERNS:
                waiting += node.named_children
            elif node.type == "identifier" and scope.kind is Kind.FUNCTION:
                scope.bound.add(source.text(node))
            elif node.type == "identifier":
                text, start, end = source.text(node), node.start_byte, node.end_byte
                yield Assignment(scope, text, None, start, end, place=targets)
            elif node.type == "attribute":
                match = _MEMBER.fullmatch(source.data, node.start_byte, node.end_byte)
                owner = receiving(scope, match[1].decode("utf-8", "replace")) if match else None
                if match is not None and owner is not None:
                    yield _member(owner, match[2].decode("utf-8", "replace"), None, node.start_byte)


def _aliases(source: Source, found: Captures, scopes: Scopes) -> Iterator[Assignment]:
    """`type Name = …`."""
    for node in found.get("alias", ()):
        left = node.child_by_field_name("left")
        match = _NAME.match(source.data, left.start_byte) if left is not None else None
        if match is None:
            continue
        scope, name = scopes.at(node.start_byte), match[0].decode("utf-8", "replace")
        if scope.kind is Kind.FUNCTION:
            scope.bound.add(name)
        else:
            yield Assignment(scope, name, node, node.start_byte, node.end_byte)


def _deleted(source: Source, found: Captures, scopes: Scopes) -> set[tuple[Scope, str]]:
    """The names that modules and classes remove again."""
    deleted: set[tuple[Scope, str]] = set()
    for node in found.get("delete", ()):
        scope = scopes.at(node.start_byte)
        if scope.kind is Kind.FUNCTION:
            continue
        text = source.text(node).removeprefix("del").strip("() \t")
        names = {name.strip() for name in text.split(",")}
        deleted.update((scope, name) for name in names)
        if scopes.guard(node, node.start_byte, scope) == scope.guard:
            for each in scopes.all:
                if each.parent is scope and each.name in names and each.start < node.start_byte:
                    each.deleted = True
    return deleted


def _mark_perhaps_deleted(source: Source, scopes: Scopes) -> None:
    """Methods that a statement at the top removes by computed names (`delattr(Plugin, "on_" + name)`): whether they
    stay is a condition that nobody knows."""
    for removed in _REMOVED.finditer(source.data) if b"delattr(" in source.data else ():
        if scopes.at(removed.start()).kind is Kind.FUNCTION:
            continue
        class_, prefix = removed[1].decode(), (removed[2] or b"").decode()
        for each in scopes.all:
            if each.parent is not None and each.parent.name == class_ and each.name.startswith(prefix):
                each.guard += (removed[0].decode("utf-8", "replace"),)


def _words(source: Source, node: Node, words: re.Pattern[bytes]) -> set[str]:
    data, start, end = source.data, node.start_byte, node.end_byte
    return {match[0].decode("utf-8", "replace") for match in words.finditer(data, start, end)}
