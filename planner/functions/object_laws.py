"""The test cases of laws that the methods of a class owe to one another: equality, order, containers, what is set.

Nothing is planned where types and names do not say what an object of the class is made of.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from graph.facts import Fact, Json, Kind
from planner.cases import Case
from planner.functions.ancestors import Known, ancestors, base_names, is_mapping
from planner.functions.drawn_values import is_drawn, many_of
from planner.functions.effects import aliases_of, can_be_called
from planner.functions.fallbacks import fallback_laws
from planner.functions.keeping_laws import keeping_laws
from planner.functions.law_case import law_case
from planner.functions.laws import constructor

PUTTING = ("add", "append", "push")
"""What methods are called that put one thing into an object."""
_SEVERAL = 2
_NUMBERED = re.compile(r"\b(?:int|SupportsIndex)\b")
_TEXT = re.compile(r"(?<!\[)\b(?:str|bytes)\b(?=\s*[|,])|(?:\||,)\s*(?:str|bytes)\b(?!\s*\])|\[str,")
_PLAIN_BASES = frozenset(
    {"object", "Generic", "ABC", "Hashable", "Sized", "Iterable", "Container", "Collection"}
)


def object_laws(
    fact: Fact, inside: Mapping[str, Sequence[Fact]], known: Known, shown: Collection[str] = ()
) -> Iterator[Case]:
    """The cases of one class of stubs; `inside` are the members of each by its qualified name, `known` all classes.

    Of those whose names are `shown` docstrings or pages make objects.
    """
    own = {each.name: each for each in inside.get(fact.key, ()) if "~" not in each.key}
    methods = {name: each for name, each in own.items() if each.aspects.get("kind") == "method"}
    made = constructor(fact, inside, known)
    rows = made.aspects["parameters"][1:] if made is not None else ()
    aliases = aliases_of(fact, inside)
    is_shown = fact.name in shown
    if not (_is_known(fact, known) and (is_shown or can_be_called(rows, aliases))):
        return
    required = [
        str(name) for name, place, _, default, _ in rows if default is None and not place.startswith("var")
    ]
    if "__eq__" in methods:
        # Equality may ask for what an object works out, and not for what it is made of.
        taken = {str(each[0]) for each in rows}
        worked_out = [name for name, each in own.items() if each.kind is Kind.ATTRIBUTE and name not in taken]
        told = required if len(worked_out) < _SEVERAL else ()
        yield from _of_values(fact, methods, told, aliases, rows)
    if not is_mapping(fact, known):
        yield from _of_containers(fact, methods, rows, aliases, is_shown)
        yield from keeping_laws(fact, methods, aliases)
        yield from fallback_laws(fact, methods)
    yield from _of_settings(fact, methods, inside.get(fact.key, ()), aliases)


def _of_values(
    fact: Fact,
    methods: Mapping[str, Fact],
    required: Sequence[str],
    aliases: Mapping[str, str],
    rows: Sequence[Json],
) -> Iterator[Case]:
    """Objects that are made alike are equal, and in no order; one that is made otherwise is another."""
    equal = methods["__eq__"].id
    if rows:
        yield law_case(
            fact, "equal", f"Two of {fact.name} that are made alike are equal", {}, (fact.id, equal)
        )
    annotations = {str(name): str(annotation or "") for name, _, annotation, _, _ in rows}
    if len(required) == 1 and is_drawn(required[0], annotations[required[0]], aliases, other=True):
        told = f"A {fact.name} with another {required[0]} is another"
        yield law_case(fact, "unequal", told, {"parameter": required[0]}, (fact.id, equal))
    if rows and _takes_any(methods["__eq__"]):
        yield law_case(fact, "apart", f"A {fact.name} is no other object", {}, (fact.id, equal))
    for name in ("__le__", "__ge__"):
        if rows and name in methods:
            told = f"A {fact.name} is {'at most' if name == '__le__' else 'at least'} its equal"
            yield law_case(fact, "level", told, {"by": methods[name].id}, (fact.id, methods[name].id))
    if rows and "__lt__" in methods and _takes_any(methods["__lt__"]):
        told = f"A {fact.name} comes before nothing that is no {fact.name}"
        yield law_case(fact, "uncompared", told, {}, (fact.id, methods["__lt__"].id))
    if rows and "__hash__" in methods:
        told = f"Two of {fact.name} that are equal have the same hash"
        yield law_case(fact, "hashed", told, {}, (fact.id, methods["__hash__"].id))
    if rows and "__lt__" in methods:
        told = f"No {fact.name} comes before its equal"
        yield law_case(fact, "unordered", told, {}, (fact.id, methods["__lt__"].id))


def _takes_any(method: Fact) -> bool:
    """Whether an operator says that it takes whatever stands on its other side."""
    rows = method.aspects["parameters"]
    return len(rows) == 2 and str(rows[1][2]) == "object"


def _of_containers(
    fact: Fact, methods: Mapping[str, Fact], rows: Sequence[Json], aliases: Mapping[str, str], is_shown: bool
) -> Iterator[Case]:
    """What is in a container is counted, found and put in alike."""
    # What takes one text or several names things, which have to be there.
    several = (row for row in rows if many_of(str(row[2] or "")) and not _TEXT.search(str(row[2])))
    many = next((str(row[0]) for row in several), "")
    for law, names, told in (
        ("counted", ("__len__", "__iter__"), "has as many things as it goes through"),
        ("contained", ("__contains__", "__iter__"), "has what it goes through"),
        ("indexed", ("__getitem__", "__iter__", "__len__"), "has by its number what it goes through"),
        ("duplicated", ("copy", "__eq__"), "is equal to its copy"),
        ("itemized", ("items", "keys", "values"), "has as items its keys and values"),
    ):
        if (many or is_shown) and all(name in methods and _is_asked_nothing(methods[name]) for name in names):
            cites = (fact.id, *(methods[name].id for name in names))
            yield law_case(fact, law, f"A {fact.name} {told}", {"parameter": many}, cites)
    for name in PUTTING:
        put = methods.get(name)
        if put is None or not _takes_one(put, aliases):
            continue
        for law, other, told in (
            ("put", "__contains__", f"A {fact.name} has what it was given by {name}"),
            ("grown", "__len__", f"A {fact.name} grows by one with {name}"),
            ("taken", "pop", f"pop of a {fact.name} gives what {name} was given"),
        ):
            one = methods.get(other)
            if one is not None and (other != "pop" or len(one.aspects["parameters"]) == 1):
                yield law_case(fact, law, told, {"by": put.id, "other": one.id}, (fact.id, put.id, one.id))
    clear = methods.get("clear")
    if many and clear is not None and "__len__" in methods and len(clear.aspects["parameters"]) == 1:
        cites = (fact.id, clear.id, methods["__len__"].id)
        yield law_case(
            fact, "cleared", f"A {fact.name} is empty when it was cleared", {"parameter": many}, cites
        )


def _of_settings(
    fact: Fact, methods: Mapping[str, Fact], members: Sequence[Fact], aliases: Mapping[str, str]
) -> Iterator[Case]:
    """What is set is read back: by a method that is called so, or by a property of the same type."""
    for name, put in methods.items():
        read = methods.get(f"get_{name.removeprefix('set_')}") if name.startswith("set_") else None
        if read is None or len(read.aspects["parameters"]) != 1 or not _takes_one(put, aliases):
            continue
        if put.aspects["parameters"][1][2] == read.aspects.get("returns"):
            told = f"{read.name} of a {fact.name} gives what {name} was given"
            yield law_case(fact, "taken", told, {"by": put.id, "other": read.id}, (fact.id, put.id, read.id))
    for each in members:
        if each.aspects.get("kind") != "setter" or len(each.aspects["parameters"]) != 2:
            continue
        read = next(
            (one for one in members if one.name == each.name and one.aspects.get("kind") == "property"), None
        )
        annotation = str(each.aspects["parameters"][1][2] or "")
        if read is None or annotation != read.aspects.get("returns"):
            continue
        if is_drawn(each.name, annotation, aliases):
            told = f"{fact.name} keeps what its {each.name} is set to"
            yield law_case(fact, "set", told, {"property": read.id}, (fact.id, read.id))


def _is_asked_nothing(method: Fact) -> bool:
    """Whether a method answers at once and by itself; one that Python calls is given what Python gives it."""
    if method.name == "__getitem__":
        return _NUMBERED.search(str(method.aspects["parameters"][-1][2] or "")) is not None
    if method.aspects.get("async") or method.aspects.get("overload"):
        return False
    required = [row for row in method.aspects["parameters"][1:] if row[3] is None]
    return method.name.startswith("__") or not required


def _takes_one(method: Fact, aliases: Mapping[str, str]) -> bool:
    """Whether a method takes one thing, of which a value is known, and has to be given nothing else."""
    rows = method.aspects["parameters"][1:]
    required = [row for row in rows if row[3] is None]
    if (
        method.aspects.get("async")
        or method.aspects.get("overload")
        or len(required) != 1
        or required[0] is not rows[0]
    ):
        return False
    name, place, annotation, _, _ = required[0]
    return not place.startswith("var") and is_drawn(str(name), str(annotation or ""), aliases)


def _is_known(fact: Fact, known: Known) -> bool:
    """Whether all that a class derives from has a stub, or does nothing."""
    return all(
        known(name) is not None or name.rpartition(".")[2] in _PLAIN_BASES
        for each in (fact, *ancestors(fact, known))
        for name in base_names(each)
    )
