"""Tests from stubs and docstrings: what is written, what is declined, and that it is what a person would keep."""

from __future__ import annotations

import pytest

from engine.generators.functions.calls import EITHER, Parameter
from engine.generators.functions.conditions import is_met, met
from engine.generators.functions.signature import SignatureGenerator
from planner.cases import Technique
from planner.functions.cases import function_cases
from planner.generator import Context, Declined, Draft
from tests.engine.generators.drafting import answers, cases_of, needed, source_of, written


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
        '    assert not callable(inspect.getattr_static(Cart, "total", None))\n'
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
        ("if amount is not above zero", "0"),
        ("if the amount is not greater than 0", "0"),
        ("if the amount is below 0 or the shop is closed", "-1"),
        ("if amount is not a number", '"text"'),
        ("`amount` is negative.", "-1"),
        ("*amount* is not an integer", '"text"'),
        ("if the provided argument is not a number", '"text"'),
    ],
)
def test_a_condition_in_words_is_met_by_a_value(words: str, value: str) -> None:
    found = met(words, [Parameter("amount", EITHER, "int", None)])
    assert found is not None
    assert (found.parameter, found.value) == ("amount", value)


def test_words_may_spell_the_name_of_a_parameter() -> None:
    rate = [Parameter("frame_rate", EITHER, "float", None), Parameter("frame", EITHER, "int", None)]
    found = met("if the frame rate is not above zero", rate)
    assert found is not None
    assert (found.parameter, found.value) == ("frame_rate", "0")
    assert met("if the frame of a rate is negative", rate) is None


@pytest.mark.parametrize("annotation", ["str", "T", "_TElement", "T_co", "Any"])
def test_what_is_said_not_to_be_there_is_asked_for_by_what_nothing_is_called(annotation: str) -> None:
    stub = (
        "from typing import Any, TypeVar\nT = TypeVar('T')\nT_co = TypeVar('T_co')\n_TElement = TypeVar('_TElement')\n"
        f"class Bag:\n    def __init__(self) -> None: ...\n"
        f"    def drop(self, element: {annotation}) -> None:\n"
        '        """Drop one.\n\n        :raises KeyError: if the element is not contained in the bag.\n        """\n'
    )
    assert 'bag.drop("absent")' in written({"shop.pyi": stub}, Technique.RAISES)


@pytest.mark.parametrize(
    "words",
    [
        "if unit is not 'kg' or 'g'",
        "If the `unit` is not one of ['kg', 'g', \"lb\"]",
        "when unit is not in ('kg',)",
    ],
)
def test_a_text_that_is_not_listed_meets_a_condition(words: str) -> None:
    unit = [Parameter("size", EITHER, "int", None), Parameter("unit", EITHER, "str", "'kg'")]
    found = met(words, unit)
    assert found is not None
    assert (found.parameter, found.value) == ("unit", '"none of them"')
    assert is_met(words, unit, {"unit": "kg"}) is False
    assert is_met(words, unit, {"unit": "t"}) is True
    assert met(words, [Parameter("unit", EITHER, "int", None)]) is None


@pytest.mark.parametrize(
    "words",
    [
        "",
        "there is none.",
        "if amount is negative and the shop is open",
        "if the name is empty",
        "if amount is strange",
        "`amount` is negative and the shop is open",
        "amount is negative by default",
    ],
)
def test_a_condition_that_says_more_or_something_else_is_not_guessed(words: str) -> None:
    assert met(words, [Parameter("amount", EITHER, "int", None)]) is None


@pytest.mark.parametrize(
    ("words", "beside"),
    [
        ("if amount is negative and `strict` is `True`", (("strict", "True"),)),
        ("If ``strict`` is set to true, and the amount is negative.", (("strict", "True"),)),
        ("when amount is negative while strict is False", ()),
        ("if amount is negative and unit is set to 'g'", (("unit", "'g'"),)),
    ],
)
def test_an_option_beside_a_condition_is_set_where_it_is_not_so_already(
    words: str, beside: tuple[tuple[str, str], ...]
) -> None:
    parameters = [
        Parameter("amount", EITHER, "int", None),
        Parameter("strict", EITHER, "bool", "False"),
        Parameter("unit", EITHER, "str", "'kg'"),
    ]
    found = met(words, parameters)
    assert found is not None
    assert (found.parameter, found.value, found.beside) == ("amount", "-1", beside)
    assert is_met(words, parameters, {"amount": 1, "strict": True, "unit": "g"}) is False


