"""Tests from stubs and docstrings: what is written, what is declined, and that it is what a person would keep."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from engine.generators.doctests import DoctestGenerator
from engine.generators.functions_calls import EITHER, Parameter
from engine.generators.functions_conditions import met
from engine.generators.signature import SignatureGenerator
from graph.facts import Extract
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.pages import PageReader
from ingest.python.reader import PythonReader
from planner.cases import Case, Technique
from planner.function_cases import function_cases
from planner.generator import Context, Declined, Draft


def source_of(files: dict[str, str]) -> Memory:
    """The facts of stubs and code in memory."""
    extracts, modules = [], {}
    for path, text in files.items():
        place = PurePosixPath(path)
        name = str(place.with_suffix("")).replace("/", ".")
        role = Role.STUB if place.suffix == ".pyi" else Role.PYTHON
        extracts.append(PythonReader().read(Document(path=path, text=text, role=role, module=name)))
        modules[path] = name
    return Memory(extracts, modules)


def answers(files: dict[str, str], technique: Technique) -> list[Draft | Declined]:
    """What the generators make of all cases of a technique."""
    source = source_of(files)
    context = Context(source=source, application=None)
    found = []
    for case in function_cases(source):
        for generator in (SignatureGenerator(), DoctestGenerator()):
            if case.technique is technique and generator.takes(case):
                found.append(generator.generate(case, context))
    return found


def written(files: dict[str, str], technique: Technique) -> str:
    """The source of the only test of a technique."""
    (answer,) = answers(files, technique)
    assert isinstance(answer, Draft), answer
    return answer.source


def needed(files: dict[str, str], technique: Technique) -> str:
    """What is missing for the only test of a technique."""
    (answer,) = answers(files, technique)
    assert isinstance(answer, Declined), answer.source
    return answer.needs


def test_how_the_functions_of_a_module_are_called_is_one_test_with_a_line_for_each() -> None:
    stub = (
        "def discount(amount: float, *, percent: int = 10) -> float: ...\nasync def fetch(a, /, b=...): ...\n"
    )
    assert written({"shop/pricing.pyi": stub}, Technique.CALLABLE) == (
        '@pytest.mark.spec("spec:function:shop.pricing.discount", "spec:function:shop.pricing.fetch")\n'
        "def test_pricing_functions_are_called_as_the_stub_says(takes):\n"
        '    """The functions of shop.pricing are called as the stub says, and not otherwise.\n'
        "\n"
        "    Maintain: it follows spec:function:shop.pricing.discount, spec:function:shop.pricing.fetch\n"
        "    (shop/pricing.pyi:1); change it when that changes.\n"
        '    """\n'
        "    from shop.pricing import discount, fetch\n"
        "\n"
        "    takes(discount, lambda amount, *, percent=10: ...)\n"
        "    takes(fetch, lambda a, /, b=...: ..., awaited=True)\n"
    )


def test_the_methods_of_a_class_have_their_receiver_and_its_constructor_has_none() -> None:
    stub = (
        "from collections.abc import Awaitable\n"
        "class Cart:\n"
        "    def __init__(self, owner: str) -> None: ...\n"
        "    def add(self, *numbers: int, **more: int) -> Awaitable[int]: ...\n"
        "    @classmethod\n"
        "    def load(cls, path: str) -> Cart: ...\n"
        "    @property\n"
        "    def total(self) -> int: ...\n"
    )
    text = written({"shop.pyi": stub}, Technique.CALLABLE)
    assert "def test_cart_is_called_as_its_stub_says(takes):\n" in text
    assert text.endswith(
        "    from shop import Cart\n"
        "\n"
        "    takes(Cart, lambda owner: ...)\n"
        "    takes(Cart.add, lambda self, *numbers, **more: ..., awaited=None)\n"
        "    takes(Cart.load, lambda path: ...)\n"
        '    assert isinstance(inspect.getattr_static(Cart, "load"), classmethod)\n'
        '    assert not inspect.isroutine(inspect.getattr_static(Cart, "total", None))\n'
    )


def test_an_overload_takes_each_of_its_forms() -> None:
    stub = (
        "from typing import overload\n"
        "@overload\n"
        "def find(number: int) -> int: ...\n"
        "@overload\n"
        "def find(number: int, default: str) -> str: ...\n"
    )
    text = written({"shop.pyi": stub}, Technique.CALLABLE)
    assert "    takes(find, lambda number: ..., lambda number, default: ..., others=True)\n" in text


