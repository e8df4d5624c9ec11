"""Compares classes as a whole: their bases, their metaclass, and which keys of typed dictionaries are required."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator

from crossval.compare.classes import compare_bases, is_weightless
from crossval.compare.decorators import named_metaclass
from crossval.compare.discrepancies import Comparison, Discrepancy
from crossval.compare.typenames import UNINFORMATIVE
from crossval.link.names.found import Found, Presence
from crossval.link.names.lineage import Lineage
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Library, Module
from crossval.link.names.publicity import is_private
from crossval.pairs import Difference, Stricter
from graph.facts import Fact, Kind

_TYPED_DICT = "typing.TypedDict"
_NAMED_TUPLE = "NamedTuple"
_OF_BASE = "of "
_OF_ABSTRACT = frozenset({"abc.ABCMeta", "typing._ProtocolMeta"})


def compare_classes(
    stub: Module, here: str, found: Found, in_stubs: Lookup, in_code: Lookup, code: Library
) -> Comparison:
    """How the class of the code differs from the one that the stub has as `here`, apart from their members.

    Each has one definition.
    """
    module, local = found.module, found.local
    if module is None:
        return Comparison()
    spec = stub.definitions[here][0]
    bases = _compare_bases(stub, here, found, in_stubs, in_code, code)
    promised = _metaclass(in_stubs, stub, here)
    if promised == ("type", False) and _is_container(in_stubs.lineage(stub, here)):
        # For type checkers `list` and its like derive from abstract classes.
        promised = ("abc.ABCMeta", False)
    metaclasses = _compare_metaclasses(promised, _metaclass(in_code, module, local), code.packages)
    named = promised[0] if promised is not None and promised[0] in _OF_ABSTRACT else ""
    if metaclasses.discrepancies and named in _ancestry(in_code, module, local):
        metaclasses = Comparison()
    return (
        bases
        + metaclasses
        + _compare_keys((stub, here, spec), (module, local, found.facts[0]), in_stubs, in_code)
    )


def _compare_bases(
    stub: Module, here: str, found: Found, in_stubs: Lookup, in_code: Lookup, code: Library
) -> Comparison:
    assert found.module is not None, "the class of the code lies in the project"
    module = found.module
    lineage = in_code.lineage(module, found.local)
    texts: list[str] = stub.definitions[here][0].aspects.get("bases", [])
    own = found.local.rpartition(".")[2]
    registered = _registered(found.facts[0]) | code.of_others.abstract(found.facts[0].name)
    classes = (in_code.base(module, name) for name in registered)
    registered |= {each.__name__ for class_ in classes if isinstance(class_, type) for each in class_.__mro__}

    def is_only_in_stubs(text: str) -> bool:
        """Whether the code's class has the base under another name, or is it, or the base is one of the stubs alone."""
        base = in_stubs.base(stub, text)
        name = base.__name__ if isinstance(base, type) else base[1] if isinstance(base, tuple) else base
        last = name.rpartition(".")[2]
        if (
            last in lineage.ancestors
            or last in registered
            or (last == own and own != here.rpartition(".")[2])
        ):
            return True
        if isinstance(base, type):
            return any(issubclass(each, base) for each in lineage.standard)
        if not isinstance(base, tuple):
            return False
        owner = code.module(base[0].name)
        return owner is None or in_code.find(owner, base[1]).presence is not Presence.PRESENT

    kept = compare_bases(
        texts,
        found.facts[0].aspects.get("bases", []),
        lineage.ancestors,
        stub.scope,
        private=[text for text in texts if is_only_in_stubs(text)],
        unknown=lineage.outside,
    )
    return kept + _undeclared_bases(stub, here, found.facts[0], module, in_stubs, in_code)


def _registered(class_: Fact) -> frozenset[str]:
    """The classes, by their last components, that a decorator counts a class among, or is given to make it one of
    these: `@Thenable.register`, `@_simple_enum(IntEnum)`."""
    names: set[str] = set()
    for text in class_.aspects.get("decorators", []):
        called, _, given = text.lstrip("@").partition("(")
        holder, _, name = called.rpartition(".")
        names.update(
            word for each in given.rstrip(")").split(",") if (word := each.rpartition(".")[2].strip())
        )
        if name == "register":
            names.add(holder.rpartition(".")[2])
    return frozenset(names)


