"""What a module exports: its `__all__`, where that can be read without running anything."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from graph.patterns import pattern
from ingest.python.module import Module

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = "__all__"
# Both begin with what is found fast; that a line begins before it is looked at where it stands.
_METHOD = pattern(rb"__all__[ \t]*\.[ \t]*(\w+)[ \t]*\(")
_CHANGED = pattern(rb"__all__[ \t]*(\.\w+|\+=|=(?!=)|:)")
_NAME_OF = pattern(rb"\(\s*(\w+)\.__name__\s*\)")
_OTHER = pattern(r"([\w.]+)\.__all__")
_OWN_NAME = pattern(r"(\w+)\s*\.\s*__name__")
_LISTS = frozenset({"list", "tuple", "set", "parenthesized_expression", "expression_list", "list_splat"})
_PLAIN = pattern(r"[uUrR]?(\"\"\"|'''|\"|')([^\"'\\]*)\1")
_SPLIT = pattern(r"[uUrR]?(\"\"\"|'''|\"|')([^\"'\\]*)\1\s*\.\s*split\(\s*\)")
_WITHIN_TRY = frozenset(
    {"assignment", "augmented_assignment", "expression_statement", "block", "try_statement"}
)
_EACH = frozenset({"list_comprehension", "generator_expression"})
_COMPUTED = frozenset({"identifier", "call", "list_comprehension", "dictionary", "subscript"})
# How Python 2 was given names; what it makes is none of Python 3.
_ENCODED = pattern(r"\[\s*(\w+)\s*\.\s*encode\(.*?\)\s+for\s+\1\s+in\s+__all__\s*\]")
# All public names that the module has: `[name for name in dir() if not name.startswith("_")]`.
_EVERYTHING = pattern(
    r"[\[(]\s*(\w+)\s+for\s+\1\s+in\s+(?:dir|globals|locals|vars)\(\s*\)(?:\.keys\(\))?"
    r"\s+if\s+(?:not\s+\1\.startswith\(\s*([\"'])_{1,2}\2\s*\)|\1\[0\]\s*!=\s*([\"'])_\3)\s*[\])]"
)
EVERYTHING = "*"
"""Stands among the modules whose `__all__` is added for all public names of this one."""
_PUBLISHERS = frozenset({"public.public", "atpublic.public"})
# `public(NAME=value)` gives the module a name and adds it.
_PUBLISHING = pattern(rb"^public\(", re.MULTILINE)
_COPIES = pattern(r"(?:list|tuple|sorted|set|frozenset)\s*\(")


class Exports(msgspec.Struct, frozen=True):
    """The exported names, or None; `computed_at` is the line that cannot be read, 0 if there is none.

    Where there are none, `known` are those that are exported in any case, `of` names the modules whose `__all__` is
    added to them, and `surely` says that there is an `__all__` in any case.
    """

    names: list[str] | None
    computed_at: int = 0
    known: list[str] = []
    of: list[str] = []
    surely: bool = False


class _Part(msgspec.Struct, frozen=True):
    """What an expression gives: strings, the `__all__` of other modules, and whether that is the whole of it."""

    strings: list[str]
    of: list[str]
    whole: bool


_NOTHING_READ = _Part([], [], whole=False)


def read_exports(module: Module) -> Exports:
    """What `__all__` holds after all that the module's top level does to it."""
    data = module.source.data
    published = _published_by_decorator(module) if b"public" in data else []
    if b"__all__" not in data and not published:
        return Exports(None)
    known: list[str] = []
    others: list[str] = []
    computed_at = 0
    surely = False
    steps = sorted(_steps(module), key=lambda step: step[0])
    for place, keeps, node in steps:
        if node is not None and _ENCODED.fullmatch(module.source.text(node)):
            continue
        line = module.source.line(place)
        if module.source.column(place) and not _is_tried(node):
            # Under a condition names may be added, but only another value takes any away.
            if not keeps:
                known, others = [], []
            computed_at = computed_at or line
            continue
        part = _NOTHING_READ if node is None else _read(module, node)
        surely = True
        if not keeps or node is None:
            known, others, computed_at = [], [], 0
        known, others = known + part.strings, others + part.of
        if not part.whole:
            computed_at = computed_at or line
    if not steps and not published:
        return Exports(None)
    known = known + published
    surely = surely or bool(published)
    if published and (call := _PUBLISHING.search(data)) is not None:
        computed_at = computed_at or module.source.line(call.start())
    looked_at = {place for place, _, _ in steps}
    for match in _CHANGED.finditer(data):
        place = match.start()
        if place in looked_at or not _indentation(data, place) or _is_text(module, place):
            continue
        computed_at = computed_at or module.source.line(match.end() - 1)
        if match[1] not in (b"+=", b".append", b".extend"):
            known = []
        known = known + _listed_by_decorator(module, match.end())
    return Exports(None if computed_at or others else known, computed_at, known, others, surely)


def _published_by_decorator(module: Module) -> list[str]:
    """What the top level defines below a decorator that adds it to `__all__`: that of `atpublic`."""
    whole = module.scopes.module
    named = {
        local
        for (holder, local), targets in module.imports.bindings.items()
        if holder is whole and _PUBLISHERS.issuperset(targets)
    }
    return [
        each.name
        for each in module.scopes.all
        if each.parent is whole and not named.isdisjoint(each.decorators) and not each.guard
    ]