def test_a_conftest_that_a_person_took_over_and_that_cannot_compare_is_told() -> None:
    source = source_of({"shop.pyi": "def price(size: int) -> int: ...\n"})
    case = next(each for each in function_cases(source) if each.technique is Technique.CALLABLE)
    context = Context(source=source, application=None, options={"takes": "unknown"})
    told = SignatureGenerator().generate(case, context)
    assert isinstance(told, Declined)
    assert "the fixture `takes`" in told.needs


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("if amount is negative", "-1"),
        ("If `amount` is less than 5.", "4"),
        ("when the amount is greater than 100", "101"),
        ("if amount <= 0", "0"),
        ("if amount is not between 1 and 10", "0"),
        ("if amount is zero or negative", "0"),
        ("if the amount is below 0 or the shop is closed", "-1"),
        ("if amount is not a number", '"text"'),
    ],
)
def test_a_condition_in_words_is_met_by_a_value(words: str, value: str) -> None:
    found = met(words, [Parameter("amount", EITHER, "int", None)])
    assert found is not None
    assert (found.parameter, found.value) == ("amount", value)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "there is none.",
        "if amount is negative and the shop is open",
        "if the name is empty",
        "if amount is strange",
    ],
)
def test_a_condition_that_says_more_or_something_else_is_not_guessed(words: str) -> None:
    assert met(words, [Parameter("amount", EITHER, "int", None)]) is None


def test_a_documented_error_is_raised_by_a_value_that_meets_its_condition() -> None:
    stub = (
        "class ShopError(Exception): ...\n"
        "def discount(name: str, amount: int) -> float:\n"
        '    """Take something off.\n\n    Raises:\n        ShopError: if amount is negative\n    """\n'
    )
    text = written({"shop.pyi": stub}, Technique.RAISES)
    assert "    from shop import ShopError, discount\n" in text
    assert '    with pytest.raises(ShopError):\n        discount("name", -1)\n' in text


def test_an_error_that_unwritten_code_raises_too_does_not_count() -> None:
    code = 'def run(times: int):\n    """Run.\n\n    Raises:\n        RuntimeError: if times is negative\n    """\n'
    assert "assert raised.type is not NotImplementedError" in written({"shop.py": code}, Technique.RAISES)


def test_an_error_without_a_condition_needs_a_person() -> None:
    stub = 'def lend(item: int) -> int:\n    """Lend.\n\n    Raises:\n        KeyError: there is none.\n    """\n'
    assert needed({"shop.pyi": stub}, Technique.RAISES) == (
        "a value with which lend raises KeyError (there is none.)"
    )


def test_what_is_returned_is_of_the_type_with_objects_made_as_the_stub_says() -> None:
    stub = (
        "from datetime import date\n"
        "class Item:\n    def __init__(self, title: str, bought: date) -> None: ...\n"
        "def total(items: list[Item], factor: float = 1.0) -> float | None: ...\n"
    )
    text = written({"shop.pyi": stub}, Technique.RETURNS)
    assert '    found = total([Item("title", date(2024, 5, 17))])\n' in text
    assert "    assert isinstance(found, (int, float, type(None)))\n" in text


def test_what_a_new_object_does_not_hold_is_not_asked_of_it() -> None:
    stub = (
        "class Shelf:\n"
        "    def weight(self, number: int) -> float: ...\n"
        "    def all(self, number: int) -> list[int]: ...\n"
    )
    drafts = answers({"shop.pyi": stub}, Technique.RETURNS)
    assert [each.needs for each in drafts if isinstance(each, Declined)] == [
        "an example of a call of weight: what a new Shelf holds is not said"
    ]
    assert len(drafts) == 2


def test_a_class_has_its_bases_and_an_enumeration_its_values() -> None:
    stub = (
        "from enum import Enum\n"
        "class Colour(Enum):\n    RED = 1\n    BLUE = 'b'\n"
        "class ShopError(ValueError): ...\n"
    )
    colour, error = answers({"shop.pyi": stub}, Technique.IMPORTABLE)
    assert isinstance(colour, Draft)
    assert isinstance(error, Draft)
    assert "    assert issubclass(Colour, Enum)\n" in colour.source
    assert "    assert Colour.BLUE.value == 'b'\n" in colour.source
    assert "    assert issubclass(ShopError, ValueError)\n" in error.source


