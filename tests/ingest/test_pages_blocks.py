"""Blocks of pages whose outputs stand below them, and what remarks say of values and errors."""

from __future__ import annotations

import pytest

from ingest.pages import looks_like_page
from tests.ingest.test_pages import page, shown

FENCE = "```"


def block(*lines: str, below: str = "") -> list[list[object]]:
    body = "\n".join(lines)
    return [row[:2] for row in shown(f"{FENCE}python\nimport shop\n{body}\n{FENCE}\n{below}")][1:]


@pytest.mark.parametrize("language", ["html", "json", "yaml", "toml", "text", ""])
def test_what_is_printed_may_be_shown_as_what_it_is(language: str) -> None:
    below = f"{FENCE}{language}\n<b>\n</b>\n{FENCE}\n"
    assert block("print(shop.page())", below=below) == [["print(shop.page())", "<b>\n</b>"]]


def test_a_shell_shows_what_is_printed_where_words_say_so() -> None:
    below = f"{FENCE}bash\none two\n{FENCE}\n"
    assert block("print(shop.page())", below=below) == []
    assert block("print(shop.page())", below=f"\nOutput:\n\n{below}") == [["print(shop.page())", "one two"]]


def test_several_lines_that_print_share_what_is_shown_of_all() -> None:
    lines = ("page = shop.page()", "print(page)", "page.close()", "print(page.text(wide=True))")
    below = f"{FENCE}html\n<b>\n</b>\n<b />\n{FENCE}\n"
    assert block(*lines, below=below) == [
        ["page = shop.page()", ""],
        ["print(page)\npage.close()\nprint(page.text(wide=True))", "<b>\n</b>\n<b />"],
    ]


def test_a_loop_that_prints_and_functions_that_do_are_told_by_what_is_shown() -> None:
    below = f"\nprints:\n\n{FENCE}\na\nb\n{FENCE}\n"
    loop = "for each in shop.parts():\n    print(each)"
    assert block(loop, below=below) == [[loop, "a\nb"]]
    told = "def tell(part):\n    print(part)"
    assert block(told, "for each in 'ab':\n    tell(each)", below=below) == [
        [told, ""],
        ["for each in 'ab':\n    tell(each)", "a\nb"],
    ]
    assert block(told, "shop.each(tell)", below=below) == []


def test_a_paragraph_of_restructuredtext_announces_what_is_printed() -> None:
    page = ".. code:: python\n\n   import shop\n   print(shop.page())\n\nwhich prints::\n\n    one two\n\nThe end.\n"
    assert [row[:2] for row in shown(page, "docs/a.rst")][1:] == [["print(shop.page())", "one two"]]


@pytest.mark.parametrize(("told", "value"), [("'one two'", "'one two'"), ("<b>", "")])
@pytest.mark.parametrize("words", ["Output::", "Output:\n   ::"])
def test_a_value_below_a_block_is_what_its_last_line_gives(words: str, told: str, value: str) -> None:
    page = (
        f".. code:: python\n\n   import shop\n   shop.page()\n\n{words}\n\n      {told}\n\n>>> shop.size\n4\n"
    )
    assert [row[:2] for row in shown(page, "docs/a.rst")][1:] == [["shop.page()", value], ["shop.size", "4"]]


@pytest.mark.parametrize(
    ("remark", "error"),
    [
        ("raises ValueError", "ValueError"),
        ("this will raise a `shop.Closed`: it is late", "shop.Closed"),
        ("-> KeyError: 'a'", "KeyError"),
        ("TypeError", "TypeError"),
        ("raises the price", ""),
        ("raise the price if ValueError", ""),
        ("Closed", ""),
    ],
)
def test_a_remark_tells_what_is_raised(remark: str, error: str) -> None:
    told = f"Traceback (most recent call last):\n{error}" if error else ""
    rows = block(f"shop.price(-1)  # {remark}", "x = shop.price(1)", "assert x == 2")
    assert rows[0] == ["shop.price(-1)", told]


def test_what_pytest_expects_to_be_raised_is_shown_to_raise() -> None:
    rows = block("with pytest.raises(shop.Closed, match='late'):\n    shop.price(9)")
    assert rows == [["shop.price(9)", "Traceback (most recent call last):\nshop.Closed"]]


def test_a_plain_number_behind_what_prints_is_its_value_where_it_counts_no_lines() -> None:
    assert block("print(shop.size)  # 4") == [["print(shop.size)", "4"]]
    assert block("print(shop.size)  # 1", "print(shop.name)  # 2", "assert shop")[0] == [
        "print(shop.size)",
        "",
    ]


