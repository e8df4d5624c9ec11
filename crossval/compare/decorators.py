"""What decorators do to a definition, as far as it is known without running them."""

from __future__ import annotations

import msgspec

from crossval.compare.annotations import Scope
from graph.compiled import compiled
from graph.facts import Fact

_KEEP_SIGNATURE = frozenset(
    {"staticmethod", "classmethod", "property", "abc.abstractmethod", "abc.abstractproperty"}
    | {"abc.abstractclassmethod", "abc.abstractstaticmethod", "typing.overload", "typing.override"}
    | {"typing.final", "typing.no_type_check", "typing.deprecated", "warnings.deprecated"}
    | {"typing.type_check_only", "typing.dataclass_transform", "typing.runtime_checkable"}
    | {"functools.cache", "functools.lru_cache", "functools.wraps", "functools.singledispatch"}
    | {"functools.singledispatchmethod"}
    | {
        "functools.cached_property",
        "reprlib.recursive_repr",
        "enum.property",
        "enum.member",
        "enum.nonmember",
    }
    | {"types.DynamicClassAttribute", "atexit.register", "public.public", "atpublic.public"}
)
_CHANGE_RETURN = frozenset({"contextlib.contextmanager", "contextlib.asynccontextmanager"})
_PROPERTIES = frozenset(
    {"property", "functools.cached_property", "abc.abstractproperty", "enum.property"}
    | {"types.DynamicClassAttribute"}
)
_STATIC = frozenset({"staticmethod", "abc.abstractstaticmethod"})
_CLASS = frozenset({"classmethod", "abc.abstractclassmethod"})
_CLASS_DECORATORS = frozenset(
    {"dataclasses.dataclass", "functools.total_ordering", "typing.final", "typing.runtime_checkable"}
    | {"six.add_metaclass", "six.python_2_unicode_compatible", "abc.update_abstractmethods"}
    | {"zope.interface.implementer", "zope.interface.implementer_only", "zope.interface.provider"}
    | {"enum.unique", "enum.verify", "typing.type_check_only", "typing.deprecated", "warnings.deprecated"}
    | {"public.public", "atpublic.public"}
    | {"attr.s", "attr.attrs", "attr.define", "attr.frozen", "attr.mutable", "attr.dataclass"}
    | {"attrs.define", "attrs.frozen", "attrs.mutable", "typing.dataclass_transform", "typing.disjoint_base"}
)
# What counts a class among those of an abstract class of the standard library gives it back as it is.
_REGISTERS = compiled(r"(?:collections\.abc|numbers|io|os)\.[A-Z]\w+\.register")
_GIVEN_ONE = compiled(r"([\w.]+)\(\s*([A-Za-z_][\w.]*)\s*,?\s*\)")
# A name that the module neither defines nor imports by name comes from a star import: `from typing import *`.
_BY_LAST_NAME = {
    name.rpartition(".")[2]: name
    for name in sorted(_KEEP_SIGNATURE | _CHANGE_RETURN)
    if name.partition(".")[0] in {"abc", "contextlib", "functools", "typing"}
}


def decorator_names(fact: Fact, scope: Scope) -> list[str]:
    """The qualified names of a definition's decorators, without their arguments."""
    texts: list[str] = fact.aspects.get("decorators", [])
    if not texts:
        return []
    names = (scope.resolve(text.lstrip("@").partition("(")[0].strip()) for text in texts)
    return [_BY_LAST_NAME.get(name, name) for name in names]


def is_overload(function: Fact, scope: Scope) -> bool:
    """Whether a function is one of several signatures of its name, however `overload` is called here."""
    return bool(function.aspects.get("overload")) or "typing.overload" in decorator_names(function, scope)


def keeps_parameters(name: str) -> bool:
    """Whether a decorator of this qualified name surely leaves a function's parameters as they are."""
    known = name.replace("typing_extensions.", "typing.", 1)
    known = _BY_LAST_NAME.get(known, known)
    accessor = known.rpartition(".")[2] in {"setter", "getter", "deleter"}
    return accessor or known in _KEEP_SIGNATURE or known in _CHANGE_RETURN


