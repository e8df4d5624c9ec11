"""Tests of laws that methods of a class owe to one another: where they are planned, and what is written."""

from __future__ import annotations

import pytest

from engine.generators.functions.laws import LawGenerator
from planner.functions.cases import function_cases
from planner.generator import Context, Declined, Draft
from tests.engine.generators.drafting import source_of

LAWS = frozenset(
    {
        *(
            "equal",
            "hashed",
            "unordered",
            "unequal",
            "counted",
            "contained",
            "cleared",
            "put",
            "grown",
            "taken",
        ),
        *("set", "remade", "once", "dumped", "apart", "level", "uncompared"),
    }
)


def texts(stub: str) -> dict[str, str]:
    """The sources of the tests by law; each assertion is inferred."""
    source = source_of({"shop.pyi": stub})
    found = {}
    for case in function_cases(source):
        if case.target.get("law") in LAWS:
            answer = LawGenerator().generate(case, Context(source=source, application=None))
            assert isinstance(answer, Draft), answer
            assert all(each.inferred for each in answer.assertions)
            found[str(case.target["law"])] = answer.source.replace("  # inferred", "")
    return found


def test_objects_that_are_made_alike_are_equal_and_others_are_not() -> None:
    text = texts(
        "class Weight:\n"
        "    def __init__(self, grams: int, unit: str = 'g') -> None: ...\n"
        "    def __eq__(self, other: object) -> bool: ...\n"
        "    def __hash__(self) -> int: ...\n"
        "    def __lt__(self, other: Weight) -> bool: ...\n"
    )
    assert "    first = Weight(1)\n        second = Weight(1)\n" in text["equal"]
    assert "    assert first == second\n" in text["equal"]
    assert "    assert hash(first) == hash(second)\n" in text["hashed"]
    assert "    assert not first < second\n" in text["unordered"]
    assert "    second = Weight(2)\n" in text["unequal"] and "assert first != second" in text["unequal"]


def test_what_is_put_into_a_container_is_in_it() -> None:
    text = texts(
        "from collections.abc import Iterable, Iterator\n"
        "class Pile:\n"
        "    def __init__(self, items: Iterable[str] = ()) -> None: ...\n"
        "    def __len__(self) -> int: ...\n"
        "    def __iter__(self) -> Iterator[str]: ...\n"
        "    def __contains__(self, item: object) -> bool: ...\n"
        "    def push(self, item: str) -> None: ...\n"
        "    def pop(self) -> str: ...\n"
        "    def clear(self) -> None: ...\n"
    )
    assert (
        'pile = Pile(["one", "two"])' in text["counted"] and "len(pile) == len(list(pile))" in text["counted"]
    )
    assert "    assert list(pile)\n    assert all(each in pile for each in pile)\n" in text["contained"]
    assert '    pile.push("another item")\n\n    assert "another item" in pile\n' in text["put"]
    assert "before = len(pile)" in text["grown"] and "assert len(pile) == before + 1" in text["grown"]
    assert '    found = pile.pop()\n\n    assert found == "another item"\n' in text["taken"]
    assert "    pile.clear()\n\n    assert len(pile) == 0\n" in text["cleared"]


def test_what_an_object_holds_is_not_gone_through_where_it_is_only_told_its_size() -> None:
    stub = (
        "class Pile:\n    def __init__(self, of) -> None: ...\n"
        "    def __iter__(self): ...\n    def __contains__(self, item): ...\n"
    )
    for shown, missing in (("100", "what a new Pile holds is not said"), ("['one']", "")):
        code = f"class Pile:\n    '''Things.\n\n    >>> pile = Pile({shown})\n    '''\n"
        source = source_of({"shop.pyi": stub, "shop.py": code})
        (case,) = (each for each in function_cases(source) if each.target.get("law") == "contained")
        answer = LawGenerator().generate(case, Context(source=source, application=None))
        assert answer.needs == missing if isinstance(answer, Declined) else not missing


def test_what_is_set_is_read_back() -> None:
    text = texts(
        "class Card:\n"
        "    def __init__(self, owner: str) -> None: ...\n"
        "    def set_title(self, title: str) -> None: ...\n"
        "    def get_title(self) -> str: ...\n"
        "    @property\n    def limit(self) -> int: ...\n"
        "    @limit.setter\n    def limit(self, value: int) -> None: ...\n"
    )
    assert '    found = card.get_title()\n\n    assert found == "another title"\n' in text["taken"]
    assert "    card.limit = 2\n\n    assert card.limit == 2\n" in text["set"]


def test_an_object_stands_beside_others_as_its_operators_say() -> None:
    text = texts(
        "class Day:\n"
        "    def __init__(self, number: int) -> None: ...\n"
        "    def __eq__(self, other: object) -> bool: ...\n"
        "    def __lt__(self, other: object) -> bool: ...\n"
        "    def __le__(self, other: object) -> bool: ...\n"
    )
    assert "    assert day != object()\n" in text["apart"]
    assert "    assert day <= other\n" in text["level"]
    assert "    with pytest.raises(TypeError):\n        day < object()\n" in text["uncompared"]


