"""Aligns what docstrings claim with the functions that they belong to."""

from __future__ import annotations

from crossval.alignment import Alignment
from crossval.compare.docstring_claims import docstring_pairs
from crossval.compare.documented import description_pair
from graph.facts import Kind, Tag
from graph.source import FactSource


def align_docstrings(source: FactSource) -> Alignment:
    """Pairs of the claims of docstrings with what the function itself says otherwise."""
    claiming = source.facts(kinds={Kind.FUNCTION}, having="claims")
    describing = source.facts(tag=Tag.CODE, kinds={Kind.FUNCTION}, having="described_unknown")
    return Alignment(pairs=[*docstring_pairs(claiming), *map(description_pair, describing)])
