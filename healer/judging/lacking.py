"""Which fields a test did not find in what it was answered."""

from __future__ import annotations

import re

from graph.literals import NO_LITERAL, literal_value
from healer.analysis import Analysis
from healer.reading.suite import is_of_tests

_MISSING = re.compile(r"assert not (\{[^{}]*\})")
_IN = re.compile(r"""assert ("[^"]+"|'[^']+') in \w+(?:\[[^\]]*\])*(?:\.json\(\))?(?:\[[^\]]*\])*$""")
_GOT = re.compile(r"""\.get\(("[^"]+"|'[^']+')\) (?:==|is) """)


def lacking(analysis: Analysis) -> list[str]:
    """The names of the fields that were looked up or demanded, and were not there; empty where it is about no field."""
    source = analysis.source.strip()
    if analysis.exception == "KeyError":
        name = analysis.message.strip("\"'")
        return [name] if name and analysis.root is not None and is_of_tests(analysis.root.path) else []
    if analysis.exception != "AssertionError":
        return []
    if source == "assert not missing" and (found := _MISSING.match(analysis.message)):
        return _read(found[1])
    if found := _IN.fullmatch(source):
        return [str(literal_value(found[1]))]
    if analysis.observed == "None" and (found := _GOT.search(source)):
        return [str(literal_value(found[1]))]
    return []


def _read(text: str) -> list[str]:
    """The names in a literal; none where it is no literal, as where the report cut it short."""
    fields = literal_value(text)
    return sorted(map(str, fields)) if fields is not NO_LITERAL else []
