"""What stubs say of a thing before it is called: that it is there, what it derives from, and how it is called."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable

from crossval.compare.decorators import keeps_parameters
from engine.generators.functions import NoTestError, Surface, Unit, Written, cited, merged_imports
from engine.generators.functions_calls import Parameter, accepted, literal_default, parameters_of, refused
from engine.generators.functions_made import spoken
from engine.generators.source import name_of
from graph.facts import Fact, Kind, Tag
from planner.cases import Case
from planner.generator import Assertion

_AWAITED = ("Awaitable", "Coroutine", "Future", "Task", "Any")
_ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")
_MOST_NAMES = 3
_SINGLE = frozenset({"None", "True", "False"})


def importable(case: Case, fact: Fact, surface: Surface) -> Written:
    """A class, a constant or a property is there, and is what the stub says."""
    unit = surface.unit(fact)
    if fact.kind is Kind.ATTRIBUTE:
        value = ast.literal_eval(str(fact.aspects["value"]))
        sign = "is" if value is None or isinstance(value, bool) else "=="
        lines = [f"assert {unit.expression} {sign} {value!r}"]
        return Written(f"test_{fact.name}_has_its_value", [unit.imported], assertions=cited(case, lines))
    if fact.kind is Kind.FUNCTION:
        return _property(case, fact, unit, surface)
    return _class(case, fact, unit, surface)


def _property(case: Case, fact: Fact, unit: Unit, surface: Surface) -> Written:
    holder = surface.holder(fact)
    if holder is None:
        raise NoTestError(f"the class of {fact.key}")
    owner = surface.unit(holder).expression
    return Written(
        f"test_{spoken(fact, surface)}_is_read_without_a_call",
        [unit.imported],
        act=[f'found = inspect.getattr_static({owner}, "{fact.name}")'],
        assertions=cited(case, ["assert not inspect.isroutine(found)"]),
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
    return Written(f"test_{fact.name}_is_a_class", merged_imports(imports), assertions=cited(case, lines))


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


def called_so(case: Case, fact: Fact, surface: Surface) -> Written:
    """`Signature.bind` takes what the stub says by place and by name, and refuses what it does not say."""
    unit = surface.unit(fact)
    holder = surface.holder(fact)
    kind = str(fact.aspects.get("kind", "function"))
    changing = decorators(fact, surface, lambda name: not keeps_parameters(name))
    signatures = [parameters_of(each) for each in surface.overloads(fact)]
    if changing or not signatures:
        told = f", which @{changing[0]} may change" if changing else ""
        raise NoTestError(f"the signature of {fact.name}{told}")
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
                sign = "is" if default in _SINGLE else "=="
                lines.append(f'assert signature.parameters["{parameter.name}"].default {sign} {default}')
    else:
        lines += _defaults(fact, signatures, surface)
    lines += _form(fact, kind, unit, holder, surface)
    # What stands behind overloads often takes `*args` and refuses by itself.
    for each in refused(signatures) if len(signatures) == 1 else ():
        words = ", ".join([*first, *filter(None, [each])])
        lines += ["with pytest.raises(TypeError):", f"    signature.bind({words})"]
    return Written(
        f"test_{spoken(fact, surface)}_takes_{_told(signatures)}",
        [unit.imported],
        act=[f"signature = inspect.signature({expression})"],
        assertions=[Assertion("\n".join(lines), case.cites)],
        top=["import inspect"],
    )


def _defaults(fact: Fact, signatures: list[list[Parameter]], surface: Surface) -> list[str]:
    """The defaults on which overloads agree, of parameters that the code behind them has under these names."""
    behind = [
        each for each in surface.same(fact) if each.tag is Tag.CODE and not each.aspects.get("overload")
    ]
    names = {str(row[0]) for each in behind[:1] for row in each.aspects["parameters"]}
    said: dict[str, set[str]] = {}
    for parameter in (each for one in signatures for each in one):
        if parameter.name in names and (default := literal_default(parameter)) is not None:
            said.setdefault(parameter.name, set()).add(default)
    return [
        f'assert signature.parameters["{name}"].default {"is" if value in _SINGLE else "=="} {value}'
        for name, values in said.items()
        if len(values) == 1
        for value in values
    ]


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


def decorators(fact: Fact, surface: Surface, wanted: Callable[[str], bool]) -> list[str]:
    """The decorators of a function whose qualified name is wanted."""
    module = surface.module(fact)
    names = [str(each).lstrip("@").partition("(")[0].strip() for each in fact.aspects.get("decorators", ())]
    return [name for name in names if wanted(surface.resolved(name, module))]