def unknown_decorator(function: Fact, scope: Scope) -> str | None:
    """The first decorator that may change the function's signature, or None."""
    texts: list[str] = function.aspects.get("decorators", [])
    named = zip(texts, decorator_names(function, scope), strict=True)
    return next((name for text, name in named if not _is_known(name, text, scope)), None)


def _is_known(name: str, text: str, scope: Scope) -> bool:
    """Whether a decorator, which is written so, surely keeps the signature, or makes a property."""
    accessor = name.rpartition(".")[2] in {"setter", "getter", "deleter"}
    if accessor or name in _KEEP_SIGNATURE or name in _CHANGE_RETURN:
        return True
    if text.endswith(")") and f"{name}.__call__" in scope.makers:
        return True
    return name in scope.makers or scope.makers.property_of(name) is not None


def as_called(function: Fact, scope: Scope) -> Fact:
    """The function with the parameters of the one that a decorator of the project gives in its place.

    One that takes anything passes it on to the function itself, whose parameters stay.
    """
    texts: list[str] = function.aspects.get("decorators", [])
    unknown = [
        (text, name)
        for text, name in zip(texts, decorator_names(function, scope), strict=True)
        if not _is_known(name, text, scope)
    ]
    if len(unknown) != 1:
        return function
    wrapper = scope.makers.wrapper(unknown[0][1], called=unknown[0][0].endswith(")"))
    if wrapper is None:
        return function
    rows = wrapper.aspects.get("parameters", [])
    if {row[1] for row in rows} >= {"var-positional", "var-keyword"}:
        return function
    kept = {key: value for key, value in function.aspects.items() if key not in ("returns", "returned")}
    aspects = {
        **kept,
        "decorators": [text for text in texts if text != unknown[0][0]],
        "async": wrapper.aspects.get("async", False),
        "parameters": [[row[0], row[1], None, row[3], row[4]] for row in rows],
    }
    return msgspec.structs.replace(function, aspects=aspects)


def is_wrapped(function: Fact, scope: Scope) -> bool:
    """Whether a decorator of the project gives another function that has the signature of this one."""
    names = decorator_names(function, scope)
    return any(name in scope.makers or f"{name}.__call__" in scope.makers for name in names)


def keeps_class(name: str) -> bool:
    """Whether a decorator of this qualified name, which is none of the project's, gives back the class as it is."""
    return name in _CLASS_DECORATORS or _REGISTERS.fullmatch(name) is not None


def unknown_class_decorator(class_: Fact, scope: Scope) -> str | None:
    """The first decorator that may add to, or replace, the class, or None."""
    texts: list[str] = class_.aspects.get("decorators", [])
    for text, name in zip(texts, decorator_names(class_, scope), strict=True):
        if keeps_class(name) or scope.makers.leaves_class(name, called=text.endswith(")")):
            continue
        if not _given_metaclass(text, scope):
            return name
    return None


def named_metaclass(class_: Fact, scope: Scope) -> str:
    """The metaclass that a class names, or that a decorator of the project makes it anew by; else an empty text."""
    text: str = class_.aspects.get("keywords", {}).get("metaclass", "")
    given = (_given_metaclass(each, scope) for each in class_.aspects.get("decorators", ()))
    return text or next(filter(None, given), "")


def _given_metaclass(decorator: str, scope: Scope) -> str:
    match = _GIVEN_ONE.fullmatch(decorator)
    return match[2] if match and scope.makers.makes_anew(scope.resolve(match[1])) else ""


def changes_return(function: Fact, scope: Scope) -> bool:
    """Whether callers get something else than the annotated return type."""
    return any(name in _CHANGE_RETURN for name in decorator_names(function, scope))


def binding(function: Fact, scope: Scope) -> str:
    """How a function is reached: `function`, `method`, `classmethod`, `staticmethod` or `property`."""
    names = frozenset(decorator_names(function, scope))
    kind: str = function.aspects.get("kind", "function")
    if not names:
        return "property" if kind in {"setter", "deleter"} else kind
    if names & _PROPERTIES or kind in {"property", "setter", "deleter"}:
        return "property"
    if any(name not in _KEEP_SIGNATURE and scope.makers.property_of(name) is not None for name in names):
        return "property"
    if names & _STATIC:
        return "staticmethod"
    return "classmethod" if names & _CLASS else kind
