"""The calls that a signature allows, and those that it refuses, as the arguments of `Signature.bind`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import msgspec

from engine.generators.source import literal
from graph.facts import Fact, Json

POSITIONAL_ONLY = "positional-only"
EITHER = "positional-or-keyword"
VAR_POSITIONAL = "var-positional"
KEYWORD_ONLY = "keyword-only"
VAR_KEYWORD = "var-keyword"
_RECEIVING = frozenset({"method", "classmethod", "property"})


class Parameter(msgspec.Struct, frozen=True):
    """One parameter of a signature, as `inspect` names its kind; `default` is its source, None where it has none."""

    name: str
    kind: str
    annotation: str | None
    default: str | None

    @property
    def required(self) -> bool:
        """Whether a call has to give it."""
        return self.default is None and self.kind not in (VAR_POSITIONAL, VAR_KEYWORD)

    @property
    def by_position(self) -> bool:
        """Whether a call can give it by its place."""
        return self.kind in (POSITIONAL_ONLY, EITHER)


def parameters_of(fact: Fact) -> list[Parameter]:
    """The parameters with which a function is called, without the object or class that a method is called on."""
    return read_parameters(fact.aspects["parameters"], receiver=fact.aspects.get("kind") in _RECEIVING)


def read_parameters(listed: Sequence[Json], *, receiver: bool) -> list[Parameter]:
    """The parameters of a fact, without the receiver of a method. `__x`, as old stubs write, is positional-only."""
    found = []
    for name, kind, annotation, default, _ in listed:
        private = str(name).startswith("__") and not str(name).endswith("__") and kind == EITHER
        found.append(Parameter(str(name), POSITIONAL_ONLY if private else str(kind), annotation, default))
    return found[1:] if receiver and found and found[0].by_position else found


def accepted(parameters: Sequence[Parameter], *, named: bool = True) -> list[str]:
    """The argument lists that a signature must take: the least, all by place, all by name (if `named`), more too."""
    places = [each for each in parameters if each.by_position]
    only_named = [each for each in parameters if each.kind == KEYWORD_ONLY]
    least = [each for each in places if each.required], [each for each in only_named if each.required]
    forms = [_call(least[0], least[1]), _call(places, only_named)]
    by_place = [each for each in places if each.kind == POSITIONAL_ONLY]
    if named:
        forms.append(_call(by_place, [each for each in places if each.kind == EITHER] + only_named))
    if any(each.kind == VAR_POSITIONAL for each in parameters):
        forms.append(_call(places, least[1], more='"one", "more"'))
    if any(each.kind == VAR_KEYWORD for each in parameters):
        forms.append(_call(least[0], least[1], named='another="another"'))
    return list(dict.fromkeys(forms))


def refused(signatures: Sequence[Sequence[Parameter]]) -> list[str]:
    """The argument lists that none of these signatures takes: something required missing, too many, an unknown name."""
    found = []
    if len(signatures) == 1:
        found += _missing(signatures[0])
    every = [each for parameters in signatures for each in parameters]
    longest = max(signatures, key=lambda each: sum(one.by_position for one in each))
    places = [each for each in longest if each.by_position]
    named = [each for each in longest if each.kind == KEYWORD_ONLY and each.required]
    if not any(each.kind == VAR_POSITIONAL for each in every):
        found.append(_call(places, named, more='"too many"'))
    if not any(each.kind == VAR_KEYWORD for each in every):
        least = [each for each in places if each.required]
        found.append(_call(least, named, named='unknown_name="unknown_name"'))
        if len(signatures) == 1:
            found += _named_wrongly(signatures[0])
    return list(dict.fromkeys(found))


def _missing(parameters: Sequence[Parameter]) -> list[str]:
    """For each required parameter, a call that lacks only it."""
    found = []
    required = [each for each in parameters if each.required]
    for one in required:
        by_place = [each for each in required if each.kind == POSITIONAL_ONLY and each is not one]
        if (
            one.kind == POSITIONAL_ONLY
            and one is not [each for each in required if each.kind == POSITIONAL_ONLY][-1]
        ):
            continue
        by_name = [each for each in required if each.kind != POSITIONAL_ONLY and each is not one]
        found.append(_call(by_place, by_name))
    return found


def _named_wrongly(parameters: Sequence[Parameter]) -> list[str]:
    """A call that gives what is positional-only by its name."""
    only = [each for each in parameters if each.kind == POSITIONAL_ONLY]
    if not only or not only[-1].required:
        return []
    rest = [each for each in parameters if each.required and each.kind != POSITIONAL_ONLY]
    return [_call(only[:-1], [only[-1], *rest])]


def _call(
    by_place: Sequence[Parameter], by_name: Sequence[Parameter], more: str = "", named: str = ""
) -> str:
    words = [literal(each.name) for each in by_place]
    words += [more] if more else []
    words += [f"{each.name}={literal(each.name)}" for each in by_name]
    words += [named] if named else []
    return ", ".join(words)


def literal_default(parameter: Parameter) -> str | None:
    """The default as a literal that can be compared; None where the stub writes `...` or something to evaluate."""
    if parameter.default is None:
        return None
    try:
        value = ast.literal_eval(parameter.default)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return None if value is ... or value != value else repr(value)
