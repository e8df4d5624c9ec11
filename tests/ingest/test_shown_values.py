"""Code without prompts, and what the words around it say comes of it."""

from __future__ import annotations

import textwrap

import pytest

from ingest.python.shown_values import shown_values


def shown(text: str) -> list[object]:
    return [row[:2] for row in shown_values(textwrap.dedent(text), 1) if isinstance(row, list)]


@pytest.mark.parametrize(
    "written",
    [
        "price(2)  # 4",
        "price(2)  # => 4",
        "price(2) # returns 4",
        "price(2)\n# 4",
        "price(2)\n# Output: 4",
    ],
)
def test_a_comment_behind_or_below_a_call_tells_its_value(written: str) -> None:
    assert shown(f"```\n{written}\n```\n") == [["price(2)", "4"]]
    assert shown(f"```python\n{written}\n```\n") == [["price(2)", "4"]]


def test_a_remark_is_no_value() -> None:
    assert shown("```\nprice(2)  # the dear one\nx = 3  # 4\n```\n") == [["price(2)", ""], ["x = 3", ""]]


def test_what_is_indented_below_two_colons_is_code_and_the_words_below_tell_what_it_gives() -> None:
    text = """\
        To encode, say::

            import shop
            shop.encode([1, 2])

        This should return ``_p~`q`` as text.

        .. code-block:: python
            :linenos:

            shop.decode("x")

        Nothing is said of it. Another one gives `3`.
        """
    assert shown(text) == [["import shop", ""], ["shop.encode([1, 2])", "_p~`q"], ['shop.decode("x")', ""]]


def test_lines_are_those_of_the_text() -> None:
    assert shown_values("\nSay::\n\n    a = 1\n    f(a)  # 2\n", 10) == [["a = 1", "", 13], ["f(a)", "2", 14]]


@pytest.mark.parametrize(
    "text",
    [
        "plain words about price(2)",
        "```\n$ pip install shop\n```\n",
        "```\n>>> price(2)\n4\n```\n",
        "```\nwhile True:\n    price(2)\n```\n",
        "```\nprice(...)\n```\n",
        "```\nname = 3\n```\n",
        "```json\n{}\n```\n",
        "Usage::\n\n",
        "::",
    ],
)
def test_what_cannot_be_tried_yields_nothing(text: str) -> None:
    assert shown(text) == []


def test_a_long_text_of_marks_takes_no_time() -> None:
    assert shown("::\n" * 20_000 + "```" * 20_000 + " " * 50_000) == []
