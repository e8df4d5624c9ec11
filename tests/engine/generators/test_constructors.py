"""What tests make objects of, and which objects they leave to a person."""

from __future__ import annotations

import pytest

from engine.generators.functions.laws import LawGenerator
from planner.cases import Technique
from planner.functions.cases import function_cases
from planner.generator import Context, Declined, Draft
from tests.engine.generators.drafting import answers, needed, source_of, written


@pytest.mark.parametrize(
    ("made", "missing"),
    [
        ("text: str | None = None, size: int = 3", "what an object of Cart is made of"),
        ("text: str | None = ..., size: int | None = ...", "what an object of Cart is made of"),
        ("low: int = -1, high: int = -1", "what an object of Cart is made of"),
        ("name: str, version: str = ''", "whether an object of Cart can have an empty version"),
    ],
)
def test_an_object_is_not_made_without_what_it_is_about(made: str, missing: str) -> None:
    stub = f"class Cart:\n    def __init__(self, {made}) -> None: ...\n    @property\n    def total(self) -> int: ...\n"
    assert missing in needed({"shop.pyi": stub}, Technique.RETURNS)


def test_what_a_class_makes_instead_of_its_objects_is_not_known() -> None:
    stub = (
        "class Field:\n    def __new__(cls, *args, **kwargs): ...\n    def __init__(self, name: str) -> None: ...\n"
        "class TextField(Field):\n    @property\n    def size(self) -> int: ...\n"
    )
    assert "makes an object of it at once" in needed({"shop.pyi": stub}, Technique.RETURNS)


@pytest.mark.parametrize("words", ["text: str | Chord", "text: Union[str, Chord]", "chord: 'Chord | str'"])
def test_a_text_of_which_an_object_is_made_is_not_made_up(words: str) -> None:
    stub = f"from typing import Union\nclass Chord: ...\nclass Song:\n    def add({'self, ' + words}) -> None: ...\n"
    assert "    found = song.add(Chord())\n" in written({"shop.pyi": stub}, Technique.RETURNS)


def test_what_nothing_gives_an_object_is_not_there() -> None:
    stub = "class Answer:\n    text: str\n    def __repr__(self) -> str: ...\n"
    assert "what gives a new Answer its text" in needed({"shop.pyi": stub}, Technique.RETURNS)
    assert "repr(answer)" in written({"shop.pyi": stub.replace("str\n", "str = ...\n", 1)}, Technique.RETURNS)


def test_a_container_that_can_be_changed_may_have_no_hash() -> None:
    stub = "class Cart(dict):\n    def __init__(self, size: int) -> None: ...\n    def __hash__(self) -> int: ...\n"
    assert "has a hash" in needed({"shop.pyi": stub}, Technique.RETURNS)
    assert "hash(" in written({"shop.pyi": stub.replace("Cart", "FrozenCart")}, Technique.RETURNS)


def test_an_object_is_not_made_of_nothing_but_none() -> None:
    stub = (
        "from typing import overload\nclass Range:\n"
        "    @overload\n    def __init__(self, start: None, end: None) -> None: ...\n"
        "    @overload\n    def __init__(self, start: int, end: int) -> None: ...\n"
        "    def whole(self) -> bool: ...\n"
    )
    assert "what an object of Range is made of" in needed({"shop.pyi": stub}, Technique.RETURNS)


@pytest.mark.parametrize(
    ("stub", "missing"),
    [
        (
            "class Lazy:\n    def size(self) -> int: ...\n"
            "class First(Lazy):\n    def _fill(self): ...\nclass Second(Lazy):\n    def _fill(self): ...\n",
            "how an object of Lazy is made",
        ),
        (
            "from outside import Base\nclass Cart(Base):\n    def __init__(self, size: int = 1, **more) -> None: ...\n"
            "    def empty(self) -> bool: ...\n",
            "what the bases of Cart are made of",
        ),
        (
            "class Cart:\n    def __init__(self, _memory: int = 3) -> None: ...\n    def empty(self) -> bool: ...\n",
            "how an object of Cart is made",
        ),
        ("class _Inner: ...\ndef opened() -> _Inner: ...\n", "may only be one of the stub"),
    ],
)
def test_what_only_the_project_itself_makes_or_has_is_not_asked_for(stub: str, missing: str) -> None:
    assert missing in needed({"shop.pyi": stub}, Technique.RETURNS)


