"""Where names are made at run time, so that the text does not show all that a module or class has."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from graph.facts import Kind, Tag
from graph.patterns import pattern
from ingest.python.bindings import Assignment
from ingest.python.computed_names import LONGEST_NAME, OWNER, named_on, set_by_receiver
from ingest.python.constants import constant_text
from ingest.python.made_names import Made, all_made, made_here
from ingest.python.module import Module
from ingest.python.scopes import Scope

if TYPE_CHECKING:
    from ingest.python.lazy_names import Loaded

# Signs are looked for as plain bytes, which is fast, and each one is examined where it stands.
_OF_MODULE = (b"exec(", b"globals()", b"sys.modules[")
_OF_SCOPE = (b"locals()", b"vars()")
_OF_TARGET = (b"setattr(", b"vars(", b".__dict__")
_OF_RECEIVER = (b".__setattr__(",)

# Another module that is put into `sys.modules`, or names that `exec` puts elsewhere, are none of this module's.
_REPLACES_ITSELF = pattern(rb"\[\s*__name__\s*\]\s*=[^=]")
_WITH_NAMESPACE = pattern(rb"[^\n(),]*(?:\([^\n()]*\)[^\n(),]*)*,")

# A dictionary of names that is only read makes none.
_READ_BEFORE = pattern(
    rb"(?:\breturn |\bin |\b(?:dict|sorted|len|update)\(|%[ \t]*|\*\*|[=!]=[ \t]*|\.__dict__ ?= ?)\Z"
)
_READ_AFTER = pattern(
    rb"\s*(?:\.(?:copy|items|get|keys|values|clear|pop)\b|\[(?:[^][\n]|\[[^][\n]*\])*\](?!\s*=[^=])|[=!]=)"
)
# Functions that are given the names to look some of them up, and those that a condition asks.
_READERS = pattern(
    rb"(?m:\b(?:__import__|eval|format_map)\([^\n]*\Z|^[ \t]*(?:if|elif|while|assert)\b[^\n]*\Z)"
)
_LONGEST_LINE = 200
# A statement that hands the module's own name to a function, which may give the module more names: `alias(__name__)`.
_ITSELF = pattern(rb"__name__[ \t]*[,)]")
_GIVEN = pattern(rb"([A-Za-z_][\w.]*)\((?:[^()\n#'\"]*[,=( \t])?")


class Dynamic(msgspec.Struct, frozen=True):
    """Which scopes of a file may have names that its text does not show.

    `classes`: instances of any of its classes may, `"instances"` where no class itself is likely to be meant;
    `instances` are those of the classes that only give them to their instances.
    `replaced`: importers get another thing than the module, so that it need not have the names that its text shows.
    `made` are names that the module itself gets when it runs, where the text shows which, and `answers` those that its
    `__getattr__` may answer, with what they are imports of where that is known. `members` are attributes that
    `setattr` gives its classes and their instances by names that are written out, `others` such names of what is not
    known.
    """

    scopes: set[Scope]
    classes: bool | str = False
    instances: frozenset[Scope] = frozenset()
    replaced: bool = False
    made: Made = Made()
    answers: Loaded | None = None
    members: tuple[Assignment, ...] = ()
    others: frozenset[str] = frozenset()


def dynamic_scopes(module: Module) -> Dynamic:
    """Where the names are made at run time.

    Parts that the grammar could not read hide names as well. A function that sets names of a variable of its own
    may do so to an instance of any class; only where it, or the file for itself, looks modules up may it mean one.
    """
    whole, at, data = module.scopes.module, module.scopes.at, module.source.data
    found: set[Scope] = {whole} if module.root.has_error else set()
    instances: set[Scope] = set()
    replaced = False
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
    signs = (each for each in _signs(module, _OF_TARGET) if answers is None or at(each[0]) is not asked)
    targets = named_on(module, signs)
    found |= targets.scopes
    instances |= targets.instances
    made += targets.made
    for place, _ in _signs(module, _OF_RECEIVER):
        owner = _receiving_class(at(place))
        told = set_by_receiver(module, place, owner)
        if told is not None:
            targets.members += told
        elif owner is not None:
            instances.add(owner)
        else:
            found.add(whole)
    instances_only = frozenset(instances - found)
    return Dynamic(
        found | instances,
        targets.classes,
        instances_only,
        replaced,
        all_made(made),
        answers,
        tuple(targets.members),
        frozenset(targets.others),
    )


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
        owner = OWNER.search(data, max(0, place - LONGEST_NAME), place)
        start = owner.start() if owner is not None else place
    else:
        start = place
        before = data[max(0, place - 4) : place]
        if before[-1:].isalnum() or before[-1:] in (b"_", b".") or before == b"def ":
            return False
    if sign == b"sys.modules[":
        return _REPLACES_ITSELF.match(data, end - 1) is not None
    if sign == b"exec(":
        return _WITH_NAMESPACE.match(data, end) is None
    if sign == b"setattr(":
        return True
    if _READERS.search(data, max(0, start - _LONGEST_LINE), start) is not None:
        return False
    if sign == b"vars(":
        if data[end : end + 1] == b")":
            return False
        end = data.find(b")", end) + 1
    return (
        _READ_BEFORE.search(data, max(0, start - 12), start) is None and _READ_AFTER.match(data, end) is None
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
