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
_ANY = ".*"
_WITH_PATTERN = re.compile(r"^(?:\w+\.)?with_pattern\(")
_GROUP = re.compile(r"\\\d|\(\?P?[=<(]")


class StepTypes:
    """The types that a project gives the matcher `parse`, by name: the pattern of each, which is any where it cannot
    be read."""

    def __init__(self, source: FactSource) -> None:
        self._functions = {fact.key: fact for fact in source.facts(kinds={Kind.FUNCTION})}
        self._registered: dict[str, str] = {}
        for module in source.facts(kinds={Kind.MODULE}, having="step_types"):
            for name, pattern in self._read(module, module.aspects["step_types"]).items():
                known = self._registered.get(name, pattern)
                self._registered[name] = pattern if known == pattern else _ANY

    def of(self, decorator: str, module: Fact) -> dict[str, str]:
        """Those that hold for a step definition: what is registered, and what its own parser brings along."""
        own = _brought(decorator) if "extra_types" in decorator else {}
        return {} if own is None else self._registered | self._read(module, own)

    def _read(self, module: Fact, readers: Mapping[str, str]) -> dict[str, str]:
        """The patterns of types by the functions that read them, which are named as the module names them."""
        imported = {local: str(target) for local, target, _ in module.aspects.get("imports", ())}
        return {name: self._pattern(module, reader, imported) for name, reader in readers.items()}

    def _pattern(self, module: Fact, reader: str, imported: Mapping[str, str]) -> str:
        own = self._functions.get(f"{module.key}.{reader}")
        function = own or self._functions.get(imported.get(reader, ""))
        return _pattern(function) if reader and function is not None else _ANY


def _brought(decorator: str) -> dict[str, str] | None:
    """The `extra_types` of a definition's parser: name → the function that reads it, empty where that is computed; None
    where the names are computed."""
    try:
        calls = [each for each in ast.walk(ast.parse(decorator, mode="eval")) if isinstance(each, ast.Call)]
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    given = next((each.value for call in calls for each in call.keywords if each.arg == "extra_types"), None)
    match given:
        case ast.Dict(keys=keys, values=values):
            pairs = list(zip(keys, values, strict=True))
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=keywords):
            pairs = [(ast.Constant(each.arg), each.value) for each in keywords]
        case _:
            return None
    found: dict[str, str] = {}
    for name, value in pairs:
        if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
            return None
        found[name.value] = value.id if isinstance(value, ast.Name) else ""
    return found


def hole(written: str, types: Mapping[str, str]) -> str:
    """The pattern of what a hole (`{amount:d}`) admits, which is anything where its type is not known."""
    name, colon, kind = written.strip("{}").partition(":")
    admits = (types.get(kind) or _BUILT_IN.get(kind)) if colon and (not name or name.isidentifier()) else None
    return f"(?:{admits}|{_LATER})" if admits else ".*"


def _pattern(function: Fact) -> str:
    """The pattern that a function is decorated with, `@with_pattern(r"\\d+")`; any where it is not a literal one."""
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
            return _ANY
    return _ANY
