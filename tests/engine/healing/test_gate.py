"""What heals may touch: files that are tests by their place or name, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.healing.gate import looks_like_test
from engine.healing.neighbours import sharing


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("tests/shop/helpers.py", True),
        ("src/shop/test_price.py", True),
        ("tests.py", True),
        ("test.py", True),
        ("src/shop/test.py", False),
        ("src/shop/price.py", False),
    ],
)
def test_a_path_tells_whether_it_is_one_of_tests(path: str, is_one: bool) -> None:
    assert looks_like_test(path) is is_one


def test_a_file_of_tests_at_the_top_is_run_again_where_it_was_edited(tmp_path: Path) -> None:
    assert sharing(tmp_path, ["test.py"], lambda _: None) == {"test.py"}
