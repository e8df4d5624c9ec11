"""How a test of a function calls it: the callee, its arguments, the object that holds it, and the imports."""

from __future__ import annotations

import msgspec

from engine.generators.functions.abstract import is_left_to_heirs, is_to_be_derived_from
from engine.generators.functions.calls import VAR_POSITIONAL, parameters_of
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.made_by_method import object_with
from engine.generators.functions.shown_calls import shown_arguments
from engine.generators.functions.standing_alone import refuse_alone
from engine.generators.functions.values import Maker
from engine.generators.source import local_of
from engine.generators.values.known_values import Value
from graph.facts import Fact

# What takes any number of such values takes two of them.
_FEW = 2


class Call(msgspec.Struct, frozen=True):
    """A call as source: what is called with which arguments, the lines before it, and the imports of all."""

    called: str
    arguments: str
    arrange: list[str]
    imports: list[str]

    @property
    def source(self) -> str:
        """The whole call."""
        return f"{self.called}({self.arguments})"


def spoken(fact: Fact, surface: Surface, on: Fact | None = None) -> str:
    """A name for tests: `desk_lend` of the method `Desk.lend`, or of that of a class that derives from it."""
    holder = on or surface.holder(fact)
    if fact.name == "__init__" and holder is not None:
        return holder.name
    return f"{holder.name}_{fact.name}" if holder is not None else fact.name


def call_of(
    fact: Fact, surface: Surface, maker: Maker, given: dict[str, str], on: Fact | None = None
) -> Call:
    """A call of a function in which some parameters have given values; the others get those of a call that is shown
    somewhere, or simple ones, where they are required.

    `on` is the class of the object that a method is called on, where that is another than its own. Raises NoTestError
    where a value or an object to call it on cannot be made.
    """
    unit = surface.unit(fact)
    kind = str(fact.aspects.get("kind", "function"))
    holder = on or surface.holder(fact)
    parameters = parameters_of(surface.overloads(fact)[0])
    module = surface.module(fact)
    # What is shown of one that has several signatures may be of any of them.
    is_only = len(surface.overloads(fact)) == 1
    given = {**(shown_arguments(fact, surface, parameters) if is_only else {}), **given}
    words, imports, arrange = [], [unit.imported], []
    by_place = True
    for each in parameters:
        if each.name in given:
            value = Value(given[each.name])
        elif each.kind == VAR_POSITIONAL:
            if each.annotation is None or not by_place:
                raise NoTestError(
                    f"an example of a call of {fact.name}: how many arguments make sense is not said"
                )
            value = maker.of(each.annotation, module, each.name)
            words += [value.expression] * _FEW
            imports += value.imports
            continue
        elif each.required:
            value = maker.of(each.annotation, module, each.name)
        else:
            by_place = False
            continue
        imports += value.imports
        placed = each.by_position and by_place
        words.append(value.expression if placed else f"{each.name}={value.expression}")
    called = unit.expression
    if holder is not None and kind == "classmethod" and is_to_be_derived_from(holder):
        raise NoTestError(f"what {fact.name} does of a {holder.name} of no kind: others derive from it")
    is_made = holder is not None and fact.name == "__init__"
    if holder is not None and not is_made and is_left_to_heirs(fact, holder, surface):
        raise NoTestError(f"what {fact.name} does of a {holder.name} of no kind: each kind does otherwise")
    if holder is not None and is_made:
        called = surface.unit(holder).expression
    elif holder is not None and kind in ("method", "property"):
        refuse_alone(fact, holder, surface)
        made, holder = object_with(fact, holder, maker, surface)
        local = local_of(holder.name)
        arrange = [f"{local} = {made.expression}"]
        imports = [*made.imports, *imports[1:]]
        called = f"{local}.{fact.name}"
    return Call(called, ", ".join(words), arrange, imports)
