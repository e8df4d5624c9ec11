"""Examples of docstrings that come out otherwise each time, and names that they have where they run."""

from __future__ import annotations

import pytest

from planner.cases import Technique
from planner.generator import Declined, Draft
from tests.engine.generators.drafting import answers, needed, written


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


def test_what_an_object_is_shown_as_says_its_class() -> None:
    code = "def level():\n    '''Gives one.\n\n    >>> [level()]\n    [<shop.Level object at 0x7f3b2c1d>]\n    '''\n"
    text = written({"shop.py": code}, Technique.EXAMPLE)
    assert r"re.fullmatch('\\[<.*Level\\ object\\ at\\ 0x.*>\\]', repr(found), re.DOTALL)" in text


def test_a_remark_behind_a_value_is_none_of_it() -> None:
    code = (
        "def packed():\n    '''Gives it.\n\n    >>> packed()\n    bytearray(b'a') # as it is sent\n    '''\n"
    )
    assert "assert repr(found) == \"bytearray(b'a')\"" in written({"shop.py": code}, Technique.EXAMPLE)


def test_an_object_may_be_shown_with_other_marks_than_python_writes() -> None:
    code = "def found():\n    '''Gives it.\n\n    >>> found()\n    {}\n    '''\n"
    shown = code.format('[Match(at=3, text="PAT")] # one letter less')
    text = written({"shop.py": shown}, Technique.EXAMPLE)
    assert """assert repr(found) in ("[Match(at=3, text='PAT')]", '[Match(at=3, text="PAT")]')""" in text
    text = written({"shop.py": code.format('Match(text="it\'s")')}, Technique.EXAMPLE)
    assert "assert repr(found) == " in text


def test_what_looks_like_a_text_may_be_an_object_that_is_shown_so() -> None:
    code = (
        "class Note:\n    def __{}__(self):\n        return ''\n"
        "def lowest(){}:\n    '''Gives it.\n\n    >>> lowest()\n    'C-1'\n    '''\n"
    )
    text = written({"shop.py": code.format("repr", "")}, Technique.EXAMPLE)
    assert "assert repr(found) == \"'C-1'\"" in text
    for name, returns in (("str", ""), ("repr", " -> str")):
        text = written({"shop.py": code.format(name, returns)}, Technique.EXAMPLE)
        assert "assert found == 'C-1'" in text.replace('"', "'")


def test_none_is_only_shown_of_an_object_that_looks_so() -> None:
    code = (
        "class Maybe:\n    def __{}__(self):\n        return ''\n"
        "def lowest():\n    '''Gives it.\n\n    >>> lowest()\n    None\n    '''\n"
    )
    text = written({"shop.py": code.format("repr")}, Technique.EXAMPLE)
    assert "assert repr(found) == 'None'" in text.replace('"', "'")
    assert "assert found is None" in written({"shop.py": code.format("str")}, Technique.EXAMPLE)


def test_what_a_line_above_prints_as_well_is_not_what_is_shown() -> None:
    code = (
        "def total(text):\n    '''Tells.\n\n"
        "    >>> first, last = total('a b')\n    two words\n    >>> print(first)\n    a\n    '''\n"
    )
    first, second = answers({"shop.py": code}, Technique.EXAMPLE)
    assert isinstance(first, Draft)
    assert isinstance(second, Draft)
    assert "    capsys.readouterr()\n" not in first.source
    assert "    capsys.readouterr()\n\n    print(first)\n" in second.source


def test_the_last_value_of_a_console_is_that_of_the_line_above() -> None:
    page = ">>> import shop\n>>> shop.cut('ab')\n['a']\n>>> shop.join(_)\n'a'\n>>> shop.join(_)\n'b'\n"
    code = "def cut(text): ...\ndef join(parts): ...\n"
    sources = [
        each.source
        for each in answers({"README.md": page, "shop.py": code}, Technique.EXAMPLE)
        if isinstance(each, Draft)
    ]
    assert "    _ = shop.cut('ab')\n\n    found = shop.join(_)\n" in sources[1]
    assert "    _ = shop.cut('ab')\n    _ = shop.join(_)\n\n    found = shop.join(_)\n" in sources[2]
    page = ">>> import shop\n>>> part = shop.cut('ab')\n>>> shop.join(_)\n'a'\n"
    assert "what `_` is" in needed({"README.md": page, "shop.py": code}, Technique.EXAMPLE)


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


