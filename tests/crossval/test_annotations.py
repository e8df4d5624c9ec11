"""Two spellings of one type are equal; two types differ only where that is certain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossval.compare.annotations import UNKNOWN, normalise
from crossval.compare.inclusion import admits, stricter
from crossval.compare.verdicts import Verdict, compare
from crossval.pairs import Stricter

NAMES = {
    "t": "typing",
    "typing": "typing",
    "collections": "collections",
    "Optional": "typing.Optional",
    "Union": "typing.Union",
    "List": "typing.List",
    "Dict": "typing.Dict",
    "Seq": "collections.abc.Sequence",
    "Book": "shop.models.Book",
    "Money": "vendor.Money",
}
CLASSES = frozenset({"shop.models.Book", "shop.models.Cart"})


def verdict(spec: str, code: str) -> Verdict:
    return compare(normalise(spec, NAMES, CLASSES), normalise(code, NAMES, CLASSES))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Optional[int]", "int | None"),
        ("Union[int, str]", "str | int"),
        ("t.Union[int, Optional[str]]", "None | int | str"),
        ("List[int]", "list[int]"),
        ("t.Dict[str, 'int']", "dict[str, int]"),
        ("Seq[str]", "t.Sequence[str]"),
        ("collections.abc.Sequence[str]", "t.Sequence[str]"),
        ("'Book | None'", "Optional[Book]"),
        ("t.Annotated[int, 3]", "int"),
        ("t.Final[int]", "int"),
        ("t.ClassVar[list[str]]", "list[str]"),
        ("t.Literal['a', 'b']", "t.Literal['b'] | t.Literal['a']"),
        ("t.Literal['a', None]", "Optional[t.Literal['a']]"),
        ("t.Tuple[int, ...]", "tuple[int, ...]"),
        ("t.Tuple[()]", "tuple[()]"),
        ("t.Callable[[int], str]", "collections.abc.Callable[[int], str]"),
        ("t.Callable[..., t.Any]", "t.Callable"),
        ("t.Type[Book]", "type['Book']"),
        ("float | int", "float"),
        ("bool | int | None", "int | None"),
        ("str | t.Literal['x']", "str"),
        ("t.Generator[int]", "collections.abc.Generator[int, None, None]"),
        ("t.NoReturn", "t.Never"),
        ("shop.models.Book", "Book"),
        ("type(None)", "None"),
    ],
)
def test_two_spellings_of_one_type_are_equal(one: str, other: str) -> None:
    assert verdict(one, other) is Verdict.EQUAL
    assert verdict(other, one) is Verdict.EQUAL


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("int", "str"),
        ("int", "int | None"),
        ("list[int]", "list[str]"),
        ("list[int]", "set[int]"),
        ("int", "list[int]"),
        ("Book", "int"),
        ("Book", "shop.models.Cart"),
        ("t.Literal['a']", "t.Literal['a', 'b']"),
        ("tuple[int, str]", "tuple[int, str, str]"),
        ("t.Callable[[int], str]", "t.Callable[[int, int], str]"),
        ("t.Iterable[int]", "t.Iterator[int]"),
    ],
)
def test_types_that_surely_differ_are_told_apart(one: str, other: str) -> None:
    assert verdict(one, other) is Verdict.DIFFER
    assert verdict(other, one) is Verdict.DIFFER


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("t.Any", "int"),
        ("Incomplete", "int"),
        ("Money", "int"),
        ("T", "int"),
        ("t.Self", "Book"),
        ("list", "list[int]"),
        ("list[t.Any]", "list[int]"),
        ("int | Money", "int | str"),
        ("int | t.Any", "int | str"),
        ("1 +", "int"),
        ("f(x)", "int"),
        ("[" * 500 + "]" * 500, "int"),
        ("x" * 5000, "int"),
    ],
)
def test_what_cannot_be_known_is_no_difference(one: str, other: str) -> None:
    assert verdict(one, other) is Verdict.UNKNOWN
    assert verdict(other, one) is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("spec", "code", "expected"),
    [
        ("int | None", "int", Stricter.CODE),
        ("int", "int | None", Stricter.SPEC),
        ("Seq[str]", "list[str]", Stricter.CODE),
        ("float", "int", Stricter.CODE),
        ("str", "t.Literal['a']", Stricter.CODE),
        ("t.Literal['a', 'b']", "t.Literal['a']", Stricter.CODE),
        ("object", "Book", Stricter.CODE),
        ("int", "str", Stricter.NEITHER),
        ("list[int]", "list[str]", Stricter.NEITHER),
    ],
)
def test_the_type_that_admits_less_is_the_stricter_one(spec: str, code: str, expected: Stricter) -> None:
    assert stricter(normalise(spec, NAMES, CLASSES), normalise(code, NAMES, CLASSES)) is expected


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        ("int", 3, Verdict.EQUAL),
        ("float", 3, Verdict.EQUAL),
        ("int", True, Verdict.EQUAL),
        ("int | None", None, Verdict.EQUAL),
        ("Seq[str]", ["a"], Verdict.EQUAL),
        ("t.Any", "x", Verdict.EQUAL),
        ("int", "ten", Verdict.DIFFER),
        ("str", None, Verdict.DIFFER),
        ("t.Literal['a']", "b", Verdict.DIFFER),
        ("Money", 3, Verdict.UNKNOWN),
        ("Book", 3, Verdict.DIFFER),
        ("Book", None, Verdict.DIFFER),
        ("t.Iterable[int]", {}, Verdict.EQUAL),
        ("t.Callable[[], int]", None, Verdict.DIFFER),
        ("t.Hashable", None, Verdict.EQUAL),
    ],
)
def test_a_value_is_refused_only_by_types_that_surely_do_not_have_it(
    annotation: str, value: object, expected: Verdict
) -> None:
    assert admits(normalise(annotation, NAMES, CLASSES), value) is expected


def test_a_name_that_the_module_gives_another_meaning_is_not_the_standard_one() -> None:
    assert (
        compare(normalise("List[int]", {"List": "shop.List"}), normalise("list[int]", {})) is Verdict.UNKNOWN
    )


PLAIN = st.sampled_from(["int", "str", "bytes", "Book", "Money", "None", "t.Literal['a', 3]"])


def wrapped(inner: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[tuple[str, str]]:
    """A type in two spellings, made of types in two spellings."""
    pairs = st.tuples(inner, inner)
    return st.one_of(
        inner.map(lambda x: (f"list[{x[0]}]", f"t.List[{x[1]}]")),
        inner.map(lambda x: (f"t.Optional[{x[0]}]", f"None | ({x[1]})")),
        inner.map(lambda x: (f"Seq[{x[0]}]", f"t.Sequence[{x[1]}]")),
        inner.map(lambda x: (f"t.Annotated[{x[0]}, 'note']", x[1])),
        inner.map(lambda x: (x[0], f'"{x[1]}"') if '"' not in x[1] else x),
        pairs.map(lambda p: (f"dict[{p[0][0]}, {p[1][0]}]", f"t.Dict[{p[0][1]}, {p[1][1]}]")),
        pairs.map(lambda p: (f"Union[{p[0][0]}, {p[1][0]}]", f"({p[1][1]}) | ({p[0][1]})")),
        pairs.map(
            lambda p: (
                f"t.Callable[[{p[0][0]}], {p[1][0]}]",
                f"collections.abc.Callable[[{p[0][1]}], {p[1][1]}]",
            )
        ),
    )


SPELLINGS = st.recursive(PLAIN.map(lambda text: (text, text)), wrapped, max_leaves=8)


@given(SPELLINGS)
def test_the_normal_form_does_not_depend_on_the_spelling(spellings: tuple[str, str]) -> None:
    one, other = (normalise(text, NAMES, CLASSES) for text in spellings)
    assert one == other
    assert compare(one, other) is (Verdict.UNKNOWN if one == UNKNOWN else Verdict.EQUAL)


@given(SPELLINGS)
def test_the_normal_form_of_a_normal_form_is_itself(spellings: tuple[str, str]) -> None:
    normal = normalise(spellings[0], NAMES, CLASSES)
    assert normalise(str(normal), NAMES, CLASSES) == normal


@given(SPELLINGS, SPELLINGS)
def test_comparing_does_not_depend_on_the_side(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert verdict(one[0], other[0]) is verdict(other[0], one[0])


@given(st.text(max_size=40))
def test_any_text_has_a_normal_form(text: str) -> None:
    normal = normalise(text, NAMES, CLASSES)
    assert compare(normal, normal) in (Verdict.EQUAL, Verdict.UNKNOWN)
