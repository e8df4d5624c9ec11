"""Lines of pages that make an object and let it go: they show how it is made, and change nothing below."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from engine.generators.functions.example_names import loaded
from engine.generators.functions.facts import Surface
from engine.generators.functions.needed_steps import CHANGES, Step
from engine.generators.functions.step_names import imported
from graph.facts import Fact, Kind
from planner.functions.drawn_values import words_of

# What a method is called that leaves something of its object behind.
_STORING = frozenset(
    {"save", "write", "store", "dump", "commit", "run", "main", "send", "create", "insert", "apply"}
)


def without_idle(before: Sequence[Step], step: Step, surface: Surface) -> list[Step]:
    """The steps above an example without such lines; where it asks a class itself, what makes one counts."""
    brought = {name for each in before for name in imported(each.tree)}
    asked = _asked(step.tree)
    return [each for each in before if not _is_idle(each, brought, asked, surface)]


def _is_idle(each: Step, brought: set[str], asked: set[str], surface: Surface) -> bool:
    match each.tree.body:
        case [ast.Expr(value=ast.Call())] if not each.expected:
            calls = [node for node in ast.walk(each.tree) if isinstance(node, ast.Call)]
        case _:
            return False
    made = [_made(call.func, surface) for call in calls]
    names = {fact.name for fact in made if fact is not None}
    return None not in made and not (names & asked or loaded(each.tree) - brought - names)


def _made(function: ast.expr, surface: Surface) -> Fact | None:
    """The class of the project of which a call makes an object, by itself or by a class method: `date.today()`; or of
    which it asks a new one for something: `date(2024, 5, 1).weekday()`."""
    known = surface.class_named(_last(function))
    if known is not None:
        return known
    if not isinstance(function, ast.Attribute) or set(words_of(function.attr)) & (CHANGES | _STORING):
        return None
    if isinstance(function.value, ast.Call):
        return _made(function.value.func, surface)
    holder = surface.class_named(_last(function.value))
    makes = holder is not None and any(
        each.name == function.attr and each.aspects.get("kind") == "classmethod"
        for each in surface.members(holder)
        if each.kind is Kind.FUNCTION
    )
    return holder if makes else None


def _asked(tree: ast.Module) -> set[str]:
    """What a piece of code may ask by itself: `Cart` of `Cart.all()` and `Cart.count`, and not of `Cart.of("tea")`."""
    given = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args}
    return {
        _last(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and id(node) not in given
    }


def _last(node: ast.expr) -> str:
    return str(getattr(node, "attr", "") or getattr(node, "id", ""))
