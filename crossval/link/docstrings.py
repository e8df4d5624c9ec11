"""Aligns what docstrings claim with the functions that they belong to."""

from __future__ import annotations

from crossval.alignment import Alignment
from crossval.compare.docstring_claims import docstring_pairs
from graph.facts import Kind
from graph.source import FactSource


def align_docstrings(source: FactSource) -> Alignment:
    """Pairs of the claims of docstrings with what the function itself says otherwise."""
    return Alignment(pairs=list(docstring_pairs(source.facts(kinds={Kind.FUNCTION}, having="claims"))))
