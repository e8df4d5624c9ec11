"""Tests from examples: which lines they need, what they assert, and which examples no test can hold to."""

from __future__ import annotations

import pytest

from engine.generators.functions.doctests import DoctestGenerator
from graph.facts import Extract
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.pages import PageReader
from planner.cases import Technique
from planner.functions.cases import function_cases
from planner.generator import Context, Declined, Draft
from tests.engine.generators.drafting import answers, needed, source_of, written

DOC = '''\
def chunked(things, size):
    """Cut.

    >>> log = []
    >>> other = 3
    >>> keep = log.append
    >>> keep(1)
    >>> {}
    {}
    """
'''


@pytest.mark.parametrize(
    ("example", "expected", "lines"),
    [
        ("chunked(log, 1)", "[1]", ["log = []", "keep = log.append", "keep(1)", "", "found = chunked(log, 1)", "",
         "assert found == [1]"]),
        ("chunked('ab', 1)", "True", ["found = chunked('ab', 1)", "", "assert found is True"]),
        ("chunked.can_fetch('http://a.b/c')", "False", ["found = chunked.can_fetch('http://a.b/c')", "",
         "assert found is False"]),
        ("chunked.Url.from_url('http://a.b/c')", "1", ["found = chunked.Url.from_url('http://a.b/c')", "",
         "assert found == 1"]),
        ("type(chunked)", "shop.Part", ["found = type(chunked)", "",
         "assert \"shop.Part\" in (found.__name__, f\"{found.__module__}.{found.__name__}\")"]),
        ("print(repr(chunked))", "'a'", ["print(repr(chunked))", "", "assert capsys.readouterr().out == \"'a'\\n\""]),
        ("print(chunked('a'))", "'a'", ["found = chunked('a')", "", "assert \"'a'\" in (str(found), repr(found))"]),
        ("print(chunked('a'))", "Part(1, [])", ["found = chunked('a')", "",
         'assert "Part(1, [])" in (str(found), repr(found))']),
        ("chunked('a')", "3\n    # and now the next", ["found = chunked('a')", "", "assert found == 3"]),
        ("print(chunked)", "2", ["print(chunked)", "", "assert capsys.readouterr().out == '2\\n'"]),
        ("chunked(1.5)", "0.70710678118654757", ["found = chunked(1.5)", "",
         "assert found == pytest.approx(0.7071067811865476, rel=1e-9)"]),
        ("chunked(1.5)", "{'a': 0.70710678118654757, 'b': 1}", ["found = chunked(1.5)", "",
         "assert found == pytest.approx({'a': 0.7071067811865476, 'b': 1}, rel=1e-9)"]),
        ("chunked(2)  # doctest: +NORMALIZE_WHITESPACE", "<f\n    1 ... 2>", ["found = chunked(2)", "",
         "assert re.fullmatch('<f\\\\ 1\\\\ .*\\\\ 2>', \" \".join(repr(found).split()), re.DOTALL)"]),
        ("chunked", "<f...d>", ["found = chunked", "", "assert re.fullmatch('<f.*d>', repr(found), re.DOTALL)"]),
    ],
)  # fmt: skip
def test_an_example_keeps_the_lines_that_it_needs(example: str, expected: str, lines: list[str]) -> None:
    text = written({"shop.py": DOC.format(example, expected)}, Technique.EXAMPLE)
    body = "\n".join(f"    {line}" if line else "" for line in lines)
    assert text.endswith(f"{body}\n")
    assert "other" not in text


@pytest.mark.parametrize("rest", ["      ...", "      more of it"])
def test_words_of_an_error_that_go_on_below_are_not_all_of_them(rest: str) -> None:
    wanted = f"Traceback (most recent call last):\n    ValueError: no size\n{rest}"
    text = written({"shop.py": DOC.format("chunked([], 0)", wanted)}, Technique.EXAMPLE)
    assert "    with pytest.raises(ValueError):\n        chunked([], 0)\n" in text


