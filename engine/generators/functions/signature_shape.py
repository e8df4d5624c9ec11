"""What stubs say of a thing before it does anything: that it is there, what it derives from, how it is called.

One test says so of all functions of a class or module: for each a line, in which a lambda has the stub's parameters.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator

import msgspec

from crossval.compare.decorators import keeps_parameters
from engine.generators.functions.calls import header, parameters_of
from engine.generators.functions.facts import NoTestError, Surface, Unit
from engine.generators.functions.written import Written
from engine.generators.source import merged_imports, name_of
from graph.facts import Fact, Kind
from graph.literals import NO_LITERAL, literal_value
from planner.cases import Case
from planner.functions.ancestors import is_for_types_alone
from planner.functions.interface_cases import MEMBERS, MODULES, OF_MANY
from planner.generator import Assertion

_AWAITED = ("Awaitable", "Coroutine", "Future", "Task", "Any")
# What `typing` has that says something and does nothing.
_MARKS = frozenset({"override", "final", "deprecated"})
_ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")


class Part(msgspec.Struct, frozen=True):
    """What a test says of one member: the lines of its assertion, and the imports that they need."""

    fact: Fact
    lines: list[str]
    imports: list[str]


def members_of(case: Case, surface: Surface) -> Iterator[Part | NoTestError]:
    """What is said of each member that a case is about, or what is missing for it."""
    for name in case.target.get(MEMBERS, ()):
        try:
            fact = surface.facts.get(str(name))
            if fact is not None:
                by_module = case.target.get(OF_MANY) == MODULES
                yield _part(fact, _unit(fact, surface, by_module=by_module), surface, by_module=by_module)
        except NoTestError as error:
            yield error


def there(case: Case, fact: Fact, surface: Surface) -> Written:
    """What a module has is what its stub says: classes with their bases, constants, the members of an enumeration."""
    ending = "has_its_members" if fact.kind is Kind.CLASS else "has_what_its_stub_names"
    if case.target.get(OF_MANY):
        ending = "modules_have_what_their_stubs_name"
    return _written(case, fact, surface, ending)


def called_so(case: Case, fact: Fact, surface: Surface) -> Written:
    """The functions of a class or module take what the stub says by place and by name, and refuse all else."""
    ending = (
        "is_called_as_its_stub_says" if fact.kind is Kind.CLASS else "functions_are_called_as_the_stub_says"
    )
    if case.target.get(OF_MANY):
        ending = "heirs_are_called_as_their_stub_says"
    return _written(case, fact, surface, ending)


def _written(case: Case, fact: Fact, surface: Surface, ending: str) -> Written:
    found = list(members_of(case, surface))
    parts = [each for each in found if isinstance(each, Part)]
    if not parts:
        raise next(
            (each for each in found if isinstance(each, NoTestError)), NoTestError(f"what {fact.name} has")
        )
    assertions = [Assertion("\n".join(each.lines), (each.fact.id,)) for each in parts]
    written = "\n".join(each.text for each in assertions)
    return Written(
        f"test_{name_of(fact.name.rpartition('.')[2])}_{ending}",
        merged_imports([each for part in parts for each in part.imports]),
        assertions=assertions,
        top=["import inspect"] if "inspect." in written else [],
        fixtures=("takes",) if "takes(" in written else (),
    )


def _unit(fact: Fact, surface: Surface, *, by_module: bool) -> Unit:
    """How a test reaches something, `by_module` as what its module has: others may have another by this name."""
    unit = surface.unit(fact)
    if not by_module:
        return unit
    package, _, last = surface.module(fact).rpartition(".")
    return Unit(f"from {package} import {last}", f"{last}.{unit.expression}") if package else unit


def _part(fact: Fact, unit: Unit, surface: Surface, *, by_module: bool) -> Part:
    if fact.kind is Kind.ATTRIBUTE:
        value = literal_value(str(fact.aspects["value"]))
        if value is NO_LITERAL:
            raise NoTestError(f"the value of {fact.name}")
        sign = "is" if value is None or isinstance(value, bool) else "=="
        return Part(fact, [f"assert {unit.expression} {sign} {value!r}"], [unit.imported])
    if fact.kind is Kind.CLASS:
        return _class(fact, unit, surface, by_module=by_module)
    if fact.aspects.get("kind") == "property":
        return _property(fact, unit, surface)
    return _function(fact, unit, surface)


def _property(fact: Fact, unit: Unit, surface: Surface) -> Part:
    """A property is read without a call."""
    holder = surface.holder(fact)
    if holder is None:
        raise NoTestError(f"the class of {fact.key}")
    owner = surface.unit(holder).expression
    return Part(
        fact,
        # Its objects may have what the class itself does not have.
        [f'assert not callable(inspect.getattr_static({owner}, "{fact.name}", None))'],
        [unit.imported],
    )


def _function(fact: Fact, unit: Unit, surface: Surface) -> Part:
    holder = surface.holder(fact)
    kind = str(fact.aspects.get("kind", "function"))
    changing = decorators(fact, surface, lambda name: not keeps_parameters(name))
    signatures = [parameters_of(each) for each in surface.overloads(fact)]
    # Python then tells the signature of what is named there, whatever is written here.
    told_elsewhere = [
        name
        for each in surface.same(fact)
        for name in decorators(each, surface, lambda name: name == "functools.wraps")
    ]
    changing = changing or told_elsewhere
    if changing or not signatures:
        told = f", which @{changing[0]} may change" if changing else ""
        raise NoTestError(f"the signature of {fact.name}{told}")
    if kind == "method" and any(not each.aspects["parameters"] for each in surface.overloads(fact)):
        raise NoTestError(f"what {fact.name} is called on: it takes no object")
    if kind == "method" and any(each.name == "self" for every in signatures for each in every):
        raise NoTestError(f"what {fact.name} is called on: something else is called self")
    is_made = fact.name == "__init__" and holder is not None
    expression = surface.unit(holder).expression if is_made and holder is not None else unit.expression
    receiver = ["self"] if kind == "method" and not is_made else []
    stubs = dict.fromkeys(
        f"lambda{' ' * bool(words)}{words}: ..."
        for each in signatures
        for words in [", ".join(filter(None, [*receiver, header(each)]))]
    )
    returns = str(fact.aspects.get("returns", "Any"))
    awaited = ""
    if fact.aspects.get("async"):
        awaited = ", awaited=True"
    elif any(word in returns for word in _AWAITED) and not is_made:
        awaited = ", awaited=None"
    others = ", others=True" if len(signatures) > 1 else ""
    lines = [f"takes({expression}, {', '.join(stubs)}{others}{awaited})"]
    if holder is not None and kind in ("classmethod", "staticmethod") and fact.name != "__new__":
        owner = surface.unit(holder).expression
        lines.append(f'assert isinstance(inspect.getattr_static({owner}, "{fact.name}"), {kind})')
    return Part(fact, lines, [unit.imported])


def _class(fact: Fact, unit: Unit, surface: Surface, *, by_module: bool) -> Part:
    """A class is there, and derives from what its stub says."""
    module = surface.module(fact)
    imports, lines = [unit.imported], [f"assert isinstance({unit.expression}, type)"]
    for base in fact.aspects.get("bases", ()):
        plain = str(base).partition("[")[0]
        key = surface.resolved(plain, module)
        reached = surface.named(plain, module)
        if reached is None or plain == "object" or key.rpartition(".")[2].startswith("_"):
            continue
        known = surface.at(key)
        if known is not None and is_for_types_alone(known):
            continue
        enumeration = key.startswith("enum.") and plain.rpartition(".")[2] in _ENUMS
        built_in = not reached.imported and isinstance(getattr(builtins, plain, None), type)
        if by_module and known is not None and known.kind is Kind.CLASS:
            reached = _unit(known, surface, by_module=True)
        if (known is not None and known.kind is Kind.CLASS) or enumeration or built_in:
            imports.append(reached.imported)
            lines.append(f"assert issubclass({unit.expression}, {reached.expression})")
            lines += _enumerated(fact, unit, surface) if enumeration else []
    return Part(fact, lines, imports)


def _enumerated(fact: Fact, unit: Unit, surface: Surface) -> list[str]:
    """The members of an enumeration, with those values that the stub gives."""
    members = [
        each
        for each in surface.members(fact)
        if each.kind is Kind.ATTRIBUTE and not each.name.startswith("_") and "value" in each.aspects
    ]
    lines = [f"assert {unit.expression}.{each.name} in {unit.expression}" for each in members]
    for each in members:
        value = literal_value(str(each.aspects["value"]))
        if value is not NO_LITERAL and value is not ...:
            lines.append(f"assert {unit.expression}.{each.name}.value == {value!r}")
    return lines


def decorators(fact: Fact, surface: Surface, wanted: Callable[[str], bool]) -> list[str]:
    """The decorators of a function whose qualified name is wanted; one that a module of the project has for what older
    versions of Python lack, as `override`, is that of `typing`."""
    module = surface.module(fact)
    names = [str(each).lstrip("@").partition("(")[0].strip() for each in fact.aspects.get("decorators", ())]
    return [name for name in names if wanted(_of_typing(surface.resolved(name, module), surface))]


def _of_typing(key: str, surface: Surface) -> str:
    last = key.rpartition(".")[2]
    return f"typing.{last}" if last in _MARKS and surface.at(key) is None else key
