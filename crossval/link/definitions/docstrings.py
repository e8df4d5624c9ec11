"""Aligns what docstrings claim with the functions that they belong to."""

from __future__ import annotations

from functools import partial

from crossval.alignment import Alignment
from crossval.compare.docstring_claims import docstring_pairs
from crossval.compare.documented import description_pair
from graph.facts import Kind, Tag
from graph.source import FactSource


def align_docstrings(source: FactSource) -> Alignment:
    """Pairs of what docstrings claim and describe with what the function itself says otherwise."""
    claiming = source.facts(kinds={Kind.FUNCTION}, having="claims")
    describing = source.facts(tag=Tag.CODE, kinds={Kind.FUNCTION}, having="described_unknown")
    return Alignment(pairs=[*docstring_pairs(claiming), *map(description_pair, describing)])


def docstrings_tell(source: FactSource) -> bool:
    """Whether some docstring of the code describes a parameter or claims something."""
    functions = partial(source.facts, tag=Tag.CODE, kinds={Kind.FUNCTION})
    if next(functions(having="claims"), None) is not None:
        return True
    return any((fact.aspects.get("doc") or {}).get("params") for fact in functions(having="doc"))
