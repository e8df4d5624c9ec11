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
