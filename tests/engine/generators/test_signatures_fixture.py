"""The fixture `takes` of the conftest: a lambda tells which calls a function has to take, and which to refuse."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from engine.generators.applications.shared_fixtures import conftest
from planner.generator import Application

Takes = Callable[..., None]
takes = importlib.import_module("engine.generators.applications.conftests.signatures").takes


async def fetch(number: int) -> int:
    return number


class Cart:
    def __init__(self, owner: str, limit: int = 5) -> None:
        self.owner = owner

    def add(cart, item: str) -> None:  # noqa: N805 (what it calls its object is nobody's business)
        pass


@pytest.mark.parametrize(
    ("function", "stub"),
    [
        (lambda a, b=1: ..., lambda a, b=1: ...),
        (lambda a, b=1: ..., lambda a, b=...: ...),
        (lambda a, /, *rest, c, **more: ..., lambda a, /, *args, c, **kwargs: ...),
        (lambda a, b=1, *, c=None: ..., lambda a, b=1: ...),
        (Cart, lambda owner, limit=5: ...),
        (Cart.add, lambda self, item: ...),
        (lambda a, /: ..., lambda a, /: ...),
        (lambda: ..., lambda: ...),
        (lambda a, **more: ..., lambda a, *, size=1, colour=None: ...),
        (lambda a=5: ..., lambda a=5.0: ...),
    ],
)
def test_what_takes_the_same_calls_is_as_the_stub_says(takes: Takes, function: Any, stub: Any) -> None:
    takes(function, stub)


@pytest.mark.parametrize(
    ("function", "stub", "why"),
    [
        (lambda b: ..., lambda a: ..., "refuses [] and {'a': 'a'}"),
        (lambda a, b: ..., lambda a: ..., "refuses ['a'] and {}"),
        (lambda: ..., lambda a: ..., "refuses ['a'] and {}"),
        (lambda a=1: ..., lambda a: ..., "takes [] and {}"),
        (lambda a, b=1: ..., lambda a: ..., "takes ['a', 'too many'] and {}"),
        (lambda a: ..., lambda a, /: ..., "takes [] and {'a': 'a'}"),
        (lambda a: ..., lambda *, a: ..., "takes ['a'] and {}"),
        (lambda a=1: ..., lambda a=2: ..., "a is not 2 where it is left out"),
        (lambda a=1: ..., lambda a=True: ..., "a is not True where it is left out"),
        (lambda **more: ..., lambda a=1: ..., "refuses ['a'] and {}"),
        (Cart.add, lambda self, things: ..., "refuses ['self'] and {'things': 'things'}"),
        (fetch, lambda number: ..., "is to be awaited"),
    ],
)
def test_what_takes_other_calls_is_told_with_the_first_of_them(
    takes: Takes, function: Any, stub: Any, why: str
) -> None:
    with pytest.raises(AssertionError) as raised:
        takes(function, stub)
    assert why in str(raised.value)


def test_what_is_awaited_may_be_so_or_has_to(takes: Takes) -> None:
    takes(fetch, lambda number: ..., awaited=True)
    takes(fetch, lambda number: ..., awaited=None)
    with pytest.raises(AssertionError, match="is not to be awaited"):
        takes(Cart.add, lambda self, item: ..., awaited=True)


def test_of_overloads_each_has_to_be_taken_and_nothing_has_to_be_refused(takes: Takes) -> None:
    takes(lambda *args: ..., lambda a: ..., lambda a, b: ..., others=True)
    with pytest.raises(AssertionError, match="refuses"):
        takes(lambda a: ..., lambda a: ..., lambda a, b: ..., others=True)


def test_overloads_agree_on_a_default_that_the_code_has_by_that_name(takes: Takes) -> None:
    takes(lambda size=7, *rest: ..., lambda size=7: ..., lambda size, more=3: ..., others=True)
    takes(lambda size=8, *rest: ..., lambda size=7: ..., lambda size=8: ..., others=True)
    with pytest.raises(AssertionError, match="size is not 7 where it is left out"):
        takes(lambda size=8, *rest: ..., lambda size=7: ..., lambda size, more=3: ..., others=True)


@pytest.mark.parametrize("target", [None, Application("django", "shop:app")])
def test_a_conftest_that_can_compare_is_python_with_its_imports_at_the_top(
    target: Application | None,
) -> None:
    text = conftest(target, signatures=True)
    compile(text, "conftest.py", "exec")
    assert text.count("import inspect\n") == text.count("import pytest\n") == 1
    assert "def takes():" in text
    assert "def takes():" not in conftest(target)


def test_how_a_class_is_called_that_keeps_its_own_signature_is_undecided(takes: Takes) -> None:
    class Odd:
        def __signature__(self) -> str:
            return ""

    with pytest.raises(pytest.skip.Exception, match="not told at run time"):
        takes(Odd, lambda: ...)