def test_operators_that_take_objects_of_their_own_class_are_not_asked_for_others() -> None:
    stub = (
        "class Day:\n"
        "    def __init__(self, number: int) -> None: ...\n"
        "    def __eq__(self, other: Day) -> bool: ...\n"
        "    def __lt__(self, other: Day) -> bool: ...\n"
    )
    assert not {"apart", "level", "uncompared"} & set(texts(stub))


def test_what_is_written_is_read_and_made_again() -> None:
    text = texts(
        "from typing import Any, TextIO\n"
        "class Card:\n"
        "    def __init__(self, owner: str) -> None: ...\n"
        "    def to_dict(self) -> dict[str, Any]: ...\n"
        "    @classmethod\n    def from_dict(cls, data: dict[str, Any]) -> Card: ...\n"
        "def dump(thing: Any, file: TextIO) -> None: ...\n"
        "def load(file: TextIO) -> Any: ...\n"
        "def normalize_name(name: str) -> str: ...\n"
    )
    assert "    again = Card.from_dict(written)\n\n    assert again.to_dict() == written\n" in text["remade"]
    told = texts(
        "class Code:\n"
        "    def __init__(self, number: int) -> None: ...\n"
        "    def __str__(self) -> str: ...\n"
        "    def __bytes__(self) -> bytes: ...\n"
        "    @property\n    def hex(self) -> str: ...\n"
        "    @property\n    def weight(self) -> float: ...\n"
        "    @classmethod\n    def from_hex(cls, text: str) -> Code: ...\n"
        "    @classmethod\n    def from_weight(cls, weight: float) -> Code: ...\n"
    )
    assert "    again = Code.from_hex(written)\n\n    assert again.hex == written\n" in told["remade"]
    told = texts(
        "class Code:\n"
        "    def __init__(self, number: int) -> None: ...\n"
        "    def __bytes__(self) -> bytes: ...\n"
        "    @classmethod\n    def from_bytes(cls, value: bytes) -> Code: ...\n"
    )
    assert (
        "    written = bytes(code)\n" in told["remade"] and "assert bytes(again) == written" in told["remade"]
    )
    assert '    dump({"name": "text"}, file)\n    file.seek(0)\n    found = load(file)\n' in text["dumped"]
    assert "    found = normalize_name(done)\n\n    assert found == done\n" in text["once"]


@pytest.mark.parametrize(
    "stub",
    [
        # Nobody says what it is made of.
        "class Card:\n    def __init__(self, form) -> None: ...\n    def __eq__(self, other: object) -> bool: ...",
        # Something unknown may answer for it.
        "from other import Base\nclass Card(Base):\n    def __init__(self, name: str) -> None: ...\n"
        "    def __eq__(self, other: object) -> bool: ...",
        # What is read is not of the type that is set.
        "class Card:\n    def __init__(self, name: str) -> None: ...\n"
        "    def set_title(self, title: str) -> None: ...\n    def get_title(self) -> list[str]: ...",
        # What is written has another form.
        "def normalize(text: str) -> list[str]: ...\ndef dump(thing: object) -> None: ...\ndef load() -> object: ...",
        # Two have to be given.
        "class Pile:\n    def __init__(self, name: str) -> None: ...\n    def __len__(self) -> int: ...\n"
        "    def add(self, item: str, place: int) -> None: ...",
    ],
)
def test_nothing_is_planned_where_types_and_names_do_not_say_enough(stub: str) -> None:
    assert not texts(stub)


def test_a_class_that_keeps_nothing_to_be_read_can_be_made() -> None:
    source = source_of(
        {
            "shop.pyi": "class Press:\n    def __init__(self, owner: str) -> None: ...\n"
            "class Cart:\n    owner: str\n    def __init__(self, owner: str) -> None: ...\n"
        }
    )
    (case,) = [each for each in function_cases(source) if each.target.get("law") == "made"]
    answer = LawGenerator().generate(case, Context(source=source, application=None))
    assert isinstance(answer, Draft)
    assert '    press = Press("owner")\n\n    assert isinstance(press, Press)\n' in answer.source
    assert not any(each.inferred for each in answer.assertions)


def test_objects_that_work_out_what_they_are_may_be_equal_though_made_otherwise() -> None:
    stub = (
        "class Entry:\n    notes: str\n    unit: str\n    def __init__(self, name: str) -> None: ...\n"
        "    def __eq__(self, other: object) -> bool: ...\n"
    )
    assert "unequal" not in texts(stub) and "equal" in texts(stub)
    assert "unequal" in texts(stub.replace("    notes: str\n", ""))
