"""Lines of pages that make an object and let it go, above examples that have nothing of them."""

from __future__ import annotations

import pytest

from planner.cases import Technique
from planner.generator import Draft
from tests.engine.generators.drafting import answers

_CODE = """\
class Tea:
    def __init__(self, name): ...
    @classmethod
    def usual(cls): ...
    @classmethod
    def register(cls, name): ...
    def grams(self): ...
    def save(self): ...
"""


def text_of(line: str, asked: str = "Tea('green').grams()") -> str:
    page = f"```pycon\n>>> from shop import Tea, brew\n>>> {line}\n>>> {asked}\n7\n```\n"
    code = f"{_CODE}def brew(tea): ...\n"
    (answer,) = answers({"README.md": page, "shop.py": code}, Technique.EXAMPLE)
    return answer.source if isinstance(answer, Draft) else answer.needs


@pytest.mark.parametrize(
    "line", ["Tea('black')", "Tea('black').grams()", "Tea.usual()", "Tea(name=Tea('black'))"]
)
def test_an_object_that_is_let_go_is_none_of_what_is_asked_below(line: str) -> None:
    text = text_of(line)
    assert "    found = Tea('green').grams()\n" in text.replace('"', "'")
    assert line not in text.replace('"', "'")


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("Tea('black').save()", "Tea('green').grams()"),
        ("Tea.register('black')", "Tea('green').grams()"),
        ("brew(Tea('black'))", "Tea('green').grams()"),
        ("Tea('black')", "Tea.usual()"),
        ("Tea('black')", "Tea.made"),
    ],
)
def test_what_may_leave_something_behind_counts(line: str, asked: str) -> None:
    assert "leaves nothing behind" in text_of(line, asked)
