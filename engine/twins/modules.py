"""Twins of modules: source text with the signatures of stubs, whose functions answer as docstrings and types say.

A twin knows nothing but facts. A mutant is a twin in which one statement about one function or class is broken.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from engine.generators.functions.calls import (
    EITHER,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Parameter,
    header,
    parameters_of,
)
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.values import Maker
from engine.generators.values.known_values import Value
from engine.twins.modules_bodies import Bodies, nothing_of
from engine.twins.modules_broken import Broken, subject
from engine.twins.modules_echo import BOUNDED, HEAD, STORING
from engine.twins.modules_enumerations import any_member, is_enumeration
from engine.twins.modules_objects import HEAD as OBJECTS
from engine.twins.modules_parameters import changed
from graph.facts import Fact, Kind
from graph.literals import is_literal
from planner.functions.ancestors import OF_MAPPINGS, base_names, is_for_types_alone, is_mapping

_RECEIVED = {"method": "self", "classmethod": "cls", "property": "self"}
_FORMS = frozenset({"classmethod", "staticmethod", "property"})


# What Python asks of any class, which a function of this name would mislead.
_ASKED_BY_PYTHON = frozenset(
    f"__{name}__"
    for name in ("signature", "wrapped", "class", "dict", "doc", "name", "qualname", "module", "slots")
)


def bases_first(members: Sequence[Fact]) -> list[Fact]:
    """The members of a module in their order, but each class behind those that it derives from.

    What only the code has stands before what a stub has, and may derive from it.
    """
    classes = {each.name: each for each in members if each.kind is Kind.CLASS}
    listed: dict[str, Fact] = {}

    def put(fact: Fact, before: frozenset[str]) -> None:
        for name in base_names(fact) if fact.kind is Kind.CLASS else ():
            if name in classes and name not in before:
                put(classes[name], before | {fact.name})
        listed.setdefault(fact.id, fact)

    for each in members:
        put(each, frozenset({each.name}))
    return list(listed.values())


# What is broken in how one function is called changes no other one.
_OF_CALLS = frozenset({"renamed", "removed", "default", "required", "more", "async", "form"})
# Where classes of the standard library are whose objects are values, or that say how their members are made.
_STANDARD = ("enum.", "datetime.", "decimal.", "fractions.", "uuid.")


class Writer:
    """Writes the twin of one module; what `broken` names is written otherwise than the facts say."""

    def __init__(
        self, surface: Surface, broken: Broken | None = None, plain: dict[str, list[str]] | None = None
    ) -> None:
        """`plain` keeps how functions are written of which nothing is broken, for the mutants of one surface."""
        self._plain = {} if plain is None else plain
        self._surface = surface
        self._broken = broken
        self._maker = Maker(surface)
        self._bodies = Bodies(surface, broken)
        self._imports: list[str] = []

    def module(self, name: str, members: Sequence[Fact]) -> str:
        """The source of a module that has these members."""
        lines: list[str] = []
        for fact in bases_first(members):
            lines += self._member(fact, name)
        for origin, local in self._surface.offers(name):
            holder, _, own = origin.rpartition(".")
            lines += ["try:", f"    from {holder} import {own} as {local}", "except ImportError:", "    pass"]
        head = [
            "class _Other(Exception):",
            "    pass",
            "class _Wrong:",
            "    pass",
            "_GIVEN = {}",
            HEAD,
            OBJECTS,
            *dict.fromkeys(self._imports),
        ]
        return "\n".join([*head, *lines]) + "\n"

    def patch(self, name: str, members: Sequence[Fact]) -> str:
        """The source that makes the mutant of a module's twin: what is broken, written anew, or taken away."""
        assert self._broken is not None, "a twin that keeps all needs no patch"
        about = self._broken.subject.partition(" ")[2]
        lines: list[str] = []
        written: set[str] = set()
        for fact in bases_first(members):
            # What derives from a class that is written anew has to derive from the new one.
            bases = {str(each).partition("[")[0] for each in fact.aspects.get("bases", ())}
            if fact.key == about or about.startswith(f"{fact.key}.") or bases & written:
                lines += self._member(fact, name) or [f"del {fact.name}"]
                written.add(fact.name)
        return "\n".join([*dict.fromkeys(self._imports), *lines]) + "\n"

    def _member(self, fact: Fact, module: str) -> list[str]:
        # A module without Python's own names could define no class.
        if self._bodies.is_broken("missing", fact) or fact.kind is Kind.MODULE or fact.name == "__builtins__":
            return []
        if fact.kind is Kind.CLASS:
            return self._class(fact, module)
        if fact.kind is Kind.FUNCTION:
            several = len(self._surface.overloads(fact)) > 1
            if "~" in fact.key or fact.aspects.get("kind") in ("setter", "deleter"):
                return []
            return self._function(fact, several)
        value = str(fact.aspects.get("value", "..."))
        if self._bodies.is_broken("value", fact):
            return [f"{fact.name} = _Wrong()"]
        if is_literal(value):
            return [f"{fact.name} = {value}"]
        holder = self._surface.holder(fact)
        if holder is not None and is_enumeration(holder, self._surface):
            return [f"{fact.name} = {any_member(fact, holder)}"]
        return [f"{fact.name} = None"]

    def _class(self, fact: Fact, module: str) -> list[str]:
        bases = []
        inside = self._surface.holder(fact) is not None
        for base in fact.aspects.get("bases", ()):
            plain = str(base).partition("[")[0]
            if self._bodies.is_broken("base", fact, plain):
                continue
            reached = self._surface.named(plain, module)
            key = self._surface.resolved(plain, module)
            other = self._surface.at(key)
            if other is not None and is_for_types_alone(other):
                continue
            if other is not None and inside and self._surface.module(other) == module:
                continue  # It may stand below, or be the class around this one.
            known = (other is not None and other.kind is Kind.CLASS) or key.startswith(_STANDARD)
            built_in = isinstance(getattr(builtins, plain, None), type)
            if reached is None or not (known or (not reached.imported and built_in)):
                continue
            if reached.imported and not reached.imported.startswith(f"from {module} "):
                self._imports.append(reached.imported)
            bases.append(reached.expression)
        if any(name.rpartition(".")[2] == "TypedDict" for name in base_names(fact)):
            bases = ["dict"]
        members = self._surface.members(fact)
        if is_mapping(fact, lambda name: None):
            bases = ["dict"]
        if is_mapping(fact, self._bodies.known_in(module)):
            members = [each for each in members if each.name not in OF_MAPPINGS]
        inner = bases_first([each for each in members if each.kind is Kind.CLASS])
        body = [f"    {line}" for each in inner for line in self._member(each, module)]
        body += [
            f"    {line}" for each in members if each.kind is not Kind.CLASS for line in self._part(each)
        ]
        how = next((each for each in STORING if self._bodies.is_broken(each, fact)), "")
        if how or "dict" in bases:
            body += [f"    {line}" for line in STORING.get(how, BOUNDED)]
        if not any(each.name in ("__init__", "__new__") for each in members) and any(
            "dataclass" in str(each) for each in fact.aspects.get("decorators", ())
        ):
            body += [f"    {line}" for line in self._fields(members)]
        return [f"class {fact.name}({', '.join(bases)}):", *(body or ["    pass"])]

    def _part(self, fact: Fact) -> list[str]:
        is_attribute = fact.kind is Kind.ATTRIBUTE and fact.name.startswith("__")
        if is_attribute or fact.name in _ASKED_BY_PYTHON:
            return []
        if fact.kind is Kind.ATTRIBUTE and "value" not in fact.aspects:
            return self._told(fact)
        return self._member(fact, "")

    def _told(self, fact: Fact) -> list[str]:
        """An attribute that every object has, of the type that the stub says; what it was made with comes before it."""
        annotation = fact.aspects.get("annotation")
        if self._bodies.is_broken("value", fact):
            return [f"{fact.name} = _Told(_Wrong)"]
        try:
            value = self._maker.of(str(annotation), self._surface.module(fact), "text")
        except NoTestError:
            value = Value(nothing_of(str(annotation), self._surface.module(fact), self._surface))
        if not value.expression:
            return []
        imports = [f"    {each}" for each in value.imports]
        return ["@_Told", f"def {fact.name}():", *imports, f"    return {value.expression}"]

    def _fields(self, members: Sequence[Fact]) -> list[str]:
        fields = [
            Parameter(each.name, EITHER, None, "None" if "value" in each.aspects else None)
            for each in members
            if each.kind is Kind.ATTRIBUTE and "annotation" in each.aspects
        ]
        return [f"def __init__(self, {header(fields)}):", "    pass"]

    def _function(self, fact: Fact, several: bool) -> list[str]:
        if self._broken is None or self._broken.how not in _OF_CALLS or self._broken.subject == subject(fact):
            return self._written(fact, several)
        if fact.id not in self._plain:
            self._plain[fact.id] = Writer(self._surface)._written(fact, several)
        return list(self._plain[fact.id])

    def _written(self, fact: Fact, several: bool) -> list[str]:
        kind = str(fact.aspects.get("kind", "function"))
        parameters = parameters_of(fact)
        if several:
            parameters = [
                Parameter("args", VAR_POSITIONAL, None, None),
                Parameter("kwargs", VAR_KEYWORD, None, None),
            ]
        parameters = self._changed(fact, parameters)
        receiver = _RECEIVED.get(kind, "")
        receiver = "this" if any(each.name == receiver for each in parameters) else receiver
        words = ", ".join(filter(None, [receiver, header(parameters, ("_Wrong()",))]))
        awaited = bool(fact.aspects.get("async")) != self._bodies.is_broken("async", fact)
        lines = [f"{'async ' if awaited else ''}def {fact.name}({words}):"]
        if kind in _FORMS and not self._bodies.is_broken("form", fact):
            lines.insert(0, f"@{kind}")
        if fact.name == "__new__":
            made = parameters[0].name if parameters else "object"
            # Bases of the project may have a `__new__` that asks for more.
            own = f"next(each for each in {made}.__mro__ if each.__module__ == 'builtins' and '__new__' in vars(each))"
            return [*lines, f"    return {own}.__new__({made})"]
        lines += [f"    {line}" for line in self._bodies.written(fact, parameters)]
        if kind == "property" and any(each.aspects.get("kind") == "setter" for each in self._named_so(fact)):
            kept = (
                "pass"
                if self._bodies.is_broken("forgetful", fact)
                else f"self.__dict__[{fact.name!r}] = value"
            )
            lines += [f"@{fact.name}.setter", f"def {fact.name}(self, value): {kept}"]
        return lines

    def _named_so(self, fact: Fact) -> list[Fact]:
        holder = self._surface.holder(fact)
        return [each for each in self._surface.members(holder) if each.name == fact.name] if holder else []

    def _changed(self, fact: Fact, parameters: list[Parameter]) -> list[Parameter]:
        """The parameters as the mutant has them."""
        if self._broken is None or self._broken.subject != subject(fact):
            return parameters
        return changed(self._broken.how, self._broken.part, parameters)
