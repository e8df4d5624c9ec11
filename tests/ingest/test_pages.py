"""Pages that show Python: what their prompts, assertions and comments tell."""

from __future__ import annotations

import textwrap

import pytest

from ingest.ingestor import Document, Role
from ingest.pages import PageReader, looks_like_page


def shown(text: str, path: str = "README.md") -> list[list[object]]:
    extract = PageReader().read(Document(path=path, role=Role.PAGE, text=textwrap.dedent(text)))
    return [row for fact in extract.facts for row in fact.aspects["doc"].get("examples", [])]


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


@pytest.mark.parametrize(
    ("beginning", "result"),
    [
        ("# Dice: random throws", ""),
        ("# Dice\n\nGenerates short random numbers.", ""),
        ("# Dice\n\nNote that throws are\nnon-deterministic.", ""),
        ("# Dice\n\nHow to be deterministic.", "4"),
        ("# Dice\n\nCounts what a random walk met.", "4"),
    ],
)
def test_what_a_page_about_something_random_shows_came_up_once(beginning: str, result: str) -> None:
    page = f"{beginning}\n\n>>> import dice\n>>> dice.throw()\n4\n\n```python\nassert dice.sides == 6\n```\n"
    assert [row[1] for row in shown(page)][1] == result if result else not shown(page)


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
        "import shop\nwith pytest.warns(UserWarning):\n    shop.price(-1)",
    ],
)
def test_a_block_that_does_not_tell_yields_nothing(block: str) -> None:
    assert shown(f"```python\n{block}\n```\n") == []


def test_what_is_no_python_is_passed_over() -> None:
    assert not looks_like_page("# Shop\n\n> a quotation\n>>> of a quotation\n")
    assert not looks_like_page("```python\nimport shop\n```\n")
    assert shown("```sh\nassert import x\n```\n") == []


def page(text: str, path: str) -> dict[str, object]:
    """What is told of a page."""
    extract = PageReader().read(Document(path=path, role=Role.PAGE, text=textwrap.dedent(text)))
    return {name: told for fact in extract.facts for name, told in fact.aspects.items()}


def test_a_list_of_changes_announces_what_is_marked_as_a_name_and_nothing_else() -> None:
    text = """\
        2.0
        ---

        - Remove ``Basket`` and the ``@shop.cached`` decorator (breaking change).
        - The ``old``, ``older`` submodules have been deleted.  Rename :func:`~shop.price` to :func:`~shop.cost`.
        - ``parse()`` now raises :exc:`LookupError` instead of a ``ValueError`` where nothing is there.
        - Moved ``Cart`` to ``shop.carts``.
        - Remove ``missing`` cache constructor parameter, drop support for ``ring(None)``, remove Python 2 remnants.
        - Remove uses of ``Thing``; drop ``pipenv`` as a dependency.
        """
    told = page(text, "CHANGES.rst")["changes"]
    assert isinstance(told, list)
    assert [row[:4] for row in told] == [
        ["removed", "Basket", "", ""],
        ["removed", "shop.cached", "", ""],
        ["removed", "old", "", ""],
        ["removed", "older", "", ""],
        ["renamed", "shop.price", "shop.cost", ""],
        ["raises", "ValueError", "LookupError", "parse"],
        ["moved", "Cart", "shop.carts", ""],
    ]
    assert told[0][4:] == ["Remove ``Basket`` and the ``@shop.cached`` decorator (breaking change).", 4]
    assert page(text, "README.rst") == {}


def test_a_list_of_changes_tells_of_defaults_and_of_what_stands_below_a_heading() -> None:
    text = """\
        # 2.0

        ### Removed

        - `price()` (use your own), see `tax`
        - `Basket` and `Order` classes
        - the `amount` argument of `cost()`

        ### Changed

        - The default of `size` in `Basket` has been changed from `5` to `7`.
        - `strict` now defaults to `True` instead of `False`
        - `cost`
        - Removed functions:
          - `old`
        - `new`
        """
    told = page(text, "CHANGELOG.md")["changes"]
    assert isinstance(told, list)
    assert [row[:4] for row in told] == [
        ["removed", "price", "", ""],
        ["removed", "Basket", "", ""],
        ["removed", "Order", "", ""],
        ["default", "5", "7", "Basket#size"],
        ["default", "False", "True", "#strict"],
        ["removed", "old", "", ""],
    ]


