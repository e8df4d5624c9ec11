"""Types in one spelling."""

from __future__ import annotations

import pytest

from healer.moving.annotated import spelled


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Optional[int]", "int | None"),
        ("Optional[int]", "None | int"),
        ("typing.Union[int, str, None]", "Optional[Union[str, int]]"),
        ("t.List[t.Dict[str, int]]", "list[dict[str, int]]"),
        ("Deque[Event]", "deque[Event]"),
        ("'Optional[Book]'", "Book | None"),
        ("Callable[[List[int]], Optional[str]]", "collections.abc.Callable[[list[int]], str | None]"),
        ("Optional[Callable[[int], str]]", "Callable[[int], str] | None"),
        ("Union[int]", "int"),
        ("Tuple[int, ...]", "tuple[int, ...]"),
    ],
)
def test_spellings_of_one_type_are_the_same(one: str, other: str) -> None:
    assert spelled(one) == spelled(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Optional[int]", "int"),
        ("List[int]", "Tuple[int]"),
        ("Literal['a', 'b']", "Literal['a']"),
        ("Literal['None']", "Literal[None]"),
        ("shop.List[int]", "list[int]"),
        ("dict[str, int]", "dict[int, str]"),
        ("Callable[[int], str]", "Callable[[str], int]"),
        ("int |", "int"),
        ("", "None"),
    ],
)
def test_other_types_are_others(one: str, other: str) -> None:
    assert spelled(one) != spelled(other)


def test_what_is_too_deep_stays_as_it_is() -> None:
    text = "list[" * 3000 + "]" * 3000
    assert spelled(text) == text
