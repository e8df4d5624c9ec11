"""Which classes are only there to be derived from, by their names, methods and words."""

from __future__ import annotations

import re

from engine.generators.functions import Surface
from graph.facts import Fact

_ABSTRACT = re.compile(
    r"\babstract\b|\b(?:sub-?class(?:es)?|implementations?) (?:must|should|need|have to|has to|are expected)\b",
    re.IGNORECASE,
)
# What is only there to be derived from, by its name.
_OF_OTHERS = re.compile(r"(?:Mixin|MixIn|Base|Interface)$|^(?:Base|Abstract|Mixin)(?=[A-Z])")


def is_to_be_derived_from(fact: Fact) -> bool:
    """Whether a class is called as one that others derive from."""
    return _OF_OTHERS.search(fact.name) is not None


def is_abstract(fact: Fact, surface: Surface) -> bool:
    """Whether a class is only to be derived from, as its methods or its words say."""
    members = surface.members(fact)
    if any("abstract" in str(each) for one in members for each in one.aspects.get("decorators", ())):
        return True
    docs = [each.aspects.get("doc") for each in surface.same(fact)]
    told = " ".join(
        str(doc.get(name, "")) for doc in docs if isinstance(doc, dict) for name in ("summary", "description")
    )
    return bool(_ABSTRACT.search(told))