def test_a_manual_documents_definitions_by_their_dotted_names() -> None:
    text = """\
        API
        ===

        .. module:: shop

        .. autoclass:: Basket(lines)
           :members:

           .. automethod:: total

        .. py:function:: shop.price(amount)
        """
    names = [["shop", 4], ["shop.Basket", 6], ["shop.Basket.total", 9], ["shop.price", 11]]
    assert page(text, "docs/api.rst") == {"documents": names}


def test_decorators_belong_to_what_they_decorate() -> None:
    page = """\
        ```python
        from shop import cached

        @cached
        # twice as much
        @cached
        def price(count): return 2 * count
        price(2)  # => 4
        ```
        """
    assert shown(page)[1:] == [
        ["@cached\n# twice as much\n@cached\ndef price(count): return 2 * count", "", 7],
        ["price(2)", "4", 8],
    ]


def test_a_literal_behind_a_line_is_what_it_gives_or_prints() -> None:
    page = """\
        ```python
        from shop import price, name

        print(name(2))  # "tea"
        print(price(2))  # None
        name(3)  # ["tea", "cup"]
        print(name(4))  # ("tea", "cup")
        print(price(1))  # 1
        print(price(4))  # fails
        ```
        """
    assert [row[:2] for row in shown(page)[1:]] == [
        ["str(name(2))", '"tea"'],
        ["print(price(2))", "None"],
        ["name(3)", '["tea", "cup"]'],
        ["name(4)", '("tea", "cup")'],
        ["print(price(1))", "1"],
        ["print(price(4))", ""],
    ]


@pytest.mark.parametrize(
    ("between", "language", "output", "told"),
    [
        ("", "", "4\ntea", ["4", "tea"]),
        ("This prints:\n\n", "text", "4\ntea", ["4", "tea"]),
        ("Will produce\n\n", "console", "4\ntea", ["4", "tea"]),
        ("", "", "4\ntea\ncup", ["4\ntea\ncup"]),
        ("", "", "4", []),
        ("Prices may be had by name, too.\n\n", "", "4\ntea", []),
        ("", "bash", "4\ntea", []),
        ("", "", "$ shop\ntea", []),
    ],
)
def test_what_a_block_prints_may_stand_in_the_next_one(
    between: str, language: str, output: str, told: list[str]
) -> None:
    block = "```python\nfrom shop import name, price\nprint(price(2))\nprint(name(2))\n```\n\n"
    page = f"{block}{between}```{language}\n{output}\n```\n"
    assert [row[1] for row in shown(page) if row[1]] == told


def test_a_value_below_a_block_is_compared_as_one() -> None:
    page = """\
        .. code-block:: python

           from shop import names
           found = names(2)
           print(found)

        .. code-block:: python

           ["tea",
            "cup"]
        """
    assert ["found", '["tea",\n "cup"]', 5] in shown(page)


def test_a_value_may_go_on_in_the_comments_below() -> None:
    page = """\
        ```python
        from shop import names, carts

        names()
        #> ["tea",
        #   "cup"]
        print(carts())
        # => [Cart({
        #       "tea": 1})]
        print(names())  # => ["tea",
        ```
        """
    assert [row[:2] for row in shown(page)[1:]] == [
        ["names()", '["tea",\n   "cup"]'],
        ["print(carts())", ""],
        ["print(names())", ""],
    ]


def test_what_stands_below_a_paragraph_is_python_where_it_imports() -> None:
    page = "Usage::\n\n    from shop import price\n    assert price(2) == 4\n\nAnd so::\n\n    debug = True\n"
    assert shown(page) == [["from shop import price", "", 3], ["price(2)", "4", 4]]