def test_a_constant_has_the_value_of_its_stub() -> None:
    assert "    assert DAYS == 28\n" in written({"shop.pyi": "DAYS: int = 28\n"}, Technique.IMPORTABLE)


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
        ("log", "[1]", ["log = []", "keep = log.append", "keep(1)", "", "found = log", "", "assert found == [1]"]),
        ("chunked('ab', 1)", "True", ["found = chunked('ab', 1)", "", "assert found is True"]),
        ("print(2)", "2", ["print(2)", "", "assert capsys.readouterr().out == '2\\n'"]),
        ("chunked", "<f...d>", ["found = chunked", "", "assert re.fullmatch('<f.*d>', repr(found), re.DOTALL)"]),
    ],
)  # fmt: skip
def test_an_example_keeps_the_lines_that_it_needs(example: str, expected: str, lines: list[str]) -> None:
    text = written({"shop.py": DOC.format(example, expected)}, Technique.EXAMPLE)
    body = "\n".join(f"    {line}" if line else "" for line in lines)
    assert text.endswith(f"{body}\n")
    assert "other" not in text


def test_an_example_of_an_error_checks_its_words() -> None:
    wanted = "Traceback (most recent call last):\n    ...\n    ValueError: no size"
    text = written({"shop.py": DOC.format("chunked([], 0)", wanted)}, Technique.EXAMPLE)
    assert "    with pytest.raises(ValueError) as raised:\n        chunked([], 0)\n" in text
    assert '    assert str(raised.value) == "no size"\n' in text


@pytest.mark.parametrize(
    ("example", "expected", "missing"),
    [
        ("chunked(random.random(), 1)", "3", "values that stay the same: the example uses `random`"),
        ("chunked", "<function chunked at 0x7f00aa00>", "an expected value without an address in memory"),
        ("nobody(1)", "3", "what `nobody` is in the example `nobody(1)`"),
        ("chunked(", "3", "the example `chunked(` as valid Python"),
    ],
)
def test_an_example_that_cannot_hold_everywhere_needs_a_person(
    example: str, expected: str, missing: str
) -> None:
    assert needed({"shop.py": DOC.format(example, expected)}, Technique.EXAMPLE) == missing


def test_a_docstring_of_the_code_speaks_where_the_stub_is_silent() -> None:
    files = {"shop.pyi": "def chunked(things, size): ...\n", "shop.py": DOC.format("chunked([], 1)", "[]")}
    cases = [case for case in function_cases(source_of(files)) if case.technique is Technique.EXAMPLE]
    assert [case.cites for case in cases] == [("code:function:shop.chunked",)]


def test_private_and_conditional_things_have_no_cases() -> None:
    stub = "import sys\ndef _hidden() -> int: ...\nif sys.version_info < (3, 0):\n    def old() -> int: ...\n"
    assert cases_of(stub) == []


def cases_of(stub: str) -> list[Case]:
    return list(function_cases(source_of({"shop.pyi": stub})))


def test_a_property_is_read_of_an_object() -> None:
    stub = (
        "class Cart:\n    def __init__(self, limit: int) -> None: ...\n"
        "    @property\n    def total(self) -> float: ...\n"
    )
    text = written({"shop.pyi": stub}, Technique.RETURNS)
    assert (
        "    cart = Cart(1)\n\n    found = cart.total\n\n    assert isinstance(found, (int, float))\n" in text
    )


def test_what_may_have_no_end_is_looked_at_only_at_its_beginning() -> None:
    stub = "from collections.abc import Iterator\ndef count(start: int) -> Iterator[int]: ...\n"
    text = written({"shop.pyi": stub}, Technique.RETURNS)
    assert "    assert all(isinstance(each, int) for each in islice(found, 3))\n" in text


def test_a_context_manager_is_entered() -> None:
    stub = (
        "from collections.abc import Iterator\nfrom contextlib import contextmanager\n"
        "@contextmanager\ndef opened(size: int) -> Iterator[str]: ...\n"
    )
    text = written({"shop.pyi": stub}, Technique.RETURNS)
    assert "    with opened(1) as found:\n        assert isinstance(found, str)\n" in text


@pytest.mark.parametrize("technique", [Technique.CALLABLE, Technique.RETURNS])
def test_what_an_unknown_decorator_makes_of_a_function_is_not_guessed(technique: Technique) -> None:
    stub = "from shop.tools import curried\n@curried\ndef price(size: int) -> int: ...\n"
    assert "@curried" in needed({"shop.pyi": stub}, technique)


def test_an_object_is_made_as_a_base_says() -> None:
    stub = (
        "class Base:\n    def __init__(self, size: int) -> None: ...\n"
        "class Cart(Base):\n    def close(self) -> bool: ...\n"
    )
    assert "    cart = Cart(1)\n" in written({"shop.pyi": stub}, Technique.RETURNS)


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
        (">>> found = open", "values that stay the same"),
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


