"""The test cases of laws that stubs suggest: inverse functions, containers, and what a constructor keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from graph.facts import Fact, Json, Kind
from planner.cases import Case, Layer, Technique
from planner.identity import case_id

# What undoes what, as words of names.
_UNDONE = {
    "encode": "decode",
    "dumps": "loads",
    "serialize": "deserialize",
    "serialise": "deserialise",
    "compress": "decompress",
    "encrypt": "decrypt",
    "pack": "unpack",
    "quote": "unquote",
    "escape": "unescape",
    "sign": "unsign",
    "wrap": "unwrap",
    "marshal": "unmarshal",
}
# What tells whether the other's result belongs to what it was made of.
UNDOING = frozenset(_UNDONE.values())
"""The words of functions that undo what another one does."""
_CHECKED = {
    **dict.fromkeys(("get", "make", "create", "generate", "hash"), "verify"),
    "sign": "validate",
}
# What any value of its type is: a code or a numeral would ask for a form.
_ANY = frozenset({"text", "string", "str", "bytes", "int", "integer", "float", "number"})
# How much a container holds at most.
BOUNDS = frozenset({"maxsize", "max_size", "maxlen", "capacity", "max_items", "max_entries", "max_length"})
_FUNCTIONS = frozenset({"function", "method", "staticmethod", "classmethod"})
_MAPPINGS = frozenset({"MutableMapping", "UserDict"})


def law_cases(members: Sequence[Fact]) -> Iterator[Case]:
    """The cases of the public members of one module or class of stubs, in their order."""
    for law, fact, other in pairs(members):
        told = {
            "undone": f"{other.name} gives back what {fact.name} was given",
            "checked": f"{other.name} knows what {fact.name} made",
        }[law]
        yield law_case(fact, law, told, {"other": other.id}, (fact.id, other.id))


def pairs(members: Sequence[Fact]) -> Iterator[tuple[str, Fact, Fact]]:
    """The functions among the members of one module or class that another one undoes or checks: the law, and both."""
    named = {fact.name: fact for fact in members if fact.kind is Kind.FUNCTION and "~" not in fact.key}
    for fact in named.values():
        kind = fact.aspects.get("kind")
        if kind not in _FUNCTIONS or fact.aspects.get("async"):
            continue
        for law, words in (("undone", _UNDONE), ("checked", _CHECKED)):
            other = named.get(_counterpart(fact.name, words))
            if other is not None and other.aspects.get("kind") == kind:
                yield law, fact, other


def inherited_laws(
    fact: Fact, members: Mapping[str, Sequence[Fact]], classes: Mapping[str, Sequence[Fact]]
) -> Iterator[Case]:
    """The cases of what a class takes over from another: methods of it that undo or check one another.

    `members` are those of each class by its qualified name, `classes` are all classes by name.
    """
    bases = {each.key: each for each in _bases(fact, classes)}
    written: set[tuple[str, str]] = set()
    for base in bases.values():
        nearer = [fact, *(each for each in bases.values() if base in _bases(each, classes))]
        own = {each.name for one in nearer for each in members.get(one.key, ())}
        for law, first, second in pairs(members.get(base.key, ())):
            is_taken_over = not {first.name, second.name} & own and (first.name, law) not in written
            if first.aspects.get("kind") == "method" and is_taken_over:
                told = f"{second.name} of {fact.name} goes with its {first.name}"
                more: dict[str, Json] = {"other": second.id, "on": fact.id}
                yield law_case(first, law, told, more, (first.id, second.id, fact.id))
                written.add((first.name, law))


def _bases(fact: Fact, classes: Mapping[str, Sequence[Fact]], depth: int = 5) -> Iterator[Fact]:
    """The classes that a class derives from, nearest first, as far as there is one of each name."""
    for base in fact.aspects.get("bases", ()):
        found = classes.get(str(base).partition("[")[0].rpartition(".")[2], ())
        if len(found) == 1 and depth:
            yield found[0]
            yield from _bases(found[0], classes, depth - 1)


def is_mapping(fact: Fact, beside: Mapping[str, Fact], depth: int = 5) -> bool:
    """Whether a class is a mapping that can be changed, by its stub and those of the classes beside it."""
    for base in fact.aspects.get("bases", ()):
        name = str(base).partition("[")[0]
        known = beside.get(name)
        if name.rpartition(".")[2] in _MAPPINGS or (
            known is not None and depth and is_mapping(known, beside, depth - 1)
        ):
            return True
    return False


def class_laws(
    fact: Fact, inside: Mapping[str, Sequence[Fact]], beside: Mapping[str, Fact]
) -> Iterator[Case]:
    """The cases of one class: that it is the mapping it derives from, and keeps what it is made of.

    `inside` are the members of each class by its qualified name, `beside` are the classes of its module by name.
    """
    members = inside.get(fact.key, ())
    if is_mapping(fact, beside):
        yield law_case(
            fact, "mapping", f"{fact.name} is a mapping: it keeps what is put in, and lets it go", {}
        )
        made = _constructor(fact, inside, beside)
        for name in [str(row[0]) for row in made.aspects["parameters"][1:]] if made is not None else ():
            if name in BOUNDS:
                told = f"{fact.name} holds no more than its {name}"
                yield law_case(fact, "bounded", told, {"parameter": name})
    made = next((each for each in members if each.name == "__init__" and "~" not in each.key), None)
    if made is None:
        return
    parameters = {str(row[0]) for row in made.aspects["parameters"][1:]}
    for each in members:
        is_read = each.kind is Kind.ATTRIBUTE or each.aspects.get("kind") == "property"
        if each.name in parameters and is_read and "~" not in each.key:
            more: dict[str, Json] = {"attribute": each.name}
            told = f"{fact.name} has the {each.name} that it was made with"
            yield law_case(fact, "kept", told, more, (made.id, each.id))


def _constructor(
    fact: Fact, inside: Mapping[str, Sequence[Fact]], beside: Mapping[str, Fact], depth: int = 5
) -> Fact | None:
    """The constructor of a class, or of the first class beside it that it derives from."""
    for each in inside.get(fact.key, ()):
        if each.name == "__init__" and "~" not in each.key:
            return each
    bases = (beside.get(str(base).partition("[")[0]) for base in fact.aspects.get("bases", ()))
    known = next((each for each in bases if each is not None), None)
    return _constructor(known, inside, beside, depth - 1) if known is not None and depth else None


def _counterpart(name: str, words: dict[str, str]) -> str:
    """The name of what undoes or checks a function: `a_decode` for `a_encode`, `code_to_text` for `text_to_code`."""
    parts = name.split("_")
    if words is _UNDONE and len(parts) == 3 and parts[1] == "to" and parts[0] in _ANY:
        return f"{parts[2]}_to_{parts[0]}"
    for place, part in enumerate(parts):
        if part in words:
            return "_".join([*parts[:place], words[part], *parts[place + 1 :]])
    return ""


def law_case(
    fact: Fact, law: str, description: str, more: dict[str, Json], cites: tuple[str, ...] = ()
) -> Case:
    """The case of one law about a function or class; it cites these facts, or the one that it is about."""
    target: dict[str, Json] = {"function": fact.id, "law": law, **more}
    return Case(
        id=case_id(fact.key, Technique.PROPERTY, target),
        description=description,
        subject=f"{fact.kind} {fact.key}",
        aspect="returns",
        technique=Technique.PROPERTY,
        layer=Layer.UNIT,
        cites=cites or (fact.id,),
        target=target,
    )