def test_an_example_of_an_error_checks_its_words() -> None:
    wanted = "Traceback (most recent call last):\n    ...\n    ValueError: no size"
    text = written({"shop.py": DOC.format("chunked([], 0)", wanted)}, Technique.EXAMPLE)
    assert "    with pytest.raises(ValueError) as raised:\n        chunked([], 0)\n" in text
    assert '    assert str(raised.value) == "no size"\n' in text


@pytest.mark.parametrize(
    ("example", "expected", "missing"),
    [
        (
            "part = chunked([1], 1)",
            "[1]",
            "whether `part = chunked([1], 1)` prints something, or what it names is shown",
        ),
        ("chunked.encrypt('a')", f"'{'x' * 60}'", "what `encrypt` gives each time"),
        ("chunked(random.random(), 1)", "3", "values that stay the same: the example uses `random`"),
        ("chunked", "<function chunked at 0x7f00aa00>", "an expected value without an address in memory"),
        ("chunked(open('a'), 1)", "3", "an example without a file: it uses `open`"),
        ("chunked.check('a/b.txt')", "True", "an example without `a/b.txt`, which only its writer has"),
        (
            "chunked.log.error('a')",
            "a",
            "what `chunked.log.error('a')` writes, as that depends on how logging is set up",
        ),
        (
            "chunked.fetch('http://a.b/c')",
            "1",
            "an example without `http://a.b/c`, which only its writer has",
        ),
        (
            "print(chunked('a'), end='')",
            "'a'",
            "whether what `print(chunked('a'), end='')` prints stands in quotes, or is shown as a value",
        ),
        (
            "print(chunked('a'))",
            "'a'  # Green by default",
            "whether what `print(chunked('a'))` prints ends with a remark",
        ),
        ("nobody(1)", "3", "what `nobody` is in the example `nobody(1)`"),
        ("chunked(", "3", "the example `chunked(` as valid Python"),
    ],
)
def test_an_example_that_cannot_hold_everywhere_needs_a_person(
    example: str, expected: str, missing: str
) -> None:
    assert needed({"shop.py": DOC.format(example, expected)}, Technique.EXAMPLE) == missing


def test_a_decorator_that_stands_alone_above_an_example_is_a_definition_that_is_lost() -> None:
    code = DOC.format("@chunked\n        def pair(it): ...\n    >>> chunked.pair(1)", "1")
    found = [
        each.needs for each in answers({"shop.py": code}, Technique.EXAMPLE) if isinstance(each, Declined)
    ]
    assert any("stands alone above the example" in each for each in found)


def test_a_docstring_of_the_code_speaks_where_the_stub_is_silent() -> None:
    files = {"shop.pyi": "def chunked(things, size): ...\n", "shop.py": DOC.format("chunked([], 1)", "[]")}
    cases = [case for case in function_cases(source_of(files)) if case.technique is Technique.EXAMPLE]
    assert [case.cites for case in cases] == [("code:function:shop.chunked",)]


PAGE = """\
```python
from shop import *
import other

cart = Cart(3)
cart.add("pen")
cart = Cart(4)
print(cart)
assert cart.limit == 4
```
"""


def test_what_a_page_shows_is_a_test_with_the_lines_that_still_count() -> None:
    source = source_of({"shop.pyi": "class Cart: ...\n"})
    page = PageReader().read(Document(path="README.md", text=PAGE, role=Role.PAGE))
    whole = Memory([*(Extract(facts=[fact]) for fact in source.facts()), page], {"shop.pyi": "shop"})
    (case,) = [case for case in function_cases(whole) if case.subject == "file README.md"]
    draft = DoctestGenerator().generate(case, Context(source=whole, application=None))
    assert isinstance(draft, Draft)
    assert draft.module_path.endswith("/test_readme.py")
    assert draft.source.endswith(
        "    from shop import Cart\n\n    cart = Cart(4)\n\n    found = cart.limit\n\n    assert found == 4\n"
    )


@pytest.mark.parametrize(
    ("path", "module"), [("README.md", "elsewhere"), ("CHANGES.md", "shop"), ("docs/history.rst", "shop")]
)
def test_pages_about_other_things_or_times_have_no_cases(path: str, module: str) -> None:
    source = source_of({f"{module}.pyi": "class Cart: ...\n"})
    page = PageReader().read(Document(path=path, text=PAGE, role=Role.PAGE))
    facts = [*(Extract(facts=[fact]) for fact in source.facts()), page]
    cases = function_cases(Memory(facts, {f"{module}.pyi": module}))
    assert [case for case in cases if case.subject.startswith("file")] == []


