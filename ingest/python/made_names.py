"""Names that a module gives itself when it runs, where the text shows which: `globals().update(Mode.__members__)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from graph.facts import Kind
from graph.patterns import pattern
from ingest.python.module import Module

if TYPE_CHECKING:
    from tree_sitter import Node

_MEMBERS = pattern(r"([\w.]+)\.__members__(?:\.items\(\))?")
_PLAIN = pattern(r"[rRuU]?(\"|')([A-Za-z_]\w*)\1")
_DOTTED = pattern(r"[A-Za-z_][\w.]*")
_ITSELF = pattern(r"sys\.modules\[__name__\]|(\w+)")
_MAKES_ITSELF = rb"(?m)^%s[ \t]*=[ \t]*sys\.modules\[__name__\][ \t]*$"
_LOOPS = frozenset({"for_statement", "dictionary_comprehension"})
_SKIPS = pattern(r"\b(?:continue|break)\b")
_CHANGES = (
    rb"\b%s(?:\.(?:append|add|extend|insert|update|pop|remove|discard|clear|setdefault)\("
    rb"|\[[^]\n]*\][ \t]*=[^=])"
)
_DISPLAYS = frozenset({"tuple", "list", "set"})
_STATEMENTS = frozenset(
    {"expression_statement", "block", "module", "for_statement", "assignment", "call"}
) | {
    "attribute",
    "subscript",
}


class Made(msgspec.Struct, frozen=True):
    """The names that are made, and the enumerations, as written, whose members' names are."""

    names: tuple[str, ...] = ()
    of: tuple[str, ...] = ()


def made_here(module: Module, place: int, sign: bytes) -> Made | None:
    """What is made where `globals()`, `vars()` or `setattr(` stands at the top level; None where that is not shown.

    Loops over displays of strings or over enumerations are read, and a name that is written out.
    """
    if module.scopes.at(place).kind is not Kind.MODULE:
        return None
    node = module.root.descendant_for_byte_range(place, place + 1)
    call = _around(node, "call")
    if call is None or not _runs_in_any_case(call):
        return None
    if sign == b"setattr(":
        return _set(module, call)
    above = call.parent
    if above is None:
        return None
    if above.type == "subscript":
        key = above.child_by_field_name("subscript")
        stored = above.parent is not None and above.parent.child_by_field_name("left") == above
        return _named(module, key) if stored and key is not None else None
    outer = above.parent
    if above.type == "attribute" and outer is not None and outer.type == "call":
        return _updated(module, outer) if module.source.text(above).endswith(".update") else None
    return None


def _set(module: Module, call: Node) -> Made | None:
    """What `setattr(module, name, …)` makes, where the module is this one."""
    listed = call.child_by_field_name("arguments")
    if listed is None or listed.named_child_count != 3:
        return None
    target, name = listed.named_children[:2]
    found = _ITSELF.fullmatch(module.source.text(target))
    if found is None:
        return None
    if found[1]:
        itself = pattern(_MAKES_ITSELF % found[1].encode())
        if len(itself.findall(module.source.data)) != 1:
            return None
    return _named(module, name)


def _updated(module: Module, call: Node) -> Made | None:
    """What `globals().update(…)` makes of a dictionary that is written out, or of an enumeration's members."""
    listed = call.child_by_field_name("arguments")
    arguments = listed.named_children if listed is not None else []
    names: list[str] = []
    of: list[str] = []
    for argument in arguments:
        text = module.source.text(argument)
        if argument.type == "keyword_argument" and (key := argument.child_by_field_name("name")) is not None:
            names.append(module.source.text(key))
        elif found := _MEMBERS.fullmatch(text):
            of.append(found[1])
        elif argument.type == "dictionary":
            for pair in argument.named_children:
                key = pair.child_by_field_name("key") if pair.type == "pair" else None
                plain = _PLAIN.fullmatch(module.source.text(key)) if key is not None else None
                if plain is None:
                    return None
                names.append(plain[2])
        elif argument.type == "dictionary_comprehension":
            body = argument.child_by_field_name("body")
            key = body.child_by_field_name("key") if body is not None else None
            made = _strings(module, key) if key is not None else None
            if made is None:
                return None
            names += made.names
        elif argument.type == "identifier":
            keys = _keys(module, text, argument.start_byte)
            if keys is None:
                return None
            names += sorted(keys)
        elif argument.type == "call" and text.startswith("dict("):
            inner = _updated(module, argument)
            if inner is None:
                return None
            names += inner.names
            of += inner.of
        else:
            return None
    return Made(tuple(names), tuple(of))