def test_a_new_object_has_what_its_class_says() -> None:
    stub = (
        "class Cart:\n    owner: str\n    limit: int\n    title: str\n    note: str | None\n    size: ClassVar[int]\n"
        "    lines: list[int]\n"
        "    def __init__(self, owner: str, limit: int = 5, title: str | None = None) -> None: ...\n"
    )
    drafts = answers({"shop.pyi": f"from typing import ClassVar\n{stub}"}, Technique.RETURNS)
    told = {each.assertions[0].text for each in drafts if isinstance(each, Draft)}
    assert told == {
        "assert isinstance(cart.owner, str)",
        "assert isinstance(cart.limit, int)",
        "assert isinstance(cart.note, (str, type(None)))",
    }


def test_operators_and_builtins_are_called_as_people_call_them() -> None:
    stub = (
        "class Cart:\n    def __init__(self, name: str) -> None: ...\n"
        "    def __repr__(self): ...\n    def __add__(self, other: Cart) -> Cart: ...\n"
        "    def __getitem__(self, place: int) -> str: ...\n    def __eq__(self, other): ...\n"
    )
    drafts = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    added, shown = (each.source for each in sorted(drafts, key=lambda each: each.name))
    assert "    found = repr(cart)\n\n    assert isinstance(found, str)\n" in shown
    assert '    found = cart + Cart("name")\n\n    assert isinstance(found, Cart)\n' in added


def test_of_several_signatures_the_first_one_is_called() -> None:
    stub = (
        "from typing import overload\n"
        "@overload\ndef split(text: str) -> list[str]: ...\n"
        "@overload\ndef split(text: bytes) -> list[bytes]: ...\n"
    )
    assert '    found = split("text")\n\n    assert isinstance(found, list)\n' in written(
        {"shop.pyi": stub}, Technique.RETURNS
    )


def test_a_type_is_what_its_name_stands_for() -> None:
    stub = (
        "from typing import Any, Literal, TypedDict\nfrom typing_extensions import TypeGuard\n"
        "Row = dict[str, Any]\nclass Told(TypedDict):\n    name: str\n"
        "def row(number: int) -> Row: ...\ndef told(number: int) -> Told: ...\n"
        "def size(number: int) -> Literal[4, 6]: ...\ndef is_text(pattern: str) -> TypeGuard[str]: ...\n"
    )
    drafts = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    types = {each.name.split("_")[1]: each.assertions[0].text for each in drafts}
    assert types == {
        "row": "assert isinstance(found, dict)",
        "told": "assert isinstance(found, dict)",
        "size": "assert isinstance(found, int)",
    }


def test_a_text_has_the_form_that_its_name_says() -> None:
    stub = "def short_size(url: str) -> int: ...\n"
    assert 'short_size("https://example.com/one")' in written({"shop.pyi": stub}, Technique.RETURNS)


@pytest.mark.parametrize(
    ("stub", "missing"),
    [
        ("class CartMixin:\n    def total(self) -> int: ...\n", "how an object of CartMixin is made"),
        (
            "class Cart:\n    def __init__(self, *args) -> None: ...\n    def total(self) -> int: ...\n",
            "how many",
        ),
        ("class Cart:\n    def pop(self) -> bool: ...\n", "what a new Cart holds is not said"),
        (
            'class Cart:\n    def __init__(self, size: int = 0) -> None:\n        """Make.\n\n        Raises:\n'
            '            ValueError: where the size does not fit\n        """\n    def total(self) -> int: ...\n',
            "so that its constructor does not raise",
        ),
        ("def words_to_int(words: list[int]) -> int: ...\n", "of which form"),
    ],
)
def test_what_a_call_needs_more_than_types_is_left_to_a_person(stub: str, missing: str) -> None:
    assert missing in needed({"shop.pyi": stub}, Technique.RETURNS)


def test_a_type_that_stands_for_lists_of_itself_ends() -> None:
    stub = 'from typing import Union\nRows = list[Union[str, "Rows"]]\ndef rows(number: int, more: Rows) -> Rows: ...\n'
    assert isinstance(answers({"shop.pyi": stub}, Technique.RETURNS)[0], Draft | Declined)


def test_a_dictionary_has_one_key_however_that_is_made() -> None:
    stub = "def size(name: dict[tuple[str, int], int]) -> int: ...\n"
    assert 'size({("name", 1,): 1})' in written({"shop.pyi": stub}, Technique.RETURNS)


def test_any_text_stands_for_what_asks_for_no_form_where_only_a_type_is_told() -> None:
    stub = "def hyphenated(noun: str) -> str: ...\ndef matching(url_pattern: str) -> str: ...\n"
    text, missing = answers({"shop.pyi": stub}, Technique.RETURNS)
    assert isinstance(text, Draft)
    assert '    found = hyphenated("noun")\n' in text.source
    assert isinstance(missing, Declined)
    assert missing.needs == "a text that may stand for `url_pattern`"


