"""Tests of laws that stubs suggest: which are seen, what is written, and where a person has to say more."""

from __future__ import annotations

import pytest

from engine.generators.functions.laws import LawGenerator
from planner.cases import Technique
from planner.functions.cases import function_cases
from planner.generator import Context, Declined, Draft
from tests.engine.generators.drafting import cases_of, source_of


def laws(stub: str) -> list[Draft | Declined]:
    """What the generator makes of the laws of a stub, but for effects of arguments and for what is only made."""
    source = source_of({"shop.pyi": stub})
    context = Context(source=source, application=None)
    effects = {"effect", "default", "again", "made", "left out"}
    cases = [
        case
        for case in function_cases(source)
        if case.technique is Technique.PROPERTY and case.target["law"] not in effects
    ]
    return [LawGenerator().generate(case, context) for case in cases]


def law(stub: str) -> str:
    """The source of the test of the only law."""
    (answer,) = laws(stub)
    assert isinstance(answer, Draft), answer
    assert all(each.inferred for each in answer.assertions)
    return answer.source


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("encode_name", "decode_name"),
        ("text_to_code", "code_to_text"),
        ("dumps", "loads"),
        ("quote", "unquote"),
    ],
)
def test_what_one_function_makes_another_undoes(first: str, second: str) -> None:
    answers = laws(f"def {first}(value: str) -> bytes: ...\ndef {second}(data: str | bytes) -> str: ...\n")
    assert isinstance(answers[0], Draft)
    assert f"found = {second}({first}('a \"text\" & <more>'))" in answers[0].source
    assert "assert found == 'a \"text\" & <more>'" in answers[0].source


def test_a_value_is_of_the_type_that_comes_back() -> None:
    text = law("def pack(value: str | bytes) -> bytes: ...\ndef unpack(data: bytes) -> bytes: ...\n")
    assert "unpack(pack(b'a \"text\" & <more>'))" in text


@pytest.mark.parametrize(
    "stub",
    [
        "def pack(value: str) -> int: ...\ndef unpack(data: bytes) -> str: ...\n",
        "def pack(value: str) -> bytes: ...\ndef unpack(data: bytes) -> list[str]: ...\n",
        "def pack(value: str, key: str) -> bytes: ...\ndef unpack(data: bytes) -> str: ...\n",
    ],
)
def test_what_does_not_fit_together_is_left_to_a_person(stub: str) -> None:
    (answer,) = laws(stub)
    assert isinstance(answer, Declined)


def test_what_checks_a_result_knows_it_and_no_other() -> None:
    text = law(
        "class Signer:\n"
        "    def __init__(self, key: bytes) -> None: ...\n"
        "    def get_signature(self, value: bytes) -> bytes: ...\n"
        "    def verify_signature(self, value: bytes, signature: bytes) -> bool: ...\n"
    )
    assert "    made = signer.get_signature(b'a \"text\" & <more>')\n" in text
    assert "assert signer.verify_signature(b'a \"text\" & <more>', made) is True" in text
    assert 'assert signer.verify_signature(b"another text", made) is False' in text


def test_what_knows_a_result_alone_does_not_know_a_part_of_it() -> None:
    text = law(
        "class Signer:\n"
        "    def __init__(self, key: bytes) -> None: ...\n"
        "    def sign(self, value: bytes) -> bytes: ...\n"
        "    def validate(self, signed: bytes) -> bool: ...\n"
    )
    assert "assert signer.validate(made) is True" in text
    assert "assert signer.validate(made[1:]) is False" in text


def test_overloads_that_ask_for_the_same_are_called_with_it() -> None:
    text = law(
        "from typing import Literal, overload\n"
        "def pack(value: str) -> bytes: ...\n"
        "@overload\ndef unpack(data: bytes, raw: Literal[False] = ...) -> str: ...\n"
        "@overload\ndef unpack(data: bytes, raw: Literal[True] = ...) -> bytes: ...\n"
    )
    assert "found = unpack(pack('a \"text\" & <more>'))" in text


def test_what_is_of_a_type_that_varies_is_taken_back() -> None:
    stub = (
        "from typing import Any, TypeVar\n"
        'Form = TypeVar("Form", str, bytes)\n'
        "def dumps(thing: Any) -> Form: ...\n"
        "def loads(text: str | bytes) -> Any: ...\n"
    )
    assert "loads(dumps({" in law(stub)


