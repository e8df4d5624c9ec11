"""Which names are public, and which a stub may have for itself alone."""

from __future__ import annotations

from crossval.compare.annotations import Scope
from crossval.compare.decorators import decorator_names
from crossval.link.names.modules import Module
from graph.facts import Fact, Kind

_OF_EVERY_MODULE = frozenset(
    {"__all__", "__annotations__", "__builtins__", "__cached__", "__doc__", "__file__", "__loader__"}
    | {"__name__", "__package__", "__path__", "__spec__", "__getattr__", "__dir__"}
)


UNASKED_OF_MODULES = _OF_EVERY_MODULE | {"__author__", "__version__", "__copyright__", "__warningregistry__"}
"""Special names of a module that say something of the file, not of what it offers."""

# Special names that classes define for Python's or a tool's own use, and those of Python 2: no stub is asked for them.
_UNASKED = frozenset(
    f"__{name}__"
    for name in (
        *(
            "dict",
            "slots",
            "doc",
            "module",
            "weakref",
            "annotations",
            "all",
            "hash",
            "getattr",
            "setattr",
            "delattr",
        ),
        *("instancecheck", "subclasscheck", "subclasshook", "abstractmethods", "orig_bases", "parameters"),
        *("getstate", "setstate", "getnewargs", "getinitargs", "reduce", "reduce_ex", "slotnames"),
        *("cmp", "nonzero", "unicode", "div", "pyx_vtable", "final", "cinit", "dealloc"),
    )
)

# What stands for a module is as good as an import.
_MODULES = ("sys.modules[", "importlib.import_module(", "import_module(", "__import__(")


def is_private(name: str) -> bool:
    """Whether a name begins with an underscore, special names included."""
    return name.startswith("_")


def is_special(name: str) -> bool:
    """Whether a name is one of Python's own, such as `__len__`."""
    return name.startswith("__") and name.endswith("__")


def is_promise(fact: Fact, local: str, scope: Scope) -> bool:
    """Whether a stub that defines this name says that the code has it too.

    Private names other than functions serve the stub itself; what is public can be imported, type variables included.
    """
    name = local.rpartition(".")[2]
    if name in _OF_EVERY_MODULE or "typing.type_check_only" in decorator_names(fact, scope):
        return False
    if fact.kind is Kind.FUNCTION:
        if name == "__init__" and len(fact.aspects.get("parameters", [])) < 2:
            return False
        return not ("." in local and name in {"__getattr__", "__hash__", "__init_subclass__"})
    if is_special(name):
        return "." not in local
    return not is_private(name)


def is_public(module: Module, local: str) -> bool:
    """Whether code publishes a name of its top level: by `__all__` where there is one, else by its spelling."""
    if module.exports is not None and local in module.exports:
        return True
    if module.exports is not None:
        return False
    return not is_private(local) or (is_special(local) and local not in UNASKED_OF_MODULES)


def is_public_member(name: str) -> bool:
    """Whether a class publishes a name: a plain one, or a special one that others call."""
    return not is_private(name) or (is_special(name) and name not in _UNASKED)


def deserves_stub(fact: Fact) -> bool:
    """Whether a public definition is missed where a stub leaves it out.

    Of attributes, those are that the code annotates, or assigns outside of methods; a class that a method makes for an
    instance is as one that it assigns.
    """
    if fact.kind is Kind.CLASS and fact.aspects.get("instance"):
        return False
    if fact.kind is not Kind.ATTRIBUTE:
        return fact.name != "__init__" or len(fact.aspects.get("parameters", [])) > 1
    if fact.name == "TYPE_CHECKING" or str(fact.aspects.get("value")).startswith(_MODULES):
        return False
    return bool(fact.aspects.get("annotation")) or not (
        fact.aspects.get("instance") or fact.aspects.get("target")
    )


def is_of_class(fact: Fact) -> bool:
    """Whether a member is one that the class itself has, so that what instances are given cannot stand for it."""
    return fact.kind is Kind.CLASS or fact.aspects.get("kind") in {"classmethod", "staticmethod"}
