"""What a failure tells by itself: its category, where it began, and which symbol or value it is about."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from planner.generator import INFERRED
from planner.validator import Frame


class Category(StrEnum):
    """The category of an error: it chooses the tactic, never the verdict."""

    IMPORT_ERROR = "IMPORT_ERROR"
    NAME_ERROR = "NAME_ERROR"
    ATTRIBUTE_ERROR = "ATTRIBUTE_ERROR"
    SIGNATURE_ERROR = "SIGNATURE_ERROR"
    FIXTURE_ERROR = "FIXTURE_ERROR"
    MOCK_ERROR = "MOCK_ERROR"
    ASSERTION_FAILURE = "ASSERTION_FAILURE"
    OTHER_EXCEPTION = "OTHER_EXCEPTION"
    SYNTAX_ERROR = "SYNTAX_ERROR"
    TIMEOUT = "TIMEOUT"
    ENVIRONMENT = "ENVIRONMENT"
    COMPLEX_FAILURE = "COMPLEX_FAILURE"


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """The analysis of one failed test.

    `node` is pytest's node id, `file` the test's file. `root` is the first frame, from the raise outwards, that lies in
    the test or the project. `symbol` is the name in question, `expected` and `observed` the values of a failed
    comparison as their source texts, where there are some; `wanted` is the expected one as the report shows it. `scope`
    is `local`, `multi_line` or `file_wide`; `uniqueness` is one divided by how often the text in question occurs in the
    file (0 where it does not), `locations` how many places are to be changed in `lines` lines; `method` is the
    suggested one.
    """

    node: str
    file: str
    category: Category
    exception: str = ""
    message: str = ""
    root: Frame | None = None
    line: int = 0
    source: str = ""
    symbol: str = ""
    expected: str = ""
    observed: str = ""
    wanted: str = ""
    scope: str = "local"
    uniqueness: float = 0.0
    lines: int = 0
    locations: int = 0
    method: str = ""

    @property
    def is_inferred(self) -> bool:
        """Whether what failed is an assertion of which the test itself says that no spec says so."""
        return INFERRED in self.source
