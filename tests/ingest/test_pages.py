"""Pages that show Python: what their prompts, assertions and comments tell."""

from __future__ import annotations

import textwrap

import pytest

from ingest.ingestor import Document, Role
from ingest.pages import PageReader, looks_like_examples


def shown(text: str, path: str = "README.md") -> list[list[object]]:
    extract = PageReader().read(Document(path=path, role=Role.PAGE, text=textwrap.dedent(text)))
    return [row for fact in extract.facts for row in fact.aspects["doc"]["examples"]]


def test_prompts_are_read_wherever_they_stand() -> None:
    page = """\
        # Shop

        ```pycon
        >>> import shop
        >>> shop.price(2)
        4
        ```
        """
    assert shown(page) == [["import shop", "", 4], ["shop.price(2)", "4", 5]]


def test_a_block_tells_by_assertions_and_comments_what_comes_of_it() -> None:
    page = """\
        ```python
        from shop import price

        two = price(2)  # of the cheapest
        assert two == 4
        assert price(3) > two
        assert two
        price(5)  # => 10
        price(6)
        # -> 12
        price(7)  # => a lot
        print(price(8))  # => about 16
        ```
        """
    assert shown(page) == [
        ["from shop import price", "", 2],
        ["two = price(2)", "", 4],
        ["two", "4", 5],
        ["price(3) > two", "True", 6],
        ["bool(two)", "True", 7],
        ["price(5)", "10", 8],
        ["price(6)", "12", 9],
        ["print(price(8))", "about 16", 12],
    ]


def test_a_directive_of_restructuredtext_is_a_block() -> None:
    page = """\
        Shop
        ====

        .. code-block:: python
           :linenos:

           import shop

           assert shop.price(1) == 2

        And more.
        """
    assert shown(page, "docs/shop.rst") == [["import shop", "", 7], ["shop.price(1)", "2", 9]]


@pytest.mark.parametrize(
    "block",
    [
        "import shop\nshop.price(...)\nassert shop.price(2) == 4",  # something is left out
        "import shop\nassert shop.price(2) ==",  # no Python
        "import shop\nprice(2)",  # nothing is said of what comes of it
        "import shop\nwith pytest.raises(ValueError):\n    shop.price(-1)",
    ],
)
def test_a_block_that_does_not_tell_yields_nothing(block: str) -> None:
    assert shown(f"```python\n{block}\n```\n") == []


def test_what_is_no_python_is_passed_over() -> None:
    assert not looks_like_examples("# Shop\n\n> a quotation\n>>> of a quotation\n")
    assert not looks_like_examples("```python\nimport shop\n```\n")
    assert shown("```sh\nassert import x\n```\n") == []
