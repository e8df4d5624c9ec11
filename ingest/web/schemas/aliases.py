"""How a class spells its fields in JSON: what an alias generator makes of a field's name."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

import msgspec

from ingest.web.constants.text_functions import TextFunction, text_function
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.scopes import Scope

UNKNOWN_GENERATOR = "the alias generator is not known"
_PLAIN = re.compile(r"[a-z]+(_[a-z]+)*")
_CAMEL = re.compile(r"[a-z]+[A-Za-z0-9]*")


class Spelling(msgspec.Struct, frozen=True):
    """What requests (`read`) and answers (`written`) call a field; each gives None where it cannot be told."""

    read: TextFunction
    written: TextFunction


def spelling_of(program: Program, node: ast.expr, scope: Scope) -> tuple[Spelling | None, str]:
    """The spelling that a generator stands for, None for the field's own name; or the reason why it is not known."""
    if is_none(node):
        return None, ""
    if isinstance(node, ast.Call):
        return _of_call(program, node, scope)
    made = _function(program, node, scope)
    return (Spelling(made, made), "") if made is not None else (None, UNKNOWN_GENERATOR)


def struct_spelling(name: str) -> Spelling:
    """One of msgspec's spellings by its name."""
    return Spelling(_CASES[name], _CASES[name])


def by_table(names: Mapping[str, str]) -> Spelling:
    """The spelling of fields that are renamed one by one."""

    def renamed(name: str) -> str:
        return names.get(name, name)

    return Spelling(renamed, renamed)


def _of_call(program: Program, node: ast.Call, scope: Scope) -> tuple[Spelling | None, str]:
    """Pydantic's `AliasGenerator(…)`, which may have one function for requests and another for answers."""
    target = program.resolve(node.func, scope)
    if not program.is_a(target, {"pydantic"}, {"AliasGenerator"}) or node.args[1:]:
        return None, UNKNOWN_GENERATOR
    names = {keyword.arg: keyword.value for keyword in node.keywords}
    if node.args:
        names["alias"] = node.args[0]
    found: dict[str | None, TextFunction] = {}
    for name, value in names.items():
        made = _function(program, value, scope)
        if made is None:
            return None, UNKNOWN_GENERATOR
        found[name] = made
    both = found.get("alias", _same)
    return Spelling(found.get("validation_alias", both), found.get("serialization_alias", both)), ""


def _function(program: Program, node: ast.expr, scope: Scope) -> TextFunction | None:
    target: Target | None = program.resolve(node, scope)
    if isinstance(target, ValueTarget) and isinstance(target.node, ast.Lambda):
        target = FunctionTarget(target.node, target.scope)
    if isinstance(node, ast.Lambda):
        target = FunctionTarget(node, scope)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "str":
        target = External(f"builtins.str.{node.attr}")
    if isinstance(target, External) and target.root == "pydantic":
        return _PYDANTIC.get(target.name)
    if isinstance(target, External) and target.name in _OTHERS:
        return _plainly(_OTHERS[target.name])
    return text_function(program, target)


def _same(name: str) -> str:
    return name


def _pascal(name: str) -> str:
    return re.sub("([0-9A-Za-z])_(?=[0-9A-Z])", r"\1", name.title())


def _camel(name: str) -> str:
    if _CAMEL.fullmatch(name) and not re.search(r"\d[a-z]", name):
        return name
    return re.sub("^_*[A-Z]", lambda found: found.group().lower(), _pascal(name))


def _snake(name: str) -> str:
    for pattern in ("([A-Z]+)([A-Z][a-z])", "([a-z])([A-Z])", "([0-9])([A-Z])", "([a-z])([0-9])"):
        name = re.sub(pattern, r"\1_\2", name)
    return name.replace("-", "_").lower()


def _plainly(function: TextFunction) -> TextFunction:
    """For plain names alone: what packages do with numbers and with capitals differs."""
    return lambda name: function(name) if _PLAIN.fullmatch(name) else None


def _words(name: str) -> list[str]:
    return [word for word in name.split("_") if word]


def _struct_pascal(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in _words(name)) or name


def _struct_camel(name: str) -> str:
    joined = _struct_pascal(name)
    return joined[:1].lower() + joined[1:]


_PYDANTIC: dict[str, TextFunction] = {"to_camel": _camel, "to_pascal": _pascal, "to_snake": _snake}
_OTHERS: dict[str, TextFunction] = {
    "to_camel": _camel,
    "camelize": _camel,
    "to_pascal": _pascal,
    "pascalize": _pascal,
    "to_snake": _same,
}
_CASES: dict[str, TextFunction] = {
    "lower": str.lower,
    "upper": str.upper,
    "kebab": lambda name: name.strip("_").replace("_", "-"),
    "camel": _struct_camel,
    "pascal": _struct_pascal,
}
STRUCT_SPELLINGS = frozenset(_CASES)
