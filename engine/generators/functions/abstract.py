"""Which classes are only there to be derived from, by their names, methods and words."""

from __future__ import annotations

import re

from engine.generators.functions.facts import Surface
from graph.facts import Fact, Kind
from planner.functions.ancestors import base_names

_ABSTRACT = re.compile(
    r"\babstract\b|\b(?:sub-?class(?:es)?|implementations?) (?:must|should|need|have to|has to|are expected)\b"
    r"|\b(?:never|not) (?:\w+ ){0,4}instantiated\b|\b(?:do not|don't|never) instantiate\b"
    r"|\b(?:must|should|has to|have to|needs? to|meant to|intended to|to) be (?:sub-?classed|overridden|implemented)\b"
    r"|\bevery \w+ (?:\w+ )?(?:inherits|derives) from this\b"
    r"|^(?:inherit(?:ing)?|deriv(?:e|ing)|sub-?class(?:ing)?)(?: from)? this(?: class)?\b",
    re.IGNORECASE,
)
# How the words on a class begin that others derive from: "The base class of all shapes", "Base client".
_BASE = re.compile(
    r"^(?:\S+ ){0,5}(?:base|parent|super)[ -]?class\b|^(?:an? |the )?(?:base|abstract) |^(?:\S+ ){0,3}mix-?in\b",
    re.IGNORECASE,
)
# What is only there to be derived from, by its name.
_OF_OTHERS = re.compile(r"(?:Mixin|MixIn|Base|Interface)$|^(?:Base|Abstract|Mixin)(?=[A-Z])")
# What is said of a method that a derived class has to have.
_LEFT = re.compile(
    r"\b(?:override|overridden) (?:this|it|by|in|to)\b|\bnot implemented\b|\bno-op\b", re.IGNORECASE
)
# Modules of what others derive from.
_HOMES = frozenset({"abc", "abstract", "base", "bases", "interface", "interfaces", "mixin", "mixins"})
_INNER = re.compile(r"_(?!_)")
# Of one class that derives from another and does something otherwise, nothing is to be learned.
_SEVERAL = 2


def is_to_be_derived_from(fact: Fact) -> bool:
    """Whether a class is called as one that others derive from."""
    return _OF_OTHERS.search(fact.name) is not None


def is_abstract(fact: Fact, surface: Surface) -> bool:
    """Whether a class is only to be derived from, as its methods or its words say."""
    members = surface.members(fact)
    if surface.module(fact).rpartition(".")[2].strip("_") in _HOMES and surface.heirs(fact):
        return True
    if fact.name.endswith("base") and surface.heirs(fact):
        return True
    if _is_filled_in(fact, surface):
        return True
    if any("abstract" in str(each) for one in members for each in one.aspects.get("decorators", ())):
        return True
    return any(_ABSTRACT.search(each) or _BASE.search(each) for each in _words(fact, surface))


def _is_filled_in(fact: Fact, surface: Surface) -> bool:
    """Whether all classes that derive from one, and are several, have an inner method that it lacks and may call."""
    heirs = [each for key in surface.heirs(fact) if (each := surface.at(key)) is not None]
    if len(heirs) < _SEVERAL:
        return False
    inner = [{name for name in _methods(each, surface) if _INNER.match(name)} for each in heirs]
    return bool(set.intersection(*inner) - _methods(fact, surface))


def _methods(fact: Fact, surface: Surface) -> set[str]:
    return {
        each.name for one in surface.same(fact) for each in surface.members(one) if each.kind is Kind.FUNCTION
    }


def _words(fact: Fact, surface: Surface) -> list[str]:
    """What the docstrings of a stub and its code say of a thing first, and by which sentence they leave it to others,
    each in one line."""
    docs = [each.aspects.get("doc") for each in surface.same(fact)]
    return [
        " ".join(f"{doc.get('summary', '')} {doc.get('left_to_heirs', '')}".split())
        for doc in docs
        if isinstance(doc, dict)
    ]


def is_left_to_heirs(method: Fact, holder: Fact, surface: Surface) -> bool:
    """Whether a method's words leave it to derived classes, or all of these have it themselves, and are several.

    Of a generic class it is enough that half of them have it, since each kind of things does otherwise.
    """
    if any(_ABSTRACT.search(each) or _LEFT.search(each) for each in _words(method, surface)):
        return True
    heirs = [surface.at(each) for each in surface.heirs(holder)]
    own = [each for each in heirs if each is not None and _has(each, method.name, surface)]
    return len(heirs) >= _SEVERAL and (1 + _is_generic(holder)) * len(own) >= len(heirs)


def _is_generic(fact: Fact) -> bool:
    return any(name.rpartition(".")[2] == "Generic" for name in base_names(fact))


def _has(fact: Fact, name: str, surface: Surface) -> bool:
    return any(each.name == name for each in surface.members(fact))
