"""Examples of docstrings that come out otherwise each time, and names that they have where they run."""

from __future__ import annotations

import pytest

from planner.cases import Technique
from tests.engine.generators.drafting import needed, written


def test_a_name_that_only_type_checkers_import_is_imported_from_where_it_lies() -> None:
    code = (
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n"
        "    from shop.cart import Cart\n"
        "class Line:\n"
        '    """One line.\n\n    >>> Cart(2).size\n    2\n    """\n'
    )
    cart = "class Cart:\n    def __init__(self, size): ...\n"
    text = written({"shop/line.py": code, "shop/cart.py": cart}, Technique.EXAMPLE)
    assert "    from shop.cart import Cart\n" in text


def test_lines_that_come_of_a_set_stand_in_any_order() -> None:
    code = "def show(names):\n    '''Prints.\n\n    >>> show({'a', 'b'})\n    a\n    b\n    '''\n"
    assert "in which order the lines stand" in needed({"shop.py": code}, Technique.EXAMPLE)


@pytest.mark.parametrize(
    "shown", ["<Level id:4560126096, x:1>", "<Level id=4560126096>", "<Level at 0x7f3b2c1d>"]
)
def test_what_an_object_is_called_in_memory_differs_each_time(shown: str) -> None:
    code = f"def level():\n    '''Gives one.\n\n    >>> level()\n    {shown}\n    '''\n"
    assert "an address in memory" in needed({"shop.py": code}, Technique.EXAMPLE)


def test_what_python_has_is_imported_as_its_module_does_it() -> None:
    code = (
        "import io\nimport json as j\n"
        'def size(file):\n    """Its size.\n\n    >>> size(io.StringIO(j.dumps(1)))\n    1\n    """\n'
    )
    text = written({"shop.py": code}, Technique.EXAMPLE)
    assert "    import io\n    import json as j\n    from shop import size\n" in text


def test_what_an_operator_joins_stands_in_the_test() -> None:
    code = (
        "class Node:\n"
        '    """One.\n\n    >>> a = Node()\n    >>> b = Node()\n    >>> a >> b\n    >>> a.size\n    1\n    """\n'
    )
    assert "    a >> b\n" in written({"shop.py": code}, Technique.EXAMPLE)


def test_what_is_drawn_is_no_calculation() -> None:
    code = "def draw(x):\n    '''Draws.\n\n    >>> draw(1)\n    +- d\n    +- e\n    '''\n"
    text = written({"shop.py": code}, Technique.EXAMPLE)
    assert "capsys.readouterr().out" in text
    assert "+- d" in text


def test_a_word_that_is_shown_may_be_printed() -> None:
    code = "class Tree:\n    '''It.\n\n    >>> tree = Tree()\n    >>> tree.show()\n    Oak\n    '''\n"
    assert "capsys.readouterr().out" in written({"shop.py": code}, Technique.EXAMPLE)


@pytest.mark.parametrize(
    ("gives", "asserted"), [("return size", "assert found == 4"), ("pass", "assert shown == '4\\n'")]
)
def test_a_value_of_what_prints_as_well_is_compared_as_such(gives: str, asserted: str) -> None:
    code = (
        "def call(function):\n"
        f'    """Calls it.\n\n    >>> def tell(size):\n    ...     print("tell")\n    ...     {gives}\n'
        '    >>> call(tell)\n    4\n    """\n'
    )
    assert asserted in written({"shop.py": code}, Technique.EXAMPLE)


def test_help_and_definitions_that_sleep_change_nothing_for_lines_that_do_not_need_them() -> None:
    lines = ">>> def later():\n    ...     sleep(1)\n    >>> help(price)\n    >>> price(2)\n    4"
    text = written({"shop.py": f"def price(size):\n    '''It.\n\n    {lines}\n    '''\n"}, Technique.EXAMPLE)
    assert "help" not in text
    assert "sleep" not in text


def test_what_a_module_imports_comes_with_all_of_its_names() -> None:
    page = "```python\nfrom shop.tags import *\nprint(row(mark(2)))\n```\n```html\n<tr>\n  <b/>\n</tr>\n```\n"
    code = {
        "shop/tags.py": "from shop.marks import mark\ndef row(it): ...\n",
        "shop/marks.py": "def mark(n): ...\n",
    }
    text = written({**code, "README.md": page}, Technique.EXAMPLE)
    assert "    from shop.tags import mark, row\n" in text
    assert 'assert " ".join(capsys.readouterr().out.split()) == "<tr> <b/> </tr>"' in text


def test_json_that_a_page_shows_is_compared_as_such() -> None:
    page = '```python\nimport shop\nprint(shop.dump())\n```\n```json\n{\n  "a": null\n}\n```\n'
    text = written({"shop.py": "def dump(): ...\n", "README.md": page}, Technique.EXAMPLE)
    assert "assert json.loads(capsys.readouterr().out) == {'a': None}" in text
