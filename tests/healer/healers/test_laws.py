"""Laws of the healers: there and back gives the same text, what comes out is Python, and nobody else's names change."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from healer.editing.edits import edited
from healer.healers.registry import HEALERS
from healer.movements import Movement
from tests.healer.healers.patients import movement, patient

OLD = """class Cart:
    def put(self, item, count=1): return item
def total(items, percent=10): return 1
def make() -> Cart: return Cart()
"""
NEW = (
    OLD.replace("Cart", "Basket").replace("put", "push").replace("total", "sum_up").replace("percent", "rate")
)
NAMES = [("Cart", "Basket"), ("total", "sum_up")]

IMPORTS = [
    "import shop.cart",
    "import shop.cart as c",
    "from shop import cart",
    "from shop.cart import Cart, make, total",
    "from shop.cart import (\n    Cart,  # the unit\n    make,\n    total,\n)",
    "from shop.cart import total as t, Cart as K",
    "from shop.cart import make",
]
LINES = [
    "total([1], percent=5)",
    "shop.cart.total([1])",
    "c.total([1], percent = 5)",
    "cart.total([1])  # total",
    "t([1], 3)",
    "Cart().put(1, count=2)",
    "K().put(1)",
    "make().put( 1 )",
    "total = 3",
    "sum_up = total",
    "percent = 4",
    "f'{total([2])} total {percent}'",
    "[total(each) for each in [[1]]]",
    "[total for total in [1]]",
    "(lambda total: total)(1)",
    "patch('shop.cart.total')",
    "monkeypatch.setattr(cart, 'total', 1)",
    "'total'",
    "other.put(1)",
    "{}.get('put')",
]


def function(number: int, body: list[str]) -> list[str]:
    return [f"def test_{number}(monkeypatch, other):", *(f"    {line}" for line in body), ""]


FILES = st.builds(
    lambda imports, bodies: "\n".join(
        [*imports, "", *(line for n, body in enumerate(bodies) for line in function(n, body)), ""]
    ),
    st.lists(st.sampled_from(IMPORTS), min_size=1, max_size=4, unique=True),
    st.lists(st.lists(st.sampled_from(LINES), min_size=1, max_size=6), min_size=1, max_size=3),
)


def moved(old: str, new: str) -> list[Movement]:
    """The movements from one text of the code to the other."""
    there = old == OLD
    pairs = NAMES if there else [(new_, old_) for old_, new_ in NAMES]
    told = [movement(cause="renamed", subject=f"shop.cart.{a}", after=f"shop.cart.{b}") for a, b in pairs]
    (first, second), (a, b) = pairs[0], ("put", "push") if there else ("push", "put")
    before, after = f"shop.cart.{first}.{a}", f"shop.cart.{second}.{b}"
    told.append(movement(cause="renamed", subject=before, after=after))
    names = ("percent", "rate") if there else ("rate", "percent")
    told.append(
        movement(
            cause="parameter-renamed",
            subject=f"shop.cart.{pairs[1][0]}#{names[0]}",
            owner=f"shop.cart.{pairs[1][1]}",
            before=names[0],
            after=names[1],
        )
    )
    return told


def followed(text: str, old: str, new: str) -> str:
    """A test after the first attempt of the healer that is asked; the text itself where there is nothing to do."""
    sick = patient({"shop/cart.py": old}, {"shop/cart.py": new}, {"tests/test_it.py": text}, moved(old, new))
    for healer in HEALERS:
        for payloads in healer.propose(sick):
            (payload,) = payloads
            return edited(payload, text).words
    return text


@given(FILES)
def test_there_and_back_gives_the_same_text(text: str) -> None:
    there = followed(text, OLD, NEW)
    ast.parse(there)
    assert followed(there, NEW, OLD) == text


@given(FILES)
def test_what_is_followed_is_not_followed_again_and_lines_keep_their_number(text: str) -> None:
    there = followed(text, OLD, NEW)
    assert len(there.splitlines()) == len(text.splitlines())
    assert "patch('shop.cart.total')" not in there
    for before, after in zip(text.splitlines(), there.splitlines(), strict=True):
        if before != after:
            assert any(word in before for word in ("total", "Cart", "put", "percent"))


@given(st.text(max_size=200))
def test_any_text_is_left_alone_or_stays_python(text: str) -> None:
    done = followed(text, OLD, NEW)
    if done != text:
        ast.parse(done)
