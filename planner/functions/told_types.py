"""Types that only docstrings tell: of parameters without an annotation, and of what is returned."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

from graph.facts import Fact, Json, Kind, Tag
from graph.source import FactSource

TOLD = "returns_told"
"""The aspect of a function whose result only a docstring tells the type of: which fact has that docstring."""

# Words of docstrings, and what is meant by them.
_WORDS = {
    **{each: each for each in ("str", "int", "bool", "float", "complex", "bytes", "bytearray", "None")},
    **{each: each for each in ("list", "dict", "tuple", "set", "frozenset")},
    **dict.fromkeys(("string", "unicode", "strings", "strs", "basestring"), "str"),
    **dict.fromkeys(("integer", "integers", "ints"), "int"),
    **dict.fromkeys(("boolean", "bools", "booleans"), "bool"),
    **{"floats": "float", "dictionary": "dict", "dicts": "dict", "lists": "list", "tuples": "tuple"},
}
_HOLDING = re.compile(r"(?:an? )?(list|set|frozenset)(?: of |\[|\()([^\[\]()]+)[\])]?", re.IGNORECASE)
_HELD = re.compile(r"(?:an? )?(dict|dictionary|tuple)(?: of |\[|\().*", re.IGNORECASE)
_OPTIONAL = re.compile(r"(?:typing\.)?Optional\[(.+)\]")
_ROLE = re.compile(r":(?:\w+:)+`[~!]?([^`<]+)`")
_BEHIND = re.compile(r",? *(?:\(?optional\)?|default(?:s to)?[ =:].*)$")
_EITHER = re.compile(r",?\s+or\s+|\s*\|\s*|,\s+(?![^\[(]*[\])])")
_NAME = re.compile(r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*")
_OF_A_PROPERTY = re.compile(r"([^:\n]+(?::\w+:`[^`]*`[^:\n]*)*):\s")


def told_types(source: FactSource) -> Callable[[Fact], Fact]:
    """What gives a function the types that its docstring tells, its own or that of the code behind a stub, where no
    annotation does; other facts stay as they are."""
    classes: dict[str, set[str]] = {}
    told: dict[str, tuple[str, dict[str, str]]] = {}
    for tag in (Tag.SPEC, Tag.CODE):
        for fact in source.facts(tag=tag, kinds={Kind.CLASS, Kind.FUNCTION}):
            if fact.kind is Kind.CLASS and "<" not in fact.key:
                classes.setdefault(fact.name, set()).add(fact.unnumbered)
            key = f"{fact.unnumbered}.__init__" if fact.kind is Kind.CLASS else fact.unnumbered
            if types := _types(fact):
                known = told.get(key, (fact.id, {}))
                told[key] = (known[0] if "return" in known[1] else fact.id, {**types, **known[1]})
    known_classes = {name: keys.pop() for name, keys in classes.items() if len(keys) == 1}

    def typed(fact: Fact) -> Fact:
        if fact.kind is not Kind.FUNCTION or fact.unnumbered not in told or fact.aspects.get("overload"):
            return fact
        return _typed(fact, *told[fact.unnumbered], known_classes)

    return typed


def annotation_of(text: str, classes: Mapping[str, str]) -> str:
    """A type that a docstring names, as an annotation; empty for what is none, or of which nobody knows what it is.

    `classes` are those of the project by their names.
    """
    text = _BEHIND.sub("", _ROLE.sub(r"\1", text).replace("`", "").strip(" .")).strip(" *")
    if found := _OPTIONAL.fullmatch(text):
        inner = annotation_of(found[1], classes)
        return f"{inner} | None" if inner else ""
    parts = [_one(each.strip(), classes) for each in _EITHER.split(text)]
    return " | ".join(dict.fromkeys(parts)) if all(parts) else ""


def _one(text: str, classes: Mapping[str, str]) -> str:
    if found := _HOLDING.fullmatch(text):
        inner = annotation_of(found[2], classes)
        return f"{found[1].lower()}[{inner}]" if inner else found[1].lower()
    if found := _HELD.fullmatch(text):
        return _WORDS[found[1].lower()]
    word = re.sub(r"^an? ", "", text)
    if word in _WORDS or word.lower() in ("string", "integer", "boolean"):
        return _WORDS[word if word in _WORDS else word.lower()]
    if not _NAME.fullmatch(word):
        return ""
    key = classes.get(word.rpartition(".")[2], "")
    return key if key == word or key.endswith(f".{word}") or "." not in word else ""


def _types(fact: Fact) -> dict[str, str]:
    """The types that a docstring tells, as it writes them; of a class those of its constructor."""
    doc = fact.aspects.get("doc")
    if not isinstance(doc, dict):
        return {}
    types = {str(name): str(text) for name, text in doc.get("types", {}).items()}
    if fact.kind is Kind.CLASS:
        types.pop("return", "")
    elif fact.aspects.get("kind") == "property" and (
        found := _OF_A_PROPERTY.match(str(doc.get("summary", "")))
    ):
        types.setdefault("return", found[1])
    return types


def _typed(fact: Fact, teller: str, types: Mapping[str, str], classes: Mapping[str, str]) -> Fact:
    rows: list[Json] = []
    for name, kind, annotation, default, line in fact.aspects["parameters"]:
        told = annotation_of(types.get(str(name), ""), classes) if annotation is None else annotation
        rows.append([name, kind, told or None, default, line])
    aspects = {**fact.aspects, "parameters": rows}
    if "returns" not in aspects and (returns := annotation_of(types.get("return", ""), classes)):
        aspects |= {"returns": returns, TOLD: teller}
    return msgspec.structs.replace(fact, aspects=aspects)
