"""Where names are made at run time, so that the text does not show all that a module or class has."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from graph.facts import Kind, Tag
from graph.patterns import pattern
from ingest.python.bindings import class_of_module, receiving
from ingest.python.made_names import Made, all_made, constant_text, made_here
from ingest.python.module import Module
from ingest.python.scopes import Scope

if TYPE_CHECKING:
    from ingest.python.lazy_names import Loaded

# Signs are looked for as plain bytes, which is fast, and each one is examined where it stands.
_OF_MODULE = (b"exec(", b"globals()", b"sys.modules[")
_OF_SCOPE = (b"locals()", b"vars()")
_NAMESPACES = (b"globals()", b"locals()")
_OF_TARGET = (b"setattr(", b"vars(", b".__dict__")
_OF_RECEIVER = (b".__setattr__(",)

_TARGET = pattern(rb"(?:setattr\(\s*([\w.]+)|vars\(([\w.]+)\))")
_OWNER = pattern(rb"([\w.]+)\Z")
# Another module that is put into `sys.modules`, or names that `exec` puts elsewhere, are none of this module's.
_REPLACES_ITSELF = pattern(rb"\[\s*__name__\s*\]\s*=[^=]")
_WITH_NAMESPACE = pattern(rb"[^\n(),]*(?:\([^\n()]*\)[^\n(),]*)*,")

# A dictionary of names that is only read makes none.
_READ_BEFORE = pattern(rb"(?:\breturn |\bin |\b(?:dict|sorted|len|update)\(|%[ \t]*|\*\*|[=!]=[ \t]*)\Z")
_READ_AFTER = pattern(
    rb"\s*(?:\.(?:copy|items|get|keys|values)\b|\[(?:[^][\n]|\[[^][\n]*\])*\](?!\s*=[^=])|[=!]=)"
)
# Functions that are given the names to look some of them up, and those that a condition asks.
_READERS = pattern(
    rb"(?m:\b(?:__import__|eval|format_map)\([^\n]*\Z|^[ \t]*(?:if|elif|while|assert)\b[^\n]*\Z)"
)
_MAKES_MODULES = (b"ModuleType", b"module_from_spec", b"new_module")
# What copies an instance gives it the names that one had before.
_RESTORING = frozenset(
    {"__setstate__", "__getstate__", "__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__"}
)
# What a descriptor gives an instance goes by a name that the class has, or by one that only the descriptor knows.
_OF_DESCRIPTORS = frozenset({"__get__", "__set__", "__delete__"})
_LONGEST_LINE = 200
_LONGEST_NAME = 80
# A statement that hands the module's own name to a function, which may give the module more names: `alias(__name__)`.
_ITSELF = pattern(rb"__name__[ \t]*[,)]")
_GIVEN = pattern(rb"([A-Za-z_][\w.]*)\((?:[^()\n#'\"]*[,=( \t])?")
_LOOKS_UP = pattern(rb"sys\.modules|import_module|__import__|getmodule")
_LOOKING_UP = (b"sys.modules", b"import_module(", b"__import__(")
_LOOKS_ITSELF_UP = pattern(
    rb"sys\.modules(?:\.get\(|\[)\s*__name__|import_module\(\s*__name__|__import__\(\s*__name__"
)


class Dynamic(msgspec.Struct, frozen=True):
    """Which scopes of a file may have names that its text does not show.

    `classes`: any of its classes may; `instances` are those of the classes that only give them to their instances.
    `replaced`: importers get another thing than the module, so that it need not have the names that its text shows.
    `made` are names that the module itself gets when it runs, where the text shows which, and `answers` those that its
    `__getattr__` may answer, with what they are imports of where that is known.
    """

    scopes: set[Scope]
    classes: bool = False
    instances: frozenset[Scope] = frozenset()
    replaced: bool = False
    made: Made = Made()
    answers: Loaded | None = None


def dynamic_scopes(module: Module) -> Dynamic:
    """Where the names are made at run time.

    Parts that the grammar could not read hide names as well. A function that sets names of a variable of its own
    may do so to an instance of any class; only where it, or the file for itself, looks modules up may it mean one.
    """
    whole, at, data = module.scopes.module, module.scopes.at, module.source.data
    found: set[Scope] = {whole} if module.root.has_error else set()
    instances: set[Scope] = set()
    classes = replaced = False
    made: list[Made] = []
    asked = module.scopes.members.get((whole, "__getattr__"))
    answers = _answers(module, asked) if asked is not None else None
    for place, sign in _signs(module, _OF_MODULE):
        if answers is not None and at(place) is asked:
            continue
        replaced = replaced or sign == b"sys.modules["
        if sign == b"globals()" and (shown := made_here(module, place, sign)) is not None:
            made.append(shown)
        elif sign != b"exec(":
            found.add(whole)
        elif at(place).kind is not Kind.FUNCTION:
            found.add(at(place))
    if any(_is_outside(module, called) for called in _handed(data)):
        found.add(whole)
    for place, sign in _signs(module, _OF_SCOPE):
        if (shown := made_here(module, place, sign)) is not None:
            made.append(shown)
        elif at(place).kind is not Kind.FUNCTION:
            found.add(at(place))
    for place, sign in _signs(module, _OF_TARGET):
        if sign == b"setattr(" and (shown := made_here(module, place, sign)) is not None:
            made.append(shown)
            continue
        match = _OWNER.search(data, max(0, place - _LONGEST_NAME), place) if sign[:1] == b"." else None
        match = match or _TARGET.match(data, place)
        target = match[match.lastindex or 0].decode("utf-8", "replace") if match else ""
        scope = at(place)
        if answers is not None and scope is asked:
            continue
        root, _, inner = target.partition(".")
        method = receiving(scope, root)
        if method is not None and method.name in _RESTORING:
            continue
        if (
            method is None
            and scope.name in _OF_DESCRIPTORS
            and any(root == each[0] for each in scope.signature)
        ):
            continue
        owner = method.parent if method is not None else class_of_module(module.scopes, scope, root)
        if root and owner is None and target != "sys.modules" and _is_imported(module, scope, root):
            continue
        if owner is None or inner:
            local = scope.kind is Kind.FUNCTION and (owner is not None or _is_bound(module, scope, root))
            if (
                local
                and owner is None
                and (_is_inner_function(module, scope, root) or _is_new_module(module, scope, root))
            ):
                continue
            if local and (inner or not _may_be_module(module, scope)):
                classes = True
            else:
                found.add(whole)
        elif method is not None and method.form != "classmethod" and method.name != "__new__":
            instances.add(owner)
        else:
            found.add(owner)
    for place, _ in _signs(module, _OF_RECEIVER):
        owner = _receiving_class(at(place))
        if owner is not None:
            instances.add(owner)
        else:
            found.add(whole)
    instances_only = frozenset(instances - found)
    return Dynamic(found | instances, classes, instances_only, replaced, all_made(made), answers)


def _answers(module: Module, asked: Scope) -> Loaded | None:
    """The names that a module's `__getattr__` may answer; None where they are not known."""
    from ingest.python.lazy_names import loaded

    if module.tag is not Tag.CODE or asked.kind is not Kind.FUNCTION or asked.guard:
        return None
    scope = module.scopes.module
    text = module.source.data[asked.start : asked.end].decode("utf-8", "replace")
    end = len(module.source.data)
    means = {name: f"{module.name}.{name}" for holder, name in module.scopes.members if holder is scope}
    for (holder, name), targets in module.imports.bindings.items():
        if holder is scope and len(targets) == 1:
            means[name] = targets[0]

    def constant(name: str) -> str | None:
        return constant_text(module, name, end)

    package = module.name if module.package else module.name.rpartition(".")[0]
    return loaded(text, module.name, package, means, constant)


