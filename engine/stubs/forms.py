"""Writes what has a form of its own in a stub: `__all__`, and typed dictionaries whose keys are no names."""

from __future__ import annotations

from collections.abc import Mapping
from keyword import iskeyword

from crossval.link.names.modules import Module
from graph.facts import Fact

_WIDTH = 110


def is_name(text: str) -> bool:
    """Whether a key of a typed dictionary can be written as a field of a class."""
    return text.isidentifier() and not iskeyword(text)


def keyed(fact: Fact, typed_dictionary: str, types: Mapping[str, str | None]) -> list[str]:
    """The call that makes a typed dictionary, where its keys cannot be written in a class."""
    keys = ", ".join(f"{name!r}: {type_}" for name, type_ in types.items())
    said = "".join(f", {name}={text}" for name, text in fact.aspects["keywords"].items())
    return [f"{fact.name} = {typed_dictionary}({fact.name!r}, {{{keys}}}{said})"]


def export_lines(module: Module) -> list[str]:
    """The statement that sets `__all__`, in the order of the code; where it is computed there, that there is one."""
    if module.computed_exports:
        return ["__all__: list[str]"]
    listed = next((f.aspects["exports"] for f in module.facts if "exports" in f.aspects), None)
    if listed is None and module.exports is not None:
        # What the module has from another's `__all__`.
        listed = sorted(module.exports)
    if listed is None:
        return []
    names = ", ".join(f'"{name}"' for name in listed)
    line = f"__all__ = [{names}]"
    if len(line) <= _WIDTH:
        return [line]
    return ["__all__ = [", *(f'    "{name}",' for name in listed), "]"]