@pytest.mark.parametrize(
    ("lines", "missing"),
    [
        (">>> import shop.names\n    >>> _ = shop.names.use('ru')", "leaves nothing behind"),
        (">>> import shop.names\n    >>> shop.names.use('ru')", "leaves nothing behind"),
        (">>> found = open", "without a file"),
        (">>> from shop import *", ""),
    ],
)
def test_what_an_example_leaves_behind_would_change_other_tests(lines: str, missing: str) -> None:
    doc = f'def price(size):\n    """Tell.\n\n    {lines}\n    >>> shop.price(found if 0 else 2)\n    4\n    """\n'
    doc = doc.replace("found if 0 else 2", "found" if "found" in lines else "2")
    files = {"shop.py": doc, "shop/names.py": "def use(name):\n    pass\n"}
    if missing:
        assert missing in needed(files, Technique.EXAMPLE)
    else:
        assert "    found = shop.price(2)\n" in written(files, Technique.EXAMPLE)


@pytest.mark.parametrize(
    ("expected", "missing"),
    [
        ("3 parts\n    # And now something else", "what is a remark"),
        ("'/usr/share/icons/one.png'", "a path of its writer's machine"),
    ],
)
def test_what_only_the_writer_of_an_example_has_is_left_to_a_person(expected: str, missing: str) -> None:
    assert missing in needed({"shop.py": DOC.format("chunked([], 1)", expected)}, Technique.EXAMPLE)


def test_an_object_of_a_file_that_only_the_writer_of_an_example_has_is_left_to_a_person() -> None:
    code = (
        "class {0}:\n    def __init__(self, {1}):\n        pass\n    def size(self):\n"
        "        '''Rows.\n\n        >>> {0}('prices.dbf').size()\n        2\n        '''\n"
    )
    missing = "an example without `prices.dbf`, which only its writer has"
    assert needed({"shop.py": code.format("Table", "filename")}, Technique.EXAMPLE) == missing
    below = code.format("RowReader", "place").replace("prices.dbf", "data/prices")
    assert (
        needed({"shop.py": below}, Technique.EXAMPLE)
        == "an example without `data/prices`, which only its writer has"
    )
    for name, parameter in (("Table", "title"), ("MimeOfFile", "filename")):
        text = written({"shop.py": code.format(name, parameter)}, Technique.EXAMPLE)
        assert f"found = {name}('prices.dbf').size()" in text.replace('"', "'")


def test_an_example_that_imports_what_nobody_has_is_left_to_a_person() -> None:
    code = 'def cut(size):\n    """\n    >>> from {} import told\n    >>> cut(told)\n    3\n    """\n'
    missing = "what `your_tools` is, which the example imports"
    assert needed({"shop.py": code.format("your_tools")}, Technique.EXAMPLE) == missing
    assert "from your_tools import told" in written(
        {"shop.py": f"import your_tools\n{code.format('your_tools')}"}, Technique.EXAMPLE
    )


CUT = 'def cut(size):\n    """\n    {}\n    {}\n    """\n'


@pytest.mark.parametrize(
    "line", [">>> shop.LIMIT = 3", ">>> shop.names['one'] = 1", ">>> shop.Cart.limit += 3"]
)
def test_an_example_that_changes_a_module_or_class_is_left_to_a_person(line: str) -> None:
    code = CUT.format(f">>> import shop\n    {line}\n    >>> shop.cut(2)", "3")
    assert "leaves nothing behind" in needed({"shop.py": code}, Technique.EXAMPLE)


def test_an_example_without_anything_of_the_project_shows_nothing() -> None:
    code = DOC.format("str(4)", "'4'")
    assert needed({"shop.py": code}, Technique.EXAMPLE) == "what the example `str(4)` shows of the project"


