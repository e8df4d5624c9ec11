"""Methods that a class of the project inherits from the standard library, as far as their signatures can be had."""

from __future__ import annotations

import ast
import atexit
import collections
from functools import cache
from pathlib import Path

import msgspec

from crossval.compare.parameters import (
    KEYWORD_ONLY,
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    VAR_POSITIONAL,
)
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Module
from crossval.link.names.publicity import is_special
from graph import beside
from graph.facts import Fact, Json, Kind

_KINDS = {
    "POSITIONAL_ONLY": POSITIONAL_ONLY,
    "POSITIONAL_OR_KEYWORD": POSITIONAL_OR_KEYWORD,
    "KEYWORD_ONLY": KEYWORD_ONLY,
    "VAR_POSITIONAL": VAR_POSITIONAL,
    "VAR_KEYWORD": VAR_KEYWORD,
}


def inherited_method(lookup: Lookup, module: Module, local: str, *, overridden: bool = False) -> Fact | None:
    """The method `local` (`Cart.get`) that a class has from the standard library alone, as a fact placed at the class.

    None where the project may define it, and where its signature is not known; and where only `object` has it, unless
    `overridden`. Only its parameters and whether it is abstract are told. One that is `overridden` may be a
    constructor of a builtin type.
    """
    parent, _, name = local.rpartition(".")
    owner = lookup.find(module, parent) if parent else None
    if (
        owner is None
        or owner.module is None
        or len(owner.facts) != 1
        or owner.facts[0].kind is not Kind.CLASS
    ):
        return None
    lineage = lookup.lineage(owner.module, owner.local)
    # What instances answer by any name is none that the class has, nor a special one, which Python looks for there.
    of_class = overridden or is_special(name)
    if (lineage.unknown_special if of_class else lineage.unknown) or lineage.metaclass:
        return None
    if any(f"{each}.{name}" in holder.definitions for holder, each in lineage.classes):
        return None
    found = [
        definition
        for ancestor in lineage.standard
        if (definition := _definition(ancestor, name)) is not None and definition is not object
    ]
    if overridden and not found and name in vars(object):
        found = [object]
    # Of several the one counts that is named first, unless another one derives from it.
    class_ = next((each for each in found if not any(each in other.__mro__[1:] for other in found)), None)
    if class_ is None or class_.__module__ == "typing":
        # How the methods of a kind of files are called, each class of files says for itself.
        return None
    aspects = _constructor(class_, name) if overridden else None
    aspects = aspects or _aspects(class_, name)
    if aspects is None:
        return None
    return msgspec.structs.replace(
        owner.facts[0], kind=Kind.FUNCTION, key=f"{owner.facts[0].key}.{name}", name=name, aspects=aspects
    )


def is_visit(lookup: Lookup, module: Module, local: str) -> bool:
    """Whether a method (`Checker.visit_Call`) is one that `ast.NodeVisitor` calls for nodes of some class.

    It has no such methods, but the standard library's stubs declare one for each class of nodes, which stubs inherit.
    """
    parent, _, name = local.rpartition(".")
    node = getattr(ast, name.removeprefix("visit_"), None) if name.startswith("visit_") else None
    if not parent or not isinstance(node, type):
        return False
    return any(issubclass(each, ast.NodeVisitor) for each in lookup.lineage(module, parent).standard)


# What type checkers say of how builtin types and heirs of classes are made; none of it has a signature to be asked for.
_CONTENT: list[Json] = ["content", POSITIONAL_ONLY, None, "...", 0]
_NAMED: list[Json] = ["named", VAR_KEYWORD, "object", None, 0]
_TEXT: list[Json] = [
    [name, POSITIONAL_OR_KEYWORD, None, "...", 0] for name in ("object", "encoding", "errors")
]
_CONSTRUCTORS: dict[tuple[type, str], list[Json]] = {
    (dict, "__init__"): [_CONTENT, _NAMED],
    (collections.OrderedDict, "__init__"): [_CONTENT, _NAMED],
    (list, "__init__"): [_CONTENT],
    (set, "__init__"): [_CONTENT],
    (tuple, "__new__"): [_CONTENT],
    (frozenset, "__new__"): [_CONTENT],
    (str, "__new__"): _TEXT,
    (object, "__init_subclass__"): [],
}


def _constructor(class_: type, name: str) -> dict[str, Json] | None:
    """The constructor of a builtin type that holds others, or of texts; and what a class says of its heirs."""
    rows = _CONSTRUCTORS.get((class_, name))
    if rows is None:
        return None
    receiver: Json = ["self" if name == "__init__" else "cls", POSITIONAL_ONLY, None, None, 0]
    return {"kind": "method", "async": False, "parameters": [receiver, *rows], "decorators": []}


@cache
def _definition(class_: type, name: str) -> type | None:
    """The class that has a name in its body, of a class and its ancestors."""
    return next((ancestor for ancestor in class_.__mro__ if name in vars(ancestor)), None)


def _aspects(class_: type, name: str) -> dict[str, Json] | None:
    return _memory().of(class_, name)


@cache
def _memory() -> Memory:
    memory = Memory(beside.place("standard"))
    atexit.register(memory.save)
    return memory


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(dict[str, dict[str, Json] | None]).decode


class Memory:
    """What was told of standard methods before: to ask for a signature, much of the library has to be loaded."""

    def __init__(self, place: Path | None) -> None:
        self._kept = beside.Memory(place, _encode, _decode)

    def of(self, class_: type, name: str) -> dict[str, Json] | None:
        """What a function's fact tells of a method that this class defines; None where its signature is not known."""
        key, known = f"{class_.__module__}.{class_.__qualname__}.{name}", self._kept.known
        return known[key] if key in known else self._kept.add(key, _asked(class_, name))

    def save(self) -> None:
        """Keep what was asked for anew, if anything."""
        self._kept.save()


def _asked(class_: type, name: str) -> dict[str, Json] | None:
    """What `inspect` tells of a method, as a function's fact does."""
    value = vars(class_)[name]
    binding = {classmethod: "classmethod", staticmethod: "staticmethod"}.get(type(value), "method")
    function = getattr(value, "__func__", value)
    if not callable(function) or isinstance(function, type):
        return None
    from inspect import signature

    try:
        parameters = signature(function).parameters.values()
    except (ValueError, TypeError):
        return None
    rows: list[Json] = [
        [each.name, _KINDS[each.kind.name], None, None if each.default is each.empty else "...", 0]
        for each in parameters
    ]
    decorators = [] if binding == "method" else [binding]
    if getattr(function, "__isabstractmethod__", False):
        decorators.append("abc.abstractmethod")
    return {"kind": binding, "async": False, "parameters": rows, "decorators": decorators}