def _keys(module: Module, name: str, before: int) -> frozenset[str] | None:
    """The keys of the dictionary that the module binds to a name once."""
    from ingest.python.spelled import listed

    text = constant_text(module, name, before)
    keys = listed(text, lambda known: constant_text(module, known, before)) if text is not None else None
    return keys if keys is not None and all(map(str.isidentifier, keys)) else None


def _named(module: Module, name: Node) -> Made | None:
    """The names that an expression stands for: a string, the variable of a loop, or what a loop's items are called."""
    text = module.source.text(name)
    plain = _PLAIN.fullmatch(text)
    if plain is not None:
        return Made((plain[2],))
    variable, _, attribute = text.partition(".")
    over = _looped(module, name, variable)
    if over is not None and attribute == "name":
        return _enumerations(module, over)
    found = _MEMBERS.fullmatch(module.source.text(over)) if over is not None and not attribute else None
    if found is not None:
        return Made(of=(found[1],))
    return _strings(module, name)


def _strings(module: Module, name: Node) -> Made | None:
    """The texts that an expression comes to in the loops around it, where these go over values that are written out."""
    # Few files make names, and what reads expressions takes long to load.
    from ingest.python.spelled import spelled

    loops: list[tuple[str, str]] = []
    current = name.parent
    while current is not None and current.type != "module":
        if current.type in _LOOPS:
            parts = [current, *current.named_children] if current.type != "for_statement" else [current]
            for part in reversed(parts):
                left, right = part.child_by_field_name("left"), part.child_by_field_name("right")
                if part.type == "if_clause" or _SKIPS.search(module.source.text(part)):
                    return None
                if left is not None and right is not None:
                    loops.insert(0, (module.source.text(left), module.source.text(right)))
        current = current.parent
    names = spelled(
        module.source.text(name), loops, lambda known: constant_text(module, known, name.start_byte)
    )
    return None if names is None else Made(names)


def constant_text(module: Module, name: str, before: int) -> str | None:
    """The text of the value that the module binds to a name once, and never changes."""
    scope = module.scopes.module
    bound = [each for each in module.assignments if each.scope is scope and each.name == name]
    value = bound[0].node.child_by_field_name("right") if len(bound) == 1 and bound[0].node else None
    if (
        value is None
        or bound[0].start > before
        or pattern(_CHANGES % name.encode()).search(module.source.data)
    ):
        return None
    return module.source.text(value)


def _enumerations(module: Module, over: Node) -> Made | None:
    """The classes over whose items a loop goes, itself or within another over a display of them."""
    text = module.source.text(over)
    if not _DOTTED.fullmatch(text):
        return None
    around = _looped(module, over, text)
    if around is None:
        return Made(of=(text,))
    if around.type not in _DISPLAYS:
        return None
    texts = [module.source.text(item) for item in around.named_children]
    return Made(of=tuple(texts)) if all(map(_DOTTED.fullmatch, texts)) else None


def _looped(module: Module, node: Node, variable: str) -> Node | None:
    """What the nearest loop around goes over whose variable, alone or the first of two, is this one.

    None where there is no such loop.
    """
    current = node.parent
    while current is not None and current.type != "module":
        if current.type == "for_statement":
            left, right = current.child_by_field_name("left"), current.child_by_field_name("right")
            first = module.source.text(left).partition(",")[0].strip() if left is not None else ""
            if first == variable and right is not None:
                return right
        current = current.parent
    return None


def _runs_in_any_case(node: Node) -> bool:
    """Whether nothing but loops stands around what a node is part of: no condition, no `try`."""
    current = node.parent
    while current is not None and current.type in _STATEMENTS:
        current = current.parent
    return current is None


def _around(node: Node | None, kind: str) -> Node | None:
    """The innermost node of a kind that a node lies in."""
    while node is not None and node.type != kind:
        node = node.parent
    return node
