"""The test cases for what stubs say of a thing before it does anything: that it is there, and how it is called.

There is one for each class or module that has functions, about all else that it has, too; one for the many classes that
derive from the same one; and one for the modules of a package that have nothing to call: a test of its own for each
name says little and hides what others say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from graph.facts import Fact, Json, Kind
from graph.literals import NO_LITERAL, literal_value
from graph.source import FactSource
from planner.cases import Case, Layer, Technique
from planner.functions.ancestors import Known, ancestors, base_names, is_for_types_alone
from planner.functions.drawn_values import words_of
from planner.identity import case_id

MEMBERS = "members"
"""Where the target of a case says what it is about beside its class or module: the ids of facts."""
OF_MANY = "of"
"""Where the target of a case says that it is about what derives from its class, or about the modules of its package."""
HEIRS, MODULES = "heirs", "modules"
_MANY = 4
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
    known: Known,
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
    called = {name: listed for name, listed in called.items() if name in owners}
    there = {name: listed for name, listed in there.items() if name in owners}
    _join(called, there)
    yield from _of_families(called, owners, known)
    yield from _of_packages(there, owners)
    for name, listed in called.items():
        is_module = owners[name].kind is Kind.MODULE
        words = f"The functions of {name} are" if is_module else f"{owners[name].name} is"
        told = f"{words} called as the stub says, and not otherwise"
        if is_module and any(each.kind is not Kind.FUNCTION for each in listed):
            told += "; what else it names is there"
        yield _case(owners[name], Technique.CALLABLE, told, "signature", listed)
    for name, listed in there.items():
        told = f"{owners[name].name} has what its stub names"
        yield _case(owners[name], Technique.IMPORTABLE, told, "exists", listed)


def _join(called: dict[str, list[Fact]], there: dict[str, list[Fact]]) -> None:
    """Where something is said of how a class or the functions of a module are called, the rest is said there, too."""
    for module in list(there):
        rest = []
        for fact in there[module]:
            if fact.kind is Kind.CLASS and fact.key in called:
                called[fact.key].insert(0, fact)
            else:
                rest.append(fact)
        there[module] = rest
        if module in called:
            called[module] += rest
        if module in called or not rest:
            del there[module]


def _of_families(called: dict[str, list[Fact]], owners: Mapping[str, Fact], known: Known) -> Iterator[Case]:
    """One case for the classes of a module that derive from the same class of it, where these are many."""
    families: dict[str, list[str]] = {}
    for name in called:
        above = [
            each.key
            for each in (ancestors(owners[name], known) if owners[name].kind is Kind.CLASS else ())
            if each.key.rpartition(".")[0] == name.rpartition(".")[0]
        ]
        if above:
            families.setdefault(above[-1], []).append(name)
    for root, names in families.items():
        if root in owners and len(names) >= _MANY:
            told = f"What derives from {owners[root].name} is called as the stub says, and not otherwise"
            listed = [fact for name in names for fact in called.pop(name)]
            yield _case(owners[root], Technique.CALLABLE, told, "signature", listed, HEIRS)


def _of_packages(there: dict[str, list[Fact]], owners: Mapping[str, Fact]) -> Iterator[Case]:
    """One case for the modules of a package that have nothing to call, where these are many."""
    packages: dict[str, list[str]] = {}
    for name in there:
        if owners[name].kind is Kind.MODULE and name.rpartition(".")[0] in owners:
            packages.setdefault(name.rpartition(".")[0], []).append(name)
    for package, modules in packages.items():
        # A module is reached by its name, which the package may give to something else: `from .slug import slug`.
        taken = {
            str(name) for name, target, *_ in owners[package].aspects.get("imports", ()) if name != target
        }
        modules = [name for name in modules if owners[name].name.rpartition(".")[2] not in taken]
        if len(modules) >= _MANY:
            told = f"The modules of {package} have what their stubs name"
            facts = [fact for name in modules for fact in there.pop(name)]
            yield _case(owners[package], Technique.IMPORTABLE, told, "exists", facts, MODULES)


def _is_shown(fact: Fact, members: Sequence[Fact]) -> bool:
    """Whether the tests of a class's functions show that it is there, or nothing can; its bases they do not show."""
    if is_for_types_alone(fact):
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


def _case(
    owner: Fact, technique: Technique, description: str, aspect: str, listed: Sequence[Fact], of: str = ""
) -> Case:
    target: dict[str, Json] = {"function": owner.id}
    if of:
        target[OF_MANY] = of
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