def test_what_an_object_merely_keeps_may_be_any_text() -> None:
    stub = (
        "class Line:\n    code: str\n    def __init__(self, code: str) -> None: ...\n    def size(self) -> int: ...\n"
        "class Parsed:\n    def __init__(self, code: str) -> None: ...\n    def size(self) -> int: ...\n"
    )
    told = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    assert ['line = Line("code")' in each.source for each in told] == [True, True]


def test_a_method_that_only_changes_its_object_gives_nothing_back() -> None:
    stub = (
        "class Pile:\n    def __init__(self) -> None: ...\n"
        "    def clear(self) -> None: ...\n    def run(self) -> None: ...\n"
    )
    assert "    found = pile.clear()\n\n    assert found is None\n" in written(
        {"shop.pyi": stub}, Technique.RETURNS
    )


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        ("_typeshed.ConvertibleToInt", "1"),
        ("Iterator[int]", "iter([1])"),
        ("Container[float]", "[1.5]"),
        ("datetime.tzinfo", "timezone.utc"),
    ],
)
def test_values_of_further_types_are_known(annotation: str, value: str) -> None:
    stub = (
        "import _typeshed, datetime\nfrom collections.abc import Container, Iterator\n"
        f"def shown(given: {annotation}) -> str: ...\n"
    )
    assert f"    found = shown({value})\n" in written({"shop.pyi": stub}, Technique.RETURNS)


@pytest.mark.parametrize(
    "stub",
    [
        "def download(url: str) -> bytes: ...\n",
        "class Shop:\n    def __init__(self, name: str) -> None: ...\n    def readLines(self) -> list[str]: ...\n",
        "class Shop:\n    def __init__(self, name: str) -> None: ...\n    def run(self, size: int) -> list[int]: ...\n",
        "class Shop:\n    def __init__(self, size: int): ...\n    def show(self, input: str = '') -> int: ...\n",
    ],
)
def test_what_looks_for_something_that_has_to_be_there_is_left_to_a_person(stub: str) -> None:
    assert needed({"shop.pyi": stub}, Technique.RETURNS).endswith("finds in a test")


def test_an_object_is_compared_with_another_one_of_its_kind() -> None:
    stub = (
        "class Key:\n    def __init__(self, name: str) -> None: ...\n"
        "    def __eq__(self, other: object) -> bool: ...\n"
    )
    assert '    found = key == Key("name")\n' in written({"shop.pyi": stub}, Technique.RETURNS)


@pytest.mark.parametrize(
    ("expected", "missing"),
    [
        ("3\n    # And now something else", "what is a remark"),
        ("'/usr/share/icons/one.png'", "a path of its writer's machine"),
    ],
)
def test_what_only_the_writer_of_an_example_has_is_left_to_a_person(expected: str, missing: str) -> None:
    assert missing in needed({"shop.py": DOC.format("chunked([], 1)", expected)}, Technique.EXAMPLE)


def test_a_type_variable_is_of_the_type_of_what_was_given_for_it() -> None:
    stub = (
        "from typing import TypeVar\nT = TypeVar('T')\nText = TypeVar('Text', bound=str | bytes)\n"
        "def same(thing: T) -> T: ...\ndef lower(text: Text) -> Text: ...\ndef any() -> T: ...\n"
        "def nth(things: list[T], place: int) -> T: ...\n"
    )
    told = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    assert [each.assertions[0].text for each in told] == [
        "assert isinstance(found, str)",
        "assert isinstance(found, int)",
    ]


def test_a_function_that_needs_nothing_is_called_where_it_looks_nowhere() -> None:
    stub = (
        "def generate(size: int = 21) -> str: ...\ndef user_name(path: str = '') -> str: ...\n"
        "def now() -> str: ...\ndef order(size: int = 3) -> Order: ...\nclass Order: ...\n"
    )
    told = [each.source for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    assert len(told) == 1
    assert "    found = generate()\n\n    assert isinstance(found, str)\n" in told[0]


def test_an_example_that_imports_what_nobody_has_is_left_to_a_person() -> None:
    code = 'def cut(size):\n    """\n    >>> from {} import told\n    >>> cut(told)\n    3\n    """\n'
    missing = "what `your_tools` is, which the example imports"
    assert needed({"shop.py": code.format("your_tools")}, Technique.EXAMPLE) == missing
    assert "from your_tools import told" in written(
        {"shop.py": f"import your_tools\n{code.format('your_tools')}"}, Technique.EXAMPLE
    )
