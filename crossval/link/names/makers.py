"""What functions and classes of the project make of the functions that they are given: decorators, properties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from crossval.compare.annotations import Scope
from crossval.compare.decorators import keeps_class
from crossval.compare.making import Accessors
from crossval.link.names.typed_decorators import keeps_signature
from graph.compiled import compiled
from graph.facts import Fact, Kind

_VARIANT = compiled(r"~\d+")
_LOCAL = ".<locals>."
_PROPERTIES = frozenset({"property", "functools.cached_property", "abc.abstractproperty"})
_MOST_CALLS = 3
_VARIABLES = frozenset({"TypeVar", "ParamSpec"})
_INSTANCE = compiled(r"([A-Za-z_][\w.]*)\(")
_PARTIAL = compiled(r"(?:functools\.)?partial\(\s*([A-Za-z_][\w.]*)\s*[,)]")


class Definitions(Protocol):
    """What is asked of a module."""

    @property
    def definitions(self) -> Mapping[str, tuple[Fact, ...]]:
        """Each name within the module with its variants."""

    @property
    def scope(self) -> Scope:
        """What names mean in the module."""


class Owners(Protocol):
    """What is asked of all modules of one witness."""

    def owner(self, qualified: str) -> tuple[str, str] | None:
        """The module that a qualified name begins with, and the rest."""

    def module(self, name: str) -> Definitions | None:
        """A module by its name."""


class Makers:
    """Tells what becomes of a function that is given to a function or class of the project.

    As a container it holds the names of the decorators that keep a function's signature: they give it back, or one
    that `functools.wraps` or `update_wrapper` makes look like it, that hands on what it is given and has no signature
    of its own; or their annotations say so.
    """

    def __init__(self, owners: Owners) -> None:
        self._owners = owners
        self._inner: dict[str, list[Fact]] = {}
        self._wrapping: set[str] = set()
        self._changing: set[str] = set()
        self._keeps: dict[str, bool] = {}

    def add(self, function: Fact) -> None:
        """Look at a function that is defined within another."""
        key = _VARIANT.sub("", function.key)
        self._inner.setdefault(key, []).append(function)
        decorators = function.aspects["decorators"]
        if function.aspects.get("signature_set") or function.aspects.get("hands_on_others"):
            self._changing.add(key.partition(_LOCAL)[0])
        elif any(text.partition("(")[0].rpartition(".")[2] == "wraps" for text in decorators):
            self._wrapping.add(key.partition(_LOCAL)[0])

    def __contains__(self, qualified: object) -> bool:
        """Whether a function of this qualified name is a decorator that keeps the signature."""
        if not isinstance(qualified, str):
            return False
        if qualified not in self._keeps:
            function = self._function(qualified)
            names = {qualified, function.key} if function is not None else {qualified}
            self._keeps[qualified] = names.isdisjoint(self._changing) and (
                not names.isdisjoint(self._wrapping)
                or (function is not None and (self._passes_on(function) or self._says_so(function)))
            )
        return self._keeps[qualified]

    def property_of(self, qualified: str) -> Accessors | None:
        """The accessors of the property that a function or class of this name gives; None where it gives none."""
        for _ in range(_MOST_CALLS):
            fact = self._definition(qualified)
            if fact is None:
                return None
            if fact.kind is Kind.CLASS:
                return Accessors(None, None) if self._is_property(qualified, fact) else None
            match fact.aspects.get("gives"):
                case ["property", setter, deleter]:
                    return Accessors(setter, deleter)
                case ["call", str() as name]:
                    qualified = self._resolved(qualified, name)
                case _:
                    return None
        return None

    def wrapper(self, qualified: str, *, called: bool) -> Fact | None:
        """The function that a decorator, or what calling one gives, puts in place of the decorated one."""
        function = self._function(qualified)
        for _ in range(2 if called else 1):
            function = self._given(function) if function is not None else None
        if function is None or function.aspects["decorators"] or function.aspects.get("signature_set"):
            return None
        return function

    def leaves_class(self, qualified: str, *, called: bool) -> bool:
        """Whether a decorator, or what calling one gives, does nothing with a class but to keep it somewhere.

        A variable may hold one that the standard library or `attrs` has: `frozen = partial(dataclass, frozen=True)`.
        """
        fact = self._definition(qualified)
        value = fact.aspects.get("value") if fact is not None and not fact.aspects.get("guard") else None
        held = (_PARTIAL.match(value) or _INSTANCE.match(value)) if isinstance(value, str) else None
        if held is not None and keeps_class(self._resolved(qualified, held[1])):
            return True
        function = self._function(qualified)
        if called and function is not None:
            function = self._given(function)
        return function is not None and bool(function.aspects.get("only_stores"))

    def makes_anew(self, qualified: str) -> bool:
        """Whether calling a function with a metaclass gives a decorator that makes a class anew by this one."""
        function = self._function(qualified)
        inner = self._given(function) if function is not None else None
        if function is None or inner is None:
            return False
        first = function.aspects["parameters"][:1]
        return bool(first) and inner.aspects.get("gives") == ["class", first[0][0]]

    def instance_of(self, qualified: str, *, called: bool) -> str:
        """The qualified name of the class of which a decorator, or what calling one gives, makes an instance."""
        fact = self._definition(qualified)
        if fact is not None and fact.kind is Kind.CLASS:
            return "" if called else fact.key
        function = self._function(qualified)
        if called and function is not None:
            function = self._given(function)
        match function.aspects.get("gives") if function is not None else None:
            case ["instance", str() as name]:
                owner = self._owners.owner(function.key) if function is not None else None
                return f"{owner[0]}.{name}" if owner is not None else ""
        return ""

    def _given(self, function: Fact, kinds: tuple[str, ...] = ("function",)) -> Fact | None:
        """The function within another that this one gives."""
        gives = function.aspects.get("gives") or ("", "")
        inner = self._inner.get(f"{_VARIANT.sub('', function.key)}{_LOCAL}{gives[1]}", [])
        return inner[0] if gives[0] in kinds and len(inner) == 1 else None

    def _passes_on(self, function: Fact) -> bool:
        """Whether a decorator, or one that a function makes, gives the very function that it is given."""
        for _ in range(_MOST_CALLS):
            match function.aspects.get("gives"):
                case ["parameter", _] | ["function", _, True]:
                    return True
            inner = self._given(function, ("function", "either"))
            if inner is None:
                return False
            function = inner
        return False

    def _says_so(self, function: Fact) -> bool:
        """Whether the annotations of a decorator say that it keeps the signature, and what it gives is not known."""
        owner = self._owners.owner(function.key)
        module = self._owners.module(owner[0]) if owner is not None else None
        if module is None or self._given(function) is not None:
            return False
        scope = module.scope
        return keeps_signature(function, lambda name: self._is_variable(scope.resolve(name)))

    def _is_variable(self, qualified: str) -> bool:
        """Whether a name is one of a type variable, or a variable for parameters."""
        fact = self._definition(qualified)
        value = fact.aspects.get("value") if fact is not None else None
        called = value.partition("(")[0].rpartition(".")[2] if isinstance(value, str) else ""
        return called in _VARIABLES

    def _function(self, qualified: str) -> Fact | None:
        """The function of a name; one that calls an instance of that name (`deprecated = Deprecator()`), or a method of
        such an instance."""
        fact = self._definition(qualified)
        if fact is not None and fact.kind is Kind.ATTRIBUTE:
            fact = self._method(fact, "__call__")
        elif fact is None:
            holder, _, name = qualified.rpartition(".")
            instance = self._definition(holder) if holder else None
            fact = self._method(instance, name) if instance is not None else None
        return fact if fact is not None and fact.kind is Kind.FUNCTION else None

    def _method(self, instance: Fact, name: str) -> Fact | None:
        """A method of the project's class that the value of an attribute is made of."""
        value = instance.aspects.get("value") if instance.kind is Kind.ATTRIBUTE else None
        made = _INSTANCE.match(value) if isinstance(value, str) else None
        if made is None or instance.aspects.get("guard"):
            return None
        class_ = self._definition(self._resolved(instance.key, made[1]))
        if class_ is None or class_.kind is not Kind.CLASS:
            return None
        return self._definition(f"{class_.key}.{name}")

    def _definition(self, qualified: str) -> Fact | None:
        """The only definition of a qualified name, wherever it is imported from."""
        for _ in range(_MOST_CALLS):
            owner = self._owners.owner(qualified)
            module = self._owners.module(owner[0]) if owner is not None else None
            if owner is None or module is None:
                return None
            facts = module.definitions.get(owner[1], ())
            if facts:
                return facts[0] if len(facts) == 1 else None
            imported = module.scope.resolve(owner[1])
            if not owner[1] or imported in (qualified, owner[1]):
                return None
            qualified = imported
        return None

    def _resolved(self, function: str, name: str) -> str:
        """What a name means where a function of the project stands."""
        fact = self._definition(function)
        owner = self._owners.owner(fact.key if fact is not None else function)
        module = self._owners.module(owner[0]) if owner is not None else None
        return module.scope.resolve(name) if module is not None else name

    def _is_property(self, qualified: str, class_: Fact) -> bool:
        """Whether a class is a property by its base, or by its name and its `__get__`."""
        owner = self._owners.owner(class_.key)
        module = self._owners.module(owner[0]) if owner is not None else None
        if owner is None or module is None:
            return False
        bases = class_.aspects.get("bases", [])
        if any(module.scope.resolve(base) in _PROPERTIES for base in bases):
            return True
        return class_.name.lower().endswith("property") and f"{owner[1]}.__get__" in module.definitions
