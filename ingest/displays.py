"""Expressions whose value is of a builtin class, whatever stands in them."""

from __future__ import annotations

import ast

DISPLAYS = (
    ast.Constant,
    ast.JoinedStr,
    ast.List,
    ast.Tuple,
    ast.Set,
    ast.Dict,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.Compare,
    ast.Lambda,
)
"""Their types in a tree."""
