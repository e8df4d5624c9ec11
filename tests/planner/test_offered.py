"""Tests of names that a public module offers of what a private one defines, and that tests use these names."""

from __future__ import annotations

import pytest

from engine.generators.functions.facts import Surface
from planner.cases import Technique
from planner.functions.cases import function_cases
from planner.functions.offered import offered, public
from tests.engine.generators.drafting import source_of, written

CART = "class Cart:\n    def total(self, rate: int) -> int: ...\n"


@pytest.mark.parametrize(
    "face",
    [
        "from _cart import Cart as Cart\n",
        'from _cart import Cart\n__all__ = ["Cart"]\n',
        'from _cart import *\n__all__ = ["Cart"]\n',
        'from _middle import Cart\n__all__ = ["Cart"]\n',
    ],
)
def test_what_a_module_offers_has_its_public_name(face: str) -> None:
    names = offered(
        source_of({"shop.pyi": face, "_cart.pyi": CART, "_middle.pyi": "from _cart import Cart as Cart\n"})
    )
    assert names == {"_cart.Cart": "shop.Cart"}
    assert public("_cart.Cart.total", names) == "shop.Cart.total"
    assert public("_cart.Other", names) == "_cart.Other"


@pytest.mark.parametrize(
    "face", ["from _cart import Cart\n", "from _cart import Cart as Cart\n__all__ = []\n", "import _cart\n"]
)
def test_what_is_only_used_is_not_offered(face: str) -> None:
    assert not offered(source_of({"shop.pyi": face, "_cart.pyi": CART}))


def test_modules_that_hand_a_name_round_in_a_circle_end() -> None:
    first, second = "from _b import Cart as Cart\n", "from _a import Cart as Cart\n"
    names = offered(
        source_of({"shop.pyi": "from _a import Cart as Cart\n", "_a.pyi": first, "_b.pyi": second})
    )
    assert list(names.values()) == ["shop.Cart"]


def test_a_test_imports_what_it_is_about_by_its_public_name() -> None:
    files = {"shop.pyi": "from _cart import Cart as Cart\n", "_cart.pyi": CART}
    assert "    from shop import Cart\n" in written(files, Technique.CALLABLE)


@pytest.mark.parametrize(
    ("code", "is_there"),
    [
        (
            "if Image is None:\n    Writer = None\nelse:\n    class Writer:\n        def save(self) -> int: ...\n",
            False,
        ),
        ("try:\n    import fast\nexcept ImportError:\n    class Writer: ...\n", False),
        ("if sys.version_info >= (3, 8):\n    class Writer: ...\nelse:\n    class Writer: ...\n", True),
        ("try:\n    import fast\n    class Writer: ...\nexcept ImportError:\n    Writer = None\n", False),
        ("if FAST:\n    class Writer: ...\nclass Writer: ...\n", True),
        ("", True),
    ],
)
def test_what_the_code_has_only_under_a_condition_that_nobody_knows_is_not_asked_for(
    code: str, is_there: bool
) -> None:
    stub = "class Writer:\n    def save(self) -> int: ...\ndef other() -> int: ...\n"
    source = source_of({"shop.pyi": stub, "shop.py": f"import sys\n{code}"})
    assert ("shop.Writer" in {fact.key for fact in Surface(source).facts.values()}) is is_there
    named = {part for case in function_cases(source) for part in case.target.get("members", [case.subject])}
    assert any("Writer" in str(each) for each in named) is is_there
    assert any("other" in str(each) for each in named)
