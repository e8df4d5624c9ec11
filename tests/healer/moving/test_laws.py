"""Laws of movements, over generated modules: what is equal does not move, what is not equal is never called whole."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from healer.movements import Cause
from tests.healer.moving.changing import moved

_EXPRESSIONS = st.sampled_from(
    ["a + 1", "a - 1", "a * b", "b", "[a, b]", "f'{a}{b}'", "'a'", "(a, b)", "a if b else 1", "len(str(a))"]
)
_STATEMENTS = st.sampled_from(
    ["a = b", "b += 1", "if a:\n        b = 2", "for a in [b]:\n        b = a", "pass", "print('a', b)"]
)


@st.composite
def functions(draw: st.DrawFn) -> str:
    """The body of a function of `a` and `b`, without its header."""
    lines = draw(st.lists(_STATEMENTS, max_size=3))
    return "".join(f"    {line}\n" for line in lines) + f"    return {draw(_EXPRESSIONS)}\n"


@given(st.lists(functions(), max_size=3))
@settings(max_examples=25)
def test_between_identical_revisions_nothing_moves(bodies: list[str]) -> None:
    files = {"shop.py": "\n".join(f"def f{number}(a, b):\n{body}" for number, body in enumerate(bodies))}
    assert moved(files, dict(files)) == ()


@given(functions())
@settings(max_examples=40)
def test_a_rename_with_an_equal_body_is_whole_and_all_that_moved(body: str) -> None:
    before = {"shop.py": f"def price(a, b):\n{body}\n\ndef total(a, b):\n    return price(a, b) + 1\n"}
    after = {"shop.py": f"def cost(a, b):\n{body}\n\ndef total(a, b):\n    return cost(a, b) + 1\n"}
    (movement,) = moved(before, after)
    assert (movement.cause, movement.before, movement.after) == (Cause.RENAMED, "shop.price", "shop.cost")
    assert movement.whole


@given(functions(), functions())
def test_a_rename_with_another_body_is_never_whole(one: str, other: str) -> None:
    found = moved({"shop.py": f"def price(a, b):\n{one}"}, {"shop.py": f"def cost(a, b):\n{other}"})
    assert one == other or not any(each.whole for each in found)


@given(functions(), functions())
def test_renamed_parameters_with_another_body_are_never_whole(one: str, other: str) -> None:
    swapped = re.sub(r"(?<!')\b(a)\b(?!')", "x", other)
    found = moved({"shop.py": f"def price(a, b):\n{one}"}, {"shop.py": f"def price(x, b):\n{swapped}"})
    whole = [each for each in found if each.cause is Cause.PARAMETER_RENAMED and each.whole]
    assert bool(whole) == (one == other)


@given(functions(), functions())
@settings(max_examples=40)
def test_another_body_under_the_same_name_is_told_and_nothing_else(one: str, other: str) -> None:
    found = moved({"shop.py": f"def price(a, b):\n{one}"}, {"shop.py": f"def price(a, b):\n{other}"})
    assert {each.cause for each in found} <= {Cause.BODY_CHANGED}
    assert bool(found) == (one != other)


_LITERALS = st.recursive(
    st.one_of(st.text(max_size=3), st.integers(-2, 2), st.booleans(), st.none()),
    lambda inner: st.lists(inner, max_size=2) | st.tuples(inner, inner),
    max_leaves=4,
)


@given(_LITERALS, _LITERALS)
def test_a_literal_that_is_spelled_otherwise_is_no_other_value(then: object, now: object) -> None:
    import ast
    import json

    def spelled(value: object) -> str:
        return re.sub(r"^(['\"]).*", lambda _: json.dumps(value), repr(value), flags=re.S)

    def files(value: str, other: str = "print(1)") -> dict[str, str]:
        text = f"class Shop:\n    size = {value}\n\nNAME = {value}\n{other}\ndef f():\n    return 1\n"
        return {"shop.py": text}

    assert ast.literal_eval(spelled(now)) == now
    found = moved(files(repr(then)), files(spelled(now)))
    assert bool(found) == (repr(then) != repr(now))
    assert moved(files(repr(now)), files(spelled(now), "print(2)")), "another statement of the module is told"


def test_a_body_of_which_nobody_knows_counts_as_another_one() -> None:
    import msgspec

    from healer.moving.telling import movements
    from tests.healer.moving.changing import changed

    before, after = {"shop.py": "def price(a):\n    return a\n"}, {"shop.py": "def price(b):\n    return b\n"}
    found = changed(before, after)
    forgotten = tuple(
        (msgspec.structs.replace(b, aspects={k: v for k, v in b.aspects.items() if k != "body"}), a)
        for b, a in found.changed
    )
    told = movements(msgspec.structs.replace(found, changed=forgotten), after.get)
    assert Cause.BODY_CHANGED in {each.cause for each in told}
    assert not any(each.whole for each in told)
