"""Objects that a class method makes, as it is shown or of a text whose form is told, where nothing tells what the
constructor is given."""

from __future__ import annotations

import ast
import contextlib
import itertools
from collections.abc import Iterator

from engine.generators.functions.abstract import is_abstract, is_to_be_derived_from
from engine.generators.functions.calls import parameters_of
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.shown_calls import shown_calls
from engine.generators.functions.told_forms import is_told, told_form
from engine.generators.functions.values import Maker
from engine.generators.values.known_values import Value
from graph.facts import Fact, Kind
from planner.functions.offered import is_private

# So far below a class its heirs are looked at, and so many of them.
_DEPTH = 3
_MOST = 5
_READING = ("parse", "from_str", "from_string", "from_text", "fromstring", "loads", "decode")


def new_object(fact: Fact, maker: Maker, surface: Surface) -> Value:
    """A new object of a class: of its constructor, or of a class method that is shown to make one, or reads one of a
    text. Raises NoTestError for neither."""
    try:
        return maker.instance(fact)
    except NoTestError:
        if (made := _shown(fact, surface) or _read(fact, surface)) is None:
            raise
        return made


def object_with(method: Fact, holder: Fact, maker: Maker, surface: Surface) -> tuple[Value, Fact]:
    """A new object that has a method or property of a class, and its class: of what derives from it, where the class
    itself is only there to be derived from. Raises NoTestError where none can be made."""
    try:
        return new_object(holder, maker, surface), holder
    except NoTestError:
        if not (is_to_be_derived_from(holder) or is_abstract(holder, surface)):
            raise
        for heir in itertools.islice(_heirs(holder, method.name, surface, _DEPTH), _MOST):
            with contextlib.suppress(NoTestError):
                return new_object(heir, maker, surface), heir
        raise


def _heirs(holder: Fact, name: str, surface: Surface, depth: int) -> Iterator[Fact]:
    """The public classes that derive from one and take over a method of this name, in the order of their names."""
    for key in sorted(surface.heirs(holder)) if depth else ():
        heir = surface.at(key)
        if (
            heir is None
            or heir.kind is not Kind.CLASS
            or any(each.name == name for each in surface.members(heir))
        ):
            continue
        is_base = is_to_be_derived_from(heir) or is_abstract(heir, surface)
        if not is_base and not is_private(heir.key):
            yield heir
        yield from _heirs(heir, name, surface, depth - 1)


def _shown(fact: Fact, surface: Surface) -> Value | None:
    """A new object as a docstring or page shows a class method to make one."""
    for each in _makers(fact, surface):
        for call in shown_calls(each, surface):
            unit = surface.unit(fact)
            given = ast.unparse(ast.Call(ast.Name(each.name), call.args, call.keywords))
            return Value(f"{unit.expression}.{given}", (unit.imported,))
    return None


def _makers(fact: Fact, surface: Surface) -> Iterator[Fact]:
    """The class methods that make an object of a class."""
    for each in surface.members(fact):
        made = str(each.aspects.get("returns")).strip("'\"").rpartition(".")[2]
        is_method = each.kind is Kind.FUNCTION and each.aspects.get("kind") == "classmethod"
        if is_method and not each.aspects.get("async") and made in (fact.name, "Self"):
            yield each


def _read(fact: Fact, surface: Surface) -> Value | None:
    """A new object of one text of a form that is told; None where no class method takes such a one."""
    for each in _makers(fact, surface):
        if each.name not in _READING or "~" in each.key:
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
