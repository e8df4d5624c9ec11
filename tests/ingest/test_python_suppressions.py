"""What a suppression in a Python file covers."""

from __future__ import annotations

import pytest

from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader

MARK = "# crossfact: ignore[some-rule] why"
CODE = "@deco\ndef f(\n    a,\n    b,\n) -> int:{}\n    return 1\n"


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        (CODE.format(f"  {MARK}"), (1, 6)),
        (CODE.format("").replace("    b,", f"    b,  {MARK}"), (4, 4)),
        (CODE.format("").replace("def f(", f"def f(  {MARK}"), (1, 6)),
    ],
)
def test_a_suppression_on_the_line_that_closes_a_signature_covers_the_definition(
    text: str, covered: tuple[int, int]
) -> None:
    extract = PythonReader().read(Document(path="a.py", role=Role.PYTHON, text=text, module="a"))
    assert [(found.first, found.last) for found in extract.suppressions] == [covered]