@pytest.mark.parametrize(
    ("remark", "value"),
    [
        ("returns 3", "3"),
        ("returns: true", "True"),
        ("This gives {'a': 1}", "{'a': 1}"),
        ("returns how many", ""),
        ("true", ""),
    ],
)
def test_words_before_a_value_tell_that_it_comes_of_the_line(remark: str, value: str) -> None:
    assert block(f"shop.price(2)  # {remark}", "assert shop")[0] == ["shop.price(2)", value]


def test_a_value_alone_below_what_prints_is_what_it_prints() -> None:
    rows = block(
        "print(shop.parts())", "# ['a', 'b']", "", "print(shop.size)", "# Output: a few", "shop.close()"
    )
    assert rows == [
        ["print(shop.parts())", "['a', 'b']"],
        ["print(shop.size)", "a few"],
        ["shop.close()", ""],
    ]


def test_a_line_of_a_console_that_shows_nothing_gives_none_where_others_show_values() -> None:
    page = ">>> from shop import price\n>>> price('tea')\n4\n>>> price('sea')\n>>> close(1)\n>>> price('x')  # raises\n"
    assert [row[1] for row in shown(page)] == ["", "4", "None", "", ""]


def test_an_assertion_in_a_console_is_an_example() -> None:
    assert [row[:2] for row in shown(">>> import shop\n>>> assert shop.price(2) == 4\n")][1] == [
        "shop.price(2)",
        "4",
    ]


def test_another_way_to_do_the_same_is_not_gone_as_well() -> None:
    page = """\
        >>> from shop import Basket
        >>> basket = Basket()

        Take the tea out. Both ways are equivalent.

        >>> basket.pop("tea")

        ```python
        del basket["tea"]
        ```

        And put it in.

        >>> basket.add("tea")
        >>> basket.size
        1
        """
    rows = [row[0] for row in shown(page)]
    assert rows == ["from shop import Basket", "basket = Basket()", 'basket.add("tea")', "basket.size"]


def test_headings_below_which_examples_stand_are_told() -> None:
    markdown = (
        "# Shop\n\n```sh\n# none\n```\n\n## How to `price` [it](a.md)\n\n>>> shop.price(2)\n4\n\n"
        "More\n----\n\n>>> shop.tax()\n1\n"
    )
    restructured = (
        "Shop\n====\n\nPrices\n------\n\n>>> shop.price(2)\n4\n\n# no heading\n\n>>> shop.tax()\n1\n"
    )
    assert page(markdown, "README.md")["doc"]["sections"] == [[7, "How to price it"], [12, "More"]]  # type: ignore[index]
    assert page(restructured, "README.rst")["doc"]["sections"] == [[4, "Prices"]]  # type: ignore[index]


@pytest.mark.parametrize(
    "lines",
    [
        ("assert shop.price(2) == 5  # this will fail!",),
        ("assert shop.price(2) == 5  # AssertionError",),
        ("assert shop.price(2) == 5  # wrong",),
        ("# This fails:", "assert shop.price(2) == 5"),
    ],
)
def test_an_assertion_that_is_said_to_fail_is_no_example(lines: tuple[str, ...]) -> None:
    assert block("assert shop.price(1) == 2  # twice the number", *lines) == [["shop.price(1)", "2"]]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("price = shop.price(2)  # => 4", "4"),
        ("name = shop.name(2)  # 'pear'", "'pear'"),
        ("parts = shop.parts  # ['a', 'b']", "['a', 'b']"),
        ("found = shop['x']  # None", "None"),
        ("price = shop.price(2)  # 4", ""),  # It may count the lines.
        ("price = 4  # 'as text'", ""),
        ("price = shop.price(2)  # (1)", ""),  # A note of the page.
        ("price = shop.price(2)  # 'pear' or 'apple'", ""),
    ],
)
def test_a_remark_behind_a_name_tells_what_it_stands_for(line: str, value: str) -> None:
    rows = block(line, "assert shop.is_open() == True")
    assert rows[:-1] == [
        [line.partition("  #")[0], ""],
        *([[line.partition(" = ")[0], value]] if value else []),
    ]


@pytest.mark.parametrize(
    ("below", "value"),
    [
        (("# {'size': 1}",), "{'size': 1}"),
        (("# 'pear'", "", "shop.close()"), "'pear'"),
        (("# [", "#  'a',", "# ]"), "[\n  'a',\n ]"),
        (("# 4",), ""),
        (("# the parts of a shop",), ""),
        (
            (
                "# ['a']",
                "# and more of them",
            ),
            "",
        ),
        (("# (2)",), ""),
    ],
)
def test_a_value_in_the_comment_below_a_line_is_what_it_gives(below: tuple[str, ...], value: str) -> None:
    rows = block("shop.parts()", *below, *(() if value else ("assert shop.size == 2",)))
    assert rows[0] == ["shop.parts()", value]