def test_what_had_the_name_before_does_not_stand_in_the_test() -> None:
    lines = (
        ">>> box = make(1)\n    >>> box.put('a')\n    >>> first = box\n    >>> box = make(2)\n    >>> box.put('b')\n"
        "    >>> def size():\n    ...     return len(box)\n    >>> size()\n    1"
    )
    text = written({"shop.py": f"def make(size):\n    '''It.\n\n    {lines}\n    '''\n"}, Technique.EXAMPLE)
    assert "box.put('b')" in text
    assert "make(1)" in text  # The function could have been called before.
    lines = lines.replace("size()\n    1", "len(box)\n    1").replace(">>> len", ">>> len")
    text = written({"shop.py": f"def make(size):\n    '''It.\n\n    {lines}\n    '''\n"}, Technique.EXAMPLE)
    assert "make(2)" in text
    assert "make(1)" not in text


def test_what_changed_under_another_name_stands_in_the_test() -> None:
    lines = ">>> box = make(1)\n    >>> other = box\n    >>> box.put('a')\n    >>> box = make(2)\n    >>> len(other)"
    text = written(
        {"shop.py": f"def make(size):\n    '''It.\n\n    {lines}\n    1\n    '''\n"}, Technique.EXAMPLE
    )
    assert "make(1)" in text
    assert 'put("a")' in text or "put('a')" in text
    assert "make(2)" not in text


PAGE = """\
# Shop

## Make
>>> from shop import Box
>>> box = Box()
>>> box.size
0

## Fill
>>> box.put("a")
>>> box.size
1

## Empty
>>> box.pop()
>>> box.size
0

## Fill again
>>> box.put("b")
>>> box.size
1

## Lock
>>> box.lock()
>>> box.size
1
"""


def test_tests_are_called_by_the_headings_of_a_page_and_cite_them() -> None:
    code = "class Box:\n    def put(self, it): ...\n    size = 0\n"
    made = answers({"shop.py": code, "README.md": PAGE}, Technique.EXAMPLE)
    drafts = [each for each in made if isinstance(each, Draft)]
    assert [each.name for each in drafts] == [
        "test_make_gives_0",
        "test_fill_gives_1",
        "test_empty_gives_0",
        "test_fill_again_gives_1",
    ]
    assert "(README.md, “Fill again”)" in drafts[-1].source


def test_an_example_does_not_go_on_with_what_many_parts_of_a_page_change() -> None:
    code = "class Box:\n    def put(self, it): ...\n    size = 0\n"
    *_, last = answers({"shop.py": code, "README.md": PAGE}, Technique.EXAMPLE)
    assert isinstance(last, Declined)
    assert last.needs == "an example that does not go on with what 3 other parts of its page change"


def test_a_name_that_another_part_of_a_page_takes_is_what_its_module_gives() -> None:
    page = (
        "# Shop\n\n```python\nfrom shop import *\na = row(1)\nprint(a)  # 'x'\n```\n\n"
        "## More\n\n```python\nb = row(2)\nprint(a(b))  # 'y'\n```\n"
    )
    code = {"shop.py": "def row(n): ...\ndef a(it): ...\n", "README.md": page}
    *_, last = answers(code, Technique.EXAMPLE)
    assert isinstance(last, Draft)
    assert "from shop import a, row" in last.source
    assert "row(1)" not in last.source


def test_what_a_comprehension_calls_its_parts_is_its_own() -> None:
    lines = ">>> rows = [n for n in unknown]\n    >>> def tell(n):\n    ...     return n\n    >>> call(tell)\n    1"
    text = written({"shop.py": f"def call(it):\n    '''It.\n\n    {lines}\n    '''\n"}, Technique.EXAMPLE)
    assert "unknown" not in text


