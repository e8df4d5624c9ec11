"""Objects that a class method makes of a text whose form is told, where nothing tells what the constructor is given."""

from __future__ import annotations

from engine.generators.functions.calls import parameters_of
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.told_forms import is_told, told_form
from engine.generators.functions.values import Maker
from engine.generators.values.known_values import Value
from graph.facts import Fact, Kind

_READING = ("parse", "from_str", "from_string", "from_text", "fromstring", "loads", "decode")


def new_object(fact: Fact, maker: Maker, surface: Surface) -> Value:
    """A new object of a class: of its constructor, or of what a class method reads. Raises NoTestError for neither."""
    try:
        return maker.instance(fact)
    except NoTestError:
        if (made := _read(fact, surface)) is None:
            raise
        return made


def _read(fact: Fact, surface: Surface) -> Value | None:
    """A new object of one text of a form that is told; None where no class method takes such a one."""
    for each in surface.members(fact):
        if each.kind is not Kind.FUNCTION or each.name not in _READING or "~" in each.key:
            continue
        made = str(each.aspects.get("returns")).strip("'\"").rpartition(".")[2]
        if each.aspects.get("kind") != "classmethod" or made not in (fact.name, "Self"):
            continue
        required = [one for one in parameters_of(each) if one.required]
        is_text = "str" in (required[0].annotation or "") if required else False
        if (
            is_text
            and len(required) == 1
            and len(surface.overloads(each)) == 1
            and is_told(each, required, surface)
        ):
            text, unit = told_form(each, required[0].name, surface), surface.unit(fact)
            return Value(f"{unit.expression}.{each.name}({text})", (unit.imported,))
    return None