def test_what_is_no_python_is_what_a_console_shows() -> None:
    text = written({"shop.py": DOC.format("chunked(1, 2)", "One part of 2")}, Technique.EXAMPLE)
    assert "    told = found if isinstance(found, str) else repr(found)\n" in text
    assert 'shown = capsys.readouterr().out + ("" if found is None else f"{told}\\n")' in text
    assert "assert shown == 'One part of 2\\n'" in text


def test_what_an_example_prints_by_its_own_function_is_not_its_value() -> None:
    code = CUT.format(">>> def show(size):\n    ...     print(cut(size))\n    >>> show(2)", "[3]")
    assert "assert shown == " in written({"shop.py": code}, Technique.EXAMPLE)


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        ("datetime.timedelta(365, 10)", "assert found == timedelta(365, 10)"),
        ("[OrderedDict([('a', 1)])]", "assert found == [OrderedDict([('a', 1)])]"),
        ("datetime.date(2024, 5, 17)", "assert repr(found) == "),
        ("Cart({'a': 1})", "assert repr(found) == "),
    ],
)
def test_values_that_python_writes_otherwise_today_are_compared_as_such(expected: str, line: str) -> None:
    assert line in written({"shop.py": DOC.format("chunked(1, 2)", expected)}, Technique.EXAMPLE)


@pytest.mark.parametrize("text", ["Cart({'a', 'b'})", "pset(['a', 'b'])", "pmap({'a': 1, 'b': 2})"])
def test_the_order_of_a_set_in_a_text_is_not_known(text: str) -> None:
    assert "in which order" in needed({"shop.py": DOC.format("chunked(1, 2)", text)}, Technique.EXAMPLE)


@pytest.mark.parametrize("text", ["pset([1, 2])", "Cart({'a': 1, 'b': 2})", "pmap({'a': 1})"])
def test_an_order_that_does_not_depend_on_texts_is_known(text: str) -> None:
    assert "assert repr(found) == " in written(
        {"shop.py": DOC.format("chunked(1, 2)", text)}, Technique.EXAMPLE
    )


def test_the_module_of_a_class_that_an_example_defines_is_not_known() -> None:
    code = CUT.format(">>> class Own: ...\n    >>> cut(Own())", "<shop.Own object at 0x...>")
    assert needed({"shop.py": code}, Technique.EXAMPLE) == "in which module `Own` of the example lies"


@pytest.mark.parametrize(
    ("line", "expected", "name"),
    [
        ("def own(): ...", "<function own at 0x...>", "own"),
        ("class Own: ...", "<class 'shop.Own'>", "Own"),
        ("own = lambda: 3", "<function <lambda> at 0x...>", "<lambda>"),
    ],
)
def test_where_a_function_lies_that_an_example_defines_is_not_known(
    line: str, expected: str, name: str
) -> None:
    code = CUT.format(f">>> {line}\n    >>> cut({'Own' if name == 'Own' else 'own'})", expected)
    assert needed({"shop.py": code}, Technique.EXAMPLE) == f"in which module `{name}` of the example lies"


@pytest.mark.parametrize(
    ("example", "is_missing"),
    [
        ("cut(load('data.json'))", True),
        ("cut(pofile('de.po'))", True),
        ("cut(fetch('https://example.com/one'))", True),
        ("cut(to_picture('tree.png'))", True),
        ("cut(parse('/home/ada/shop/rules'))", True),
        ("cut(load('.env'))", True),
        ("cut(load(pathlib.Path('rules/one.nt')))", True),
        ("cut('rules/one.nt')", False),
        ("cut('data.json')", False),
        ("cut('/home/ada/shop/rules')", False),
        ("cut(parse('https://example.com/one'))", False),
    ],
)
def test_files_and_addresses_that_only_a_writer_has_are_read_in_no_test(
    example: str, is_missing: bool
) -> None:
    code = CUT.format(f">>> {example}", "3") + "".join(
        f"def {name}(text): ...\n" for name in ("load", "pofile", "fetch", "parse", "to_picture")
    )
    (answer,) = answers({"shop.py": code}, Technique.EXAMPLE)
    assert isinstance(answer, Declined) is is_missing