def test_an_object_has_what_it_was_made_with() -> None:
    text = law(
        "class Cart:\n"
        "    def __init__(self, owner: str | None, limit: int = 5) -> None: ...\n"
        "    @property\n"
        "    def owner(self) -> str: ...\n"
    )
    assert '    cart = Cart("kept")\n' in text
    assert '    assert cart.owner == "kept"  # inferred\n' in text


def test_what_may_be_left_out_is_given_by_its_name() -> None:
    stub = "class Cart:\n    limit: int\n    def __init__(self, strict: bool = False, limit: int = 5) -> None: ...\n"
    assert "    cart = Cart(limit=3)\n" in law(stub)


def test_what_a_class_takes_over_holds_for_its_objects() -> None:
    stub = (
        "class Signer:\n"
        "    def __init__(self, key: bytes) -> None: ...\n"
        "    def sign(self, value: bytes) -> bytes: ...\n"
        "    def unsign(self, signed: bytes) -> bytes: ...\n"
        "class Quick(Signer):\n    speed: int\n"
        "class Other(Signer):\n    def unsign(self, signed: bytes) -> bytes: ...\n"
        "class Both(Quick, Other): ...\n"
    )
    made = [each.source for each in laws(stub) if isinstance(each, Draft)]
    assert [[f'= {name}(b"key")' in text for text in made].count(True) for name in ("Signer", "Quick")] == [
        1,
        1,
    ]
    assert not any(f"{name}(" in text for name in ("Other", "Both") for text in made)
    assert "found = quick.unsign(quick.sign(" in made[1]


def test_a_bounded_mapping_holds_no_more() -> None:
    answers = laws(
        "from collections.abc import MutableMapping\n"
        "class Cache(MutableMapping[str, int]):\n"
        "    def __init__(self, maxsize: int) -> None: ...\n"
        "class Newest(Cache): ...\n"
    )
    texts = [each.source for each in answers if isinstance(each, Draft) and "range(3)" in each.source]
    assert [f"kept = {name}(2)" in text for name, text in zip(("Cache", "Newest"), texts, strict=True)] == [
        True,
        True,
    ]
    assert "    assert len(kept) == 2  # inferred\n    assert 2 in kept  # inferred\n" in texts[0]


def test_a_parameter_of_another_type_than_what_is_read_promises_nothing() -> None:
    stub = "class Cart:\n    owner: Person\n    def __init__(self, owner: str) -> None: ...\n"
    (answer,) = laws(stub)
    assert isinstance(answer, Declined)


def test_a_mapping_keeps_what_is_put_in_and_so_does_what_derives_from_it() -> None:
    answers = laws(
        "from collections.abc import MutableMapping\n"
        "class Shelf(MutableMapping[str, int]):\n"
        "    def __init__(self, size: int) -> None: ...\n"
        "class Drawer(Shelf): ...\n"
    )
    texts = [each.source for each in answers if isinstance(each, Draft)]
    assert [sum(f"kept = {name}(1)" in text for text in texts) for name in ("Shelf", "Drawer")] == [1, 1]


def test_what_only_others_derive_from_is_not_made() -> None:
    stub = (
        "from collections.abc import MutableMapping\n"
        "class Shelf(MutableMapping[str, int]):\n"
        '    """Where things lie. Subclasses must say where."""\n'
        "    def __init__(self, size: int) -> None: ...\n"
    )
    (answer,) = laws(stub)
    assert isinstance(answer, Declined)
    assert answer.needs == "how an object of Shelf is made"


@pytest.mark.parametrize(
    "stub",
    [
        "class Shop:\n    base_url: str\n    def __init__(self, base_url: str) -> None: ...\n",
        "class ShopError(Exception):\n    msg: str\n    def __init__(self, msg: str) -> None: ...\n",
    ],
)
def test_what_is_often_kept_in_another_form_is_not_compared(stub: str) -> None:
    (answer,) = laws(stub)
    assert isinstance(answer, Declined)
    assert "as it was given" in answer.needs


MAPPING = (
    "from collections.abc import MutableMapping\nfrom typing import Any, NoReturn\n"
    "class Shelf({}):\n    def __init__(self, size: int) -> None: ...\n"
    "    def __getitem__(self, key: str) -> int: ...\n    def get(self, key: str, default: int = 0) -> int: ...\n"
    "    def clear(self) -> {}: ...\n"
)


