"""Twins of modules: source text with the signatures of stubs, whose functions answer as docstrings and types say.

A twin knows nothing but facts. A mutant is a twin in which one statement about one function or class is broken.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence

import msgspec

from engine.generators.functions import NoTestError, Surface
from engine.generators.functions_calls import (
    EITHER,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Parameter,
    literal_default,
    parameters_of,
)
from engine.generators.functions_conditions import met
from engine.generators.functions_values import Maker, Value
from engine.twins.modules_echo import BOUNDED, HEAD, STORING, echoed, overloaded, remembered
from engine.twins.modules_examples import Answer, answers
from engine.twins.modules_objects import HEAD as OBJECTS
from engine.twins.modules_objects import acting
from engine.twins.modules_parameters import changed, empty, header
from graph.facts import Fact, Kind
from planner.ancestors import base_names, is_mapping
from planner.operators import GIVEN_BY_PYTHON

_RECEIVED = {"method": "self", "classmethod": "cls", "property": "self"}
_FORMS = frozenset({"classmethod", "staticmethod", "property"})


# What a mapping gives by itself.
_OF_MAPPINGS = frozenset(
    f"__{name}__" for name in ("getitem", "setitem", "delitem", "iter", "len", "contains")
)
UNKNOWN = "return None  # no value of this type is known"


class Broken(msgspec.Struct, frozen=True):
    """Which statement is broken: how, about what (its kind and qualified name), and about which of its parts."""

    how: str
    subject: str
    part: str = ""


def subject(fact: Fact) -> str:
    """What a broken statement is about: the same of a stub's fact and of the code's."""
    return f"{fact.kind} {fact.key}"


class Writer:
    """Writes the twin of one module; what `broken` names is written otherwise than the facts say."""

    def __init__(self, surface: Surface, broken: Broken | None = None) -> None:
        self._surface = surface
        self._broken = broken
        self._maker = Maker(surface)
        self._imports: list[str] = []

    def module(self, name: str, members: Sequence[Fact]) -> str:
        """The source of a module that has these members."""
        lines: list[str] = []
        for fact in members:
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
        for fact in members:
            # What derives from a class that is written anew has to derive from the new one.
            bases = {str(each).partition("[")[0] for each in fact.aspects.get("bases", ())}
            if fact.key == about or about.startswith(f"{fact.key}.") or bases & written:
                lines += self._member(fact, name) or [f"del {fact.name}"]
                written.add(fact.name)
        return "\n".join([*dict.fromkeys(self._imports), *lines]) + "\n"

    def knows(self, fact: Fact) -> bool:
        """Whether it can give a value of the type that a function returns."""
        return UNKNOWN not in self._returned(fact)

    def _is(self, how: str, fact: Fact, part: str = "") -> bool:
        return self._broken == Broken(how, subject(fact), part)

    def _part_of(self, about: str, how: str) -> str:
        """Which part of something is broken so; empty where it is not."""
        broken = self._broken
        return broken.part if broken is not None and (broken.subject, broken.how) == (about, how) else ""

    def _member(self, fact: Fact, module: str) -> list[str]:
        if self._is("missing", fact) or fact.kind is Kind.MODULE:
            return []
        if fact.kind is Kind.CLASS:
            return self._class(fact, module)
        if fact.kind is Kind.FUNCTION:
            several = len(self._surface.overloads(fact)) > 1
            if "~" in fact.key or fact.aspects.get("kind") in ("setter", "deleter"):
                return []
            return self._function(fact, several)
        value = str(fact.aspects.get("value", "..."))
        if self._is("value", fact):
            return [f"{fact.name} = _Wrong()"]
        try:
            ast.literal_eval(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return [f"{fact.name} = None"]
        return [f"{fact.name} = {value}"]

    def _class(self, fact: Fact, module: str) -> list[str]:
        bases = []
        for base in fact.aspects.get("bases", ()):
            plain = str(base).partition("[")[0]
            if self._is("base", fact, plain):
                continue
            reached = self._surface.named(plain, module)
            key = self._surface.resolved(plain, module)
            other = self._surface.at(key)
            known = (other is not None and other.kind is Kind.CLASS) or key.startswith("enum.")
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
            members = [each for each in members if each.name not in _OF_MAPPINGS]
        body = [f"    {line}" for each in members if each.kind is not Kind.CLASS for line in self._part(each)]
        how = next((each for each in STORING if self._is(each, fact)), "")
        if how or "dict" in bases:
            body += [f"    {line}" for line in STORING.get(how, BOUNDED)]
        if not any(each.name in ("__init__", "__new__") for each in members) and any(
            "dataclass" in str(each) for each in fact.aspects.get("decorators", ())
        ):
            body += [f"    {line}" for line in self._fields(members)]
        return [f"class {fact.name}({', '.join(bases)}):", *(body or ["    pass"])]

    def _part(self, fact: Fact) -> list[str]:
        # What Python asks of a class by itself would be misled by a property.
        is_plain = fact.kind is Kind.ATTRIBUTE or fact.aspects.get("kind") == "property"
        if is_plain and fact.name.startswith("__"):
            return []
        if fact.kind is Kind.ATTRIBUTE and "value" not in fact.aspects:
            return self._told(fact)
        return self._member(fact, "")

    def _told(self, fact: Fact) -> list[str]:
        """An attribute that every object has, of the type that the stub says; what it was made with comes before it."""
        annotation = fact.aspects.get("annotation")
        if self._is("value", fact):
            return [f"{fact.name} = _Told(_Wrong)"]
        try:
            value = self._maker.of(str(annotation), self._surface.module(fact), "text")
        except NoTestError:
            value = Value(empty(str(annotation)))
        if not value.expression:
            return []
        own = f"from {self._surface.module(fact)} "
        self._imports += [each for each in value.imports if not each.startswith(own)]
        return [f"{fact.name} = _Told(lambda: {value.expression})"]

    def _fields(self, members: Sequence[Fact]) -> list[str]:
        fields = [
            Parameter(each.name, EITHER, None, "None" if "value" in each.aspects else None)
            for each in members
            if each.kind is Kind.ATTRIBUTE and "annotation" in each.aspects
        ]
        return [f"def __init__(self, {header(fields)}):", "    pass"]

    def _function(self, fact: Fact, several: bool) -> list[str]:
        kind = str(fact.aspects.get("kind", "function"))
        parameters = parameters_of(fact)
        if several:
            parameters = [
                Parameter("args", VAR_POSITIONAL, None, None),
                Parameter("kwargs", VAR_KEYWORD, None, None),
            ]
        parameters = self._changed(fact, parameters)
        receiver = _RECEIVED.get(kind, "")
        words = ", ".join(filter(None, [receiver, header(parameters)]))
        awaited = bool(fact.aspects.get("async")) != self._is("async", fact)
        lines = [f"{'async ' if awaited else ''}def {fact.name}({words}):"]
        if kind in _FORMS and not self._is("form", fact):
            lines.insert(0, f"@{kind}")
        if fact.name == "__new__":
            return [*lines, f"    return super().__new__({parameters[0].name if parameters else 'object'})"]
        lines += [f"    {line}" for line in self._body(fact, parameters)]
        if kind == "property" and any(each.aspects.get("kind") == "setter" for each in self._named_so(fact)):
            kept = "pass" if self._is("forgetful", fact) else f"self.__dict__[{fact.name!r}] = value"
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

    def _body(self, fact: Fact, parameters: Sequence[Parameter]) -> list[str]:
        """Documented errors first, then examples, then a value of the type that is returned."""
        if fact.name == "__init__":
            places = [each.name for each in parameters if each.kind not in (VAR_POSITIONAL, VAR_KEYWORD)]
            about = f"{Kind.CLASS} {fact.key.rpartition('.')[0]}"
            lines = [
                f"self.__dict__[{name!r}] = _Wrong()"
                if self._broken == Broken("forgotten", about, name)
                else f"if {name} is not None or not hasattr(type(self), {name!r}): self.__dict__[{name!r}] = {name}"
                for name in places
            ]
            if not places and (several := self._surface.overloads(fact))[1:]:
                lines = overloaded(several[0], self._part_of(about, "forgotten"))
            return [*self._errors(fact, parameters), *lines, "pass"]
        lines = self._errors(fact, parameters)
        broken = self._broken if self._broken is not None and self._broken.subject == subject(fact) else None
        how = broken.how if broken is not None else ""
        if how in ("returns", "unsteady"):
            return [*lines, "return _Wrong()"]
        lines += self._acting(fact, parameters, how)
        if lines[-1:] and lines[-1].startswith("return "):
            return lines
        for each in self._surface.same(fact) if how != "ignored" else ():
            for answer in answers(each, self._surface):
                lines += self._answer(fact, answer, parameters)
        *imports, returned = [*self._by_law(fact, parameters), *self._returned(fact)]
        if fact.aspects.get("kind") == "property" or returned == UNKNOWN:
            return [*lines, *imports, returned]
        ignored = broken.part if broken is not None and how == "ignored" else ""
        return [*lines, *imports, echoed(fact.key, parameters, returned.removeprefix("return "), ignored)]

    def _acting(self, fact: Fact, parameters: Sequence[Parameter], how: str) -> list[str]:
        """What a method does with its object, where that is not a mapping, which does so by itself."""
        holder = self._surface.holder(fact)
        if holder is None or fact.aspects.get("kind") != "method" or is_mapping(holder, lambda name: None):
            return []
        siblings = {each.name: each for each in self._surface.members(holder)}
        return acting(fact, parameters, siblings, how)

    def _by_law(self, fact: Fact, parameters: Sequence[Parameter]) -> list[str]:
        """What a function remembers for the one that undoes or checks it, and what a property was made with."""
        if fact.aspects.get("kind") == "property":
            if not self.knows(fact):
                return []
            returned = self._returned(fact)[-1].removeprefix("return ")
            stored = f"self.__dict__.get({fact.name!r})"
            return [f"if type({stored}) is type({returned}): return {stored}"]
        owner = self._surface.holder(fact) or self._surface.at(self._surface.module(fact))
        siblings = self._surface.members(owner) if owner is not None else ()
        return remembered(fact, parameters, siblings, forgetful=self._is("forgetful", fact))

    def _errors(self, fact: Fact, parameters: Sequence[Parameter]) -> list[str]:
        lines = []
        module = self._surface.module(fact)
        every = dict.fromkeys(pair for each in self._surface.same(fact) for pair in documented(each))
        for exception, words in every:
            found = met(words, parameters)
            reached = self._surface.named(exception, module)
            if found is None or reached is None or self._is("not raised", fact, exception):
                continue
            raised = "_Other" if self._is("other raised", fact, exception) else reached.expression
            same = f"type({found.parameter}) is type({found.value}) and {found.parameter} == {found.value}"
            if found.value == "object()":
                same = f"type({found.parameter}) is object"
            lines.append(f"if {same}:")
            if reached.imported and not reached.imported.startswith(f"from {module} "):
                lines.append(f"    {reached.imported}")
            lines.append(f"    raise {raised}")
        return lines

    def _answer(self, fact: Fact, answer: Answer, parameters: Sequence[Parameter]) -> list[str]:
        names = [each.name for each in parameters]
        if not set(answer.given) <= set(names):
            return []
        same = [
            f"type({name}) is type({value}) and {name} == {value}" for name, value in answer.given.items()
        ]
        same += [_left_out(each) for each in parameters if each.name not in answer.given]
        value = "_Wrong()" if self._is("example", fact, answer.source) else answer.value
        return [f"if {' and '.join(same) or 'True'}:", f"    return {value}"]

    def _returned(self, fact: Fact) -> list[str]:
        annotation = fact.aspects.get("returns", GIVEN_BY_PYTHON.get(fact.name))
        holder = self._surface.holder(fact)
        if not isinstance(annotation, str) or annotation == "None":
            return ["return None"]
        if annotation.endswith("Self") and holder is not None:
            annotation = holder.name
        if annotation.partition("[")[0].rpartition(".")[2] in ("Iterator", "Generator", "Iterable"):
            return ["return (each for each in ())"]
        try:
            value = self._maker.of(annotation, self._surface.module(fact), "text")
        except NoTestError:
            nothing = empty(annotation)
            return [f"return {nothing}" if nothing else UNKNOWN]
        own = f"from {self._surface.module(fact)} "
        return [*(each for each in value.imports if not each.startswith(own)), f"return {value.expression}"]


def _left_out(parameter: Parameter) -> str:
    """That a call did not give a parameter, so that it has its default, or holds nothing."""
    default = literal_default(parameter)
    if parameter.kind in (VAR_POSITIONAL, VAR_KEYWORD):
        return f"not {parameter.name}"
    if default is None or default in ("None", "True", "False"):
        return f"{parameter.name} is {default or '...'}"
    return f"{parameter.name} == {default}"


def documented(fact: Fact) -> list[tuple[str, str]]:
    """The exceptions that a docstring names, with their conditions: of its section, and of its prose."""
    doc = fact.aspects.get("doc")
    found = (
        [(str(name), str(words)) for name, words in doc.get("raises", ())] if isinstance(doc, dict) else []
    )
    for claim in fact.aspects.get("claims", ()):
        if claim.get("kind") == "raises" and isinstance(claim.get("value"), str) and claim.get("condition"):
            found.append((claim["value"], str(claim["condition"])))
    return list(dict.fromkeys(found))
