"""What loops over written values come to, and what they may cost."""

from __future__ import annotations

import pytest

from ingest.python.spelled import listed, spelled

_DOUBLED = {f"a{n}": f"a{n + 1} + a{n + 1}" for n in range(60)} | {"a60": '["x", "y"]'}


@pytest.mark.parametrize(
    ("key", "loops", "names"),
    [
        ('f"level{n}"', [("n", "range(2)")], ("level0", "level1")),
        ('"at_%02d" % n', [("n", "range(2)")], ("at_00", "at_01")),
        ('"{}_{:02}".format(a, n)', [("a, n", 'itertools.product("xy", [7])')], ("x_07", "y_07")),
        ("a + b", [("a, b", 'product(["g_", "s_"], ("one",))')], ("g_one", "s_one")),
        ('a.replace("-", "_")', [("a", '"x-1 x-2".split()')], ("x_1", "x_2")),
    ],
)
def test_names_are_spelled_as_python_would(
    key: str, loops: list[tuple[str, str]], names: tuple[str, ...]
) -> None:
    assert tuple(spelled(key, None, loops, lambda _: None) or ()) == names


@pytest.mark.parametrize(
    ("key", "loops"),
    [
        ('f"x{a}{b}"', [("a, b", "product(range(2000), range(2000), range(2000))")]),
        ('"%999999999d" % n', [("n", "range(2)")]),
        ('"%*d" % (999999999, n)', [("n", "range(2)")]),
        ('"{:>999999999}".format(n)', [("n", '"ab"')]),
        ('"{:>{}}".format(n, 999999999)', [("n", '"ab"')]),
        ("a", [("a", "a0")]),
        ("str(a0)", [("n", "range(2)")]),
        ('a.replace("x", "' + "x" * 1_000 + '")', [("a", '["' + "x" * 1_000 + '"]')]),
    ],
)
def test_what_would_grow_without_bound_is_unknown_at_once(key: str, loops: list[tuple[str, str]]) -> None:
    assert spelled(key, None, loops, _DOUBLED.get) is None


def test_a_name_is_told_with_the_value_that_it_has_last() -> None:
    loops = [("n, v", "[('a', 1), ('b', 'x'), ('a', 2), ('c', [1])]")]
    assert spelled("n", "v", loops, lambda _: None) == {"a": "2", "b": "'x'", "c": None}
    assert spelled("n", "make(v)", loops, lambda _: None) == {"a": None, "b": None, "c": None}


def test_a_list_that_names_itself_is_unknown() -> None:
    assert listed("names", {"names": "names + ['a']"}.get) is None