def _listed_by_decorator(module: Module, place: int) -> list[str]:
    """The names of what is decorated with the function that `__all__.append(f.__name__)` stands in."""
    adder = module.scopes.at(place)
    named = _NAME_OF.match(module.source.data, place)
    if named is None or adder.parent is not module.scopes.module or not adder.signature:
        return []
    if adder.signature[0][0] != named[1].decode():
        return []
    return [
        each.name
        for each in module.scopes.all
        if each.parent is adder.parent and adder.name in each.decorators and not each.guard
    ]


def _is_tried(value: Node | None) -> bool:
    """Whether an assignment stands in the bodies of `try` statements alone: what fails there is not asked."""
    node = value.parent if value is not None else None
    while node is not None and node.type in _WITHIN_TRY:
        above = node.parent
        if node.type == "block" and (above is None or above.type != "try_statement"):
            return False
        node = above
    return node is not None and node.type == "module"


def _indentation(data: bytes, place: int) -> int | None:
    """How many blanks stand before a place on its line; None where anything else does."""
    before = data[data.rfind(b"\n", 0, place) + 1 : place]
    return None if before.strip(b" \t") else len(before)


def _is_text(module: Module, place: int) -> bool:
    """Whether a place lies in a string or a comment."""
    node = module.root.descendant_for_byte_range(place, place)
    return node is not None and node.type in ("string", "string_content", "comment")


def _steps(module: Module) -> list[tuple[int, bool, Node | None]]:
    """Where `__all__` changes, whether it keeps what it had, and the expression (None: no readable one)."""
    steps: list[tuple[int, bool, Node | None]] = []
    for item in module.assignments:
        if item.name == _NAME and item.scope is module.scopes.module:
            value = item.node.child_by_field_name("right") if item.node is not None else None
            # A stub may only declare that there is one; in code, that makes none.
            if item.node is None or value is not None or module.source.path.endswith(".pyi"):
                steps.append((item.start, item.changes, value))
    for match in _METHOD.finditer(module.source.data):
        if _indentation(module.source.data, match.start()) != 0:
            continue
        node = module.root.descendant_for_byte_range(match.end() - 1, match.end() - 1)
        while node is not None and node.type not in ("argument_list", "module"):
            node = node.parent
        if node is None or node.type != "argument_list":
            continue
        arguments = node.named_children
        readable = match[1] in (b"extend", b"append") and len(arguments) == 1
        steps.append((match.start(), True, arguments[0] if readable else None))
    return steps


def _read(module: Module, node: Node) -> _Part:
    """The strings of a literal list, tuple or set, of a sum or copy of such, of `"a b".split()`, or of one literal, and
    the names of functions and classes that are asked for them."""
    names: list[str] = []
    others: list[str] = []
    whole = True
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.type in _LISTS:
            waiting += reversed([child for child in current.named_children if child.type != "comment"])
        elif current.type == "binary_operator" and _operator(module, current) == b"+":
            waiting += reversed(current.named_children)
        elif current.type == "string" and (plain := _PLAIN.fullmatch(module.source.text(current))):
            names.append(plain[2])
        elif current.type == "call" and (words := _SPLIT.fullmatch(module.source.text(current))):
            names += words[2].split()
        elif current.type == "call" and (copied := _copied(module, current)) is not None:
            waiting.append(copied)
        elif current.type == "attribute" and (other := _OTHER.fullmatch(module.source.text(current))):
            others.append(other[1])
        elif current.type == "attribute" and (named := _called(module, current)):
            names.append(named)
        elif current.type in _EACH and _EVERYTHING.fullmatch(module.source.text(current)):
            others.append(EVERYTHING)
        elif (told := _told(module, current)) is not None:
            names += told
        else:
            whole = False
    return _Part(names, others, whole)


def _called(module: Module, node: Node) -> str:
    """The name of a function or class of the module, of which the text asks for it: `load.__name__`."""
    match = _OWN_NAME.fullmatch(module.source.text(node))
    return match[1] if match and (module.scopes.module, match[1]) in module.scopes.members else ""


def _told(module: Module, node: Node) -> list[str] | None:
    """The texts of what a name, or a loop within an expression, goes over, where these are written out."""
    if node.type not in _COMPUTED:
        return None
    # Few files compute what they export, and what reads expressions takes long to load.
    from ingest.python.constants import constant_text
    from ingest.python.spelled import listed

    before = node.start_byte
    found = listed(module.source.text(node), lambda name: constant_text(module, name, before))
    return None if found is None else sorted(found)


def _copied(module: Module, call: Node) -> Node | None:
    """What `list(…)` and its like are given, where that is one thing."""
    arguments = call.child_by_field_name("arguments")
    if arguments is None or arguments.named_child_count != 1 or not _COPIES.match(module.source.text(call)):
        return None
    return arguments.named_child(0)


def _operator(module: Module, node: Node) -> bytes:
    operator = node.child_by_field_name("operator")
    return b"" if operator is None else module.source.data[operator.start_byte : operator.end_byte]
