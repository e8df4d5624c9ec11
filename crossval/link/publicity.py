"""Which names are public, and which a stub may have for itself alone."""

from __future__ import annotations

from crossval.link.modules import Module
from graph.facts import Fact, Kind

_TYPE_FORMS = ("TypeVar(", "TypeVarTuple(", "ParamSpec(", "NewType(", "TypeAliasType(")
_OF_EVERY_MODULE = frozenset(
    {"__all__", "__annotations__", "__builtins__", "__cached__", "__doc__", "__file__", "__loader__"}
    | {"__name__", "__package__", "__path__", "__spec__", "__getattr__", "__dir__"}
)


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
    """Whether code publishes a name that it defines: by `__all__` where there is one, else by its spelling."""
    head = local.partition(".")[0]
    if any(is_private(part) for part in local.split(".")):
        return False
    return module.exports is None or head in module.exports


def deserves_stub(fact: Fact) -> bool:
    """Whether a public definition is missed where a stub leaves it out: of attributes, constants and annotated ones."""
    if fact.kind is not Kind.ATTRIBUTE:
        return True
    if fact.name == "TYPE_CHECKING":
        return False
    return fact.name.isupper() or bool(fact.aspects.get("annotation"))


def _is_plain(value: str) -> bool:
    return value[0] in "'\"-([{0123456789" or value in {"None", "True", "False"}


def _decorated(fact: Fact, name: str) -> bool:
    return any(
        text.partition("(")[0].rpartition(".")[2] == name for text in fact.aspects.get("decorators", [])
    )
