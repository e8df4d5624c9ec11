"""What the code may check of a value of the request: where it asks for it, compares it, or reads it as a text."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set

from ingest.web.constants.constants import Missing, constant
from ingest.web.program.program import Program
from ingest.web.requests.fates import Fate
from ingest.web.requests.refusing import may_refuse
from ingest.web.syntax.flow_words import BOUNDS, LOWER, ORDERING
from ingest.web.syntax.scopes import Scope
from ingest.web.values.presence import is_guarded

_AMONG = (ast.In, ast.NotIn)
_SEARCHING = frozenset({"startswith", "endswith", "split", "count", "find", "partition"})


class Checks:
    """Notes them in the fate of one value; `parents` are the nodes around those of the function it is in."""

    def __init__(self, program: Program, fate: Fate) -> None:
        self.program = program
        self.fate = fate

    def asked(self, node: ast.AST, parents: dict[ast.AST, ast.AST]) -> None:
        """The code asks whether there is a value, or whether it is empty."""
        if may_refuse(node, parents):
            if is_guarded(node, parents):
                self.fate.of_present |= LOWER
                return
            self.fate.asked = True
            self.fate.doubtful |= LOWER

    def compared(
        self, node: ast.Compare, value: ast.AST, scope: Scope, parents: dict[ast.AST, ast.AST]
    ) -> None:
        """The value is compared with others."""
        if any(isinstance(operator, ORDERING) for operator in node.ops):
            self.doubt(BOUNDS, value, parents)
        for other in [node.left, *node.comparators]:
            if other is not value:
                known = constant(self.program, other, scope)
                if known is None:
                    if may_refuse(node, parents):
                        self.fate.asked = True
                elif isinstance(known, Missing) and any(isinstance(each, _AMONG) for each in node.ops):
                    # Whether nothing is among what is allowed cannot be known.
                    if may_refuse(node, parents):
                        self.fate.asked = True
                elif not isinstance(known, Missing):
                    self.doubt({"enum", *LOWER}, value, parents)

    def read_as_text(self, node: ast.Attribute, parents: Mapping[ast.AST, ast.AST]) -> None:
        """A method is called that only texts have."""
        self.fate.text = True
        self.fate.needed = self.fate.needed or not is_guarded(node.value, parents)
        if node.attr in _SEARCHING:
            self.fate.doubtful |= {"pattern", "format"}

    def named(self, node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> None:
        """It becomes the name of something, which fails where there is none."""
        self.fate.needed = self.fate.needed or not is_guarded(node, parents)

    def doubt(self, keywords: Set[str], value: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> None:
        """Notes what may be checked of a value, of each one or only where there is one."""
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            # `name.strip()` is there where `name` is.
            value = value.func.value
        noted = self.fate.of_present if is_guarded(value, parents) else self.fate.doubtful
        noted |= keywords
