"""What tests give to functions: values, objects, and where nobody can know one."""

from __future__ import annotations

import pytest

from planner.cases import Technique
from planner.generator import Declined, Draft
from tests.engine.generators.drafting import answers, needed, written


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


@pytest.mark.parametrize(
    "call", ["speed(self, point_no: int) -> float | None", "merge_imports(self, imps: list[str]) -> str"]
)
def test_places_in_something_and_modules_are_not_made_up(call: str) -> None:
    (found,) = answers({"shop.pyi": f"class Shelf:\n    def {call}: ...\n"}, Technique.RETURNS)
    assert isinstance(found, Declined)


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
            'class Cart:\n    def __init__(self, size: int) -> None:\n        """Make.\n\n        Raises:\n'
            '            ValueError: where the size does not fit\n        """\n    def total(self) -> int: ...\n',
            "so that its constructor does not raise",
        ),
        ("def words_to_int(words: list[int]) -> int: ...\n", "of which form"),
        ("def is_same_address(left: str, right: str) -> bool: ...\n", "a text that may stand for `left`"),
        ("def hashed(data: bytes = None, text: str = None) -> bytes: ...\n", "which of its arguments"),
        (
            "class Diff:\n    def __init__(self, changes: dict[str, bool]) -> None: ...\n"
            "    @property\n    def major(self) -> bool: ...\n",
            "which keys the changes of a Diff have",
        ),
        ("from re import Match\ndef shown(found: Match[str] | str) -> str: ...\n", "what matches"),
        ("from decimal import Decimal\ndef forced(amount: object) -> Decimal: ...\n", "makes a Decimal"),
        (
            "class Span:\n    def __init__(self, ends: list[int]) -> None: ...\n    def __int__(self) -> int: ...\n",
            "which number",
        ),
        (
            "class Part: ...\nclass One(Part): ...\nclass Two(Part): ...\ndef made(kind: type[Part]) -> int: ...\n",
            "which kind of Part",
        ),
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
    read = "class Line:\n    def __init__(self, {0}: str) -> None: ...\n    @property\n    def {0}(self) -> str: ...\n"
    assert 'line = Line("code")' in written({"shop.pyi": read.format("code")}, Technique.RETURNS)
    assert "`version`" in needed({"shop.pyi": read.format("version")}, Technique.RETURNS)


@pytest.mark.parametrize(
    ("end", "is_asked"), [("T12:00:00+0900", False), ("T12:00:00Z", False), ("T12:00:00", True)]
)
def test_an_object_of_times_with_a_zone_is_given_none_without(end: str, is_asked: bool) -> None:
    page = f">>> from shop import Span\n>>> Span('2024-05-17{end}')\nSpan\n"
    stub = (
        "from datetime import datetime\nclass Span:\n    def __init__(self, start: str) -> None: ...\n"
        "    def holds(self, time: datetime) -> bool: ...\n"
    )
    (answer,) = answers({"shop.pyi": stub, "README.md": page}, Technique.RETURNS)
    assert isinstance(answer, Draft) is is_asked


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
        ("type[Shop]", "Shop"),
    ],
)
def test_values_of_further_types_are_known(annotation: str, value: str) -> None:
    stub = (
        "import _typeshed, datetime\nfrom collections.abc import Container, Iterator\n"
        f"class Shop: ...\ndef shown(given: {annotation}) -> str: ...\n"
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


@pytest.mark.parametrize(("annotation", "value"), [("float", "2460448.5"), ("int", "2460448")])
def test_a_julian_day_is_one_of_today(annotation: str, value: str) -> None:
    stub = f"def leap(jd: {annotation}) -> bool: ...\n"
    assert f"leap({value})" in written({"shop.pyi": stub}, Technique.RETURNS)


def test_a_year_is_one_of_today_where_no_other_calendar_is_meant() -> None:
    stub = "def length(year: int) -> int: ...\n"
    assert "length(2024)" in written({"shop.pyi": stub}, Technique.RETURNS)
    other = f"{stub}def to_gregorian(*date: int) -> list[int]: ...\n"
    told = [
        each.needs for each in answers({"shop.pyi": other}, Technique.RETURNS) if isinstance(each, Declined)
    ]
    assert "which year the calendar of shop has" in told


def test_a_year_of_its_calendar_is_within_the_range_of_which_no_bound_is_told() -> None:
    stub = (
        "class Hijri:\n    def __init__(self, year: int, month: int) -> None:\n        '''Make.\n\n        Raises:\n"
        "            OverflowError: When ``year`` is out of supported range.\n"
        "            ValueError: When ``month`` is not within the range of `{}`.\n        '''\n"
        "    def leap(self) -> bool: ...\n    def to_gregorian(self) -> list[int]: ...\n"
    )
    for span, is_made in (("1..12", True), ("-3..0", False)):
        drafts = answers({"shop.pyi": stub.format(span)}, Technique.RETURNS)
        assert any(isinstance(each, Draft) and "Hijri(1440, 1)" in each.source for each in drafts) is is_made


def test_so_many_points_as_a_shape_needs_are_not_made_up() -> None:
    stub = "def area({}: list[tuple[float, float]]) -> float: ...\n"
    assert "how many points" in needed({"shop.pyi": stub.format("coords")}, Technique.RETURNS)
    assert "area([(1.5, 1.5,)])" in written({"shop.pyi": stub.format("pairs")}, Technique.RETURNS)


def test_a_year_is_one_of_the_calendar_that_a_class_is_called_after() -> None:
    stub = (
        "class {0}:\n    def __init__(self, year: int) -> None: ...\n    def leap(self) -> bool: ...\n"
        "    def to_gregorian(self) -> list[int]: ...\n"
    )
    for name, value in (("Hijri", 1440), ("JalaliDate", 1400), ("HebrewDate", 5780)):
        drafts = answers({"shop.pyi": stub.format(name)}, Technique.RETURNS)
        assert any(isinstance(each, Draft) and f"{name}({value})" in each.source for each in drafts)
    for name in ("MayanDate", "HijriOrJalali"):
        assert not any(
            isinstance(each, Draft) for each in answers({"shop.pyi": stub.format(name)}, Technique.RETURNS)
        )


@pytest.mark.parametrize(
    "stub",
    [
        "def parse(text: str) -> list[str]: ...\n",
        "def loads(s: str) -> Any: ...\n",
        "class Numeral:\n    @classmethod\n    def from_string(cls, string: str) -> Numeral: ...\n",
    ],
)
def test_what_is_made_of_a_text_asks_for_its_form(stub: str) -> None:
    if "Any" not in stub:
        assert "of which form" in needed({"shop.pyi": stub}, Technique.RETURNS)
    else:
        assert not [
            each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)
        ]


