"""What a class is made with: the parameters of its constructor, or of that of the class that it derives from."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from engine.generators.functions.abstract import is_abstract
from engine.generators.functions.calls import (
    EITHER,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Parameter,
    read_parameters,
)
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.needed_steps import TRACEBACK
from engine.generators.functions.raising import may_raise
from graph.facts import Fact, Kind
from planner.functions.ancestors import FIXED, base_names
from planner.functions.drawn_values import is_checked, is_free, words_of
from planner.functions.mapping_laws import never_returns

_DEPTH = 5
_MAKING = ("__init__", "__new__")
_CONTAINERS = frozenset({"dict", "Dict", "OrderedDict", "UserDict", "list", "List", "UserList", "set", "Set"})

# Bases that have no constructor of their own.
_NOTHING_TO_MAKE = frozenset({"object", "typing.Generic", "typing.Hashable", "typing.Sized", *(
    f"typing.{name}" for name in ("MutableMapping", "Mapping", "MutableSet", "Iterable", "Iterator", "Container")
)})  # fmt: skip
# What a thing is read of, where it is not given as it is.
_LYING = frozenset({"path", "file", "filename", "filepath", "fileobj", "stream", "fp"})
_READ_OF = _LYING | frozenset(
    {
        *("url", "uri", "string", "text"),
        *("data", "content", "contents", "bytes", "buffer", "json", "xml", "dict"),
    }
)
# Bases to which nothing has to be handed on.
_ASKING_NOTHING = frozenset({"object", "Generic", "typing.Generic", "ABC", "abc.ABC", "dict", "Exception"})


def constructor(fact: Fact, surface: Surface, *, bare: bool = False) -> tuple[list[Parameter], str]:
    """The parameters with which a class is made, of its own or of a base, and the module that names their types.

    Of several signatures the first; with `bare` the first by which nothing has to be given.
    Raises NoTestError where nobody says, or where only what derives from the class is meant to be made.
    """
    nothing = NoTestError(f"how an object of {fact.name} is made")
    if fact.aspects.get("keywords") or is_abstract(fact, surface):
        raise nothing
    if _may_be_another(fact, surface):
        raise NoTestError(f"whether a call of {fact.name} makes an object of it at once")
    refuse_raising(fact, surface)
    members = surface.members(fact)
    made = [each for each in members if each.kind is Kind.FUNCTION and each.name in _MAKING]
    module = surface.module(fact)
    if made:
        every = [
            read_parameters(each.aspects["parameters"], receiver=True) for each in surface.overloads(made[0])
        ]
        idle = (each for each in every if bare and not any(one.required for one in each))
        found = next(idle, every[0])
        is_handed_on = any(each.kind in (VAR_POSITIONAL, VAR_KEYWORD) for each in found)
        if is_handed_on and not all(_asks_nothing(name, module, surface) for name in base_names(fact)):
            raise NoTestError(f"what the bases of {fact.name} are made of")
        if found and all(each.name.startswith("_") for each in found):
            raise nothing  # It is nobody else's business.
        return found, module
    bases = [surface.resolved(str(each).partition("[")[0], module) for each in fact.aspects["bases"]]
    if any("dataclass" in str(each) for each in fact.aspects.get("decorators", ())) and not bases:
        return [
            Parameter(each.name, EITHER, str(each.aspects["annotation"]), each.aspects.get("value"))
            for each in members
            if each.kind is Kind.ATTRIBUTE
            and "ClassVar" not in str(each.aspects.get("annotation", "ClassVar"))
        ], module
    if fact.aspects.get("decorators"):
        raise nothing
    for base in bases:
        known = surface.at(base)
        if known is not None and known.kind is Kind.CLASS and known is not fact:
            if base != bases[-1] and _brings_none(known, surface):
                continue
            return constructor(known, surface, bare=bare)
        if base not in _NOTHING_TO_MAKE and not base.startswith("collections.abc."):
            raise nothing
    if bare_name := next((each.name for each in members if _is_unfilled(each)), ""):
        raise NoTestError(f"what gives a new {fact.name} its {bare_name}: it has no constructor")
    return [], module


def _brings_none(fact: Fact, surface: Surface, depth: int = _DEPTH) -> bool:
    """Whether a class has no constructor of its own or of a base, so that the next base of an heir may bring one."""
    if any(each.name in _MAKING for each in surface.members(fact)) or fact.aspects.get("decorators"):
        return False
    module = surface.module(fact)
    for name in base_names(fact):
        known = surface.at(surface.resolved(name, module))
        if surface.resolved(name, module) in (*_NOTHING_TO_MAKE, "abc.ABC"):
            continue
        if (
            known is None
            or known.kind is not Kind.CLASS
            or not depth
            or not _brings_none(known, surface, depth - 1)
        ):
            return False
    return True


def _is_unfilled(member: Fact) -> bool:
    """Whether what a class has is only annotated: somebody else gives it to each object."""
    annotation = str(member.aspects.get("annotation") or "ClassVar")
    is_open = (
        member.aspects.get("value") is None and "ClassVar" not in annotation and "Final" not in annotation
    )
    return member.kind is Kind.ATTRIBUTE and is_open and not member.name.startswith("_")


def is_filled(made: str) -> bool:
    """Whether something is in what an object is made of, as source."""
    return any(
        (isinstance(node, ast.Dict) and bool(node.keys))
        or (isinstance(node, ast.List | ast.Set | ast.Tuple) and bool(node.elts))
        for node in ast.walk(ast.parse(made))
    )


def takes_anything(fields: Sequence[Parameter]) -> bool:
    """Whether a class says of nothing that it is made of how many there have to be, or what they are called."""
    variadic = [
        each.kind for each in fields if each.kind in (VAR_POSITIONAL, VAR_KEYWORD) and not each.annotation
    ]
    return VAR_POSITIONAL in variadic or len(variadic) == len(fields) > 0


def holds_by_itself(fact: Fact, surface: Surface, depth: int = _DEPTH) -> bool:
    """Whether a class is a container of Python's own, which is made of nothing as well as of anything."""
    module = surface.module(fact)
    for name in base_names(fact):
        known = surface.at(surface.resolved(name, module))
        if name.rpartition(".")[2] in _CONTAINERS:
            return True
        if (
            known is not None
            and known.kind is Kind.CLASS
            and depth
            and holds_by_itself(known, surface, depth - 1)
        ):
            return True
    return False


