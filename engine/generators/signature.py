"""Tests of functions and classes from stubs and docstrings: how they are called, what they return, what they raise."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable

from engine.generators.functions import NoTestError, Surface, Unit, Written, drafted, merged_imports
from engine.generators.functions_calls import (
    VAR_POSITIONAL,
    Parameter,
    accepted,
    literal_default,
    read_parameters,
    refused,
)
from engine.generators.functions_conditions import met
from engine.generators.functions_types import type_check
from engine.generators.functions_values import Maker, Value
from engine.generators.source import name_of
from graph.facts import Fact, Kind
from graph.source import FactSource
from planner.cases import Case, Technique
from planner.generator import Assertion, Context, Declined, Draft

_RECEIVED = frozenset({"method", "classmethod"})
_AWAITED = ("Awaitable", "Coroutine", "Future", "Task", "Any")
_ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")
_BROAD = frozenset({"Exception", "BaseException", "RuntimeError"})
_MOST_NAMES = 3
# What also an object that holds nothing yet can give to a caller who asks for something.
_OF_EMPTY = frozenset(
    {
        "bool",
        "list",
        "dict",
        "set",
        "tuple",
        "frozenset",
        "type(None)",
        "Iterable",
        "Iterator",
        "Sequence",
        "Mapping",
    }
)


class SignatureGenerator:
    """Writes one test per statement of a stub or docstring; needs nothing but the facts."""

    name = "signature"

    def __init__(self) -> None:
        self._surface_of: tuple[FactSource, Surface] | None = None
        self._writers: dict[Technique, Callable[[Case, Fact, Surface], Written]] = {
            Technique.IMPORTABLE: _importable,
            Technique.CALLABLE: _callable,
            Technique.RETURNS: _returns,
            Technique.RAISES: _raises,
        }

    def takes(self, case: Case) -> bool:
        """See `Generator.takes`."""
        return case.technique in self._writers and isinstance(case.target.get("function"), str)

    def generate(self, case: Case, context: Context) -> Draft | Declined:
        """See `Generator.generate`."""
        surface = self._surface(context.source)
        fact = surface.facts.get(str(case.target["function"]))
        if fact is None:
            return Declined(case.id, f"{case.target['function']}, which no stub or code has")
        try:
            written = self._writers[case.technique](case, fact, surface)
        except NoTestError as error:
            return Declined(case.id, str(error))
        return drafted(case, fact, surface.module(fact), written, context)

    def _surface(self, source: FactSource) -> Surface:
        if self._surface_of is None or self._surface_of[0] is not source:
            self._surface_of = (source, Surface(source))
        return self._surface_of[1]


def _spoken(fact: Fact, surface: Surface) -> str:
    """A name for tests: `desk_lend` of the method `Desk.lend`."""
    holder = surface.holder(fact)
    if fact.name == "__init__" and holder is not None:
        return holder.name
    return f"{holder.name}_{fact.name}" if holder is not None else fact.name


def _cited(case: Case, lines: list[str]) -> list[Assertion]:
    return [Assertion(line, case.cites) for line in lines]


def _importable(case: Case, fact: Fact, surface: Surface) -> Written:
    """A class, a constant or a property is there, and is what the stub says."""
    unit = surface.unit(fact)
    if fact.kind is Kind.ATTRIBUTE:
        value = ast.literal_eval(str(fact.aspects["value"]))
        sign = "is" if value is None or isinstance(value, bool) else "=="
        lines = [f"assert {unit.expression} {sign} {value!r}"]
        return Written(f"test_{fact.name}_has_its_value", [unit.imported], assertions=_cited(case, lines))
    if fact.kind is Kind.FUNCTION:
        return _property(case, fact, unit, surface)
    return _class(case, fact, unit, surface)


def _property(case: Case, fact: Fact, unit: Unit, surface: Surface) -> Written:
    holder = surface.holder(fact)
    if holder is None:
        raise NoTestError(f"the class of {fact.key}")
    owner = surface.unit(holder).expression
    return Written(
        f"test_{_spoken(fact, surface)}_is_read_without_a_call",
        [unit.imported],
        act=[f'found = inspect.getattr_static({owner}, "{fact.name}")'],
        assertions=_cited(case, ["assert not inspect.isroutine(found)"]),
        top=["import inspect"],
    )


def _class(case: Case, fact: Fact, unit: Unit, surface: Surface) -> Written:
    module = surface.module(fact)
    imports, lines = [unit.imported], [f"assert isinstance({unit.expression}, type)"]
    for base in fact.aspects.get("bases", ()):
        plain = str(base).partition("[")[0]
        key = surface.resolved(plain, module)
        reached = surface.named(plain, module)
        if reached is None or plain == "object" or key.rpartition(".")[2].startswith("_"):
            continue
        known = surface.at(key)
        enumeration = key.startswith("enum.") and plain.rpartition(".")[2] in _ENUMS
        built_in = not reached.imported and isinstance(getattr(builtins, plain, None), type)
        if (known is not None and known.kind is Kind.CLASS) or enumeration or built_in:
            imports.append(reached.imported)
            lines.append(f"assert issubclass({unit.expression}, {reached.expression})")
            lines += _enumerated(fact, unit, surface) if enumeration else []
    return Written(f"test_{fact.name}_is_a_class", merged_imports(imports), assertions=_cited(case, lines))


def _enumerated(fact: Fact, unit: Unit, surface: Surface) -> list[str]:
    """The members of an enumeration, with those values that the stub gives."""
    members = [
        each
        for each in surface.members(fact)
        if each.kind is Kind.ATTRIBUTE and not each.name.startswith("_") and "value" in each.aspects
    ]
    lines = [f"assert {unit.expression}.{each.name} in {unit.expression}" for each in members]
    for each in members:
        try:
            value = ast.literal_eval(str(each.aspects["value"]))
        except (ValueError, SyntaxError):
            continue
        if value is not ...:
            lines.append(f"assert {unit.expression}.{each.name}.value == {value!r}")
    return lines


def _callable(case: Case, fact: Fact, surface: Surface) -> Written:
    """`Signature.bind` takes what the stub says by place and by name, and refuses what it does not say."""
    unit = surface.unit(fact)
    holder = surface.holder(fact)
    kind = str(fact.aspects.get("kind", "function"))
    signatures = [
        read_parameters(each.aspects["parameters"], receiver=kind in _RECEIVED)
        for each in surface.overloads(fact)
    ]
    if not signatures:
        raise NoTestError(f"the signature of {fact.name}")
    expression = unit.expression
    if fact.name == "__init__" and holder is not None:
        expression = surface.unit(holder).expression
    first = ['"self"'] if kind == "method" and fact.name != "__init__" else []
    taken = list(dict.fromkeys(a for one in signatures for a in accepted(one, named=len(signatures) == 1)))
    lines = [f"signature.bind({', '.join([*first, *filter(None, [each])])})" for each in taken]
    if len(signatures) == 1:
        for parameter in signatures[0]:
            default = literal_default(parameter)
            if default is not None:
                sign = "is" if default in ("None", "True", "False") else "=="
                lines.append(f'assert signature.parameters["{parameter.name}"].default {sign} {default}')
    lines += _form(fact, kind, unit, holder, surface)
    # What stands behind overloads often takes `*args` and refuses by itself.
    for each in refused(signatures) if len(signatures) == 1 else ():
        words = ", ".join([*first, *filter(None, [each])])
        lines += ["with pytest.raises(TypeError):", f"    signature.bind({words})"]
    return Written(
        f"test_{_spoken(fact, surface)}_takes_{_told(signatures)}",
        [unit.imported],
        act=[f"signature = inspect.signature({expression})"],
        assertions=[Assertion("\n".join(lines), case.cites)],
        top=["import inspect"],
    )


def _form(fact: Fact, kind: str, unit: Unit, holder: Fact | None, surface: Surface) -> list[str]:
    """What a function is beside its parameters: asynchronous or not, of the class or of no object."""
    lines = []
    returns = str(fact.aspects.get("returns", "Any"))
    if fact.aspects.get("async"):
        lines.append(f"assert inspect.iscoroutinefunction({unit.expression})")
    elif not any(word in returns for word in _AWAITED) and fact.name != "__init__":
        lines.append(f"assert not inspect.iscoroutinefunction({unit.expression})")
    if holder is not None and kind in ("classmethod", "staticmethod") and fact.name != "__new__":
        owner = surface.unit(holder).expression
        lines.append(f'assert isinstance(inspect.getattr_static({owner}, "{fact.name}"), {kind})')
    return lines


def _told(signatures: list[list[Parameter]]) -> str:
    names = [each.name for each in signatures[0]]
    if len(signatures) > 1 or len(names) > _MOST_NAMES:
        return "what_its_stub_says"
    return "_and_".join(name_of(each) for each in names) if names else "nothing"


def _returns(case: Case, fact: Fact, surface: Surface) -> Written:
    """What a call with simple values gives is of the annotated type."""
    if len(surface.overloads(fact)) != 1:
        raise NoTestError(f"an example of a call of {fact.name}: what it returns depends on what it is given")
    same = surface.same(fact)
    if any((each.aspects.get("doc") or {}).get("raises") for each in same) or any(
        claim.get("kind") == "raises" for each in same for claim in each.aspects.get("claims", ())
    ):
        raise NoTestError(f"an example of a call of {fact.name} that does not raise")
    module = surface.module(fact)
    returns = str(fact.aspects["returns"])
    holder = surface.holder(fact)
    kind = str(fact.aspects.get("kind", "function"))
    check = type_check(
        holder.name if returns.endswith("Self") and holder is not None else returns, module, surface
    )
    called, arguments, arrange, imports = _call(fact, surface, Maker(surface), given={})
    if kind == "method" and arguments and not set(check.types) & _OF_EMPTY:
        raise NoTestError(
            f"an example of a call of {fact.name}: what a new {_owner(holder)} holds is not said"
        )
    if not (arguments or arrange) and kind == "function":
        raise NoTestError(f"whether {fact.name} can be called in a test: it takes nothing")
    awaited = f"asyncio.run({called}({arguments}))" if fact.aspects.get("async") else f"{called}({arguments})"
    return Written(
        f"test_{_spoken(fact, surface)}_returns_{name_of(returns)[:40]}",
        merged_imports([*imports, *check.imported()]),
        arrange=arrange,
        act=[f"found = {awaited}"],
        assertions=_cited(case, check.lines("found")),
        top=["import asyncio"] if fact.aspects.get("async") else [],
    )


def _owner(holder: Fact | None) -> str:
    return holder.name if holder is not None else "object"


def _call(
    fact: Fact, surface: Surface, maker: Maker, given: dict[str, str]
) -> tuple[str, str, list[str], list[str]]:
    """How a test calls a function: the callee, the arguments, what is arranged before, and the imports.

    Parameters that are given have these values; the others get simple ones where they are required.
    """
    unit = surface.unit(fact)
    kind = str(fact.aspects.get("kind", "function"))
    holder = surface.holder(fact)
    signature = surface.overloads(fact)[0]
    parameters = read_parameters(signature.aspects["parameters"], receiver=kind in _RECEIVED)
    module = surface.module(fact)
    if any(each.kind == VAR_POSITIONAL for each in parameters):
        raise NoTestError(f"an example of a call of {fact.name}: how many arguments make sense is not said")
    words, imports, arrange = [], [unit.imported], []
    by_place = True
    for each in parameters:
        if each.name in given:
            value = Value(given[each.name])
        elif each.required:
            value = maker.of(each.annotation, module, each.name)
        else:
            by_place = False
            continue
        imports += value.imports
        placed = each.by_position and by_place
        words.append(value.expression if placed else f"{each.name}={value.expression}")
    called = unit.expression
    if holder is not None and fact.name == "__init__":
        called = surface.unit(holder).expression
    elif holder is not None and kind == "method":
        made = maker.instance(holder)
        local = name_of(holder.name)
        arrange = [f"{local} = {made.expression}"]
        imports = [*made.imports, *imports[1:]]
        called = f"{local}.{fact.name}"
    return called, ", ".join(words), arrange, imports


def _raises(case: Case, fact: Fact, surface: Surface) -> Written:
    """A value that meets the documented condition makes the documented exception."""
    module = surface.module(fact)
    exception, words = str(case.target["exception"]), str(case.target.get("condition", ""))
    kind = str(fact.aspects.get("kind", "function"))
    signatures = surface.overloads(fact)
    if not signatures or kind not in (*_RECEIVED, "function", "staticmethod"):
        raise NoTestError(f"how {fact.name} is called")
    parameters = read_parameters(signatures[0].aspects["parameters"], receiver=kind in _RECEIVED)
    meets = met(words, parameters)
    if meets is None:
        told = f" ({words})" if words else ""
        raise NoTestError(f"a value with which {fact.name} raises {exception}{told}")
    raised = surface.named(exception, module)
    if raised is None:
        raise NoTestError(f"where {exception} is imported from")
    called, arguments, arrange, imports = _call(fact, surface, Maker(surface), {meets.parameter: meets.value})
    call = f"asyncio.run({called}({arguments}))" if fact.aspects.get("async") else f"{called}({arguments})"
    # What is not written yet raises NotImplementedError, which is a RuntimeError: it must not count.
    broad = exception in _BROAD
    lines = [f"with pytest.raises({raised.expression}){' as raised' if broad else ''}:", f"    {call}"]
    lines += ["assert raised.type is not NotImplementedError"] if broad else []
    return Written(
        f"test_{_spoken(fact, surface)}_raises_{name_of(exception)}_if_{name_of(words)[:40].strip('_')}",
        merged_imports([*imports, raised.imported]),
        arrange=arrange,
        assertions=[Assertion("\n".join(lines), case.cites)],
        top=["import asyncio"] if fact.aspects.get("async") else [],
        negative=True,
    )
