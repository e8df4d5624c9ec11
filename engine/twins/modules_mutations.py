"""Which twins of modules a test meets: the statements of the facts that it cites, each broken once."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from engine.generators.functions.calls import (
    EITHER,
    KEYWORD_ONLY,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    literal_default,
    parameters_of,
)
from engine.generators.functions.constructors import constructor
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.left_out import new_as_told
from engine.generators.functions.signature_shape import members_of
from engine.twins.modules_bodies import Bodies
from engine.twins.modules_broken import Broken, subject
from engine.twins.modules_enumerations import is_enumeration
from engine.twins.modules_examples import answer_of, source_of
from graph.facts import Fact, Kind
from graph.literals import NO_LITERAL, literal_value
from planner.cases import Case, Technique
from planner.functions.ancestors import base_names, is_for_types_alone
from planner.functions.known_answers import KNOWN, known_answers, summary
from planner.functions.operators import OPERATORS

# How the second fact that a case of a law of objects cites is broken.
_OF_OBJECTS = {
    "equal": "unequal",
    "unequal": "equal",
    "hashed": "renewed",
    "unordered": "reflexive",
    "apart": "equal",
    "level": "strict",
    "uncompared": "reflexive",
    "counted": "miscounted",
    **dict.fromkeys(("contained", "indexed", "duplicated", "itemized"), "lost"),
    **dict.fromkeys(("cleared", "put", "grown", "taken", "set"), "forgetful"),
}
_AWAITED = ("Awaitable", "Coroutine", "Future", "Task", "Any")


def mutations(case: Case, fact: Fact, surface: Surface) -> tuple[Broken, ...]:
    """The broken statements that the test of a case must notice; none where twins cannot show what it is about."""
    about = subject(fact)
    match case.technique:
        case Technique.CALLABLE | Technique.IMPORTABLE:
            return tuple(_of_members(case, surface))
        case Technique.RETURNS if fact.kind is Kind.ATTRIBUTE:
            return (_of_attribute(fact, surface),)
        case Technique.RETURNS if surface.overloads(fact)[0] is fact and Bodies(surface).knows(fact):
            # What a class lacks its base may have, or its objects, as they were made with it.
            holder = surface.holder(fact)
            surely = holder is None or not (
                holder.aspects.get("bases")
                or fact.aspects.get("kind") == "property"
                or fact.name in OPERATORS
            )
            return (Broken("returns", about), *((Broken("missing", about),) if surely else ()))
        case Technique.RAISES if len(surface.overloads(fact)) == 1:
            exception = str(case.target["exception"])
            return (Broken("not raised", about, exception), Broken("other raised", about, exception))
        case Technique.EXAMPLE | Technique.CRITERION if "example" in case.target:
            source = str(case.target["example"])
            if fact.kind is Kind.FUNCTION and _in_table(fact, surface, source, str(case.target["expected"])):
                return (Broken("example", about, source),)
        case Technique.PROPERTY:
            return tuple(_of_law(case, fact, surface))
    return ()


def _of_attribute(fact: Fact, surface: Surface) -> Broken:
    """That an object has something else than what its stub says, or than what it was made with."""
    holder = surface.holder(fact)
    with contextlib.suppress(NoTestError):
        if holder is not None and any(each.name == fact.name for each in constructor(holder, surface)[0]):
            return Broken("forgotten", subject(holder), fact.name)
    return Broken("value", subject(fact))


def _in_table(fact: Fact, surface: Surface, source: str, expected: str) -> bool:
    """Whether a twin answers an example: its stub, if any, has one signature, and names what is given."""
    answer = answer_of(fact, surface, source, expected)
    if answer is None:
        return False
    written = surface.same(fact)[0]
    names = {str(each[0]) for each in written.aspects["parameters"]}
    return len(surface.overloads(written)) == 1 and set(answer.given) <= names


def _of_law(case: Case, fact: Fact, surface: Surface) -> Iterator[Broken]:
    match case.target["law"]:
        case "made":
            yield Broken("unmade", subject(fact))
        case "left out":
            _, told = new_as_told(case, fact, surface)
            yield from (Broken("forgotten", subject(fact), name) for name in told)
            if not told:
                yield Broken("unmade", subject(surface.facts[case.cites[0]]))
        case "fallback":
            yield Broken("returns", subject(surface.facts[str(case.target["by"])]))
        case "kept":
            yield Broken("forgotten", subject(fact), str(case.target["attribute"]))
        case "effect":
            yield Broken("ignored", subject(fact), str(case.target["parameter"]))
        case "option":
            yield Broken("returns", subject(fact))
        case "default" | "again":
            yield Broken("unsteady", subject(fact))
        case law if law == KNOWN:
            for row in known_answers(fact, summary(surface.same(fact))):
                yield Broken("example", subject(fact), source_of(row))
        case "found" | "given":
            yield Broken("lost", subject(surface.facts[str(case.target["other"])]))
        case "put again":
            yield Broken("returns", subject(surface.facts[str(case.target["other"])]))
        case "bounded":
            yield Broken("unbounded", subject(fact))
        case "fetched" | "defaulted" | "popped" | "unpacked" | "updated" | "emptied" | "copied":
            yield Broken(
                "returns" if case.target["law"] != "emptied" else "forgetful",
                subject(surface.facts[case.cites[1]]),
            )
        case "mapping":
            yield Broken("forgetful", subject(fact))
        case str() as law if law in _OF_OBJECTS:
            about = surface.facts[case.cites[1]]
            if law in ("unequal", "apart"):
                holder = surface.members(fact)
                about = next((each for each in holder if each.name == "__ne__"), about)
            yield Broken(_OF_OBJECTS[law], subject(about))
        case "once":
            yield Broken("growing", subject(fact))
        case "remade":
            yield Broken("returns", subject(surface.facts[str(case.target["from"])]))
        case "undone" | "checked" | "dumped":
            yield Broken("forgetful", subject(surface.facts[str(case.target["other"])]))


def _of_members(case: Case, surface: Surface) -> Iterator[Broken]:
    """What is broken of each member that the test of a case speaks of; of overloads nothing can be."""
    for part in members_of(case, surface):
        if isinstance(part, NoTestError):
            continue
        if part.fact.kind is not Kind.FUNCTION or part.fact.aspects.get("kind") == "property":
            yield from _of_place(part.fact, surface)
        elif len(surface.overloads(part.fact)) == 1 and not _is_hidden(part.fact, surface):
            yield from _of_signature(part.fact)


def _is_hidden(fact: Fact, surface: Surface) -> bool:
    """Whether a constructor stands beside `__new__`, whose parameters are what Python tells of the class."""
    holder = surface.holder(fact) if fact.name == "__init__" else None
    return holder is not None and any(each.name == "__new__" for each in surface.members(holder))


def _of_signature(fact: Fact) -> Iterator[Broken]:
    about = subject(fact)
    kind = str(fact.aspects.get("kind", "function"))
    parameters = parameters_of(fact)
    # What else a function takes hides that a parameter has gone or has another name.
    open_places = any(each.kind == VAR_POSITIONAL for each in parameters)
    open_names = any(each.kind == VAR_KEYWORD for each in parameters)
    for each in parameters:
        if each.kind in (VAR_POSITIONAL, VAR_KEYWORD):
            continue
        if each.kind in (EITHER, KEYWORD_ONLY) and not open_names:
            yield Broken("renamed", about, each.name)
        if not (open_places or open_names):
            yield Broken("removed", about, each.name)
        if literal_default(each) is not None:
            yield Broken("default", about, each.name)
        if each.default is not None:
            yield Broken("required", about, each.name)
    yield Broken("more", about)
    returns = str(fact.aspects.get("returns", "Any"))
    if fact.aspects.get("async") or (
        fact.name != "__init__" and not any(word in returns for word in _AWAITED)
    ):
        yield Broken("async", about)
    if kind in ("classmethod", "staticmethod") and fact.name != "__new__":
        yield Broken("form", about)


def _of_place(fact: Fact, surface: Surface) -> Iterator[Broken]:
    about = subject(fact)
    holder = surface.holder(fact)
    # What a class lacks its base may have.
    if fact.kind is not Kind.FUNCTION and (holder is None or not holder.aspects.get("bases")):
        yield Broken("missing", about)
    if fact.kind is Kind.FUNCTION:
        yield Broken("form", about)
    elif fact.kind is Kind.ATTRIBUTE:
        yield Broken("value", about)
    else:
        for plain, other in _bases(fact, surface):
            # What another base derives from is still one of the class without it.
            further = [one for name, one in _bases(fact, surface) if name != plain]
            is_named = surface.named(plain, surface.module(fact)) is not None and not is_for_types_alone(
                other
            )
            if (
                not is_named
                or other.name.startswith("_")
                or any(_derives(each, other, surface) for each in further)
            ):
                continue
            yield Broken("base", about, plain)
        for each in surface.members(fact):
            if is_enumeration(fact, surface) and each.kind is Kind.ATTRIBUTE and _has_value(each):
                yield Broken("value", subject(each))


def _bases(fact: Fact, surface: Surface) -> list[tuple[str, Fact]]:
    """The known classes that a class derives from, as they are written and as facts."""
    module = surface.module(fact)
    found = ((plain, surface.at(surface.resolved(plain, module))) for plain in base_names(fact))
    return [(plain, other) for plain, other in found if other is not None and other.kind is Kind.CLASS]


def _derives(fact: Fact, base: Fact, surface: Surface, depth: int = 5) -> bool:
    return depth > 0 and any(
        each is base or _derives(each, base, surface, depth - 1) for _, each in _bases(fact, surface)
    )


def _has_value(fact: Fact) -> bool:
    return literal_value(str(fact.aspects.get("value", "..."))) not in (NO_LITERAL, ...)
