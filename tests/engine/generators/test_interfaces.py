"""Tests of what is only there: how many they are, and what stands in one of them."""

from __future__ import annotations

from engine.generators.functions.signature import SignatureGenerator
from planner.cases import Technique
from planner.functions.cases import function_cases
from planner.generator import Context, Draft
from tests.engine.generators.drafting import source_of

_PLACES = (Technique.CALLABLE, Technique.IMPORTABLE)


def drafted(files: dict[str, str]) -> dict[str, str]:
    """The bodies of all tests of what is there and how it is called, without their docstrings, by their names."""
    source = source_of(files)
    found = {}
    for case in function_cases(source):
        if case.technique in _PLACES:
            draft = SignatureGenerator().generate(case, Context(source=source, application=None))
            assert isinstance(draft, Draft), draft
            found[draft.name] = draft.source.split('"""')[-1].strip().replace("\n    ", "\n")
    return found


def test_what_a_module_has_beside_its_functions_stands_in_their_test() -> None:
    stub = "def price(size): ...\nLIMIT = 3\nclass Error(Exception): ...\n"
    assert drafted({"shop/prices.pyi": stub}) == {
        "test_prices_functions_are_called_as_the_stub_says": (
            "from shop.prices import Error, LIMIT, price\n\n"
            "takes(price, lambda size: ..., awaited=None)\n"
            "assert LIMIT == 3\n"
            "assert isinstance(Error, type)\n"
            "assert issubclass(Error, Exception)"
        )
    }


def test_what_a_class_derives_from_stands_in_the_test_of_its_methods() -> None:
    stub = "class Shape: ...\nclass Square(Shape):\n    def area(self) -> int: ...\n"
    assert drafted({"shapes.pyi": stub})["test_square_is_called_as_its_stub_says"] == (
        "from shapes import Shape, Square\n\n"
        "assert isinstance(Square, type)\n"
        "assert issubclass(Square, Shape)\n"
        "takes(Square.area, lambda self: ...)"
    )


def test_many_classes_that_derive_from_one_have_one_test() -> None:
    names = ["Circle", "Square", "Triangle", "Oval"]
    method = "    def area(self) -> int: ...\n"
    stub = f"class Shape:\n{method}" + "".join(f"class {name}(Shape):\n{method}" for name in names)
    assert list(drafted({"shapes.pyi": stub})) == [
        "test_shape_heirs_are_called_as_their_stub_says",
        "test_shape_is_called_as_its_stub_says",
    ]
    few = stub.replace(f"class Oval(Shape):\n{method}", "")
    assert len(drafted({"shapes.pyi": few})) == 4


def test_many_modules_without_functions_have_one_test_that_tells_equal_names_apart() -> None:
    files = {
        "words/__init__.pyi": "from words.cat import cat\n",
        "words/base.pyi": "class Base:\n    def say(self): ...\n",
    }
    for name in ("dog", "cow", "cat", "ant", "bee"):
        files[f"words/{name}.pyi"] = (
            f"from words.base import Base\nclass Word(Base): ...\nSIZE = {len(files)}\n"
        )
    found = drafted(files)
    assert sorted(found) == [
        "test_base_is_called_as_its_stub_says",
        "test_cat_has_what_its_stub_names",  # the package has a function of this name
        "test_words_modules_have_what_their_stubs_name",
    ]
    assert found["test_words_modules_have_what_their_stubs_name"].startswith(
        "from words import ant, base, bee, cow, dog\n\n"
        "assert ant.SIZE == 5\n"
        "assert isinstance(ant.Word, type)\n"
        "assert issubclass(ant.Word, base.Base)\n"
    )


def test_a_base_that_only_type_checkers_know_is_not_asked_for() -> None:
    stub = (
        "from typing import Protocol, type_check_only\n"
        "@type_check_only\n"
        "class Sized(Protocol): ...\n"
        "class Box(Sized):\n"
        "    def open(self): ...\n"
    )
    assert drafted({"boxes.pyi": stub}) == {
        "test_box_is_called_as_its_stub_says": (
            "from boxes import Box\n\n"
            "assert isinstance(Box, type)\n"
            "takes(Box.open, lambda self: ..., awaited=None)"
        )
    }


def test_a_base_may_be_named_by_all_of_its_module() -> None:
    files = {
        "shop/__init__.pyi": "",
        "shop/parts/box.pyi": "class Box: ...\n",
        "shop/carton.pyi": "import shop.parts.box\nclass Carton(shop.parts.box.Box):\n    def open(self): ...\n",
    }
    assert drafted(files)["test_carton_is_called_as_its_stub_says"].startswith(
        "import shop.parts.box\nfrom shop.carton import Carton\n\n"
        "assert isinstance(Carton, type)\nassert issubclass(Carton, shop.parts.box.Box)\n"
    )


def test_what_takes_the_signature_of_another_is_not_compared_with_what_stands_there() -> None:
    code = (
        "import functools\n"
        "class Box:\n    def __init__(self, size=1): ...\n"
        "class Crate(Box):\n"
        "    @functools.wraps(Box.__init__)\n    def __init__(self, *args, lid=None): ...\n"
        "    def close(self): ...\n"
    )
    stub = code.replace("    @functools.wraps(Box.__init__)\n", "")
    sources = "".join(drafted({"shop.py": code, "shop.pyi": stub}).values())
    assert "takes(Crate.close" in sources
    assert "takes(Crate," not in sources
    assert "takes(Crate," in "".join(drafted({"shop.pyi": stub}).values())
