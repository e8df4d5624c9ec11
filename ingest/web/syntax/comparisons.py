"""What the comparisons of a program's text do with values that are known."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
