"""Tests of objects that are told things by one method and asked by another: what was put in is found, given, let go."""

from __future__ import annotations

from engine.generators.functions.calls import Parameter, parameters_of
from engine.generators.functions.facts import NoTestError, Surface, cited
from engine.generators.functions.kept_outside import refuse_stored
from engine.generators.functions.values import Maker
from engine.generators.functions.written import Written
from engine.generators.source import local_of, merged_imports
from engine.generators.values.known_values import Value
from graph.facts import Fact
from planner.cases import Case
from planner.functions.keeping_laws import is_any, kept_one, required


def kept_inside(case: Case, fact: Fact, surface: Surface) -> Written:
    """What one method was given is known to the other, or can be given again when the other took it out."""
    law = str(case.target["law"])
    put, other = surface.facts[str(case.target["by"])], surface.facts[str(case.target["other"])]
    made, local = Maker(surface, bare=True).instance(fact, idle=True), local_of(fact.name)
    values = {each.name: _value(each, put, surface) for each in parameters_of(put) if each.required}
    putting = _call(local, put, values)
    asking = _call(local, other, {name: value for name, value in values.items() if name in required(other)})
    refuse_stored(made.expression, fact, surface)
    arrange, act = [f"{local} = {made.expression}"], [putting, f"found = {asking}"]
    if law == "put again":
        name, asserts = f"takes_again_by_{put.name}_what_{other.name}_took_out", ["assert found is None"]
        act.append(putting)
    elif law == "given":
        kept = values[kept_one(put, required(other))]
        name, asserts = (
            f"gives_by_{other.name}_what_{put.name}_was_given",
            [f"assert found == {kept.expression}"],
        )
    else:
        is_said = other.aspects.get("returns") == "bool"
        name = f"finds_by_{other.name}_what_{put.name}_was_given"
        asserts = ["assert found is True" if is_said else "assert found is not None"]
    return Written(
        f"test_{fact.name}_{name}",
        merged_imports([*made.imports, *(each for value in values.values() for each in value.imports)]),
        arrange=arrange,
        act=act,
        assertions=cited(case, asserts, inferred=True),
    )


def _value(parameter: Parameter, put: Fact, surface: Surface) -> Value:
    """A value, any text for what may be anything. Raises NoTestError."""
    if is_any(parameter.annotation or ""):
        return Value(f'"{parameter.name.strip("_")}"')
    value = Maker(surface, others=True).of(parameter.annotation, surface.module(put), parameter.name)
    if value.expression == "None":
        raise NoTestError(f"a value for `{parameter.name}`")
    return value


def _call(local: str, method: Fact, values: dict[str, Value]) -> str:
    """A call with these values, by name behind what may be left out."""
    words, by_place = [], True
    for each in parameters_of(method):
        if each.name not in values:
            by_place = False
            continue
        value = values[each.name].expression
        words.append(value if by_place and each.by_position else f"{each.name}={value}")
    return f"{local}.{method.name}({', '.join(words)})"
