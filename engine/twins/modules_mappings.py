"""What the methods of mappings of twins do with what was put in, as source text."""

from __future__ import annotations

from collections.abc import Sequence

from engine.generators.functions.calls import Parameter
from graph.facts import Fact

_DEFAULTED = frozenset({"get", "pop", "setdefault"})
_PLAIN = frozenset({"popitem", "clear", "keys", "values", "items"})


def mapping_body(fact: Fact, parameters: Sequence[Parameter]) -> str:
    """The statement by which a method does what that of a dictionary does; empty for other methods."""
    names = [each.name for each in parameters]
    if fact.name == "copy":
        return "made = type(self).__new__(type(self)); dict.update(made, self); return made"
    if names == ["args", "kwargs"] and fact.name in _DEFAULTED | _PLAIN | {"update"}:
        return f"return dict.{fact.name}(self, *args, **kwargs)"
    if fact.name in _PLAIN and not names:
        return f"return dict.{fact.name}(self)"
    if fact.name == "update" and names:
        given = f"*{names[0]}" if parameters[0].kind == "var-positional" else f"{names[0]} or ()"
        return f"return dict.update(self, {given})"
    if fact.name in _DEFAULTED and len(names) == 2 and all(each.by_position for each in parameters):
        key, default = names
        given = f"({key},) if {default} is ... else ({key}, {default})"
        return f"return dict.{fact.name}(self, *({given}))"
    return ""
