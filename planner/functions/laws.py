"""The test cases of laws that stubs suggest: inverse functions, containers, and what a constructor keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from graph.facts import Fact, Json, Kind
from planner.cases import Case
from planner.functions.ancestors import OF_MAPPINGS, Known, ancestors, derives_from_dict, is_mapping
from planner.functions.drawn_values import is_drawn, words_of
from planner.functions.law_case import law_case
from planner.functions.left_out import left_out
from planner.functions.mapping_laws import mapping_laws, never_returns

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
UNDOING = frozenset(_UNDONE.values())
"""The words of functions that undo what another one does."""
# What tells whether the other's result belongs to what it was made of.
_CHECKED = {
    **dict.fromkeys(("get", "make", "create", "generate", "hash"), "verify"),
    "sign": "validate",
}
# What writes to a file what another one reads of it.
_READ = {"dump": "load", "write": "read", "save": "load"}
_FILE = re.compile(r"\b(?:\w*IO\w*|Supports(?:Read|Write)\w*|\w*File\w*|\w*Stream\w*)\b")
# What changes nothing where it was done before.
_DONE_ONCE = frozenset(
    {
        *(
            "normalize",
            "normalise",
            "canonicalize",
            "canonicalise",
            "slugify",
            "dedupe",
            "deduplicate",
            "sort",
        ),
        *("sorted", "lowercase", "uppercase", "dedent", "collapse", "squeeze"),
    }
)
# How else an object is written than by `to_…`, for a class method that makes it again.
_MADE_AGAIN = {"isoformat": "fromisoformat", "serialize": "deserialize", "dumps": "loads", "encode": "decode"}
# What an object is written as by Python's own functions, and how the class methods are called that read it.
_MADE_AGAIN_OF = {
    "__str__": ("from_str", "from_string"),
    "__bytes__": ("from_bytes",),
    "__int__": ("from_int",),
}
# Of which not all that was there may be left.
_ROUNDED = frozenset({"float", "datetime.datetime", "datetime", "timedelta", "datetime.timedelta"})
# What any value of its type is: a code or a numeral would ask for a form.
_ANY = frozenset({"text", "string", "str", "bytes", "int", "integer", "float", "number"})
# How much a container holds at most.
BOUNDS = frozenset({"maxsize", "max_size", "maxlen", "capacity", "max_items", "max_entries", "max_length"})
_UNTOLD = frozenset({"Any", "Incomplete", "object"})
_FUNCTIONS = frozenset({"function", "method", "staticmethod", "classmethod"})


def is_writing(name: str) -> bool:
    """Whether a function writes what it is given in another form, by its name, and so takes any."""
    return any(part in _UNDONE for part in name.split("_"))


def law_cases(members: Sequence[Fact]) -> Iterator[Case]:
    """The cases of the public members of one module or class of stubs, in their order."""
    for each in members:
        if each.kind is Kind.FUNCTION and "~" not in each.key and is_done_once(each):
            yield law_case(each, "once", f"{each.name} changes nothing of what it gave", {})
    for law, fact, other in pairs(members):
        told = {
            "undone": f"{other.name} gives back what {fact.name} was given",
            "checked": f"{other.name} knows what {fact.name} made",
            "dumped": f"{other.name} reads what {fact.name} wrote",
        }[law]
        yield law_case(fact, law, told, {"other": other.id}, (fact.id, other.id))


def pairs(members: Sequence[Fact]) -> Iterator[tuple[str, Fact, Fact]]:
    """The functions among the members of one module or class that another one undoes or checks: the law, and both."""
    spelled = {
        "".join(words_of(fact.name)): fact
        for fact in members
        if fact.kind is Kind.FUNCTION and "~" not in fact.key and "_" not in fact.name
    }
    named = {fact.name: fact for fact in members if fact.kind is Kind.FUNCTION and "~" not in fact.key}
    for fact in named.values():
        kind = fact.aspects.get("kind")
        if kind not in _FUNCTIONS or fact.aspects.get("async"):
            continue
        for law, words in (("undone", _UNDONE), ("checked", _CHECKED), ("dumped", _READ)):
            other = named.get(_counterpart(fact.name, words))
            if other is None and fact.name in map(_name, spelled.values()) and words is _UNDONE:
                other = spelled.get(_spelled_counterpart(fact.name))
            if other is None or other.aspects.get("kind") != kind:
                continue
            if law != "dumped" or (_file_of(fact, 1) and _file_of(other, 0)):
                yield law, fact, other


def _file_of(fact: Fact, place: int) -> bool:
    """Whether a function is given an open file at a place, and whatever has to be given before it, but nothing else."""
    rows = fact.aspects["parameters"][1 if fact.aspects.get("kind") in ("method", "classmethod") else 0 :]
    required = [row for row in rows if row[3] is None and not str(row[1]).startswith("var")]
    return len(required) == place + 1 and _FILE.search(str(required[place][2] or "")) is not None


def is_done_once(fact: Fact) -> bool:
    """Whether a function changes nothing of what it has given before, by its name and types."""
    if (
        fact.aspects.get("kind") not in _FUNCTIONS
        or fact.aspects.get("async")
        or fact.aspects.get("overload")
    ):
        return False
    rows = fact.aspects["parameters"][1 if fact.aspects.get("kind") in ("method", "classmethod") else 0 :]
    required = [row for row in rows if row[3] is None]
    if len(required) != 1 or str(required[0][1]).startswith("var"):
        return False
    name, _, annotation, _, _ = required[0]
    same = annotation == fact.aspects.get("returns") and annotation is not None
    return same and fact.name.split("_")[0] in _DONE_ONCE and is_drawn(str(name), str(annotation), {})


def _made_again(fact: Fact, members: Sequence[Fact]) -> Iterator[Case]:
    """What an object is written as, and by which class method makes it again."""
    named = {each.name: each for each in members if each.kind is Kind.FUNCTION and "~" not in each.key}
    known: set[str] = set()
    for each in named.values():
        if each.aspects.get("async") or each.aspects.get("kind") not in ("method", "property"):
            continue
        asked = [row for row in each.aspects["parameters"][1:] if row[3] is None]
        if asked or each.aspects.get("returns") in _ROUNDED:
            continue
        for other in filter(None, map(named.get, _makers_again(each))):
            if other is each or other.name in known or not _is_made_by(other, fact):
                continue
            known.add(other.name)
            told = f"{other.name} makes again of {each.name} what it was"
            more: dict[str, Json] = {"to": each.id, "from": other.id}
            yield law_case(fact, "remade", told, more, (fact.id, other.id, each.id))


def _makers_again(fact: Fact) -> Sequence[str]:
    """How class methods are called that make an object again of what a method or property tells of it."""
    if fact.aspects.get("kind") == "property":
        return (f"from_{fact.name}",)
    told = (_MADE_AGAIN.get(fact.name), re.sub(r"^(?:to|as)_", "from_", fact.name))
    return _MADE_AGAIN_OF.get(fact.name) or [each for each in told if each]


def _is_made_by(other: Fact, fact: Fact) -> bool:
    """Whether a class method makes an object of one thing."""
    rows = [
        row for row in other.aspects["parameters"] if row[3] is None and not str(row[1]).startswith("var")
    ]
    given = rows[1:] if other.aspects.get("kind") == "classmethod" else rows
    made = str(other.aspects.get("returns")).strip("'\"").rpartition(".")[2]
    is_of_class = other.aspects.get("kind") in ("classmethod", "staticmethod")
    return is_of_class and len(given) == 1 and made in (fact.name, "Self")


def inherited_laws(fact: Fact, members: Mapping[str, Sequence[Fact]], known: Known) -> Iterator[Case]:
    """The cases of what a class takes over from a known one: methods of it that undo or check one another.

    `members` are those of each class by its qualified name.
    """
    bases = {each.key: each for each in ancestors(fact, known)}
    written: set[tuple[str, str]] = set()
    for base in bases.values():
        nearer = [fact, *(each for each in bases.values() if base in ancestors(each, known))]
        own = {each.name for one in nearer for each in members.get(one.key, ())}
        for law, first, second in pairs(members.get(base.key, ())):
            is_taken_over = not {first.name, second.name} & own and (first.name, law) not in written
            if first.aspects.get("kind") == "method" and is_taken_over:
                told = f"{second.name} of {fact.name} goes with its {first.name}"
                more: dict[str, Json] = {"other": second.id, "on": fact.id}
                yield law_case(first, law, told, more, (first.id, second.id, fact.id))
                written.add((first.name, law))


def class_laws(fact: Fact, inside: Mapping[str, Sequence[Fact]], known: Known) -> Iterator[Case]:
    """The cases of one class: that it is the mapping it derives from, and keeps what it is made of.

    `inside` are the members of each class by its qualified name, `known` are the classes of its module.
    """
    members = inside.get(fact.key, ())
    yield from _made_again(fact, members)
    is_kept = is_mapping(fact, known) and not any(_is_refused(each) for each in members)
    if is_kept:
        yield from mapping_laws(fact, members)
    if is_kept and (not derives_from_dict(fact) or OF_MAPPINGS & {each.name for each in members}):
        yield law_case(
            fact, "mapping", f"{fact.name} is a mapping: it keeps what is put in, and lets it go", {}
        )
        made = constructor(fact, inside, known)
        for name in [str(row[0]) for row in made.aspects["parameters"][1:]] if made is not None else ():
            if name in BOUNDS:
                told = f"{fact.name} holds no more than its {name}"
                yield law_case(fact, "bounded", told, {"parameter": name})
    made = next((each for each in members if each.name == "__init__" and "~" not in each.key), None)
    if made is None:
        return
    parameters = {str(row[0]) for row in made.aspects["parameters"][1:]}
    for each in members:
        if each.name in parameters and _is_read_as_told(each) and "~" not in each.key:
            more: dict[str, Json] = {"attribute": each.name}
            told = f"{fact.name} has the {each.name} that it was made with"
            yield law_case(fact, "kept", told, more, (made.id, each.id))
    if not made.aspects.get("overload") and (has := left_out(made, members)):
        told = f"A new {fact.name} has its {', '.join(has)} as left out"
        cites = (made.id, *(member.id for member, _ in has.values()))
        yield law_case(fact, "left out", told, {}, cites)


def _is_read_as_told(member: Fact) -> bool:
    """Whether an object has something of a type that is told: whatever else it is made of is kept in any form."""
    read = member.aspects.get("returns" if member.kind is Kind.FUNCTION else "annotation")
    is_read = member.kind is Kind.ATTRIBUTE or member.aspects.get("kind") == "property"
    return is_read and isinstance(read, str) and read.rpartition(".")[2] not in _UNTOLD


def _is_refused(member: Fact) -> bool:
    """Whether a class takes back that something can be put into it: `__setitem__: None`, or it never returns."""
    return member.name == "__setitem__" and (member.kind is Kind.ATTRIBUTE or never_returns(member))


def constructor(fact: Fact, inside: Mapping[str, Sequence[Fact]], known: Known) -> Fact | None:
    """The constructor of a class, or of the first known one that it derives from and that has one."""
    every = (each for one in (fact, *ancestors(fact, known)) for each in inside.get(one.key, ()))
    return next((each for each in every if each.name == "__init__" and "~" not in each.key), None)


def _name(fact: Fact) -> str:
    return fact.name


def _spelled_counterpart(name: str) -> str:
    """What undoes a function whose name has capitals: `decompressfrombase64` for `compressToBase64`; else empty."""
    words = words_of(name)
    if len(words) < 2 or words[0] not in _UNDONE:
        return ""
    return "".join([_UNDONE[words[0]], *("from" if each == "to" else each for each in words[1:])])


def _counterpart(name: str, words: dict[str, str]) -> str:
    """The name of what undoes or checks a function: `a_decode` for `a_encode`, `code_to_text` for `text_to_code`."""
    parts = name.split("_")
    if words is _UNDONE and len(parts) == 3 and parts[1] == "to" and parts[0] in _ANY:
        return f"{parts[2]}_to_{parts[0]}"
    for place, part in enumerate(parts):
        if part in words:
            return "_".join([*parts[:place], words[part], *parts[place + 1 :]])
    return ""
