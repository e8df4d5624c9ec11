"""The parameters of functions as facts have them, and as source writes them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from graph.facts import Fact, Json
from graph.literals import NO_LITERAL, literal_value

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


def literal_default(parameter: Parameter) -> str | None:
    """The default as a literal that can be compared; None where the stub writes `...` or something to evaluate."""
    if parameter.default is None:
        return None
    value = literal_value(parameter.default)
    return None if value is NO_LITERAL or value is ... or value != value else repr(value)


def header(parameters: Sequence[Parameter], known: Collection[str] = ()) -> str:
    """The parameters as a header writes them: a default that is no literal as `...`, but for `known` ones."""
    words: list[str] = []
    starred = False
    for number, each in enumerate(parameters):
        if each.kind == KEYWORD_ONLY and not starred:
            words.append("*")
            starred = True
        sign = {VAR_POSITIONAL: "*", VAR_KEYWORD: "**"}.get(each.kind, "")
        starred = starred or each.kind == VAR_POSITIONAL
        default = each.default
        is_memory = each.name.startswith("_") and default in ("{}", "[]")  # which it changes as it is called
        if default is not None and (literal_default(each) is None or is_memory) and default not in known:
            default = "..."
        words.append(f"{sign}{each.name}" + (f"={default}" if default is not None else ""))
        following = parameters[number + 1].kind if number + 1 < len(parameters) else ""
        if each.kind == POSITIONAL_ONLY and following != POSITIONAL_ONLY:
            words.append("/")
    return ", ".join(words)
