"""The test cases for what stubs say of a thing before it does anything: that it is there, and how it is called.

There is one for each class or module that has functions, and one for what else a module has: a test of its own for
each name says little and hides what others say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from graph.facts import Fact, Json, Kind
from graph.literals import NO_LITERAL, literal_value
from graph.source import FactSource
from planner.cases import Case, Layer, Technique
from planner.functions.ancestors import base_names
from planner.functions.drawn_values import words_of
from planner.identity import case_id

MEMBERS = "members"
"""Where the target of a case says what it is about beside its class or module: the ids of facts."""
_CHANGING = frozenset({"setter", "deleter"})
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})

# Names of what functions set anew, so that its value at some time says nothing.
_VARYING = frozenset(
    {
        "counter",
        "cache",
        "cached",
        "state",
        "current",
        "last",
        "previous",
        "initialized",
        "initialised",
        "instance",
    }
)


def is_of_python(fact: Fact) -> bool:
    """Whether operators and builtins call a method, and not people."""
    is_named_so = fact.name.startswith("__") and fact.name.endswith("__")
    return fact.kind is Kind.FUNCTION and is_named_so and fact.name != "__init__"


def interface_cases(
    public: Iterable[Fact],
    members: Mapping[str, Sequence[Fact]],
    owners: Mapping[str, Fact],
    source: FactSource,
) -> Iterator[Case]:
    """The cases of the public facts of stubs.

    `members` are the public ones of each class and module by its qualified name, `owners` all these themselves.
    """
    called: dict[str, list[Fact]] = {}
    there: dict[str, list[Fact]] = {}
    for fact in public:
        module = source.module_of(fact) or ""
        if fact.kind is Kind.FUNCTION:
            if fact.aspects.get("kind") not in _CHANGING and not is_of_python(fact):
                called.setdefault(fact.key.rpartition(".")[0], []).append(fact)
        elif fact.kind is Kind.CLASS and _ENUMS & {each.rpartition(".")[2] for each in base_names(fact)}:
            there[fact.key] = [fact]
        elif (fact.kind is Kind.CLASS and not _is_shown(fact, members.get(fact.key, ()))) or (
            fact.kind is Kind.ATTRIBUTE and fact.key == f"{module}.{fact.name}" and _is_constant(fact)
        ):
            there.setdefault(module, []).append(fact)
    for name, listed in called.items():
        if name in owners:
            is_module = owners[name].kind is Kind.MODULE
            words = f"The functions of {name} are" if is_module else f"{owners[name].name} is"
            told = f"{words} called as the stub says, and not otherwise"
            yield _case(owners[name], Technique.CALLABLE, told, "signature", listed)
    for name, listed in there.items():
        if name in owners:
            told = f"{owners[name].name} has what its stub names"
            yield _case(owners[name], Technique.IMPORTABLE, told, "exists", listed)


def _is_shown(fact: Fact, members: Sequence[Fact]) -> bool:
    """Whether the tests of a class's functions show that it is there, or nothing can; its bases they do not show."""
    if any("type_check_only" in str(each) for each in fact.aspects.get("decorators", ())):
        return True
    plain = not set(fact.aspects.get("bases", ())) - {"object"}
    return plain and any(each.kind is Kind.FUNCTION and not is_of_python(each) for each in members)


def _is_constant(fact: Fact) -> bool:
    """Whether a stub gives the value of a name, and nothing sets it anew by its name."""
    if set(words_of(fact.name)) & _VARYING:
        return False
    text = fact.aspects.get("value")
    value = literal_value(text) if isinstance(text, str) else NO_LITERAL
    return value is not NO_LITERAL and value is not ... and not fact.name.startswith("_")


def _case(owner: Fact, technique: Technique, description: str, aspect: str, listed: Sequence[Fact]) -> Case:
    target: dict[str, Json] = {"function": owner.id}
    # What comes and goes with the stub is no part of what makes it this case.
    return Case(
        id=case_id(owner.key, technique, target),
        description=description,
        subject=f"{owner.kind} {owner.key}",
        aspect=aspect,
        technique=technique,
        layer=Layer.UNIT,
        cites=tuple(each.id for each in listed),
        target={**target, MEMBERS: [each.id for each in listed]},
    )
