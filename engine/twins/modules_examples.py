"""The examples of a docstring that a table can answer: a call of the function itself with literal arguments."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

import msgspec

from engine.generators.functions.calls import parameters_of
from engine.generators.functions.examples import steps_to
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.needed_steps import TRACEBACK
from engine.generators.functions.shown_calls import bound_arguments
from graph.facts import Fact, Kind
from graph.literals import NO_LITERAL, literal_value
from planner.functions.known_answers import Row, known_answers, summary

_WRAPPERS = frozenset({"list", "tuple", "dict", "set", "sorted"})


class Answer(msgspec.Struct, frozen=True):
    """One row: the example's source, the arguments by the names of their parameters, and the value, all as source."""

    source: str
    given: dict[str, str]
    value: str


def answers(fact: Fact, surface: Surface) -> Iterator[Answer]:
    """The rows of a function that no object holds, in the order of its examples; the first of equal arguments."""
    docs = [each.aspects.get("doc") or {} for each in surface.same(fact)]
    is_shown = any(doc.get("examples") or doc.get("shown") for doc in docs)
    for row in known_answers(fact, summary(surface.same(fact))) if not is_shown else ():
        names = [each.name for each in parameters_of(fact)]
        given = {name: repr(literal_value(text)) for name, text in zip(names, row.given, strict=False)}
        value = f"eval({row.result!r}, {{'datetime': __import__('datetime')}})"
        if row.read:
            ending = ".encode()" if fact.aspects.get("returns") == "bytes" else ""
            value = f"__import__('json').dumps({value}){ending}"
        yield Answer(source_of(row), given, value)
    doc = fact.aspects.get("doc")
    if not isinstance(doc, dict) or surface.holder(fact) is not None or fact.kind is not Kind.FUNCTION:
        return
    seen: list[dict[str, str]] = []
    for source, expected, _ in doc.get("examples", ()):
        answer = answer_of(fact, surface, source, expected)
        if answer is not None and answer.given not in seen:
            seen.append(answer.given)
            yield answer


def source_of(row: Row) -> str:
    """What a known answer is told by among the answers of its function."""
    return ", ".join(row.given)


def answer_of(fact: Fact, surface: Surface, source: str, expected: str) -> Answer | None:
    """The row of one example; None where it needs other lines, is no plain call, or prints what is no literal."""
    try:
        steps, step = steps_to(fact, source, expected)
    except NoTestError:
        return None
    value, raised = literal_value(expected), _raised(expected)
    if (
        (value is NO_LITERAL and not raised)
        or steps
        or len(step.tree.body) != 1
        or not isinstance(step.tree.body[0], ast.Expr)
    ):
        return None
    call = step.tree.body[0].value
    match call:
        case ast.Call(func=ast.Name(id=name), args=[ast.Call() as inner], keywords=[]) if name in _WRAPPERS:
            call = inner
            wrapped = f"(each for each in {value!r})" if name != "dict" else repr(value)
        case _:
            wrapped = raised or repr(value)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != fact.name:
        return None
    if len(surface.overloads(fact)) != 1 or fact.aspects.get("async") or "..." in expected:
        return None
    given = _arguments(call, fact)
    return None if given is None else Answer(source, given, wrapped)


def _raised(expected: str) -> str:
    """An expression that raises the builtin error that a traceback shows; empty where there is none."""
    if not TRACEBACK.match(expected):
        return ""
    name, _, message = expected.strip().splitlines()[-1].strip().partition(": ")
    error = getattr(builtins, name, None)
    if not isinstance(error, type) or not issubclass(error, Exception):
        return ""
    return f"(_ for _ in ()).throw({name}({repr(message) if message else ''}))"


def _arguments(call: ast.Call, fact: Fact) -> dict[str, str] | None:
    """What a call gives by the names of the parameters, all of it literals that are equal to themselves."""
    given = bound_arguments(call, parameters_of(fact))
    values = {name: literal_value(text) for name, text in (given or {}).items()}
    if given is None or any(value is NO_LITERAL or value != value for value in values.values()):
        return None
    return {name: repr(value) for name, value in values.items()}