@pytest.mark.parametrize(
    "line", [">>> time.sleep(1)", ">>> freezer.move_to('2024-05-17')", ">>> random.seed(3)"]
)
def test_an_example_that_depends_on_a_changed_world_is_left_to_a_person(line: str) -> None:
    code = CUT.format(f">>> size = 2\n    {line}\n    >>> cut(size)", "3")
    assert needed({"shop.py": code}, Technique.EXAMPLE).startswith("an example that does not depend on")


def test_what_is_shown_over_several_lines_is_compared_but_for_its_blanks() -> None:
    text = written(
        {"shop.py": DOC.format("chunked(1, 2)", "U+0080  <unknown>\n    U+0081  <unknown>")},
        Technique.EXAMPLE,
    )
    assert 'assert " ".join(shown.split()) == ' in text


def test_an_object_that_is_called_as_its_package_needs_a_person() -> None:
    stub = (
        'class Coin:\n    @property\n    def worth(self) -> int:\n        """Tell.\n\n        >>> coin.worth\n'
        '        2\n        """\n'
    )
    assert needed({"coin.pyi": stub}, Technique.EXAMPLE).startswith("what `coin` is in the example")


def test_a_stub_in_a_folder_without_one_of_its_own_shows_the_project() -> None:
    stub = 'def discount(price: float) -> float:\n    """Take off.\n\n    >>> discount(100.0)\n    90.0\n    """\n'
    text = written({"shop/pricing.pyi": stub}, Technique.EXAMPLE)
    assert "    from shop.pricing import discount\n" in text
    assert "discount(100.0)" in text


def test_a_docstring_that_gives_two_answers_to_one_question_leaves_something_behind() -> None:
    code = (
        CUT.format(">>> cut(1)\n    2\n    >>> setup(cut)\n    4\n    >>> cut(1)", "3")
        + "def setup(cut): ...\n"
    )
    found = [
        each.needs for each in answers({"shop.py": code}, Technique.EXAMPLE) if isinstance(each, Declined)
    ]
    assert found == ["an example that leaves nothing behind: `cut(1)` gives two answers"] * 3


def test_a_text_that_is_written_without_its_quotes_is_one() -> None:
    text = written({"shop.py": CUT.format(">>> cut(42)", "forty-two")}, Technique.EXAMPLE)
    assert 'assert "forty-two" in (found, repr(found))\n' in text


def test_blanks_in_what_a_page_says_is_printed_are_free() -> None:
    source = source_of({"shop.pyi": "def bill(size: int) -> str: ...\n"})
    text = "# Shop\n\n>>> from shop import bill\n>>> print(bill(3))\nTotal:\n 3\n"
    page = PageReader().read(Document(path="README.md", text=text, role=Role.PAGE))
    whole = Memory([*(Extract(facts=[fact]) for fact in source.facts()), page], {"shop.pyi": "shop"})
    (case,) = [case for case in function_cases(whole) if case.subject == "file README.md"]
    draft = DoctestGenerator().generate(case, Context(source=whole, application=None))
    assert isinstance(draft, Draft)
    assert '" ".join(capsys.readouterr().out.split()) == "Total: 3"' in draft.source


def test_a_remark_behind_what_is_printed_may_be_printed() -> None:
    code = CUT.format(">>> print(cut(42))", "42 # in full")
    assert "ends with a remark" in needed({"shop.py": code}, Technique.EXAMPLE)


def test_another_prompt_below_an_example_is_no_result() -> None:
    code = CUT.format(">>> cut(42)", ">> cut(43)\n    44")
    assert "what is a remark" in needed({"shop.py": code}, Technique.EXAMPLE)


def test_functions_of_one_name_may_be_joined_by_what_decorates_them() -> None:
    page = (
        "```python\nfrom shop import dispatch\n\n@dispatch\ndef price(x: int): return 'one'\n\n"
        "@dispatch\ndef price(x: str): return 'two'\n\nassert price(1) == 'one'\n```\n"
    )
    text = written({"README.md": page, "shop.py": "def dispatch(f): ...\n"}, Technique.EXAMPLE)
    assert text.count("    @dispatch\n    def price(") == 2