_CONTEXT = "class Context:{}\n    def whole(self) -> bool: ...\n"


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ("", "class Context:\n    def __init__(self):\n        self.size = 0\n        raise TypeError()\n"),
        ("", "class Context:\n    def __new__(cls):\n        raise TypeError('see open_context')\n"),
        (
            "\n    def __init__(self) -> None: ...",
            "class Context:\n    def __init__(self):\n        raise TypeError\n",
        ),
        ("\n    def __init__(self) -> NoReturn: ...", ""),
        ("\n    def __new__(cls) -> typing.Never: ...", ""),
    ],
)
def test_what_its_own_constructor_refuses_is_made_by_something_else(own: str, code: str) -> None:
    files = {"shop.pyi": _CONTEXT.format(own), **({"shop.py": code} if code else {})}
    assert needed(files, Technique.RETURNS) == "how an object of Context is made: its constructor raises"


@pytest.mark.parametrize("body", ["raise NotImplementedError", "if 0:\n            raise TypeError"])
def test_an_object_whose_constructor_may_come_to_its_end_is_made(body: str) -> None:
    code = f"class Context:\n    def __init__(self):\n        {body}\n"
    files = {"shop.pyi": _CONTEXT.format(""), "shop.py": code}
    assert "    context = Context()\n" in written(files, Technique.RETURNS)


def test_an_address_that_nobody_has_passes_no_examination() -> None:
    stub = "class Address: ...\ndef validate_email(email: str) -> Address: ...\n"
    assert "what validate_email finds in a test" in needed({"shop.pyi": stub}, Technique.RETURNS)
    assert "validate_email(" in written(
        {"shop.pyi": stub.replace("-> Address", "-> bool")}, Technique.RETURNS
    )


def test_the_first_base_that_has_a_constructor_makes_an_object() -> None:
    stub = (
        "class Fixed: ...\nclass Cart:\n    def __init__(self, size: int) -> None: ...\n"
        "class FixedCart(Fixed, Cart):\n    def __repr__(self) -> str: ...\n"
    )
    assert "repr(" in (text := written({"shop.pyi": stub}, Technique.RETURNS)) and "FixedCart()" not in text


@pytest.mark.parametrize(
    ("parameters", "missing"),
    [
        ("**kw", "what combine is given, which takes anything"),
        ("inputs: str | None = None, deep: bool = False", "what combine does without its inputs"),
        ("more: str = None", "a value for `more` of combine, whose type has no None"),
    ],
)
def test_what_has_to_be_given_though_nothing_says_so_is_left_to_a_person(
    parameters: str, missing: str
) -> None:
    stub = f"class Cart:\n    @staticmethod\n    def combine({parameters}) -> str: ...\n"
    assert missing in needed({"shop.pyi": stub}, Technique.RETURNS)


def test_an_object_that_is_read_of_one_of_several_things_is_not_made_of_none() -> None:
    stub = (
        "class Delta:\n"
        "    def __init__(self, delta: dict[str, int] | None = None, delta_path: str | None = None,\n"
        "        delta_file: str | None = None, strict: bool = False) -> None: ...\n"
        "    @property\n"
        "    def strict(self) -> bool: ...\n"
    )
    source = source_of({"shop.pyi": stub})
    cases = [each for each in function_cases(source) if each.target.get("law") == "kept"]
    found = [LawGenerator().generate(each, Context(source=source, application=None)) for each in cases]
    kept = [each.needs for each in found if isinstance(each, Declined)]
    assert "what an object of Delta is made of: `delta_path`, `delta_file` or something else" in kept


