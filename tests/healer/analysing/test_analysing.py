"""What a failure tells by itself, from what pytest reports of it."""

from __future__ import annotations

import pytest

from healer.analysing.analysing import analyse
from healer.analysing.clusters import clustered
from healer.analysis import Analysis, Category
from planner.validator import Frame, Outcome, Verdict

TEST = """\
import pytest
from shop import price


def test_price():
    assert price(3) == 4
    assert 4 == price(3)


def test_refused():
    with pytest.raises(ValueError):
        price(-1)
"""


def analysed(
    exception: str, message: str, *, line: int = 6, verdict: Verdict = Verdict.FAILED, inside: str = ""
) -> Analysis:
    frames = [Frame("tests/test_shop.py", line, "test_price", "test")]
    if inside:
        frames.append(Frame("shop.py", 3, inside, "project"))
    frames.append(Frame("/usr/lib/python3/json.py", 1, "loads", "library"))
    outcome = Outcome(
        node="tests/test_shop.py::test_price",
        verdict=verdict,
        exception=exception,
        message=message,
        frames=tuple(frames),
    )
    return analyse(outcome, {"tests/test_shop.py": TEST}.get)


@pytest.mark.parametrize(
    ("exception", "message", "category", "symbol"),
    [
        ("ModuleNotFoundError", "No module named 'shop.pricing'", "IMPORT_ERROR", "shop.pricing"),
        ("ImportError", "cannot import name 'price' from 'shop' (/x/shop.py)", "IMPORT_ERROR", "price"),
        ("NameError", "name 'price' is not defined", "NAME_ERROR", "price"),
        ("AttributeError", "'Cart' object has no attribute 'add'", "ATTRIBUTE_ERROR", "add"),
        ("AttributeError", "module 'shop' has no attribute 'price'", "ATTRIBUTE_ERROR", "price"),
        (
            "AttributeError",
            "<module 'shop' from '/x'> does not have the attribute 'price'",
            "MOCK_ERROR",
            "price",
        ),
        ("TypeError", "price() got an unexpected keyword argument 'rate'", "SIGNATURE_ERROR", "rate"),
        ("TypeError", "price() missing 1 required positional argument: 'rate'", "SIGNATURE_ERROR", "rate"),
        ("TypeError", "price() takes 1 positional argument but 2 were given", "SIGNATURE_ERROR", "price"),
        ("TypeError", "'int' object is not callable", "SIGNATURE_ERROR", ""),
        ("TypeError", "unsupported operand type(s) for +: 'int' and 'str'", "OTHER_EXCEPTION", ""),
        ("FixtureLookupError", "('cart', <FixtureRequest for <Function test_it>>)", "FIXTURE_ERROR", "cart"),
        ("AssertionError", "assert 3 == 4", "ASSERTION_FAILURE", ""),
        ("Failed", "DID NOT RAISE <class 'ValueError'>", "ASSERTION_FAILURE", "ValueError"),
        ("AssertionError", "Expected 'send' to have been called once.", "MOCK_ERROR", ""),
        ("ConnectionRefusedError", "[Errno 111] Connection refused", "ENVIRONMENT", ""),
        ("SyntaxError", "invalid syntax", "SYNTAX_ERROR", ""),
        ("KeyError", "'a'", "OTHER_EXCEPTION", ""),
        ("AttributeError", "RED", "ATTRIBUTE_ERROR", "RED"),
        ("ValueError", "RED", "OTHER_EXCEPTION", ""),
        ("", "", "COMPLEX_FAILURE", ""),
    ],
)
def test_words_of_an_error_tell_its_category_and_symbol(
    exception: str, message: str, category: str, symbol: str
) -> None:
    found = analysed(exception, message)
    assert (found.category, found.symbol) == (category, symbol)


def test_what_took_too_long_or_was_contained_is_told_by_its_verdict() -> None:
    assert analysed("", "", verdict=Verdict.TIMEOUT).category is Category.TIMEOUT
    assert analysed("OSError", "read-only", verdict=Verdict.CONTAINED).category is Category.ENVIRONMENT


@pytest.mark.parametrize(
    ("line", "message"), [(6, "assert 3 == 4\n +  where 3 = price(3)"), (7, "assert 4 == 3")]
)
def test_the_plain_side_of_a_comparison_is_what_was_expected(line: int, message: str) -> None:
    found = analysed("AssertionError", message, line=line)
    assert (found.expected, found.observed) == ("4", "3")


def test_another_exception_than_the_expected_one_is_what_came() -> None:
    found = analysed("LookupError", "no", line=12, inside="price")
    assert (found.expected, found.observed, found.category) == (
        "ValueError",
        "LookupError",
        "OTHER_EXCEPTION",
    )
    assert found.root is not None
    assert (found.root.path, found.root.function, found.line) == ("shop.py", "price", 12)
    assert found.source == "price(-1)"


def test_how_often_a_symbol_stands_in_the_file_tells_scope_and_method() -> None:
    found = analysed("ImportError", "cannot import name 'price' from 'shop'", line=2)
    assert (found.locations, found.scope, found.method) == (4, "file_wide", "rewrite")
    assert found.uniqueness == 0.25
    once = analysed("NameError", "name 'pytest' is not defined")
    assert (once.locations, once.scope, once.method) == (2, "file_wide", "rewrite")


def test_one_missing_import_in_many_files_is_one_cluster() -> None:
    def failed(file: str, symbol: str, line: int) -> Outcome:
        message = f"cannot import name '{symbol}' from 'shop' (/x/shop.py)"
        frames = (Frame(file, line, "<module>", "test"),)
        return Outcome(
            node=file, verdict=Verdict.MISSING, exception="ImportError", message=message, frames=frames
        )

    outcomes = [failed(f"tests/test_{n}.py", "price", n) for n in range(10)]
    outcomes.append(failed("tests/test_x.py", "cost", 3))
    clusters = clustered(analyse(each, lambda path: None) for each in outcomes)
    assert [len(each) for each in clusters] == [10, 1]


def test_values_that_differ_on_other_lines_are_other_causes() -> None:
    one, other = (analysed("AssertionError", "assert 3 == 4", line=line) for line in (6, 7))
    assert [len(each) for each in clustered([one, other, one])] == [2, 1]


def test_what_one_broken_decorator_gave_is_one_cause_wherever_it_is_called() -> None:
    message = "'NoneType' object is not callable"
    found = [analysed("TypeError", message, line=line) for line in (6, 7)]
    found.append(analysed("TypeError", "'int' object is not callable", line=6))
    assert [len(each) for each in clustered(found)] == [2, 1]