@pytest.mark.parametrize("base", ["MutableMapping[str, int]", "dict[str, Any]", "dict[_K, _V]", "dict"])
def test_the_methods_of_a_mapping_go_with_what_was_put_in(base: str) -> None:
    texts = [each.source for each in laws(MAPPING.format(base, "None")) if isinstance(each, Draft)]
    assert len(texts) == 3
    assert any('    other = kept.get("two", 2)\n' in each for each in texts)
    assert any("    kept.clear()\n\n    assert len(kept) == 0" in each for each in texts)


@pytest.mark.parametrize("base", ["MutableMapping[str, str]", "dict[str, list[int]]", "dict[int, int]"])
def test_a_mapping_of_other_things_is_not_filled(base: str) -> None:
    assert not [each for each in laws(MAPPING.format(base, "None")) if "kept" in str(each)]


def test_what_a_mapping_never_does_is_not_asked_of_it() -> None:
    texts = [each for each in laws(MAPPING.format("dict", "NoReturn")) if isinstance(each, Draft)]
    assert not [each for each in texts if "clear" in each.source]


def test_what_is_undone_may_be_spelled_with_capitals() -> None:
    stub = (
        "def compressToBase64(whole: str | None) -> str: ...\n"
        "def decompressFromBase64(packed: str | None) -> str | None: ...\n"
    )
    assert "    found = decompressFromBase64(compressToBase64(" in law(stub)


def test_an_object_that_another_one_keeps_is_the_same_one() -> None:
    text = law(
        "class Page:\n    def size(self) -> int: ...\n"
        "class Book:\n    first: Page\n    def __init__(self, first: Page) -> None: ...\n"
    )
    assert (
        "    with made_up:\n        given = Page()\n        book = Book(given)\n\n"
        "    assert book.first is given  # inferred\n" in text
    )


def test_each_of_several_things_that_an_object_is_made_of_is_kept() -> None:
    stub = (
        "class Book:\n    number: int\n    title: str\n    pages: int\n"
        "    def __init__(self, number: int, title: str, pages: int, *, limit: int = 5) -> None: ...\n"
    )
    texts = [each.source for each in laws(stub) if isinstance(each, Draft)]
    assert len(texts) == 3
    assert any('    book = Book(1, "kept", 1)\n\n    assert book.title == "kept"' in each for each in texts)
    assert any('    book = Book(1, "title", 3)\n\n    assert book.pages == 3' in each for each in texts)


def test_a_mapping_into_which_nothing_can_be_put_keeps_nothing() -> None:
    stub = "class Shelf(dict[str, int]):\n    def __init__(self) -> None: ...\n    __setitem__: None\n"
    assert not [each for each in cases_of(stub) if each.target.get("law") == "mapping"]


@pytest.mark.parametrize(
    ("types", "missing"), [("K, V", ""), ("K, V, S", "whether a Shelf has its keys as they")]
)
def test_a_mapping_of_more_types_than_keys_and_values_may_have_other_keys(types: str, missing: str) -> None:
    stub = (
        f"class Shelf(Generic[{types}], MutableMapping[K, V]):\n    def __init__(self, size: int = 3) -> None: ...\n"
        "    def __getitem__(self, key: K) -> V: ...\n"
    )
    (answer,) = laws(stub)
    assert missing in answer.needs if isinstance(answer, Declined) else not missing


def test_a_mapping_is_made_of_nothing_where_one_of_its_signatures_allows_it() -> None:
    text = law(
        "class Shelf(MutableMapping[K, V]):\n    @overload\n    def __init__(self, other: Mapping[K, V]) -> None: ...\n"
        "    @overload\n    def __init__(self, *, size: int = 3) -> None: ...\n"
        "    def __getitem__(self, key: K) -> V: ...\n"
    )
    assert "    kept = Shelf()\n" in text


def test_a_round_trip_is_not_made_with_what_may_be_refused() -> None:
    doc = '    """Encode.\n\n    :raises ValueError: If the name contains an invalid label.\n    """\n'
    (answer,) = laws(f"def encode_it(name: str) -> bytes:\n{doc}\n\ndef decode_it(data: bytes) -> str: ...\n")
    assert isinstance(answer, Declined)
    assert answer.needs == "an example of a call of encode_it that does not raise"


def test_a_text_that_is_marks_by_default_is_of_a_form() -> None:
    stub = "class Tags:\n    between: str\n    def __init__(self, between: str = {}) -> None: ...\n"
    assert "of which form the between of a Tags is" in needs_of(laws(stub.format("'<>'")))
    assert "of which form the between of a Tags is" not in needs_of(laws(stub.format("'and'")))


def needs_of(answers: list[Draft | Declined]) -> list[str]:
    return [each.needs for each in answers if isinstance(each, Declined)]