def _is_imported(module: Module, scope: Scope, name: str) -> bool:
    """Whether a name stands for something of another module."""
    holder: Scope | None = scope
    while holder is not None:
        targets = module.imports.bindings.get((holder, name))
        if targets:
            return module.name not in targets
        if name in holder.bound:
            return False
        holder = holder.parent
    return False


def _handed(data: bytes) -> Iterator[bytes]:
    """The functions that statements of the top level hand the module's own name to, as written."""
    for itself in _ITSELF.finditer(data) if b"__name__" in data else ():
        place = itself.start()
        call = _GIVEN.fullmatch(data, data.rfind(b"\n", 0, place) + 1, place)
        if call is not None:
            yield call[1]


def _is_outside(module: Module, dotted: bytes) -> bool:
    """Whether a name is imported from elsewhere than the standard library."""
    root = dotted.decode("ascii", "replace").partition(".")[0]
    targets = module.imports.bindings.get((module.scopes.module, root), ())
    return any(target.partition(".")[0] not in sys.stdlib_module_names for target in targets)


def _is_new_module(module: Module, scope: Scope, name: str) -> bool:
    """Whether a variable of a function holds a module that the function itself makes, and nothing else."""
    text = module.source.data[scope.body : scope.end]
    escaped = re.escape(name.encode())
    bound = re.findall(rb"(?<![\w.])%s[ \t]*=(?!=)[ \t]*([\w.]*)" % escaped, text)
    return bool(bound) and all(value.rpartition(b".")[2] in _MAKES_MODULES for value in bound)


