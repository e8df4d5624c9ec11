"""The enumerations of the code: which values the members of a class have, where its text tells them all."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from graph.facts import Fact, Json

_BASES = frozenset({"Enum", "StrEnum", "IntEnum", "TextChoices", "IntegerChoices", "Choices"})
_CHOICES = frozenset({"TextChoices", "IntegerChoices", "Choices"})
_DEEPEST = 3


class Member(NamedTuple):
    """One member of an enumeration: its value, its name, and what people read for it (empty where nothing is said)."""

    value: Json
    name: str
    label: str


class Enumeration(NamedTuple):
    """A class of the code that lists values."""

    fact: Fact
    members: tuple[Member, ...]

    def schema(self) -> dict[str, Json]:
        """The values as a schema has them, names in place of numbers; `x-called` has other words for all."""
        values, names = [each.value for each in self.members], [each.name for each in self.members]
        texts = all(isinstance(each, str) for each in values)
        called = [[each.label for each in self.members]] if all(each.label for each in self.members) else []
        return {"enum": values if texts else names, "x-called": [*called, names if texts else values]}

    def default(self, name: str) -> dict[str, Json]:
        """What a schema says where this member is the default, nothing where there is no such member."""
        member = next((each for each in self.members if each.name == name), None)
        if member is None:
            return {}
        return {
            "default": member.value,
            "x-default-called": [each for each in (member.name, member.label) if each],
        }


class Enumerations:
    """The enumerations of a project, found by the names that its modules have for them."""

    def __init__(
        self, classes: Mapping[str, Fact], members: Mapping[str, list[Fact]], modules: Mapping[str, Fact]
    ) -> None:
        self._classes, self._members, self._modules = classes, members, modules
        self._read: dict[str, Enumeration | None] = {}
        self._by_name: dict[str, list[str]] = {}
        for key in classes:
            self._by_name.setdefault(key.rpartition(".")[2], []).append(key)

    def __iter__(self) -> Iterator[Enumeration]:
        for key in self._classes:
            if (found := self._of(key)) is not None:
                yield found

    def named(self, written: str, within: str) -> Enumeration | None:
        """The enumeration that a dotted name means in a class or module (its key)."""
        key = self.key_of(written, within)
        return self._of(key) if key else None

    def key_of(self, written: str, within: str) -> str | None:
        """The key of the class that a dotted name means there."""
        first, _, rest = written.partition(".")
        while within:
            if f"{within}.{written}" in self._classes:
                return f"{within}.{written}"
            module = self._modules.get(within)
            if module is not None:
                targets = [target for name, target, _ in module.aspects.get("imports", ()) if name == first]
                return self._ending(f"{targets[-1]}.{rest}".rstrip(".")) if targets else None
            within = within.rpartition(".")[0]
        return None

    def _ending(self, target: str) -> str | None:
        """The class that an import means: of its name, else the only one of its last name below the same package."""
        if target in self._classes:
            return target
        package = target.lstrip(".").partition(".")[0]
        ending = [
            key
            for key in self._by_name.get(target.rpartition(".")[2], ())
            if target.startswith(".") or package in key.split(".")
        ]
        return ending[0] if len(ending) == 1 else None

    def _of(self, key: str, depth: int = 0) -> Enumeration | None:
        if key not in self._read:
            self._read[key] = None
            fact = self._classes[key]
            bases = self._bases(fact, depth)
            if bases & _BASES:
                self._read[key] = _enumeration(fact, self._members.get(key, ()), bases)
        return self._read[key]

    def _bases(self, fact: Fact, depth: int) -> frozenset[str]:
        """The last names of all classes above, those of the project followed."""
        found: set[str] = set()
        for text in fact.aspects.get("bases", ()):
            found.add(text.rpartition(".")[2])
            above = self.key_of(text, fact.key.rpartition(".")[0])
            if above is not None and above != fact.key and depth < _DEEPEST:
                found |= self._bases(self._classes[above], depth + 1)
        return frozenset(found)


def parsed(text: object) -> ast.expr | None:
    """An expression that a fact has as its source, None for what is none (it may have been cut)."""
    try:
        return ast.parse(str(text), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def literal(node: ast.expr | None) -> Json:
    """The value that an expression writes out; `...` where it does not."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | bool | None):
        return node.value
    if (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
    ):
        value = node.operand.value
        return -value if isinstance(value, int | float) else ...
    return ...


def _enumeration(fact: Fact, members: Iterable[Fact], bases: frozenset[str]) -> Enumeration | None:
    found: list[Member] = []
    for each in members:
        if each.name.startswith("_") or "value" not in each.aspects or each.aspects.get("instance"):
            continue
        member = _member(each, bases)
        if member is None:
            return None
        if member.value not in [other.value for other in found]:
            found.append(member)
    return Enumeration(fact, tuple(found)) if len(found) > 1 else None


def _member(fact: Fact, bases: frozenset[str]) -> Member | None:
    node: ast.expr | None = parsed(fact.aspects["value"])
    label = ""
    if bases & _CHOICES and isinstance(node, ast.Tuple) and len(node.elts) == 2:
        label = _text(node.elts[1])
        node = node.elts[0]
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "auto":
        return Member(fact.name.lower() if "StrEnum" in bases else fact.name, fact.name, "")
    value = literal(node)
    return None if value is ... else Member(value, fact.name, label)


def _text(node: ast.expr) -> str:
    """A text, also one that is marked for translation: `_("In review")`."""
    if isinstance(node, ast.Call) and len(node.args) == 1:
        node = node.args[0]
    value = literal(node)
    return value if isinstance(value, str) else ""
