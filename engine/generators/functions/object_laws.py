"""Tests of laws that the methods of a class owe to one another: equality, order, containers, what is set is read."""

from __future__ import annotations

import ast

from engine.generators.functions.calls import parameters_of
from engine.generators.functions.constructors import constructor, refuse_unhashable
from engine.generators.functions.facts import NoTestError, Surface, cited
from engine.generators.functions.kept_outside import refuse_stored
from engine.generators.functions.made import spoken
from engine.generators.functions.made_by_method import new_object
from engine.generators.functions.standing_alone import refuse_alone
from engine.generators.functions.values import Maker
from engine.generators.functions.written import Written
from engine.generators.source import local_of, merged_imports, name_of
from engine.generators.values.known_values import Value
from graph.facts import Fact
from graph.literals import literal_value
from planner.cases import Case
from planner.functions.operators import OPERATORS

_TWO = {"str": '["one", "two"]', "float": "[1.5, 2.5]"}


def made(case: Case, fact: Fact, surface: Surface) -> Written:
    """An object can be made as its constructor's stub says."""
    holder = surface.facts[str(case.target["class"])]
    if surface.overloads(fact)[0] is not fact:
        raise NoTestError(f"how an object of {holder.name} is made")
    value, local = Maker(surface, likely=True).instance(holder, idle=True), local_of(holder.name)
    return Written(
        f"test_{holder.name}_can_be_made",
        merged_imports(value.imports),
        act=[f"{local} = {value.expression}"],
        assertions=cited(case, [f"assert isinstance({local}, {surface.unit(holder).expression})"]),
    )


def of_equals(case: Case, fact: Fact, surface: Surface) -> Written:
    """Two objects that are made alike, and what holds of them by the case's law."""
    law = str(case.target["law"])
    made = new_object(fact, Maker(surface), surface)
    if made.expression.endswith("()"):
        raise NoTestError(f"what an object of {fact.name} is made of")
    if law == "hashed":
        refuse_unhashable(fact, surface)
    asserts = {
        "equal": "assert first == second",
        "hashed": "assert hash(first) == hash(second)",
        "unordered": "assert not first < second",
    }
    names = {"equal": "equal", "hashed": "of_one_hash", "unordered": "in_no_order"}
    return Written(
        f"test_{fact.name}_objects_that_are_made_alike_are_{names[law]}",
        merged_imports(made.imports),
        act=[f"first = {made.expression}", f"second = {made.expression}"],
        assertions=cited(case, [asserts[law]], inferred=True),
    )


def beside_others(case: Case, fact: Fact, surface: Surface) -> Written:
    """How an object stands beside one that is nothing else, and beside its equal."""
    law = str(case.target["law"])
    made, local = new_object(fact, Maker(surface), surface), local_of(fact.name)
    if made.expression.endswith("()"):
        raise NoTestError(f"what an object of {fact.name} is made of")
    arrange = [f"{local} = {made.expression}"]
    if law == "apart":
        words, line = "is_no_other_object", f"assert {local} != object()"
    elif law == "uncompared":
        words, line = (
            "comes_before_no_other_object",
            f"with pytest.raises(TypeError):\n    {local} < object()",
        )
    else:
        operator = OPERATORS[surface.facts[str(case.target["by"])].name]
        arrange.append(f"other = {made.expression}")
        words = f"is_at_{'most' if '<' in operator else 'least'}_its_equal"
        line = f"assert {operator.format(it=local, other='other')}"
    return Written(
        f"test_{fact.name}_{words}",
        merged_imports(made.imports),
        arrange=arrange,
        assertions=cited(case, [line], inferred=True),
    )


def unequal(case: Case, fact: Fact, surface: Surface) -> Written:
    """Another value of what an object is made of makes another object."""
    name = str(case.target["parameter"])
    fields, module = constructor(fact, surface)
    parameter = next((each for each in fields if each.name == name), None)
    if parameter is None:
        raise NoTestError(f"that {fact.name} is made with {name}")
    value = Maker(surface, others=True).of(parameter.annotation, module, name)
    first = Maker(surface).instance(fact)
    second = Maker(surface).instance(fact, given={name: value.expression})
    if first == second:
        raise NoTestError(f"another value for `{name}`")
    return Written(
        f"test_{fact.name}_of_another_{name_of(name)}_is_another",
        merged_imports([*first.imports, *value.imports]),
        act=[f"first = {first.expression}", f"second = {second.expression}"],
        assertions=cited(case, ["assert first != second"], inferred=True),
    )


