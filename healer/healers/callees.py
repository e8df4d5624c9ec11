"""Which function of the code a call of a test runs, and how its receiver is given."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from healer.healers.plan import Plan
from healer.reading.meaning import Meaning, Sort
from healer.reading.meanings import Meanings

_RECEIVING = frozenset({"method", "classmethod", "property", "setter", "deleter"})
_PASSING = {
    "partial": 0,
    "partialmethod": 0,
    "raises": 1,
    "warns": 1,
    "assertRaises": 1,
    "assertRaisesRegex": 2,
    "assertWarns": 1,
    "to_thread": 0,
    "run_in_executor": 1,
    "submit": 0,
    "deprecated_call": 0,
}
"""Functions that call what they get as this argument with those that follow."""


class Callee(NamedTuple):
    """A function by its canonical name. `given` says that the first argument of a call is its receiver."""

    function: str
    given: bool


class Run(NamedTuple):
    """A call that runs a function: with the arguments from the place `first` on, and all keywords."""

    node: ast.Call
    callee: Callee
    function: ast.expr
    first: int


def runs(file: Meanings, plan: Plan, wanted: Iterable[str]) -> Iterator[Run]:
    """The calls of a file that run one of the wanted functions, also through one that calls what it gets."""
    names = frozenset(wanted)
    for node in file.source.nodes:
        if not isinstance(node, ast.Call):
            continue
        found = callee(file, plan, node.func, names)
        if found is not None:
            yield Run(node, found, node.func, 0)
            continue
        at = _PASSING.get(_last(node.func))
        if at is not None and at < len(node.args):
            found = callee(file, plan, node.args[at], names)
            if found is not None:
                yield Run(node, found, node.args[at], at + 1)


def callee(file: Meanings, plan: Plan, node: ast.expr, wanted: frozenset[str]) -> Callee | None:
    """The wanted function that an expression stands for; `None` where it is none of them, or not known."""
    meaning = file.of(node)
    if meaning is None:
        return _perhaps(file, plan, node, wanted)
    if meaning.home is not None and isinstance(meaning.node, ast.ClassDef):
        if any(isinstance(each, ast.FunctionDef) and each.name == "__init__" for each in meaning.node.body):
            return None
        found = meaning.home.inherited(meaning.node, "__init__")
        return Callee(found, False) if found in wanted else None
    canonical = file.canonical(meaning)
    if canonical and plan.then.is_class(canonical):
        found = plan.then.constructor(canonical)
        return Callee(found, False) if found in wanted else None
    if canonical not in wanted:
        return None
    fact = plan.then.function(canonical)
    kind = fact.aspects.get("kind") if fact is not None else ""
    return Callee(
        canonical, meaning.sort is Sort.NAME and kind in ("method", "property") and _by_class(meaning, plan)
    )


def receives(plan: Plan, function: str) -> bool:
    """Whether the first parameter of a function is its object or class."""
    fact = plan.then.function(function)
    return fact is not None and fact.aspects.get("kind") in _RECEIVING


def is_unknown(file: Meanings, plan: Plan, node: ast.Attribute) -> bool:
    """Whether the text does not tell what has this attribute: its object is not known, or hands on what it lacks."""
    owner = file.owner(file.of(node.value))
    if owner is None:
        return True
    own = plan.then.resolve(owner.name) if owner.sort is Sort.OBJECT else ""
    return bool(own and plan.then.member(own, "__getattr__") and not plan.then.member(own, node.attr))


def _by_class(meaning: Meaning, plan: Plan) -> bool:
    """Whether a method is reached through its class: then it gets its object as the first argument."""
    holder = plan.then.resolve(meaning.name.rpartition(".")[0])
    return bool(holder) and plan.then.is_class(holder)


def _perhaps(file: Meanings, plan: Plan, node: ast.expr, wanted: frozenset[str]) -> Callee | None:
    """A method of an object whose class the text does not tell: where the name fits, if bold."""
    if not isinstance(node, ast.Attribute) or not plan.bold:
        return None
    if not is_unknown(file, plan, node):
        return None
    found = [
        name
        for name in wanted
        if name.rpartition(".")[2] == node.attr and plan.then.is_class(name.rpartition(".")[0])
    ]
    return Callee(found[0], False) if len(found) == 1 else None


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""
