"""Names that a module gives itself when it runs, where the text shows which: `globals().update(Mode.__members__)`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from graph.facts import Kind
from graph.patterns import pattern
from ingest.python.constants import constant_node, constant_text
from ingest.python.held_names import late_name, uses_of_namespace
from ingest.python.module import Module

if TYPE_CHECKING:
    from tree_sitter import Node

Shown: TypeAlias = "tuple[str, Node, Node | str]"
_MEMBERS = pattern(r"([\w.]+)\.__members__(?:\.items\(\))?")
_PLAIN = pattern(r"[rRuU]?(\"|')([A-Za-z_]\w*)\1")
_DOTTED = pattern(r"[A-Za-z_][\w.]*")
_ITSELF = pattern(r"sys\.modules\[__name__\]|(\w+)")
_MAKES_ITSELF = rb"(?m)^%s[ \t]*=[ \t]*sys\.modules\[__name__\][ \t]*$"
_LOOPS = frozenset({"for_statement", "dictionary_comprehension"})
_SKIPS = pattern(r"\b(?:continue|break)\b")
_DISPLAYS = frozenset({"tuple", "list", "set"})
_STATEMENTS = frozenset(
    {"expression_statement", "block", "module", "for_statement", "assignment", "call"}
) | {
    "attribute",
    "subscript",
}


class Made(msgspec.Struct, frozen=True):
    """The names that are made, and the enumerations, as written, whose members' names are.

    `values` are those names whose values are written out: each with the node of its name and that of its value, or
    the value's text where it is worked out; `late` are names that only calling a function makes.
    """

    names: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    values: tuple[Shown, ...] = ()
    late: tuple[str, ...] = ()


def all_made(each: Iterable[Made]) -> Made:
    """What several places make together; a name that several of them make has no value that is known."""
    listed = list(each)
    counted = Counter(name for made in listed for name in made.names)
    return Made(
        tuple(counted),
        tuple(dict.fromkeys(text for made in listed for text in made.of)),
        tuple(shown for made in listed for shown in made.values if counted[shown[0]] == 1),
        tuple(dict.fromkeys(name for made in listed for name in made.late)),
    )


def made_here(module: Module, place: int, sign: bytes) -> Made | None:
    """What is made where `globals()`, `vars()` or `setattr(` stands at the top level; None where that is not shown.

    Loops over displays of strings or over enumerations are read, a name that is written out, and what is done with a
    variable that holds the names. Within a function only names are read that are written out.
    """
    call = _around(module.root.descendant_for_byte_range(place, place + 1), "call")
    if call is None:
        return None
    if module.scopes.at(place).kind is not Kind.MODULE:
        name = late_name(call, lambda key: _plain(module, key)) if sign == b"globals()" else ""
        return Made(late=(name,)) if name else None
    if not _runs_in_any_case(call):
        return None
    if sign == b"setattr(":
        return _set(module, call)
    if sign == b"globals()" and (held := uses_of_namespace(module, call)) is not None:
        made = [_through(module, node) if _runs_in_any_case(node) else None for node in held]
        return None if None in made else all_made(each for each in made if each is not None)
    return _through(module, call)


def written_names(module: Module, place: int, is_local: Callable[[str], bool]) -> tuple[str, ...] | None:
    """The names that `setattr(x, name, …)` sets at a place, wherever it stands; None where they are not written out.

    What `is_local` says to be a variable of a function is no constant of the module.
    """
    call = _around(module.root.descendant_for_byte_range(place, place + 1), "call")
    listed = call.child_by_field_name("arguments") if call is not None else None
    if listed is None or listed.named_child_count != 3:
        return None
    name = listed.named_children[1]
    if plain := _plain(module, name):
        return (plain,)
    made = _strings(module, name, None, is_local)
    return made.names if made is not None else None


def _plain(module: Module, key: Node) -> str:
    """The text of a string that is written out and could be a name, else an empty one."""
    found = _PLAIN.fullmatch(module.source.text(key))
    return found[2] if found is not None else ""


def _through(module: Module, names: Node) -> Made | None:
    """What is made by `names["X"] = …` or `names.update(…)`, where `names` are the module's own."""
    above = names.parent
    if above is None:
        return None
    if above.type == "subscript":
        key = above.child_by_field_name("subscript")
        statement = above.parent
        if key is None or statement is None or statement.child_by_field_name("left") != above:
            return None
        if statement.type != "assignment":
            return _named(module, key, None)
        return _named(module, key, statement.child_by_field_name("right"))
    outer = above.parent
    if above.type == "attribute" and outer is not None and outer.type == "call":
        return _updated(module, outer) if module.source.text(above).endswith(".update") else None
    return None


