"""The values of the members of enumerations that are not what is written: of `auto()`, and of tuples where a type is
mixed in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from crossval.compare.typenames import resolve
from crossval.compare.values import read_constant
from graph.facts import Fact, Kind

_CALL = "auto()"
_AUTO = "enum.auto"
_GENERATOR = "_generate_next_value_"
_NUMBERS = frozenset({"enum.Enum", "enum.IntEnum"})
_FLAGS = frozenset({"enum.Flag", "enum.IntFlag"})
_TEXTS = frozenset({"enum.StrEnum"})
_KINDS = _NUMBERS | _FLAGS | _TEXTS
_MIXED = frozenset({"enum.IntEnum", "enum.IntFlag", "enum.StrEnum"})
_TYPES = frozenset({"int", "str", "float"})


def with_automatic_values(own: dict[str, list[Fact]], names: Mapping[str, str]) -> dict[str, list[Fact]]:
    """The definitions of a module in source order, where members that `auto()` makes have their value if it is known.

    `names` maps the module's own names to what they stand for. Known are the members of classes that derive from one
    standard enumeration alone, as long as the values before them are literals.
    """
    owners = {
        local.rpartition(".")[0]
        for local, facts in own.items()
        if str(facts[0].aspects.get("value") or "").endswith(_CALL)
    }
    found: dict[str, list[Fact]] = {}
    for owner in owners & own.keys():
        kind = _kind(own[owner], names)
        if kind and f"{owner}.{_GENERATOR}" not in own:
            members = [local for local in own if local.rpartition(".")[0] == owner]
            found |= dict(_valued({local: own[local] for local in members}, kind, names))
    found |= dict(_mixed(own, names))
    return {**own, **found} if found else own


def _mixed(own: dict[str, list[Fact]], names: Mapping[str, str]) -> Iterator[tuple[str, list[Fact]]]:
    """The members whose value is a tuple in an enumeration that mixes a type in: that type is made of what it holds."""
    mixes: dict[str, bool] = {}
    for local, facts in own.items():
        owner = local.rpartition(".")[0]
        text = facts[0].aspects.get("value")
        if not owner or not isinstance(text, str) or "," not in text or text.startswith(("[", "{")):
            continue
        if owner not in mixes:
            bases = {
                resolve(base, names) for fact in own.get(owner, ()) for base in fact.aspects.get("bases", [])
            }
            mixes[owner] = bool(bases & _MIXED or (bases & _TYPES and bases & _KINDS))
        literal = read_constant(text) if mixes[owner] and len(facts) == 1 else None
        if literal is not None and isinstance(literal.value, tuple):
            aspects = {key: value for key, value in facts[0].aspects.items() if key != "value"}
            if len(literal.value) == 1:
                aspects["value"] = repr(literal.value[0])
            yield local, [msgspec.structs.replace(facts[0], aspects=aspects)]


def _kind(facts: list[Fact], names: Mapping[str, str]) -> str:
    """The standard enumeration that a class derives from alone; empty where it does not."""
    bases = facts[0].aspects.get("bases", []) if len(facts) == 1 and facts[0].kind is Kind.CLASS else []
    kind = resolve(bases[0], names) if len(bases) == 1 else ""
    return kind if kind in _KINDS and "metaclass" not in facts[0].aspects.get("keywords", {}) else ""


def _valued(
    members: Mapping[str, list[Fact]], kind: str, names: Mapping[str, str]
) -> Iterator[tuple[str, list[Fact]]]:
    before: list[int] = []
    for local, facts in members.items():
        fact = facts[0]
        text = fact.aspects.get("value")
        if fact.kind is not Kind.ATTRIBUTE or not isinstance(text, str) or fact.name.startswith("_"):
            continue
        if len(facts) > 1 or "guard" in fact.aspects:
            return
        automatic = text.endswith(_CALL) and resolve(text.removesuffix("()"), names) == _AUTO
        if kind in _TEXTS:
            value: int | str = fact.name.lower()
        elif automatic:
            if before and before[-1] != max(before):
                return  # Which one is counted from depends on the version of Python.
            value = _next(max(before, default=0), flag=kind in _FLAGS)
        else:
            literal = read_constant(text)
            if literal is None or type(literal.value) is not int:
                return
            value = literal.value
        if isinstance(value, int):
            before.append(value)
        if automatic:
            aspects = {**fact.aspects, "value": repr(value)}
            yield local, [msgspec.structs.replace(fact, aspects=aspects)]


def _next(last: int, *, flag: bool) -> int:
    return 1 << last.bit_length() if flag else last + 1
