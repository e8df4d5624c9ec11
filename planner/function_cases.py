"""The test cases that stubs and docstrings ask for: callable so and not otherwise, what is returned, what is raised."""

from __future__ import annotations

from collections.abc import Iterator

from graph.facts import Fact, Json, Kind, Tag
from graph.source import FactSource
from planner.cases import Case, Layer, Technique
from planner.identity import case_id

_CALLED = frozenset({"function", "method", "classmethod", "staticmethod"})
_VAGUE = frozenset({"None", "Any", "typing.Any", "object", "Incomplete", "NoReturn", "Never", "Self"})


def function_cases(source: FactSource) -> Iterator[Case]:
    """The cases of the public functions, methods and classes of all stubs, in the order of their ids."""
    for fact in source.facts(tag=Tag.SPEC, kinds={Kind.FUNCTION, Kind.CLASS}):
        parts = fact.key.split(".")
        if "<locals>" in fact.key or any(part.startswith("_") and part != "__init__" for part in parts):
            continue
        yield from _class(fact) if fact.kind is Kind.CLASS else _function(fact)


def _class(fact: Fact) -> Iterator[Case]:
    yield _case(fact, Technique.IMPORTABLE, f"{fact.name} can be imported and is a class", "exists")


def _function(fact: Fact) -> Iterator[Case]:
    aspects = fact.aspects
    if aspects.get("kind", "function") not in _CALLED:
        yield _case(fact, Technique.IMPORTABLE, f"{fact.name} is there", "exists")
        return
    yield _case(
        fact, Technique.CALLABLE, f"{fact.name} takes what its stub says, and nothing else", "signature"
    )
    returns = aspects.get("returns")
    if isinstance(returns, str) and returns not in _VAGUE:
        yield _case(
            fact, Technique.RETURNS, f"{fact.name} returns {returns}", "returns", {"returns": returns}
        )
    doc = aspects.get("doc")
    if not isinstance(doc, dict):
        return
    for exception, words in doc.get("raises", ()):
        told = f"{fact.name} raises {exception}" + (f": {words}" if words else "")
        more: dict[str, Json] = {"exception": exception, "condition": words}
        yield _case(fact, Technique.RAISES, told, f"raises.{exception}", more)
    for number, example in enumerate(doc.get("examples", ())):
        more = {"number": number, "name": str(example[0])[:40]}
        yield _case(fact, Technique.EXAMPLE, f"{example[0]} gives {example[1]}", "returns", more)


def _case(
    fact: Fact, technique: Technique, description: str, aspect: str, more: dict[str, Json] | None = None
) -> Case:
    subject = f"{fact.kind} {fact.key}"
    target: dict[str, Json] = {"function": fact.id, **(more or {})}
    return Case(
        id=case_id(fact.key, technique, target),
        description=description,
        subject=subject,
        aspect=aspect,
        technique=technique,
        layer=Layer.UNIT,
        cites=(fact.id,),
        target=target,
    )
