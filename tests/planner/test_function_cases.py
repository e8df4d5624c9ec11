"""Tests of the cases of functions: what docstrings show."""

from __future__ import annotations

from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader
from planner.functions.cases import function_cases

_HALF = '''\
def half(n):
    """Half of it.

    >>> half(4)
    2
    >>> half("4")
    Traceback (most recent call last):
      ...
    TypeError: no number
    """
'''


def test_an_example_gives_a_value_or_raises_an_error() -> None:
    document = Document(path="parts.py", role=Role.PYTHON, text=_HALF, module="parts")
    cases = function_cases(Memory([PythonReader().read(document)]))
    told = [case.description for case in cases if "half(" in case.description]
    assert told == ["half(4) gives 2", 'half("4") raises TypeError: no number']
