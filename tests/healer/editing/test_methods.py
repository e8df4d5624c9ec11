"""By which method an edit is made: the smallest that can make exactly this change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from healer.analysis import Analysis, Category
from healer.editing.edits import edited
from healer.editing.exchanging import Refused
from healer.editing.methods import Thresholds, expressed, methods

FILE = """\
from shop import price


def test_one():
    assert price(1) == 1
    assert price(2) == 2
    assert price(3) == 3


def test_two():
    assert price(1) == 1
    assert price(4) == 4
"""


def analysis(**given_: object) -> Analysis:
    return Analysis(node="t::a", file="t", category=Category.NAME_ERROR, **given_)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given_", "order"),
    [
        ({"scope": "local", "uniqueness": 1.0, "locations": 1, "lines": 1}, ("update", "patch", "rewrite")),
        ({"scope": "local", "uniqueness": 0.5, "locations": 1, "lines": 1}, ("patch", "rewrite")),
        ({"scope": "local", "uniqueness": 1.0, "locations": 2, "lines": 2}, ("patch", "rewrite")),
        ({"scope": "multi_line", "uniqueness": 0.5, "locations": 3, "lines": 9}, ("patch", "rewrite")),
        ({"scope": "multi_line", "uniqueness": 0.5, "locations": 3, "lines": 10}, ("rewrite",)),
        ({"scope": "file_wide", "uniqueness": 0.5, "locations": 3, "lines": 3}, ("rewrite",)),
    ],
)
def test_the_method_follows_from_how_unique_and_how_far_a_change_is(
    given_: dict[str, object], order: tuple[str, ...]
) -> None:
    assert methods(analysis(**given_)) == order


def test_the_thresholds_are_settings() -> None:
    few = analysis(scope="multi_line", lines=4)
    assert methods(few, Thresholds(patch_lines=3)) == ("rewrite",)


@pytest.mark.parametrize(
    ("after", "method", "function"),
    [
        (FILE.replace("price(4) == 4", "cost(4) == 4"), "update", None),
        (
            FILE.replace(
                "    assert price(1) == 1\n    assert price(4)",
                "    assert price(1) == 5\n    assert price(4)",
            ),
            "update",
            None,
        ),
        (
            FILE.replace("price(1) == 1\n    assert price(2) == 2", "cost(1) == 1\n    assert cost(2) == 2"),
            "update",
            None,
        ),
        (FILE.replace("price", "cost"), "rewrite", None),
        (
            FILE[: FILE.index("def test_two")] + "def test_two():\n" + "    assert price(9)\n" * 12,
            "rewrite",
            "test_two",
        ),
    ],
)
def test_the_smallest_method_is_taken(after: str, method: str, function: str | None) -> None:
    payload = expressed("t.py", FILE, after, reasoning="")
    assert (payload.method, payload.function) == (method, function)
    assert edited(payload, FILE).words == after


def test_changes_far_apart_in_one_function_are_a_patch() -> None:
    lines = "".join(f"    x{n} = price({n})\n" for n in range(20))
    before = f"def test_one():\n{lines}"
    after = before.replace("price(2)", "cost(2)").replace("price(15)", "cost(15)")
    payload = expressed("t.py", before, after, reasoning="")
    assert payload.method == "patch"
    assert edited(payload, before).words == after


def test_no_change_is_refused() -> None:
    with pytest.raises(Refused):
        expressed("t.py", FILE, FILE, reasoning="")


BODY = st.lists(st.sampled_from(["    a()\n", "    b()\n", "    c()\n", "\n"]), min_size=1, max_size=6)


@given(BODY, BODY, BODY, BODY)
def test_whatever_method_is_taken_makes_exactly_the_change(
    one: list[str], two: list[str], other_one: list[str], other_two: list[str]
) -> None:
    def file(first: list[str], second: list[str]) -> str:
        return f"def test_one():\n    pass\n{''.join(first)}\n\ndef test_two():\n    pass\n{''.join(second)}"

    before, after = file(one, two), file(other_one, other_two)
    if before != after:
        assert edited(expressed("t.py", before, after, reasoning=""), before).words == after