def test_a_documented_error_is_raised_by_a_value_that_meets_its_condition() -> None:
    stub = (
        "class ShopError(Exception): ...\n"
        "def discount(name: str, amount: int) -> float:\n"
        '    """Take something off.\n\n    Raises:\n        ShopError: if amount is negative\n    """\n'
    )
    text = written({"shop.pyi": stub}, Technique.RAISES)
    assert "    from shop import ShopError, discount\n" in text
    assert '    with pytest.raises(ShopError):\n        discount("name", -1)\n' in text
    assert "def test_discount_raises_shoperror_if_amount_is_negative():" in text
    stub = stub.replace("amount: int", "amount: int, strict: bool = False")
    stub = stub.replace("negative", "negative and strict is True")
    assert '        discount("name", -1, True)\n' in written({"shop.pyi": stub}, Technique.RAISES)


def test_an_error_that_unwritten_code_raises_too_does_not_count() -> None:
    code = 'def run(times: int):\n    """Run.\n\n    Raises:\n        RuntimeError: if times is negative\n    """\n'
    assert "assert raised.type is not NotImplementedError" in written({"shop.py": code}, Technique.RAISES)


def test_an_error_without_a_condition_needs_a_person() -> None:
    stub = 'def lend(item: int) -> int:\n    """Lend.\n\n    Raises:\n        KeyError: there is none.\n    """\n'
    assert needed({"shop.pyi": stub}, Technique.RAISES) == (
        "a value with which lend raises KeyError (there is none.)"
    )


def test_a_class_has_its_bases_and_an_enumeration_its_values() -> None:
    stub = (
        "from enum import Enum\n"
        "class Colour(Enum):\n    RED = 1\n    BLUE = 'b'\n    NONE = {[]: 1}\n"
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


def test_private_and_conditional_things_have_no_cases() -> None:
    stub = "import sys\ndef _hidden() -> int: ...\nif sys.version_info < (3, 0):\n    def old() -> int: ...\n"
    assert cases_of(stub) == []


def test_a_property_is_read_of_an_object() -> None:
    stub = (
        "class Cart:\n    def __init__(self, limit: int) -> None: ...\n"
        "    @property\n    def total(self) -> float: ...\n"
    )
    text = written({"shop.pyi": stub}, Technique.RETURNS)
    assert (
        "    with made_up:\n        cart = Cart(1)\n        found = cart.total\n\n"
        "    assert isinstance(found, (int, float))\n" in text
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


def test_what_is_set_anew_is_no_constant() -> None:
    drafts = answers({"shop.pyi": "ID_COUNTER: int = 0\nCACHE: None = None\n"}, Technique.IMPORTABLE)
    assert drafts == []


def test_what_takes_no_object_is_not_called_on_one() -> None:
    stub = "class Record:\n    def end(): ...\n"
    assert "what end is called on" in needed({"shop.pyi": stub}, Technique.CALLABLE)


def test_a_memory_that_calls_change_is_not_compared_with_what_it_begins_with() -> None:
    stub = "def price(size: int, _known={}, more=[]) -> int: ...\n"
    assert "lambda size, _known=..., more=[]: ..." in written({"shop.pyi": stub}, Technique.CALLABLE)


def test_what_a_method_is_called_on_may_have_another_name_but_no_other_thing_that_one() -> None:
    stub = "class Once:\n    def __get__(desc, self, owner): ...\n    def close(this): ...\n"
    text = written({"shop.pyi": stub}, Technique.CALLABLE)
    assert "Once.close, lambda self: ..." in text
    assert "__get__" not in text


def test_what_only_says_that_a_method_is_another_than_that_of_a_base_changes_nothing() -> None:
    stub = (
        "from {} import {}\nclass Till:\n    def __init__(self) -> None: ...\n"
        "    @{}\n    def __len__(self) -> int: ...\n"
    )
    for module, name in (("typing", "override"), ("shop._compat", "override"), ("shop._compat", "counted")):
        found = answers({"shop/till.pyi": stub.format(module, name, name)}, Technique.RETURNS)
        assert any(isinstance(each, Draft) for each in found) is (name == "override")


def test_texts_of_which_digits_are_worked_out_are_not_made_up() -> None:
    stub = "def weighted(value: str, mod: int) -> int: ...\n"
    assert "of which form that is" in needed({"shop/checksum.pyi": stub}, Technique.RETURNS)
    assert 'weighted("value", 1)' in written({"shop/words.pyi": stub}, Technique.RETURNS)