@pytest.mark.parametrize(
    ("stub", "missing"),
    [
        ("class Rule: ...\ndef find(name: str) -> Rule: ...\n", "what it finds is not said"),
        ("def locale_distance(wanted: str) -> int: ...\n", "a text that may stand for `wanted`"),
    ],
)
def test_no_text_is_made_up_for_what_is_found_or_of_a_form(stub: str, missing: str) -> None:
    assert missing in needed({"shop.pyi": stub}, Technique.RETURNS)


def test_a_class_of_the_standard_library_is_told_by_whatever_name_its_module_has() -> None:
    stub = "import datetime as dt\ndef later(days: int) -> dt.datetime: ...\n"
    text = written({"shop.pyi": stub}, Technique.RETURNS)
    assert "    from datetime import datetime\n" in text
    assert "    assert isinstance(found, datetime)\n" in text


def test_a_result_of_which_its_type_says_nothing_is_not_asked_for() -> None:
    assert answers({"shop.pyi": "import typing as t\ndef load() -> t.Any: ...\n"}, Technique.RETURNS) == []


def test_what_finds_something_by_its_name_is_not_given_any() -> None:
    stub = "class Rule: ...\ndef make_rule(name: str) -> Rule: ...\ndef signing(name: str) -> Rule: ...\n"
    told = answers({"shop.pyi": stub}, Technique.RETURNS)
    assert [isinstance(each, Draft) for each in told] == [True, False]


def test_what_ends_a_range_lies_behind_what_begins_it() -> None:
    stub = "def share(value: float, min_value: float, max_value: float) -> float: ...\n"
    assert "share(1.5, 1.5, 5)" in written({"shop.pyi": stub}, Technique.RETURNS)


def test_a_number_may_be_a_text_and_a_sign_is_one_of_a_text() -> None:
    stub = "def spelled(number: str | int) -> str: ...\n"
    assert "found = spelled(1)" in written({"shop.pyi": stub}, Technique.RETURNS)
    stub = "def is_mark(char: str) -> bool: ...\n"
    assert 'found = is_mark("a")' in written({"shop.pyi": stub}, Technique.RETURNS)


@pytest.mark.parametrize(
    ("type_", "given"), [("bytes", 'b"text"'), ("str", '"key"'), ("bytes | str", '"key"')]
)
def test_a_question_is_asked_with_a_text_or_bytes_as_its_type_says(type_: str, given: str) -> None:
    stub = f"def is_sealed(key: {type_}) -> bool: ...\n"
    assert f"found = is_sealed({given})" in written({"shop.pyi": stub}, Technique.RETURNS)


def test_a_text_beside_a_time_is_one_that_it_is_read_of() -> None:
    stub = "import datetime\ndef shown(label: str | datetime.datetime) -> str: ...\n"
    assert "shown(datetime(2024, 5, 17, 12, 30))" in written({"shop.pyi": stub}, Technique.RETURNS)


def test_a_text_beside_a_dictionary_is_one_that_it_is_read_of() -> None:
    stub = "def shown(label: str | dict[str, int]) -> str: ...\n"
    assert "found = shown({" in written({"shop.pyi": stub}, Technique.RETURNS)


def test_a_part_of_a_whole_is_no_more_than_one() -> None:
    stub = "def share(total: float, drop_probability: float) -> float: ...\n"
    assert "share(1.5, 0.5)" in written({"shop.pyi": stub}, Technique.RETURNS)


def test_types_may_be_named_with_the_module_of_builtins() -> None:
    stub = "import builtins\ndef half(name: builtins.str, n: builtins.int) -> builtins.bool: ...\n"
    text = written({"shop.pyi": stub}, Technique.RETURNS)
    assert '    found = half("name", 1)\n\n    assert isinstance(found, bool)\n' in text