def test_what_is_only_printed_above_and_what_functions_hold_do_not_stand_in_the_test() -> None:
    page = (
        "# Shop\n\n```python\nfrom shop import row\nd = row(1)\nd.put(2)\n"
        "def first(n):\n    with row(n) as d:\n        pass\n    return d\nprint(first(1))  # 'a'\n"
        "def tell(n):\n    return row(n)\nprint(tell(1))  # 'b'\nprint(tell(2))  # 'c'\n```\n"
    )
    *_, last = answers({"shop.py": "def row(n): ...\n", "README.md": page}, Technique.EXAMPLE)
    assert isinstance(last, Draft)
    assert "row(1)" not in last.source
    assert "tell(1)" not in last.source
    assert "first" not in last.source


def test_a_long_text_stands_in_lines_as_it_is_shown() -> None:
    rows = "\n".join(f"<row number={n}> and what stands in it </row>" for n in range(3))
    page = f"# Shop\n\n```python\nimport shop\nprint(shop.rows())\n```\n\n```html\n{rows}\n```\n"
    text = written({"shop.py": "def rows(): ...\n", "README.md": page}, Technique.EXAMPLE)
    assert '    "<row number=0> and what stands in it </row> "\n        "<row number=1>' in text
    assert text.endswith('"<row number=2> and what stands in it </row>"\n    )\n')


@pytest.mark.parametrize(
    ("source", "shown", "is_same"),
    [
        ("make()", "'0a2b3c4d-0a2b-4c3d-8e9f-0123456789ab'", False),
        ("make(2020)", "<Id('01BJQE4QTHMFP0S5J153XCFSP9')>", False),
        ("make('01BJQE4QTHMFP0S5J153XCFSP9')", "<Id('01BJQE4QTHMFP0S5J153XCFSP9')>", True),
        ("make(1881983882000000000)", "<Id('01BJQE4QTHMFP0S5J153XCFSP9')>", True),
        ("make('a.example')", "'0a2b3c4d-0a2b-5c3d-8e9f-0123456789ab'", True),
        ("hex(2)", "'0x15cbe2f0'", True),
    ],
)
def test_identifiers_that_are_drawn_differ_each_time(source: str, shown: str, is_same: bool) -> None:
    code = f"def make(it=0):\n    '''Gives one.\n\n    >>> {source}\n    {shown}\n    '''\ndef hex(n): ...\n"
    (found,) = answers({"shop.py": code}, Technique.EXAMPLE)
    assert isinstance(found, Draft) is is_same


def test_what_a_line_forgets_to_import_is_what_the_package_offers() -> None:
    page = "# Shop\n\n>>> import shop\n>>> shop.price(2)\n4\n\n>>> tax(2)\n1\n"
    code = {
        "shop/__init__.py": "from shop.prices import price, tax\n",
        "shop/prices.py": "def price(n): ...\ndef tax(n): ...\n",
    }
    *_, last = answers({**code, "README.md": page}, Technique.EXAMPLE)
    assert isinstance(last, Draft)
    assert "    from shop import tax\n" in last.source


@pytest.mark.parametrize(
    ("example", "is_tested"),
    [("word(3)", False), ("len(word(3))", True), ("word(3, seed=1)", True)],
)
def test_what_something_random_shows_came_up_once(example: str, is_tested: bool) -> None:
    code = f"def word(size, seed=None):\n    '''A random word.\n\n    >>> {example}\n    1\n    '''\n"
    (found,) = answers({"shop.py": code}, Technique.EXAMPLE)
    assert isinstance(found, Draft) is is_tested


def test_a_docstring_of_python_2_shows_what_was() -> None:
    lines = ">>> from StringIO import StringIO\n    >>> size(1)\n    'one'\n"
    code = f'def size(file):\n    """Its size.\n\n    {lines}    """\n'
    assert needed({"shop.py": code}, Technique.EXAMPLE).endswith("another one imports StringIO")


