"""Which names are public, and which a stub may have for itself alone."""

from __future__ import annotations

import collections.abc

from crossval.link.modules import Module
from graph.facts import Fact, Kind

_TYPE_FORMS = ("TypeVar(", "TypeVarTuple(", "ParamSpec(", "NewType(", "TypeAliasType(")
_OF_EVERY_MODULE = frozenset(
    {"__all__", "__annotations__", "__builtins__", "__cached__", "__doc__", "__file__", "__loader__"}
    | {"__name__", "__package__", "__path__", "__spec__", "__getattr__", "__dir__"}
)


# What Python itself calls; the rest of the special names belong to one library each, or to nobody.
_HOOKS = frozenset(
    {
        name
        for class_ in (list, dict, set, int, float, complex, str, bytes, collections.abc.Coroutine)
        for name in vars(class_)
        if name.startswith("__") and callable(getattr(class_, name))
    }
    | {
        f"__{name}__"
        for name in ("call", "enter", "exit", "aenter", "aexit", "aiter", "anext", "next", "await")
    }
    | {
        f"__{name}__"
        for name in ("get", "set", "delete", "set_name", "missing", "fspath", "length_hint", "index")
    }
    | {f"__{name}__" for name in ("matmul", "rmatmul", "imatmul", "copy", "deepcopy", "complex", "bytes")}
) - {
    f"__{name}__"
    for name in ("getnewargs", "class_getitem", "sizeof", "subclasshook", "hash", "setattr", "delattr")
}


def is_private(name: str) -> bool:
    """Whether a name begins with an underscore, special names included."""
    return name.startswith("_")


def is_special(name: str) -> bool:
    """Whether a name is one of Python's own, such as `__len__`."""
    return name.startswith("__") and name.endswith("__")


def is_promise(fact: Fact, local: str) -> bool:
    """Whether a stub that defines this name says that the code has it too.

    Type variables, aliases and private names other than functions serve the stub itself.
    """
    name = local.rpartition(".")[2]
    if name in _OF_EVERY_MODULE or _decorated(fact, "type_check_only"):
        return False
    if fact.kind is Kind.FUNCTION:
        if name == "__init__" and len(fact.aspects.get("parameters", [])) < 2:
            return False
        return not (
            "." in local and name in {"__getattr__", "__class_getitem__", "__hash__", "__init_subclass__"}
        )
    if is_special(name):
        return "." not in local
    if is_private(name):
        return False
    if fact.kind is Kind.ATTRIBUTE:
        value: str = fact.aspects.get("value") or ""
        annotation: str = fact.aspects.get("annotation") or ""
        alias = not annotation and value not in {"", "..."} and "." not in local and not _is_plain(value)
        return not (alias or annotation.endswith("TypeAlias") or any(form in value for form in _TYPE_FORMS))
    return True


def is_public(module: Module, local: str) -> bool:
    """Whether code publishes a name of its top level: by `__all__` where there is one, else by its spelling."""
    return not is_private(local) and (module.exports is None or local in module.exports)


def is_public_member(name: str) -> bool:
    """Whether a class publishes a name: a plain one, or a special method that Python calls."""
    return not is_private(name) or name in _HOOKS


def deserves_stub(fact: Fact) -> bool:
    """Whether a public definition is missed where a stub leaves it out.

    Of attributes, those are that the code annotates, writes in capitals, or gives one value outside of methods.
    """
    if fact.kind is not Kind.ATTRIBUTE:
        return fact.name != "__init__" or len(fact.aspects.get("parameters", [])) > 1
    if fact.name == "TYPE_CHECKING":
        return False
    if fact.aspects.get("annotation"):
        return True
    return not fact.aspects.get("instance") and ("value" in fact.aspects or fact.name.isupper())


def _is_plain(value: str) -> bool:
    return value[0] in "'\"-([{0123456789" or value in {"None", "True", "False"}


def _decorated(fact: Fact, name: str) -> bool:
    return any(
        text.partition("(")[0].rpartition(".")[2] == name for text in fact.aspects.get("decorators", [])
    )