def _set(module: Module, call: Node) -> Made | None:
    """What `setattr(module, name, …)` makes, where the module is this one."""
    listed = call.child_by_field_name("arguments")
    if listed is None or listed.named_child_count != 3:
        return None
    target, name, value = listed.named_children
    found = _ITSELF.fullmatch(module.source.text(target))
    if found is None:
        return None
    if found[1]:
        itself = pattern(_MAKES_ITSELF % found[1].encode())
        if len(itself.findall(module.source.data)) != 1:
            return None
    return _named(module, name, value)


def _updated(module: Module, call: Node) -> Made | None:
    """What `globals().update(…)` makes of a dictionary that is written out, or of an enumeration's members."""
    listed = call.child_by_field_name("arguments")
    arguments = listed.named_children if listed is not None else []
    made: list[Made] = []
    for argument in arguments:
        part = _of_argument(module, argument)
        if part is None:
            return None
        made.append(part)
    return all_made(made)


def _of_argument(module: Module, argument: Node) -> Made | None:
    """What one argument of `globals().update(…)` makes; None where that is not shown."""
    text = module.source.text(argument)
    if argument.type == "keyword_argument":
        key, value = argument.child_by_field_name("name"), argument.child_by_field_name("value")
        if key is None or value is None:
            return None
        name = module.source.text(key)
        return Made((name,), values=((name, key, value),))
    if found := _MEMBERS.fullmatch(text):
        return Made(of=(found[1],))
    if argument.type == "dictionary":
        return _of_dictionary(module, argument)
    if argument.type == "dictionary_comprehension":
        body = argument.child_by_field_name("body")
        made = body.child_by_field_name("key") if body is not None else None
        held = body.child_by_field_name("value") if body is not None else None
        return _strings(module, made, held) if made is not None else None
    if argument.type == "identifier":
        bound = constant_node(module, text, argument.start_byte)
        written = _of_dictionary(module, bound) if bound is not None and bound.type == "dictionary" else None
        if written is not None:
            return written
        keys = _keys(module, text, argument.start_byte)
        return Made(tuple(sorted(keys))) if keys is not None else None
    return _updated(module, argument) if argument.type == "call" and text.startswith("dict(") else None


def _of_dictionary(module: Module, display: Node) -> Made | None:
    """What the pairs of a display make; None where not all of its keys are written out."""
    values: list[Shown] = []
    for pair in display.named_children:
        if pair.type == "comment":
            continue
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        name = _plain(module, key) if key is not None else ""
        if key is None or value is None or not name:
            return None
        values.append((name, key, value))
    return all_made([Made((shown[0],), values=(shown,)) for shown in values])


def _keys(module: Module, name: str, before: int) -> frozenset[str] | None:
    """The keys of the dictionary that the module binds to a name once."""
    from ingest.python.spelled import listed

    text = constant_text(module, name, before)
    keys = listed(text, lambda known: constant_text(module, known, before)) if text is not None else None
    return keys if keys is not None and all(map(str.isidentifier, keys)) else None


def _named(module: Module, name: Node, value: Node | None) -> Made | None:
    """The names that an expression stands for: a string, the variable of a loop, or what a loop's items are called."""
    text = module.source.text(name)
    if plain := _plain(module, name):
        return Made((plain,), values=((plain, name, value),) if value is not None else ())
    variable, _, attribute = text.partition(".")
    over = _looped(module, name, variable)
    if over is not None and attribute == "name":
        return _enumerations(module, over)
    found = _MEMBERS.fullmatch(module.source.text(over)) if over is not None and not attribute else None
    if found is not None:
        return Made(of=(found[1],))
    return _strings(module, name, value)


def _strings(
    module: Module, name: Node, value: Node | None, is_local: Callable[[str], bool] | None = None
) -> Made | None:
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
    given = None if value is None else module.source.text(value)

    def constant(known: str) -> str | None:
        if is_local is not None and is_local(known):
            return None
        return constant_text(module, known, len(module.source.data) if is_local else name.start_byte)

    made = spelled(module.source.text(name), given, loops, constant)
    if made is None:
        return None
    values = tuple((each, name, text) for each, text in made.items() if text is not None)
    return Made(tuple(made), values=values)


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