def _undeclared_bases(
    stub: Module, here: str, code: Fact, module: Module, in_stubs: Lookup, in_code: Lookup
) -> Comparison:
    """The public bases of the code's class that the stub's class has not among its ancestors."""
    lineage = in_stubs.lineage(stub, here)
    if lineage.outside:
        return Comparison()
    lacking = []
    for text in code.aspects.get("bases", []):
        base = in_code.base(module, text)
        name = _declarable(base, in_stubs, in_code, module, text, stub)
        # For type checkers `dict` and its like derive from abstract classes.
        registered = isinstance(base, type) and any(
            issubclass(each, tuple if name == _NAMED_TUPLE else base) for each in lineage.standard
        )
        if name and name not in lineage.ancestors and not registered:
            lacking.append(text)
    if not lacking:
        return Comparison()
    difference = Difference(
        change="inherits",
        spec=stub.definitions[here][0].aspects.get("bases", []),
        code=lacking,
        stricter=Stricter.SPEC,
    )
    return Comparison((Discrepancy("", difference),))


def _declarable(
    base: tuple[Module, str] | type | str,
    in_stubs: Lookup,
    in_code: Lookup,
    module: Module,
    text: str,
    stub: Module,
) -> str:
    """The last component of a base's name where a stub could and should name it too, else an empty text.

    What lies outside the project is meant where the stub imports it.
    """
    if "(" in text.partition("[")[0]:
        # What a call gives has another name.
        return ""
    if isinstance(base, str):
        # A name of the project's own that stands for no class that is known may stand for one that the stub has.
        known = _is_reachable(base, stub) and not is_weightless(base) and not in_code.is_own(base)
        return base.rpartition(".")[2] if known else ""
    if isinstance(base, type):
        name = module.scope.resolve(text.partition("[")[0].strip())
        # Instances of a named tuple are tuples, which a class of the same attributes are not.
        return "" if is_weightless(name) and base.__name__ != _NAMED_TUPLE else base.__name__
    owner, local = base
    return local.rpartition(".")[2] if in_stubs.has_class(owner.name, local) else ""


def _is_reachable(base: str, stub: Module) -> bool:
    """Whether a stub can name a class from outside the project: by what it imports, or from the standard library."""
    head, _, last = base.rpartition(".")
    if head.partition(".")[0] in sys.stdlib_module_names:
        return not is_private(last) and not is_private(head)
    return any(base == target or base.startswith(f"{target}.") for target in stub.imports.values())


def _metaclass(lookup: Lookup, module: Module, local: str) -> tuple[str, bool] | None:
    """The qualified name of a class's metaclass, and whether a class of the project names it; None if not known.

    Where a base from outside brings it, it is `of` that base, unless a metaclass of the project's own is named, which
    no base from outside can have.
    """
    lineage = lookup.lineage(module, local)
    for owner, name in lineage.classes:
        for fact in owner.definitions.get(name, ()):
            text = named_metaclass(fact, owner.scope)
            qualified = owner.scope.resolve(text) if text else ""
            bases = (lookup.base(owner, text) for text in fact.aspects.get("bases", []))
            outside = next((base for base in bases if isinstance(base, str)), "")
            if outside and not (qualified and lookup.is_own(qualified)):
                if outside in UNINFORMATIVE:
                    return None
                imported = "." in outside and not lookup.is_own(outside) and not qualified
                return (f"of {outside}", False) if imported else None
            if qualified:
                return None if qualified in UNINFORMATIVE else (qualified, True)
    made = next((type(ancestor) for ancestor in lineage.standard if type(ancestor) is not type), type)
    return f"{made.__module__}.{made.__qualname__}".removeprefix("builtins."), False


