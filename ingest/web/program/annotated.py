"""Annotations that say less of a name than what it is given."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.syntax.naming import last_name

_MARKS: Final = frozenset({"ClassVar", "Final", "TypeAlias"})
_CLASSES: Final = frozenset({"type", "Type"})


def says_nothing(annotation: ast.expr | None) -> bool:
    """Whether an annotation, or none, leaves it to the value what a name stands for: `kind: type[Book] = Novel`."""
    match annotation:
        case None:
            return True
        case ast.Name() | ast.Attribute():
            return last_name(annotation) in _MARKS | _CLASSES
        case ast.Subscript(value=mark, slice=inner):
            return last_name(mark) in _CLASSES or (last_name(mark) in _MARKS and says_nothing(inner))
    return False