@pytest.mark.parametrize(
    ("example", "is_tested"),
    [
        ("Deck([1, 2]).shuffle()", False),
        ("len(Deck([1, 2]).shuffle())", True),
        ("Deck([1, 2]).shuffle(seed=1)", True),
    ],
)
def test_the_order_of_what_is_shuffled_came_up_once(example: str, is_tested: bool) -> None:
    code = f"class Deck:\n    '''Some cards.\n\n    >>> {example}\n    [2, 1]\n    '''\n"
    (found,) = answers({"shop.py": code}, Technique.EXAMPLE)
    assert isinstance(found, Draft) is is_tested


def test_what_an_object_was_compared_with_may_be_asked_of_it() -> None:
    code = (
        "class Any:\n    '''Anything.\n\n    >>> found = Any()\n    >>> found == 42\n    True\n"
        "    >>> found.size\n    3\n    >>> found.other == 42\n    True\n    >>> repr(found)\n    '42'\n    '''\n"
    )
    sources = [
        each.source for each in answers({"shop.py": code}, Technique.EXAMPLE) if isinstance(each, Draft)
    ]
    asked = {
        line.partition("found = ")[2]: text
        for text in sources
        for line in text.splitlines()
        if "  found = " in line
    }
    assert "    found == 42\n" in asked["repr(found)"] and "    found == 42\n" in asked["found.size"]
    assert "other == 42" not in asked["repr(found)"]


def test_the_docstring_behind_overloads_shows_what_all_of_them_do() -> None:
    code = (
        "from typing import overload\n@overload\ndef pick(size: int) -> int: ...\n"
        "@overload\ndef pick(size: str) -> str: ...\n"
        "def pick(size):\n    '''Picks.\n\n    >>> pick(3)\n    3\n    '''\n"
    )
    assert "    found = pick(3)\n\n    assert found == 3\n" in written({"shop.py": code}, Technique.EXAMPLE)
    twice = "def pick(size): ...\ndef pick(size):\n    '''Picks.\n\n    >>> pick(3)\n    3\n    '''\n"
    assert answers({"shop.py": twice}, Technique.EXAMPLE) == []


def test_an_object_of_a_file_by_its_name_is_its_writers() -> None:
    code = "class Table:\n    '''Rows.\n\n    >>> len(Table(tabfile='rows.tab'))\n    3\n    '''\n"
    assert "without `rows.tab`" in needed({"shop.py": code}, Technique.EXAMPLE)


def test_what_stands_for_an_object_is_not_how_it_is_written() -> None:
    code = "def pairs():\n    '''Gives them.\n\n    >>> pairs()\n    [(2, <flow object>)]\n    '''\n"
    assert "how what is shown as `<flow object>` is written" in needed({"shop.py": code}, Technique.EXAMPLE)


def test_an_example_that_needs_a_package_of_others_is_undecided_without_it() -> None:
    code = (
        "import decimal\nimport numpy\n"
        "def total(rows):\n    '''Adds up.\n\n    >>> import decimal, numpy\n"
        "    >>> total(numpy.array([1, 2]))\n    3\n    '''\n"
    )
    text = written({"shop.py": code}, Technique.EXAMPLE)
    assert '    pytest.importorskip("numpy")\n    from shop import total\n' in text
    assert 'decimal")' not in text


def test_a_text_in_quotes_is_shown_in_quotes_also_where_something_prints() -> None:
    page = (
        "```pycon\n>>> import shop\n>>> class Mine(shop.Tea):\n...     def pour(self):\n...         print('hot')\n"
        ">>> tea = Mine()\n>>> tea.name\n'green'\n```\n"
    )
    code = "class Tea:\n    def __init__(self): ...\n"
    text = written({"README.md": page, "shop.py": code}, Technique.EXAMPLE)
    assert "    told = repr(found)\n" in text
    assert """assert shown == "'green'\\n"\n""" in text


def test_what_prints_by_another_name_may_show_a_value_or_print_it() -> None:
    code = "def cpprint(value):\n    '''Prints.\n\n    >>> cpprint({'a': 1})\n    {'a': 1}\n    '''\n"
    assert "what `cpprint` prints" in needed({"shop.py": code}, Technique.EXAMPLE)
