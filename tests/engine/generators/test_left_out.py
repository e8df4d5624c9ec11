"""Tests of what a new object has where its constructor is told nothing else."""

from __future__ import annotations

import pytest

from engine.generators.functions.laws import LawGenerator
from planner.functions.cases import function_cases
from planner.generator import Context, Declined, Draft
from tests.engine.generators.drafting import source_of


def answer(stub: str, page: str = "") -> Draft | Declined | None:
    """What is made of the only case of what is left out; None where there is none."""
    source = source_of({"shop.pyi": stub, **({"README.md": page} if page else {})})
    cases = [case for case in function_cases(source) if case.target.get("law") == "left out"]
    if not cases:
        return None
    (case,) = cases
    return LawGenerator().generate(case, Context(source=source, application=None))


def test_a_new_object_has_the_defaults_of_its_constructor_by_their_names() -> None:
    found = answer(
        "class Shelf:\n"
        "    size: int\n    open: Incomplete\n"
        "    @property\n    def label(self) -> str: ...\n"
        "    def __init__(self, rows: int, size: int = 20, open: bool = False, label: str = 'A') -> None: ...\n"
    )
    assert isinstance(found, Draft)
    assert found.name == "test_shelf_has_what_is_left_out_as_told"
    assert found.source.endswith(
        "    with made_up:\n        shelf = Shelf(1)\n\n"
        "    assert shelf.size == 20  # inferred\n"
        "    assert shelf.open is False  # inferred\n"
        "    assert shelf.label == 'A'  # inferred\n"
    )


@pytest.mark.parametrize(
    "row",
    [
        "tags: Incomplete\n    def __init__(self, tags: object = ()) -> None: ...\n",
        "name: Incomplete\n    def __init__(self, name: str = '') -> None: ...\n",
        "limit: Incomplete\n    def __init__(self, limit: int = -1) -> None: ...\n",
        "owner: Incomplete\n    def __init__(self, owner: object = None) -> None: ...\n",
        "mode: Mode\n    def __init__(self, mode: str = 'fast') -> None: ...\n",
        "base_url: str\n    def __init__(self, base_url: str = 'http://shop') -> None: ...\n",
        "size: Incomplete\n    def __init__(self, size: int) -> None: ...\n",
        "@property\n    def size(self): ...\n    def __init__(self, size: int = 3) -> None: ...\n",
    ],
)
def test_what_may_be_kept_in_another_form_is_not_asked_for(row: str) -> None:
    assert answer(f"class Shelf:\n    {row}") is None


def test_what_an_object_is_given_as_a_page_shows_it_is_not_its_default() -> None:
    stub = (
        "class Shelf:\n    size: int\n    rows: int\n"
        "    def __init__(self, size: int = 20, rows: int = 4) -> None: ...\n"
    )
    found = answer(stub, "# Shop\n\n```python\n>>> from shop import Shelf\n>>> Shelf(size=7).size\n7\n```\n")
    assert isinstance(found, Draft)
    assert "shelf = Shelf(size=7)" in found.source
    assert "assert shelf.rows == 4" in found.source
    assert "assert shelf.size" not in found.source


def test_an_object_whose_attributes_have_no_type_can_still_be_made() -> None:
    stub = "class Shelf:\n    rows: Incomplete\n    def __init__(self, rows: int) -> None: ...\n"
    laws = [case.target.get("law") for case in function_cases(source_of({"shop.pyi": stub}))]
    assert "made" in laws
    assert "kept" not in laws
