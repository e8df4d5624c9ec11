"""What small functions of a project make of a text, and that working them out always ends."""

from __future__ import annotations

import pytest

from ingest.web.constants.text_functions import text_function
from ingest.web.program.program import Program
from tests.ingest.web.test_program import Files, located

CAMEL = """def made(text):
    first, *rest = text.split('_')
    return first + ''.join(part.title() for part in rest)
"""
DASHED = """def made(text):
    out = ''
    for c in text:
        out += '-' if c == '_' else c
    return out
"""
DOUBLED = """def made(text):
    parts = [text]
    for c in text:
        parts = [*parts, *parts]
    return parts[0]
"""
LOOPS = "".join(f"{'    ' * n}for c{n} in text:\n" for n in range(1, 9))


def made_of(source: str, text: str) -> str | None:
    program = Program(Files({"app.py": source}))
    module = program.module("app")
    assert module is not None
    function = text_function(program, program.resolve(located("made"), module.scope))
    assert function is not None
    return function(text)


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        (CAMEL, "unit_price", "unitPrice"),
        (DASHED, "a_b", "a-b"),
        ("def made(s):\n    return s if len(s) < 3 else s[0] + made(s[2:])\n", "abcdef", "acef"),
        ("def made(s):\n    return s.encode()\n", "a", None),
        ("def made(s):\n    return len(s)\n", "a", None),
    ],
)
def test_a_function_of_a_text_is_worked_out(source: str, text: str, expected: str | None) -> None:
    assert made_of(source, text) == expected


@pytest.mark.parametrize(
    "source",
    [
        "def made(s):\n    return made(s) + made(s)\n",
        "def made(s):\n    return made(s[1:]) + made(s[1:]) if s else ''\n",
        "def made(s):\n    return made(s)\n",
        f"def made(text):\n{LOOPS}{'    ' * 9}pass\n    return text\n",
        "def made(s):\n    return [[[[s for a in s] for b in s] for c in s] for d in s][0][0][0][0]\n",
        DOUBLED,
        "def made(s):\n" + "    s = s + s\n" * 60 + "    return s\n",
        "def made(s):\n    return " + " + ".join(["made(s)", *["s[:0]"] * 100]) + "\n",
    ],
)
def test_what_would_not_end_soon_is_unread(source: str) -> None:
    assert made_of(source, "a" * 40) is None