def _may_be_module(module: Module, scope: Scope) -> bool:
    """Whether a variable of a function may hold a module: the function looks one up, or the file looks itself up."""
    data = module.source.data
    outer = scope
    while outer.parent is not None and outer.parent.kind is Kind.FUNCTION:
        outer = outer.parent
    if _LOOKS_UP.search(data, outer.body, outer.end) is not None or b"getmodule(" in data:
        return True
    is_looking = b"__name__" in data and any(sign in data for sign in _LOOKING_UP)
    return is_looking and _LOOKS_ITSELF_UP.search(data) is not None


def _is_bound(module: Module, scope: Scope, name: str) -> bool:
    """Whether a name is a variable of a function or of one around it, or what is defined in these."""
    holder: Scope | None = scope
    while holder is not None and holder.kind is Kind.FUNCTION:
        if name in holder.bound or (holder, name) in module.scopes.members:
            return True
        holder = holder.parent
    return False


def _is_inner_function(module: Module, scope: Scope, name: str) -> bool:
    """Whether a name is that of a function which is defined in this one, and of nothing else: a wrapper, mostly."""
    inner = module.scopes.members.get((scope, name))
    return inner is not None and inner.kind is Kind.FUNCTION and name not in scope.bound


def _signs(module: Module, signs: tuple[bytes, ...]) -> Iterator[tuple[int, bytes]]:
    """Where one of these signs stands in code and may make names; in strings and comments it means nothing."""
    data = module.source.data
    for sign in signs:
        place = data.find(sign)
        while place >= 0:
            if _makes_names(data, place, sign) and _is_code(module, place, sign):
                yield place, sign
            place = data.find(sign, place + len(sign))


def _makes_names(data: bytes, place: int, sign: bytes) -> bool:
    """Whether the text around a sign does not show that it only reads, or is part of another name."""
    end = place + len(sign)
    if sign[:1] == b".":
        if sign == b".__setattr__(":
            return True
        owner = _OWNER.search(data, max(0, place - _LONGEST_NAME), place)
        start = owner.start() if owner is not None else place
    else:
        start = place
        if data[place - 1 : place].isalnum() or data[place - 1 : place] in (b"_", b"."):
            return False
    if sign == b"sys.modules[":
        return _REPLACES_ITSELF.match(data, end - 1) is not None
    if sign == b"exec(":
        return _WITH_NAMESPACE.match(data, end) is None
    if sign == b"setattr(":
        return True
    if sign in _NAMESPACES and _READERS.search(data, max(0, start - _LONGEST_LINE), start) is not None:
        return False
    if sign == b"vars(":
        if data[end : end + 1] == b")":
            return False
        end = data.find(b")", end) + 1
    return (
        _READ_BEFORE.search(data, max(0, start - 10), start) is None and _READ_AFTER.match(data, end) is None
    )


def _is_code(module: Module, place: int, sign: bytes) -> bool:
    inside = place + (sign[:1] == b".")
    node = module.root.descendant_for_byte_range(inside, inside + 1)
    return node is not None and node.type == "identifier"


def _receiving_class(scope: Scope) -> Scope | None:
    """The class whose method a place is in, however deep."""
    holder: Scope | None = scope
    while holder is not None and not holder.receiver:
        holder = holder.parent
    return holder.parent if holder is not None else None