def test_what_is_shown_twice_is_shown_of_what_was_made_last() -> None:
    page = (
        "```python\nclass Cart:\n    @property\n    def count(self): return 1\n```\n\n>>> Cart().count\n1\n\n"
        "```python\nfrom shop import kept\nclass Cart:\n    @kept\n    def count(self): return 1\n```\n\n"
        ">>> Cart().count\n1\n>>> Cart().count\n1\n"
    )
    first, second = answers({"README.md": page, "shop.py": "def kept(f): ...\n"}, Technique.EXAMPLE)
    assert isinstance(first, Declined) and "of the project" in first.needs
    assert isinstance(second, Draft)
    assert "@kept" in second.source and "@property" not in second.source


def test_a_page_tells_how_much_it_is_that_is_printed() -> None:
    page = "```python\nfrom shop import price\nprint(price(2))\n```\n\n```\n4.0\n```\n"
    text = written({"README.md": page, "shop.py": "def price(n): ...\n"}, Technique.EXAMPLE)
    assert "assert float(capsys.readouterr().out) == pytest.approx(4.0, rel=1e-9)" in text
    text = written(
        {"README.md": page.replace("4.0", "4"), "shop.py": "def price(n): ...\n"}, Technique.EXAMPLE
    )
    assert "assert capsys.readouterr().out == '4\\n'" in text


@pytest.mark.parametrize(
    ("example", "imported"),
    [
        ("price(OrderedDict(a=1))", "from collections import OrderedDict"),
        ("price(datetime(2026, 1, 2))", "from datetime import datetime"),
        ("price(datetime.date(2026, 1, 2))", "import datetime"),
        ("price(json.loads('1'))", "import json"),
    ],
)
def test_names_that_everybody_knows_need_no_import(example: str, imported: str) -> None:
    page = f">>> from shop import price\n>>> {example}\n4\n"
    assert f"    {imported}\n" in written(
        {"README.md": page, "shop.py": "def price(n): ...\n"}, Technique.EXAMPLE
    )


def test_a_name_that_may_be_anything_is_not_imported() -> None:
    page = ">>> from shop import price\n>>> price(json)\n4\n"
    assert "what `json` is" in needed(
        {"README.md": page, "shop.py": "def price(n): ...\n"}, Technique.EXAMPLE
    )


def test_empty_lines_at_the_end_of_what_is_printed_are_shown_by_nobody() -> None:
    text = written({"shop.py": DOC.format("print(chunked('ab'))", "a\n    b")}, Technique.EXAMPLE)
    assert "assert capsys.readouterr().out.rstrip() == 'a\\nb'" in text


def test_blocks_of_a_docstring_tell_by_comments_and_assertions() -> None:
    block = "    ```python\n    from shop import price\n    price(2)\n    #> 4\n    ```\n"
    code = f'def price(n):\n    """Tell.\n\n{block}    """\n'
    assert "    assert found == 4\n" in written({"shop.py": code}, Technique.EXAMPLE)


def test_where_pprint_breaks_its_lines_is_not_compared() -> None:
    text = written({"shop.py": DOC.format("pprint(chunked(1))", "[[1, 2]]")}, Technique.EXAMPLE)
    assert 'assert " ".join(capsys.readouterr().out.split()) == "[[1, 2]]"' in text


def test_a_text_that_is_run_may_print_what_is_shown() -> None:
    text = written({"shop.py": DOC.format("chunked('print(4)')", "4")}, Technique.EXAMPLE)
    assert "assert shown == '4\\n'" in text


def test_a_package_that_everybody_shortens_is_imported_where_the_project_uses_it() -> None:
    page = ">>> from shop import price\n>>> price(np.zeros(2))\n4\n"
    code = "import numpy as np\ndef price(n): ...\n"
    assert "    import numpy as np\n" in written({"README.md": page, "shop.py": code}, Technique.EXAMPLE)
    assert "what `np` is" in needed({"README.md": page, "shop.py": "def price(n): ...\n"}, Technique.EXAMPLE)


