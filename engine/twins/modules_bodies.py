"""The bodies of functions of twins: documented errors, examples, what names and types say of results."""

from __future__ import annotations

from collections.abc import Sequence

from engine.generators.functions.calls import VAR_KEYWORD, VAR_POSITIONAL, Parameter, literal_default
from engine.generators.functions.conditions import absent, met
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.invalid import invalid
from engine.generators.functions.raising import documented
from engine.generators.functions.type_checks import type_check
from engine.generators.functions.values import Maker
from engine.twins.modules_broken import Broken, subject
from engine.twins.modules_echo import echoed, overloaded, remembered
from engine.twins.modules_examples import Answer, answers
from engine.twins.modules_mappings import mapping_body
from engine.twins.modules_objects import acting
from engine.twins.modules_parameters import empty
from graph.facts import Fact, Kind
from planner.functions.ancestors import Known, is_mapping
from planner.functions.laws import is_done_once
from planner.functions.operators import GIVEN_BY_PYTHON

UNKNOWN = "return None  # no value of this type is known"


class Bodies:
    """Writes the bodies of functions; what `broken` names is written otherwise than the facts say."""

    def __init__(self, surface: Surface, broken: Broken | None = None) -> None:
        self._surface = surface
        self._broken = broken
        self._maker = Maker(surface)

    def knows(self, fact: Fact) -> bool:
        """Whether it can give a value of the type that a function returns."""
        return UNKNOWN not in self.returned(fact)

    def known_in(self, module: str) -> Known:
        """The classes that bases stand for in a module."""

        def known(name: str) -> Fact | None:
            fact = self._surface.at(self._surface.resolved(name, module))
            return fact if fact is not None and fact.kind is Kind.CLASS else None

        return known

    def is_broken(self, how: str, fact: Fact, part: str = "") -> bool:
        """Whether just this is otherwise than the facts say."""
        return self._broken == Broken(how, subject(fact), part)

    def written(self, fact: Fact, parameters: Sequence[Parameter]) -> list[str]:
        """Documented errors first, then examples, then a value of the type that is returned."""
        if self.is_broken("unmade", fact):
            return ["raise NotImplementedError"]
        if fact.name == "__init__":
            places = [each.name for each in parameters if each.kind not in (VAR_POSITIONAL, VAR_KEYWORD)]
            about = f"{Kind.CLASS} {fact.key.rpartition('.')[0]}"
            lines = [
                f"self.__dict__[{name!r}] = _Wrong()"
                if self._broken == Broken("forgotten", about, name)
                else f"if {name} is not ... and ({name} is not None or not _has(self, {name!r})):"
                f" self.__dict__[{name!r}] = {name}"
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
        *imports, returned = self.returned(fact)
        imports += self._by_law(fact, parameters)  # It may speak of what is imported.
        if fact.aspects.get("kind") == "property" or returned == UNKNOWN:
            return [*lines, *imports, returned]
        ignored = broken.part if broken is not None and how == "ignored" else ""
        return [*lines, *imports, echoed(fact.key, parameters, returned.removeprefix("return "), ignored)]

    def _acting(self, fact: Fact, parameters: Sequence[Parameter], how: str) -> list[str]:
        """What a method does with its object, where that is not a mapping, which does so by itself."""
        holder = self._surface.holder(fact)
        if holder is None or fact.aspects.get("kind") != "method":
            return []
        if is_mapping(holder, self.known_in(self._surface.module(holder))):
            return (
                [] if how in ("returns", "forgetful") else [*filter(None, [mapping_body(fact, parameters)])]
            )
        siblings = {each.name: each for each in self._surface.members(holder)}
        return acting(fact, parameters, siblings, how)

    def _by_law(self, fact: Fact, parameters: Sequence[Parameter]) -> list[str]:
        """What a function remembers for the one that undoes or checks it, and what a property was made with."""
        if fact.aspects.get("kind") == "property":
            if not self.knows(fact):
                return []
            returned = self.returned(fact)[-1].removeprefix("return ")
            stored = f"self.__dict__.get({fact.name!r})"
            return [f"if type({stored}) is type({returned}): return {stored}"]
        owner = self._surface.holder(fact) or self._surface.at(self._surface.module(fact))
        siblings = self._surface.members(owner) if owner is not None else ()
        lines = remembered(fact, parameters, siblings, forgetful=self.is_broken("forgetful", fact))
        if is_done_once(fact) and not self.is_broken("growing", fact):
            given = next((each.name for each in parameters if each.by_position), "None")
            lines.append(f"if {fact.key!r} in _LAST and {given} == _LAST[{fact.key!r}]: return {given}")
        return lines

    def _errors(self, fact: Fact, parameters: Sequence[Parameter]) -> list[str]:
        lines = []
        module = self._surface.module(fact)
        every = dict.fromkeys(pair for each in self._surface.same(fact) for pair in documented(each))
        for exception, words in every:
            found = (
                met(words, parameters) or absent(words, parameters) or invalid(exception, words, parameters)
            )
            reached = self._surface.named(exception, module)
            if found is None or reached is None or self.is_broken("not raised", fact, exception):
                continue
            raised = "_Other" if self.is_broken("other raised", fact, exception) else reached.expression
            same = f"type({found.parameter}) is type({found.value}) and {found.parameter} == {found.value}"
            if found.value == "object()":
                same = f"type({found.parameter}) is object"
            lines.append(f"if {same}:")
            if reached.imported and not reached.imported.startswith(f"from {module} "):
                lines.append(f"    {reached.imported}")
            # Its constructor may ask for more than is known.
            lines.append(f"    raise {raised}.__new__({raised})")
        return lines

    def _answer(self, fact: Fact, answer: Answer, parameters: Sequence[Parameter]) -> list[str]:
        names = [each.name for each in parameters]
        if not set(answer.given) <= set(names):
            return []
        same = [
            f"type({name}) is type({value}) and {name} == {value}" for name, value in answer.given.items()
        ]
        same += [_left_out(each) for each in parameters if each.name not in answer.given]
        value = "_Wrong()" if self.is_broken("example", fact, answer.source) else answer.value
        return [f"if {' and '.join(same) or 'True'}:", f"    return {value}"]

    def returned(self, fact: Fact) -> list[str]:
        """The statements that give a value of the type that a function returns; the last one is the `return`."""
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
            is_own = holder is not None and annotation.strip("'\"").rpartition(".")[2] == holder.name
            if is_own and fact.aspects.get("kind") == "classmethod":
                return ["return cls.__new__(cls)"]
            nothing = nothing_of(annotation, self._surface.module(fact), self._surface)
            return [f"return {nothing}" if nothing else UNKNOWN]
        own = f"from {self._surface.module(fact)} "
        return [*(each for each in value.imports if not each.startswith(own)), f"return {value.expression}"]

    def _part_of(self, about: str, how: str) -> str:
        """Which part of something is broken so; empty where it is not."""
        broken = self._broken
        return broken.part if broken is not None and (broken.subject, broken.how) == (about, how) else ""


def nothing_of(annotation: str, module: str, surface: Surface) -> str:
    """What holds nothing of a type, as source, where it is a container by its name or what that stands for."""
    if found := empty(annotation):
        return found
    try:
        return empty(type_check(annotation, module, surface).types[0])
    except NoTestError:
        return ""


def _left_out(parameter: Parameter) -> str:
    """That a call did not give a parameter, so that it has its default, or holds nothing."""
    default = literal_default(parameter)
    if parameter.kind in (VAR_POSITIONAL, VAR_KEYWORD):
        return f"not {parameter.name}"
    if default is None or default in ("None", "True", "False"):
        return f"{parameter.name} is {default or '...'}"
    return f"{parameter.name} == {default}"
