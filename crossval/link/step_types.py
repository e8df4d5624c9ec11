"""What the typed arguments of step templates admit: those of the library `parse`, and those that a project registers.

Source: the documentation of `parse` ("Format Specification", "Custom Type Conversions"), by which behave's and
pytest-bdd's matchers of that name work.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from graph.facts import Fact, Kind
from graph.source import FactSource

_SIGN = r"\s*[-+ ]?"
_BUILT_IN = {
    "d": rf"{_SIGN}(?:\d[\d_,]*|0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+)\s*",
    "n": rf"{_SIGN}\d{{1,3}}(?:[,.]?\d{{3}})*\s*",
    "f": rf"{_SIGN}(?:\d*\.\d+|\d+|nan|inf)\s*",
    "%": rf"{_SIGN}\d+(?:\.\d+)?%\s*",
    "w": r"\w+",
    "W": r"\W+",
    "S": r"\S+",
    "D": r"\D+",
    "l": r"[A-Za-z]+",
}
# What is filled in later: a part of a text that code computes, a column that no table of examples has.
_LATER = r".*\{\}.*"
_WITH_PATTERN = re.compile(r"^(?:\w+\.)?with_pattern\(")
_GROUP = re.compile(r"\\\d|\(\?P?[=<(]")


def registered_types(source: FactSource) -> dict[str, str]:
    """The patterns of the types that the project registers; a type whose pattern cannot be read is left out."""
    functions = {fact.key: fact for fact in source.facts(kinds={Kind.FUNCTION})}
    found: dict[str, str | None] = {}
    for module in source.facts(kinds={Kind.MODULE}, having="step_types"):
        imported = {local: str(target) for local, target, _ in module.aspects.get("imports", ())}
        for name, reader in module.aspects["step_types"].items():
            known = functions.get(f"{module.key}.{reader}") or functions.get(imported.get(reader, ""))
            pattern = _pattern(known) if reader and known is not None else None
            found[name] = pattern if found.get(name, pattern) == pattern else None
    return {name: pattern for name, pattern in found.items() if pattern is not None}


def hole(written: str, types: Mapping[str, str]) -> str:
    """The pattern of what a hole (`{amount:d}`) admits, which is anything where its type is not known."""
    name, colon, kind = written.strip("{}").partition(":")
    admits = (types.get(kind) or _BUILT_IN.get(kind)) if colon and (not name or name.isidentifier()) else None
    return f"(?:{admits}|{_LATER})" if admits else ".*"


def _pattern(function: Fact) -> str | None:
    """The pattern that a function is decorated with, `@with_pattern(r"\\d+")`; None where it is not a literal one."""
    for decorator in function.aspects.get("decorators", ()):
        if not _WITH_PATTERN.match(decorator):
            continue
        try:
            call = ast.parse(decorator, mode="eval").body
            text = ast.literal_eval(call.args[0]) if isinstance(call, ast.Call) and call.args else None
            if isinstance(text, str) and not _GROUP.search(text):
                re.compile(text)
                return f"(?:{text})"
        except (SyntaxError, ValueError, MemoryError, RecursionError, re.error):
            return None
    return None
