"""The test cases that stubs and docstrings ask for: callable so and not otherwise, what is returned, what is raised."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import shorten

import msgspec

from crossval.link.names.targets import Target, running
from graph.facts import Fact, Json, Kind, Tag
from graph.source import FactSource
from planner.cases import Case, Layer, Technique
from planner.functions.ancestors import OF_MAPPINGS, is_mapping, only_of
from planner.functions.drawn_values import words_of
from planner.functions.effects import effect_cases, is_answered
from planner.functions.interface_cases import interface_cases, is_of_python
from planner.functions.known_answers import known_cases, summary
from planner.functions.law_case import law_case
from planner.functions.laws import class_laws, constructor, inherited_laws, law_cases
from planner.functions.object_laws import object_laws
from planner.functions.offered import is_behind_overloads, is_below, offered, public, sometimes_there
from planner.functions.operators import GIVEN_BY_PYTHON, OPERATORS
from planner.functions.told_types import TOLD, told_types
from planner.identity import case_id

_CHANGING = frozenset({"setter", "deleter"})
_VAGUE = frozenset({"None", "Any", "object", "Incomplete", "NoReturn", "Never"})
# What a new object can be told to do, whatever it is.
_HARMLESS = re.compile(
    r"(?:add|append|clear|close|disable|discard|enable|extend|hide|increment|mark|push|touch|update)(?:_|$)|set_"
)
# What is done for all objects of a class, or for all modules, stays done.
_FOR_ALL = frozenset({"all", "every", "everything", "global", "globals", "registry"})
# Attributes that objects do not get from their constructor, or of which a type says too little.
_OF_THE_CLASS = frozenset({"ClassVar", "Final", "Callable", "Incomplete", "property", "InitVar"})
_DOCUMENTED = frozenset({Kind.FUNCTION, Kind.CLASS, Kind.MODULE})
_MADE = re.compile(r"\b([A-Za-z]\w*)\(")
_SHOWN = 160  # So much of what an example gives is said of its case.
# What they show was so at some time.
_PAST = re.compile(r"(?:change|history|news|release|migrat|upgrad|archive)", re.IGNORECASE)


def function_cases(source: FactSource) -> Iterator[Case]:
    """The cases of the public functions, classes and constants of all stubs, and of the docstrings of stubs and code.

    What a docstring of the code says (its examples, what it raises) is asked for where the stub is silent about it.
    Nothing is asked for that only some interpreter or platform has.
    """
    target, names = running(), offered(source)
    shown, exampled = _shown(source)
    coded = {fact.key: [fact] for fact in source.facts(tag=Tag.CODE, kinds={Kind.FUNCTION})}
    unsure, typed = sometimes_there(source, target), told_types(source)
    stubs: dict[str, Fact] = {}
    members: dict[str, list[Fact]] = {}
    for fact in map(typed, source.facts(tag=Tag.SPEC, kinds={*_DOCUMENTED, Kind.ATTRIBUTE})):
        if is_below(fact.unnumbered, unsure):
            continue
        if _public(fact, target, names):
            stubs.setdefault(f"{fact.kind} {fact.key}", fact)
        elif fact.aspects.get("kind") != "setter" or fact.name.startswith("_"):
            continue
        members.setdefault(fact.key.rpartition(".")[0], []).append(fact)
    owners = {fact.key: fact for fact in source.facts(tag=Tag.SPEC, kinds={Kind.CLASS, Kind.MODULE})}
    classes: dict[str, list[Fact]] = {}
    for fact in stubs.values():
        if fact.kind is Kind.CLASS:
            classes.setdefault(fact.name, []).append(fact)
    yield from interface_cases(stubs.values(), members, owners, only_of(classes), source)
    for fact in stubs.values():
        yield from _of_stub(fact)
        if fact.kind is Kind.FUNCTION:
            holder = next((each for each in classes.get(_owner(fact), ()) if _is_inside(fact, each)), None)
            if not (fact.name in OF_MAPPINGS and holder is not None and is_mapping(holder, only_of(classes))):
                yield from _function(fact, is_answered(fact, members, only_of(classes)))
            yield from effect_cases(fact, members, only_of(classes))
            if fact.key not in exampled:
                yield from known_cases(fact, summary([fact, *coded.get(fact.key, ())]))
        elif fact.kind is Kind.ATTRIBUTE:
            yield from _attribute(fact, members, classes)
    for listed in members.values():
        yield from law_cases(listed)
    for fact in stubs.values():
        if fact.kind is Kind.CLASS:
            place = fact.key.rpartition(".")[0]
            beside = {each.name: each for each in members.get(place, []) if each.kind is Kind.CLASS}
            laws = list(class_laws(fact, members, beside.get))
            yield from laws
            if not any(each.target["law"] in ("kept", "left out") for each in laws):
                yield from _made(fact, members.get(fact.key, ()))
            yield from object_laws(fact, members, only_of(classes), shown)
            yield from inherited_laws(fact, members, only_of(classes))
    for fact in source.facts(tag=Tag.CODE, kinds=_DOCUMENTED):
        if is_behind_overloads(fact, coded) and _public(coded[fact.unnumbered][0], target, names):
            yield from _of_doc(fact, {"examples": _doc(fact).get("examples", ())})
        elif _public(fact, target, names) and "language" not in fact.aspects:
            told = _doc(stubs.get(f"{fact.kind} {fact.key}"))
            said = {name: part for name, part in _doc(fact).items() if name not in told}
            yield from _of_doc(fact, said)
            if not is_of_python(fact) and ("raises" in said or not told):
                yield from _of_claims(fact, said)
            if f"{fact.kind} {fact.key}" not in stubs and TOLD in (known := typed(fact)).aspects:
                yield from _function(known, is_answered=False)
    yield from _of_pages(source)


def _shown(source: FactSource) -> tuple[set[str], set[str]]:
    """The names of what docstrings and pages call, and the keys of what has examples."""
    made, exampled = set(), set()
    for tag in (Tag.SPEC, Tag.CODE):
        for fact in source.facts(tag=tag, kinds={*_DOCUMENTED, Kind.PAGE}):
            doc = _doc(fact)
            rows = [row for part in ("examples", "shown") for row in doc.get(part, ())]
            made |= {name for row in rows for name in _MADE.findall(str(row[0]))}
            exampled |= {fact.unnumbered} if rows else set()
    return made, exampled


def _of_pages(source: FactSource) -> Iterator[Case]:
    """The cases of what pages show of the project: of those that import it or name it, and do not tell of the past."""
    pages = [fact for fact in source.facts(tag=Tag.SPEC, kinds={Kind.PAGE}) if not _PAST.search(fact.name)]
    if not pages:
        return
    own = {
        fact.key.partition(".")[0]
        for tag in (Tag.SPEC, Tag.CODE)
        for fact in source.facts(tag=tag, kinds={Kind.MODULE})
    }
    roots = "|".join(map(re.escape, sorted(own)))
    imports = re.compile(
        rf"^\s*(?:import|from)\s+(?:{roots})\b|(?<![\w.'\"])(?:{roots})\.\w+\(", re.MULTILINE
    )
    for page in pages:
        doc = _doc(page)
        if own and any(imports.search(source) for source, _, _ in doc.get("examples", ())):
            yield from _of_doc(page, doc)


def _public(fact: Fact, target: Target, names: Mapping[str, str]) -> bool:
    parts = public(fact.key, names).split(".")
    *holders, name = parts
    if any(part.startswith("_") and part != "__init__" for part in holders):
        return False
    if name.startswith("_") and name != "__init__" and not is_of_python(fact):
        return False
    if any("<" in part or "~" in part or part in ("tests", "test", "conftest") for part in parts):
        return False
    guard = str(fact.aspects.get("guard", ""))
    return not guard or target.holds(guard, type_checking=False) is True


def _of_stub(fact: Fact) -> Iterator[Case]:
    if fact.kind is Kind.FUNCTION and not is_of_python(fact):
        yield from _of_claims(fact, _doc(fact))
    yield from _of_doc(fact, _doc(fact))


def _attribute(
    fact: Fact, members: Mapping[str, Sequence[Fact]], classes: Mapping[str, Sequence[Fact]]
) -> Iterator[Case]:
    """What an object has as soon as it is made, where its constructor is known."""
    annotation = fact.aspects.get("annotation")
    holder = next((each for each in classes.get(_owner(fact), ()) if _is_inside(fact, each)), None)
    if holder is None or not isinstance(annotation, str) or "value" in fact.aspects:
        return
    if _is_vague(annotation) or annotation.partition("[")[0].rpartition(".")[2] in _OF_THE_CLASS:
        return
    made = constructor(holder, members, only_of(classes))
    if made is not None and (_admits_none(annotation) or _is_given(fact.name, made)):
        told = f"A new {holder.name} has its {fact.name}, of type {annotation}"
        yield _case(fact, Technique.RETURNS, told, "type", {"returns": annotation})


def _is_vague(annotation: str) -> bool:
    """Whether a type says nothing that a test could ask for, as `Any` does, by whatever name its module is called."""
    return annotation.rpartition(".")[2] in _VAGUE


def _admits_none(annotation: str) -> bool:
    return (
        annotation.startswith(("Optional", "typing.Optional"))
        or re.search(r"\bNone\b", annotation) is not None
    )


def _is_given(name: str, made: Fact) -> bool:
    """Whether an object surely has something of this name, as its constructor takes it; `None` is often left there."""
    return any(
        row[0] == name and (row[3] is None or (row[3] != "None" and not _admits_none(str(row[2] or ""))))
        for row in made.aspects["parameters"][1:]
    )


def _is_inside(fact: Fact, holder: Fact) -> bool:
    return f"{holder.key}.{fact.name}" == fact.key


def _owner(fact: Fact) -> str:
    return fact.key.rpartition(".")[0].rpartition(".")[2]


def _function(fact: Fact, is_answered: bool) -> Iterator[Case]:
    """That a function is called so, and what it gives; `is_answered` where simple values are answered by themselves."""
    aspects = fact.aspects
    kind = aspects.get("kind", "function")
    if kind in _CHANGING:
        return
    if is_of_python(fact):
        returns = aspects.get("returns", GIVEN_BY_PYTHON.get(fact.name))
        if (
            fact.name in OPERATORS
            and kind == "method"
            and isinstance(returns, str)
            and not _is_vague(returns)
        ):
            told = f"{OPERATORS[fact.name].format(it=_owner(fact), other='another')} is of type {returns}"
            yield _case(fact, Technique.RETURNS, told, "returns", {"returns": returns})
        return
    returns = aspects.get("returns")
    is_harmless = kind == "method" and returns == "None" and _is_harmless(fact.name)
    if is_harmless or (isinstance(returns, str) and not _is_vague(returns)):
        case = _case(
            fact, Technique.RETURNS, f"{fact.name} returns {returns}", "returns", {"returns": returns}
        )
        if teller := aspects.get(TOLD):
            case = msgspec.structs.replace(case, cites=(str(teller),))
        if kind == "method" and is_answered:
            case.target["answered"] = True  # Not a part of what the case is about, and so of its id.
        yield case


def _is_harmless(name: str) -> bool:
    """Whether a method of this name can be called on any new object, and changes nothing else."""
    return _HARMLESS.match(name) is not None and not _FOR_ALL & set(words_of(name))


def _made(fact: Fact, members: Sequence[Fact]) -> Iterator[Case]:
    """That an object can be made as the stub says; the tests of what it keeps show it as well."""
    made = next((each for each in members if each.name == "__init__" and "~" not in each.key), None)
    if made is not None:
        yield law_case(made, "made", f"A {fact.name} can be made", {"class": fact.id})


def _of_doc(fact: Fact, doc: dict[str, Json]) -> Iterator[Case]:
    """The cases of what a docstring raises, and of its examples: those that something is expected of."""
    if fact.kind is Kind.FUNCTION and not is_of_python(fact):
        for exception, words in doc.get("raises", ()):
            yield _raises(fact, str(exception), str(words))
    times: dict[tuple[str, str], int] = {}
    fresh: set[tuple[str, str]] = set()
    for source, expected, _ in doc.get("examples", ()):
        if not expected:
            fresh = (
                set()
            )  # Something is made or changed, and what was shown above is shown of something else.
            continue
        shown = (source, expected)
        times[shown] = times.get(shown, 0) + 1
        if "+SKIP" not in source and shown not in fresh:
            fresh.add(shown)
            told = f"{' '.join(source.split())} {_gives(expected)}"
            more: dict[str, Json] = {"name": source[:40], "example": source, "expected": expected}
            if times[shown] > 1:
                more["time"] = times[shown]
            yield _case(fact, Technique.EXAMPLE, told, "returns", more)


def _gives(expected: str) -> str:
    """What an example gives, in words: of a traceback only its error."""
    if expected.lstrip().startswith("Traceback (most recent call"):
        return f"raises {expected.strip().splitlines()[-1].strip()}"
    return f"gives {shorten(' '.join(expected.split()), _SHOWN, placeholder=' …')}"


def _of_claims(fact: Fact, doc: dict[str, Json]) -> Iterator[Case]:
    """The cases of exceptions that the prose of a docstring names with their condition."""
    known = {str(exception) for exception, _ in doc.get("raises", ())}
    for claim in fact.aspects.get("claims", ()):
        condition, exception = claim.get("condition"), claim.get("value")
        if claim.get("kind") != "raises" or claim.get("negated") or not condition:
            continue
        if isinstance(exception, str) and exception not in known and claim.get("modality") == "must":
            case = _raises(fact, exception, str(condition))
            case.target["conditional"] = True  # Not a part of what the case is about, and so of its id.
            yield case


def _raises(fact: Fact, exception: str, words: str) -> Case:
    told = f"{fact.name} raises {exception}" + (f": {words}" if words else "")
    more: dict[str, Json] = {"exception": exception, "condition": words}
    return _case(fact, Technique.RAISES, told, f"raises.{exception}", more)


def _doc(fact: Fact | None) -> dict[str, Json]:
    doc = None if fact is None else fact.aspects.get("doc")
    return doc if isinstance(doc, dict) else {}


def _case(
    fact: Fact, technique: Technique, description: str, aspect: str, more: dict[str, Json] | None = None
) -> Case:
    key = fact.key if fact.kind is Kind.PAGE else fact.unnumbered
    subject = f"{'file' if fact.kind is Kind.PAGE else fact.kind} {key}"
    target: dict[str, Json] = {"function": fact.id, **(more or {})}
    return Case(
        id=case_id(key, technique, target),
        description=description,
        subject=subject,
        aspect=aspect,
        technique=technique,
        layer=Layer.UNIT,
        cites=(fact.id,),
        target=target,
    )