def test_a_word_behind_a_call_with_the_letters_of_its_text_is_what_becomes_of_that() -> None:
    lines = (
        "shop.camel('a_red_pear')  # aRedPear",
        "shop.keep('a_red_pear')  # pear",
        "assert shop.size == 2",
    )
    assert block(*lines)[:2] == [["shop.camel('a_red_pear')", "'aRedPear'"], ["shop.keep('a_red_pear')", ""]]


def test_several_lines_that_compare_with_values_say_that_they_are_so() -> None:
    lines = ("shop.size() == 2  # of all", "shop.name == 'pear'")
    assert block(*lines) == [["shop.size()", "2"], ["shop.name", "'pear'"]]
    assert block(lines[0], "assert shop.open") == [["shop.size() == 2", ""], ["bool(shop.open)", "True"]]
    queries = block("Shop.size == 2", "Shop.name == 'pear'", "assert shop.open")
    assert [told for _, told in queries] == ["", "", "True"]


@pytest.mark.parametrize(
    ("remark", "value"),
    [("'{}' <- a text", "'{}'"), ("[1] (the first)", "[1]"), ("RETURNS 'eq'", "'eq'"), ("prints 4", "")],
)
def test_words_behind_a_value_do_not_belong_to_it(remark: str, value: str) -> None:
    assert block(f"shop.parts(1)  # {remark}", "assert shop.size == 2")[0] == ["shop.parts(1)", value]


def test_a_remark_tells_what_is_printed() -> None:
    assert block("print(shop.size)  # prints 4") == [["print(shop.size)", "4"]]


@pytest.mark.parametrize(
    ("below", "error"),
    [
        ("*** shop.Closed: late", ""),
        ("*** ClosedError: late", "ClosedError"),
        ("shop.ClosedError: late", "shop.ClosedError"),
        ("Error handling: see below", ""),
        ("KeyError: 'a'\nand more", ""),
    ],
)
def test_an_error_that_a_console_shows_alone_is_raised(below: str, error: str) -> None:
    told = f"Traceback (most recent call last):\n{error}" if error else below
    page = f">>> import shop\n>>> shop.price(1)\n{below}\n\n>>> shop.size\n2\n"
    assert shown(page)[1][:2] == ["shop.price(1)", told]


@pytest.mark.parametrize(
    ("caught", "error"),
    [
        ("ValueError as error:\n...     print(error)", "ValueError: too low"),
        ("shop.Closed as e:\n...     # late\n...     print(str(e))", "shop.Closed: too low"),
        ("KeyError:\n...     print('too low')", "KeyError"),
        ("KeyError:\n...     shop.close()", ""),
        ("KeyError:\n...     print(1)\n... else:\n...     print(2)", ""),
    ],
)
def test_an_error_that_a_console_catches_and_shows_is_raised(caught: str, error: str) -> None:
    page = f">>> import shop\n>>> try:\n...     shop.price(-1)\n... except {caught}\n...\ntoo low\n"
    source, told = shown(page)[1][:2]
    assert (source == "shop.price(-1)") is bool(error)
    assert told == (f"Traceback (most recent call last):\n{error}" if error else "too low")


def test_a_paragraph_makes_what_the_console_below_it_shows() -> None:
    text = "Make::\n\n    cart = shop.Cart()\n\nPrice::\n\n    name: value\n\nLook::\n\n    >>> cart.size\n    0\n"
    assert [row[:2] for row in shown(text, "docs/a.rst")] == [["cart = shop.Cart()", ""], ["cart.size", "0"]]
    other = text.replace("cart = shop.Cart()", "other = shop.Cart()")
    assert [row[:2] for row in shown(other, "docs/a.rst")] == [["cart.size", "0"]]


def test_what_sphinx_tests_is_read_with_what_it_prints() -> None:
    text = (
        ".. testsetup:: *\n\n   import shop\n\n.. testcode::\n\n   print(shop.total(3))\n\n"
        "Some words.\n\n.. testcode:: group\n   :hide:\n\n   print(shop.total(4))\n\n.. testoutput:: group\n\n   9\n\n"
        ".. testcode::\n\n   print(shop.names())\n\n.. testoutput::\n   :options: +ELLIPSIS\n\n   ['a', ...]\n"
    )
    assert [row[:2] for row in shown(text)] == [
        ["import shop", ""],
        ["print(shop.total(3))", ""],
        ["print(shop.total(4))", "9"],
        ["print(shop.names())", ""],
    ]