def _ancestry(lookup: Lookup, module: Module, local: str) -> frozenset[str]:
    """What the metaclass that a class names derives from, by qualified names; ancestors in the project count."""
    for owner, name in lookup.lineage(module, local).classes:
        for fact in owner.definitions.get(name, ()):
            text = named_metaclass(fact, owner.scope)
            named = lookup.base(owner, text) if text else None
            if isinstance(named, tuple):
                return frozenset(
                    holder.scope.resolve(base)
                    for holder, class_ in lookup.lineage(*named).classes
                    for each in holder.definitions.get(class_, ())
                    for base in each.aspects.get("bases", ())
                )
    return frozenset()


def _is_container(lineage: Lineage) -> bool:
    """Whether a class derives from a standard one that counts as an abstract collection or iterator."""
    return any(issubclass(each, Collection | Iterator) for each in lineage.standard)


def _compare_metaclasses(
    spec: tuple[str, bool] | None, code: tuple[str, bool] | None, packages: Collection[str]
) -> Comparison:
    """A metaclass counts that the code's class or an ancestor names in the project, and that of abstract classes where
    the stub's class has none."""
    if spec is None or code is None or code[0].startswith(_OF_BASE):
        return Comparison()
    if spec[0].startswith(_OF_BASE):
        # What the stub takes from a module of the project that has no stub may have it.
        base = spec[0].removeprefix(_OF_BASE)
        if base.partition(".")[0] in packages or code[0].partition(".")[0] not in packages:
            return Comparison()
    # One that the stub names and the code lacks is a difference; that of abstract classes helps type checkers.
    only_in_stub = spec[1] and code[0] == "type" and spec[0] not in _OF_ABSTRACT
    if not code[1] and (code[0] not in _OF_ABSTRACT or spec[0] != "type") and not only_in_stub:
        return Comparison()
    if spec[0].rpartition(".")[2] == code[0].rpartition(".")[2] or {spec[0], code[0]} <= _OF_ABSTRACT:
        return Comparison()
    difference = Difference(change="metaclass", spec=spec[0], code=code[0], stricter=Stricter.NEITHER)
    return Comparison((Discrepancy("", difference),))


def is_typed_dictionary(lookup: Lookup, module: Module, local: str) -> bool:
    """Whether a class is a typed dictionary, by itself or by an ancestor in the project.

    Projects import the name from where their oldest Python has it, so its last component tells.
    """
    return any(
        owner.scope.resolve(base).rpartition(".")[2] == _TYPED_DICT.rpartition(".")[2]
        for owner, name in lookup.lineage(module, local).classes
        for fact in owner.definitions.get(name, ())
        for base in fact.aspects.get("bases", [])
    )


def _compare_keys(
    spec: tuple[Module, str, Fact], code: tuple[Module, str, Fact], in_stubs: Lookup, in_code: Lookup
) -> Comparison:
    """Which keys of a typed dictionary are required on one side only."""
    ours, theirs = _keys(*spec, in_stubs), _keys(*code, in_code)
    if ours is None or theirs is None:
        return Comparison()
    shared = [name for name in ours if name in theirs and ours[name] != theirs[name]]
    if not shared:
        return Comparison()
    by_spec = [name for name in shared if ours[name]]
    by_code = [name for name in shared if theirs[name]]
    difference = Difference(change="required", spec=by_spec, code=by_code, stricter=Stricter.NEITHER)
    return Comparison((Discrepancy("", difference),))


def _keys(module: Module, local: str, class_: Fact, lookup: Lookup) -> dict[str, bool] | None:
    """The keys that a typed dictionary itself defines, and whether each is required; None where it is none."""
    if not is_typed_dictionary(lookup, module, local):
        return None
    total = class_.aspects.get("keywords", {}).get("total", "True")
    if total not in {"True", "False"}:
        return None
    keys: dict[str, bool] = {}
    for name in module.members.get(local, ()):
        fact = module.definitions[f"{local}.{name}"][0]
        annotation = fact.aspects.get("annotation")
        if fact.kind is Kind.ATTRIBUTE and isinstance(annotation, str):
            wrapper = module.scope.resolve(annotation.strip("\"'").partition("[")[0].strip())
            # As with the dictionary itself, the last component tells: `from compat import PyNotRequired`.
            marked = "[" in annotation and wrapper.endswith("Required")
            keys[name] = not wrapper.endswith("NotRequired") if marked else total == "True"
    return keys