def held(case: Case, fact: Fact, surface: Surface) -> Written:
    """What a container is made of is counted and found as it is gone through; a cleared one has nothing."""
    law, name = str(case.target["law"]), str(case.target["parameter"])
    local = local_of(fact.name)
    made = Maker(surface).instance(fact, given={name: _several(fact, name, surface)} if name else None)
    if made.expression.endswith("()"):
        raise NoTestError(f"what an object of {fact.name} is made of")
    words, asserts = {
        "counted": ("has_as_many_things_as_it_goes_through", [f"assert len({local}) == len(list({local}))"]),
        "contained": ("has_what_it_goes_through", [f"assert all(each in {local} for each in {local})"]),
        "cleared": ("is_empty_when_it_was_cleared", [f"assert len({local}) == 0"]),
        "indexed": (
            "has_by_its_number_what_it_goes_through",
            [f"assert [{local}[number] for number in range(len({local}))] == list({local})"],
        ),
        "duplicated": ("is_equal_to_its_copy", [f"assert {local}.copy() == {local}"]),
        "itemized": (
            "has_as_items_its_keys_and_values",
            [f"assert list({local}.items()) == list(zip({local}.keys(), {local}.values()))"],
        ),
    }[law]
    if law in ("contained", "indexed"):
        if not _may_hold(made.expression):
            raise NoTestError(f"what a new {fact.name} holds is not said")
        asserts.insert(0, f"assert list({local})")
    return Written(
        f"test_{fact.name}_{words}",
        merged_imports(made.imports),
        arrange=[f"{local} = {made.expression}"],
        act=[f"{local}.clear()"] if law == "cleared" else [],
        assertions=cited(case, asserts, inferred=True),
    )


def _may_hold(made: str) -> bool:
    """Whether something that an object is made of, as source, is more than a number: no object holds its size."""
    call = ast.parse(made, mode="eval").body
    given = [*call.args, *(each.value for each in call.keywords)] if isinstance(call, ast.Call) else []
    return any(not isinstance(literal_value(each), int | float) for each in given) or not given


def filled(case: Case, fact: Fact, surface: Surface) -> Written:
    """What is put into an object is in it, makes it longer, or comes out again."""
    law = str(case.target["law"])
    put, other = surface.facts[str(case.target["by"])], surface.facts[str(case.target["other"])]
    value, made, local = _value(put, surface), Maker(surface, bare=True).instance(fact), local_of(fact.name)
    refuse_stored(made.expression, fact, surface)
    arrange = [f"{local} = {made.expression}"]
    words, asserts = {
        "put": (f"has_what_it_was_given_by_{put.name}", [f"assert {value.expression} in {local}"]),
        "grown": (f"grows_by_one_with_{put.name}", [f"assert len({local}) == before + 1"]),
        "taken": (
            f"gives_by_{other.name}_what_{put.name}_was_given",
            [f"assert found == {value.expression}"],
        ),
    }[law]
    if law == "grown":
        arrange.append(f"before = len({local})")
    act = [f"{local}.{put.name}({value.expression})"]
    if law == "taken":
        act.append(f"found = {local}.{other.name}()")
    return Written(
        f"test_{fact.name}_{words}",
        merged_imports([*made.imports, *value.imports]),
        arrange=arrange,
        act=act,
        assertions=cited(case, asserts, inferred=True),
    )


def kept_when_set(case: Case, fact: Fact, surface: Surface) -> Written:
    """A property is what it was set to."""
    read = surface.facts[str(case.target["property"])]
    refuse_alone(read, fact, surface)
    # Another value than a new object may have by itself.
    value = Maker(surface, others=True).of(str(read.aspects["returns"]), surface.module(read), read.name)
    made, local = Maker(surface).instance(fact), local_of(fact.name)
    if value.expression == "None":
        raise NoTestError(f"a value for `{read.name}` that can be compared")
    return Written(
        f"test_{spoken(read, surface)}_is_what_it_was_set_to",
        merged_imports([*made.imports, *value.imports]),
        arrange=[f"{local} = {made.expression}"],
        act=[f"{local}.{read.name} = {value.expression}"],
        assertions=cited(case, [f"assert {local}.{read.name} == {value.expression}"], inferred=True),
    )


def _value(method: Fact, surface: Surface) -> Value:
    """A value for the one thing that a method takes, another than an object is made with. Raises NoTestError."""
    first = parameters_of(method)[0]
    return Maker(surface, others=True).of(first.annotation, surface.module(method), first.name)


def _several(fact: Fact, name: str, surface: Surface) -> str:
    """Two things for a parameter that takes several."""
    fields, _ = constructor(fact, surface)
    parameter = next((each for each in fields if each.name == name), None)
    if parameter is None:
        raise NoTestError(f"that {fact.name} is made with {name}")
    return next((text for type_, text in _TWO.items() if f"[{type_}]" in str(parameter.annotation)), "[1, 2]")