def test_what_a_console_of_ipython_shows_is_read_as_one_of_python() -> None:
    text = (
        "```python\nIn [1]: import shop\n\nIn [2]: shop.total(\n   ...:     4)\nOut[2]: 9\n\n"
        "In [3]: shop.names()\nOut[3]:\n['a',\n 'b']\n\nIn [4]: shop.label()\n\nOut[4]: 'tea'\n```\n"
    )
    assert shown(text) == [
        ["import shop", "", 2],
        ["shop.total(\n    4)", "9", 4],
        ["shop.names()", "['a',\n 'b']", 8],
        ["shop.label()", "'tea'", 13],
    ]


@pytest.mark.parametrize(("name", "is_read"), [("Mine", True), ("Other", False)])
def test_a_class_below_two_colons_is_read_where_a_console_makes_one(name: str, is_read: bool) -> None:
    text = (
        "Derive from it::\n\n    class Mine(shop.Tea):\n        size = 3\n\n"
        f"Use it::\n\n    >>> import shop\n    >>> tea = {name}()\n    >>> tea.size\n    3\n"
    )
    assert (["class Mine(shop.Tea):\n    size = 3", ""] in [row[:2] for row in shown(text)]) is is_read


@pytest.mark.parametrize(
    ("remark", "value"),
    [
        ("# 'tea'", "'tea'"),
        ("# shop.Tea('green', 3)", "shop.Tea('green', 3)"),
        ("# 19 of May", ""),
        ("# (...)", ""),
        ("# tea", ""),
        ("# one\n# two", ""),
    ],
)
def test_a_remark_alone_below_a_line_of_a_console_is_its_value_where_it_is_one(
    remark: str, value: str
) -> None:
    text = f"```pycon\n>>> import shop\n>>> shop.tea(1)\n{remark}\n>>> shop.tea(2)\n7\n```\n"
    assert [row[:2] for row in shown(text)][1] == ["shop.tea(1)", value]


def test_what_is_printed_may_begin_with_a_sign() -> None:
    text = "```pycon\n>>> import shop\n>>> print(shop.code())\n# made by hand\n```\n"
    assert [row[:2] for row in shown(text)][1] == ["print(shop.code())", "# made by hand"]


@pytest.mark.parametrize(
    ("remark", "value"),
    [
        ("#-> []  -- an empty list is good", "[]"),
        ("#-> 0.812 -- very good!", ""),
        ("#-> Its strength is 0.316", ""),
        ("#-> [] - good, it scored 0.812", "[]"),
        ("# -> one - 2", "one - 2"),
        ("# -> Hello there", "Hello there"),
        ("# -> 'one - two'", "'one - two'"),
    ],
)
def test_words_about_what_an_arrow_points_to_are_none_of_it(remark: str, value: str) -> None:
    told = [
        row
        for row in block(f"print(shop.tea())  {remark}", "print(shop.tea(2))  # -> 'x'")
        if "2" not in str(row[0])
    ]
    assert told[0][1] == value


def test_a_heading_may_announce_what_a_block_of_python_2_prints() -> None:
    text = (
        ".. code-block:: python\n\n  from shop import page\n\n  print page(1)\n\nOutput\n------\n\n"
        ".. code-block:: xml\n\n  <all>\n  </all>\n\nUsage\n=====\n::\n\n\tfrom shop import page\n\tprint page(2)\n\n"
        "Output::\n\n\t<one />\n"
    )
    assert [row[:2] for row in shown(text)] == [
        ["from shop import page", ""],
        ["print(page(1))", "<all>\n</all>"],
        ["from shop import page", ""],
        ["print(page(2))", "<one />"],
    ]


def test_lines_that_are_no_python_at_all_are_none_of_python_2() -> None:
    text = "```python\nimport shop\nprint shop.tea(1) then stop\nshop tea\n```\n\nOutput:\n\n```\n7\n```\n"
    assert shown(text) == []


def test_a_page_with_line_ends_of_windows_is_one() -> None:
    text = "Use\r\n===\r\n::\r\n\r\n    import shop\r\n    print shop.tea(1)\r\n\r\nOutput::\r\n\r\n    7\r\n"
    assert looks_like_page(text)
    assert shown(text)[1][:2] == ["print(shop.tea(1))", "7"]