def test_an_object_that_is_read_of_a_file_or_told_several_things_is_told_one_of_them() -> None:
    stub = (
        "class Sketch:\n"
        "    def __init__(self, limit: int = 10, width: int | None = None, depth: int | None = None,\n"
        "        filepath: str | None = None) -> None: ...\n"
        "    @property\n"
        "    def limit(self) -> int: ...\n"
        "    @property\n"
        "    def depth(self) -> int: ...\n"
    )
    source = source_of({"shop.pyi": stub})
    cases = [each for each in function_cases(source) if each.target.get("attribute") == "limit"]
    (found,) = [LawGenerator().generate(each, Context(source=source, application=None)) for each in cases]
    assert isinstance(found, Declined)
    assert found.needs == "what an object of Sketch is made of: `filepath` or `width`"


def test_a_class_that_is_shown_to_refuse_a_text_is_given_no_other() -> None:
    stub = "class Mark:\n    sign: str\n    def __init__(self, sign: str) -> None: ...\n"
    code = (
        "class Mark:\n"
        '    """One.\n\n    >>> Mark("xyz")\n    Traceback (most recent call last):\n    ValueError: no sign\n    """\n'
    )
    source = source_of({"shop.pyi": stub, "shop.py": code})
    cases = [each for each in function_cases(source) if each.target.get("law") == "kept"]
    found = [LawGenerator().generate(each, Context(source=source, application=None)) for each in cases]
    assert [each.needs for each in found if isinstance(each, Declined)] == [
        "what a Mark takes: an example shows what it refuses"
    ]


def test_what_is_given_together_with_others_is_not_given_alone() -> None:
    stub = (
        "class Version:\n    def __init__(self, post: int | None = None, post_tag: str | None = None,\n"
        "        size: int = 1) -> None: ...\n"
        "    @property\n    def post(self) -> int | None: ...\n"
        "    @property\n    def size(self) -> int: ...\n"
    )
    source = source_of({"shop.pyi": stub})
    cases = [each for each in function_cases(source) if each.target.get("law") == "kept"]
    found = [LawGenerator().generate(each, Context(source=source, application=None)) for each in cases]
    assert [each.needs for each in found if isinstance(each, Declined)] == [
        "whether a Version can have a post without a post_tag"
    ]
    assert [each.source for each in found if isinstance(each, Draft)]


@pytest.mark.parametrize(("name", "count"), [("reason", 1), ("number", 0)])
def test_a_text_that_is_read_as_a_number_is_not_its_name(name: str, count: int) -> None:
    stub = (
        f"class Problem:\n    {name}: str\n    def __init__(self, {name}: str) -> None: ...\n"
        "    def __str__(self) -> str: ...\n"
    )
    found = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    assert sum("str(problem)" in each.source for each in found) == count


def test_what_connects_made_up_objects_is_left_to_a_person() -> None:
    stub = (
        "class Node:\n"
        "    def __init__(self, name: str) -> None: ...\n"
        "    def path_to(self, other: Node) -> list[str]: ...\n"
    )
    assert "how what it is given belongs together" in needed({"shop.pyi": stub}, Technique.RETURNS)


def test_class_methods_that_all_derived_classes_have_are_not_asked_of_their_base() -> None:
    heirs = "".join(
        f"class {name}(Monad):\n    @classmethod\n    def insert(cls, size: int) -> {name}: ...\n"
        for name in "AB"
    )
    stub = f"class Monad:\n    @classmethod\n    def insert(cls, size: int) -> Monad: ...\n{heirs}"
    found = answers({"shop.pyi": stub}, Technique.RETURNS)
    assert "each kind does otherwise" in next(each.needs for each in found if isinstance(each, Declined))