def refuse_unhashable(fact: Fact, surface: Surface) -> None:
    """Raise NoTestError for a container that is changed in place, unless its name says that it is not: most have a
    hash only while they are told to stay as they are."""
    if holds_by_itself(fact, surface) and not FIXED.search(fact.name):
        raise NoTestError(f"whether a {fact.name}, which can be changed, has a hash")


def _asks_nothing(name: str, module: str, surface: Surface) -> bool:
    """Whether nothing has to be handed on to a base: to one that has no constructor, to a container of Python's own, or
    what derives from one and may be told nothing itself."""
    key = surface.resolved(name, module)
    if name in _ASKING_NOTHING or key in _NOTHING_TO_MAKE or key.startswith("collections.abc."):
        return True
    known = surface.at(key)
    if known is not None and known.kind is Kind.CLASS and _brings_none(known, surface):
        return True
    if known is None or known.kind is not Kind.CLASS or not holds_by_itself(known, surface):
        return False
    made = [each for each in surface.members(known) if each.kind is Kind.FUNCTION and each.name in _MAKING]
    rows = read_parameters(made[0].aspects["parameters"], receiver=True) if made else []
    return not any(each.required for each in rows)


def refuse_refused(fact: Fact, source: str, surface: Surface) -> None:
    """Raise NoTestError for a new object, as source, that its constructor may refuse by what its docstring says."""
    members = surface.members(fact)
    made = next((each for each in members if each.kind is Kind.FUNCTION and each.name in _MAKING), None)
    if made is not None:
        signature = surface.overloads(made)[0]
        if may_raise(made, source, read_parameters(signature.aspects["parameters"], receiver=True), surface):
            raise NoTestError(
                f"what an object of {fact.name} is made of, so that its constructor does not raise"
            )
        return
    module = surface.module(fact)
    bases = [surface.at(surface.resolved(name, module)) for name in base_names(fact)]
    known = next((each for each in bases if each is not None and each.kind is Kind.CLASS), None)
    if known is not None and known is not fact:
        refuse_refused(known, source, surface)


def refuse_raising(fact: Fact, surface: Surface) -> None:
    """Raise NoTestError for a class whose own constructor never comes to its end: something else makes its objects.

    One that is not implemented yet is to come to its end some day.
    """
    for one in surface.same(fact):
        made = [
            each for each in surface.members(one) if each.name in _MAKING and not each.aspects.get("overload")
        ]
        if any(_never_ends(each) for each in made):
            raise NoTestError(f"how an object of {fact.name} is made: its constructor raises")


def _never_ends(fact: Fact) -> bool:
    raised = str(fact.aspects.get("always_raises", "NotImplementedError")).rpartition(".")[2]
    return raised != "NotImplementedError" or never_returns(fact)