def test_what_functions_of_the_example_call_their_arguments_is_their_own() -> None:
    page = (
        "```python\nfrom shop import dispatch\n\n@dispatch\ndef price(x: int): return 'one'\n```\n\n"
        ">>> price('a')\nNotFoundLookupError: nothing takes it.\n\n"
        "```python\nfrom shop import dispatch\n\n@dispatch\ndef name(x: int): return 'two'\n```\n\n"
        ">>> name(1)\n'it's two'\n"
    )
    drafts = answers({"README.md": page, "shop.py": "def dispatch(f): ...\n"}, Technique.EXAMPLE)
    (text,) = [each.source for each in drafts if isinstance(each, Draft)]
    assert "price" not in text
    assert 'assert found == "it\'s two"' in text


@pytest.mark.parametrize(
    ("example", "expected", "line"),
    [
        ("cut(2)", '{"a": true}', "assert read == {'a': True}"),
        ("cut(2)", '{\n    "a": [1]\n    }', "assert found == {'a': [1]}"),
        ("cut.to_json(2)", '[{"a": 1}]', "assert read == [{'a': 1}]"),
        ("cut(2)", '[{"a": 1}]', "assert found == [{'a': 1}]"),
    ],
)
def test_what_is_shown_as_json_is_compared_as_what_it_says(example: str, expected: str, line: str) -> None:
    text = written({"shop.py": CUT.format(f">>> {example}", expected)}, Technique.EXAMPLE)
    assert text.rstrip().endswith(line)
    assert ("json.loads(found) if isinstance(found, str | bytes) else found" in text) is ("read" in line)


@pytest.mark.parametrize(
    ("lines", "missing"),
    [
        (">>> cut.env('HOST')", ""),
        (">>> env = cut.Env()\n    >>> env('HOST')", "`HOST` is set"),
        (">>> env = cut.Env()\n    >>> env.int('A_PORT')", "`A_PORT` is set"),
        (">>> env = cut.Env()\n    >>> env.get_template('page')", ""),
        (
            ">>> table = cut.Table()\n    >>> table.write()\n    >>> table.size()",
            "writes where it was read from",
        ),
        (">>> table = cut.Table()\n    >>> table.write('a')\n    >>> table.size()", ""),
    ],
)
def test_what_lies_outside_of_an_example_decides_over_no_test(lines: str, missing: str) -> None:
    (answer,) = answers({"shop.py": CUT.format(lines, "2")}, Technique.EXAMPLE)
    assert isinstance(answer, Declined) is bool(missing)
    assert not missing or (isinstance(answer, Declined) and missing in answer.needs)


@pytest.mark.parametrize("shown", ["<redacted binary data>", "<output omitted>"])
def test_what_stands_for_something_that_is_left_out_is_no_value(shown: str) -> None:
    assert "stands for it" in needed({"shop.py": CUT.format(">>> cut(2)", shown)}, Technique.EXAMPLE)


def test_a_page_that_names_the_project_without_importing_it_is_about_it() -> None:
    page = "Make::\n\n    cart = shop.Cart()\n\nLook::\n\n    >>> cart.size()\n    0\n"
    text = written(
        {"README.md": page, "shop/__init__.py": "class Cart:\n    def size(self): ...\n"}, Technique.EXAMPLE
    )
    assert "import shop\n" in text and "cart = shop.Cart()\n" in text


def test_a_call_that_shows_something_may_fill_what_its_decorator_keeps() -> None:
    lines = ">>> cache = cut.Cache()\n    >>> {}def price(n): return n\n    >>> price(2)\n    2\n    "
    lines += ">>> key = price.key(2)"
    code = CUT.format(lines.format("@cache.kept()\n    ... ") + "\n    >>> cache[key]", "4")
    drafts = answers({"shop.py": code}, Technique.EXAMPLE)
    assert isinstance(drafts[-1], Draft) and "    price(2)\n    key = price.key(2)\n" in drafts[-1].source
    plain = answers(
        {"shop.py": CUT.format(lines.format("") + "\n    >>> cache[key]", "4")}, Technique.EXAMPLE
    )
    assert isinstance(plain[-1], Draft) and "    price(2)\n" not in plain[-1].source