def refuse_untold(fields: Sequence[Parameter], fact: Fact, *, idle: bool) -> None:
    """Raise NoTestError for an object that would be made of nothing, though it asks first of all for what it is about,
    or may be told only one of several things; with `idle`, one that can be told anything or nothing is made.
    """
    if fields and fields[0].default in ("''", '""') and not (idle or is_free(fields[0].name)):
        raise NoTestError(f"what an object of {fact.name} is made of: an empty {fields[0].name} may not do")
    untold = [each for each in fields if is_untold(each)]
    is_whole = len(untold) == len(fields)
    if untold and (fields[0] in untold or is_whole) and not (idle and is_whole):
        raise NoTestError(f"what an object of {fact.name} is made of")


def refuse_left_out(fields: Sequence[Parameter], left_out: Sequence[Parameter], fact: Fact) -> None:
    """Raise NoTestError for an object that is left without what is looked at at once, such as a version, or that can be
    read of several things, of which none is given (`delta=None, delta_path=None, delta_file=None`), or else is told
    several (`width=None, depth=None, filepath=None`).
    """
    for each in left_out:
        if each.default in ("''", '""') and is_checked(each.name):
            raise NoTestError(f"whether an object of {fact.name} can have an empty {each.name}")
    untold = [each for each in left_out if is_untold(each)]
    ways = [each.name for each in untold if {*words_of(each.name)[-1:]} & _READ_OF]
    others = [each for each in untold if each.name not in ways]
    place = next((name for name in ways if {*words_of(name)[-1:]} & _LYING), "")
    if place and len(others) > 1 and not any(is_untold(each) for each in fields if each not in untold):
        raise NoTestError(f"what an object of {fact.name} is made of: `{place}` or `{others[0].name}`")
    if fields and fields[0] in untold and len(ways) > 1:
        raise NoTestError(
            f"what an object of {fact.name} is made of: `{ways[0]}`, `{ways[1]}` or something else"
        )


def refuse_together(name: str, fields: Sequence[Parameter], fact: Fact) -> None:
    """Raise NoTestError for what is given together with others, or not at all: `post`, `post_tag`, `post_sep`."""
    first = name.partition("_")[0]
    open_ones = {
        each.name for each in fields if not each.required and (is_untold(each) or each.default == "...")
    }
    family = {each for each in open_ones if each == first or each.startswith(f"{first}_")}
    if name in family and first in family and len(family) > 1:
        other = next(each for each in sorted(family) if each != name)
        raise NoTestError(f"whether a {fact.name} can have a {name} without a {other}")


def refuse_shown_refusal(fact: Fact, surface: Surface) -> None:
    """Raise NoTestError for a class of which an example shows that not everything makes an object."""
    docs = (each.aspects.get("doc") for each in surface.same(fact))
    rows = (row for doc in docs if isinstance(doc, dict) for row in doc.get("examples", ()))
    if any(str(row[0]).startswith(f"{fact.name}(") and TRACEBACK.match(str(row[1])) for row in rows):
        raise NoTestError(f"what a {fact.name} takes: an example shows what it refuses")


def may_be_shared(fact: Fact, surface: Surface) -> bool:
    """Whether a class may have one object for all, as it makes its objects itself and derives from nothing."""
    return not set(base_names(fact)) - {"object"} and any(
        each.name == "__new__" for one in surface.same(fact) for each in surface.members(one)
    )


def is_untold(parameter: Parameter) -> bool:
    """Whether what is left out is not there: `None`, or a default that the stub leaves open and that may be `None`."""
    is_open = parameter.default == "..." and re.search(r"\bNone\b|Optional\[", parameter.annotation or "")
    return parameter.default in ("None", "-1") or bool(is_open)


def _may_be_another(fact: Fact, surface: Surface, depth: int = _DEPTH) -> bool:
    """Whether a class, or one that it derives from, has a `__new__` that takes anything beside its constructor."""
    for each in surface.same(fact):
        made = {one.name: one for one in surface.members(each) if one.name in _MAKING}
        kinds = [str(row[1]) for row in made["__new__"].aspects["parameters"]] if len(made) > 1 else []
        if VAR_POSITIONAL in kinds or VAR_KEYWORD in kinds:
            return True
    module = surface.module(fact)
    bases = [surface.at(surface.resolved(name, module)) for name in base_names(fact)]
    return depth > 0 and any(
        base is not None and base.kind is Kind.CLASS and _may_be_another(base, surface, depth - 1)
        for base in bases
    )
